#include "sotto/linear/code_decoder.h"

#include <Eigen/Cholesky>
#include <Eigen/Core>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace sotto {
namespace {

using PreciseRows = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using FloatMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

constexpr double kRidge = 1e-9;  // as a share of the centroids' whole weighted variance

Status check(std::span<const float> centroids, std::size_t dimension, const Dataset& auxiliary,
             std::span<const std::uint32_t> code_of) {
  if (dimension == 0 || centroids.empty() || centroids.size() % dimension != 0)
    return refuse("centroids: expected rows of " + std::to_string(dimension) + " values, got " +
                  std::to_string(centroids.size()) + " values");
  if (code_of.size() != auxiliary.rows)
    return refuse("codes of records: expected " + std::to_string(auxiliary.rows) + ", got " +
                  std::to_string(code_of.size()));
  const std::size_t codes = centroids.size() / dimension;
  if (std::any_of(code_of.begin(), code_of.end(), [&](std::uint32_t code) { return code >= codes; }))
    return refuse("codes of records: must lie below the number of centroids, " + std::to_string(codes));
  if (!std::all_of(auxiliary.values.begin(), auxiliary.values.end(), [](float v) { return std::isfinite(v); }))
    return Error{ErrorCode::kInvalidInput, "auxiliary data: holds missing or infinite values, which have no mean"};
  return {};
}

// Rows, one a code, minus their weighted mean; zero where the weight is. What has no weight leaves no trace.
struct Centred {
  PreciseRows rows;
  Eigen::RowVectorXd mean;
};

Centred centred(PreciseRows rows, const Eigen::VectorXd& weights) {
  const Eigen::RowVectorXd mean = weights.transpose() * rows / weights.sum();
  for (Eigen::Index code = 0; code < rows.rows(); ++code) {
    if (weights[code] > 0)
      rows.row(code) -= mean;
    else
      rows.row(code).setZero();
  }
  return {std::move(rows), mean};
}

// How many records each code has, where they are enough.
Eigen::VectorXd weights_of(Eigen::Index codes, std::span<const std::uint32_t> code_of) {
  Eigen::VectorXd weights = Eigen::VectorXd::Zero(codes);
  for (const std::uint32_t code : code_of) weights[code] += 1;
  return (weights.array() < static_cast<double>(kMinRecordsOfACode)).select(0, weights);
}

PreciseRows means_of(const Dataset& auxiliary, std::span<const std::uint32_t> code_of, const Eigen::VectorXd& weights) {
  const auto width = static_cast<Eigen::Index>(auxiliary.width);
  PreciseRows means = PreciseRows::Zero(weights.size(), width);
  for (std::size_t row = 0; row < auxiliary.rows; ++row) {
    const Eigen::Map<const Eigen::RowVectorXf> record(auxiliary.values.data() + row * auxiliary.width, width);
    means.row(code_of[row]) += record.cast<double>();
  }
  for (Eigen::Index code = 0; code < means.rows(); ++code)
    means.row(code) /= std::max(weights[code], 1.0);  // centred() clears those without weight
  return means;
}

DenseLayer linear_layer(const PreciseRows& weights, const Eigen::VectorXd& bias) {
  const FloatMatrix rounded = weights.cast<float>();
  const Eigen::VectorXf rounded_bias = bias.cast<float>();
  return {static_cast<std::size_t>(weights.cols()),
          static_cast<std::size_t>(weights.rows()),
          {rounded.data(), rounded.data() + rounded.size()},
          {rounded_bias.data(), rounded_bias.data() + rounded_bias.size()},
          Activation::kNone};
}

}  // namespace

Result<Decoder> fit_code_decoder(std::span<const float> centroids, std::size_t dimension, const Dataset& auxiliary,
                                 std::span<const std::uint32_t> code_of) {
  if (const Status status = check(centroids, dimension, auxiliary, code_of); !status) return status.error();
  const auto codes = static_cast<Eigen::Index>(centroids.size() / dimension);
  const Eigen::VectorXd weights = weights_of(codes, code_of);
  if (weights.maxCoeff() == 0)
    return refuse("decoder: no code has the " + std::to_string(kMinRecordsOfACode) + " records that a mean needs");
  const Eigen::Map<const FloatMatrix> rows(centroids.data(), codes, static_cast<Eigen::Index>(dimension));
  const Centred points = centred(rows.cast<double>(), weights);
  const Centred records = centred(means_of(auxiliary, code_of, weights), weights);

  // A record is its mean + Mᵀ·Sᵀ·(centroid − its mean), where (CᵀNC + ridge)·S = CᵀN: through the codes, or at once.
  const Eigen::MatrixXd weighted = points.rows.transpose() * weights.asDiagonal();
  Eigen::MatrixXd covariance = weighted * points.rows;
  covariance.diagonal().array() += kRidge * covariance.trace();
  const PreciseRows to_codes = covariance.ldlt().solve(weighted).transpose();
  std::vector<Layer> layers;
  if (codes * (to_codes.cols() + records.rows.cols()) < to_codes.cols() * records.rows.cols()) {
    layers.emplace_back(linear_layer(to_codes, -(to_codes * points.mean.transpose())));
    layers.emplace_back(linear_layer(records.rows.transpose(), records.mean.transpose()));
  } else {
    const PreciseRows at_once = records.rows.transpose() * to_codes;
    layers.emplace_back(
        linear_layer(at_once, records.mean.transpose() - Eigen::VectorXd(at_once * points.mean.transpose())));
  }
  auto network = Network::make(dimension, std::move(layers));
  if (!network) return network.error();
  return Decoder{std::move(*network), OutputMap::kNone};
}

}  // namespace sotto
