#include "sotto/linear/code_decoder.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "sotto/kernel/seeded_entropy.h"

namespace sotto {
namespace {

struct Example {
  std::size_t codes, dimension;
  std::vector<float> centroids;
  Dataset auxiliary;
  std::vector<std::uint32_t> code_of;

  Result<Decoder> fit() const { return fit_code_decoder(centroids, dimension, auxiliary, code_of); }

  std::vector<float> decode(const Decoder& decoder) const {
    std::vector<float> records(codes * auxiliary.width);
    Network::Workspace workspace;
    decoder.network.encode(centroids, codes, records, workspace);
    return records;
  }

  std::vector<double> means() const {
    std::vector<double> sums(codes * auxiliary.width, 0), counts(codes, 0);
    for (std::size_t row = 0; row < auxiliary.rows; ++row) {
      ++counts[code_of[row]];
      for (std::size_t i = 0; i < auxiliary.width; ++i)
        sums[code_of[row] * auxiliary.width + i] += auxiliary.values[row * auxiliary.width + i];
    }
    for (std::size_t i = 0; i < sums.size(); ++i) sums[i] /= counts[i / auxiliary.width];
    return sums;
  }
};

float uniform(Entropy& entropy) { return static_cast<float>(entropy.take<std::uint16_t>()) / 65536.0F; }

// Centroids and records without any relation; 15, 30, 45, … records a code.
Example random_example(std::size_t codes, std::size_t dimension, std::size_t width) {
  SeededEntropy entropy(11);
  Example example{codes, dimension, {}, {0, width, {}, {}}, {}};
  for (std::size_t i = 0; i < codes * dimension; ++i) example.centroids.push_back(uniform(entropy));
  for (std::uint32_t code = 0; code < codes; ++code)
    for (std::size_t row = 0; row < 15 * (code + 1); ++row) {
      example.code_of.push_back(code);
      ++example.auxiliary.rows;
      for (std::size_t i = 0; i < width; ++i) example.auxiliary.values.push_back(uniform(entropy));
    }
  return example;
}

TEST(CodeDecoder, GivesTheMeanRecordOfEachCodeWhenThereAreNoMoreCodesThanDimensions) {
  for (const std::size_t codes : {2UL, 4UL, 6UL})
    for (const std::size_t width : {3UL, 40UL}) {
      const Example example = random_example(codes, 6, width);
      const Decoder decoder = example.fit().value_or_throw();
      EXPECT_EQ(decoder.output, OutputMap::kNone);
      const auto decoded = example.decode(decoder);
      const auto means = example.means();
      for (std::size_t i = 0; i < means.size(); ++i) EXPECT_NEAR(decoded[i], means[i], 1e-5) << codes << ' ' << width;
    }
}

TEST(CodeDecoder, GoesThroughTheCodesWhereThatIsSmaller) {
  EXPECT_EQ(random_example(2, 6, 40).fit().value_or_throw().network.layers().size(), 2U);
  EXPECT_EQ(random_example(6, 6, 40).fit().value_or_throw().network.layers().size(), 1U);
}

// On a line: centroids 0, 1, 3 of 15, 30 and 45 records. Least squares over the 90 records by hand; codes weighted
// alike would give another slope.
TEST(CodeDecoder, WeighsCodesByTheirRecordsWhenItCannotHitAllMeans) {
  Example example = random_example(3, 1, 1);
  example.centroids = {0, 1, 3};
  const auto means = example.means();
  const std::vector<double> weights = {15, 30, 45};
  const auto line = [&](const std::vector<double>& n) {
    double total = 0, x = 0, y = 0, xx = 0, xy = 0;
    for (std::size_t i = 0; i < 3; ++i) {
      const double at = example.centroids[i];
      total += n[i], x += n[i] * at, y += n[i] * means[i], xx += n[i] * at * at, xy += n[i] * at * means[i];
    }
    const double slope = (total * xy - x * y) / (total * xx - x * x);
    return std::pair(slope, (y - slope * x) / total);
  };
  const auto [slope, start] = line(weights);
  const auto decoded = example.decode(example.fit().value_or_throw());
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(decoded[i], start + slope * example.centroids[i], 1e-6);
  EXPECT_GT(std::abs(line({1, 1, 1}).second - start), 1e-3) << "the example does not tell weights apart";
}

TEST(CodeDecoder, HoldsNothingOfTheRecordsOfACodeThatHasFew) {
  for (const std::size_t width : {3UL, 40UL}) {
    Example example = random_example(3, 6, width);
    // All but nine of the first code's fifteen records move to the second.
    for (std::size_t row = 9; row < 15; ++row) example.code_of[row] = 1;
    const Decoder decoder = example.fit().value_or_throw();
    Example other = example;
    for (std::size_t i = 0; i < 9 * width; ++i) other.auxiliary.values[i] = 1 - other.auxiliary.values[i];
    const Decoder same = other.fit().value_or_throw();
    for (std::size_t i = 0; i < decoder.network.layers().size(); ++i) {
      const auto& a = std::get<DenseLayer>(decoder.network.layers()[i]);
      const auto& b = std::get<DenseLayer>(same.network.layers()[i]);
      EXPECT_EQ(a.weights, b.weights);
      EXPECT_EQ(a.bias, b.bias);
    }
    example.code_of[9] = 0;  // a tenth
    EXPECT_NE(example.decode(example.fit().value_or_throw()), example.decode(decoder));
    other.code_of[9] = 0;
    EXPECT_NE(example.decode(example.fit().value_or_throw()), other.decode(other.fit().value_or_throw()));
  }
}

TEST(CodeDecoder, OfCodesInOnePlaceGivesTheMeanOfAll) {
  Example example = random_example(2, 3, 1);
  example.centroids = {1, 2, 3, 1, 2, 3};
  const auto decoded = example.decode(example.fit().value_or_throw());
  const auto means = example.means();
  for (const float value : decoded) EXPECT_NEAR(value, (means[0] + 2 * means[1]) / 3, 1e-6);
}

TEST(CodeDecoder, NamesWhatIsWrong) {
  const Example good = random_example(2, 3, 4);
  const auto refusal = [](const Example& example) {
    const auto refused = example.fit();
    EXPECT_FALSE(refused);
    return refused ? "" : refused.error().message;
  };
  Example few = good;
  few.auxiliary.rows = 9;
  few.auxiliary.values.resize(36);
  few.code_of.resize(9);
  EXPECT_EQ(refusal(few), "decoder: no code has the 10 records that a mean needs");
  Example infinite = good;
  infinite.auxiliary.values[5] = std::numeric_limits<float>::infinity();
  EXPECT_NE(refusal(infinite).find("missing or infinite"), std::string::npos);
  Example short_codes = good;
  short_codes.code_of.pop_back();
  EXPECT_EQ(refusal(short_codes), "codes of records: expected 45, got 44");
  Example strange = good;
  strange.code_of[3] = 2;
  EXPECT_EQ(refusal(strange), "codes of records: must lie below the number of centroids, 2");
  Example ragged = good;
  ragged.centroids.pop_back();
  EXPECT_EQ(refusal(ragged), "centroids: expected rows of 3 values, got 5 values");
}

}  // namespace
}  // namespace sotto
