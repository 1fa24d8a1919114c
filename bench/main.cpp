// usage: sotto_bench [options of Google Benchmark]: each sampler alone (and to --benchmark_out), then all in turn.
#include <benchmark/benchmark.h>

#include <iostream>

#include "rivalry.h"
#include "samplers.h"

int main(int argc, char** argv) {
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  for (const auto& sampler : sotto::bench::make_samplers())
    benchmark::RegisterBenchmark(sampler.name.c_str(), [sampler](benchmark::State& state) {
      std::vector<double> values(256);
      const std::uint64_t bytes_before = sampler.bytes_taken();
      for (auto _ : state) {
        sampler.draw(values);
        benchmark::DoNotOptimize(values.data());
        benchmark::ClobberMemory();
      }
      const auto draws = static_cast<std::int64_t>(values.size()) * state.iterations();
      state.SetItemsProcessed(draws);
      state.counters["bytes_per_draw"] =
          static_cast<double>(sampler.bytes_taken() - bytes_before) / static_cast<double>(draws);
    });
  benchmark::RunSpecifiedBenchmarks();
  benchmark::Shutdown();
  // Fresh samplers, so that the bytes counted are those of the draws counted.
  return sotto::bench::compare_rivals(sotto::bench::make_samplers(), std::cout) ? 0 : 1;
}
