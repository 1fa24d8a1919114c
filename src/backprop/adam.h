// Adam [KB15] in one sweep over the parameters: gradients of several lanes are summed, moments and parameters updated,
// each read and written once. Weight decay is decoupled from the gradients [LH19].
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "sotto/kernel/result.h"

namespace sotto {

struct AdamOptions {
  float learning_rate = 1e-3F;
  float beta1 = 0.9F;
  float beta2 = 0.999F;
  float epsilon = 1e-8F;   // the optimiser's guard against division by zero, not a privacy parameter
  float weight_decay = 0;  // each step multiplies every parameter by 1 − learning_rate·weight_decay
};

// The constants of one step, ready for the sweep: `rate` includes the first moment's bias correction, `keep` is what
// weight decay leaves of a parameter.
struct AdamStep {
  float rate, keep, correction2, beta1, beta2, epsilon;
};

class Adam {
 public:
  Adam(std::size_t parameters, const AdamOptions& options);

  // Every parameter has seen one more gradient from here on. Call once a step, before the updates of its pieces.
  void begin_step();

  // Updates the piece that starts at parameter `begin`. The gradient is the sum of `first` and `second`, both as long
  // as `parameters`; `second` may be empty.
  void update(std::size_t begin, std::span<float> parameters, std::span<const float> first,
              std::span<const float> second);

  void set_learning_rate(float rate) { options_.learning_rate = rate; }

  // What a checkpoint must hold.
  struct State {
    std::size_t steps = 0;
    std::vector<float> first_moment, second_moment;
  };
  const State& state() const { return state_; }
  Status restore(State state);

 private:
  AdamOptions options_;
  State state_;
};

}  // namespace sotto
