// Where a stream of reports goes: standard output, or a file that gets its name only once it is complete.
#pragma once

#include <cstdio>
#include <string>
#include <string_view>

namespace sotto::cli {

class OutputStream {
 public:
  explicit OutputStream(std::string path);  // "-" is standard output
  ~OutputStream();                          // without commit(), the partial file is removed
  OutputStream(const OutputStream&) = delete;
  OutputStream& operator=(const OutputStream&) = delete;

  void write(std::string_view bytes);
  void overwrite_start(std::string_view bytes);  // of a file, once all else is written
  void commit();

 private:
  bool is_file() const { return path_ != "-"; }
  [[noreturn]] void fail(const char* what) const;

  std::string path_;
  std::string partial_path_;
  std::FILE* file_;
};

}  // namespace sotto::cli
