// A place for one file that disappears with the test. In memory where the system offers that: these tests open and
// flush a file thousands of times, and check logic, not disks.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace sotto {

class ScratchFile : public ::testing::Test {
 protected:
  ScratchFile() {
    const std::filesystem::path memory = "/dev/shm";
    const auto parent = std::filesystem::is_directory(memory) ? memory : std::filesystem::temp_directory_path();
    std::string pattern = (parent / "sotto_test_XXXXXX").string();
    if (::mkdtemp(pattern.data()) == nullptr) throw std::filesystem::filesystem_error("mkdtemp", std::error_code());
    directory_ = pattern;
    path_ = directory_ / "file";
  }
  ~ScratchFile() override { std::filesystem::remove_all(directory_); }

  std::string bytes() const {
    std::ifstream file(path_, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }

  void set_bytes(const std::string& bytes) const {
    std::ofstream file(path_, std::ios::binary | std::ios::trunc);
    file.write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  }

  std::filesystem::path directory_, path_;
};

}  // namespace sotto
