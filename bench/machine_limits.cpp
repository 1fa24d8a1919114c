#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "machine_limits.cpp"
#include "machine_limits.h"

#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include <atomic>
#include <cstddef>

#include "contest.h"
#include "sotto/backprop/gemm.h"
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

double matrix_product_gflops() {
  constexpr std::size_t kSize = 512, kProducts = 20;
  const double seconds = seconds_of([] {
    run_lanes([](Lane&) {
      const std::vector<float> left(kSize * kSize, 0.5F), right(kSize * kSize, 0.25F);
      std::vector<float> product(kSize * kSize);
      for (std::size_t i = 0; i < kProducts; ++i)
        multiply({left.data(), kSize, kSize}, {right.data(), kSize, kSize}, 0, product.data());
    });
  });
  return 1e-9 * 2 * kSize * kSize * kSize * kProducts * kLanes / seconds;
}

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

}  // namespace sotto::bench
#endif
