// Runs the shipped program as a person would, in a directory of its own that goes away with the test.
#pragma once

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace sotto {

struct Outcome {
  int exit_code;
  std::string output;  // standard output
  std::string errors;  // standard error
};

class ProgramTest : public ::testing::Test {
 protected:
  void SetUp() override {
    directory_ = std::filesystem::temp_directory_path() / ("sotto-cli-" + std::to_string(getpid()));
    std::filesystem::create_directories(directory_);
  }

  void TearDown() override { std::filesystem::remove_all(directory_); }

  std::string path(const std::string& name) const { return (directory_ / name).string(); }

  void write(const std::string& name, const std::string& content) const {
    std::ofstream(path(name), std::ios::binary) << content;
  }

  std::string read(const std::string& name) const {
    std::ifstream file(path(name), std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  }

  Outcome run(const std::string& arguments) const {
    const std::string command = "cd " + directory_.string() + " && " SOTTO_PROGRAM " " + arguments + " 2> errors.txt";
    std::FILE* pipe = popen(command.c_str(), "r");
    Outcome outcome{-1, "", ""};
    std::array<char, 4096> buffer{};
    while (const std::size_t got = std::fread(buffer.data(), 1, buffer.size(), pipe))
      outcome.output.append(buffer.data(), got);
    outcome.exit_code = WEXITSTATUS(pclose(pipe));
    outcome.errors = read("errors.txt");
    return outcome;
  }

 private:
  std::filesystem::path directory_;
};

}  // namespace sotto
