// Training that is nothing but a number of epochs, each with a loss to tell of.
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>

namespace sotto {

struct LossEpoch {
  std::size_t epoch;  // from 1
  double loss, seconds;
};
using LossProgress = std::function<void(const LossEpoch&)>;

// `trainer.run_epoch(epoch)` returns the loss.
template <class Trainer>
void run_epochs(Trainer& trainer, std::size_t epochs, const LossProgress& progress) {
  using Clock = std::chrono::steady_clock;
  for (std::size_t epoch = 1; epoch <= epochs; ++epoch) {
    const auto start = Clock::now();
    const double loss = trainer.run_epoch(epoch);
    progress({epoch, loss, std::chrono::duration<double>(Clock::now() - start).count()});
  }
}

}  // namespace sotto
