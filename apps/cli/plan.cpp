// `sotto plan`: what a collection would yield, before anybody sends anything. Simulates it on the collector's own
// records and recommends an encoder, a number of codes, a channel, and how to release the label.
#include <cstdio>
#include <iostream>
#include <memory>
#include <utility>

#include "command.h"
#include "sotto/data/open_source.h"
#include "sotto/plan/code_plan.h"
#include "sotto/plan/stand_in_classes.h"
#include "sotto/report/html.h"
#include "sotto/report/results_file.h"
#include "sotto/train/code_finder.h"
#include "sotto/train/code_mechanism.h"
#include "train_options.h"

namespace sotto::cli {
namespace {

struct PlanOptions {
  std::vector<std::string> mechanisms, epsilons;
  std::string auxiliary, labels, output, html, clusters = "spherical", views;
  bool use_labels = false, quiet = false, json = false;
  std::size_t classes = 0;
  CodePlanOptions plan;
};

// One of the encoders that were given, and what came of it.
struct Candidate {
  std::string path;
  Mechanism mechanism;
  CodePlan plan;
};

struct Planned {
  std::vector<Candidate> candidates;
  std::size_t records = 0, classes = 0;
  bool has_labels = false;

  // The candidate with the largest lower end at one epsilon. Codes of two encoders are not finer or coarser than one
  // another for being more or fewer.
  std::size_t best_at(std::size_t epsilon) const {
    std::size_t best = 0;
    for (std::size_t i = 1; i < candidates.size(); ++i)
      if (candidates[i].plan.best[epsilon].low > candidates[best].plan.best[epsilon].low) best = i;
    return best;
  }
};

std::size_t classes_of(const PlanOptions& options, const MechanismSpec& spec) {
  if (options.classes > 0) return options.classes;
  if (!spec.label) misuse("classes: needed, because the mechanism names no label; at least 2");
  return spec.label->classes.size();
}

Dataset load_auxiliary(const PlanOptions& options, const MechanismSpec& spec, std::size_t classes) {
  if (options.labels.empty() && !options.use_labels) return load_unlabelled(options.auxiliary, spec.input);
  LabelSchema label{"label", {}};
  if (spec.label && spec.label->classes.size() == classes)
    label = *spec.label;
  else
    for (std::size_t y = 0; y < classes; ++y) label.classes.push_back(std::to_string(y));
  return load(*open_source({options.auxiliary, options.labels, {}}, spec.input, label).value_or_throw())
      .value_or_throw();
}

std::string label_text(const ReleaseParameters& release) { return release.joint ? "joint" : "split 0.5"; }

void print_progress(const std::string& path, const Prediction& prediction) {
  std::fprintf(stderr, "%s, epsilon %s, %zu codes, %s: %.1f %% right\n", path.c_str(),
               prediction.release.epsilon.to_string().c_str(), prediction.codes, label_text(prediction.release).c_str(),
               100 * prediction.mean);
}

AssignmentOptions assignment_of(const PlanOptions& options, std::size_t codes) {
  return {.codes = codes, .method = code_method_named(options.clusters).value_or_throw(), .seed = options.plan.seed};
}

ViewOptions views_of(const PlanOptions& options, const MechanismSpec& spec) {
  return {.augmentation =
              augmentation_named(options.views.empty() ? views_of_training(spec) : options.views).value_or_throw()};
}

Planned plan(const PlanOptions& options) {
  Planned planned;
  for (const std::string& path : options.mechanisms) {
    Mechanism mechanism = Mechanism::load(path).value_or_throw();
    const MechanismSpec& spec = mechanism.spec();
    if (spec.encoder.layers().empty()) misuse("mechanism " + path + ": has no encoder whose features could be codes");
    planned.classes = classes_of(options, spec);
    Dataset auxiliary = load_auxiliary(options, spec, planned.classes);
    planned.records = auxiliary.rows;
    planned.has_labels = !auxiliary.labels.empty();
    CodeFinder finder(spec.encoder, auxiliary, spec.input, views_of(options, spec));
    if (!planned.has_labels)
      auxiliary.labels = stand_in_classes(finder.features(), finder.width(), planned.classes, options.plan.seed);
    const auto find = [&](std::size_t codes) { return finder.find(assignment_of(options, codes)); };
    const PlannedRecords records{finder.features(), finder.width(), auxiliary.labels, planned.classes};
    CodePlan made = plan_codes(find, records, options.plan, [&](const Prediction& prediction) {
                      if (!options.quiet) print_progress(path, prediction);
                    }).value_or_throw();
    planned.candidates.push_back({path, std::move(mechanism), std::move(made)});
  }
  return planned;
}

nlohmann::json prediction_json(const std::string& path, const Prediction& prediction) {
  return {{"encoder", path},
          {"epsilon", prediction.release.epsilon.to_double()},
          {"codes", prediction.codes},
          {"channel", name_of(prediction.channel)},
          {"label", prediction.release.joint ? "joint" : "split"},
          {"bits_per_report", prediction.information},
          {"accuracy", {{"mean", prediction.mean}, {"low", prediction.low}, {"high", prediction.high}}}};
}

void print_plan_json(const PlanOptions& options, const Planned& planned) {
  nlohmann::json predictions = nlohmann::json::array(), best = nlohmann::json::array();
  for (const Candidate& candidate : planned.candidates)
    for (const Prediction& prediction : candidate.plan.predictions)
      predictions.push_back(prediction_json(candidate.path, prediction));
  for (std::size_t e = 0; e < options.plan.epsilons.size(); ++e) {
    const Candidate& candidate = planned.candidates[planned.best_at(e)];
    best.push_back(prediction_json(candidate.path, candidate.plan.best[e]));
  }
  std::cout << nlohmann::json{{"records", planned.records},
                              {"classes", planned.classes},
                              {"labels", planned.has_labels ? "given" : "stand-ins"},
                              {"reports", options.plan.reports},
                              {"repeats", options.plan.repeats},
                              {"predictions", predictions},
                              {"recommended", best}}
                   .dump()
            << '\n';
}

std::string basis_of(const PlanOptions& options, const Planned& planned) {
  return "Each way was simulated " + std::to_string(options.plan.repeats) + " times with " +
         std::to_string(options.plan.reports) + " reports drawn from the " + std::to_string(planned.records) +
         " records at hand. " +
         (planned.has_labels ? "Labels: those of the records."
                             : "No labels: " + std::to_string(planned.classes) +
                                   " groups that the records show by themselves stand in for the classes. Labels that "
                                   "follow them less closely will be learnt less well.");
}

void print_row(const char* mark, const std::string& path, const Prediction& prediction) {
  std::printf("%s %-24s %6zu  %-20s %-9s %6.2f  %6.1f %%  %5.1f to %.1f\n", mark, path.c_str(), prediction.codes,
              std::string(name_of(prediction.channel)).c_str(), label_text(prediction.release).c_str(),
              prediction.information, 100 * prediction.mean, 100 * prediction.low, 100 * prediction.high);
}

void print_plan_text(const PlanOptions& options, const Planned& planned) {
  std::printf("%s\n", basis_of(options, planned).c_str());
  for (std::size_t e = 0; e < options.plan.epsilons.size(); ++e) {
    const std::size_t best = planned.best_at(e);
    std::printf("\nepsilon %s\n  %-24s %6s  %-20s %-9s %6s  %8s  %s\n", options.plan.epsilons[e].to_string().c_str(),
                "encoder", "codes", "channel", "label", "bits", "right", "range");
    for (std::size_t i = 0; i < planned.candidates.size(); ++i)
      for (const Prediction& way : planned.candidates[i].plan.predictions) {
        if (way.release.epsilon != options.plan.epsilons[e]) continue;
        const Prediction& chosen = planned.candidates[i].plan.best[e];
        const bool is_best = i == best && way.codes == chosen.codes && way.release == chosen.release;
        print_row(is_best ? "*" : " ", planned.candidates[i].path, way);
      }
  }
  std::printf(
      "\n* recommended: nearly the largest lower end, with the most codes. bits: what one report says about the "
      "code%s\n",
      " (and the label, if joint)");
  std::fflush(stdout);
}

void write_html(const PlanOptions& options, const Planned& planned) {
  HtmlReport report("What a collection would yield");
  report.add_text(basis_of(options, planned));
  Plot plot{"Records that get their label", "epsilon", "percent", {}};
  Table table{"Simulated ways to collect",
              {"epsilon", "encoder", "codes", "channel", "label"},
              {"bits a report", "right, %", "range, %"},
              {}};
  const auto percent = [](double share) {
    char text[16];
    std::snprintf(text, sizeof(text), "%.1f", 100 * share);
    return std::string(text);
  };
  int colour = 0;
  for (const Candidate& candidate : planned.candidates) {
    PlotSeries best{candidate.path + ", best", SeriesKind::kOurs, colour++, true, {}};
    for (const Prediction& way : candidate.plan.best)
      best.points.push_back({way.release.epsilon.to_double(), 100 * way.mean, 0});
    plot.series.push_back(std::move(best));
    for (const Prediction& way : candidate.plan.predictions)
      table.rows.push_back({TableRowKind::kOurs,
                            {way.release.epsilon.to_string(), candidate.path, std::to_string(way.codes),
                             std::string(name_of(way.channel)), label_text(way.release)},
                            {{epsilon_text(way.information), "", false},
                             {percent(way.mean), "", false},
                             {percent(way.low) + " to " + percent(way.high), "", false}},
                            ""});
  }
  report.add_plot(plot);
  report.add_table(table);
  write_text(options.html, report.render()).or_throw();
}

// The recommended codebook, ready to be released.
void write_mechanism(const PlanOptions& options, const Planned& planned) {
  const Candidate& candidate = planned.candidates[planned.best_at(0)];
  const Prediction& best = candidate.plan.best[0];
  const MechanismSpec& spec = candidate.mechanism.spec();
  auto provenance = spec.provenance;
  provenance["planned_from"] = to_hex(candidate.mechanism.id());
  const CodeFit fit =
      code_mechanism(spec.encoder, load_unlabelled(options.auxiliary, spec.input), spec.input, spec.label,
                     {assignment_of(options, best.codes), best.channel, views_of(options, spec)}, provenance)
          .value_or_throw();
  Mechanism::make(fit.spec).value_or_throw().save(options.output).or_throw();
  if (!options.json)
    std::cout << "wrote " << options.output << "; release with --epsilon " << best.release.epsilon.to_string()
              << (best.release.joint ? " --joint\n" : " --lambda 0.5\n");
}

void run_plan(PlanOptions& options) {
  if (!options.output.empty() && options.epsilons.size() > 1)
    misuse("output: one mechanism is written for one epsilon, got " + std::to_string(options.epsilons.size()));
  for (const std::string& text : options.epsilons) options.plan.epsilons.push_back(parse_epsilon("epsilon", text));
  const Planned planned = plan(options);
  (options.json ? print_plan_json : print_plan_text)(options, planned);
  if (!options.html.empty()) write_html(options, planned);
  if (!options.output.empty()) write_mechanism(options, planned);
}

}  // namespace

void add_plan(CLI::App& app) {
  auto options = std::make_shared<PlanOptions>();
  CLI::App& command =
      *app.add_subcommand("plan", "Predict what a collection would yield, before anybody sends anything");
  command.add_option("mechanism", options->mechanisms, "The .sotto files whose encoders to plan with")->required();
  command.add_option("--auxiliary", options->auxiliary, "The collector's own records")->required();
  command.add_option(
      "--labels", options->labels,
      "Their labels, as IDX or NPY. Without labels, groups that the records show by themselves stand in");
  command.add_flag("--use-labels", options->use_labels,
                   "The label column of --auxiliary, a CSV file, holds their labels");
  command.add_option("--classes", options->classes, "Number of classes, if the mechanism does not say")
      ->check(CLI::Range(2, 65536));
  command.add_option("--epsilon", options->epsilons, "Of one report, label included; several for a curve")->required();
  command.add_option("--reports", options->plan.reports, "How many reports are expected")
      ->check(CLI::Range(20, 1 << 30))
      ->required();
  command.add_option("--codes", options->plan.codes, "Numbers of codes to try (default: 1 to 8 for each class)")
      ->check(CLI::Range(2, 65536))
      ->delimiter(',');
  command
      .add_option("--clusters", options->clusters,
                  "How codes are found: spherical, balanced, mixture or, for images, head (sotto train codes --help)")
      ->check(CLI::IsMember({"spherical", "balanced", "mixture", "head"}))
      ->capture_default_str();
  add_views_option(command, options->views);
  command.add_option("--repeats", options->plan.repeats, "Simulations of each way")
      ->check(CLI::Range(2, 1000))
      ->capture_default_str();
  command.add_option("--seed", options->plan.seed, "The same seed gives the same plan")->capture_default_str();
  command.add_option("--output", options->output, "Where to write the recommended mechanism, for one epsilon");
  command.add_option("--html", options->html, "Where to write the plan with a plot");
  command.add_flag("--quiet", options->quiet, "No progress");
  add_json_flag(command, options->json);
  command.footer(
      "Example: sotto plan codes.sotto --auxiliary data/mnist/train-images-idx3-ubyte --epsilon 1 --reports 13500 "
      "--output planned.sotto\n"
      "Planning reads the collector's own records only and spends nobody's epsilon.");
  command.callback([options] { run_plan(*options); });
}

}  // namespace sotto::cli
