// `sotto learn`: a classifier from reports.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>

#include "report_source.h"
#include "sotto/learn/class_prior.h"
#include "sotto/learn/learner.h"
#include "sotto/learn/prediction.h"
#include "sotto/learn/published_classifier.h"
#include "train_options.h"

namespace sotto::cli {
namespace {

struct LearnArguments {
  std::string mechanism, output, publish, auxiliary, codebook, method;
  std::string level = "representation", hidden = "50";
  std::vector<std::string> reports, campaigns;
  bool allow_inexact = false, json = false;
  LearnOptions learning;
};

// What the reports are, and what they are about.
struct Collected {
  ReportBatch reports;
  std::vector<std::int32_t> known_labels;  // of campaigns; else labels are in the reports, with noise
  std::vector<std::string> classes;
};

struct ClassShares {
  std::vector<double> share;
  std::vector<double> standard_error;  // empty when there is none
  const char* source;
};

ReadReports read(const LearnArguments& options, const std::vector<std::string>& files, const Mechanism& mechanism) {
  return read_reports(files, mechanism,
                      options.allow_inexact ? InexactChannels::kAllowForExperiments : InexactChannels::kRefuse);
}

Collected collect_with_labels(const LearnArguments& options, const Mechanism& mechanism) {
  ReportBatch reports = read(options, options.reports, mechanism).batch;
  if (!reports.release().takes_labels() || !mechanism.spec().label)
    misuse("reports: carry no labels to learn from; privatize with --lambda or --joint, or name them with --campaign");
  return {std::move(reports), {}, mechanism.spec().label->classes};
}

// A campaign asks for the records of one class, so that its reports need no label, and spend all of epsilon otherwise.
Collected collect_campaigns(const LearnArguments& options, const Mechanism& mechanism) {
  std::vector<std::string> files, classes;
  std::vector<std::int32_t> class_of_file;
  for (const std::string& campaign : options.campaigns) {
    const std::size_t equals = campaign.find('=');
    if (equals == 0 || equals == std::string::npos || equals + 1 == campaign.size())
      misuse("campaign: must be CLASS=FILE, got '" + campaign + "'");
    files.push_back(campaign.substr(equals + 1));
    const auto known = std::find(classes.begin(), classes.end(), campaign.substr(0, equals));
    class_of_file.push_back(static_cast<std::int32_t>(known - classes.begin()));
    if (known == classes.end()) classes.push_back(campaign.substr(0, equals));
  }
  if (classes.size() < 2) misuse("campaign: learning needs at least two classes, got one");
  ReadReports read_files = read(options, files, mechanism);
  if (read_files.batch.release().takes_labels())
    misuse("campaign: these reports carry labels of their own; give them with --reports");
  Collected collected{std::move(read_files.batch), {}, std::move(classes)};
  for (std::size_t file = 0; file < files.size(); ++file) {
    if (read_files.per_file[file] == 0) misuse("campaign: " + files[file] + " holds no reports");
    collected.known_labels.insert(collected.known_labels.end(), read_files.per_file[file], class_of_file[file]);
  }
  return collected;
}

Collected collect(const LearnArguments& options, const Mechanism& mechanism) {
  if (options.reports.empty() == options.campaigns.empty())
    misuse("reports: give either --reports, or a --campaign for each class");
  return options.campaigns.empty() ? collect_with_labels(options, mechanism) : collect_campaigns(options, mechanism);
}

// What the data at hand allow, unless somebody says otherwise.
LearnMethod choose_method(const LearnArguments& options, ChannelFamily channel, const Release& release) {
  if (!options.method.empty()) return learn_method_named(options.method).value_or_throw();
  if (channel == ChannelFamily::kHyperplaneResponse) return LearnMethod::kDiscriminant;
  if (release.label_join() != nullptr || !options.codebook.empty()) return LearnMethod::kCodes;
  if (options.level == "feature" || options.auxiliary.empty()) return LearnMethod::kLabelNoise;
  return options.campaigns.empty() ? LearnMethod::kDenoising : LearnMethod::kCodes;
}

ClassShares shares_of(const Collected& collected, const Mechanism& mechanism, const Classifier& classifier,
                      const Dataset& auxiliary) {
  const std::size_t classes = classifier.classes.size();
  const ReportBatch& reports = collected.reports;
  if (const Channel* channel = reports.release().label_channel()) {
    std::vector<std::int32_t> labels;
    for (std::size_t i = 0; i < reports.size(); ++i) labels.push_back(static_cast<std::int32_t>(*reports.label(i)));
    ClassPrior prior = estimate_class_prior(labels, label_noise_of(*channel, classes));
    return {std::move(prior.frequency), std::move(prior.standard_error), "reported labels, without their noise"};
  }
  ClassShares shares{std::vector<double>(classes, 0), {}, "campaigns, by their numbers of reports"};
  for (const std::int32_t label : collected.known_labels) ++shares.share[static_cast<std::size_t>(label)];
  for (double& share : shares.share) share /= static_cast<double>(reports.size());
  if (!collected.known_labels.empty()) return shares;

  shares.source = "public records, as the classifier sees them";
  const auto predicted = predict(classifier, mechanism, auxiliary.values, auxiliary.rows).value_or_throw();
  for (std::size_t i = 0; i < predicted.size(); ++i)
    shares.share[i % classes] += static_cast<double>(predicted[i]) / static_cast<double>(auxiliary.rows);
  return shares;
}

const char* seen_by(ClassifierInput input) {
  switch (input) {
    case ClassifierInput::kRepresentation:
      return "its representation";
    case ClassifierInput::kRecord:
      return "all of it";
    case ClassifierInput::kDecoded:
      break;
  }
  return "what the decoder makes of its representation";
}

void print_learn_json(const LearnArguments& options, const ReportBatch& reports, const Learnt& learnt,
                      const ClassShares& shares) {
  nlohmann::json classes = nlohmann::json::array();
  for (std::size_t y = 0; y < shares.share.size(); ++y) {
    classes.push_back({{"name", learnt.classifier.classes[y]}, {"share", shares.share[y]}});
    if (!shares.standard_error.empty()) classes.back()["standard_error"] = shares.standard_error[y];
  }
  std::cout << nlohmann::json{{"classifier", options.output},
                              {"mechanism", learnt.classifier.mechanism},
                              {"method", name_of(options.learning.method)},
                              {"input", name_of(learnt.classifier.input)},
                              {"reports", reports.size()},
                              {"claim", reports.release().claim().to_string()},
                              {"classes", classes},
                              {"diagnostics", learnt.diagnostics}}
                   .dump()
            << '\n';
}

void print_learn_text(const LearnArguments& options, const ReportBatch& reports, const Learnt& learnt,
                      const ClassShares& shares) {
  std::printf("learnt from %zu reports by method %s%s\n", reports.size(),
              std::string(name_of(options.learning.method)).c_str(),
              options.method.empty() ? " (chosen by what was given; --method sets another)" : "");
  std::printf("each report claims %s\n", reports.release().claim().to_string().c_str());
  std::printf("class shares, from the %s:\n", shares.source);
  for (std::size_t y = 0; y < shares.share.size(); ++y) {
    std::printf("  %-16s %5.1f %%", learnt.classifier.classes[y].c_str(), 100 * shares.share[y]);
    if (!shares.standard_error.empty()) std::printf(" (standard error %.1f)", 100 * shares.standard_error[y]);
    std::printf("\n");
  }
  for (const auto& [name, value] : learnt.diagnostics) std::printf("%s: %g\n", name.c_str(), value);
  std::printf("wrote %s; it sees of a record: %s\n", options.output.c_str(), seen_by(learnt.classifier.input));
  if (!options.publish.empty())
    std::printf("wrote %s; with it a device reports the label that it predicts for its own record\n",
                options.publish.c_str());
  std::fflush(stdout);
}

void run_learn(LearnArguments& options) {
  const Mechanism mechanism = Mechanism::load(options.mechanism).value_or_throw();
  options.learning.hidden = widths_from(options.hidden);
  options.learning.decoded = options.level == "feature";
  std::optional<Mechanism> codebook;
  if (!options.codebook.empty()) codebook = Mechanism::load(options.codebook).value_or_throw();
  const Collected collected = collect(options, mechanism);
  const ReportBatch& reports = collected.reports;
  options.learning.method = choose_method(options, mechanism.spec().channel, reports.release());
  if (codebook && options.learning.method != LearnMethod::kCodes && options.learning.method != LearnMethod::kStudent)
    misuse("codebook: given, but only methods codes and student use one, and the method is " +
           std::string(name_of(options.learning.method)));
  Dataset auxiliary;
  if (!options.auxiliary.empty()) auxiliary = load_unlabelled(options.auxiliary, mechanism.spec().input);
  Learnt learnt = learn({.mechanism = mechanism,
                         .reports = reports,
                         .known_labels = collected.known_labels,
                         .auxiliary = &auxiliary,
                         .codebook = codebook ? &*codebook : nullptr,
                         .classes = collected.classes.size()},
                        options.learning)
                      .value_or_throw();
  learnt.classifier.classes = collected.classes;
  learnt.classifier.save(options.output).or_throw();
  if (!options.publish.empty())
    Mechanism::make(published_classifier(learnt.classifier, mechanism.spec().input).value_or_throw())
        .value_or_throw()
        .save(options.publish)
        .or_throw();
  const ClassShares shares = shares_of(collected, mechanism, learnt.classifier, auxiliary);
  (options.json ? print_learn_json : print_learn_text)(options, reports, learnt, shares);
}

}  // namespace

void add_learn(CLI::App& app) {
  auto options = std::make_shared<LearnArguments>();
  CLI::App& command = *app.add_subcommand("learn", "Learn a classifier from reports");
  command.add_option("mechanism", options->mechanism, "The .sotto file that made the reports")->required();
  command.add_option("--reports", options->reports, "NDJSON or CBOR files, or - for standard input");
  command.add_option("--campaign", options->campaigns,
                     "Instead of --reports, CLASS=FILE once for each: reports without labels, of people who were asked "
                     "because their record is of this class. It may be one that the mechanism never saw");
  command.add_option("--output", options->output, "Where to write the classifier, as safetensors")->required();
  command.add_option("--publish", options->publish,
                     "Where to write the classifier as a mechanism: a device then reports the label that it predicts "
                     "for its own record, which is all that private inference needs");
  command.add_option("--auxiliary", options->auxiliary,
                     "Public records without labels: the prior over where reports come from");
  command.add_option("--codebook", options->codebook,
                     "Mechanism of `sotto train codes`, whose codes partition the public records");
  command
      .add_option(
          "--method", options->method,
          "codes: find the label of each cluster of the public records. denoising: weigh public records by how "
          "well they explain a report. student: the same, for a classifier of whole records. discriminant: means "
          "of reports, and how public records scatter. label-noise: reports alone. Default: discriminant for "
          "directions; codes for joint reports, campaigns or with --codebook; denoising with --auxiliary; else "
          "label-noise")
      ->check(CLI::IsMember({"codes", "denoising", "student", "discriminant", "label-noise"}));
  command
      .add_option("--level", options->level,
                  "representation, or feature: a classifier of records as the mechanism's decoder gives them back")
      ->check(CLI::IsMember({"representation", "feature"}))
      ->capture_default_str();
  command.add_option("--hidden", options->hidden, "Widths of the hidden layers, or none for logistic regression")
      ->capture_default_str();
  command.add_option("--codes", options->learning.codes, "With method codes and no --codebook: clusters to make")
      ->check(CLI::Range(2, 65536))
      ->capture_default_str();
  command.add_option("--held-out", options->learning.held_out, "Share of the reports that decides when to stop")
      ->check(CLI::Range(0.001, 0.5))
      ->capture_default_str();
  command.add_option("--seed", options->learning.seed, "The same seed and reports give the same classifier")
      ->capture_default_str();
  command.add_flag("--allow-inexact", options->allow_inexact, "Take reports of floating-point channels");
  add_json_flag(command, options->json);
  command.footer(
      "Example: sotto learn mnist.sotto --reports reports.ndjson --auxiliary data/mnist/train-images-idx3-ubyte "
      "--output classifier.safetensors\n"
      "Learning is post-processing: it reads reports and public data, and costs nobody any further epsilon.");
  command.callback([options] { run_learn(*options); });
}

}  // namespace sotto::cli
