#include "sotto/learn/class_prior.h"

#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <functional>

namespace sotto {

void project_to_simplex(std::vector<double>& values) {
  std::vector<double> sorted = values;
  std::sort(sorted.begin(), sorted.end(), std::greater<>());
  double sum = 0, shift = 0;
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    sum += sorted[i];
    const double candidate = (sum - 1) / static_cast<double>(i + 1);
    if (sorted[i] > candidate) shift = candidate;
  }
  for (double& value : values) value = std::max(value - shift, 0.0);
}

ClassPrior estimate_class_prior(std::span<const std::int32_t> noisy_labels, const LabelNoise& noise) {
  const auto classes = static_cast<Eigen::Index>(noise.classes);
  Eigen::MatrixXd channel(classes, classes);
  for (Eigen::Index noisy = 0; noisy < classes; ++noisy)
    for (Eigen::Index label = 0; label < classes; ++label)
      channel(noisy, label) = static_cast<double>(noise.probability[static_cast<std::size_t>(noisy * classes + label)]);
  Eigen::VectorXd shares = Eigen::VectorXd::Zero(classes);
  for (const std::int32_t label : noisy_labels) shares(label) += 1 / static_cast<double>(noisy_labels.size());

  const Eigen::MatrixXd inverse = channel.inverse();
  const Eigen::VectorXd unbiased = inverse * shares;
  const Eigen::MatrixXd covariance = shares.asDiagonal().toDenseMatrix() - shares * shares.transpose();
  const Eigen::VectorXd variance = (inverse * covariance * inverse.transpose()).diagonal();
  ClassPrior prior{{unbiased.begin(), unbiased.end()}, {}};
  for (const double value : variance)
    prior.standard_error.push_back(std::sqrt(std::max(value, 0.0) / static_cast<double>(noisy_labels.size())));
  project_to_simplex(prior.frequency);
  return prior;
}

}  // namespace sotto
