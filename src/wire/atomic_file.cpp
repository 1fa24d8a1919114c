#include "sotto/wire/atomic_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <string>
#include <system_error>

namespace sotto {
namespace {

Error io_error(const char* action, const std::filesystem::path& path, int error_number) {
  return {ErrorCode::kIo,
          std::string("cannot ") + action + " " + path.string() + ": " + std::generic_category().message(error_number)};
}

// A file that does not exist yet, removed again unless it is renamed into place.
class TemporaryFile {
 public:
  explicit TemporaryFile(const std::filesystem::path& target) {
    static std::atomic<std::uint64_t> serial = 0;
    do {  // a name left over from a crash is passed over
      path_ = target;
      path_ += ".tmp" + std::to_string(getpid()) + "-" + std::to_string(serial++);
      descriptor_ = open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    } while (descriptor_ < 0 && errno == EEXIST);
  }
  ~TemporaryFile() {
    if (descriptor_ < 0) return;
    close(descriptor_);
    if (!renamed_) unlink(path_.c_str());
  }
  TemporaryFile(const TemporaryFile&) = delete;
  TemporaryFile& operator=(const TemporaryFile&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }
  bool rename_to(const std::filesystem::path& target) {
    renamed_ = std::rename(path_.c_str(), target.c_str()) == 0;
    return renamed_;
  }

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  bool renamed_ = false;
};

bool write_fully(int descriptor, std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes = bytes.subspan(static_cast<std::size_t>(written));
  }
  return true;
}

bool keep_permissions_of(const std::filesystem::path& path, int descriptor) {
  struct stat status = {};
  if (stat(path.c_str(), &status) != 0) return true;  // nothing there yet
  return fchmod(descriptor, status.st_mode & 07777) == 0;
}

bool flush_directory_of(const std::filesystem::path& path) {
  const std::filesystem::path directory = path.has_parent_path() ? path.parent_path() : ".";
  const int descriptor = open(directory.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return false;
  const bool flushed = fsync(descriptor) == 0 || errno == EINVAL;  // EINVAL: a file system without directory flush
  close(descriptor);
  return flushed;
}

}  // namespace

Status write_file_atomically(const std::filesystem::path& path, std::span<const std::byte> bytes) {
  return write_file_atomically(path, std::span<const std::span<const std::byte>>(&bytes, 1));
}

Status write_file_atomically(const std::filesystem::path& path, std::span<const std::span<const std::byte>> pieces) {
  TemporaryFile file(path);
  if (!file.is_open()) return io_error("create a file beside", path, errno);
  if (!keep_permissions_of(path, file.descriptor())) return io_error("keep the permissions of", path, errno);
  for (const auto piece : pieces) {
    if (!write_fully(file.descriptor(), piece)) return io_error("write", path, errno);
  }
  if (fsync(file.descriptor()) != 0) return io_error("flush", path, errno);
  if (!file.rename_to(path)) return io_error("replace", path, errno);
  if (!flush_directory_of(path)) return io_error("flush the directory of", path, errno);
  return {};
}

}  // namespace sotto
