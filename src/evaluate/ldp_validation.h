// Validation that never sees a validation record [Man21, App. C]. Each member of a panel holds a clean record and its
// label, finds out whether a classifier is right about it, and reports that one bit through binary randomised response:
// flipped with probability p = 1/(e^ε+1), exactly, by the channel of src/channel. From the share à of reported ones
// the collector estimates the accuracy A = (à − p)/(1 − 2p).
//
// Every query spends the members' budget: the same record answers again, so the claims compose. A panel refuses a query
// that would take it beyond the total it was given. What was spent lives as long as the object; across processes keep
// a ledger (privacy/ledger.h) as well.
#pragma once

#include <optional>

#include "sotto/channel/randomized_response.h"
#include "sotto/evaluate/accuracy.h"

namespace sotto {

class ValidationPanel {
 public:
  static Result<ValidationPanel> make(std::size_t members, const Epsilon& epsilon_per_query,
                                      const Epsilon& epsilon_total);

  // What the members report about a classifier that is right about member i when correct[i], and what it tells of the
  // classifier's accuracy over all records like theirs. The value is unbiased and may leave [0, 1]; the interval is
  // clipped to it. A query whose arguments are wrong, or that the budget does not allow, changes nothing; one that
  // fails for want of entropy is charged, because some members may have reported.
  Result<Proportion> query(const std::vector<bool>& correct, double confidence, Entropy& entropy);

  std::size_t members() const { return members_; }
  std::size_t queries() const { return queries_; }
  std::optional<Claim> spent() const { return spent_; }  // by each member; nothing before the first query
  Result<Claim> spent_after_another() const;             // query; an error when the budget does not allow one
  const Epsilon& epsilon_total() const { return epsilon_total_; }

 private:
  ValidationPanel(std::size_t members, RandomizedResponse response, Claim claim, const Epsilon& epsilon_total);

  std::size_t members_;
  RandomizedResponse response_;
  Claim claim_;  // of one query
  Epsilon epsilon_total_;
  std::size_t queries_ = 0;
  std::optional<Claim> spent_;
};

// The accuracy behind `ones` ones among `count` bits that were flipped as above. The interval is Wilson's for the share
// of ones, mapped to accuracies. It allows for the choice of the members, so it also covers their own accuracy.
Result<Proportion> debias(std::size_t ones, std::size_t count, double epsilon, double confidence);

}  // namespace sotto
