// For tests of samplers: randomness that is written down, and the enumeration of all of it up to a depth. A sampler
// that is a function of its random bytes can so be compared with its law exactly, without sampling.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <span>
#include <vector>

#include "sotto/kernel/entropy.h"

namespace sotto {

struct ScriptEnded {};

// Hands out the bytes of a script in order, then throws ScriptEnded.
class ScriptedEntropy final : public Entropy {
 public:
  // Drops what is left of an earlier script. At most a few thousand bytes.
  void play(std::span<const std::uint8_t> script) {
    script_ = script;
    is_filled_ = false;
    while (!is_filled_) take<std::uint8_t>();
    // The script ends where the buffer ends, so that Entropy asks for more, and throws, right behind it.
    std::size_t padding = capacity_ - script.size() - 1;
    for (; padding >= 8; padding -= 8) take<std::uint64_t>();
    for (; padding > 0; --padding) take<std::uint8_t>();
  }

 private:
  void fill(std::span<std::uint8_t> bytes) override {
    if (is_filled_) throw ScriptEnded();
    is_filled_ = true;
    capacity_ = bytes.size();
    std::fill(bytes.begin(), bytes.end(), std::uint8_t{0});
    std::copy(script_.begin(), script_.end(), bytes.end() - static_cast<std::ptrdiff_t>(script_.size()));
  }

  std::span<const std::uint8_t> script_;
  std::size_t capacity_ = 0;
  bool is_filled_ = true;  // nothing to play yet
};

// Adds a word to a script as Entropy::take will read it back.
inline void append(std::vector<std::uint8_t>& script, std::unsigned_integral auto word) {
  for (const std::uint8_t byte : std::bit_cast<std::array<std::uint8_t, sizeof(word)>>(word)) script.push_back(byte);
}

// Of the 256^depth equally likely byte strings: how many lead to each result, and how many are not long enough.
struct Enumeration {
  std::map<std::int64_t, std::uint64_t> strings_leading_to;
  std::uint64_t undecided = 0;
};

template <typename Draw>
void enumerate_from(std::vector<std::uint8_t>& prefix, std::size_t depth, ScriptedEntropy& entropy, Draw draw,
                    Enumeration& found) {
  std::uint64_t strings = 1;
  for (std::size_t i = prefix.size(); i < depth; ++i) strings *= 256;
  try {
    entropy.play(prefix);
    found.strings_leading_to[draw(entropy)] += strings;
    return;
  } catch (const ScriptEnded&) {
  }
  if (prefix.size() == depth) {
    ++found.undecided;
    return;
  }
  for (unsigned byte = 0; byte < 256; ++byte) {
    prefix.push_back(static_cast<std::uint8_t>(byte));
    enumerate_from(prefix, depth, entropy, draw, found);
    prefix.pop_back();
  }
}

// Every result of `draw(entropy)` that `depth` ≤ 7 bytes can decide.
template <typename Draw>
Enumeration enumerate(std::size_t depth, Draw draw) {
  ScriptedEntropy entropy;
  std::vector<std::uint8_t> prefix;
  Enumeration found;
  enumerate_from(prefix, depth, entropy, draw, found);
  return found;
}

// A source that must not be asked.
class UntouchedEntropy final : public Entropy {
 private:
  void fill(std::span<std::uint8_t>) override {
    ADD_FAILURE() << "entropy was drawn";
    throw ScriptEnded();
  }
};

}  // namespace sotto
