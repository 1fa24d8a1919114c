// One record through the C interface, as an application on a device calls it: the papers' encoder, 784 values through
// 400, 150 and 50 to 8, to an encoded report; and beside it the encoder alone, so that the rest of the way can be seen.
// All on one core.
#include <benchmark/benchmark.h>

#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "sotto.h"
#include "sotto/client/papers_encoder_test.h"
#include "sotto/mechanism/mechanism.h"

namespace {

using namespace sotto;

std::vector<float> record() {
  std::vector<float> values(784);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = std::abs(std::sin(static_cast<float>(i)));
  return values;
}

void check(sotto_status status) {
  if (status != SOTTO_OK) throw std::runtime_error(sotto_last_error());
}

sotto_release* open_release() {
  InputSchema input;
  input.image = ImageShape{1, 28, 28};
  const Mechanism written =
      Mechanism::make(
          {input, std::nullopt, papers_encoder(), L1LatticeSpec{5, 65536}, ChannelFamily::kLatticeLaplace, {}})
          .value_or_throw();
  sotto_mechanism* mechanism = nullptr;
  check(sotto_mechanism_load(written.bytes().data(), written.bytes().size(), &mechanism));
  sotto_release_options options{};
  options.struct_size = sizeof(options);
  options.epsilon = "4";
  sotto_release* release = nullptr;
  check(sotto_release_open(mechanism, &options, &release));
  sotto_mechanism_free(mechanism);
  return release;
}

void privatize(benchmark::State& state, sotto_format format) {
  sotto_release* release = open_release();
  const std::vector<float> values = record();
  std::vector<std::uint8_t> report(sotto_release_report_size(release, format));
  for (auto _ : state) {
    check(sotto_privatize(release, values.data(), values.size(), nullptr, 0, format, report.data(), report.size()));
    benchmark::DoNotOptimize(report.data());
    benchmark::ClobberMemory();
  }
  state.SetItemsProcessed(state.iterations());
  sotto_release_free(release);
}
BENCHMARK_CAPTURE(privatize, cbor, SOTTO_CBOR)->Name("device/784-400-150-50-8/record_to_cbor");
BENCHMARK_CAPTURE(privatize, ndjson, SOTTO_NDJSON)->Name("device/784-400-150-50-8/record_to_ndjson");

void encode(benchmark::State& state) {
  const Network encoder = papers_encoder();
  const std::vector<float> values = record();
  std::vector<float> encoding(encoder.output_width());
  Network::Workspace workspace;
  for (auto _ : state) {
    encoder.encode(values, 1, encoding, workspace);
    benchmark::DoNotOptimize(encoding.data());
  }
  state.SetItemsProcessed(state.iterations());
}
BENCHMARK(encode)->Name("device/784-400-150-50-8/encoder_alone");

}  // namespace

BENCHMARK_MAIN();
