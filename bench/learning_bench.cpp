// usage: sotto_learning_bench [--quick] [--only CONTEST] [--rounds N] [--mnist DIR] [--out FILE]: training, contrasting
// and denoising beside stock PyTorch and NumPy, in turns on the same data. Ends with 1 when a rival cannot run or an
// answer is wrong.
#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <exception>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <map>
#include <string>

#include "contest.h"

namespace sotto::bench {
namespace {

namespace fs = std::filesystem;

class ScratchDirectory {
 public:
  ScratchDirectory() {
    std::string name = (fs::temp_directory_path() / "sotto_bench_XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory to be had");
    path_ = name;
  }
  ~ScratchDirectory() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  ScratchDirectory(const ScratchDirectory&) = delete;
  ScratchDirectory& operator=(const ScratchDirectory&) = delete;
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

fs::path find_mnist() {
  for (const char* directory : {"build/demo/mnist", "build/mnist"})
    if (fs::exists(fs::path(directory) / "train-images-idx3-ubyte")) return directory;
  return {};
}

using Contest = nlohmann::json (*)(const ContestOptions&, std::ostream&);
const std::map<std::string, Contest> kContests = {
    {"training", run_training_contest}, {"contrastive", run_contrastive_contest}, {"denoising", run_denoising_contest}};

void run(const ContestOptions& options, const std::string& only, const fs::path& results) {
  nlohmann::json document;
  for (const auto& [name, contest] : kContests)
    if (only.empty() || only == name) document[name] = contest(options, std::cout);
  std::ofstream out(results);
  out << document.dump(2) << '\n';
  if (!out.flush()) throw std::runtime_error("cannot write " + results.string());
}

}  // namespace
}  // namespace sotto::bench

int main(int argc, char** argv) {
  using namespace sotto::bench;
  ContestOptions options;
  std::filesystem::path results = "build/learning_bench.json";
  std::string only;
  options.mnist = find_mnist();
  CLI::App app("Training and denoising beside stock PyTorch and NumPy, in turns on the same data.");
  app.add_flag("--quick", options.quick, "tiny sizes, synthetic data: does it all work?");
  app.add_option("--only", only, "one of the contests")->check(CLI::IsMember({"training", "contrastive", "denoising"}));
  app.add_option("--rounds", options.rounds, "how often each takes its turn")->check(CLI::Range(1, 1000));
  app.add_option("--mnist", options.mnist, "directory with the MNIST files; without it, synthetic images");
  app.add_option("--out", results, "where the numbers go as JSON");
  CLI11_PARSE(app, argc, argv);
  if (options.quick) options.rounds = 2;
  try {
    const ScratchDirectory scratch;
    options.directory = scratch.path();
    std::cout << std::fixed << std::setprecision(2);
    run(options, only, results);
  } catch (const std::exception& failure) {
    std::cerr << "sotto_learning_bench: " << failure.what() << '\n';
    return 1;
  }
}
