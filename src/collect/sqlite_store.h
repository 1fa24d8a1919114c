// Reports in one SQLite file, with a write-ahead log that is flushed to the disk with every commit.
#pragma once

#include <filesystem>
#include <memory>

#include "sotto/collect/report_store.h"

namespace sotto {

// Creates the file if there is none. Refuses one that another program, or a later sotto, has made.
Result<std::unique_ptr<ReportStore>> open_sqlite_store(const std::filesystem::path& path);

// Whether the file begins as every SQLite file does.
bool is_sqlite_file(const std::filesystem::path& path);

}  // namespace sotto
