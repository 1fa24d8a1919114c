// k-ary randomised response [War65, KOV16]: the true category with probability e^ε/(e^ε+k−1), every other with
// 1/(e^ε+k−1).
//
// Claim: exactly ε-LDP; the two probabilities are a factor e^ε apart. Proof: docs/proofs/categories.md.
#pragma once

#include <memory>

#include "sotto/channel/channel.h"
#include "sotto/kernel/exp_odds.h"

namespace sotto {

// The bare response, for channels that have several.
class RandomizedResponse {
 public:
  static Result<RandomizedResponse> make(std::int64_t categories, const Epsilon& epsilon);

  std::int64_t categories() const { return categories_; }
  std::int64_t sample(std::int64_t category, Entropy& entropy) const;
  double log_pmf(std::int64_t report, std::int64_t category) const;
  void unbias(std::int64_t report, std::span<double> one_hot) const;

 private:
  RandomizedResponse(std::int64_t categories, const Epsilon& epsilon, ExpOdds truth);

  std::int64_t categories_;
  ExpOdds truth_;  // e^ε against k−1
  double epsilon_;
  double log_total_;  // log(e^ε + k − 1)
};

Result<std::unique_ptr<Channel>> make_randomized_response(std::int64_t categories, const Epsilon& epsilon);

}  // namespace sotto
