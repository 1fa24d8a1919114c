#include "sotto/data/byte_stream.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <system_error>
#include <utility>

namespace sotto {
namespace {

Error io_error(const char* action, const std::string& name, int error_number) {
  return {ErrorCode::kIo,
          std::string("cannot ") + action + " " + name + ": " + std::generic_category().message(error_number)};
}

}  // namespace

Result<ByteStream> ByteStream::open(const std::string& path) {
  if (path == "-") return ByteStream("standard input", STDIN_FILENO);
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return io_error("open", path, errno);
  ByteStream stream(path, descriptor);
  struct stat status = {};
  if (fstat(descriptor, &status) != 0) return io_error("inspect", path, errno);
  if (S_ISREG(status.st_mode)) stream.length_ = static_cast<std::uint64_t>(status.st_size);
  return stream;
}

ByteStream ByteStream::from_bytes(std::vector<std::byte> bytes) {
  ByteStream stream("memory", -1);
  stream.end_ = bytes.size();
  stream.buffer_ = std::move(bytes);
  stream.at_end_ = true;
  return stream;
}

ByteStream::ByteStream(ByteStream&& other) noexcept
    : name_(std::move(other.name_)),
      descriptor_(std::exchange(other.descriptor_, -1)),
      length_(other.length_),
      buffer_(std::move(other.buffer_)),
      begin_(std::exchange(other.begin_, 0)),
      end_(std::exchange(other.end_, 0)),
      at_end_(std::exchange(other.at_end_, true)),
      offset_(other.offset_) {}

ByteStream::~ByteStream() {
  if (descriptor_ > STDIN_FILENO) close(descriptor_);
}

Status ByteStream::refill() {
  buffer_.resize(kBufferBytes);
  std::copy(buffer_.data() + begin_, buffer_.data() + end_, buffer_.data());
  end_ -= begin_;
  begin_ = 0;
  ssize_t count = 0;
  do {
    count = read(descriptor_, buffer_.data() + end_, buffer_.size() - end_);
  } while (count < 0 && errno == EINTR);
  if (count < 0) return io_error("read", name_, errno);
  at_end_ = count == 0;
  end_ += static_cast<std::size_t>(count);
  return {};
}

std::optional<std::uint64_t> ByteStream::remaining() const {
  if (!length_) return std::nullopt;
  return *length_ - std::min(*length_, offset_);
}

}  // namespace sotto
