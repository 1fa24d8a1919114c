#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine_limits.cpp"
#include "machine_limits.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <numeric>
#include <vector>

#include "contest.h"
#include "sotto/backprop/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace sotto::bench::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Returns how many floats went through, and their sum in `sum` so that the work is not optimised away.
double multiply_and_add(std::size_t rounds, float& sum) {
  constexpr std::size_t kChains = 12;  // more than any processor needs to hide the latency, fewer than it has registers
  const hn::ScalableTag<float> tag;
  const auto factor = hn::Set(tag, 0.999F), term = hn::Set(tag, 0.001F);
  hn::Vec<decltype(tag)> chains[kChains];
  for (std::size_t i = 0; i < kChains; ++i) chains[i] = hn::Iota(tag, sum + static_cast<float>(i));
  for (std::size_t round = 0; round < rounds; ++round) {
    HWY_UNROLL(12)
    for (auto& chain : chains) chain = hn::MulAdd(chain, factor, term);
  }
  for (const auto& chain : chains) sum += hn::GetLane(hn::SumOfLanes(tag, chain));
  return static_cast<double>(rounds * kChains * hn::Lanes(tag));
}

}  // namespace sotto::bench::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sotto::bench {
namespace {

HWY_EXPORT(multiply_and_add);

}  // namespace

double multiply_adds_per_second() {
  std::atomic<double> done = 0;
  std::atomic<float> sums = 0;
  const double seconds = seconds_of([&] {
    run_lanes([&](Lane&) {
      float sum = sums;
      const double count = HWY_DYNAMIC_DISPATCH(multiply_and_add)(std::size_t{4} << 20, sum);
      done.fetch_add(count);
      sums = sum;
    });
  });
  return done / seconds;
}

double bytes_per_second(std::size_t bytes_of_each) {
  constexpr std::uint64_t kTimes = 100;
  std::atomic<std::uint64_t> sums = 0;
  const double seconds = seconds_of([&] {
    run_lanes([&](Lane&) {
      std::vector<std::uint64_t> values(bytes_of_each / sizeof(std::uint64_t));
      for (std::uint64_t i = 0; i < kTimes; ++i) {
        std::fill(values.begin(), values.end(), i + sums);
        sums += std::accumulate(values.begin(), values.end(), std::uint64_t{0});
      }
    });
  });
  return static_cast<double>(kLanes * 2 * kTimes * bytes_of_each) / seconds;
}

}  // namespace sotto::bench
#endif
