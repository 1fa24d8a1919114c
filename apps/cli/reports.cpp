// `sotto reports`: what a collector has kept, from files into a store and back.
#include <filesystem>
#include <iostream>
#include <memory>
#include <optional>

#include "command.h"
#include "report_sink.h"
#include "report_source.h"
#include "sotto/collect/sqlite_store.h"
#include "sotto/data/byte_stream.h"

namespace sotto::cli {
namespace {

struct ReportsOptions {
  std::string store, mechanism, format = "cbor", output;
  std::vector<std::string> files;
  std::optional<std::uint64_t> collection;
  bool allow_inexact = false, json = false;

  InexactChannels inexact() const {
    return allow_inexact ? InexactChannels::kAllowForExperiments : InexactChannels::kRefuse;
  }
};

std::unique_ptr<ReportStore> open_existing(const std::string& path) {
  if (!std::filesystem::exists(path)) throw Failure({ErrorCode::kIo, "store " + path + ": there is no such file"});
  return open_sqlite_store(path).value_or_throw();
}

Sha256Digest digest_of_file(const std::string& path) {
  ByteStream stream = ByteStream::open(path).value_or_throw();
  Sha256 sum;
  while (true) {
    const auto bytes = stream.peek(1).value_or_throw();
    if (bytes.empty()) return sum.finish();
    sum.update(std::as_bytes(bytes));
    stream.consume(bytes.size());
  }
}

// The same for the same part of the same file, so that an import that was stopped can be repeated.
DeliveryKey key_of(const Sha256Digest& file, std::uint64_t part) {
  std::string text(file.begin(), file.end());
  text += std::to_string(part);
  const Sha256Digest digest = sha256(std::as_bytes(std::span(text)));
  DeliveryKey key;
  std::copy_n(digest.begin(), key.size(), key.begin());
  return key;
}

Delivery delivery_of(const ReportBatch& batch, const DeliveryKey& key) {
  const ReportCodec& codec = batch.release().codec();
  Delivery delivery{key, codec.cbor_preamble(), batch.size(), {}};
  std::string report;
  for (std::size_t i = 0; i < batch.size(); ++i) {
    report.clear();
    codec.append_cbor(batch[i], report);
    delivery.packed.append(report, codec.cbor_preamble().size());
  }
  return delivery;
}

void import_reports(const ReportsOptions& options) {
  constexpr std::size_t kTogether = 4096;
  const Mechanism mechanism = Mechanism::load(options.mechanism).value_or_throw();
  // All of them are read before any is kept: half a file, kept, would be kept again when the file has been mended.
  for (const std::string& path : options.files) {
    if (path == "-") misuse("reports import: needs files, which it reads twice, got standard input");
    for_each_batch_of_file(path, mechanism, options.inexact(), kTogether, [](const ReportBatch&) {});
  }
  const auto store = open_sqlite_store(options.store).value_or_throw();
  std::uint64_t kept = 0, known = 0;
  for (const std::string& path : options.files) {
    const Sha256Digest digest = digest_of_file(path);
    std::uint64_t part = 0;
    for_each_batch_of_file(path, mechanism, options.inexact(), kTogether, [&](const ReportBatch& batch) {
      const Delivery delivery = delivery_of(batch, key_of(digest, part++));
      switch (store->keep(std::span(&delivery, 1)).value_or_throw().front()) {
        case Receipt::kKept:
          kept += batch.size();
          return;
        case Receipt::kKeptBefore:
          known += batch.size();
          return;
        case Receipt::kRefused:
          throw Failure(
              {ErrorCode::kCorruptFile, "store " + options.store + ": has other reports under a key of " + path});
      }
    });
  }
  if (options.json) {
    std::cout << nlohmann::json{{"store", options.store}, {"kept", kept}, {"kept_before", known}}.dump() << '\n';
    return;
  }
  std::cout << "kept " << kept << " reports in " << options.store;
  if (known > 0) std::cout << "; " << known << " of the same files were there already";
  std::cout << '\n';
}

void export_reports(const ReportsOptions& options) {
  const Mechanism mechanism = Mechanism::load(options.mechanism).value_or_throw();
  open_existing(options.store);
  const auto sink = make_report_sink(options.format, options.output);
  std::uint64_t written = 0;
  for_each_batch_of_store(options.store, options.collection, mechanism, options.inexact(),
                          [&](const ReportBatch& batch) {
                            sink->write(batch);
                            written += batch.size();
                          });
  sink->commit();
  if (options.output == "-") return;
  if (options.json)
    std::cout << nlohmann::json{{"reports", written}, {"output", options.output}}.dump() << '\n';
  else
    std::cout << "wrote " << written << " reports to " << options.output << '\n';
}

void list_collections(const ReportsOptions& options) {
  const auto collections = open_existing(options.store)->collections().value_or_throw();
  nlohmann::json listed = nlohmann::json::array();
  for (const StoredCollection& collection : collections) {
    const ReportHeader header = collection.header().value_or_throw();
    const ReleaseParameters& parameters = header.parameters;
    listed.push_back({{"collection", collection.number},
                      {"mechanism", to_hex(header.mechanism_id)},
                      {"epsilon", parameters.epsilon.to_string()},
                      {"delta", parameters.delta.to_string()},
                      {"label", parameters.joint    ? "joint"
                                : parameters.lambda ? "split"
                                                    : "none"},
                      {"reports", collection.reports},
                      {"deliveries", collection.deliveries},
                      {"bytes_per_report", collection.packed_length}});
    if (parameters.lambda) listed.back()["lambda"] = parameters.lambda->to_string();
  }
  if (options.json) {
    std::cout << listed.dump() << '\n';
    return;
  }
  if (listed.empty()) std::cout << options.store << " holds no reports yet\n";
  for (const auto& entry : listed) {
    const auto text = [&](const char* key) { return entry.at(key).get<std::string>(); };
    std::cout << "collection " << entry.at("collection") << ": " << entry.at("reports") << " reports of mechanism "
              << text("mechanism").substr(0, 12) << "..., epsilon " << text("epsilon") << ", delta " << text("delta")
              << ", label " << text("label") << '\n';
  }
}

void add_mechanism(CLI::App& command, ReportsOptions& options) {
  command.add_option("--mechanism", options.mechanism, "The .sotto file that the reports were made with")->required();
  command.add_flag("--allow-inexact", options.allow_inexact,
                   "For experiments: also reports of channels whose noise is not exact");
}

}  // namespace

void add_reports(CLI::App& app) {
  CLI::App& reports = *app.add_subcommand("reports", "Keep reports in a store, and take them out again");
  reports.require_subcommand(1);
  const auto options = std::make_shared<ReportsOptions>();
  const auto add = [&](const char* name, const char* what, void (*run)(const ReportsOptions&)) -> CLI::App& {
    CLI::App& command = *reports.add_subcommand(name, what);
    command.add_option("store", options->store, "The store, one SQLite file")->required();
    add_json_flag(command, options->json);
    command.callback([options, run] { run(*options); });
    return command;
  };
  CLI::App& importing = add("import", "Files of reports into a store, each file once", import_reports);
  add_mechanism(importing, *options);
  importing.add_option("files", options->files, "Files of `sotto privatize`, NDJSON or CBOR")->required();
  importing.footer(
      "Example: sotto reports import reports.db joint.cbor --mechanism codes.sotto\n"
      "Every report must be one that the mechanism can make. An import that was stopped may be repeated.");

  CLI::App& exporting = add("export", "A collection from a store into a file", export_reports);
  add_mechanism(exporting, *options);
  exporting.add_option("--collection", options->collection, "Its number (sotto reports list), if there are several");
  exporting.add_option("--format", options->format, "cbor or ndjson")
      ->check(CLI::IsMember({"cbor", "ndjson"}))
      ->capture_default_str();
  exporting.add_option("--output", options->output, "Where to write; - is standard output")->required();
  exporting.footer("Example: sotto reports export reports.db --mechanism codes.sotto --output all.cbor");

  add("list", "What a store holds", list_collections).footer("Example: sotto reports list reports.db");
}

}  // namespace sotto::cli
