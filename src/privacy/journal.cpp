#include "sotto/privacy/journal.h"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <system_error>

namespace sotto {
namespace {

constexpr std::size_t kLengthDigits = 8;
constexpr std::size_t kFrame = kLengthDigits + 1 + 1 + 16 + 1;  // what a line has besides its entry

std::uint64_t crc64(std::uint64_t crc, std::string_view bytes) {
  for (const char byte : bytes) {
    crc ^= static_cast<std::uint64_t>(static_cast<unsigned char>(byte)) << 56;
    for (int bit = 0; bit < 8; ++bit) crc = (crc << 1) ^ (crc >> 63 != 0 ? 0x42F0E1EBA9EA3693 : 0);
  }
  return crc;
}

std::string hex(unsigned long long value, int digits) {
  char text[17];
  return {text, static_cast<std::size_t>(std::snprintf(text, sizeof text, "%0*llx", digits, value))};
}

class FileJournal final : public Journal {
 public:
  explicit FileJournal(std::filesystem::path path) : path_(std::move(path)) {}
  FileJournal(const FileJournal&) = delete;
  FileJournal& operator=(const FileJournal&) = delete;
  ~FileJournal() override {
    if (file_ >= 0) ::close(file_);  // releases the lock
  }

  Status open() {
    file_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file_ < 0) return refused("open");
    if (::flock(file_, LOCK_EX | LOCK_NB) != 0)
      return errno == EWOULDBLOCK ? error(ErrorCode::kIo, "in use by another process") : refused("lock");
    struct stat info {};
    if (::fstat(file_, &info) != 0) return refused("examine");
    if (!S_ISREG(info.st_mode) || (info.st_mode & 077) != 0)
      return error(ErrorCode::kIo, "must be a regular file that only its owner may use (mode 0600)");
    std::string content(static_cast<std::size_t>(info.st_size), '\0');
    if (const Status status = read(content); !status) return status;
    std::size_t intact = 0;
    if (const Status status = parse(content, intact); !status) return status;
    if (intact < content.size() && ::ftruncate(file_, static_cast<off_t>(intact)) != 0) return refused("truncate");
    // A killed process may have left entries, and the file's very name, in memory only; we are about to rely on them.
    if (::fsync(file_) != 0) return refused("flush");
    return flush_directory();
  }

  std::vector<std::string> take_entries() override { return std::move(entries_); }

  Status append(std::string_view entry) override {
    // After a fork two processes would share the lock, each blind to what the other spends.
    if (::getpid() != owner_) return error(ErrorCode::kIo, "was opened by another process, before a fork");
    if (entry.size() > UINT32_MAX || entry.find('\n') != std::string_view::npos)
      return error(ErrorCode::kInvalidArgument, "an entry must be one line of less than 2^32 bytes");
    const std::string line = next_line(entry);
    for (std::string_view rest = line; !rest.empty();) {
      const ssize_t count = ::write(file_, rest.data(), rest.size());
      if (count < 0 && errno != EINTR) return refused("write");
      if (count > 0) rest.remove_prefix(static_cast<std::size_t>(count));
    }
    return ::fdatasync(file_) == 0 ? Status() : refused("flush");
  }

 private:
  Error error(ErrorCode code, const std::string& what) const {
    return {code, "ledger file " + path_.string() + ": " + what};
  }
  Error refused(const char* action) const {
    return error(ErrorCode::kIo, std::string("cannot ") + action + ": " + std::generic_category().message(errno));
  }
  Error damaged() const {
    return error(ErrorCode::kCorruptFile, "damaged at line " + std::to_string(entries_.size() + 1));
  }

  std::string next_line(std::string_view entry) {
    const std::string start = hex(entry.size(), kLengthDigits) + ' ' + std::string(entry) + ' ';
    checksum_ = crc64(checksum_, start);
    return start + hex(checksum_, 16) + '\n';
  }

  Status read(std::string& content) const {
    for (std::size_t done = 0; done < content.size();) {
      const ssize_t count = ::read(file_, content.data() + done, content.size() - done);
      if (count == 0) return error(ErrorCode::kIo, "became shorter while it was read");
      if (count < 0 && errno != EINTR) return refused("read");
      if (count > 0) done += static_cast<std::size_t>(count);
    }
    return {};
  }

  // Sets `intact` to the end of the last whole line. What follows must look like an append cut short: no line feed, and
  // fewer bytes than its length announces. A whole line that lost its line feed is damage, for somebody relied on it.
  Status parse(std::string_view content, std::size_t& intact) {
    while (intact < content.size()) {
      const std::string_view rest = content.substr(intact);
      const char* length_end = rest.data() + kLengthDigits;
      std::uint32_t length = 0;
      if (rest.size() >= kLengthDigits && std::from_chars(rest.data(), length_end, length, 16).ptr != length_end)
        return damaged();
      if (rest.size() < kFrame || rest.size() - kFrame < length)
        return rest.find('\n') == std::string_view::npos ? Status() : damaged();
      const std::string_view entry = rest.substr(kLengthDigits + 1, length);
      if (rest.substr(0, length + kFrame) != next_line(entry)) return damaged();
      entries_.emplace_back(entry);
      intact += length + kFrame;
    }
    return {};
  }

  Status flush_directory() const {
    const std::string directory = path_.has_parent_path() ? path_.parent_path().string() : ".";
    const int handle = ::open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const Status status = handle >= 0 && ::fsync(handle) == 0 ? Status() : refused("flush the directory");
    if (handle >= 0) ::close(handle);
    return status;
  }

  std::filesystem::path path_;
  int file_ = -1;
  pid_t owner_ = ::getpid();
  std::uint64_t checksum_ = 0;
  std::vector<std::string> entries_;
};

}  // namespace

Result<std::unique_ptr<Journal>> open_file_journal(const std::filesystem::path& path) {
  auto journal = std::make_unique<FileJournal>(path);
  if (const Status status = journal->open(); !status) return status.error();
  return std::unique_ptr<Journal>(std::move(journal));
}

}  // namespace sotto
