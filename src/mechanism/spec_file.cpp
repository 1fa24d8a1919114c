#include "sotto/mechanism/spec_file.h"

#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "sotto/constraint/domain.h"
#include "sotto/mechanism/json_fields.h"
#include "sotto/mechanism/network_json.h"
#include "sotto/mechanism/safetensors.h"
#include "sotto/mechanism/schema_json.h"
#include "sotto/wire/json_check.h"

namespace sotto {
namespace {

using nlohmann::json;

constexpr std::uint64_t kFormat = 1;
constexpr std::uint64_t kFormatWithDecoder = 2;
constexpr std::uint64_t kFormatWithDistances = kNewestFormat;
constexpr const char* kCentroids = "constraint.centroids";
constexpr const char* kOffsets = "constraint.offsets";
constexpr const char* kDistances = "constraint.distances";

Decoder read_decoder(const json& object, std::size_t encoding_width, Safetensors& file) {
  expect_keys(object, "decoder", {"layers", "output"});
  const OutputMap output = output_map_named(text_at(object, "output")).value_or_throw();
  return {read_network("decoder", object.at("layers"), encoding_width, file), output};
}

struct ConstraintWriter {
  Safetensors& file;
  std::size_t encoding_width;

  json operator()(const L1LatticeSpec& s) const {
    return {{"type", "l1_lattice"}, {"radius", s.radius}, {"resolution", s.resolution}};
  }
  json operator()(const L2LatticeSpec& s) const {
    return {{"type", "l2_lattice"}, {"radius", s.radius}, {"resolution", s.resolution}};
  }
  json operator()(const FeatureBoxSpec& s) const { return {{"type", "feature_box"}, {"resolution", s.resolution}}; }
  json operator()(const DirectionAndLengthSpec& s) const {
    return {{"type", "direction_and_length"}, {"max_length", s.max_length}, {"resolution", s.resolution}};
  }
  json operator()(const CodebookSpec& s) const {
    const std::size_t codes = s.centroids.size() / encoding_width;
    file.tensors[kCentroids] = {{codes, encoding_width}, s.centroids};
    if (!s.offsets.empty()) file.tensors[kOffsets] = {{s.offsets.size()}, s.offsets};
    if (!s.distances.empty()) file.tensors[kDistances] = {{codes, codes}, {s.distances.begin(), s.distances.end()}};
    return {{"type", "codebook"}};
  }
};

std::uint64_t format_of(const MechanismSpec& spec) {
  const auto* codebook = std::get_if<CodebookSpec>(&spec.constraint);
  if (codebook != nullptr && !codebook->distances.empty()) return kFormatWithDistances;
  return spec.decoder ? kFormatWithDecoder : kFormat;
}

// That they fit a channel is for the domain to say (domain.h); here, that they are what they were when written.
std::vector<std::uint8_t> read_distances(std::size_t codes, Safetensors& file) {
  const Tensor tensor = take_tensor(file, kDistances, 2);
  if (tensor.shape[0] != codes || tensor.shape[1] != codes)
    throw corrupt(std::string("tensor ") + kDistances + " is not " + std::to_string(codes) + " x " +
                  std::to_string(codes) + ", from each code to each");
  std::vector<std::uint8_t> distances;
  for (const float value : tensor.values) {
    if (!(value >= 0 && value <= static_cast<float>(kMaxDistance)) || value != std::trunc(value))
      throw corrupt(std::string("tensor ") + kDistances + " holds something other than whole numbers up to " +
                    std::to_string(kMaxDistance));
    distances.push_back(static_cast<std::uint8_t>(value));
  }
  return distances;
}

CodebookSpec read_codebook(std::uint64_t format, std::size_t encoding_width, Safetensors& file) {
  Tensor centroids = take_tensor(file, kCentroids, 2);
  if (centroids.shape[1] != encoding_width)
    throw corrupt(std::string("tensor ") + kCentroids + " has rows of " + std::to_string(centroids.shape[1]) +
                  " values, but encodings have " + std::to_string(encoding_width));
  CodebookSpec codebook{std::move(centroids.values)};
  if (format == kFormatWithDistances) codebook.distances = read_distances(centroids.shape[0], file);
  if (file.tensors.contains(kOffsets)) codebook.offsets = take_tensor(file, kOffsets, 1).values;
  return codebook;
}

ConstraintSpec read_constraint(const json& object, std::uint64_t format, std::size_t encoding_width,
                               Safetensors& file) {
  expect_keys(object, "constraint", {"type"}, {"radius", "max_length", "resolution"});
  const std::string type = text_at(object, "type");
  const auto resolution = [&] { return static_cast<std::int64_t>(integer_at(object, "resolution")); };
  if (type == "l1_lattice") {
    expect_keys(object, type, {"type", "radius", "resolution"});
    return L1LatticeSpec{real_at(object, "radius"), resolution()};
  }
  if (type == "l2_lattice") {
    expect_keys(object, type, {"type", "radius", "resolution"});
    return L2LatticeSpec{real_at(object, "radius"), resolution()};
  }
  if (type == "feature_box") {
    expect_keys(object, type, {"type", "resolution"});
    return FeatureBoxSpec{resolution()};
  }
  if (type == "direction_and_length") {
    expect_keys(object, type, {"type", "max_length", "resolution"});
    return DirectionAndLengthSpec{real_at(object, "max_length"), resolution()};
  }
  if (type == "codebook") {
    expect_keys(object, type, {"type"});
    return read_codebook(format, encoding_width, file);
  }
  throw corrupt("unknown constraint");
}

std::map<std::string, std::string> read_provenance(const json& object) {
  if (!object.is_object()) throw corrupt("provenance is not an object");
  std::map<std::string, std::string> provenance;
  for (const auto& [key, value] : object.items()) {
    if (!value.is_string()) throw corrupt("provenance holds something other than text");
    provenance[key] = value.get<std::string>();
  }
  return provenance;
}

std::uint64_t read_format(const json& document) {
  const std::uint64_t format = integer_at(document, "format");
  if (format == kFormat)
    expect_keys(document, "document", {"format", "input", "encoder", "constraint", "channel", "provenance"}, {"label"});
  else if (format == kFormatWithDecoder)
    expect_keys(document, "document", {"format", "input", "encoder", "constraint", "channel", "decoder", "provenance"},
                {"label"});
  else if (format == kFormatWithDistances)
    expect_keys(document, "document", {"format", "input", "encoder", "constraint", "channel", "provenance"},
                {"decoder", "label"});
  else
    throw corrupt("format is none of 1, 2 and 3: a newer sotto may read it");
  return format;
}

MechanismSpec spec_in(std::span<const std::byte> bytes) {
  Safetensors file = read_safetensors(bytes).value_or_throw();
  const auto found = file.metadata.find("sotto");
  if (found == file.metadata.end()) throw corrupt("no \"sotto\" document in __metadata__");
  if (const Status status = check_json(found->second); !status) throw corrupt("document: " + status.error().message);
  const json document = json::parse(found->second);
  if (!document.is_object() || !document.contains("format")) throw corrupt("the \"sotto\" document is malformed");
  const std::uint64_t format = read_format(document);
  InputSchema input = read_input_schema(document.at("input"));
  Network encoder = read_network("encoder", document.at("encoder"), input.width(), file);
  ConstraintSpec constraint = read_constraint(document.at("constraint"), format, encoder.output_width(), file);
  if (format == kFormatWithDistances && !std::holds_alternative<CodebookSpec>(constraint))
    throw corrupt("format 3 is for codebooks with distances");
  std::optional<Decoder> decoder;
  if (document.contains("decoder")) decoder = read_decoder(document.at("decoder"), encoder.output_width(), file);
  std::optional<LabelSchema> label;
  if (document.contains("label")) label = read_label_schema(document.at("label"));
  if (!file.tensors.empty()) throw corrupt("there are tensors that nothing describes");
  return {std::move(input),
          std::move(label),
          std::move(encoder),
          std::move(constraint),
          channel_family_named(text_at(document, "channel")).value_or_throw(),
          read_provenance(document.at("provenance")),
          std::move(decoder)};
}

}  // namespace

Result<std::vector<std::byte>> write_spec(const MechanismSpec& spec) {
  Safetensors file;
  json document = {{"format", format_of(spec)},
                   {"input", to_json(spec.input)},
                   {"encoder", write_network("encoder", spec.encoder, file)},
                   {"constraint", std::visit(ConstraintWriter{file, spec.encoder.output_width()}, spec.constraint)},
                   {"channel", name_of(spec.channel)},
                   {"provenance", spec.provenance}};
  if (spec.label) document["label"] = to_json(*spec.label);
  if (spec.decoder)
    document["decoder"] = {{"layers", write_network("decoder", spec.decoder->network, file)},
                           {"output", name_of(spec.decoder->output)}};
  try {
    file.metadata["sotto"] = document.dump();
  } catch (const nlohmann::json::exception&) {
    return refuse("mechanism: names and provenance must be UTF-8");
  }
  return write_safetensors(file);
}

Result<MechanismSpec> read_spec(std::span<const std::byte> bytes) {
  try {
    return spec_in(bytes);
  } catch (const Failure& failure) {
    return Error{ErrorCode::kCorruptFile, "mechanism file: " + failure.error().message};
  } catch (const nlohmann::json::exception& error) {
    return Error{ErrorCode::kCorruptFile, std::string("mechanism file: ") + error.what()};
  }
}

}  // namespace sotto
