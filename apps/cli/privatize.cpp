// `sotto privatize`: records in, reports out; a stream filter in constant memory.
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <iostream>
#include <memory>

#include "command.h"
#include "output_stream.h"
#include "sotto/data/open_source.h"
#include "sotto/kernel/seeded_entropy.h"

namespace sotto::cli {
namespace {

constexpr std::size_t kBatchRows = 256;  // small enough to stay in the cache, large enough to multiply as a matrix

struct Options {
  std::string mechanism;
  std::string input = "-";
  std::string labels;
  std::string output = "-";
  std::string format = "ndjson";
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

std::unique_ptr<Entropy> make_entropy(const Options& options) {
  if (!options.seed) return std::make_unique<Entropy>();
  std::cerr << "warning: --seed makes the noise predictable; these reports protect nobody\n";
  return std::make_unique<SeededEntropy>(*options.seed);
}

void append(const ReportCodec& codec, bool cbor, Report report, std::string& out) {
  if (cbor)
    codec.append_cbor(report, out);
  else
    codec.append_ndjson(report, out);
}

std::uint64_t stream(const Release& release, RecordSource& source, bool cbor, Entropy& entropy, OutputStream& output,
                     Progress& progress) {
  Batch batch;
  std::vector<std::int64_t> reports;
  std::string encoded;
  std::uint64_t records = 0;
  while (true) {
    const std::size_t rows = source.read(batch, kBatchRows).value_or_throw();
    if (rows == 0) return records;
    reports.resize(rows * release.report_length());
    const std::span<const std::int32_t> labels = release.label_channel() != nullptr
                                                     ? std::span<const std::int32_t>(batch.labels)
                                                     : std::span<const std::int32_t>();
    release.privatize(batch.values, labels, rows, entropy, reports).or_throw();
    encoded.clear();
    for (std::size_t i = 0; i < rows; ++i)
      append(release.codec(), cbor, std::span(reports).subspan(i * release.report_length(), release.report_length()),
             encoded);
    output.write(encoded);
    records += rows;
    progress.update(records);
  }
}

void run(const Options& options) {
  const Mechanism mechanism = Mechanism::load(options.mechanism).value_or_throw();
  const Release release = mechanism.release(options.release.parse(), options.release.inexact()).value_or_throw();
  const bool labelled = release.label_channel() != nullptr;
  if (!labelled && !options.labels.empty())
    throw Failure(
        {ErrorCode::kInvalidArgument, "--labels: given without --lambda, which says what share of epsilon they get"});
  const auto source = open_source({options.input, options.labels, {}}, mechanism.spec().input,
                                  labelled ? mechanism.spec().label : std::nullopt)
                          .value_or_throw();
  const auto entropy = make_entropy(options);
  OutputStream output(options.output);
  Progress progress(!options.quiet);
  const std::uint64_t records = stream(release, *source, options.format == "cbor", *entropy, output, progress);
  output.commit();
  progress.finish();
  if (options.quiet) return;
  const double rate = static_cast<double>(records) / progress.seconds();
  if (options.json)
    std::cerr << nlohmann::json{{"records", records},
                                {"seconds", progress.seconds()},
                                {"records_per_second", rate},
                                {"claim", release.claim().to_string()}}
                     .dump()
              << '\n';
  else
    std::fprintf(stderr, "%llu reports in %.2f s (%.0f/s); each claims %s\n", static_cast<unsigned long long>(records),
                 progress.seconds(), rate, release.claim().to_string().c_str());
}

}  // namespace

void add_privatize(CLI::App& app) {
  auto options = std::make_shared<Options>();
  CLI::App& command = *app.add_subcommand("privatize", "Turn records into epsilon-LDP reports, as a stream");
  command.add_option("mechanism", options->mechanism, "The .sotto file")->required();
  command.add_option("--input", options->input, "Records: IDX, NPY or CSV, or - for standard input")
      ->capture_default_str();
  command.add_option("--labels", options->labels, "Labels, when they are in a file of their own");
  command.add_option("--output", options->output, "Where the reports go; a file appears only when complete")
      ->capture_default_str();
  command.add_option("--format", options->format, "ndjson or cbor")
      ->check(CLI::IsMember({"ndjson", "cbor"}))
      ->capture_default_str();
  options->release.add_to(command, true);
  command.add_option("--seed", options->seed, "Predictable noise, for experiments only");
  command.add_flag("--quiet", options->quiet, "Say nothing on standard error but errors");
  add_json_flag(command, options->json);
  command.footer(
      "Example: sotto privatize mnist.sotto --input data/mnist/t10k-images-idx3-ubyte --epsilon 4 > reports.ndjson\n"
      "Standard output carries reports; the summary (with --json, as JSON) goes to standard error.");
  command.callback([options] { run(*options); });
}

}  // namespace sotto::cli
