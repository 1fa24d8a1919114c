#include "sotto/collect/sqlite_store.h"

#include <gtest/gtest.h>
#include <sqlite3.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstring>
#include <map>
#include <random>
#include <thread>

#include "sotto/privacy/scratch_file_test.h"
#include "sotto/wire/report_codec.h"

namespace sotto {
namespace {

DeliveryKey key(std::uint32_t i) {
  DeliveryKey bytes{};
  std::memcpy(bytes.data(), &i, sizeof i);
  return bytes;
}

Delivery delivery(std::uint32_t i, const std::string& packed = "abcdef", std::uint64_t reports = 2,
                  const std::string& preamble = "preamble") {
  return {key(i), preamble, reports, packed};
}

class SqliteStore : public ScratchFile {
 protected:
  std::unique_ptr<ReportStore> open() const { return open_sqlite_store(path_).value_or_throw(); }
  std::string refusal() const {
    const auto store = open_sqlite_store(path_);
    return store ? "opened" : store.error().message;
  }
  void run_sql(const char* sql) const {
    sqlite3* connection = nullptr;
    ASSERT_EQ(sqlite3_open(path_.c_str(), &connection), SQLITE_OK);
    EXPECT_EQ(sqlite3_exec(connection, sql, nullptr, nullptr, nullptr), SQLITE_OK) << sqlite3_errmsg(connection);
    sqlite3_close(connection);
  }
};

Receipt keep(ReportStore& store, const Delivery& one) {
  return store.keep(std::span(&one, 1)).value_or_throw().front();
}

// Each delivery of a collection as its bytes.
std::vector<std::string> read(ReportStore& store, std::uint64_t collection) {
  std::vector<std::string> all;
  store
      .read(collection,
            [&](std::uint64_t, std::span<const std::uint8_t> packed) {
              all.emplace_back(packed.begin(), packed.end());
              return Status();
            })
      .or_throw();
  return all;
}

TEST_F(SqliteStore, KeepsDeliveriesInTheirOrderAndForThoseWhoComeLater) {
  {
    const auto store = open();
    EXPECT_TRUE(store->collections().value_or_throw().empty());
    EXPECT_EQ(keep(*store, delivery(7, "first.")), Receipt::kKept);
    EXPECT_EQ(keep(*store, delivery(3, std::string("\0\xFF\0\n'\0", 6))), Receipt::kKept);
    EXPECT_EQ(keep(*store, delivery(5, "other", 1, "another")), Receipt::kKept);
  }
  const auto store = open();
  const auto collections = store->collections().value_or_throw();
  ASSERT_EQ(collections.size(), 2U);
  EXPECT_EQ(collections[0].preamble, "preamble");
  EXPECT_EQ(collections[0].packed_length, 3U);
  EXPECT_EQ(collections[0].deliveries, 2U);
  EXPECT_EQ(collections[0].reports, 4U);
  EXPECT_EQ(collections[1].reports, 1U);
  EXPECT_EQ(read(*store, collections[0].number), (std::vector<std::string>{"first.", std::string("\0\xFF\0\n'\0", 6)}));
  EXPECT_EQ(read(*store, collections[1].number), std::vector<std::string>{"other"});
  EXPECT_TRUE(read(*store, 99).empty());
}

TEST_F(SqliteStore, KeepsADeliveryOnceHoweverOftenItIsSent) {
  const auto store = open();
  const Delivery one = delivery(1);
  EXPECT_EQ(keep(*store, one), Receipt::kKept);
  EXPECT_EQ(keep(*store, one), Receipt::kKeptBefore);
  EXPECT_EQ(keep(*open(), one), Receipt::kKeptBefore) << "and by another process";
  const std::vector<Delivery> twice = {delivery(2), delivery(2)};
  EXPECT_EQ(store->keep(twice).value_or_throw(), (std::vector{Receipt::kKept, Receipt::kKeptBefore}));
  EXPECT_EQ(store->collections().value_or_throw()[0].reports, 4U);
}

TEST_F(SqliteStore, RefusesAnotherDeliveryUnderTheSameKey) {
  const auto store = open();
  keep(*store, delivery(1));
  for (const Delivery& other : {delivery(1, "abcdeg"), delivery(1, "abcdef", 2, "another"), delivery(1, "abc", 1)})
    EXPECT_EQ(keep(*store, other), Receipt::kRefused);
  EXPECT_EQ(read(*store, 1), std::vector<std::string>{"abcdef"});
}

TEST_F(SqliteStore, KeepsAllOrNone) {
  const auto store = open();
  for (const Delivery& bad :
       {delivery(2, "abcde"), delivery(2, "", 0), delivery(2, "", 1), delivery(2, "ab", 1, ""), delivery(2, "ab")}) {
    const std::vector<Delivery> both = {delivery(1), bad};
    EXPECT_FALSE(store->keep(both)) << bad.packed;
    EXPECT_TRUE(store->collections().value_or_throw().empty());
  }
  EXPECT_EQ(keep(*store, delivery(1)), Receipt::kKept) << "the store goes on";
}

TEST_F(SqliteStore, StopsReadingWhenTheReaderFails) {
  const auto store = open();
  keep(*store, delivery(1));
  keep(*store, delivery(2));
  int visited = 0;
  const Status status = store->read(1, [&](auto, auto) {
    ++visited;
    return Status(refuse("enough"));
  });
  EXPECT_EQ(status.error().message, "enough");
  EXPECT_EQ(visited, 1);
}

TEST_F(SqliteStore, TellsTheHeaderOfACollection) {
  const ReportHeader header{{1, 2, 3}, {Epsilon::parse("1/2").value_or_throw(), Delta::zero(), std::nullopt, true}};
  const ReportCodec codec(header, {{0, 1000}, {-5, 5}});
  std::string report;
  codec.append_cbor(std::vector<std::int64_t>{17, -3}, report);
  const auto store = open();
  keep(*store, {key(1), codec.cbor_preamble(), 1, report.substr(codec.cbor_preamble().size())});
  const auto collections = store->collections().value_or_throw();
  EXPECT_EQ(collections[0].header().value_or_throw(), header);
  keep(*store, delivery(2));
  EXPECT_FALSE(store->collections().value_or_throw()[1].header());
}

TEST_F(SqliteStore, SaysWhatIsWrongWithAFileThatIsNoStore) {
  set_bytes("a letter to a friend, and quite a long one");
  EXPECT_NE(refusal().find("not a store of reports"), std::string::npos) << refusal();
  EXPECT_FALSE(is_sqlite_file(path_));
  std::filesystem::remove(path_);
  run_sql("CREATE TABLE songs (name)");
  EXPECT_TRUE(is_sqlite_file(path_));
  EXPECT_NE(refusal().find("a database, but not a store of reports"), std::string::npos) << refusal();
  std::filesystem::remove(path_);
  open();
  run_sql("PRAGMA user_version = 99");
  EXPECT_NE(refusal().find("made by a later sotto"), std::string::npos) << refusal();
  path_ = directory_ / "nowhere" / "file";
  EXPECT_NE(refusal().find("cannot be opened"), std::string::npos) << refusal();
}

TEST_F(SqliteStore, RefusesLengthsThatDoNotGoTogether) {
  for (const char* change :
       {"UPDATE collections SET packed_length = 0", "UPDATE collections SET packed_length = -3",
        "UPDATE collections SET packed_length = 1 << 40", "UPDATE deliveries SET reports = 5",
        "UPDATE deliveries SET packed = x'00'", "UPDATE deliveries SET reports = 0, packed = x''"}) {
    std::filesystem::remove(path_);
    keep(*open(), delivery(1));
    run_sql(change);
    const auto store = open();
    const auto collections = store->collections();
    const Status status = store->read(1, [](auto, auto) { return Status(); });
    EXPECT_TRUE(!collections || !status) << change;
  }
}

// A file that may not grow is what a full disk looks like.
TEST_F(SqliteStore, SaysThatTheDiskIsFullAndLosesNothing) {
  const auto fill = [](ReportStore& store) {
    for (std::uint32_t i = 2; i < 2000; ++i) {
      const Delivery large = delivery(i, std::string(99'999, 'x'), 33'333);
      const auto receipts = store.keep(std::span(&large, 1));
      if (!receipts) return receipts.error().message;
    }
    return std::string("never full");
  };
  const auto store = open();
  keep(*store, delivery(1));
  rlimit before{};
  ASSERT_EQ(::getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto previous = std::signal(SIGXFSZ, SIG_IGN);
  const rlimit small{2'000'000, before.rlim_max};
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &small), 0);
  const std::string said = fill(*store);
  ASSERT_EQ(::setrlimit(RLIMIT_FSIZE, &before), 0);
  std::signal(SIGXFSZ, previous);
  EXPECT_NE(said.find("store "), std::string::npos) << said;
  EXPECT_NE(said, "never full");
  const auto kept = read(*store, 1).size();
  EXPECT_GE(kept, 1U);
  EXPECT_EQ(keep(*store, delivery(5000)), Receipt::kKept) << "there is room again";
  EXPECT_EQ(read(*open(), 1).size(), kept + 1);
}

// Many writers at once: each delivery once, none lost.
TEST_F(SqliteStore, IsSharedByProcesses) {
  constexpr std::uint32_t kProcesses = 4, kEach = 50;
  open();
  std::vector<pid_t> children;
  for (std::uint32_t process = 0; process < kProcesses; ++process) {
    children.push_back(::fork());
    if (children.back() == 0) {
      const auto store = open();
      for (std::uint32_t i = 0; i < kEach; ++i) keep(*store, delivery(i * (process % 2 + 1)));
      ::_exit(0);
    }
  }
  for (const pid_t child : children) {
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(read(*open(), 1).size(), kEach + kEach / 2);  // 0 to 49, and the even ones from 50 to 98
}

// Keeps deliveries, and tells of each that it was kept.
[[noreturn]] void keep_until_killed(const std::filesystem::path& path, int pipe, std::uint32_t first) {
  const auto store = open_sqlite_store(path);
  if (!store) ::_exit(1);
  for (std::uint32_t i = first;; ++i) {
    const Delivery next = delivery(i, std::string(2000, static_cast<char>('a' + i % 26)));
    if (!(*store)->keep(std::span(&next, 1))) ::_exit(2);
    if (::write(pipe, &i, sizeof i) != sizeof i) ::_exit(3);
  }
}

TEST_F(SqliteStore, SurvivesKillMinusNine) {
  std::mt19937 random(20261118);
  std::uint32_t acknowledged = 0;
  for (int round = 0; round < 50; ++round) {
    int pipe[2];
    ASSERT_EQ(::pipe(pipe), 0);
    const pid_t child = ::fork();
    if (child == 0) {
      ::close(pipe[0]);
      keep_until_killed(path_, pipe[1], acknowledged);
    }
    ::close(pipe[1]);
    std::uint32_t seen = 0;
    const auto next = [&] { return ::read(pipe[0], &seen, sizeof seen) == sizeof seen; };
    for (auto wanted = random() % 6; wanted > 0 && next(); --wanted) acknowledged = seen + 1;
    std::this_thread::sleep_for(std::chrono::microseconds(random() % 2000));
    ASSERT_EQ(::kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(::waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child gave up: " << WEXITSTATUS(status);
    while (next()) acknowledged = seen + 1;
    ::close(pipe[0]);
    if (acknowledged == 0) continue;
    const auto kept = read(*open(), 1);
    ASSERT_GE(kept.size(), acknowledged);
    ASSERT_LE(kept.size(), acknowledged + 1);  // one may be kept and not yet told of
    for (std::uint32_t i = 0; i < kept.size(); ++i) ASSERT_EQ(kept[i][0], static_cast<char>('a' + i % 26));
  }
  EXPECT_GT(acknowledged, 50U);
}

// What a cut in the log's last commit leaves is the store before it.
TEST_F(SqliteStore, RecoversFromALogThatWasCutOff) {
  const std::filesystem::path log = path_.string() + "-wal", copy = directory_ / "copy";
  const auto store = open();
  for (std::uint32_t i = 0; i < 20; ++i) keep(*store, delivery(i));
  const auto whole = std::filesystem::file_size(log);
  for (const std::uintmax_t lost : {std::uintmax_t{1}, whole / 3, whole / 2, whole - 10}) {
    std::filesystem::copy_file(path_, copy, std::filesystem::copy_options::overwrite_existing);
    std::filesystem::copy_file(log, copy.string() + "-wal", std::filesystem::copy_options::overwrite_existing);
    std::filesystem::resize_file(copy.string() + "-wal", whole - lost);
    const auto recovered = open_sqlite_store(copy).value_or_throw();
    const auto collections = recovered->collections().value_or_throw();
    const auto kept = collections.empty() ? std::vector<std::string>() : read(*recovered, 1);
    EXPECT_LT(kept.size(), 20U);
    EXPECT_TRUE(std::ranges::all_of(kept, [](const std::string& packed) { return packed == "abcdef"; }));
    EXPECT_EQ(keep(*recovered, delivery(100)), Receipt::kKept);
  }
}

}  // namespace
}  // namespace sotto
