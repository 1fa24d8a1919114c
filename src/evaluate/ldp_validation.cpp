#include "sotto/evaluate/ldp_validation.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace sotto {

Result<Proportion> debias(std::size_t ones, std::size_t count, double epsilon, double confidence) {
  if (!(epsilon > 0)) return refuse("epsilon = " + std::to_string(epsilon) + " is not > 0");
  const auto reported = wilson_interval(ones, count, confidence);
  if (!reported) return reported.error();
  // (share − p)/(1 − 2p), written so that a small ε does not cancel: 1 − 2p = tanh(ε/2).
  const auto accuracy_at = [&](double share) { return 0.5 + (share - 0.5) / std::tanh(epsilon / 2); };
  const auto clipped = [&](double share) { return std::clamp(accuracy_at(share), 0.0, 1.0); };
  return Proportion{accuracy_at(reported->value), clipped(reported->low), clipped(reported->high), count};
}

ValidationPanel::ValidationPanel(std::size_t members, RandomizedResponse response, Claim claim,
                                 const Epsilon& epsilon_total)
    : members_(members), response_(std::move(response)), claim_(std::move(claim)), epsilon_total_(epsilon_total) {}

Result<ValidationPanel> ValidationPanel::make(std::size_t members, const Epsilon& epsilon_per_query,
                                              const Epsilon& epsilon_total) {
  if (members == 0) return refuse("members = 0: a panel needs at least one");
  if (epsilon_per_query > epsilon_total)
    return refuse("epsilon per query = " + epsilon_per_query.to_string() + " exceeds the total of " +
                  epsilon_total.to_string());
  const auto response = RandomizedResponse::make(2, epsilon_per_query);
  if (!response) return response.error();
  const auto channel = make_randomized_response(2, epsilon_per_query);  // only channels make claims
  if (!channel) return channel.error();
  return ValidationPanel(members, *response, (*channel)->claim(), epsilon_total);
}

Result<Claim> ValidationPanel::spent_after_another() const {
  auto after = spent_ ? compose(*spent_, claim_) : Result<Claim>(claim_);
  if (after && after->epsilon > epsilon_total_)
    return Error{ErrorCode::kBudgetExceeded, "query " + std::to_string(queries_ + 1) +
                                                 " would spend epsilon = " + after->epsilon.to_string() +
                                                 " of the members' total of " + epsilon_total_.to_string()};
  return after;
}

Result<Proportion> ValidationPanel::query(const std::vector<bool>& correct, double confidence, Entropy& entropy) {
  if (correct.size() != members_)
    return refuse(std::to_string(correct.size()) + " answers from a panel of " + std::to_string(members_) +
                  " members: one each is needed");
  const double epsilon = claim_.epsilon.to_double();
  if (const auto trial = debias(0, members_, epsilon, confidence); !trial) return trial.error();
  auto after = spent_after_another();
  if (!after) return after.error();

  spent_ = *std::move(after);
  ++queries_;
  std::size_t ones = 0;
  try {
    for (const bool is_right : correct) ones += response_.sample(is_right ? 1 : 0, entropy) == 1 ? 1 : 0;
  } catch (const Failure& failure) {
    return failure.error();
  }
  return debias(ones, members_, epsilon, confidence);
}

}  // namespace sotto
