#include "sotto/plan/channel_worth.h"

#include <cmath>
#include <optional>
#include <vector>

#include "sotto/kernel/seeded_entropy.h"
#include "sotto/mechanism/factory.h"

namespace sotto {

ChannelWorth worth_of(const Channel& channel, std::uint64_t seed) {
  constexpr std::size_t kDraws = 2000;
  const auto categories = std::get<Product>(channel.domain()).coordinates.front().levels;
  const auto count = static_cast<double>(categories);
  SeededEntropy entropy(seed);
  std::vector<std::int64_t> report(channel.report_length());
  std::vector<double> estimate(channel.estimate_length());
  double information = 0, squares = 0;
  for (std::size_t draw = 0; draw < kDraws; ++draw) {
    const std::int64_t own[] = {static_cast<std::int64_t>(draw) % categories};
    channel.sample(own, entropy, report);
    double likelihood = 0;
    for (std::int64_t other = 0; other < categories; ++other)
      likelihood += std::exp(channel.log_likelihood(report, std::span(&other, 1)));
    information += channel.log_likelihood(report, own) - std::log(likelihood / count);
    channel.estimate(report, estimate);
    estimate[static_cast<std::size_t>(own[0])] -= 1;
    for (const double error : estimate) squares += error * error / count;
  }
  return {information / kDraws / std::log(2), squares / kDraws};
}

Result<ValuedFamily> best_family(std::int64_t categories, const Epsilon& epsilon, std::uint64_t seed) {
  constexpr double kClearlyLess = 0.95;  // more than draws differ by: at much epsilon channels are nearly the same
  std::optional<ValuedFamily> best;
  for (const ChannelFamily family :
       {ChannelFamily::kSubsetSelection, ChannelFamily::kRandomizedResponse, ChannelFamily::kHadamardResponse}) {
    const auto channel = make_channel(family, Product::categories(categories), epsilon, Delta::zero());
    if (!channel) return channel.error();
    const ChannelWorth worth = worth_of(**channel, seed);
    if (!best || worth.variance < kClearlyLess * best->worth.variance) best = {family, worth};
  }
  return *best;
}

}  // namespace sotto
