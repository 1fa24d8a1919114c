// Results for tests: two metrics, one mechanism that was published and one that was not.
#pragma once

#include "sotto/report/results.h"

namespace sotto {

inline Results sample_results() {
  Results results = {"sample", "A sample", "sotto reproduce sample", "abc1234", "2026-11-16", 75, {}, {},
                     {},       {"A note."}};
  results.rows = {
      {"V-RLM", "Laplace", "denoising", 10.0, "clean accuracy", 87.04, 0.5, 3, {86.54, 87.04, 87.54}, "abc1234"},
      {"V-RLM", "Laplace", "denoising", 4.2, "clean accuracy", 60.0, 0.5, 3, {59.5, 60.0, 60.5}},
      {"V-RLM", "Laplace", "denoising", std::nullopt, "clean accuracy", 96.0, 0.5, 3, {95.5, 96.0, 96.5}},
      {"ours alone", "subset", "plain", 10.0, "clean accuracy", 50.0, 0.0, 1, {50.0}},
      {"V-RLM", "Laplace", "denoising", 7.0, "private accuracy", 45.0, 1.5, 3, {43.5, 45.0, 46.5}},
  };
  results.published = {
      {"V-RLM", "Man21, Table 1", 10.0, "clean accuracy", 86.1},
      {"V-RLM", "Man21, Table 1", 0.7 * 6, "clean accuracy", 61.3},
      {"V-RLM", "Man21, Table 1", std::nullopt, "clean accuracy", 96.0},
      {"PCA", "Man21, Table 10", 10.0, "clean accuracy", 17.3},
  };
  results.ceilings = {{"any channel", "private accuracy", {{1.0, 23.2}, {7.0, 99.2}}}};
  return results;
}

}  // namespace sotto
