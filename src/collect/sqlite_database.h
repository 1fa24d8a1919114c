// SQLite with errors as values: a connection and its prepared statements.
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string_view>

#include "sotto/kernel/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace sotto {

class SqliteStatement {
 public:
  // Parameters are numbered from 1. Bytes must stay where they are until the statement is reset.
  SqliteStatement& bind(int parameter, std::int64_t value);
  SqliteStatement& bind(int parameter, std::span<const std::uint8_t> bytes);

  // True: a row is there. False: done.
  Result<bool> step();
  void reset();

  std::int64_t integer(int column) const;
  std::span<const std::uint8_t> bytes(int column) const;  // until the next step

 private:
  friend class SqliteDatabase;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };
  explicit SqliteStatement(sqlite3_stmt* statement) : statement_(statement) {}

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class SqliteDatabase {
 public:
  // Creates the file if there is none.
  static Result<SqliteDatabase> open(const std::filesystem::path& path);

  Status execute(const char* sql);  // statements without rows
  Result<SqliteStatement> prepare(std::string_view sql);
  Result<std::int64_t> integer(std::string_view sql);  // of one row and column
  bool in_transaction() const;

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  explicit SqliteDatabase(sqlite3* connection) : connection_(connection) {}

  std::unique_ptr<sqlite3, Close> connection_;
};

}  // namespace sotto
