// `sotto inspect`: what a mechanism does, what it claims, what it costs a record.
#include <filesystem>
#include <iostream>
#include <memory>

#include "command.h"
#include "inspect_page.h"
#include "sotto/mechanism/code_usage.h"
#include "sotto/report/results_file.h"

namespace sotto::cli {
namespace {

struct InspectOptions {
  std::string path, html;
  ReleaseOptions release;
  bool json = false;
};

nlohmann::json codes_to_json(const MechanismSpec& spec) {
  nlohmann::json codes = {{"count", codes_in(spec)}};
  if (const auto usage = code_usage(spec)) {
    codes["sizes"] = usage->sizes;
    codes["shares"] = usage->shares;
    codes["effective"] = usage->effective_codes;
  }
  return codes;
}

void print_inspect_json(const MechanismSpec& spec, const Description& what, const Description& promise) {
  nlohmann::json document = {{"mechanism", to_json(what)}};
  if (codes_in(spec) > 0) document["codes"] = codes_to_json(spec);
  if (!promise.empty()) document["release"] = to_json(promise);
  std::cout << document.dump() << '\n';
}

void print_inspect_text(const InspectOptions& options, const Description& what, const Description& promise) {
  std::cout << "mechanism " << options.path << '\n';
  print(what, false);
  if (promise.empty()) {
    std::cout << "no epsilon given: --epsilon shows what a release with it would claim\n";
  } else {
    std::cout << "released with epsilon " << options.release.epsilon << '\n';
    print(promise, false);
  }
  if (!options.html.empty()) std::cout << "wrote " << options.html << '\n';
}

void run_inspect(const InspectOptions& options) {
  const Mechanism mechanism = Mechanism::load(options.path).value_or_throw();
  const Description what = describe(mechanism);
  Description promise;
  if (!options.release.epsilon.empty())
    promise = describe(mechanism.release(options.release.parse(), options.release.inexact()).value_or_throw());
  if (!options.html.empty()) {
    const std::string name = std::filesystem::path(options.path).filename().string();
    write_text(options.html, inspect_page(name, mechanism, what, promise, options.release.epsilon).value_or_throw())
        .or_throw();
  }
  if (options.json)
    print_inspect_json(mechanism.spec(), what, promise);
  else
    print_inspect_text(options, what, promise);
}

}  // namespace

void add_inspect(CLI::App& app) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App& command = *app.add_subcommand("inspect", "Say what a mechanism does, claims and costs");
  command.add_option("mechanism", options->path, "The .sotto file")->required();
  options->release.add_to(command, false);
  command.add_option(
      "--html", options->html,
      "Also write a page that needs nothing else: the same and, where there are codes, what each of them "
      "stands for, in pictures if records are images");
  add_json_flag(command, options->json);
  command.footer(
      "Example: sotto inspect mnist.sotto --epsilon 4 --lambda 0.7\n"
      "         sotto inspect codes.sotto --html codes.html");
  command.callback([options] { run_inspect(*options); });
}

}  // namespace sotto::cli
