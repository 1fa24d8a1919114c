#include "sotto/cluster/mixture.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <cmath>
#include <limits>
#include <utility>

#include "sotto/cluster/clusters.h"

namespace sotto {
namespace {

using RowMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Points = Eigen::Map<const RowMatrix>;

// Scores x·slope + intercept, the logarithm of a component's posterior up to what all components share.
struct Scores {
  Eigen::MatrixXd slopes;  // components × width
  Eigen::VectorXd intercepts;
  double shared = 0;  // what all components share of the mean log-likelihood, up to a constant
};

Eigen::MatrixXd second_moment_of(const Points& points) {
  Eigen::MatrixXd moment = Eigen::MatrixXd::Zero(points.cols(), points.cols());
  constexpr Eigen::Index kBlock = 1024;  // floats within one, doubles across
  for (Eigen::Index row = 0; row < points.rows(); row += kBlock) {
    const auto block = points.middleRows(row, std::min(kBlock, points.rows() - row));
    moment += (block.transpose() * block).eval().cast<double>();
  }
  return moment / static_cast<double>(points.rows());
}

// Features that never vary, or are sums of others, would leave it singular.
Eigen::LLT<Eigen::MatrixXd> factor(Eigen::MatrixXd covariance) {
  const double ridge = 1e-3 * covariance.trace() / static_cast<double>(covariance.rows()) + 1e-12;
  covariance.diagonal().array() += ridge;
  return covariance.llt();
}

// As long in one direction as in any other, so that k-means does not cut across what is only long.
RowMatrix whitened(const Points& points, const Eigen::MatrixXd& second_moment) {
  const Eigen::RowVectorXd mean = points.cast<double>().colwise().mean();
  const auto cholesky = factor(second_moment - mean.transpose() * mean);
  const Eigen::MatrixXd inverse = cholesky.matrixL().solve(Eigen::MatrixXd::Identity(points.cols(), points.cols()));
  return points * inverse.cast<float>().transpose();
}

class Mixture {
 public:
  Mixture(const Points& points, const Eigen::MatrixXd& second_moment, const Clusters& start)
      : points_(points), second_moment_(second_moment) {
    RowMatrix hard = RowMatrix::Zero(points.rows(), static_cast<Eigen::Index>(start.size()));
    for (std::size_t row = 0; row < start.member_of.size(); ++row)
      hard(static_cast<Eigen::Index>(row), static_cast<Eigen::Index>(start.member_of[row])) = 1;
    maximise(hard);
  }

  // One round of expectation-maximisation. Returns the mean log-likelihood before it, up to a constant.
  double iterate() {
    const Scores now = scores();
    RowMatrix shares = points_ * now.slopes.cast<float>().transpose();
    shares.rowwise() += now.intercepts.cast<float>().transpose();
    double sum = 0;
    for (Eigen::Index row = 0; row < shares.rows(); ++row) {
      const float largest = shares.row(row).maxCoeff();
      shares.row(row) = (shares.row(row).array() - largest).exp();
      const float total = shares.row(row).sum();
      shares.row(row) /= total;
      sum += static_cast<double>(largest + std::log(total));
    }
    maximise(shares);
    return now.shared + sum / static_cast<double>(points_.rows());
  }

  // Of the common covariance, which is the second moment less that of the means: one matrix, whatever the components.
  Scores scores() const {
    Eigen::MatrixXd covariance = second_moment_;
    for (Eigen::Index c = 0; c < means_.rows(); ++c)
      covariance -= weights_(c) * means_.row(c).transpose() * means_.row(c);
    Scores scores;
    const auto cholesky = factor(std::move(covariance));
    scores.slopes = cholesky.solve(means_.transpose()).transpose();
    scores.shared = -0.5 * cholesky.solve(second_moment_).trace() -
                    Eigen::MatrixXd(cholesky.matrixL()).diagonal().array().log().sum();
    scores.intercepts =
        weights_.array().max(1e-12).log().matrix() - 0.5 * scores.slopes.cwiseProduct(means_).rowwise().sum();
    return scores;
  }

 private:
  void maximise(const RowMatrix& shares) {
    const Eigen::VectorXd counts = shares.cast<double>().colwise().sum();
    weights_ = counts / static_cast<double>(points_.rows());
    means_ = (shares.transpose() * points_).cast<double>();
    for (Eigen::Index c = 0; c < means_.rows(); ++c) means_.row(c) /= std::max(counts(c), 1e-9);
  }

  const Points& points_;
  const Eigen::MatrixXd& second_moment_;
  Eigen::MatrixXd means_;
  Eigen::VectorXd weights_;
};

}  // namespace

LinearRule fit_mixture(std::span<const float> points, std::size_t width, const MixtureOptions& options) {
  const Points view(points.data(), static_cast<Eigen::Index>(points.size() / width), static_cast<Eigen::Index>(width));
  const Eigen::MatrixXd second_moment = second_moment_of(view);
  const RowMatrix white = whitened(view, second_moment);
  // Clusters of points and of directions are both good starts, now the one and now the other.
  Scores scores;
  double best = -std::numeric_limits<double>::infinity();
  for (const bool spherical : {false, true}) {
    Mixture mixture(
        view, second_moment,
        find_clusters(
            spherical ? points : std::span(white.data(), points.size()), width,
            {.count = options.count, .restarts = options.restarts, .spherical = spherical, .seed = options.seed}));
    double likelihood = 0;
    for (std::size_t i = 0; i < options.iterations; ++i) likelihood = mixture.iterate();
    if (likelihood <= best) continue;
    best = likelihood;
    scores = mixture.scores();
  }
  const RowMatrix slopes = scores.slopes.cast<float>();
  const Eigen::VectorXf intercepts = scores.intercepts.cast<float>();
  return rule_of_scores({slopes.data(), static_cast<std::size_t>(slopes.size())},
                        {intercepts.data(), static_cast<std::size_t>(intercepts.size())});
}

}  // namespace sotto
