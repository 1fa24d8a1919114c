// Natural numbers of any size, with the few operations that a refinement of an exponential needs. Not fast, and need
// not be: it runs twice in 65,536 draws.
#pragma once

#include <cstdint>
#include <vector>

namespace sotto {

class Natural {
 public:
  Natural() = default;
  explicit Natural(std::uint64_t value);

  Natural& operator+=(const Natural& other);
  Natural& operator*=(std::uint64_t factor);
  Natural& operator/=(std::uint64_t divisor);  // rounds down; divisor > 0
  Natural& operator<<=(unsigned bits);

  Natural operator*(const Natural& other) const;

  bool is_zero() const { return limbs_.empty(); }
  bool operator==(const Natural&) const = default;
  bool operator<(const Natural& other) const;
  bool operator<=(const Natural& other) const { return !(other < *this); }

 private:
  void trim();

  std::vector<std::uint64_t> limbs_;  // little-endian, no leading zero
};

}  // namespace sotto
