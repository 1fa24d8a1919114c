// `sotto reproduce`: an experiment from its declaration to its report.
#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

#include "command.h"
#include "sotto/data/fetch.h"
#include "sotto/report/html.h"
#include "sotto/report/markdown.h"
#include "sotto/report/results_file.h"
#include "sotto/reproduce/runner.h"

namespace sotto::cli {
namespace {

struct ReproduceOptions {
  std::string experiment;
  std::string data = "data/mnist";
  std::string work = "runs";
  std::string output = "results";
  std::string commit = "unknown";
  std::uint64_t seed = 1;
  std::size_t trials = 0;
  std::vector<std::string> only;
  bool quick = false;
  bool list = false;
  bool quiet = false;
  bool json = false;
};

std::string declaration_of(const std::string& name) {
  if (std::ifstream file(name); file && name.ends_with(".toml"))
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
  return experiment_named(name).value_or_throw();
}

void list_experiments() {
  for (const std::string& name : experiment_names())
    std::cout << "  " << name << "\n      "
              << parse_experiment(experiment_named(name).value_or_throw(), false).value_or_throw().title << '\n';
}

// Other images in files of the same names are welcome, and neither replaced nor passed off as MNIST.
void bring_data(const ReproduceOptions& options, Experiment& experiment) {
  const auto exists = [&](const KnownFile& file) {
    return std::filesystem::exists(std::filesystem::path(options.data) / file.name);
  };
  if (!std::ranges::all_of(mnist_files(), exists)) {
    if (!options.quiet) std::fprintf(stderr, "fetching MNIST into %s\n", options.data.c_str());
    fetch_mnist(options.data).or_throw();
  }
  if (!all_present(mnist_files(), options.data))
    experiment.notes.push_back("Not on MNIST, but on other files of its format: no published number is comparable.");
}

// Of the named mechanisms alone, beside what an earlier run has left of the others.
Results results_of(const ReproduceOptions& options, const Experiment& experiment, const RunOptions& run) {
  Experiment chosen = experiment;
  if (!options.only.empty())
    std::erase_if(chosen.series,
                  [&](const Series& series) { return std::ranges::count(options.only, series.mechanism) == 0; });
  if (chosen.series.empty()) misuse("only: " + experiment.name + " has no series of this name");
  Results results = run_experiment(chosen, load_mnist(options.data).value_or_throw(), run).value_or_throw();
  const auto earlier = std::filesystem::path(options.output) / (experiment.name + ".json");
  if (!options.only.empty() && std::filesystem::exists(earlier))
    keep_earlier_rows(experiment, read_results(earlier).value_or_throw(), results);
  return results;
}

void run_reproduce(const ReproduceOptions& options) {
  if (options.list || options.experiment.empty()) return list_experiments();
  Experiment experiment = parse_experiment(declaration_of(options.experiment), options.quick).value_or_throw();
  if (options.trials > 0) experiment.trials = options.trials;
  bring_data(options, experiment);
  RunOptions run;
  run.work = options.work;
  run.seed = options.seed;
  run.commit = options.commit;
  run.command = "sotto reproduce " + options.experiment + (options.quick ? " --quick" : "") +
                (options.trials > 0 ? " --trials " + std::to_string(options.trials) : "") +
                (options.seed != 1 ? " --seed " + std::to_string(options.seed) : "");
  run.progress = [&](const std::string& line) {
    if (!options.quiet) std::fprintf(stderr, "%s\n", line.c_str());
  };
  const Results results = results_of(options, experiment, run);
  const std::filesystem::path directory = options.output;
  std::filesystem::create_directories(directory);
  write_results(directory / (experiment.name + ".json"), results).or_throw();
  write_text(directory / (experiment.name + ".md"), to_markdown(results)).or_throw();
  write_text(directory / (experiment.name + ".html"), html_of(results).render()).or_throw();
  if (options.json)
    std::cout << results_to_json(results).value_or_throw() << '\n';
  else
    std::cout << to_markdown(results) << "\nwrote " << (directory / experiment.name).string() << ".{json,md,html}\n";
}

}  // namespace

void add_reproduce(CLI::App& app) {
  auto options = std::make_shared<ReproduceOptions>();
  CLI::App& command = *app.add_subcommand("reproduce", "A paper's table: our numbers beside theirs");
  command.add_option("experiment", options->experiment, "Its name, or a TOML file that declares one");
  command.add_flag("--list", options->list, "The experiments that come with the program");
  command.add_flag("--quick", options->quick, "A minute instead of hours: fewer records, epochs and trials");
  command.add_option("--trials", options->trials, "Other than the experiment says");
  command.add_option(
      "--only", options->only,
      "Mechanisms of the table to run; rows of the others are kept as the results in --output have them");
  command.add_option("--seed", options->seed, "Of the first trial; the next ones follow")->capture_default_str();
  command
      .add_option("--data", options->data,
                  "Where the MNIST files, or others of their names and format, are or shall be fetched to")
      ->capture_default_str();
  command
      .add_option("--work", options->work, "Where finished parts are kept: a run that was stopped goes on from there")
      ->capture_default_str();
  command.add_option("--output", options->output, "Where the results go, as JSON, Markdown and HTML")
      ->capture_default_str();
  command.add_option("--commit", options->commit, "Recorded with the results")->capture_default_str();
  command.add_flag("--quiet", options->quiet, "No progress");
  add_json_flag(command, options->json);
  command.footer("Example: sotto reproduce collection-mnist --quick");
  command.callback([options] { run_reproduce(*options); });
}

}  // namespace sotto::cli
