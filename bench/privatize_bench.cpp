// From record to report: 784 values through a linear encoder to 8, beside the two limits it could run into, the plain
// matrix-vector product and the noise itself. All on one core.
#include <benchmark/benchmark.h>

#include <Eigen/Core>
#include <cmath>
#include <vector>

#include "sotto/mechanism/mechanism.h"

namespace sotto {
namespace {

constexpr std::size_t kWidth = 784;
constexpr std::size_t kDimension = 8;
constexpr std::size_t kBatch = 256;

std::vector<float> waves(std::size_t count, double step) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = static_cast<float>(std::sin(static_cast<double>(i) * step));
  return values;
}

Mechanism linear_mechanism() {
  InputSchema input;
  input.image = ImageShape{1, 28, 28};
  DenseLayer layer{kWidth, kDimension, waves(kWidth * kDimension, 0.37), waves(kDimension, 1.3), Activation::kNone};
  Network encoder = Network::make(kWidth, {layer}).value_or_throw();
  return Mechanism::make(
             {input, std::nullopt, std::move(encoder), L1LatticeSpec{10, 65536}, ChannelFamily::kLatticeLaplace, {}})
      .value_or_throw();
}

void privatize_records(benchmark::State& state) {
  const Mechanism mechanism = linear_mechanism();
  const Release release =
      mechanism.release({Epsilon::parse("4").value_or_throw(), Delta::zero(), std::nullopt}).value_or_throw();
  const std::vector<float> records = waves(kBatch * kWidth, 0.11);
  std::vector<std::int64_t> reports(kBatch * release.report_length());
  std::string encoded;
  Entropy entropy;
  for (auto _ : state) {
    release.privatize(records, {}, kBatch, entropy, reports).or_throw();
    encoded.clear();
    for (std::size_t i = 0; i < kBatch; ++i)
      release.codec().append_ndjson(std::span(reports).subspan(i * kDimension, kDimension), encoded);
    benchmark::DoNotOptimize(encoded.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kBatch));
}
BENCHMARK(privatize_records)->Name("privatize/784->8/records_to_ndjson");

void encode_records(benchmark::State& state) {
  const Mechanism mechanism = linear_mechanism();
  const std::vector<float> records = waves(kBatch * kWidth, 0.11);
  std::vector<float> encodings(kBatch * kDimension);
  Network::Workspace workspace;
  for (auto _ : state) {
    mechanism.spec().encoder.encode(records, kBatch, encodings, workspace);
    benchmark::DoNotOptimize(encodings.data());
  }
  state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(kBatch));
}
BENCHMARK(encode_records)->Name("privatize/784->8/encoder_alone");

void matrix_vector(benchmark::State& state) {
  const std::vector<float> weights = waves(kWidth * kDimension, 0.37);
  const std::vector<float> records = waves(kBatch * kWidth, 0.11);
  const Eigen::Map<const Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>> matrix(
      weights.data(), kDimension, kWidth);
  Eigen::VectorXf product(kDimension);
  std::size_t next = 0;
  for (auto _ : state) {
    const Eigen::Map<const Eigen::VectorXf> record(records.data() + next * kWidth, kWidth);
    product.noalias() = matrix * record;
    benchmark::DoNotOptimize(product.data());
    next = (next + 1) % kBatch;
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(matrix_vector)->Name("privatize/784->8/matrix_vector_limit");

}  // namespace
}  // namespace sotto
