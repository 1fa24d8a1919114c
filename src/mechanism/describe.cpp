#include "sotto/mechanism/describe.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string_view>

#include "sotto/mechanism/code_usage.h"
#include "sotto/mechanism/feature_decoder.h"

namespace sotto {
namespace {

// With a point, whatever the application's locale has. std::to_chars has one too, but its tables, 105 kB, would be a
// fifth of a device's library.
std::string number(double value) {
  char digits[32];
  const int length = std::snprintf(digits, sizeof(digits), "%.4g", value);
  std::string text;
  for (const char c : std::string_view(digits, static_cast<std::size_t>(length))) {
    const bool separates = std::string_view("0123456789+-einfa").find(c) == std::string_view::npos;
    if (!separates)
      text += c;
    else if (!text.ends_with('.'))  // a separator may have several bytes
      text += '.';
  }
  return text;
}

std::string describe_input(const InputSchema& input) {
  if (input.image)
    return "image of " + std::to_string(input.image->channels) + " x " + std::to_string(input.image->height) + " x " +
           std::to_string(input.image->width) + " values between 0 and 1";
  std::size_t categorical = 0;
  for (const Column& column : input.columns) categorical += column.kind == Column::Kind::kCategorical ? 1 : 0;
  return std::to_string(input.columns.size()) + " columns, " + std::to_string(categorical) + " of them categorical";
}

std::string with_activation(std::string text, Activation activation) {
  return activation == Activation::kNone ? text : text + " " + std::string(name_of(activation));
}

std::string describe_image(const Patches& patches, std::size_t channels) {
  return std::to_string(channels) + " x " + std::to_string(patches.rows()) + " x " + std::to_string(patches.columns());
}

std::string describe_patches(const Patches& patches) {
  return std::to_string(patches.side) + " x " + std::to_string(patches.side) + ", stride " +
         std::to_string(patches.stride);
}

struct LayerDescriber {
  std::string operator()(const DenseLayer& layer) const {
    return with_activation(std::to_string(layer.outputs), layer.activation);
  }
  std::string operator()(const ConvolutionLayer& layer) const {
    return with_activation(
        describe_image(layer.patches, layer.filters) + " by convolution of " + describe_patches(layer.patches),
        layer.activation);
  }
  std::string operator()(const PoolingLayer& layer) const {
    const char* kind = layer.kind == PoolingLayer::Kind::kMax ? " by the largest of " : " by the mean of ";
    return describe_image(layer.patches, layer.patches.channels) + kind + describe_patches(layer.patches);
  }
  std::string operator()(const ResidualLayer& layer) const {
    return with_activation("plus layer " + std::to_string(layer.from), layer.activation);
  }
};

std::string describe_network(const Network& network, OutputMap output = OutputMap::kNone) {
  std::string text = network.layers().empty() ? "identity" : std::to_string(network.input_width());
  for (const Layer& layer : network.layers()) text += " -> " + std::visit(LayerDescriber{}, layer);
  if (output != OutputMap::kNone) text += " " + std::string(name_of(output));
  if (network.layers().empty()) return text;
  return text + " (" + std::to_string(network.multiplications_per_record()) + " multiplications a record)";
}

struct ConstraintDescriber {
  std::string operator()(const L1LatticeSpec& s) const {
    return "L1 ball of radius " + number(s.radius) + " on a lattice of " + std::to_string(s.resolution) + " steps";
  }
  std::string operator()(const L2LatticeSpec& s) const {
    return "L2 ball of radius " + number(s.radius) + " on a lattice of " + std::to_string(s.resolution) + " steps";
  }
  std::string operator()(const FeatureBoxSpec& s) const {
    return "each feature between its public bounds in " + std::to_string(s.resolution) + " steps";
  }
  std::string operator()(const DirectionAndLengthSpec& s) const {
    return "direction and length up to " + number(s.max_length);
  }
  std::string operator()(const CodebookSpec& s) const {
    return std::string("nearest of a public list of centroids") + (s.distances.empty() ? "" : " with distances");
  }
};

std::string describe_codes(std::size_t count, const std::optional<CodeUsage>& usage) {
  if (!usage) return std::to_string(count);
  const auto [least, most] = std::minmax_element(usage->shares.begin(), usage->shares.end());
  return std::to_string(count) + ", of " + number(100 * *least) + " to " + number(100 * *most) +
         " % of the auxiliary records each; as varied as " + number(usage->effective_codes) + " codes of equal size";
}

std::string describe_feature_level(const MechanismSpec& spec) {
  if (!stands_for_one_encoding(spec))
    return "none: a report stands for many codes at once, and the decoder shows what a code is";
  return describe_input(spec.input) + ", decoded from the report alone: the report's claim covers it";
}

// "e^ε" as odds that a reader can weigh.
std::string meaning_of(const Epsilon& epsilon) {
  return "whatever the report says, it is at most " + number(std::exp(epsilon.to_double())) +
         " times as likely for you as for anybody else";
}

}  // namespace

Description describe(const Mechanism& mechanism) {
  const MechanismSpec& spec = mechanism.spec();
  Description lines = {
      {"id", to_hex(mechanism.id())},
      {"input", describe_input(spec.input)},
      {"label",
       spec.label ? spec.label->name + ", " + std::to_string(spec.label->classes.size()) + " classes" : "none"},
      {"encoder", describe_network(spec.encoder)},
      {"constraint", std::visit(ConstraintDescriber{}, spec.constraint)},
      {"channel", std::string(name_of(spec.channel))},
      {"decoder", spec.decoder ? describe_network(spec.decoder->network, spec.decoder->output) : "none"},
      {"file", std::to_string(mechanism.bytes().size()) + " bytes"}};
  if (spec.decoder) lines.emplace_back("feature level", describe_feature_level(spec));
  const auto usage = code_usage(spec);
  if (const std::size_t codes = codes_in(spec); codes > 0) lines.emplace_back("codes", describe_codes(codes, usage));
  for (const auto& [key, value] : spec.provenance)
    if (!usage || key != kCodeSizesKey) lines.emplace_back("provenance " + key, value);
  return lines;
}

Description describe(const Release& release) {
  Description lines = {{"claim", release.claim().to_string()}, {"meaning", meaning_of(release.claim().epsilon)}};
  if (release.label_channel() != nullptr) {
    lines.emplace_back("features", release.channel().claim().to_string());
    lines.emplace_back("label", release.label_channel()->claim().to_string());
  }
  if (release.label_join() != nullptr)
    lines.emplace_back("label", "joined with the features into one point, covered by the claim");
  lines.emplace_back("report", std::to_string(release.report_length()) +
                                   (release.report_length() == 1 ? " integer" : " integers") + ", always " +
                                   std::to_string(release.codec().ndjson_length()) + " bytes as JSON or " +
                                   std::to_string(release.codec().cbor_length()) + " as CBOR");
  return lines;
}

}  // namespace sotto
