#include "sotto/backprop/lanes.h"

#include <array>
#include <thread>

namespace sotto {

Lane::Part Lane::part_of(std::size_t count, std::size_t grain) const {
  const std::size_t grains = (count + grain - 1) / grain;
  const auto boundary = [&](std::size_t lane) {
    const std::size_t place = grains * lane / kLanes * grain;
    return place < count ? place : count;
  };
  return {boundary(index_), boundary(index_ + 1)};
}

void run_lanes(const std::function<void(Lane&)>& work) {
  std::barrier<> barrier(kLanes);
  std::array<std::exception_ptr, kLanes> failures{};
  const auto run = [&](std::size_t index) {
    Lane lane(index, barrier);
    try {
      work(lane);
    } catch (...) {
      failures[index] = std::current_exception();
    }
    barrier.arrive_and_drop();
  };
  {
    std::jthread other([&] { run(1); });
    run(0);
  }
  for (const std::exception_ptr& failure : failures)
    if (failure) std::rethrow_exception(failure);
}

}  // namespace sotto
