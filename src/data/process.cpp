#include "sotto/data/process.h"

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstdlib>
#include <system_error>

namespace sotto {
namespace {

constexpr std::size_t kQuotedOutputBytes = 600;

// A file without a name that catches what the program prints; a pipe would have to be drained while it runs.
class OutputFile {
 public:
  OutputFile() {
    std::error_code error;
    std::string pattern = (std::filesystem::temp_directory_path(error) / "sotto-output-XXXXXX").string();
    if (error) return;
    descriptor_ = mkostemp(pattern.data(), O_CLOEXEC);
    if (descriptor_ >= 0) unlink(pattern.c_str());
  }
  ~OutputFile() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  int descriptor() const { return descriptor_; }
  std::string beginning() const {
    std::string text(kQuotedOutputBytes, '\0');
    const ssize_t count = pread(descriptor_, text.data(), text.size(), 0);
    text.resize(count < 0 ? 0 : static_cast<std::size_t>(count));
    return text;
  }

 private:
  int descriptor_ = -1;
};

Result<pid_t> start(std::vector<std::string> arguments, const std::filesystem::path& directory, int output) {
  std::vector<char*> argv;
  argv.reserve(arguments.size() + 1);
  for (std::string& argument : arguments) argv.push_back(argument.data());
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addchdir_np(&actions, directory.c_str());
  posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&actions, output, STDERR_FILENO);
  pid_t child = 0;
  const int error_number = posix_spawnp(&child, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (error_number == 0) return child;
  return Error{ErrorCode::kIo, "cannot run " + arguments[0] + ": " + std::generic_category().message(error_number)};
}

}  // namespace

Status run_program(const std::vector<std::string>& arguments, const std::filesystem::path& directory) {
  const OutputFile output;
  if (output.descriptor() < 0) return Error{ErrorCode::kIo, "cannot create a temporary file"};
  const Result<pid_t> child = start(arguments, directory, output.descriptor());
  if (!child) return child.error();
  int status = 0;
  while (waitpid(*child, &status, 0) < 0) {
    if (errno != EINTR) return Error{ErrorCode::kIo, "cannot wait for " + arguments[0]};
  }
  if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return {};
  const std::string ending = WIFEXITED(status) ? "exited with status " + std::to_string(WEXITSTATUS(status))
                                               : "was stopped by signal " + std::to_string(WTERMSIG(status));
  return Error{ErrorCode::kIo, arguments[0] + " " + ending + ": " + output.beginning()};
}

}  // namespace sotto
