#include "sotto/learn/classifier.h"

#include <algorithm>
#include <array>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <utility>

#include "sotto/backprop/softmax.h"
#include "sotto/mechanism/json_fields.h"
#include "sotto/mechanism/network_json.h"
#include "sotto/wire/atomic_file.h"
#include "sotto/wire/json_check.h"

namespace sotto {
namespace {

using nlohmann::json;

constexpr const char* kDocument = "sotto-classifier";
constexpr std::uint64_t kFormat = 2;
constexpr std::array kInputs{std::pair{ClassifierInput::kRepresentation, "representation"},
                             std::pair{ClassifierInput::kRecord, "record"},
                             std::pair{ClassifierInput::kDecoded, "decoded"}};

Classifier read(std::span<const std::byte> bytes) {
  Safetensors file = read_safetensors(bytes).value_or_throw();
  const auto found = file.metadata.find(kDocument);
  if (found == file.metadata.end()) throw corrupt(std::string("no \"") + kDocument + "\" document in __metadata__");
  if (const Status status = check_json(found->second); !status) throw corrupt("document: " + status.error().message);
  const json document = json::parse(found->second);
  expect_keys(document, "document", {"format", "input", "width", "mechanism", "layers", "classes", "provenance"});
  if (integer_at(document, "format") != kFormat)
    throw corrupt("format is not " + std::to_string(kFormat) + ": another sotto may read it");
  const json& layers = document.at("layers");
  if (!layers.is_array() || layers.empty()) throw corrupt("a classifier needs at least one layer");
  Classifier classifier{classifier_input_named(text_at(document, "input")).value_or_throw(),
                        read_network("classifier", layers, integer_at(document, "width"), file),
                        text_at(document, "mechanism"), document.at("classes").get<std::vector<std::string>>(),
                        document.at("provenance").get<std::map<std::string, std::string>>()};
  if (!file.tensors.empty()) throw corrupt("there are tensors that nothing describes");
  if (classifier.classes.size() != classifier.network.output_width())
    throw corrupt("it names " + std::to_string(classifier.classes.size()) + " classes, but its network has " +
                  std::to_string(classifier.network.output_width()) + " outputs");
  return classifier;
}

}  // namespace

std::string_view name_of(ClassifierInput input) {
  return std::find_if(kInputs.begin(), kInputs.end(), [&](const auto& entry) { return entry.first == input; })->second;
}

Result<ClassifierInput> classifier_input_named(std::string_view name) {
  for (const auto& [input, known] : kInputs)
    if (name == known) return input;
  return refuse("classifier input: must be representation, record or decoded");
}

Result<std::vector<std::byte>> Classifier::to_bytes() const {
  Safetensors file;
  const json document = {{"format", kFormat},
                         {"input", name_of(input)},
                         {"width", network.input_width()},
                         {"mechanism", mechanism},
                         {"layers", write_network("classifier", network, file)},
                         {"classes", classes},
                         {"provenance", provenance}};
  try {
    file.metadata[kDocument] = document.dump();
  } catch (const json::exception&) {
    return refuse("classifier: names and provenance must be UTF-8");
  }
  return write_safetensors(file);
}

Status Classifier::save(const std::filesystem::path& path) const {
  const auto bytes = to_bytes();
  if (!bytes) return bytes.error();
  return write_file_atomically(path, *bytes);
}

Result<Classifier> Classifier::load(const std::filesystem::path& path) {
  std::ifstream stream(path, std::ios::binary);
  if (!stream) return Error{ErrorCode::kIo, "cannot open classifier file " + path.string()};
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  return from_bytes(std::as_bytes(std::span(text)));
}

Result<Classifier> Classifier::from_bytes(std::span<const std::byte> bytes) {
  try {
    return read(bytes);
  } catch (const Failure& failure) {
    return Error{ErrorCode::kCorruptFile, "classifier file: " + failure.error().message};
  } catch (const nlohmann::json::exception& error) {
    return Error{ErrorCode::kCorruptFile, std::string("classifier file: ") + error.what()};
  }
}

std::vector<float> class_probabilities(const Network& network, std::span<const float> inputs, std::size_t count) {
  std::vector<float> probabilities(count * network.output_width());
  Network::Workspace workspace;
  network.encode(inputs, count, probabilities, workspace);
  soft_max_rows(probabilities, network.output_width());
  return probabilities;
}

std::vector<std::int32_t> most_probable(std::span<const float> probabilities, std::size_t classes) {
  std::vector<std::int32_t> labels;
  for (std::size_t row = 0; row < probabilities.size(); row += classes) {
    const auto scores = probabilities.subspan(row, classes);
    labels.push_back(static_cast<std::int32_t>(std::max_element(scores.begin(), scores.end()) - scores.begin()));
  }
  return labels;
}

}  // namespace sotto
