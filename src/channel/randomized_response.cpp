#include "sotto/channel/randomized_response.h"

#include <cmath>

#include "sotto/kernel/uniform.h"

namespace sotto {
namespace {

class RandomizedResponseChannel final : public Channel {
 public:
  RandomizedResponseChannel(const RandomizedResponse& response, const Epsilon& epsilon)
      : Channel(Product::categories(response.categories()),
                {epsilon, Delta::zero(), Exactness::kExact, "docs/proofs/categories.md"},
                {{0, response.categories() - 1}}),
        response_(response) {}

 private:
  void draw(Point point, Entropy& entropy, std::span<std::int64_t> report) const override {
    report[0] = response_.sample(point[0], entropy);
  }
  double log_pmf(Report report, Point point) const override { return response_.log_pmf(report[0], point[0]); }
  void unbias(Report report, std::span<double> point) const override { response_.unbias(report[0], point); }

  RandomizedResponse response_;
};

}  // namespace

RandomizedResponse::RandomizedResponse(std::int64_t categories, const Epsilon& epsilon, ExpOdds truth)
    : categories_(categories),
      truth_(truth),
      epsilon_(epsilon.to_double()),
      log_total_(epsilon_ + std::log1p(static_cast<double>(categories - 1) * std::exp(-epsilon_))) {}

Result<RandomizedResponse> RandomizedResponse::make(std::int64_t categories, const Epsilon& epsilon) {
  if (const Status status = validate(Domain(Product::categories(categories))); !status) return status.error();
  const auto truth = ExpOdds::make(1, static_cast<std::uint64_t>(categories - 1), epsilon.value().numerator(),
                                   epsilon.value().denominator());
  if (!truth) return truth.error();
  return RandomizedResponse(categories, epsilon, *truth);
}

std::int64_t RandomizedResponse::sample(std::int64_t category, Entropy& entropy) const {
  if (truth_.heads(entropy)) return category;
  const auto other = static_cast<std::int64_t>(uniform_below(static_cast<std::uint64_t>(categories_ - 1), entropy));
  return other < category ? other : other + 1;
}

double RandomizedResponse::log_pmf(std::int64_t report, std::int64_t category) const {
  return (report == category ? epsilon_ : 0.0) - log_total_;
}

// (1[report = j] − q) / (p − q), whose expectation is 1[category = j].
void RandomizedResponse::unbias(std::int64_t report, std::span<double> one_hot) const {
  const double q = std::exp(-log_total_);
  const double p = std::exp(epsilon_ - log_total_);
  for (std::size_t j = 0; j < one_hot.size(); ++j)
    one_hot[j] = ((static_cast<std::size_t>(report) == j ? 1.0 : 0.0) - q) / (p - q);
}

Result<std::unique_ptr<Channel>> make_randomized_response(std::int64_t categories, const Epsilon& epsilon) {
  const auto response = RandomizedResponse::make(categories, epsilon);
  if (!response) return response.error();
  return std::unique_ptr<Channel>(std::make_unique<RandomizedResponseChannel>(*response, epsilon));
}

}  // namespace sotto
