#include "output_stream.h"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <utility>

#include "sotto/kernel/result.h"

namespace sotto::cli {

OutputStream::OutputStream(std::string path)
    : path_(std::move(path)), partial_path_(path_ + ".partial"), file_(stdout) {
  if (is_file()) file_ = std::fopen(partial_path_.c_str(), "wb");
  if (file_ == nullptr) fail("cannot create");
}

OutputStream::~OutputStream() {
  if (!is_file() || file_ == nullptr) return;
  std::fclose(file_);
  std::remove(partial_path_.c_str());
}

void OutputStream::write(std::string_view bytes) {
  if (std::fwrite(bytes.data(), 1, bytes.size(), file_) != bytes.size()) fail("cannot write to");
}

void OutputStream::overwrite_start(std::string_view bytes) {
  if (std::fseek(file_, 0, SEEK_SET) != 0) fail("cannot seek in");
  write(bytes);
}

void OutputStream::commit() {
  if (std::fflush(file_) != 0) fail("cannot write to");
  if (!is_file()) return;
  if (fsync(fileno(file_)) != 0 || std::fclose(std::exchange(file_, nullptr)) != 0) fail("cannot write to");
  if (std::rename(partial_path_.c_str(), path_.c_str()) != 0) fail("cannot name");
}

void OutputStream::fail(const char* what) const {
  const std::string where = is_file() ? path_ : "standard output";
  throw Failure({ErrorCode::kIo, std::string(what) + " " + where + ": " + std::strerror(errno)});
}

}  // namespace sotto::cli
