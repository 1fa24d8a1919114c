// Any bytes as a mechanism file: refused in words, or a mechanism that answers hostile records with possible reports.
//
// The first byte chooses what the rest is: 1 the safetensors header of a file with twelve bytes of data, 2 the "sotto"
// document of a file whose tensors fit a linear encoder from two values to one, 3 that of a file without tensors, 4
// that of 2 with a linear decoder as well, 5 that of a file whose tensors fit a convolution of 2 x 2 pixels with two
// filters, 6 that of a file whose tensors fit a codebook of three codes of two values: nine bytes for its distances,
// then the document. Else the file itself. This spares the fuzzer lengths and quoting.
//
// The C interface reads the same file: it must agree, describe it in plain lines, and refuse or answer like the rest.
#include <cmath>
#include <limits>
#include <map>
#include <string>
#include <utility>

#include "require.h"
#include "sotto.h"
#include "sotto/kernel/seeded_entropy.h"
#include "sotto/mechanism/feature_decoder.h"
#include "sotto/mechanism/mechanism.h"
#include "sotto/mechanism/safetensors.h"

namespace {

using namespace sotto;
using fuzz::require;

constexpr std::size_t kWidestToRun = 256;  // wider mechanisms are read but not run: time belongs to the reader

std::vector<std::byte> file_with_header(std::string_view header) {
  std::string file;
  for (int byte = 0; byte < 8; ++byte) file += static_cast<char>(header.size() >> (8 * byte));
  file += header;
  file += std::string(12, '\x3f');
  const auto bytes = std::as_bytes(std::span(file));
  return {bytes.begin(), bytes.end()};
}

bool is_ascii(std::string_view text) {
  for (const char c : text)
    if (static_cast<unsigned char>(c) >= 0x80) return false;
  return true;
}

std::vector<std::byte> file_with_document(std::string_view document, std::map<std::string, Tensor> tensors) {
  if (!is_ascii(document)) return {};  // would not be written
  return write_safetensors({{{"sotto", std::string(document)}}, std::move(tensors)});
}

std::vector<std::byte> file_of_codes(std::string_view distances_and_document) {
  constexpr std::size_t kDistances = 9;
  if (distances_and_document.size() < kDistances) return {};
  Tensor distances{{3, 3}, {}};
  for (const char distance : distances_and_document.substr(0, kDistances))
    distances.values.push_back(static_cast<float>(distance));
  return file_with_document(
      distances_and_document.substr(kDistances),
      {{"constraint.centroids", {{3, 2}, {-1, 0, 1, 0, 0, 1}}}, {"constraint.distances", std::move(distances)}});
}

std::vector<std::byte> file_of(std::uint8_t kind, std::string_view rest) {
  const std::map<std::string, Tensor> linear = {{"encoder.0.weight", {{1, 2}, {0.5F, -2}}},
                                                {"encoder.0.bias", {{1}, {0.25F}}}};
  const std::map<std::string, Tensor> decoder = {{"decoder.0.weight", {{2, 1}, {0.5F, -2}}},
                                                 {"decoder.0.bias", {{2}, {0.25F, 1}}}};
  const std::map<std::string, Tensor> convolution = {
      {"encoder.0.weight", {{2, 2, 2, 1}, {0.5F, -2, 1, 0, 0.25F, 3, -1, 1}}}, {"encoder.0.bias", {{2}, {0.25F, 0}}}};
  switch (kind) {
    case 1:
      return file_with_header(rest);
    case 2:
      return file_with_document(rest, linear);
    case 3:
      return file_with_document(rest, {});
    case 4: {
      std::map<std::string, Tensor> both = linear;
      both.insert(decoder.begin(), decoder.end());
      return file_with_document(rest, std::move(both));
    }
    case 5:
      return file_with_document(rest, convolution);
    case 6:
      return file_of_codes(rest);
    default:
      break;
  }
  const auto bytes = std::as_bytes(std::span(rest));
  return {bytes.begin(), bytes.end()};
}

bool is_allowed(const InputSchema& input, std::size_t position, float value) {
  if (input.image) return value >= 0 && value <= 1;
  const Column& column = input.columns[position];
  if (column.kind == Column::Kind::kCategorical)
    return value >= 0 && value < static_cast<float>(column.categories.size()) && value == std::trunc(value);
  return value >= static_cast<float>(column.minimum) && value <= static_cast<float>(column.maximum);
}

void decode(const Mechanism& mechanism, const ReportBatch& reports) {
  FeatureDecoder decoder = FeatureDecoder::make(mechanism).value_or_throw();
  std::vector<float> record(decoder.width());
  require(static_cast<bool>(decoder.decode(reports, record)) == stands_for_one_encoding(mechanism.spec()));
  const std::vector<float> representation(mechanism.spec().encoder.output_width(), 1e30F);
  if (!stands_for_one_encoding(mechanism.spec())) decoder.decode_clean(representation, 1, record);
  for (std::size_t i = 0; i < record.size(); ++i) require(is_allowed(mechanism.spec().input, i, record[i]));
}

void run(const Mechanism& mechanism) {
  const MechanismSpec& spec = mechanism.spec();
  const bool gaussian = spec.channel == ChannelFamily::kLatticeGaussian;
  ReleaseParameters parameters{Epsilon::parse("2").value_or_throw(),
                               gaussian ? Delta::parse("1e-5").value_or_throw() : Delta::zero(), std::nullopt};
  if (spec.label) parameters.lambda = parse_lambda("0.5").value_or_throw();
  auto release = mechanism.release(parameters, InexactChannels::kAllowForExperiments);
  if (!release) return;
  SeededEntropy entropy(1);
  const std::vector<std::int32_t> labels(spec.label ? 1 : 0, 0);
  for (const float value : {0.0F, 1e38F, std::numeric_limits<float>::quiet_NaN(), -HUGE_VALF}) {
    const std::vector<float> record(spec.input.width(), value);
    ReportBatch report(*release);
    require(static_cast<bool>(report.privatize(record, labels, 1, entropy)));
    require(release->channel().is_possible(report.features(0)));
    if (spec.decoder) decode(mechanism, report);
  }
}

void run_through_c(const sotto_mechanism* mechanism, const char* delta) {
  sotto_release_options options{};
  options.struct_size = sizeof(options);
  options.epsilon = "2";
  options.delta = delta;
  sotto_release* release = nullptr;
  const sotto_status status = sotto_release_open(mechanism, &options, &release);
  require((status == SOTTO_OK) == (release != nullptr) && (status == SOTTO_OK) == (*sotto_last_error() == '\0'));
  if (release != nullptr) {
    const std::vector<float> record(sotto_mechanism_record_length(mechanism), std::numeric_limits<float>::quiet_NaN());
    std::vector<std::uint8_t> report(sotto_release_report_size(release, SOTTO_CBOR));
    require(sotto_privatize(release, record.data(), record.size(), nullptr, 0, SOTTO_CBOR, report.data(),
                            report.size()) == SOTTO_OK);
  }
  sotto_release_free(release);
}

void load_through_c(std::span<const std::byte> file, const Result<Mechanism>& expected) {
  sotto_mechanism* mechanism = nullptr;
  const sotto_status status = sotto_mechanism_load(file.data(), file.size(), &mechanism);
  require((mechanism != nullptr) == static_cast<bool>(expected));
  if (mechanism == nullptr) {
    require(status == (file.data() == nullptr ? SOTTO_INVALID_ARGUMENT : SOTTO_CORRUPT_FILE));
    require(*sotto_last_error() != '\0');
    return;
  }
  for (const char c : std::string_view(sotto_mechanism_description(mechanism)))
    require(c == '\n' || static_cast<unsigned char>(c) >= ' ');
  if (expected->spec().input.width() <= kWidestToRun && point_length(expected->domain()) <= kWidestToRun) {
    run_through_c(mechanism, nullptr);
    run_through_c(mechanism, "1e-5");
  }
  sotto_mechanism_free(mechanism);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  const std::vector<std::byte> file = file_of(data[0], rest);
  const auto mechanism = Mechanism::from_bytes(file);
  load_through_c(file, mechanism);
  if (!mechanism) {
    require(mechanism.error().code == ErrorCode::kCorruptFile && !mechanism.error().message.empty());
    return 0;
  }
  const auto rewritten = Mechanism::make(mechanism->spec());
  require(static_cast<bool>(rewritten));
  const auto read_again = Mechanism::from_bytes(rewritten->bytes());
  require(read_again && read_again->id() == rewritten->id());
  if (mechanism->spec().input.width() <= kWidestToRun && point_length(mechanism->domain()) <= kWidestToRun)
    run(*mechanism);
  return 0;
}
