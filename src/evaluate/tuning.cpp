#include "sotto/evaluate/tuning.h"

#include <algorithm>

namespace sotto {

Result<Tuning> tune(std::size_t candidates, const CandidateTrial& trial, ValidationPanel& panel, double confidence,
                    Entropy& entropy, const TuningProgress& progress) {
  if (candidates == 0) return refuse("candidates: at least 1 is needed, got 0");
  Tuning tuning;
  for (std::size_t candidate = 0; candidate < candidates; ++candidate) {
    if (const auto after = panel.spent_after_another(); !after) {
      tuning.stopped = after.error();
      break;
    }
    const auto correct = trial(candidate);
    if (!correct) return correct.error();
    const auto accuracy = panel.query(*correct, confidence, entropy);
    if (!accuracy) return accuracy.error();
    tuning.ranked.push_back({candidate, *accuracy});
    progress(tuning.ranked.back());
  }
  std::stable_sort(tuning.ranked.begin(), tuning.ranked.end(),
                   [](const auto& a, const auto& b) { return a.accuracy.value > b.accuracy.value; });
  return tuning;
}

}  // namespace sotto
