#include "sotto/kernel/natural.h"

#include "sotto/kernel/uniform.h"

namespace sotto {

Natural::Natural(std::uint64_t value) {
  if (value != 0) limbs_.push_back(value);
}

void Natural::trim() {
  while (!limbs_.empty() && limbs_.back() == 0) limbs_.pop_back();
}

Natural& Natural::operator+=(const Natural& other) {
  if (limbs_.size() < other.limbs_.size()) limbs_.resize(other.limbs_.size());
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < limbs_.size(); ++i) {
    const Uint128 sum = Uint128{limbs_[i]} + (i < other.limbs_.size() ? other.limbs_[i] : 0) + carry;
    limbs_[i] = static_cast<std::uint64_t>(sum);
    carry = static_cast<std::uint64_t>(sum >> 64);
  }
  if (carry != 0) limbs_.push_back(carry);
  return *this;
}

Natural& Natural::operator*=(std::uint64_t factor) {
  std::uint64_t carry = 0;
  for (std::uint64_t& limb : limbs_) {
    const Uint128 product = Uint128{limb} * factor + carry;
    limb = static_cast<std::uint64_t>(product);
    carry = static_cast<std::uint64_t>(product >> 64);
  }
  if (carry != 0) limbs_.push_back(carry);
  trim();
  return *this;
}

Natural& Natural::operator/=(std::uint64_t divisor) {
  std::uint64_t remainder = 0;
  for (std::size_t i = limbs_.size(); i-- > 0;) {
    const Uint128 dividend = (Uint128{remainder} << 64) | limbs_[i];
    limbs_[i] = static_cast<std::uint64_t>(dividend / divisor);
    remainder = static_cast<std::uint64_t>(dividend % divisor);
  }
  trim();
  return *this;
}

Natural& Natural::operator<<=(unsigned bits) {
  if (limbs_.empty()) return *this;
  *this *= std::uint64_t{1} << (bits % 64);
  limbs_.insert(limbs_.begin(), bits / 64, 0);
  return *this;
}

Natural Natural::operator*(const Natural& other) const {
  Natural product;
  for (std::size_t i = other.limbs_.size(); i-- > 0;) {
    product <<= 64;
    Natural partial = *this;
    product += partial *= other.limbs_[i];
  }
  return product;
}

bool Natural::operator<(const Natural& other) const {
  if (limbs_.size() != other.limbs_.size()) return limbs_.size() < other.limbs_.size();
  for (std::size_t i = limbs_.size(); i-- > 0;)
    if (limbs_[i] != other.limbs_[i]) return limbs_[i] < other.limbs_[i];
  return false;
}

}  // namespace sotto
