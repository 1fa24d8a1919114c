#include "sotto/collect/sqlite_database.h"

#include <sqlite3.h>

#include <string>

namespace sotto {
namespace {

// SQLite's words speak of the database and of SQL, never of what a row holds, as long as values are bound.
Error error_of(sqlite3* connection) {
  const int code = sqlite3_errcode(connection) & 0xFF;
  const char* file = sqlite3_db_filename(connection, "main");
  const std::string where = std::string("store ") + (file == nullptr ? "" : file) + ": ";
  switch (code) {
    case SQLITE_FULL:
      return {ErrorCode::kIo, where + "no room left on the disk; nothing of this was kept"};
    case SQLITE_READONLY:
      return {ErrorCode::kIo, where + "cannot be written to"};
    case SQLITE_CANTOPEN:
      return {ErrorCode::kIo, where + "cannot be opened"};
    case SQLITE_BUSY:
      return {ErrorCode::kIo, where + "another process has kept it locked for too long"};
    case SQLITE_NOTADB:
      return {ErrorCode::kCorruptFile, where + "not a store of reports"};
    case SQLITE_CORRUPT:
      return {ErrorCode::kCorruptFile, where + "damaged: " + sqlite3_errmsg(connection)};
    default:
      return {ErrorCode::kIo, where + sqlite3_errmsg(connection)};
  }
}

}  // namespace

void SqliteStatement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

SqliteStatement& SqliteStatement::bind(int parameter, std::int64_t value) {
  sqlite3_bind_int64(statement_.get(), parameter, value);
  return *this;
}

SqliteStatement& SqliteStatement::bind(int parameter, std::span<const std::uint8_t> bytes) {
  // A null pointer would be NULL and not an empty string of bytes.
  sqlite3_bind_blob64(statement_.get(), parameter, bytes.empty() ? "" : static_cast<const void*>(bytes.data()),
                      bytes.size(), SQLITE_STATIC);
  return *this;
}

Result<bool> SqliteStatement::step() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  return error_of(sqlite3_db_handle(statement_.get()));
}

void SqliteStatement::reset() {
  sqlite3_reset(statement_.get());
  sqlite3_clear_bindings(statement_.get());
}

std::int64_t SqliteStatement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }

std::span<const std::uint8_t> SqliteStatement::bytes(int column) const {
  const auto* data = static_cast<const std::uint8_t*>(sqlite3_column_blob(statement_.get(), column));
  return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column))};
}

void SqliteDatabase::Close::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

Result<SqliteDatabase> SqliteDatabase::open(const std::filesystem::path& path) {
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(path.c_str(), &connection,
                                   SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX, nullptr);
  SqliteDatabase database(connection);
  if (code != SQLITE_OK) return Error{ErrorCode::kIo, "store " + path.string() + ": cannot be opened"};
  constexpr int kPatience = 10'000;  // milliseconds, while another process writes
  sqlite3_busy_timeout(connection, kPatience);
  return database;
}

Status SqliteDatabase::execute(const char* sql) {
  if (sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) return error_of(connection_.get());
  return {};
}

Result<SqliteStatement> SqliteDatabase::prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  if (sqlite3_prepare_v3(connection_.get(), sql.data(), static_cast<int>(sql.size()), SQLITE_PREPARE_PERSISTENT,
                         &statement, nullptr) != SQLITE_OK)
    return error_of(connection_.get());
  return SqliteStatement(statement);
}

Result<std::int64_t> SqliteDatabase::integer(std::string_view sql) {
  auto statement = prepare(sql);
  if (!statement) return statement.error();
  const auto row = statement->step();
  if (!row) return row.error();
  return *row ? statement->integer(0) : 0;
}

bool SqliteDatabase::in_transaction() const { return sqlite3_get_autocommit(connection_.get()) == 0; }

}  // namespace sotto
