// Random bits for privacy noise, from the operating system and nowhere else.
//
// Guarantees: every byte is handed out once and wiped at once; a forked child never sees its parent's bytes (the buffer
// lives on a page that the kernel wipes on fork, so the child finds it empty); when the operating system refuses, a
// `Failure` is thrown and nothing may be released. Not thread-safe: one Entropy per thread.
//
// On a device (SOTTO_DEVICE) the class is final, so no code can slip in a predictable source. Elsewhere experiments
// derive `SeededEntropy` from it.
#pragma once

#include <concepts>
#include <cstdint>
#include <cstring>
#include <span>

#include "sotto/kernel/result.h"

#if defined(SOTTO_DEVICE)
#define SOTTO_FINAL_ON_DEVICE final
#else
#define SOTTO_FINAL_ON_DEVICE
#endif

namespace sotto {

class Entropy SOTTO_FINAL_ON_DEVICE {
 public:
  Entropy();
  virtual ~Entropy();
  Entropy(const Entropy&) = delete;
  Entropy& operator=(const Entropy&) = delete;

  // Uniform over all values of Word.
  template <std::unsigned_integral Word>
  Word take() {
    if (page_->remaining < sizeof(Word)) [[unlikely]]
      refill();
    std::uint8_t* next = page_->bytes + (kCapacity - page_->remaining);
    Word word;
    std::memcpy(&word, next, sizeof(Word));
    std::memset(next, 0, sizeof(Word));
    page_->remaining -= static_cast<std::uint32_t>(sizeof(Word));
    return word;
  }

 protected:
  // Fills all of `bytes` or throws Failure. Overridden only by experiments and tests.
  virtual void fill(std::span<std::uint8_t> bytes);

 private:
  static constexpr std::uint32_t kCapacity = 4088;
  struct Page {
    std::uint32_t remaining;  // on the page itself: a wiped page reads as empty
    std::uint32_t unused;
    std::uint8_t bytes[kCapacity];
  };

  void refill();

  Page* page_;
};

}  // namespace sotto
