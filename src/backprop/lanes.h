// Two threads that walk through the same loop side by side, each with its half of the work, and meet where they say so.
// There are always two, on one core as on many: sums of floats come out in the same order, so that a seed gives the
// same model whatever the number of cores.
#pragma once

#include <barrier>
#include <cstddef>
#include <exception>
#include <functional>

namespace sotto {

inline constexpr std::size_t kLanes = 2;

class Lane {
 public:
  std::size_t index() const { return index_; }

  struct Part {
    std::size_t begin, end;
    std::size_t size() const { return end - begin; }
  };
  // This lane's share of 0 … count-1, in one piece. Boundaries are multiples of `grain`.
  Part part_of(std::size_t count, std::size_t grain = 1) const;

  // Returns when the other lane has come here too; what it wrote before is then visible.
  void meet() { barrier_.arrive_and_wait(); }

 private:
  friend void run_lanes(const std::function<void(Lane&)>& work);
  Lane(std::size_t index, std::barrier<>& barrier) : index_(index), barrier_(barrier) {}

  std::size_t index_;
  std::barrier<>& barrier_;
};

// Runs `work` once per lane and returns when both are done. `work` must not throw between two meetings that the other
// lane waits for; an exception from a lane is rethrown here after both have ended.
void run_lanes(const std::function<void(Lane&)>& work);

}  // namespace sotto
