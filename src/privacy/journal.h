// An append-only log of short texts that survives crashes and power cuts: the memory of a ledger.
//
// Guarantees of the file journal: an entry is on the disk when append() returns success. A crash in mid-append loses
// that entry alone, and nobody was told it existed. Any other damage (a changed byte, a missing, doubled or reordered
// line) is reported as kCorruptFile and never passed over. One process at a time: the file is locked while the journal
// is open.
//
// It does not protect against its owner, nor against restoring an old copy of the file: a checksum is no signature, and
// whoever can write the file can forget what was spent. Not thread-safe. Needs a file system that honours flock and
// fsync.
//
// The file: one line per entry, `LENGTH ENTRY CHECKSUM`, where LENGTH is the entry's size in 8 hexadecimal digits and
// CHECKSUM, in 16, the CRC-64 (ECMA-182) of all lines up to here without their own checksums and line feeds.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/kernel/result.h"

namespace sotto {

class Journal {
 public:
  virtual ~Journal() = default;
  Journal(const Journal&) = delete;
  Journal& operator=(const Journal&) = delete;

  // What was there when the journal was opened, oldest first, all of it durable. Moves them out: call once.
  virtual std::vector<std::string> take_entries() = 0;

  // Durable on success. After an error nobody knows how much was written: use the journal no more, open it again.
  // An entry may not contain a line feed.
  virtual Status append(std::string_view entry) = 0;

 protected:
  Journal() = default;
};

// Creates the file (mode 0600) if it is missing. Refuses a file that others may read or write, a symbolic link, and a
// file that is open elsewhere.
Result<std::unique_ptr<Journal>> open_file_journal(const std::filesystem::path& path);

}  // namespace sotto
