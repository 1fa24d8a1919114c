// `sotto inspect`: what a mechanism does, what it claims, what it costs a record.
#include <iostream>
#include <memory>

#include "command.h"

namespace sotto::cli {
namespace {

struct Options {
  std::string path;
  ReleaseOptions release;
  bool json = false;
};

void run(const Options& options) {
  const Mechanism mechanism = Mechanism::load(options.path).value_or_throw();
  const Description what = describe(mechanism);
  Description promise;
  if (!options.release.epsilon.empty())
    promise = describe(mechanism.release(options.release.parse(), options.release.inexact()).value_or_throw());
  if (options.json) {
    nlohmann::json document = {{"mechanism", to_json(what)}};
    if (!promise.empty()) document["release"] = to_json(promise);
    std::cout << document.dump() << '\n';
    return;
  }
  std::cout << "mechanism " << options.path << '\n';
  print(what, false);
  if (promise.empty()) {
    std::cout << "no epsilon given: --epsilon shows what a release with it would claim\n";
    return;
  }
  std::cout << "released with epsilon " << options.release.epsilon << '\n';
  print(promise, false);
}

}  // namespace

void add_inspect(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App& command = *app.add_subcommand("inspect", "Say what a mechanism does, claims and costs");
  command.add_option("mechanism", options->path, "The .sotto file")->required();
  options->release.add_to(command, false);
  add_json_flag(command, options->json);
  command.footer("Example: sotto inspect mnist.sotto --epsilon 4 --lambda 0.7");
  command.callback([options] { run(*options); });
}

}  // namespace sotto::cli
