// Run under the thread sanitizer too: threads share mechanisms, releases and a ledger, and each has errors and entropy
// of its own.
#include <gtest/gtest.h>

#include <set>
#include <string>
#include <thread>

#include "sotto/client/abi_test.h"
#include "sotto/privacy/scratch_file_test.h"

namespace sotto::client {
namespace {

constexpr std::size_t kThreads = 4;

template <typename Function>
void in_threads(const Function& function) {
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < kThreads; ++i) threads.emplace_back([&function, i] { function(i); });
  for (std::thread& thread : threads) thread.join();
}

// As texts, for GCC 12 misreads how std::set compares vectors of bytes.
std::size_t distinct(const std::vector<std::vector<Bytes>>& reports) {
  std::set<std::string> texts;
  for (const auto& some : reports)
    for (const Bytes& report : some) texts.emplace(report.begin(), report.end());
  return texts.size();
}

class AbiInThreads : public ScratchFile {};

TEST_F(AbiInThreads, SharesAReleaseAndNeverANoise) {
  const MechanismHandle mechanism = load(l1_spec(65536));
  const ReleaseHandle release = open(mechanism, options_of("0.1"));
  std::vector<std::vector<Bytes>> reports(kThreads);
  in_threads([&](std::size_t thread) {
    for (int i = 0; i < 50; ++i) {
      reports[thread].push_back(privatize(release, {0.5F, 0}));
      const ReleaseHandle own = open(mechanism, options_of("0.1"));
      reports[thread].push_back(privatize(own, {0.5F, 0}));
    }
  });
  EXPECT_EQ(distinct(reports), kThreads * 100);  // two are equal with a probability below 1e-7
}

TEST_F(AbiInThreads, KeepsErrorsApart) {
  const ReleaseHandle release = open(l1_spec(64), options_of("1"));
  in_threads([&](std::size_t thread) {
    const std::vector<float> values(2 * thread + 3, 0);
    Bytes report(sotto_release_report_size(release.get(), SOTTO_CBOR));
    for (int i = 0; i < 100; ++i) {
      EXPECT_EQ(sotto_privatize(release.get(), values.data(), values.size(), nullptr, 0, SOTTO_CBOR, report.data(),
                                report.size()),
                SOTTO_INVALID_INPUT);
      EXPECT_TRUE(contains(sotto_last_error(), "got " + std::to_string(values.size()))) << sotto_last_error();
    }
  });
}

// Every thread asks about every record: each record is charged once, and all threads hold one report about it.
TEST_F(AbiInThreads, SharesALedgerThatChargesEachRecordOnce) {
  constexpr std::size_t kRecords = 8;
  const ReleaseHandle release = open(l1_spec(65536), options_of("1"));
  const std::string path = path_.string();
  sotto_ledger_options options{};
  options.struct_size = sizeof(options);
  options.path = path.c_str();
  options.epsilon = "8";
  sotto_ledger* opened = nullptr;
  ASSERT_EQ(sotto_ledger_open(&options, &opened), SOTTO_OK) << sotto_last_error();
  const LedgerHandle ledger(opened);
  std::vector<std::vector<Bytes>> reports(kThreads, std::vector<Bytes>(kRecords));
  in_threads([&](std::size_t thread) {
    for (std::size_t i = 0; i < kRecords; ++i) {
      const std::size_t which = (i + 2 * thread) % kRecords;
      const float record[] = {static_cast<float>(which) / 8, 0};
      Bytes& report = reports[thread][which];
      report.resize(sotto_release_report_size(release.get(), SOTTO_CBOR));
      EXPECT_EQ(
          sotto_ledger_privatize(opened, release.get(), record, 2, nullptr, SOTTO_CBOR, report.data(), report.size()),
          SOTTO_OK)
          << sotto_last_error();
      sotto_balance balance{};
      balance.struct_size = sizeof(balance);
      EXPECT_EQ(sotto_ledger_balance(opened, &balance), SOTTO_OK);
      EXPECT_STREQ(balance.total_epsilon, "8");
    }
  });
  for (const auto& some : reports) EXPECT_EQ(some, reports[0]);
  EXPECT_EQ(distinct(reports), kRecords);
  sotto_balance balance{};
  balance.struct_size = sizeof(balance);
  ASSERT_EQ(sotto_ledger_balance(opened, &balance), SOTTO_OK);
  EXPECT_EQ(balance.charges, kRecords);
  EXPECT_STREQ(balance.remaining_epsilon, "0");
}

}  // namespace
}  // namespace sotto::client
