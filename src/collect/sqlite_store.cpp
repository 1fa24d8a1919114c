#include "sotto/collect/sqlite_store.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <string_view>
#include <utility>

#include "sotto/collect/sqlite_database.h"

namespace sotto {
namespace {

// "sott": tells our files from those of other programs.
constexpr std::int64_t kApplication = 0x736F7474;

// What brings a store from each version to the next. Only ever appended to.
constexpr std::array kMigrations{
    "CREATE TABLE collections (number INTEGER PRIMARY KEY, preamble BLOB NOT NULL UNIQUE,"
    " packed_length INTEGER NOT NULL) STRICT;"
    "CREATE TABLE deliveries (number INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE,"
    " collection INTEGER NOT NULL REFERENCES collections, reports INTEGER NOT NULL, packed BLOB NOT NULL) STRICT;"
    "CREATE INDEX deliveries_of_collection ON deliveries (collection, number, reports);"
    "PRAGMA application_id = 0x736F7474; PRAGMA user_version = 1;"};

std::span<const std::uint8_t> octets(std::string_view text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

// Rolls back unless it was committed.
class Transaction {
 public:
  explicit Transaction(SqliteDatabase& database) : database_(database) {}
  ~Transaction() {
    if (database_.in_transaction()) static_cast<void>(database_.execute("ROLLBACK"));
  }
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;

  // Takes the right to write at once: two that both read first could not both go on.
  Status begin() { return database_.execute("BEGIN IMMEDIATE"); }
  Status commit() { return database_.execute("COMMIT"); }

 private:
  SqliteDatabase& database_;
};

Status migrate(SqliteDatabase& database, const std::string& name) {
  // The log is what readers and a writer need to go on side by side, and FULL is what makes a commit durable.
  if (const Status status = database.execute("PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL;"); !status)
    return status;
  Transaction transaction(database);
  if (const Status status = transaction.begin(); !status) return status;
  const auto application = database.integer("PRAGMA application_id");
  const auto version = database.integer("PRAGMA user_version");
  const auto tables = database.integer("SELECT count(*) FROM sqlite_schema");
  for (const auto* answer : {&application, &version, &tables})
    if (!*answer) return answer->error();
  const bool is_new = *application == 0 && *version == 0 && *tables == 0;
  if (!is_new && *application != kApplication)
    return Error{ErrorCode::kCorruptFile, name + ": a database, but not a store of reports"};
  if (*version > static_cast<std::int64_t>(kMigrations.size()))
    return Error{ErrorCode::kUnsupported, name + ": made by a later sotto, version " + std::to_string(*version) +
                                              " of the store; this one knows up to " +
                                              std::to_string(kMigrations.size())};
  for (auto next = static_cast<std::size_t>(*version); next < kMigrations.size(); ++next)
    if (const Status status = database.execute(kMigrations[next]); !status) return status;
  return transaction.commit();
}

// What no sotto has written: somebody else changed the file.
Error damaged() { return {ErrorCode::kCorruptFile, "store: damaged, lengths of reports do not go together"}; }

constexpr std::int64_t kLongestReport = std::int64_t{1} << 26;  // bytes

struct Statements {
  SqliteStatement add_collection, find_collection, add_delivery, compare_delivery;

  void reset() {
    for (SqliteStatement* each : {&add_collection, &find_collection, &add_delivery, &compare_delivery}) each->reset();
  }
};

Result<Statements> prepare_all(SqliteDatabase& database) {
  auto add_collection =
      database.prepare("INSERT INTO collections (preamble, packed_length) VALUES (?1, ?2) ON CONFLICT DO NOTHING");
  auto find_collection = database.prepare("SELECT number FROM collections WHERE preamble = ?1 AND packed_length = ?2");
  auto add_delivery = database.prepare(
      "INSERT INTO deliveries (key, collection, reports, packed) VALUES (?1, ?2, ?3, ?4) ON CONFLICT DO NOTHING "
      "RETURNING number");
  auto compare_delivery =
      database.prepare("SELECT collection = ?2 AND reports = ?3 AND packed = ?4 FROM deliveries WHERE key = ?1");
  for (const auto* each : {&add_collection, &find_collection, &add_delivery, &compare_delivery})
    if (!*each) return each->error();
  return Statements{std::move(*add_collection), std::move(*find_collection), std::move(*add_delivery),
                    std::move(*compare_delivery)};
}

class SqliteStore final : public ReportStore {
 public:
  SqliteStore(SqliteDatabase database, Statements statements)
      : database_(std::move(database)), statements_(std::move(statements)) {}

  Result<std::vector<Receipt>> keep(std::span<const Delivery> deliveries) override {
    Transaction transaction(database_);
    if (const Status status = transaction.begin(); !status) return status.error();
    std::vector<Receipt> receipts;
    for (const Delivery& delivery : deliveries) {
      if (const Status status = check(delivery); !status) return status.error();
      auto receipt = keep_one(delivery);
      statements_.reset();
      if (!receipt) return receipt.error();
      receipts.push_back(*receipt);
    }
    if (const Status status = transaction.commit(); !status) return status.error();
    return receipts;
  }

  Result<std::vector<StoredCollection>> collections() override {
    auto statement = database_.prepare(
        "SELECT collections.number, preamble, packed_length, count(reports), coalesce(sum(reports), 0) FROM "
        "collections LEFT JOIN "
        "deliveries ON collection = collections.number GROUP BY collections.number ORDER BY collections.number");
    if (!statement) return statement.error();
    std::vector<StoredCollection> all;
    while (true) {
      const auto row = statement->step();
      if (!row) return row.error();
      if (!*row) return all;
      const auto preamble = statement->bytes(1);
      if (statement->integer(2) < 1 || statement->integer(2) > kLongestReport) return damaged();
      all.push_back({static_cast<std::uint64_t>(statement->integer(0)), std::string(preamble.begin(), preamble.end()),
                     static_cast<std::uint64_t>(statement->integer(2)),
                     static_cast<std::uint64_t>(statement->integer(3)),
                     static_cast<std::uint64_t>(statement->integer(4))});
    }
  }

  Status read(std::uint64_t collection, const Visit& visit) override {
    auto statement = database_.prepare(
        "SELECT reports, packed, reports > 0 AND length(packed) = reports * packed_length FROM deliveries JOIN "
        "collections ON collection = collections.number WHERE collection = ?1 ORDER BY deliveries.number");
    if (!statement) return statement.error();
    statement->bind(1, static_cast<std::int64_t>(collection));
    while (true) {
      const auto row = statement->step();
      if (!row) return row.error();
      if (!*row) return {};
      if (statement->integer(2) != 1) return damaged();
      const auto reports = static_cast<std::uint64_t>(statement->integer(0));
      if (const Status status = visit(reports, statement->bytes(1)); !status) return status;
    }
  }

 private:
  // Within a transaction; the statements want to be reset afterwards.
  Result<Receipt> keep_one(const Delivery& delivery) {
    const auto length = static_cast<std::int64_t>(delivery.packed.size() / delivery.reports);
    const auto name = [&](SqliteStatement& statement) -> SqliteStatement& {
      return statement.bind(1, octets(delivery.preamble)).bind(2, length);
    };
    if (const auto done = name(statements_.add_collection).step(); !done) return done.error();
    const auto found = name(statements_.find_collection).step();
    if (!found) return found.error();
    if (!*found) return refuse("delivery: its reports are not as long as those before with this preamble");
    const std::int64_t collection = statements_.find_collection.integer(0);
    const auto describe = [&](SqliteStatement& statement) -> SqliteStatement& {
      return statement.bind(1, std::span<const std::uint8_t>(delivery.key))
          .bind(2, collection)
          .bind(3, static_cast<std::int64_t>(delivery.reports))
          .bind(4, octets(delivery.packed));
    };
    const auto added = describe(statements_.add_delivery).step();
    if (!added) return added.error();
    if (*added) return Receipt::kKept;
    const auto known = describe(statements_.compare_delivery).step();
    if (!known) return known.error();
    return statements_.compare_delivery.integer(0) == 1 ? Receipt::kKeptBefore : Receipt::kRefused;
  }

  SqliteDatabase database_;
  Statements statements_;  // gone before the database
};

}  // namespace

Result<std::unique_ptr<ReportStore>> open_sqlite_store(const std::filesystem::path& path) {
  auto database = SqliteDatabase::open(path);
  if (!database) return database.error();
  if (const Status status = migrate(*database, "store " + path.string()); !status) return status.error();
  auto statements = prepare_all(*database);
  if (!statements) return statements.error();
  return std::unique_ptr<ReportStore>(new SqliteStore(std::move(*database), std::move(*statements)));
}

bool is_sqlite_file(const std::filesystem::path& path) {
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  std::array<char, kMagic.size()> start{};
  std::ifstream stream(path, std::ios::binary);
  return stream.read(start.data(), start.size()) && std::string_view(start.data(), start.size()) == kMagic;
}

}  // namespace sotto
