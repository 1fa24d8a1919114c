// Bytes in order from a file, standard input or memory, through one fixed buffer: memory does not grow with the input.
// Not seekable, not thread-safe. A stream over memory behaves as a pipe does: it does not tell its length in advance.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sotto/kernel/result.h"

namespace sotto {

class ByteStream {
 public:
  static constexpr std::size_t kBufferBytes = std::size_t{1} << 18;

  // "-" is standard input, which is left open at the end.
  static Result<ByteStream> open(const std::string& path);
  static ByteStream from_bytes(std::vector<std::byte> bytes);

  ByteStream(ByteStream&& other) noexcept;
  ByteStream(const ByteStream&) = delete;
  ByteStream& operator=(ByteStream&&) = delete;
  ByteStream& operator=(const ByteStream&) = delete;
  ~ByteStream();

  // The buffered bytes, at least `at_least` of them unless the input ends first; they stay valid until the next peek.
  // Requires at_least <= kBufferBytes.
  Result<std::span<const std::byte>> peek(std::size_t at_least) {
    while (end_ - begin_ < at_least && !at_end_) {
      if (Status status = refill(); !status) return status.error();
    }
    return std::span<const std::byte>(buffer_).subspan(begin_, end_ - begin_);
  }
  // Moves on by `count` bytes that peek() has shown.
  void consume(std::size_t count) {
    begin_ += count;
    offset_ += count;
  }

  // Bytes consumed so far.
  std::uint64_t offset() const { return offset_; }
  // Bytes still to come where that is known before reading: regular files.
  std::optional<std::uint64_t> remaining() const;
  // What error messages call the input: its path, or "standard input".
  const std::string& name() const { return name_; }
  // An error about the content of this input, beginning with its name.
  Error invalid(const std::string& message) const { return {ErrorCode::kInvalidInput, name_ + ": " + message}; }

 private:
  ByteStream(std::string name, int descriptor) : name_(std::move(name)), descriptor_(descriptor) {}
  Status refill();

  std::string name_;
  int descriptor_;  // negative: memory only
  std::optional<std::uint64_t> length_;
  std::vector<std::byte> buffer_;
  std::size_t begin_ = 0;  // buffer_[begin_, end_) is read but not consumed
  std::size_t end_ = 0;
  bool at_end_ = false;
  std::uint64_t offset_ = 0;
};

}  // namespace sotto
