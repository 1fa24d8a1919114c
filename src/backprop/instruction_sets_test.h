// For tests of code that is compiled once for each set of instructions: which one runs depends on the machine, and a
// test must not.
#pragma once

#include <gtest/gtest.h>
#include <hwy/targets.h>

namespace sotto {

template <class Body>
void on_every_instruction_set(const Body& body) {
  const auto choose = [](std::int64_t targets) {
    hwy::SetSupportedTargetsForTest(targets);
    hwy::GetChosenTarget().Update(hwy::SupportedTargets());
  };
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    SCOPED_TRACE(hwy::TargetName(target));
    choose(target);
    body();
  }
  choose(0);
}

}  // namespace sotto
