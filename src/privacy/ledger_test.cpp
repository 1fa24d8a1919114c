#include "sotto/privacy/ledger.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "sotto/privacy/scratch_file_test.h"

namespace sotto {
namespace {

using Bytes = Ledger::Bytes;

Epsilon epsilon(const std::string& text) { return Epsilon::parse(text).value_or_throw(); }
Delta delta(const std::string& text) { return Delta::parse(text).value_or_throw(); }
Rational number(const std::string& text) { return Rational::parse(text).value_or_throw(); }

Claim claim(const std::string& e, const std::string& d = "0", Exactness exactness = Exactness::kExact) {
  return {epsilon(e), delta(d), exactness, "docs/proofs/test.md"};
}

Ledger::Fingerprint fingerprint(std::uint32_t i) {
  Ledger::Fingerprint bytes{};
  std::memcpy(bytes.data(), &i, sizeof i);
  return bytes;
}

// A journal in memory whose content outlives it, and whose appends can be made to fail.
struct Disk {
  std::vector<std::string> entries;
  int appends_left = 1 << 30;
  bool keeps_what_it_refuses = false;  // the write succeeded and the flush failed
};

class MemoryJournal final : public Journal {
 public:
  explicit MemoryJournal(Disk& disk) : disk_(disk) {}
  std::vector<std::string> take_entries() override { return disk_.entries; }
  Status append(std::string_view entry) override {
    const bool works = disk_.appends_left-- > 0;
    if (works || disk_.keeps_what_it_refuses) disk_.entries.emplace_back(entry);
    return works ? Status() : Status(Error{ErrorCode::kIo, "disk full"});
  }

 private:
  Disk& disk_;
};

Result<Ledger> try_open(Disk& disk, const std::string& e, const std::string& d = "0",
                        InexactClaims inexact_claims = InexactClaims::kRefuse) {
  Entropy entropy;
  return Ledger::open(std::make_unique<MemoryJournal>(disk), epsilon(e), delta(d), inexact_claims, entropy);
}

Ledger open(Disk& disk, const std::string& e, const std::string& d = "0",
            InexactClaims inexact_claims = InexactClaims::kRefuse) {
  return try_open(disk, e, d, inexact_claims).value_or_throw();
}

Result<Bytes> some_report() { return Bytes{1, 2, 3, 0, 255}; }
Result<Bytes> must_not_be_called() {
  ADD_FAILURE() << "a report was made";
  return Bytes{};
}
Result<Bytes> failing_report() { return Error{ErrorCode::kInvalidInput, "no report today"}; }

TEST(Ledger, StartsWithItsWholeBudget) {
  Disk disk;
  const Ledger ledger = open(disk, "1.4", "1e-5");
  EXPECT_EQ(ledger.total(), (Ledger::Amount{number("1.4"), number("1e-5")}));
  EXPECT_EQ(ledger.spent(), Ledger::Amount{});
  EXPECT_EQ(ledger.remaining(), ledger.total());
  EXPECT_EQ(ledger.spend_count(), 0U);
}

TEST(Ledger, SpendsExactlyToTheLastFractionAndNotBeyond) {
  Disk disk;
  Ledger ledger = open(disk, "0.3");
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(ledger.spend(claim("0.1")));  // in doubles the third would exceed 0.3
  EXPECT_EQ(ledger.spent(), ledger.total());
  EXPECT_EQ(ledger.remaining(), Ledger::Amount{});
  EXPECT_FALSE(ledger.spend(claim("0.001")));
}

TEST(Ledger, RefusesToOverspendSaysWhyAndChangesNothing) {
  Disk disk;
  Ledger ledger = open(disk, "2", "1e-5");
  ASSERT_TRUE(ledger.spend(claim("1.5", "1e-6")));
  const auto before = disk.entries;
  for (const Claim& asked : {claim("0.6", "0"), claim("0.25", "1e-5")}) {
    const Status status = ledger.spend(asked);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kBudgetExceeded);
    for (const std::string& part :
         {std::string("total epsilon = 2, delta = 0.00001"), std::string("spent epsilon = 1.5, delta = 0.000001"),
          "asked epsilon = " + asked.epsilon.to_string() + ", delta = " + asked.delta.to_string()})
      EXPECT_NE(status.error().message.find(part), std::string::npos) << status.error().message;
    EXPECT_FALSE(ledger.release_once(fingerprint(1), asked, must_not_be_called));
  }
  EXPECT_EQ(disk.entries, before);
  EXPECT_EQ(ledger.spent(), (Ledger::Amount{number("1.5"), number("1e-6")}));
  EXPECT_TRUE(ledger.spend(claim("0.5", "9e-6")));
}

TEST(Ledger, RemembersWhenOpenedAgain) {
  Disk disk;
  Ledger::Salt salt;
  {
    Ledger ledger = open(disk, "10", "1e-5");
    salt = ledger.salt();
    ASSERT_TRUE(ledger.spend(claim("1/3", "1e-6")));
    ASSERT_TRUE(ledger.release_once(fingerprint(7), claim("1.4"), some_report));
  }
  const Ledger again = open(disk, "10", "1e-5");
  EXPECT_EQ(again.spent(), (Ledger::Amount{number("26/15"), number("1e-6")}));
  EXPECT_EQ(again.remaining(), (Ledger::Amount{number("124/15"), number("9e-6")}));
  EXPECT_EQ(again.spend_count(), 2U);
  EXPECT_EQ(again.salt(), salt);
}

TEST(Ledger, DrawsASaltOfItsOwn) {
  Disk one, other;
  EXPECT_NE(open(one, "1").salt(), open(other, "1").salt());
  EXPECT_NE(open(one, "1").salt(), Ledger::Salt{});
}

TEST(Ledger, KeepsTheBudgetItWasCreatedWith) {
  Disk disk;
  { Ledger ledger = open(disk, "10", "1e-5"); }
  for (const auto& other : {try_open(disk, "11", "1e-5"), try_open(disk, "10", "1e-6"), try_open(disk, "10")}) {
    ASSERT_FALSE(other);
    EXPECT_EQ(other.error().code, ErrorCode::kInvalidArgument);
    EXPECT_NE(other.error().message.find("fixed at creation as epsilon = 10, delta = 0.00001"), std::string::npos);
  }
  EXPECT_TRUE(try_open(disk, "20/2", "0.00001"));
}

TEST(Ledger, AcceptsInexactClaimsOnlyWhereThatWasAskedFor) {
  const Claim inexact = claim("1", "0", Exactness::kInexact);
  Disk disk;
  {
    Ledger strict = open(disk, "10");
    const Status status = strict.spend(inexact);
    ASSERT_FALSE(status);
    EXPECT_EQ(status.error().code, ErrorCode::kUnsupported);
    EXPECT_FALSE(strict.release_once(fingerprint(1), inexact, must_not_be_called));
    EXPECT_EQ(strict.spent(), Ledger::Amount{});
  }
  {
    Ledger lenient = open(disk, "10", "0", InexactClaims::kAllow);
    EXPECT_TRUE(lenient.spend(inexact));
    EXPECT_TRUE(lenient.release_once(fingerprint(1), inexact, some_report));
  }
  Ledger strict = open(disk, "10");
  EXPECT_EQ(strict.spent().epsilon, number("2"));
  EXPECT_FALSE(strict.release_once(fingerprint(1), inexact, must_not_be_called));
}

TEST(Ledger, ReleasesOneReportPerFingerprint) {
  Disk disk;
  {
    Ledger ledger = open(disk, "10");
    EXPECT_EQ(*ledger.release_once(fingerprint(1), claim("1"), some_report), *some_report());
    EXPECT_EQ(*ledger.release_once(fingerprint(1), claim("1"), must_not_be_called), *some_report());
    EXPECT_EQ(*ledger.release_once(fingerprint(2), claim("1"), [] { return Result<Bytes>(Bytes{}); }), Bytes{});
    EXPECT_EQ(ledger.spent().epsilon, number("2"));
  }
  Ledger again = open(disk, "10");
  EXPECT_EQ(*again.release_once(fingerprint(1), claim("1"), must_not_be_called), *some_report());
  EXPECT_EQ(*again.release_once(fingerprint(2), claim("1"), must_not_be_called), Bytes{});
  EXPECT_EQ(again.spent().epsilon, number("2"));
}

TEST(Ledger, ReturnsAReportAfterTheBudgetIsGone) {
  Disk disk;
  Ledger ledger = open(disk, "1");
  ASSERT_TRUE(ledger.release_once(fingerprint(1), claim("1"), some_report));
  EXPECT_TRUE(ledger.release_once(fingerprint(1), claim("1"), must_not_be_called));
  EXPECT_FALSE(ledger.release_once(fingerprint(2), claim("0.001"), must_not_be_called));
}

TEST(Ledger, RefusesAFingerprintUnderAnotherClaim) {
  Disk disk;
  Ledger ledger = open(disk, "10", "1e-5", InexactClaims::kAllow);
  ASSERT_TRUE(ledger.release_once(fingerprint(1), claim("1"), some_report));
  ASSERT_FALSE(ledger.release_once(fingerprint(2), claim("1"), failing_report));
  for (const std::uint32_t i : {1U, 2U})
    for (const Claim& other : {claim("2"), claim("1", "1e-6"), claim("1", "0", Exactness::kInexact)}) {
      const auto result = ledger.release_once(fingerprint(i), other, must_not_be_called);
      ASSERT_FALSE(result);
      EXPECT_EQ(result.error().code, ErrorCode::kInvalidArgument);
    }
  EXPECT_EQ(ledger.spent().epsilon, number("2"));
}

TEST(Ledger, SpendsBeforeAReportIsMadeAndStoresBeforeItIsSeen) {
  Disk disk;
  Ledger ledger = open(disk, "10");
  const auto result = ledger.release_once(fingerprint(1), claim("1"), [&] {
    EXPECT_EQ(disk.entries.size(), 2U);
    EXPECT_EQ(disk.entries.back().rfind("charge ", 0), 0U);
    return some_report();
  });
  ASSERT_TRUE(result);
  ASSERT_EQ(disk.entries.size(), 3U);
  EXPECT_EQ(disk.entries.back().rfind("report ", 0), 0U);
}

TEST(Ledger, CountsASpendWhoseReportFailedAndUsesItWhenAskedAgain) {
  Disk disk;
  {
    Ledger ledger = open(disk, "1");
    const auto failed = ledger.release_once(fingerprint(1), claim("1"), failing_report);
    ASSERT_FALSE(failed);
    EXPECT_EQ(failed.error().message, "no report today");
    const auto thrown = ledger.release_once(fingerprint(1), claim("1"), []() -> Result<Bytes> {
      throw Failure({ErrorCode::kEntropyFailure, "no entropy"});
    });
    ASSERT_FALSE(thrown);
    EXPECT_EQ(thrown.error().code, ErrorCode::kEntropyFailure);
    EXPECT_EQ(ledger.spent().epsilon, number("1"));
  }
  Ledger again = open(disk, "1");
  EXPECT_EQ(again.spent().epsilon, number("1"));
  EXPECT_EQ(*again.release_once(fingerprint(1), claim("1"), some_report), *some_report());
  EXPECT_EQ(again.spent().epsilon, number("1"));
  EXPECT_EQ(again.spend_count(), 1U);
}

// Whatever write fails, and whether or not the disk kept it: no release, no further release, and no undercount
// afterwards.
TEST(Ledger, ReleasesNothingAfterAFailedWrite) {
  for (const bool kept : {false, true})
    for (int works = 1; works < 7; ++works) {
      Disk disk;
      disk.appends_left = works;
      disk.keeps_what_it_refuses = kept;
      int acknowledged = 0;
      {
        Ledger ledger = open(disk, "10");
        bool failed = false;
        for (std::uint32_t i = 0; i < 4; ++i) {
          const bool released = i % 2 == 0
                                    ? static_cast<bool>(ledger.spend(claim("1")))
                                    : static_cast<bool>(ledger.release_once(fingerprint(i), claim("1"), some_report));
          EXPECT_FALSE(failed && released);
          failed = failed || !released;
          acknowledged += released ? 1 : 0;
        }
        EXPECT_TRUE(failed) << works;  // all of it takes seven writes
        disk.appends_left = 1 << 30;   // space again: the open ledger refuses all the same, known reports included
        const Status status = ledger.spend(claim("1"));
        ASSERT_FALSE(status);
        EXPECT_NE(status.error().message.find("open it again"), std::string::npos);
        EXPECT_FALSE(ledger.release_once(fingerprint(1), claim("1"), must_not_be_called));
      }
      Ledger again = open(disk, "10");
      EXPECT_GE(again.spent().epsilon, *Rational::make(static_cast<unsigned>(acknowledged), 1));
      EXPECT_LE(again.spent().epsilon, *Rational::make(static_cast<unsigned>(acknowledged) + 1, 1));
      EXPECT_TRUE(again.release_once(fingerprint(1), claim("1"), some_report));
    }
}

TEST(Ledger, FailsToOpenWhenItsHeaderCannotBeWritten) {
  Disk disk;
  disk.appends_left = 0;
  EXPECT_FALSE(try_open(disk, "1"));
}

#if !defined(SOTTO_DEVICE)  // where no other source of entropy can exist
class DryEntropy final : public Entropy {
  void fill(std::span<std::uint8_t>) override { throw Failure({ErrorCode::kEntropyFailure, "dry"}); }
};

TEST(Ledger, IsNotCreatedWithoutEntropy) {
  Disk disk;
  DryEntropy entropy;
  const auto ledger =
      Ledger::open(std::make_unique<MemoryJournal>(disk), epsilon("1"), Delta::zero(), InexactClaims::kRefuse, entropy);
  ASSERT_FALSE(ledger);
  EXPECT_EQ(ledger.error().code, ErrorCode::kEntropyFailure);
  EXPECT_TRUE(disk.entries.empty());
}
#endif

TEST(Ledger, RefusesAJournalThatMakesNoSense) {
  Disk good;
  { Ledger ledger = open(good, "10"); }
  const std::string name(64, 'a');
  for (const std::vector<std::string>& more : std::vector<std::vector<std::string>>{
           {"spend"},
           {"spend x 0 exact"},
           {"spend 1"},
           {"spend 11 0 exact"},   // more than the total
           {"spend 1 0.1 exact"},  // likewise
           {"nonsense 1 0 exact"},
           {""},
           {"report " + name + " 00"},  // never charged
           {"charge " + name + " 1 0 exact", "charge " + name + " 1 0 exact"},
           {"charge " + name + " 1 0 exact", "report " + name + " 0"},  // half a byte
           {"charge " + name + " 1 0 exact", "report " + name + " zz"},
           {"charge " + name + " 1 0 exact", "report " + name + " 00", "report " + name + " 00"},
           {good.entries.front()}}) {
    Disk disk = good;
    disk.entries.insert(disk.entries.end(), more.begin(), more.end());
    const auto ledger = try_open(disk, "10");
    ASSERT_FALSE(ledger) << more.back();
    EXPECT_EQ(ledger.error().code, ErrorCode::kCorruptFile) << more.back();
  }
  for (const char* header : {"", "sotto-ledger-2 10 0 00", "sotto-ledger-1 10 0 00", "sotto-ledger-1 10", "hello"}) {
    Disk disk;
    disk.entries = {header};
    EXPECT_EQ(try_open(disk, "10").error().code, ErrorCode::kCorruptFile) << header;
  }
}

TEST(Ledger, RoundsUpWhenASumNeedsMoreThanItCanHold) {
  Disk disk;
  Ledger ledger = open(disk, "10");
  long double exact = 0;
  for (const int prime : {9973, 9967, 9949, 9941, 9931, 9929, 9923, 9907}) {  // their product has 106 bits
    ASSERT_TRUE(ledger.spend(claim(std::to_string(prime - 1) + "/" + std::to_string(prime))));
    exact += static_cast<long double>(prime - 1) / prime;
    const auto spent = static_cast<long double>(ledger.spent().epsilon.numerator()) /
                       static_cast<long double>(ledger.spent().epsilon.denominator());
    EXPECT_GE(spent, exact * (1 - 1e-18L));
    EXPECT_LE(spent, exact + 1e-11L);
  }
  const Ledger again = open(disk, "10");
  EXPECT_EQ(again.spent(), ledger.spent());
  EXPECT_LE(*add(again.spent().epsilon, again.remaining().epsilon, Rounding::kUp), number("10"));
}

// Any sequence of requests, with the ledger opened again at any point, against a model that adds fractions.
RC_GTEST_PROP(Ledger, NeverExceedsItsBudgetNorForgets, ()) {
  Disk disk;
  Ledger ledger = open(disk, "1", "1e-3");
  Ledger::Amount released;
  std::map<std::uint32_t, std::pair<std::uint64_t, Bytes>> memo;
  const auto steps = *rc::gen::container<std::vector<std::tuple<std::uint8_t, std::uint8_t, std::uint8_t>>>(
      rc::gen::arbitrary<std::tuple<std::uint8_t, std::uint8_t, std::uint8_t>>());
  for (const auto& [kind, amount, name] : steps) {
    const Claim asked{*Epsilon::make(*Rational::make(amount + 1U, 700)), *Delta::parse("1e-5"), Exactness::kExact, "p"};
    const auto spent_before = ledger.spent();
    const std::uint32_t i = name % 8U;
    bool charged = false;
    if (kind % 3 == 0) {
      charged = static_cast<bool>(ledger.spend(asked));
    } else if (kind % 3 == 1) {
      const Bytes fresh{kind, amount, name};
      const auto report = ledger.release_once(fingerprint(i), asked, [&] { return Result<Bytes>(fresh); });
      const auto known = memo.find(i);
      if (known != memo.end()) {
        RC_ASSERT(static_cast<bool>(report) == (known->second.first == amount));
        if (report) RC_ASSERT(*report == known->second.second);
      } else if (report) {
        charged = true;
        memo[i] = {amount, fresh};
      }
    } else {
      ledger = open(disk, "1", "1e-3");
    }
    if (charged) {
      released.epsilon = *add(released.epsilon, asked.epsilon.value());
      released.delta = *add(released.delta, asked.delta.value());
    } else {
      RC_ASSERT(ledger.spent() == spent_before);
    }
    RC_ASSERT(ledger.spent() == released);
    RC_ASSERT(ledger.spent().epsilon <= ledger.total().epsilon);
    RC_ASSERT(ledger.spent().delta <= ledger.total().delta);
  }
}

// --- On a real file.

class LedgerOnDisk : public ScratchFile {
 protected:
  Result<Ledger> try_open() const {
    auto journal = open_file_journal(path_);
    if (!journal) return journal.error();
    Entropy entropy;
    return Ledger::open(std::move(*journal), epsilon("100"), delta("1e-3"), InexactClaims::kRefuse, entropy);
  }
  Ledger open() const { return try_open().value_or_throw(); }
};

TEST_F(LedgerOnDisk, NeverUndercountsWhereverACrashCutsTheFile) {
  // What had been acknowledged when the file had a given size.
  struct Acknowledged {
    std::size_t file_size;
    Rational epsilon;
    std::uint32_t reports;
  };
  std::vector<Acknowledged> history{{0, Rational(), 0}};
  {
    Ledger ledger = open();
    for (std::uint32_t i = 0; i < 6; ++i) {
      if (i % 2 == 0) {
        ASSERT_TRUE(ledger.spend(claim("1.4", "1e-6")));
      }
      ASSERT_TRUE(ledger.release_once(fingerprint(i), claim("0.7"), [i] { return Result<Bytes>(Bytes(i, 7)); }));
      history.push_back({std::filesystem::file_size(path_), ledger.spent().epsilon, i + 1});
    }
  }
  const std::string whole = bytes();
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    set_bytes(whole.substr(0, size));
    const auto last =
        std::find_if(history.rbegin(), history.rend(), [&](const auto& h) { return h.file_size <= size; });
    auto ledger = try_open();
    ASSERT_TRUE(ledger) << size << ": " << ledger.error().message;
    ASSERT_GE(ledger->spent().epsilon, last->epsilon) << size;
    for (std::uint32_t i = 0; i < last->reports; ++i)
      ASSERT_EQ(*ledger->release_once(fingerprint(i), claim("0.7"), must_not_be_called), Bytes(i, 7)) << size;
    // A pending spend is used, not repeated: releasing all six costs what it cost without the crash, or less.
    for (std::uint32_t i = 0; i < 6; ++i) ASSERT_TRUE(ledger->release_once(fingerprint(i), claim("0.7"), some_report));
    ASSERT_LE(ledger->spent().epsilon, history.back().epsilon);
  }
}

TEST_F(LedgerOnDisk, NoticesAnyChangedByte) {
  {
    Ledger ledger = open();
    ASSERT_TRUE(ledger.spend(claim("1.4", "1e-6")));
    ASSERT_TRUE(ledger.release_once(fingerprint(1), claim("0.7"), some_report));
  }
  const std::string whole = bytes();
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const int change : {1, 2, 4, 8, 16, 32, 64, 128, 255}) {
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ change);
      set_bytes(damaged);
      const auto ledger = try_open();
      ASSERT_FALSE(ledger) << i;
      ASSERT_EQ(ledger.error().code, ErrorCode::kCorruptFile) << i;
    }
}

TEST_F(LedgerOnDisk, BelongsToOneProcessAtATime) {
  std::optional<Ledger> ledger = open();
  const auto try_in_child = [&] {
    const pid_t child = ::fork();
    if (child == 0) {
      const auto second = try_open();
      ::_exit(second ? 0 : second.error().code == ErrorCode::kIo ? 1 : 2);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    return WEXITSTATUS(status);
  };
  EXPECT_EQ(try_in_child(), 1);
  ledger.reset();
  EXPECT_EQ(try_in_child(), 0);
}

TEST_F(LedgerOnDisk, StopsWhenTheDiskIsFull) {
  { ASSERT_TRUE(open().spend(claim("1"))); }
  const std::size_t size = bytes().size();
  const pid_t child = ::fork();
  if (child == 0) {
    Ledger ledger = open();
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{size + 60, RLIM_INFINITY};  // a spend fits in part, or a charge does and its report does not
    if (::setrlimit(RLIMIT_FSIZE, &limit) != 0) ::_exit(1);
    const auto report = ledger.release_once(fingerprint(1), claim("1"), some_report);
    if (report || report.error().code != ErrorCode::kIo) ::_exit(2);
    const rlimit none{RLIM_INFINITY, RLIM_INFINITY};
    if (::setrlimit(RLIMIT_FSIZE, &none) != 0) ::_exit(3);
    ::_exit(ledger.spend(claim("1")) ? 4 : 0);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(WEXITSTATUS(status), 0);
  EXPECT_EQ(bytes().size(), size + 60) << "the write was torn, as this test means it to be";
  Ledger ledger = open();
  EXPECT_EQ(ledger.spent().epsilon, number("1"));
  EXPECT_TRUE(ledger.release_once(fingerprint(1), claim("1"), some_report));
  EXPECT_EQ(ledger.spent().epsilon, number("2"));
}

struct Acknowledgement {
  std::uint32_t record;
  std::uint64_t report;
};

Result<Bytes> random_report() {
  Entropy entropy;
  const auto word = entropy.take<std::uint64_t>();
  Bytes bytes(sizeof word);
  std::memcpy(bytes.data(), &word, sizeof word);
  return bytes;
}

// The child: releases records from `record` on, and tells the parent about each report it has seen, until it is killed.
[[noreturn]] void release_until_killed(Result<Ledger> ledger, int pipe, std::uint32_t record) {
  if (!ledger) ::_exit(1);
  for (;; ++record) {
    const auto report = ledger->release_once(fingerprint(record), claim("0.001"), random_report);
    if (!report) ::_exit(2);
    Acknowledgement seen{record, 0};
    std::memcpy(&seen.report, report->data(), sizeof seen.report);
    if (::write(pipe, &seen, sizeof seen) != sizeof seen) ::_exit(3);
  }
}

// Fifty processes, each killed at a random moment. Whatever a process was seen to release is counted, and is what a
// later process returns for the same record.
TEST_F(LedgerOnDisk, SurvivesKillMinusNine) {
  std::mt19937 random(20240229);
  std::map<std::uint32_t, std::uint64_t> released;
  for (int round = 0; round < 50; ++round) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(pipe[0]);
      release_until_killed(try_open(), pipe[1], static_cast<std::uint32_t>(released.size()));
    }
    ::close(pipe[1]);
    Acknowledgement seen{};
    const auto next = [&] { return ::read(pipe[0], &seen, sizeof seen) == sizeof seen; };
    const auto note = [&] {
      const auto [known, is_new] = released.emplace(seen.record, seen.report);
      EXPECT_TRUE(is_new || known->second == seen.report) << "two reports about record " << seen.record;
    };
    for (auto wanted = random() % 4; wanted > 0 && next(); --wanted) note();
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 1000));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child gave up: " << WEXITSTATUS(status);
    while (next()) note();
    ::close(pipe[0]);

    auto ledger = try_open();
    ASSERT_TRUE(ledger) << ledger.error().message;
    ASSERT_GE(ledger->spend_count(), released.size());
    ASSERT_LE(ledger->spend_count(), released.size() + 1);  // one may be pending, or stored and not yet seen
    ASSERT_EQ(ledger->spent().epsilon, *Rational::make(ledger->spend_count(), 1000));
    for (const auto& [record, report] : released) {
      const auto again = ledger->release_once(fingerprint(record), claim("0.001"), must_not_be_called);
      ASSERT_TRUE(again);
      ASSERT_EQ(std::memcmp(again->data(), &report, sizeof report), 0);
    }
  }
  EXPECT_GT(released.size(), 50U);
}

}  // namespace
}  // namespace sotto
