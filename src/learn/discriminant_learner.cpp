#include "sotto/learn/discriminant_learner.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

namespace sotto {
namespace {

using Rows = Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>>;

Rows rows_of(std::span<const float> values, std::size_t width) {
  return {values.data(), static_cast<Eigen::Index>(values.size() / width), static_cast<Eigen::Index>(width)};
}

// What to count a report with noisy label n as a report of class y: on average over the noise, one if it is, else none.
Eigen::MatrixXd unmixing(const LabelNoise& noise) {
  const auto classes = static_cast<Eigen::Index>(noise.classes);
  Eigen::MatrixXd given(classes, classes);
  for (Eigen::Index noisy = 0; noisy < classes; ++noisy)
    for (Eigen::Index y = 0; y < classes; ++y)
      given(noisy, y) =
          static_cast<double>(noise.given_noisy(static_cast<std::size_t>(noisy))[static_cast<std::size_t>(y)]);
  return given.inverse();
}

struct ClassMeans {
  Eigen::MatrixXd means;   // classes × width
  Eigen::VectorXd counts;  // of reports, estimated
  double variance = 0;     // of a coordinate of a mean, on average
};

// Of every second report from `first` on.
ClassMeans class_means(const Rows& reports, std::span<const std::int32_t> labels, const Eigen::MatrixXd& unmix,
                       Eigen::Index first) {
  ClassMeans half{Eigen::MatrixXd::Zero(unmix.rows(), reports.cols()), Eigen::VectorXd::Zero(unmix.rows())};
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(reports.cols());
  Eigen::VectorXd squares = Eigen::VectorXd::Zero(unmix.rows());
  for (Eigen::Index n = first; n < reports.rows(); n += 2) {
    const Eigen::RowVectorXd report = reports.row(n).cast<double>();
    const Eigen::VectorXd weights = unmix.col(labels[static_cast<std::size_t>(n)]);
    half.means += weights * report;
    half.counts += weights;
    squares += weights.cwiseAbs2() * report.squaredNorm() / static_cast<double>(reports.cols());
    sum += report;
  }
  const double all = std::max(half.counts.sum(), 1.0);
  for (Eigen::Index y = 0; y < unmix.rows(); ++y) {
    const bool has_reports = half.counts[y] >= 1;
    half.means.row(y) =
        has_reports ? Eigen::RowVectorXd(half.means.row(y) / half.counts[y]) : Eigen::RowVectorXd(sum / all);
    if (has_reports)
      half.variance += squares[y] / (half.counts[y] * half.counts[y]) / static_cast<double>(unmix.rows());
    half.counts[y] = std::max(half.counts[y], 0.5);
  }
  return half;
}

}  // namespace

TrainableNetwork learn_discriminant(std::span<const float> reports, std::span<const std::int32_t> noisy_labels,
                                    const LabelNoise& noise, std::span<const float> public_records, std::size_t width) {
  constexpr double kRidge = 0.1;  // of a coordinate's mean variance: directions in which public records hardly vary
  const Rows records = rows_of(public_records, width), noisy = rows_of(reports, width);
  const Eigen::RowVectorXd middle = records.cast<double>().colwise().mean();
  const Eigen::MatrixXd centred = records.cast<double>().rowwise() - middle;
  Eigen::MatrixXd covariance = centred.transpose() * centred / static_cast<double>(records.rows());
  const Eigen::MatrixXd unmix = unmixing(noise);
  ClassMeans first = class_means(noisy, noisy_labels, unmix, 0), second = class_means(noisy, noisy_labels, unmix, 1);
  first.means.rowwise() -= middle;
  second.means.rowwise() -= middle;
  const auto dimension = static_cast<double>(width);
  // Noise in the means is one more reason not to trust a direction. Halves have twice the variance of the whole.
  covariance.diagonal().array() +=
      kRidge * covariance.trace() / dimension + (first.variance + second.variance) / 4 + 1e-12;
  const Eigen::LDLT<Eigen::MatrixXd> inverse(covariance);

  const Eigen::MatrixXd slopes = inverse.solve(((first.means + second.means) / 2).transpose());  // width × classes
  const Eigen::MatrixXd of_first = inverse.solve(first.means.transpose());
  const Eigen::VectorXd counts = first.counts + second.counts;
  TrainableNetwork network = TrainableNetwork::perceptron(width, {}, noise.classes, Activation::kRelu);
  const auto layer = network.first_layer();
  for (std::size_t y = 0; y < noise.classes; ++y) {
    const auto row = static_cast<Eigen::Index>(y);
    // Two halves have independent noise, which a mean's product with itself would count as length.
    const double length = second.means.row(row).dot(of_first.col(row));
    for (std::size_t i = 0; i < width; ++i)
      layer.weights[y * width + i] = static_cast<float>(slopes(static_cast<Eigen::Index>(i), row));
    layer.bias[y] = static_cast<float>(std::log(counts[row] / counts.sum()) - length / 2 - middle.dot(slopes.col(row)));
  }
  return network;
}

}  // namespace sotto
