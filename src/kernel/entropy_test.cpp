#include "sotto/kernel/entropy.h"

#include <gtest/gtest.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <set>
#include <vector>

#include "sotto/kernel/discrete_laplace.h"
#include "sotto/kernel/scripted_entropy_test.h"
#include "sotto/kernel/seeded_entropy.h"

namespace sotto {
namespace {

// ---- fork

// Past the C library: none of its handlers around fork run.
pid_t raw_clone() { return static_cast<pid_t>(syscall(SYS_clone, SIGCHLD, nullptr, nullptr, nullptr, nullptr)); }

using Draw = std::array<std::uint8_t, 1024>;

template <typename Source>
Draw draw_from(Source& source) {
  Draw drawn;
  for (std::uint8_t& byte : drawn) byte = source.template take<std::uint8_t>();
  return drawn;
}

// What parent and child draw from one source after a fork.
template <typename Source>
std::pair<Draw, Draw> draw_on_both_sides(Source& source, pid_t (*make_child)()) {
  int ends[2];
  EXPECT_EQ(pipe(ends), 0);
  const pid_t child = make_child();
  if (child == 0) {
    const Draw drawn = draw_from(source);
    _exit(write(ends[1], drawn.data(), drawn.size()) == static_cast<ssize_t>(drawn.size()) ? 0 : 1);
  }
  std::pair<Draw, Draw> both{draw_from(source), {}};
  EXPECT_EQ(read(ends[0], both.second.data(), both.second.size()), static_cast<ssize_t>(both.second.size()));
  int status = -1;
  EXPECT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  close(ends[0]);
  close(ends[1]);
  return both;
}

// Whether any eight consecutive bytes occur in both. Independent draws share some with probability below 2^−43.
bool share_bytes(const std::pair<Draw, Draw>& both) {
  const auto windows = [](const Draw& drawn) {
    std::set<std::array<std::uint8_t, 8>> found;
    for (std::size_t i = 0; i + 8 <= drawn.size(); ++i) {
      std::array<std::uint8_t, 8> window;
      std::copy_n(drawn.begin() + static_cast<std::ptrdiff_t>(i), 8, window.begin());
      found.insert(window);
    }
    return found;
  };
  const auto first = windows(both.first);
  for (const auto& window : windows(both.second))
    if (first.count(window) != 0) return true;
  return false;
}

// A source that buffers in ordinary memory, which fork copies.
class UnprotectedBuffer {
 public:
  UnprotectedBuffer() {
    for (std::uint8_t& byte : bytes_) byte = entropy_.take<std::uint8_t>();
  }
  template <typename Word>
  Word take() {
    return bytes_[next_++];
  }

 private:
  Entropy entropy_;
  std::array<std::uint8_t, 4096> bytes_;
  std::size_t next_ = 0;
};

TEST(Entropy, NeverRepeatsABufferedByteInAForkedChild) {
  Entropy entropy;
  for (int i = 0; i < 100; ++i) entropy.take<std::uint8_t>();
  EXPECT_FALSE(share_bytes(draw_on_both_sides(entropy, fork)));
}

TEST(Entropy, NeverRepeatsABufferedByteInAClonedProcess) {
  Entropy entropy;
  entropy.take<std::uint64_t>();
  EXPECT_FALSE(share_bytes(draw_on_both_sides(entropy, raw_clone)));
}

TEST(Entropy, ForkCheckRejectsABufferInOrdinaryMemory) {
  UnprotectedBuffer buffer;
  EXPECT_TRUE(share_bytes(draw_on_both_sides(buffer, fork)));
  EXPECT_TRUE(share_bytes(draw_on_both_sides(buffer, raw_clone)));
}

// ---- wiping

// Shows the buffer that Entropy asks to be filled.
class WatchedEntropy final : public Entropy {
 public:
  std::span<std::uint8_t> buffer;
  int fills = 0;

 private:
  void fill(std::span<std::uint8_t> bytes) override {
    Entropy::fill(bytes);
    buffer = bytes;
    ++fills;
  }
};

bool all_zero(std::span<const std::uint8_t> bytes) {
  return std::all_of(bytes.begin(), bytes.end(), [](std::uint8_t byte) { return byte == 0; });
}

TEST(Entropy, HandsOutEachByteOnceAndWipesItAtOnce) {
  WatchedEntropy entropy;
  entropy.take<std::uint8_t>();
  const std::vector<std::uint8_t> filled(entropy.buffer.begin(), entropy.buffer.end());
  std::vector<std::uint8_t> taken{0};  // the first byte was wiped before it could be copied
  while (taken.size() + 15 <= filled.size()) {
    append(taken, entropy.take<std::uint8_t>());
    append(taken, entropy.take<std::uint16_t>());
    append(taken, entropy.take<std::uint32_t>());
    append(taken, entropy.take<std::uint64_t>());
    ASSERT_TRUE(all_zero(entropy.buffer.first(taken.size())));
    ASSERT_TRUE(std::equal(entropy.buffer.begin() + static_cast<std::ptrdiff_t>(taken.size()), entropy.buffer.end(),
                           filled.begin() + static_cast<std::ptrdiff_t>(taken.size())));
  }
  EXPECT_TRUE(std::equal(taken.begin(), taken.end(), filled.begin()));
  EXPECT_EQ(entropy.fills, 1);
  EXPECT_FALSE(all_zero(filled));
}

TEST(Entropy, RefillsTheWholeBufferWhenAWordDoesNotFit) {
  WatchedEntropy entropy;
  entropy.take<std::uint8_t>();
  const std::size_t capacity = entropy.buffer.size();
  for (std::size_t i = 1; i < capacity - 7; ++i) entropy.take<std::uint8_t>();
  const std::vector<std::uint8_t> left(entropy.buffer.end() - 7, entropy.buffer.end());
  EXPECT_EQ(entropy.fills, 1);
  entropy.take<std::uint64_t>();
  EXPECT_EQ(entropy.fills, 2);
  EXPECT_FALSE(std::equal(left.begin(), left.end(), entropy.buffer.end() - 7));
}

// ---- failure

// Makes every later getrandom of this process fail.
bool forbid_getrandom() {
  sock_filter program[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(seccomp_data, nr)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, __NR_getrandom, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EPERM),
      BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
  };
  const sock_fprog filter{std::size(program), program};
  return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &filter) == 0;
}

template <typename Act>
bool fails_for_lack_of_entropy(Act act) {
  try {
    act();
  } catch (const Failure& failure) {
    return failure.error().code == ErrorCode::kEntropyFailure;
  }
  return false;
}

TEST(Entropy, StopsEverythingWhenTheOperatingSystemRefuses) {
  Entropy used;
  used.take<std::uint8_t>();
  const auto laplace = DiscreteLaplace::make(1, 10).value_or_throw();
  const pid_t child = fork();
  if (child == 0) {
    if (!forbid_getrandom()) _exit(2);
    Entropy fresh;
    for (int attempt = 0; attempt < 3; ++attempt) {
      if (!fails_for_lack_of_entropy([&] { used.take<std::uint8_t>(); })) _exit(3);
      if (!fails_for_lack_of_entropy([&] { fresh.take<std::uint64_t>(); })) _exit(4);
      if (!fails_for_lack_of_entropy([&] { laplace.sample(fresh); })) _exit(5);
    }
    _exit(0);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
}

// Hands out ones, then fails when it has already written twos, then hands out sevens.
class FlakyEntropy final : public Entropy {
 private:
  void fill(std::span<std::uint8_t> bytes) override {
    const std::uint8_t contents[] = {1, 2, 7};
    std::fill(bytes.begin(), bytes.end(), contents[fills_]);
    if (fills_ < 2 && ++fills_ == 2) throw Failure({ErrorCode::kEntropyFailure, "once"});
  }
  int fills_ = 0;
};

TEST(Entropy, HandsOutNothingFromAnInterruptedFillAndStaysUsable) {
  FlakyEntropy entropy;
  try {
    while (true) ASSERT_EQ(entropy.take<std::uint8_t>() + entropy.take<std::uint32_t>(), 1 + 0x01010101U);
  } catch (const Failure&) {  // with a few bytes left that are not enough for a word
  }
  for (int i = 0; i < 1000; ++i) ASSERT_EQ(entropy.take<std::uint8_t>(), 7);
}

TEST(Entropy, NamesTheCallButNoBytesInItsError) {
  const pid_t child = fork();
  if (child == 0) {
    if (!forbid_getrandom()) _exit(2);
    try {
      Entropy().take<std::uint8_t>();
    } catch (const Failure& failure) {
      _exit(failure.error().message.find("getrandom: Operation not permitted") != std::string::npos ? 0 : 3);
    }
    _exit(4);
  }
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

// ---- the two sources

TEST(Entropy, DiffersBetweenObjects) {
  Entropy first, second;
  EXPECT_FALSE(share_bytes({draw_from(first), draw_from(second)}));
}

// The values are those of the authors' reference code for xoshiro256++, seeded by splitmix64 from 0.
TEST(SeededEntropy, GivesTheReferenceSequence) {
  SeededEntropy entropy(0);
  EXPECT_EQ(entropy.take<std::uint64_t>(), 0x53175d61490b23dfU);
  EXPECT_EQ(entropy.take<std::uint64_t>(), 0x61da6f3dc380d507U);
  EXPECT_EQ(entropy.take<std::uint64_t>(), 0x5c0fdf91ec9a7bfcU);
  EXPECT_EQ(entropy.take<std::uint64_t>(), 0x02eebf8c3bbe5e1aU);
}

TEST(SeededEntropy, RepeatsItselfAndDiffersBetweenSeeds) {
  SeededEntropy first(42), again(42), other(43);
  const Draw drawn = draw_from(first);
  EXPECT_EQ(drawn, draw_from(again));
  EXPECT_FALSE(share_bytes({drawn, draw_from(other)}));
}

}  // namespace
}  // namespace sotto
