#include "sotto/mechanism/spec_file.h"

#include <gtest/gtest.h>

#include <functional>
#include <limits>
#include <nlohmann/json.hpp>

#include "sotto/mechanism/mechanism.h"
#include "sotto/mechanism/safetensors.h"
#include "sotto/mechanism/sample_specs_test.h"

namespace sotto {
namespace {

using nlohmann::json;

MechanismSpec linear_spec() {
  const InputSchema input = image(1, 2, 2);
  return {input,
          three_classes(),
          Network::make(4, {dense(4, 2)}).value_or_throw(),
          L1LatticeSpec{0.75, 65536},
          ChannelFamily::kLatticeLaplace,
          {{"method", "pca"}, {"data", "Ελληνικά"}}};
}

MechanismSpec deep_spec() {
  const InputSchema input{std::nullopt,
                          {number("a", -1e30, 0.1), number("b", 1e-3, 2), category("c", {"", "ü", "\n"})}};
  const std::vector<Layer> layers = {dense(3, 5, Activation::kRelu), dense(5, 4, Activation::kElu),
                                     dense(4, 4, Activation::kTanh), dense(4, 2)};
  return {input,
          LabelSchema{"income", {"low", "high"}},
          Network::make(3, layers).value_or_throw(),
          CodebookSpec{{0, 0.1F, 1, -1e-40F}},
          ChannelFamily::kSubsetSelection,
          {}};
}

MechanismSpec convolving_spec() {
  ConvolutionLayer convolution{{2, 4, 3, 3, 2, 1, Patches::Order::kPlanes}, 2, {}, {0.5F, -1}, Activation::kRelu};
  for (std::size_t i = 0; i < 2 * 18; ++i) convolution.weights.push_back(static_cast<float>(i) / 8);
  const PoolingLayer pooling{{2, 2, 2, 2, 1, 1}, PoolingLayer::Kind::kMean};
  return {
      image(2, 4, 3),
      three_classes(),
      Network::make(24, {convolution, pooling, dense(18, 18), ResidualLayer{1, 18, Activation::kTanh}, dense(18, 2)})
          .value_or_throw(),
      L1LatticeSpec{1, 64},
      ChannelFamily::kLatticeLaplace,
      {}};
}

MechanismSpec decoding_spec() {
  return with_decoder(linear_spec(), {dense(2, 3, Activation::kElu), dense(3, 4)}, OutputMap::kSigmoid);
}

MechanismSpec distant_spec() { return spec_of(two_numbers(), three_distant_codes(), ChannelFamily::kExponential); }

std::vector<MechanismSpec> every_kind_of_spec() {
  std::vector<MechanismSpec> specs = a_spec_for_every_family();
  specs.push_back(linear_spec());
  specs.push_back(deep_spec());
  specs.push_back(convolving_spec());
  specs.push_back(
      spec_of(two_numbers(), CodebookSpec{{0, 0, 1, 1}, {}, {0.5F, -1e-3F}}, ChannelFamily::kSubsetSelection));
  specs.push_back(decoding_spec());
  specs.push_back(with_decoder(l1_spec(64), {}, OutputMap::kNone));
  specs.push_back(with_decoder(distant_spec(), {}, OutputMap::kNone));
  specs.push_back(spec_of(image(3, 2, 1), FeatureBoxSpec{1}, ChannelFamily::kFeatureLaplace));
  specs.push_back(spec_of(one_category(), FeatureBoxSpec{1}, ChannelFamily::kRandomizedResponse));
  return specs;
}

struct Equal {
  bool operator()(const L1LatticeSpec& a, const L1LatticeSpec& b) const {
    return a.radius == b.radius && a.resolution == b.resolution;
  }
  bool operator()(const L2LatticeSpec& a, const L2LatticeSpec& b) const {
    return a.radius == b.radius && a.resolution == b.resolution;
  }
  bool operator()(const FeatureBoxSpec& a, const FeatureBoxSpec& b) const { return a.resolution == b.resolution; }
  bool operator()(const DirectionAndLengthSpec& a, const DirectionAndLengthSpec& b) const {
    return a.max_length == b.max_length && a.resolution == b.resolution;
  }
  bool operator()(const CodebookSpec& a, const CodebookSpec& b) const {
    return a.centroids == b.centroids && a.distances == b.distances && a.offsets == b.offsets;
  }
  template <typename A, typename B>
  bool operator()(const A&, const B&) const {
    return false;
  }
};

void expect_equal(const Network& a, const Network& b) {
  EXPECT_EQ(a.input_width(), b.input_width());
  EXPECT_TRUE(a.layers() == b.layers());
}

void expect_equal(const MechanismSpec& a, const MechanismSpec& b) {
  EXPECT_EQ(a.input, b.input);
  EXPECT_EQ(a.label, b.label);
  EXPECT_TRUE(std::visit(Equal{}, a.constraint, b.constraint));
  EXPECT_EQ(a.channel, b.channel);
  EXPECT_EQ(a.provenance, b.provenance);
  expect_equal(a.encoder, b.encoder);
  ASSERT_EQ(a.decoder.has_value(), b.decoder.has_value());
  if (!a.decoder) return;
  EXPECT_EQ(a.decoder->output, b.decoder->output);
  expect_equal(a.decoder->network, b.decoder->network);
}

// A file of linear_spec() whose document and tensors were changed by somebody else.
std::vector<std::byte> file_with(const std::function<void(json&)>& change_document,
                                 const std::function<void(Safetensors&)>& change_file = {},
                                 const MechanismSpec& spec = linear_spec()) {
  Safetensors file = read_safetensors(write_spec(spec).value_or_throw()).value_or_throw();
  json document = json::parse(file.metadata.at("sotto"));
  if (change_document) change_document(document);
  file.metadata["sotto"] = document.dump();
  if (change_file) change_file(file);
  return write_safetensors(file);
}

::testing::AssertionResult is_refused_with(const std::vector<std::byte>& file, std::string_view words) {
  const std::string message = refusal(Mechanism::from_bytes(file), ErrorCode::kCorruptFile);
  if (contains(message, "mechanism file: ") && contains(message, words)) return ::testing::AssertionSuccess();
  return ::testing::AssertionFailure() << "expected '" << words << "', got '" << message << "'";
}

TEST(SpecFile, ReadsBackEveryConstraintEncoderSchemaAndLabel) {
  for (const MechanismSpec& spec : every_kind_of_spec()) {
    const auto bytes = write_spec(spec).value_or_throw();
    const auto read = read_spec(bytes);
    ASSERT_TRUE(read) << read.error().message;
    expect_equal(spec, *read);
    EXPECT_EQ(write_spec(*read).value_or_throw(), bytes);
    EXPECT_TRUE(Mechanism::from_bytes(bytes));
  }
}

TEST(SpecFile, GivesEveryWeightNumberAndNameAPartInTheId) {
  const Mechanism original = mechanism_of(linear_spec());
  EXPECT_EQ(mechanism_of(linear_spec()).id(), original.id());
  std::vector<std::function<void(Safetensors&)>> weight_changes;
  for (std::size_t i = 0; i < 8; ++i)
    weight_changes.emplace_back([i](Safetensors& f) { f.tensors.at("encoder.0.weight").values[i] += 0x1p-20F; });
  for (std::size_t i = 0; i < 2; ++i)
    weight_changes.emplace_back([i](Safetensors& f) { f.tensors.at("encoder.0.bias").values[i] += 0x1p-20F; });
  for (const auto& change : weight_changes)
    EXPECT_NE(Mechanism::from_bytes(file_with({}, change)).value_or_throw().id(), original.id());
  for (const std::function<void(json&)>& change :
       {std::function<void(json&)>([](json& d) { d["constraint"]["radius"] = 0.7500000000000001; }),
        std::function<void(json&)>([](json& d) { d["constraint"]["resolution"] = 65535; }),
        std::function<void(json&)>([](json& d) { d["provenance"]["note"] = ""; }),
        std::function<void(json&)>([](json& d) { d["label"]["classes"][2] = "d"; })})
    EXPECT_NE(Mechanism::from_bytes(file_with(change)).value_or_throw().id(), original.id());
}

TEST(SpecFile, RefusesKeysItDoesNotKnowAnywhereInTheDocument) {
  for (const char* place : {"", "/input", "/input/image", "/encoder/0", "/constraint", "/label"}) {
    const auto file = file_with([&](json& d) { d[json::json_pointer(place)]["novelty"] = 1; });
    EXPECT_TRUE(is_refused_with(file, "does not know")) << place;
  }
  const auto file = file_with([](json& d) { d["input"]["columns"][0]["novelty"] = 1; }, {}, deep_spec());
  EXPECT_TRUE(is_refused_with(file, "does not know"));
}

TEST(SpecFile, RefusesADocumentThatLacksAKey) {
  for (const char* place : {"/format", "/input", "/encoder", "/constraint", "/channel", "/provenance",
                            "/input/image/width", "/encoder/0/type", "/encoder/0/activation", "/constraint/type",
                            "/constraint/radius", "/constraint/resolution", "/label/name", "/label/classes"}) {
    const json::json_pointer pointer(place);
    const auto file = file_with([&](json& d) { d[pointer.parent_pointer()].erase(pointer.back()); });
    EXPECT_TRUE(is_refused_with(file, "")) << place;
  }
}

TEST(SpecFile, RefusesValuesOfAnotherType) {
  struct Case {
    const char* place;
    json value;
    const char* words;
  };
  const json list = json::array();
  for (const Case& c : std::vector<Case>{{"/format", "1", "format"},
                                         {"/format", 1.0, "format"},
                                         {"/format", -1, "format"},
                                         {"/input", list, "input is not an object"},
                                         {"/input/image", 3, "image is not an object"},
                                         {"/input/image/width", "2", "width"},
                                         {"/input/image/width", 2.0, "width"},
                                         {"/input/image/width", 0, "image shape"},
                                         {"/input/image/width", 1099511627777, "width"},
                                         {"/input/image/width", 4294967298, "image shape"},  // 2 modulo 2^32
                                         {"/encoder", json::object(), "encoder is not a list"},
                                         {"/encoder/0", list, "layer is not an object"},
                                         {"/encoder/0/type", "linear", "does not know"},
                                         {"/encoder/0/type", 1, "type is not text"},
                                         {"/encoder/0/activation", "softmax", "activation"},
                                         {"/encoder/0/activation", nullptr, "activation"},
                                         {"/constraint", "l1_lattice", "constraint is not an object"},
                                         {"/constraint/type", "l3_lattice", "unknown constraint"},
                                         {"/constraint/type", nullptr, "type is not text"},
                                         {"/constraint/radius", "1", "radius"},
                                         {"/constraint/radius", nullptr, "radius"},
                                         {"/constraint/radius", 0, "l1_radius"},
                                         {"/constraint/radius", -1, "l1_radius"},
                                         {"/constraint/radius", 1e300, "l1_radius"},
                                         {"/constraint/resolution", 65536.0, "resolution"},
                                         {"/constraint/resolution", 0, "resolution"},
                                         {"/constraint/resolution", -5, "resolution"},
                                         {"/constraint/resolution", 1048577, "resolution"},
                                         {"/constraint/resolution", 18446744073709551615U, "resolution"},
                                         {"/channel", "laplace", "unknown family"},
                                         {"/channel", nullptr, "channel is not text"},
                                         {"/channel", "lattice_gaussian", "does not fit"},
                                         {"/provenance", list, "provenance is not an object"},
                                         {"/provenance/method", 1, "other than text"},
                                         {"/label", list, "label is not an object"},
                                         {"/label/name", 1, "name is not text"},
                                         {"/label/name", "", "name is empty"},
                                         {"/label/classes", "abc", "classes is not a list"},
                                         {"/label/classes", {"a"}, "received 1"},
                                         {"/label/classes", {"a", "a"}, "twice"},
                                         {"/label/classes/1", 1, "other than text"}}) {
    const auto file = file_with([&](json& d) { d[json::json_pointer(c.place)] = c.value; });
    EXPECT_TRUE(is_refused_with(file, c.words)) << c.place << " = " << c.value;
  }
}

TEST(SpecFile, RefusesColumnsThatAreNeitherNumericNorCategorical) {
  struct Case {
    const char* place;
    json value;
    const char* words;
  };
  for (const Case& c : std::vector<Case>{{"/input/columns", "a", "columns is not a list"},
                                         {"/input/columns", json::array(), "neither an image nor columns"},
                                         {"/input/columns/0", "a", "column is not an object"},
                                         {"/input/columns/0/type", "text", "neither numeric nor categorical"},
                                         {"/input/columns/0/type", "categorical", "lacks"},
                                         {"/input/columns/2/type", "numeric", "lacks"},
                                         {"/input/columns/0/minimum", "0", "minimum is not a number"},
                                         {"/input/columns/0/minimum", 1, "column 1"},
                                         {"/input/columns/0/minimum", -1e39, "column 1"},
                                         {"/input/columns/1/name", "a", "same name"},
                                         {"/input/columns/2/categories", {"x"}, "received 1"},
                                         {"/input/image", {{"channels", 1}, {"height", 1}, {"width", 3}}, "one of"}}) {
    const auto file = file_with([&](json& d) { d[json::json_pointer(c.place)] = c.value; }, {}, deep_spec());
    EXPECT_TRUE(is_refused_with(file, c.words)) << c.place << " = " << c.value;
  }
}

TEST(SpecFile, RefusesAnotherFormatBeforeAnythingElse) {
  const auto file = file_with([](json& d) { d = {{"format", 4}, {"novelty", {}}}; });
  EXPECT_TRUE(is_refused_with(file, "format is none of 1, 2 and 3"));
}

TEST(SpecFile, IsOfFormatTwoWhenItHasADecoderAndThreeWhenItsCodesHaveDistances) {
  const auto format_of = [](const MechanismSpec& spec) {
    const Safetensors file = read_safetensors(write_spec(spec).value_or_throw()).value_or_throw();
    return json::parse(file.metadata.at("sotto")).at("format");
  };
  EXPECT_EQ(format_of(linear_spec()), 1);
  EXPECT_EQ(format_of(decoding_spec()), 2);
  EXPECT_EQ(format_of(distant_spec()), 3);
  EXPECT_EQ(format_of(with_decoder(distant_spec(), {}, OutputMap::kNone)), 3);
  EXPECT_TRUE(is_refused_with(file_with([](json& d) { d["format"] = 3; }), "format 3 is for codebooks"));
  EXPECT_TRUE(is_refused_with(file_with([](json& d) { d["format"] = 3; }, {}, deep_spec()), "constraint.distances"));
  EXPECT_TRUE(is_refused_with(file_with([](json& d) { d["format"] = 1; }, {}, distant_spec()), "nothing describes"));
  EXPECT_TRUE(is_refused_with(file_with([](json& d) { d["format"] = 2; }), "lacks \"decoder\""));
  EXPECT_TRUE(is_refused_with(file_with([](json& d) { d["format"] = 1; }, {}, decoding_spec()), "does not know"));
}

TEST(SpecFile, RefusesADecoderThatIsMalformedOrDoesNotFit) {
  const auto document = [](const std::function<void(json&)>& change) {
    return file_with([&](json& d) { change(d["decoder"]); }, {}, decoding_spec());
  };
  EXPECT_TRUE(is_refused_with(document([](json& d) { d = json::array(); }), "decoder is not an object"));
  EXPECT_TRUE(is_refused_with(document([](json& d) { d["more"] = 1; }), "does not know"));
  EXPECT_TRUE(is_refused_with(document([](json& d) { d.erase("output"); }), "lacks \"output\""));
  EXPECT_TRUE(is_refused_with(document([](json& d) { d["output"] = "softmax"; }), "none or sigmoid"));
  EXPECT_TRUE(is_refused_with(document([](json& d) { d["output"] = 1; }), "output is not text"));
  EXPECT_TRUE(is_refused_with(document([](json& d) { d["layers"] = "dense"; }), "decoder is not a list"));
  EXPECT_TRUE(is_refused_with(document([](json& d) { d["layers"].erase(1); }), "nothing describes"));
  EXPECT_TRUE(is_refused_with(document([](json& d) { d["layers"][0]["type"] = "linear"; }), "does not know"));

  const auto file = [](const std::function<void(Safetensors&)>& change) {
    return file_with({}, change, decoding_spec());
  };
  EXPECT_TRUE(is_refused_with(file([](auto& f) { f.tensors.erase("decoder.1.bias"); }), "tensor decoder.1.bias"));
  EXPECT_TRUE(is_refused_with(file([](auto& f) { f.tensors["decoder.2.bias"] = {{1}, {1}}; }), "nothing describes"));
  EXPECT_TRUE(is_refused_with(file([](auto& f) {
                                f.tensors["decoder.0.weight"].shape = {2, 3};
                              }),
                              "decoder: layer 0: expected 2 inputs, got 3"));
  EXPECT_TRUE(is_refused_with(file([](auto& f) {
                                f.tensors["decoder.1.weight"] = {{5, 3}, std::vector<float>(15)};
                                f.tensors["decoder.1.bias"] = {{5}, std::vector<float>(5)};
                              }),
                              "decoder: gives 5 values, but a record has 4"));
  for (const float poison : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity()})
    for (const char* tensor : {"decoder.0.weight", "decoder.1.bias"})
      EXPECT_TRUE(is_refused_with(file([&](auto& f) { f.tensors.at(tensor).values[0] = poison; }), "finite")) << tensor;
}

TEST(SpecFile, RefusesADecoderOfPointsThatStandForNoEncoding) {
  for (const MechanismSpec& spec : a_spec_for_every_family()) {
    const auto made = Mechanism::make(with_decoder(spec, {}, OutputMap::kNone));
    const bool decodes = std::holds_alternative<L1LatticeSpec>(spec.constraint) ||
                         std::holds_alternative<L2LatticeSpec>(spec.constraint) ||
                         std::holds_alternative<CodebookSpec>(spec.constraint);
    if (decodes)
      EXPECT_TRUE(made) << name_of(spec.channel);
    else
      EXPECT_TRUE(contains(refusal(made, ErrorCode::kInvalidArgument), "decoder: needs points that stand for"))
          << name_of(spec.channel);
  }
  MechanismSpec narrow = l1_spec(64);
  narrow.decoder = Decoder{Network::make(3, {dense(3, 2)}).value_or_throw(), OutputMap::kNone};
  EXPECT_TRUE(contains(refusal(Mechanism::make(narrow), ErrorCode::kInvalidArgument), "takes 3 values"));
}

TEST(SpecFile, RefusesMissingSurplusAndMisshapenTensors) {
  const auto with = [](const std::function<void(Safetensors&)>& change) { return file_with({}, change); };
  EXPECT_TRUE(is_refused_with(with([](auto& f) { f.tensors.erase("encoder.0.bias"); }), "tensor encoder.0.bias"));
  EXPECT_TRUE(is_refused_with(with([](auto& f) { f.tensors.erase("encoder.0.weight"); }), "tensor encoder.0.weight"));
  EXPECT_TRUE(is_refused_with(with([](auto& f) { f.tensors["more"] = {{1}, {1}}; }), "nothing describes"));
  EXPECT_TRUE(is_refused_with(with([](auto& f) {
                                f.tensors["constraint.centroids"] = {{1, 1}, {1}};
                              }),
                              "nothing describes"));
  EXPECT_TRUE(is_refused_with(with([](auto& f) { f.tensors["encoder.0.weight"].shape = {8}; }), "misshapen"));
  EXPECT_TRUE(is_refused_with(with([](auto& f) { f.tensors["encoder.0.bias"].shape = {1, 2}; }), "misshapen"));
  EXPECT_TRUE(is_refused_with(with([](auto& f) {
                                f.tensors["encoder.0.weight"].shape = {4, 2};
                              }),
                              "expected 4 inputs"));
  EXPECT_TRUE(is_refused_with(with([](auto& f) { f.tensors["encoder.0.weight"] = {{0, 4}, {}}; }), "outputs"));
  EXPECT_TRUE(is_refused_with(with([](auto& f) {
                                f.tensors["encoder.0.bias"] = {{3}, {0, 0, 0}};
                              }),
                              "weights or bias"));
  const auto without_layers = file_with([](json& d) { d["encoder"] = json::array(); });
  EXPECT_TRUE(is_refused_with(without_layers, "nothing describes"));
}

TEST(SpecFile, RefusesLayersThatDoNotFollowFromOneAnother) {
  const auto swapped = file_with(
      {},
      [](Safetensors& f) {
        f.tensors["encoder.1.weight"].shape = {5, 4};
      },
      deep_spec());
  EXPECT_TRUE(is_refused_with(swapped, "encoder: layer 1: expected 5 inputs, got 4"));
  const auto wider = file_with([](json& d) { d["input"]["image"]["width"] = 3; });
  EXPECT_TRUE(is_refused_with(wider, "encoder: layer 0: expected 6 inputs, got 4"));
}

TEST(SpecFile, RefusesLayersOfImagesThatAreMalformed) {
  struct Case {
    const char* place;
    json value;
    const char* words;
  };
  for (const Case& c : std::vector<Case>{{"/encoder/0/order", "rows", "means nothing"},
                                         {"/encoder/0/side", 2, "another shape than its patches"},
                                         {"/encoder/0/channels", 3, "another shape than its patches"},
                                         {"/encoder/0/height", 5, "expected 24 inputs, got 30"},
                                         {"/encoder/0/height", "4", "height"},
                                         {"/encoder/0/stride", 0, "layer 0: patches: side and stride"},
                                         {"/encoder/0/padding", 3, "layer 0: patches: side and stride"},
                                         {"/encoder/1/kind", "median", "means nothing"},
                                         {"/encoder/1/side", 5, "layer 1: patches: larger than the image"},
                                         {"/encoder/3/from", 3, "layer 3: adds a layer"},
                                         {"/encoder/3/width", 17, "layer 3: expected 18 inputs, got 17"},
                                         {"/encoder/1", "pooling", "a layer is not an object"},
                                         {"/encoder/1", {{"type", "pooling"}}, ""},
                                         {"/encoder/3", {{"type", "residual"}}, ""}}) {
    const auto file = file_with([&](json& d) { d[json::json_pointer(c.place)] = c.value; }, {}, convolving_spec());
    EXPECT_TRUE(is_refused_with(file, c.words)) << c.place << " = " << c.value;
  }
}

TEST(SpecFile, RefusesCentroidsThatAreNotAsWideAsTheEncoding) {
  const auto reshaped = [](std::vector<std::size_t> shape) {
    return file_with(
        {}, [&](Safetensors& f) { f.tensors["constraint.centroids"].shape = shape; }, deep_spec());
  };
  EXPECT_TRUE(Mechanism::from_bytes(reshaped({2, 2})));
  for (const auto& shape : std::vector<std::vector<std::size_t>>{{4, 1}, {1, 4}, {4}})
    EXPECT_TRUE(is_refused_with(reshaped(shape), "constraint.centroids"));
}

TEST(SpecFile, RefusesDistancesThatAreMisshapenOrNotWholeOrOutOfRange) {
  const auto with = [](const std::function<void(Tensor&)>& change) {
    return file_with(
        {}, [&](Safetensors& f) { change(f.tensors.at("constraint.distances")); }, distant_spec());
  };
  EXPECT_TRUE(Mechanism::from_bytes(with([](Tensor& t) { t.values[1] = 32; })));
  for (const float value : {-1.0F, 0.5F, 2.000001F, 33.0F, 256.0F, 1e30F, std::numeric_limits<float>::infinity(),
                            std::numeric_limits<float>::quiet_NaN()})
    EXPECT_TRUE(is_refused_with(with([=](Tensor& t) { t.values[1] = value; }), "whole numbers up to 32")) << value;
  EXPECT_TRUE(is_refused_with(with([](Tensor& t) { t.values[4] = 1; }), "distances: must be 0 from a category to"));
  EXPECT_TRUE(is_refused_with(with([](Tensor& t) { t.values[5] = 0; }), "distances: must be 0 from a category to"));
  EXPECT_TRUE(is_refused_with(with([](Tensor& t) { t.shape = {1, 9}; }), "is not 3 x 3"));
  EXPECT_TRUE(is_refused_with(with([](Tensor& t) { t.shape = {9}; }), "misshapen"));
  EXPECT_TRUE(is_refused_with(with([](Tensor& t) { t = {{2, 2}, {0, 1, 1, 0}}; }), "is not 3 x 3"));
  const auto without = file_with(
      {}, [](Safetensors& f) { f.tensors.erase("constraint.distances"); }, distant_spec());
  EXPECT_TRUE(is_refused_with(without, "tensor constraint.distances is missing"));
}

TEST(SpecFile, RefusesTheExponentialChannelWithoutDistancesAndOthersKeepTheirs) {
  const auto plain = file_with([](json& d) { d["channel"] = "exponential"; }, {}, deep_spec());
  EXPECT_TRUE(is_refused_with(plain, "a codebook with distances"));
  const auto other = file_with([](json& d) { d["channel"] = "subset_selection"; }, {}, distant_spec());
  EXPECT_TRUE(Mechanism::from_bytes(other));
}

TEST(SpecFile, RefusesWeightsThatAreNotFinite) {
  for (const float poison : {std::numeric_limits<float>::quiet_NaN(), std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity()}) {
    for (const char* tensor : {"encoder.0.weight", "encoder.3.bias", "constraint.centroids"}) {
      const auto file = file_with(
          {}, [&](Safetensors& f) { f.tensors.at(tensor).values[0] = poison; }, deep_spec());
      EXPECT_TRUE(is_refused_with(file, "finite")) << tensor;
    }
  }
}

TEST(SpecFile, RefusesAFileWithoutADocumentOrWithAMalformedOne) {
  EXPECT_TRUE(is_refused_with(file_with({}, [](Safetensors& f) { f.metadata.clear(); }), "no \"sotto\" document"));
  for (const char* text : {"", "1", "[]", "{", "{}", "{\"format\":1}", "{\"format\":1} 2"})
    EXPECT_TRUE(is_refused_with(file_with({}, [&](Safetensors& f) { f.metadata["sotto"] = text; }), "")) << text;
}

TEST(SpecFile, RefusesADocumentThatNamesAKeyTwice) {
  const auto twice = [](Safetensors& f) { f.metadata["sotto"].insert(1, R"("channel":"duchi",)"); };
  EXPECT_TRUE(is_refused_with(file_with({}, twice), "twice"));
}

TEST(SpecFile, SurvivesADocumentOfBrackets) {
  for (const char* place : {"/input", "/encoder", "/constraint", "/channel", "/label/classes", "/provenance"}) {
    const std::string brackets = std::string(100'000, '[') + std::string(100'000, ']');
    const auto nest = [&](Safetensors& f) {
      json document = json::parse(f.metadata.at("sotto"));
      document[json::json_pointer(place)] = "@";
      std::string text = document.dump();
      f.metadata["sotto"] = text.replace(text.find("\"@\""), 3, brackets);
    };
    EXPECT_TRUE(is_refused_with(file_with({}, nest), "")) << place;
  }
}

TEST(SpecFile, KeepsProvenanceAsItIs) {
  MechanismSpec spec = linear_spec();
  spec.provenance = {{"", "empty"}, {"a", "first"}, {std::string("a\0b", 3), std::string("second\0", 7)}};
  EXPECT_EQ(read_spec(write_spec(spec).value_or_throw()).value_or_throw().provenance, spec.provenance);
}

TEST(SpecFile, RefusesToWriteNamesThatAreNotUtf8) {
  MechanismSpec spec = linear_spec();
  spec.provenance["data"] = "\xff";
  EXPECT_TRUE(contains(refusal(write_spec(spec), ErrorCode::kInvalidArgument), "UTF-8"));
  EXPECT_TRUE(contains(refusal(Mechanism::make(spec), ErrorCode::kInvalidArgument), "UTF-8"));
}

TEST(SpecFile, TakesAnyOtherByteAsAnErrorOrAsAnotherMechanism) {
  const Mechanism original = mechanism_of(l1_spec(4));
  for (std::size_t position = 0; position < original.bytes().size(); ++position) {
    for (const int flip : {0x01, 0x02, 0x08, 0x20, 0x80, 0xff}) {
      std::vector<std::byte> bytes(original.bytes().begin(), original.bytes().end());
      bytes[position] ^= std::byte(flip);
      const auto read = Mechanism::from_bytes(bytes);
      if (read)
        EXPECT_NE(read->id(), original.id());
      else
        EXPECT_EQ(read.error().code, ErrorCode::kCorruptFile);
    }
  }
}

}  // namespace
}  // namespace sotto
