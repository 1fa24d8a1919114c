#include "sotto/linear/pca.h"

#include <Eigen/Core>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace sotto {
namespace {

using RowMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
using Records = Eigen::Map<const RowMatrix>;

constexpr Eigen::Index kBlockRows = 1024;  // covariance is summed in blocks: floats within one, doubles across

Records view(const Dataset& data) {
  return {data.values.data(), static_cast<Eigen::Index>(data.rows), static_cast<Eigen::Index>(data.width)};
}

Eigen::RowVectorXd mean_of(const Records& records) {
  Eigen::RowVectorXd sum = Eigen::RowVectorXd::Zero(records.cols());
  for (Eigen::Index row = 0; row < records.rows(); ++row) sum += records.row(row).cast<double>();
  return sum / static_cast<double>(records.rows());
}

Eigen::MatrixXd covariance_of(const Records& records, const Eigen::RowVectorXd& mean) {
  Eigen::MatrixXd sum = Eigen::MatrixXd::Zero(records.cols(), records.cols());
  for (Eigen::Index row = 0; row < records.rows(); row += kBlockRows) {
    const Eigen::Index rows = std::min(kBlockRows, records.rows() - row);
    const RowMatrix centred = records.middleRows(row, rows).rowwise() - mean.cast<float>();
    RowMatrix block = RowMatrix::Zero(records.cols(), records.cols());
    block.selfadjointView<Eigen::Lower>().rankUpdate(centred.transpose());
    sum += block.cast<double>();
  }
  return sum / static_cast<double>(records.rows());
}

DenseLayer linear_layer(const Eigen::MatrixXd& components, const Eigen::RowVectorXd& mean) {
  DenseLayer layer;
  layer.inputs = static_cast<std::size_t>(components.cols());
  layer.outputs = static_cast<std::size_t>(components.rows());
  for (Eigen::Index o = 0; o < components.rows(); ++o) {
    Eigen::Index largest = 0;
    components.row(o).cwiseAbs().maxCoeff(&largest);
    const double sign = components(o, largest) < 0 ? -1 : 1;
    for (Eigen::Index i = 0; i < components.cols(); ++i)
      layer.weights.push_back(static_cast<float>(sign * components(o, i)));
    layer.bias.push_back(static_cast<float>(-sign * components.row(o).dot(mean)));
  }
  return layer;
}

// x = mean + Wᵀ·z: what the encoder's components say of a record. W is read off the encoder, whose signs are settled.
DenseLayer transposed_layer(const DenseLayer& encoder, const Eigen::RowVectorXd& mean) {
  DenseLayer layer;
  layer.inputs = encoder.outputs;
  layer.outputs = encoder.inputs;
  for (std::size_t o = 0; o < layer.outputs; ++o) {
    for (std::size_t i = 0; i < layer.inputs; ++i) layer.weights.push_back(encoder.weights[i * encoder.inputs + o]);
    layer.bias.push_back(static_cast<float>(mean[static_cast<Eigen::Index>(o)]));
  }
  return layer;
}

double median_l1_norm(const Network& encoder, const Dataset& data) {
  std::vector<float> encodings(data.rows * encoder.output_width());
  Network::Workspace workspace;
  encoder.encode(data.values, data.rows, encodings, workspace);
  std::vector<double> norms(data.rows, 0.0);
  for (std::size_t i = 0; i < encodings.size(); ++i)
    norms[i / encoder.output_width()] += std::abs(static_cast<double>(encodings[i]));
  const auto middle = norms.begin() + static_cast<std::ptrdiff_t>(norms.size() / 2);
  std::nth_element(norms.begin(), middle, norms.end());
  return *middle;
}

Status check(const Dataset& data, const InputSchema& input, const PcaOptions& options) {
  if (data.width != input.width())
    return refuse("auxiliary data: expected records of " + std::to_string(input.width()) + " values, got " +
                  std::to_string(data.width));
  if (data.rows < 2) return refuse("auxiliary data: needs at least 2 records, got " + std::to_string(data.rows));
  if (options.dimension < 1 || options.dimension > data.width)
    return refuse("dimension: must lie between 1 and " + std::to_string(data.width) + ", got " +
                  std::to_string(options.dimension));
  if (!std::all_of(data.values.begin(), data.values.end(), [](float v) { return std::isfinite(v); }))
    return Error{ErrorCode::kInvalidInput, "auxiliary data: holds missing or infinite values, which PCA cannot use"};
  return {};
}

}  // namespace

Result<PcaFit> fit_pca(const Dataset& auxiliary, const InputSchema& input, const std::optional<LabelSchema>& label,
                       const PcaOptions& options) {
  if (const Status status = check(auxiliary, input, options); !status) return status.error();
  const Records records = view(auxiliary);
  const Eigen::RowVectorXd mean = mean_of(records);
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(covariance_of(records, mean));
  if (solver.info() != Eigen::Success)
    return Error{ErrorCode::kInvalidInput, "auxiliary data: the eigenvalues of its covariance did not converge"};

  const auto dimension = static_cast<Eigen::Index>(options.dimension);  // eigenvalues come in increasing order
  const Eigen::MatrixXd components = solver.eigenvectors().rightCols(dimension).rowwise().reverse().transpose();
  const DenseLayer layer = linear_layer(components, mean);
  auto encoder = Network::make(input.width(), {layer});
  if (!encoder) return encoder.error();
  auto decoder = Network::make(options.dimension, {transposed_layer(layer, mean)});
  if (!decoder) return decoder.error();
  const double total = solver.eigenvalues().sum();
  const double explained = total > 0 ? solver.eigenvalues().tail(dimension).sum() / total : 1.0;
  const double radius = options.l1_radius ? *options.l1_radius : median_l1_norm(*encoder, auxiliary);
  MechanismSpec spec{input,
                     label,
                     std::move(*encoder),
                     L1LatticeSpec{radius, options.resolution},
                     ChannelFamily::kLatticeLaplace,
                     {{"method", "pca"}, {"auxiliary_records", std::to_string(auxiliary.rows)}},
                     Decoder{std::move(*decoder), OutputMap::kNone}};
  return PcaFit{std::move(spec), explained, radius};
}

}  // namespace sotto
