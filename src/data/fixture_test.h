// What the tests of this folder share: small inputs, a scratch directory, reading a source to its end.
#pragma once

#include <gtest/gtest.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/data/byte_stream.h"
#include "sotto/data/record_source.h"

namespace sotto {

inline std::vector<std::byte> bytes_of(std::string_view text) {
  const auto bytes = std::as_bytes(std::span(text));
  return {bytes.begin(), bytes.end()};
}

inline ByteStream stream_of(std::string_view text) { return ByteStream::from_bytes(bytes_of(text)); }

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != std::string_view::npos; }

class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string pattern = (std::filesystem::temp_directory_path() / "sotto-test-XXXXXX").string();
    path_ = mkdtemp(pattern.data());
  }
  ~ScratchDirectory() { std::filesystem::remove_all(path_); }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::string write(const std::string& name, std::string_view content) const {
    std::ofstream(path_ / name, std::ios::binary) << content;
    return (path_ / name).string();
  }

 private:
  std::filesystem::path path_;
};

// Everything a source gives, and how it ends.
struct Outcome {
  std::vector<float> values;
  std::vector<std::int32_t> labels;
  std::size_t rows = 0;
  std::string fault;  // the message, or empty
};

inline Outcome read_all(RecordSource& source, std::size_t max_rows) {
  Outcome outcome;
  for (Batch batch;;) {
    const Result<std::size_t> rows = source.read(batch, max_rows);
    EXPECT_EQ(batch.values.size(), batch.rows * source.width());
    EXPECT_EQ(batch.labels.size(), source.has_labels() ? batch.rows : 0);
    if (!rows) outcome.fault = rows.error().message;
    if (!rows || *rows == 0) return outcome;
    EXPECT_EQ(*rows, batch.rows);
    outcome.rows += *rows;
    outcome.values.insert(outcome.values.end(), batch.values.begin(), batch.values.end());
    outcome.labels.insert(outcome.labels.end(), batch.labels.begin(), batch.labels.end());
  }
}

// The message of the error, or "" (and a failed test) when there is none.
template <typename T>
std::string refusal(const Result<T>& result) {
  EXPECT_FALSE(result) << "an error was expected";
  return result ? "" : result.error().message;
}

}  // namespace sotto
