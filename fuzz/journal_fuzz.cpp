// A ledger's journal that somebody or something damaged. The first byte chooses: 0 the rest is the file; 1 a journal of
// the rest's lines with one byte changed, which must be noticed; 2 the same journal cut short, which loses the cut
// entry and those after it alone. The next two bytes say where.
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "require.h"
#include "sotto/privacy/journal.h"

namespace {

using namespace sotto;
using fuzz::require;
using Entries = std::vector<std::string>;

constexpr std::size_t kMostEntries = 6;

// In memory where that can be had: each append waits for its disk.
const std::filesystem::path& path() {
  static const std::filesystem::path kPath = [] {
    const std::filesystem::path memory = "/dev/shm";
    const bool usable = ::access(memory.c_str(), W_OK) == 0;
    return (usable ? memory : std::filesystem::temp_directory_path()) / ("sotto-fuzz-" + std::to_string(::getpid()));
  }();
  return kPath;
}

std::string content() {
  std::ifstream file(path(), std::ios::binary);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

void store(const std::string& bytes) {
  std::ofstream(path(), std::ios::binary | std::ios::trunc) << bytes;
  std::filesystem::permissions(path(), std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
}

// What is left of the file is what it began with, and it goes on as any journal does.
void use(std::unique_ptr<Journal> journal, const std::string& before) {
  Entries entries = journal->take_entries();
  require(before.starts_with(content()));
  require(static_cast<bool>(journal->append("one more")));
  journal.reset();  // unlocks the file
  entries.emplace_back("one more");
  auto reopened = open_file_journal(path());
  require(reopened && (*reopened)->take_entries() == entries);
}

void read_any(const std::string& bytes) {
  store(bytes);
  auto journal = open_file_journal(path());
  if (journal)
    use(std::move(*journal), bytes);
  else
    require(journal.error().code == ErrorCode::kCorruptFile && content() == bytes);
}

Entries lines_of(std::string_view text) {
  Entries lines;
  while (!text.empty() && lines.size() < kMostEntries) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    lines.emplace_back(text.substr(0, end));
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return lines;
}

std::string journal_of(const Entries& entries) {
  store("");
  const auto journal = open_file_journal(path()).value_or_throw();
  for (const std::string& entry : entries) journal->append(entry).or_throw();
  return content();
}

void change_a_byte(std::string bytes, std::size_t place, char by) {
  if (bytes.empty() || by == 0) return;
  char& byte = bytes[place % bytes.size()];
  byte = static_cast<char>(byte ^ by);
  store(bytes);
  const auto journal = open_file_journal(path());
  require(!journal && journal.error().code == ErrorCode::kCorruptFile && content() == bytes);
}

void cut_short(const std::string& bytes, std::size_t place, const Entries& entries) {
  const std::string rest = bytes.substr(0, place % (bytes.size() + 1));
  store(rest);
  auto journal = open_file_journal(path());
  require(static_cast<bool>(journal));
  const Entries kept = (*journal)->take_entries();
  require(kept.size() == static_cast<std::size_t>(std::count(rest.begin(), rest.end(), '\n')));
  require(std::equal(kept.begin(), kept.end(), entries.begin()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size < 3) return 0;
  const std::string rest(reinterpret_cast<const char*>(data) + 3, size - 3);
  if (data[0] == 1 || data[0] == 2) {
    const std::size_t place = data[1] + std::size_t{256} * data[2];
    const Entries entries = lines_of(rest);
    const std::string bytes = journal_of(entries);
    if (data[0] == 1)
      change_a_byte(bytes, place, static_cast<char>(size % 255 + 1));
    else
      cut_short(bytes, place, entries);
  } else {
    read_any(rest);
  }
  std::filesystem::remove(path());
  return 0;
}
