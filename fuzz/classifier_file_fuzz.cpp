// Any bytes as a classifier file: refused in words, or a classifier that survives being written and has probabilities.
//
// The first byte chooses what the rest is: 1 the document of a file whose tensors fit a linear layer from two values to
// two classes, else the file itself.
#include <cmath>
#include <string>

#include "require.h"
#include "sotto/learn/classifier.h"
#include "sotto/mechanism/safetensors.h"

namespace {

using namespace sotto;
using fuzz::require;

std::vector<std::byte> file_with_document(std::string_view document) {
  for (const char c : document)
    if (static_cast<unsigned char>(c) >= 0x80) return {};  // would not be written
  Safetensors file;
  file.metadata["sotto-classifier"] = document;
  file.tensors["classifier.0.weight"] = {{2, 2}, {0.5F, -2, 1, 0}};
  file.tensors["classifier.0.bias"] = {{2}, {0.25F, 1}};
  return write_safetensors(file);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string_view rest(reinterpret_cast<const char*>(data) + 1, size - 1);
  const auto bytes = std::as_bytes(std::span(rest));
  const auto classifier =
      Classifier::from_bytes(data[0] == 1 ? file_with_document(rest) : std::vector(bytes.begin(), bytes.end()));
  if (!classifier) {
    require(classifier.error().code == ErrorCode::kCorruptFile && !classifier.error().message.empty());
    return 0;
  }
  const auto written = classifier->to_bytes();
  require(static_cast<bool>(written));
  const auto again = Classifier::from_bytes(*written);
  require(again && again->to_bytes().value_or_throw() == *written);
  constexpr std::size_t kWidestToRun = 256;
  const std::size_t width = classifier->network.input_width();
  if (width > kWidestToRun) return 0;
  require(class_probabilities(classifier->network, std::vector<float>(width, 1), 1).size() ==
          classifier->classes.size());
  return 0;
}
