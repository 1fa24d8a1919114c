// `sotto privatize`: records in, reports out, as they are or decoded to records again; a stream filter in constant
// memory.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <iostream>
#include <memory>

#include "command.h"
#include "report_sink.h"
#include "sotto/data/open_source.h"

namespace sotto::cli {
namespace {

constexpr std::size_t kBatchRows = 256;  // small enough to stay in the cache, large enough to multiply as a matrix

struct PrivatizeOptions {
  std::string mechanism;
  std::string input = "-";
  std::string labels;
  std::string output = "-";
  std::string labels_output;
  std::string level = "representation";
  std::string format;
  ReleaseOptions release;
  std::optional<std::uint64_t> seed;
  bool quiet = false;
  bool json = false;
};

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

// A line on standard error that is rewritten, when somebody is watching.
class Progress {
 public:
  explicit Progress(bool wanted) : shown_(wanted && isatty(STDERR_FILENO) != 0) {}

  void update(std::uint64_t records) {
    if (!shown_ || seconds_since(last_) < 0.2) return;
    last_ = Clock::now();
    std::fprintf(stderr, "\r%llu records, %.0f/s ", static_cast<unsigned long long>(records),
                 static_cast<double>(records) / seconds_since(start_));
  }
  void finish() const {
    if (shown_) std::fprintf(stderr, "\r\033[K");
  }
  double seconds() const { return seconds_since(start_); }

 private:
  bool shown_;
  Clock::time_point start_ = Clock::now();
  Clock::time_point last_ = start_;
};

std::string feature_format(const PrivatizeOptions& options) {
  if (!options.format.empty()) return options.format;
  const std::string extension = std::filesystem::path(options.output).extension().string();
  if (options.output == "-" || extension == ".csv") return "csv";
  if (extension == ".npy") return "npy";
  if (extension == ".ndjson" || extension == ".jsonl") return "ndjson";
  misuse("format: the extension of --output does not tell it, allowed are csv, npy and ndjson");
}

std::unique_ptr<ReportSink> make_feature_sink(const PrivatizeOptions& options, const Mechanism& mechanism,
                                              const Release& release) {
  const FeatureOutput target{feature_format(options), options.output, options.labels_output};
  const bool npy = target.format == "npy";
  const bool needs_labels_output = npy && release.label_channel() != nullptr;
  if (target.format == "cbor") misuse("format: received cbor, at level feature allowed are csv, npy and ndjson");
  if (npy && (target.output == "-" || target.labels_output == "-"))
    misuse("output: format npy needs a file, because its start says how many records follow");
  if (needs_labels_output && target.labels_output.empty())
    misuse("labels-output: needed for format npy, which has no room for labels beside the records");
  if (!needs_labels_output && !target.labels_output.empty())
    misuse("labels-output: given, but only format npy keeps labels (which need --lambda) in a file of their own");
  return make_feature_sink(target, mechanism, release);
}

std::unique_ptr<ReportSink> make_sink(const PrivatizeOptions& options, const Mechanism& mechanism,
                                      const Release& release) {
  if (options.level == "feature") return make_feature_sink(options, mechanism, release);
  if (options.format == "csv" || options.format == "npy")
    misuse("format: received " + options.format + ", which needs --level feature; reports are ndjson or cbor");
  if (!options.labels_output.empty()) misuse("labels-output: needs --level feature; reports carry their label");
  return make_report_sink(options.format, options.output);
}

std::uint64_t stream(const Release& release, RecordSource& source, Entropy& entropy, ReportSink& sink,
                     Progress& progress) {
  Batch batch;
  ReportBatch reports(release);
  std::uint64_t records = 0;
  while (true) {
    const std::size_t rows = source.read(batch, kBatchRows).value_or_throw();
    if (rows == 0) return records;
    const std::span<const std::int32_t> labels =
        release.takes_labels() ? std::span<const std::int32_t>(batch.labels) : std::span<const std::int32_t>();
    reports.privatize(batch.values, labels, rows, entropy).or_throw();
    sink.write(reports);
    records += rows;
    progress.update(records);
  }
}

void summarize(const PrivatizeOptions& options, std::uint64_t records, const Progress& progress, const Claim& claim) {
  const double rate = static_cast<double>(records) / progress.seconds();
  if (options.json)
    std::cerr << nlohmann::json{{"records", records},
                                {"level", options.level},
                                {"seconds", progress.seconds()},
                                {"records_per_second", rate},
                                {"claim", claim.to_string()}}
                     .dump()
              << '\n';
  else
    std::fprintf(stderr, "%llu reports%s in %.2f s (%.0f/s); each claims %s\n",
                 static_cast<unsigned long long>(records), options.level == "feature" ? ", decoded," : "",
                 progress.seconds(), rate, claim.to_string().c_str());
}

void run_privatize(const PrivatizeOptions& options) {
  const Mechanism mechanism = Mechanism::load(options.mechanism).value_or_throw();
  const Release release = mechanism.release(options.release.parse(), options.release.inexact()).value_or_throw();
  const bool labelled = release.takes_labels();
  if (!labelled && !options.labels.empty())
    misuse("--labels: given without --lambda or --joint, which say how they are released");
  const auto source = open_source({options.input, options.labels, {}}, mechanism.spec().input,
                                  labelled ? mechanism.spec().label : std::nullopt)
                          .value_or_throw();
  const auto entropy = make_entropy(options.seed);
  const auto sink = make_sink(options, mechanism, release);
  Progress progress(!options.quiet);
  const std::uint64_t records = stream(release, *source, *entropy, *sink, progress);
  sink->commit();
  progress.finish();
  if (!options.quiet) summarize(options, records, progress, release.claim());
}

}  // namespace

void add_privatize(CLI::App& app) {
  auto options = std::make_shared<PrivatizeOptions>();
  CLI::App& command = *app.add_subcommand("privatize", "Turn records into epsilon-LDP reports, as a stream");
  command.add_option("mechanism", options->mechanism, "The .sotto file")->required();
  command.add_option("--input", options->input, "Records: IDX, NPY or CSV, or - for standard input")
      ->capture_default_str();
  command.add_option("--labels", options->labels, "Labels, when they are in a file of their own");
  command.add_option("--output", options->output, "Where the reports go; a file appears only when complete")
      ->capture_default_str();
  command
      .add_option("--level", options->level,
                  "representation: the reports, as integers. feature: records decoded from the reports, by the "
                  "mechanism's decoder and from nothing else, so with the same epsilon")
      ->check(CLI::IsMember({"representation", "feature"}))
      ->capture_default_str();
  command
      .add_option("--format", options->format,
                  "Of reports ndjson (default) or cbor; of decoded records csv, npy or ndjson (default: the extension "
                  "of --output, csv on standard output)")
      ->check(CLI::IsMember({"ndjson", "cbor", "csv", "npy"}));
  command.add_option("--labels-output", options->labels_output,
                     "Where reported labels go when decoded records go to an NPY file");
  options->release.add_to(command, true);
  command.add_option("--seed", options->seed, "Predictable noise, for experiments only");
  command.add_flag("--quiet", options->quiet, "Say nothing on standard error but errors");
  add_json_flag(command, options->json);
  command.footer(
      "Example: sotto privatize mnist.sotto --input data/mnist/t10k-images-idx3-ubyte --epsilon 4 > reports.ndjson\n"
      "Standard output carries reports; the summary (with --json, as JSON) goes to standard error.\n"
      "With --level feature a record is made of its report alone. Whatever is computed from a report without another\n"
      "look at the record (post-processing) tells no more than the report did: epsilon stays what it was.");
  command.callback([options] { run_privatize(*options); });
}

}  // namespace sotto::cli
