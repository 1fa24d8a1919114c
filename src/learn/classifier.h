// What the collector learns: a network from what it sees of a record to classes, and which mechanism it belongs to.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <span>
#include <string>
#include <vector>

#include "sotto/encoder/network.h"
#include "sotto/kernel/result.h"

namespace sotto {

enum class ClassifierInput {
  kRepresentation,  // the record's representation, see representation.h
  kRecord,          // the record itself
  kDecoded,         // the record as the mechanism's decoder gives it back from the representation
};

std::string_view name_of(ClassifierInput input);
Result<ClassifierInput> classifier_input_named(std::string_view name);

struct Classifier {
  ClassifierInput input;
  Network network;        // its outputs are the logits of the classes
  std::string mechanism;  // id of the mechanism whose reports it was learnt from, in hexadecimal
  std::vector<std::string> classes;
  std::map<std::string, std::string> provenance;  // for people, never interpreted

  // A safetensors file, written atomically.
  Status save(const std::filesystem::path& path) const;
  static Result<Classifier> load(const std::filesystem::path& path);

  Result<std::vector<std::byte>> to_bytes() const;  // fails only on names that are not UTF-8
  static Result<Classifier> from_bytes(std::span<const std::byte> bytes);
};

// count × classes; each row sums to 1.
std::vector<float> class_probabilities(const Network& network, std::span<const float> inputs, std::size_t count);

// The class with the largest probability in each row.
std::vector<std::int32_t> most_probable(std::span<const float> probabilities, std::size_t classes);

}  // namespace sotto
