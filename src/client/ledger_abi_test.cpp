#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstring>
#include <limits>
#include <map>

#include "sotto/client/abi_test.h"
#include "sotto/privacy/scratch_file_test.h"

namespace sotto::client {
namespace {

using Record = std::vector<float>;

class LedgerAbi : public ScratchFile {
 protected:
  sotto_status try_open(const char* epsilon, LedgerHandle& ledger, const char* delta = nullptr) const {
    const std::string path = path_.string();
    sotto_ledger_options options{};
    options.struct_size = sizeof(options);
    options.path = path.c_str();
    options.epsilon = epsilon;
    options.delta = delta;
    auto* opened = reinterpret_cast<sotto_ledger*>(8);
    const sotto_status status = sotto_ledger_open(&options, &opened);
    EXPECT_EQ(status == SOTTO_OK, opened != nullptr);
    ledger.reset(opened);
    return status;
  }

  LedgerHandle open_ledger(const char* epsilon) const {
    LedgerHandle ledger;
    EXPECT_EQ(try_open(epsilon, ledger), SOTTO_OK) << sotto_last_error();
    return ledger;
  }

  const ReleaseHandle release_ = open(labelled(l1_spec(65536)), with_lambda("1/2", "0.5"));
};

sotto_balance balance_of(const LedgerHandle& ledger) {
  sotto_balance balance{};
  balance.struct_size = sizeof(balance);
  EXPECT_EQ(sotto_ledger_balance(ledger.get(), &balance), SOTTO_OK) << sotto_last_error();
  return balance;
}

sotto_status ask(const LedgerHandle& ledger, const ReleaseHandle& release, const Record& record, std::int32_t label,
                 Bytes& report, sotto_format format = SOTTO_CBOR) {
  report.assign(sotto_release_report_size(release.get(), format), 0xEE);
  return sotto_ledger_privatize(ledger.get(), release.get(), record.data(), record.size(), &label, format,
                                report.data(), report.size());
}

Bytes answer(const LedgerHandle& ledger, const ReleaseHandle& release, const Record& record, std::int32_t label,
             sotto_format format = SOTTO_CBOR) {
  Bytes report;
  EXPECT_EQ(ask(ledger, release, record, label, report, format), SOTTO_OK) << sotto_last_error();
  return report;
}

TEST_F(LedgerAbi, ReleasesARecordOnceAndRepeatsItselfForNothing) {
  LedgerHandle ledger = open_ledger("2");
  const Bytes first = answer(ledger, release_, {0.5F, 0}, 1);
  EXPECT_FALSE(is_all_zero(first));
  for (int i = 0; i < 5; ++i) EXPECT_EQ(answer(ledger, release_, {0.5F, 0}, 1), first);
  EXPECT_STREQ(balance_of(ledger).spent_epsilon, "0.5");
  EXPECT_EQ(balance_of(ledger).charges, 1U);
  ledger.reset();
  ledger = open_ledger("2");  // another day, another process
  EXPECT_EQ(answer(ledger, release_, {0.5F, 0}, 1), first);
  EXPECT_STREQ(balance_of(ledger).spent_epsilon, "0.5");
  EXPECT_NE(answer(ledger, release_, {0.5F, 0}, 2), first) << "another label is another record";
  EXPECT_NE(answer(ledger, release_, {0.25F, 0}, 1), first);
  EXPECT_STREQ(balance_of(ledger).spent_epsilon, "1.5");
}

TEST_F(LedgerAbi, TellsOneReportInBothFormats) {
  const LedgerHandle ledger = open_ledger("2");
  const Bytes cbor = answer(ledger, release_, {0.5F, 0}, 1);
  const Bytes ndjson = answer(ledger, release_, {0.5F, 0}, 1, SOTTO_NDJSON);
  const Release reader =
      mechanism_of(labelled(l1_spec(65536))).release({epsilon("0.5"), Delta::zero(), lambda("0.5")}).value_or_throw();
  std::vector<std::int64_t> first(reader.report_length()), second(reader.report_length());
  ASSERT_TRUE(reader.codec().read_cbor(cbor, first));
  ASSERT_TRUE(reader.codec().read_ndjson({reinterpret_cast<const char*>(ndjson.data()), ndjson.size()}, second));
  EXPECT_EQ(first, second);
  EXPECT_EQ(balance_of(ledger).charges, 1U);
}

TEST_F(LedgerAbi, ChargesAnotherReleaseOfTheSameRecordAnew) {
  const LedgerHandle ledger = open_ledger("10");
  const MechanismHandle mechanism = load(labelled(l1_spec(65536)));
  (void)answer(ledger, open(mechanism, with_lambda("1", "0.5")), {0.5F, 0}, 1);
  (void)answer(ledger, open(mechanism, with_lambda("1", "0.25")), {0.5F, 0}, 1);
  (void)answer(ledger, open(mechanism, with_joint_label("1")), {0.5F, 0}, 1);
  (void)answer(ledger, open(mechanism, with_joint_label("2")), {0.5F, 0}, 1);
  (void)answer(ledger, open(labelled(l1_spec(64)), with_joint_label("2")), {0.5F, 0}, 1);
  EXPECT_STREQ(balance_of(ledger).spent_epsilon, "7");
  EXPECT_STREQ(balance_of(ledger).remaining_epsilon, "3");
  EXPECT_STREQ(balance_of(ledger).total_epsilon, "10");
  EXPECT_EQ(balance_of(ledger).charges, 5U);
}

TEST_F(LedgerAbi, RefusesWhenTheBudgetIsSpentButStillRepeatsItself) {
  const LedgerHandle ledger = open_ledger("1");
  const Bytes first = answer(ledger, release_, {0, 0}, 0);
  (void)answer(ledger, release_, {1, 0}, 0);
  Bytes report;
  expect_refusal(ask(ledger, release_, {0.123456F, 0}, 0, report), SOTTO_BUDGET_EXCEEDED, "budget: total epsilon = 1");
  EXPECT_FALSE(contains(sotto_last_error(), "0.1234"));
  EXPECT_TRUE(is_all_zero(report));
  EXPECT_STREQ(balance_of(ledger).remaining_epsilon, "0");
  EXPECT_EQ(balance_of(ledger).charges, 2U);
  EXPECT_EQ(answer(ledger, release_, {0, 0}, 0), first);
}

TEST_F(LedgerAbi, ChargesNothingForACallThatIsRefused) {
  const LedgerHandle ledger = open_ledger("1");
  const std::string before = bytes();
  const std::size_t size = sotto_release_report_size(release_.get(), SOTTO_CBOR);
  const float values[] = {0, 0, 0};
  const std::int32_t labels[] = {0, 3, -1};
  Bytes report(size + 1, 0xEE);
  const auto call = [&](const sotto_ledger* l, const sotto_release* r, const float* v, std::size_t count,
                        const std::int32_t* label, sotto_format format, void* out, std::size_t out_size) {
    std::fill(report.begin(), report.end(), std::uint8_t{0xEE});
    const sotto_status status =
        sotto_ledger_privatize(const_cast<sotto_ledger*>(l), r, v, count, label, format, out, out_size);
    EXPECT_NE(status, SOTTO_OK);
    const std::size_t told = out == nullptr ? 0 : out_size;
    EXPECT_TRUE(is_all_zero({report.begin(), report.begin() + static_cast<std::ptrdiff_t>(told)}));
    EXPECT_STRNE(sotto_last_error(), "");
    return status;
  };
  const sotto_ledger* l = ledger.get();
  const sotto_release* r = release_.get();
  EXPECT_EQ(call(nullptr, r, values, 2, labels, SOTTO_CBOR, report.data(), size), SOTTO_INVALID_ARGUMENT);
  EXPECT_EQ(call(l, nullptr, values, 2, labels, SOTTO_CBOR, report.data(), size), SOTTO_INVALID_ARGUMENT);
  EXPECT_EQ(call(l, r, nullptr, 2, labels, SOTTO_CBOR, report.data(), size), SOTTO_INVALID_ARGUMENT);
  EXPECT_EQ(call(l, r, values, 2, labels, SOTTO_CBOR, nullptr, size), SOTTO_INVALID_ARGUMENT);
  EXPECT_EQ(call(l, r, values, 2, labels, 0, report.data(), size), SOTTO_INVALID_ARGUMENT);
  EXPECT_EQ(call(l, r, values, 2, labels, SOTTO_CBOR, report.data(), size + 1), SOTTO_INVALID_ARGUMENT);
  EXPECT_EQ(call(l, r, values, 2, labels, SOTTO_CBOR, report.data(), 0), SOTTO_INVALID_ARGUMENT);
  EXPECT_EQ(call(l, r, values, 1, labels, SOTTO_CBOR, report.data(), size), SOTTO_INVALID_INPUT);
  EXPECT_EQ(call(l, r, values, 3, labels, SOTTO_CBOR, report.data(), size), SOTTO_INVALID_INPUT);
  EXPECT_EQ(call(l, r, values, 0, labels, SOTTO_CBOR, report.data(), size), SOTTO_INVALID_INPUT);
  EXPECT_EQ(call(l, r, values, 2, nullptr, SOTTO_CBOR, report.data(), size), SOTTO_INVALID_INPUT);
  EXPECT_EQ(call(l, r, values, 2, labels + 1, SOTTO_CBOR, report.data(), size), SOTTO_INVALID_INPUT);
  EXPECT_EQ(call(l, r, values, 2, labels + 2, SOTTO_CBOR, report.data(), size), SOTTO_INVALID_INPUT);
  EXPECT_EQ(bytes(), before);
  EXPECT_STREQ(balance_of(ledger).spent_epsilon, "0");
}

TEST_F(LedgerAbi, TakesHostileRecordsLikeAnyOther) {
  const LedgerHandle ledger = open_ledger("2");
  const Record record = {std::numeric_limits<float>::quiet_NaN(), -std::numeric_limits<float>::infinity()};
  EXPECT_EQ(answer(ledger, release_, record, 0), answer(ledger, release_, record, 0));
  EXPECT_EQ(balance_of(ledger).charges, 1U);
}

TEST_F(LedgerAbi, HasNoDefaultBudgetAndKeepsTheOneItWasCreatedWith) {
  LedgerHandle ledger;
  expect_refusal(try_open(nullptr, ledger), SOTTO_INVALID_ARGUMENT, "no default");
  expect_refusal(try_open("lots", ledger), SOTTO_INVALID_ARGUMENT, "epsilon");
  expect_refusal(try_open("1", ledger, "2"), SOTTO_INVALID_ARGUMENT, "delta");
  EXPECT_FALSE(std::filesystem::exists(path_)) << "a refused call created a file";
  open_ledger("2").reset();
  expect_refusal(try_open("3", ledger), SOTTO_INVALID_ARGUMENT, "fixed at creation");
  expect_refusal(try_open("2", ledger, "1e-6"), SOTTO_INVALID_ARGUMENT, "fixed at creation");
  EXPECT_EQ(try_open("4/2", ledger), SOTTO_OK) << "the same number";
}

TEST_F(LedgerAbi, RefusesNullAndSizesThatAreNone) {
  sotto_ledger* opened = nullptr;
  expect_refusal(sotto_ledger_open(nullptr, &opened), SOTTO_INVALID_ARGUMENT, "NULL");
  sotto_ledger_options options{};
  options.struct_size = sizeof(options);
  options.epsilon = "1";
  expect_refusal(sotto_ledger_open(&options, nullptr), SOTTO_INVALID_ARGUMENT, "NULL");
  expect_refusal(sotto_ledger_open(&options, &opened), SOTTO_INVALID_ARGUMENT, "path");
  options.path = "";
  expect_refusal(sotto_ledger_open(&options, &opened), SOTTO_INVALID_ARGUMENT, "path");
  sotto_ledger_free(nullptr);

  const LedgerHandle ledger = open_ledger("1");
  sotto_balance balance{};
  expect_refusal(sotto_ledger_balance(ledger.get(), &balance), SOTTO_INVALID_ARGUMENT, "struct_size");
  expect_refusal(sotto_ledger_balance(ledger.get(), nullptr), SOTTO_INVALID_ARGUMENT, "NULL");
  balance.struct_size = sizeof(balance);
  expect_refusal(sotto_ledger_balance(nullptr, &balance), SOTTO_INVALID_ARGUMENT, "NULL");
  struct Later {
    sotto_balance known;
    std::uint64_t unknown;
  } later{{}, 99};
  later.known.struct_size = sizeof(later);
  EXPECT_EQ(sotto_ledger_balance(ledger.get(), &later.known), SOTTO_OK);
  EXPECT_EQ(later.unknown, 0U);
  EXPECT_EQ(later.known.struct_size, sizeof(later));
}

TEST_F(LedgerAbi, CannotBeOpenedTwice) {
  const LedgerHandle ledger = open_ledger("1");
  LedgerHandle second;
  expect_refusal(try_open("1", second), SOTTO_IO, "in use");
}

TEST_F(LedgerAbi, RefusesADamagedFileAndOneThatOthersMayRead) {
  LedgerHandle ledger = open_ledger("2");
  (void)answer(ledger, release_, {0, 0}, 0);
  ledger.reset();
  const std::string intact = bytes();
  for (std::size_t i = 0; i < intact.size(); i += 7) {
    std::string damaged = intact;
    damaged[i] = static_cast<char>(damaged[i] ^ 1);
    set_bytes(damaged);
    expect_refusal(try_open("2", ledger), SOTTO_CORRUPT_FILE, "damaged");
  }
  set_bytes(intact);
  EXPECT_EQ(try_open("2", ledger), SOTTO_OK);
  ledger.reset();
  std::filesystem::permissions(path_, std::filesystem::perms::others_read, std::filesystem::perm_options::add);
  expect_refusal(try_open("2", ledger), SOTTO_IO, "0600");
}

TEST_F(LedgerAbi, RefusesToWriteInAForkedChild) {
  const LedgerHandle ledger = open_ledger("2");
  const pid_t child = ::fork();
  if (child == 0) {
    Bytes report;
    const sotto_status status = ask(ledger, release_, {0, 0}, 0, report);
    ::_exit(status == SOTTO_IO && is_all_zero(report) ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  EXPECT_STREQ(balance_of(ledger).spent_epsilon, "0");
}

// The child reports each record as soon as it holds its report, and is killed at some moment; the next one opens the
// file. What a caller saw is never forgotten and never said differently.
TEST_F(LedgerAbi, ForgetsNothingWhenItIsKilled) {
  struct Seen {
    std::uint32_t record;
    std::array<std::uint8_t, 256> report;
  };
  // So cheap that the budget outlasts the pipe, in which a child waits for its reader.
  const ReleaseHandle release = open(labelled(l1_spec(65536)), with_lambda("0.01", "0.5"));
  const std::size_t size = sotto_release_report_size(release.get(), SOTTO_CBOR);
  ASSERT_LE(size, sizeof(Seen::report));
  const auto record = [](std::uint32_t i) { return Record{static_cast<float>(i), 0}; };
  std::map<std::uint32_t, Bytes> released;
  for (int life = 0; life < 6; ++life) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      const LedgerHandle ledger = open_ledger("100");
      for (std::uint32_t i = 0;; ++i) {
        Seen seen{i, {}};
        Bytes report;
        if (ask(ledger, release, record(i), 0, report) != SOTTO_OK) ::_exit(1);
        std::memcpy(seen.report.data(), report.data(), size);
        if (::write(pipe[1], &seen, sizeof seen) != sizeof seen) ::_exit(2);
      }
    }
    ::close(pipe[1]);
    Seen seen{};
    const auto note = [&] {
      const Bytes report(seen.report.begin(), seen.report.begin() + static_cast<std::ptrdiff_t>(size));
      const auto [known, is_new] = released.emplace(seen.record, report);
      EXPECT_TRUE(is_new || known->second == report) << "two reports about record " << seen.record;
    };
    const auto next = [&] { return ::read(pipe[0], &seen, sizeof seen) == static_cast<ssize_t>(sizeof seen); };
    for (int wanted = 4 * life + 1; wanted > 0 && next(); --wanted) note();
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    while (next()) note();
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child gave up: " << WEXITSTATUS(status);
    ::close(pipe[0]);

    const LedgerHandle ledger = open_ledger("100");
    const std::uint64_t charges = balance_of(ledger).charges;
    EXPECT_GE(charges, released.size());
    EXPECT_LE(charges, released.size() + 1) << "at most one was charged and not seen";
    for (const auto& [i, report] : released) EXPECT_EQ(answer(ledger, release, record(i), 0), report);
    EXPECT_EQ(balance_of(ledger).charges, charges);
  }
}

}  // namespace
}  // namespace sotto::client
