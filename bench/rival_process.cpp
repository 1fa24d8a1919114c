#include "rival_process.h"

#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <stdexcept>
#include <string>

namespace sotto::bench {
namespace {

struct Pipe {
  int read_end, write_end;
};

Pipe make_pipe() {
  std::array<int, 2> ends{};
  if (pipe(ends.data()) != 0) throw std::runtime_error("rivals: no pipe to be had");
  return {ends[0], ends[1]};
}

}  // namespace

RivalProcess::RivalProcess(const std::filesystem::path& directory, int threads) : threads_(threads) {
  const Pipe to_child = make_pipe(), from_child = make_pipe();
  const std::string count = std::to_string(threads);
  child_ = fork();
  if (child_ < 0) throw std::runtime_error("rivals: cannot start a process");
  if (child_ == 0) {
    dup2(to_child.read_end, STDIN_FILENO);
    dup2(from_child.write_end, STDOUT_FILENO);
    // Another rival must see its requests end although this one is alive.
    for (int file = STDERR_FILENO + 1; file < 256; ++file) close(file);
    for (const char* name : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"}) setenv(name, count.c_str(), 1);
    // Debian's own interpreter: python3-torch and python3-numpy are its packages.
    execl("/usr/bin/python3", "python3", SOTTO_RIVALS, directory.c_str(), static_cast<char*>(nullptr));
    _exit(127);
  }
  close(to_child.read_end);
  close(from_child.write_end);
  requests_.reset(fdopen(to_child.write_end, "w"));
  answers_.reset(fdopen(from_child.read_end, "r"));
  read_answer();  // it greets, or says what it misses
}

RivalProcess::~RivalProcess() {
  requests_.reset();  // which ends its loop
  waitpid(child_, nullptr, 0);
}

nlohmann::json RivalProcess::ask(const nlohmann::json& request) {
  const std::string line = request.dump() + '\n';
  if (std::fputs(line.c_str(), requests_.get()) < 0 || std::fflush(requests_.get()) != 0)
    throw std::runtime_error("rivals: the process no longer listens");
  return read_answer();
}

nlohmann::json RivalProcess::read_answer() {
  std::string line;
  for (int c = std::fgetc(answers_.get()); c != EOF && c != '\n'; c = std::fgetc(answers_.get()))
    line.push_back(static_cast<char>(c));
  if (line.empty()) throw std::runtime_error("rivals: /usr/bin/python3 ended without an answer");
  nlohmann::json answer = nlohmann::json::parse(line);
  if (answer.contains("error")) throw std::runtime_error("rivals: " + answer["error"].get<std::string>());
  return answer;
}

}  // namespace sotto::bench
