// The rivals' program (rivals.py) as a child process. It waits for a request, a line of JSON, and answers with another;
// between requests it does nothing, so that rounds can alternate. Arrays travel as files in a directory that both know.
#pragma once

#include <sys/types.h>

#include <cstdio>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>

namespace sotto::bench {

class RivalProcess {
 public:
  // Its libraries get `threads` threads. Throws std::runtime_error, as ask() does, when the rival cannot run: a
  // benchmark without rivals is none.
  RivalProcess(const std::filesystem::path& directory, int threads);
  ~RivalProcess();
  RivalProcess(const RivalProcess&) = delete;
  RivalProcess& operator=(const RivalProcess&) = delete;

  int threads() const { return threads_; }
  nlohmann::json ask(const nlohmann::json& request);

 private:
  nlohmann::json read_answer();

  struct Close {
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };
  int threads_;
  pid_t child_ = -1;
  std::unique_ptr<std::FILE, Close> requests_, answers_;
};

}  // namespace sotto::bench
