#include "sotto/mechanism/spec_file.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "sotto/mechanism/json_fields.h"
#include "sotto/mechanism/safetensors.h"
#include "sotto/mechanism/schema_json.h"
#include "sotto/wire/json_check.h"

namespace sotto {
namespace {

using nlohmann::json;

constexpr std::uint64_t kFormat = 1;
constexpr const char* kCentroids = "constraint.centroids";

std::string tensor_name(std::size_t layer, const char* part) { return "encoder." + std::to_string(layer) + "." + part; }

json write_encoder(const Network& encoder, Safetensors& file) {
  json layers = json::array();
  for (std::size_t i = 0; i < encoder.layers().size(); ++i) {
    const DenseLayer& layer = encoder.layers()[i];
    file.tensors[tensor_name(i, "weight")] = {{layer.outputs, layer.inputs}, layer.weights};
    file.tensors[tensor_name(i, "bias")] = {{layer.outputs}, layer.bias};
    layers.push_back({{"type", "dense"}, {"activation", name_of(layer.activation)}});
  }
  return layers;
}

// Takes a tensor of the given rank out of the file, so that what is left at the end was not described.
Tensor take_tensor(Safetensors& file, const std::string& name, std::size_t rank) {
  auto node = file.tensors.extract(name);
  if (node.empty() || node.mapped().shape.size() != rank) throw corrupt("tensor " + name + " is missing or misshapen");
  return std::move(node.mapped());
}

Network read_encoder(const json& layers, std::size_t input_width, Safetensors& file) {
  if (!layers.is_array()) throw corrupt("encoder is not a list");
  std::vector<DenseLayer> dense;
  for (std::size_t i = 0; i < layers.size(); ++i) {
    expect_keys(layers[i], "layer", {"type", "activation"});
    if (text_at(layers[i], "type") != "dense") throw corrupt("a layer is not dense");
    Tensor weight = take_tensor(file, tensor_name(i, "weight"), 2);
    Tensor bias = take_tensor(file, tensor_name(i, "bias"), 1);
    dense.push_back({weight.shape[1], weight.shape[0], std::move(weight.values), std::move(bias.values),
                     activation_named(text_at(layers[i], "activation")).value_or_throw()});
  }
  return Network::make(input_width, std::move(dense)).value_or_throw();
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
    file.tensors[kCentroids] = {{s.centroids.size() / encoding_width, encoding_width}, s.centroids};
    return {{"type", "codebook"}};
  }
};

CodebookSpec read_codebook(std::size_t encoding_width, Safetensors& file) {
  Tensor centroids = take_tensor(file, kCentroids, 2);
  if (centroids.shape[1] != encoding_width)
    throw corrupt(std::string("tensor ") + kCentroids + " has rows of " + std::to_string(centroids.shape[1]) +
                  " values, but encodings have " + std::to_string(encoding_width));
  return {std::move(centroids.values)};
}

ConstraintSpec read_constraint(const json& object, std::size_t encoding_width, Safetensors& file) {
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
    return read_codebook(encoding_width, file);
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

MechanismSpec read(std::span<const std::byte> bytes) {
  Safetensors file = read_safetensors(bytes).value_or_throw();
  const auto found = file.metadata.find("sotto");
  if (found == file.metadata.end()) throw corrupt("no \"sotto\" document in __metadata__");
  if (const Status status = check_json(found->second); !status) throw corrupt("document: " + status.error().message);
  const json document = json::parse(found->second);
  if (!document.is_object() || !document.contains("format")) throw corrupt("the \"sotto\" document is malformed");
  if (integer_at(document, "format") != kFormat) throw corrupt("format is not 1: a newer sotto may read it");
  expect_keys(document, "document", {"format", "input", "encoder", "constraint", "channel", "provenance"}, {"label"});
  InputSchema input = read_input_schema(document.at("input"));
  Network encoder = read_encoder(document.at("encoder"), input.width(), file);
  ConstraintSpec constraint = read_constraint(document.at("constraint"), encoder.output_width(), file);
  std::optional<LabelSchema> label;
  if (document.contains("label")) label = read_label_schema(document.at("label"));
  if (!file.tensors.empty()) throw corrupt("there are tensors that nothing describes");
  return {std::move(input),
          std::move(label),
          std::move(encoder),
          std::move(constraint),
          channel_family_named(text_at(document, "channel")).value_or_throw(),
          read_provenance(document.at("provenance"))};
}

}  // namespace

Result<std::vector<std::byte>> write_spec(const MechanismSpec& spec) {
  Safetensors file;
  json document = {{"format", kFormat},
                   {"input", to_json(spec.input)},
                   {"encoder", write_encoder(spec.encoder, file)},
                   {"constraint", std::visit(ConstraintWriter{file, spec.encoder.output_width()}, spec.constraint)},
                   {"channel", name_of(spec.channel)},
                   {"provenance", spec.provenance}};
  if (spec.label) document["label"] = to_json(*spec.label);
  try {
    file.metadata["sotto"] = document.dump();
  } catch (const nlohmann::json::exception&) {
    return Error{ErrorCode::kInvalidArgument, "mechanism: names and provenance must be UTF-8"};
  }
  return write_safetensors(file);
}

Result<MechanismSpec> read_spec(std::span<const std::byte> bytes) {
  try {
    return read(bytes);
  } catch (const Failure& failure) {
    return Error{ErrorCode::kCorruptFile, "mechanism file: " + failure.error().message};
  } catch (const nlohmann::json::exception& error) {
    return Error{ErrorCode::kCorruptFile, std::string("mechanism file: ") + error.what()};
  }
}

}  // namespace sotto
