#include "sotto/wire/report_codec.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <nlohmann/json.hpp>

#include "sotto/kernel/seeded_entropy.h"
#include "sotto/kernel/uniform.h"

namespace sotto {
namespace {

ReportHeader header(const char* epsilon, const char* delta = nullptr, const char* lambda = nullptr) {
  Sha256Digest id{};
  for (std::size_t i = 0; i < id.size(); ++i) id[i] = static_cast<std::uint8_t>(7 * i + 1);
  ReportHeader result{id, {Epsilon::parse(epsilon).value_or_throw(), Delta::zero(), std::nullopt}};
  if (delta != nullptr) result.parameters.delta = Delta::parse(delta).value_or_throw();
  if (lambda != nullptr) result.parameters.lambda = parse_lambda(lambda).value_or_throw();
  return result;
}

std::span<const std::uint8_t> bytes_of(const std::string& text) {
  return {reinterpret_cast<const std::uint8_t*>(text.data()), text.size()};
}

const std::vector<Range> kFields = {
    {-1000, 1000},
    {0, 1},
    {5, 5},
    {std::numeric_limits<std::int64_t>::min(), std::numeric_limits<std::int64_t>::max()},
    {0, 9}};

std::vector<std::int64_t> random_values(Entropy& entropy) {
  std::vector<std::int64_t> values;
  for (const Range range : kFields) {
    const std::uint64_t span = static_cast<std::uint64_t>(range.high) - static_cast<std::uint64_t>(range.low);
    const std::uint64_t offset = span == UINT64_MAX ? entropy.take<std::uint64_t>() : uniform_below(span + 1, entropy);
    values.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(range.low) + offset));
  }
  return values;
}

TEST(ReportCodec, ReadsBackWhatItWroteAndEveryReportHasTheSameLength) {
  SeededEntropy entropy(1);
  const ReportCodec codec(header("1.4", "1e-5", "0.7"), kFields);
  for (int i = 0; i < 2000; ++i) {
    const auto values = random_values(entropy);
    std::string line, item;
    codec.append_ndjson(values, line);
    codec.append_cbor(values, item);
    ASSERT_EQ(line.size(), codec.ndjson_length());
    ASSERT_EQ(item.size(), codec.cbor_length());
    std::vector<std::int64_t> read(values.size());
    ASSERT_TRUE(codec.read_ndjson(line, read));
    ASSERT_EQ(read, values);
    std::fill(read.begin(), read.end(), 0);
    ASSERT_TRUE(codec.read_cbor(bytes_of(item), read));
    ASSERT_EQ(read, values);
  }
}

TEST(ReportCodec, LengthDoesNotDependOnTheValuesAtTheEndsOfTheirRanges) {
  const ReportCodec codec(header("1"), {{-100000, 100000}, {0, 7}});
  std::string shortest, longest;
  codec.append_ndjson(std::vector<std::int64_t>{0, 0}, shortest);
  codec.append_ndjson(std::vector<std::int64_t>{-100000, 7}, longest);
  EXPECT_EQ(shortest.size(), longest.size());
}

TEST(ReportCodec, WritesPlainJsonAndCborThatOtherProgramsRead) {
  const ReportCodec codec(header("1.4", nullptr, "0.7"), {{-5, 5}, {0, 9}});
  std::string line, item;
  codec.append_ndjson(std::vector<std::int64_t>{-3, 7}, line);
  codec.append_cbor(std::vector<std::int64_t>{-3, 7}, item);
  const auto json = nlohmann::json::parse(line);
  EXPECT_EQ(json.at("epsilon"), "1.4");
  EXPECT_EQ(json.at("lambda"), "0.7");
  EXPECT_EQ(json.at("report"), nlohmann::json::parse("[-3]"));
  EXPECT_EQ(json.at("label"), 7);
  const auto cbor = nlohmann::json::from_cbor(item);
  EXPECT_EQ(cbor.at("epsilon"), "1.4");
  EXPECT_EQ(cbor.at("report").get_binary().size(), 1U);  // 4 + 4 bits
}

TEST(ReportCodec, RecognisesItsOwnHeader) {
  const ReportHeader written = header("7/3", "1e-6", "1/3");
  const ReportCodec codec(written, {{0, 1}, {0, 1}});
  std::string line, item;
  codec.append_ndjson(std::vector<std::int64_t>{1, 0}, line);
  codec.append_cbor(std::vector<std::int64_t>{1, 0}, item);
  EXPECT_EQ(*read_ndjson_header(line), written);
  EXPECT_EQ(*read_cbor_header(bytes_of(item)), written);
}

TEST(ReportCodec, AcceptsAnotherSpellingOfTheSameJson) {
  const ReportCodec codec(header("1.4"), {{-5, 5}});
  std::string line;
  codec.append_ndjson(std::vector<std::int64_t>{-3}, line);
  auto json = nlohmann::json::parse(line);
  json["epsilon"] = "7/5";
  std::vector<std::int64_t> read(1);
  ASSERT_TRUE(codec.read_ndjson(json.dump(3), read));
  EXPECT_EQ(read[0], -3);
}

TEST(ReportCodec, RefusesWhatIsNotItsReportAndLeavesTheValuesAlone) {
  const ReportCodec codec(header("1.4", nullptr, "0.7"), {{-5, 5}, {0, 9}});
  const ReportCodec other(header("1.5", nullptr, "0.7"), {{-5, 5}, {0, 9}});
  std::string good, foreign;
  codec.append_ndjson(std::vector<std::int64_t>{-3, 7}, good);
  other.append_ndjson(std::vector<std::int64_t>{-3, 7}, foreign);
  const auto with = [&](const char* key, const nlohmann::json& value) {
    auto json = nlohmann::json::parse(good);
    json[key] = value;
    return json.dump();
  };
  const auto without = [&](const char* key) {
    auto json = nlohmann::json::parse(good);
    json.erase(key);
    return json.dump();
  };
  std::vector<std::string> bad = {"",
                                  "[]",
                                  "{",
                                  foreign,
                                  with("report", {6}),
                                  with("report", {-6}),
                                  with("report", {1.5}),
                                  with("report", {1, 2}),
                                  with("report", nlohmann::json::array()),
                                  with("report", {"1"}),
                                  with("report", {std::numeric_limits<std::uint64_t>::max()}),
                                  with("label", 10),
                                  with("label", nullptr),
                                  with("mechanism", "00"),
                                  with("epsilon", 1.4),
                                  with("epsilon", "nan"),
                                  without("label"),
                                  without("epsilon"),
                                  without("lambda"),
                                  without("mechanism"),
                                  without("report")};
  bad.push_back(good.substr(0, good.size() / 2));
  for (const std::string& line : bad) {
    std::vector<std::int64_t> read = {42, 43};
    const Status status = codec.read_ndjson(line, read);
    EXPECT_FALSE(status) << line;
    EXPECT_EQ(read, (std::vector<std::int64_t>{42, 43}));
  }
}

TEST(ReportCodec, RefusesEveryTruncationAndEveryFlippedBitThatLeavesTheRange) {
  const ReportCodec codec(header("1.4"), {{-5, 5}, {0, 9}});
  std::string item;
  codec.append_cbor(std::vector<std::int64_t>{5, 9}, item);
  std::vector<std::int64_t> read(2);
  for (std::size_t length = 0; length < item.size(); ++length)
    EXPECT_FALSE(codec.read_cbor(bytes_of(item.substr(0, length)), read));
  for (std::size_t bit = 0; bit < 8 * codec.cbor_length(); ++bit) {
    std::string flipped = item;
    flipped[bit / 8] = static_cast<char>(flipped[bit / 8] ^ (1 << (bit % 8)));
    if (codec.read_cbor(bytes_of(flipped), read)) {
      EXPECT_GE(bit / 8, codec.cbor_length() - 1);  // only the packed byte may change, and only within the ranges
      EXPECT_TRUE(-5 <= read[0] && read[0] <= 5 && 0 <= read[1] && read[1] <= 9);
    }
  }
}

TEST(ReportCodec, RefusesAKeyNamedTwiceBecauseReadersDifferOverWhichCounts) {
  const ReportCodec codec(header("1.4"), {{-5, 5}});
  std::string line;
  codec.append_ndjson(std::vector<std::int64_t>{3}, line);
  line.resize(line.size() - 2);  // without the final brace and line feed
  std::vector<std::int64_t> read(1);
  ASSERT_TRUE(codec.read_ndjson(line + "}", read));
  for (const char* again : {R"(,"report":[4]})", R"(,"epsilon":"1.4"})", R"(,"epsilon":"100"})"}) {
    EXPECT_FALSE(codec.read_ndjson(line + again, read)) << again;
    EXPECT_FALSE(read_ndjson_header(line + again)) << again;
  }
}

TEST(ReportCodec, SurvivesBracketsWithoutEnd) {
  const ReportCodec codec(header("1.4"), {{-5, 5}});
  std::vector<std::int64_t> read(1);
  std::string line;
  codec.append_ndjson(std::vector<std::int64_t>{3}, line);
  const std::string open(1'000'000, '[');
  const std::string nested = open + std::string(1'000'000, ']');
  const std::string before = line.substr(0, line.find('['));
  for (const std::string& text : {open, nested, before + open, before + nested + "}"}) {
    EXPECT_FALSE(codec.read_ndjson(text, read));
    EXPECT_FALSE(read_ndjson_header(text));
  }
  for (const char open_item : {'\x81', '\x9f', '\xa1', '\xbf', '\xc1', '\x5f'})
    EXPECT_FALSE(read_cbor_header(bytes_of(std::string(1'000'000, open_item))));
}

TEST(ReportCodec, ReadsTheHeaderOfNoOtherCborThanItsOwn) {
  const ReportCodec codec(header("1.4", "1e-5", "0.7"), {{-5, 5}, {0, 9}});
  std::string item;
  codec.append_cbor(std::vector<std::int64_t>{5, 9}, item);
  ASSERT_TRUE(read_cbor_header(bytes_of(item)));
  for (std::size_t length = 0; length < item.size(); ++length)
    EXPECT_FALSE(read_cbor_header(bytes_of(item).first(length)));
  EXPECT_FALSE(read_cbor_header(bytes_of(item + '\0')));
  const auto replaced = [&](std::string_view from, std::string_view to) {
    std::string changed = item;
    return changed.replace(changed.find(from), from.size(), to);
  };
  EXPECT_FALSE(read_cbor_header(bytes_of(replaced("\xa5", "\xa6"))));
  EXPECT_FALSE(read_cbor_header(bytes_of(replaced("\xa5", "\xb8\x05"))));
  EXPECT_FALSE(read_cbor_header(bytes_of(replaced("mechanism", "mechanics"))));
  EXPECT_FALSE(
      read_cbor_header(bytes_of(replaced("\x66lambda\x63"
                                         "0.7",
                                         "\x67"
                                         "epsilon\x62"
                                         "99"))));  // named twice
  EXPECT_FALSE(read_cbor_header(bytes_of(replaced("0.7", "1.7"))));
  EXPECT_FALSE(read_cbor_header(bytes_of(replaced("report", "rapport"))));
}

TEST(ReportCodec, ErrorsDoNotQuoteTheReport) {
  const ReportCodec codec(header("1.4"), {{-5, 5}});
  std::string line;
  codec.append_ndjson(std::vector<std::int64_t>{3}, line);
  auto json = nlohmann::json::parse(line);
  json["report"] = {987654321};
  std::vector<std::int64_t> read(1);
  const Status status = codec.read_ndjson(json.dump(), read);
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().message.find("987654321"), std::string::npos);
}

ReportHeader joint_header(const char* epsilon) {
  ReportHeader result = header(epsilon);
  result.parameters.joint = true;
  return result;
}

TEST(ReportCodec, SaysInTheHeaderThatALabelIsJoinedAndReadsItBack) {
  const ReportHeader written = joint_header("7/3");
  const ReportCodec codec(written, {{-5, 5}, {-5, 5}});
  const std::vector<std::int64_t> values = {-3, 4};
  std::string line, item;
  codec.append_ndjson(values, line);
  codec.append_cbor(values, item);
  const auto json = nlohmann::json::parse(line);
  EXPECT_EQ(json.at("joint"), "label");
  EXPECT_EQ(json.at("report"), nlohmann::json::parse("[-3,4]"));
  EXPECT_FALSE(json.contains("label") || json.contains("lambda"));
  EXPECT_EQ(nlohmann::json::from_cbor(item).at("joint"), "label");
  EXPECT_EQ(read_ndjson_header(line).value_or_throw(), written);
  EXPECT_EQ(read_cbor_header(bytes_of(item)).value_or_throw(), written);
  EXPECT_NE(read_ndjson_header(line).value_or_throw(), header("7/3"));
  std::vector<std::int64_t> read(2);
  ASSERT_TRUE(codec.read_ndjson(line, read));
  EXPECT_EQ(read, values);
  read = {0, 0};
  ASSERT_TRUE(codec.read_cbor(bytes_of(item), read));
  EXPECT_EQ(read, values);
}

TEST(ReportCodec, RefusesAnyOtherJoinAndAJoinBesideLambda) {
  const ReportCodec codec(joint_header("1"), {{-5, 5}});
  std::string line, item;
  codec.append_ndjson(std::vector<std::int64_t>{-3}, line);
  codec.append_cbor(std::vector<std::int64_t>{-3}, item);
  const auto refuses = [&](const nlohmann::json& json) {
    std::vector<std::int64_t> read = {42};
    EXPECT_FALSE(codec.read_ndjson(json.dump(), read)) << json.dump();
    EXPECT_EQ(read[0], 42);
  };
  const auto good = nlohmann::json::parse(line);
  for (const nlohmann::json& value : std::vector<nlohmann::json>{"features", "", "Label", true, 1, nullptr}) {
    auto json = good;
    json["joint"] = value;
    EXPECT_FALSE(read_ndjson_header(json.dump())) << json.dump();
    refuses(json);
  }
  auto beside = good;
  beside["lambda"] = "0.5";
  EXPECT_FALSE(read_ndjson_header(beside.dump()));
  refuses(beside);
  auto without = good;
  without.erase("joint");
  EXPECT_TRUE(read_ndjson_header(without.dump()));
  refuses(without);  // a report of another release
  auto with_label = good;
  with_label["label"] = 1;
  refuses(with_label);

  // The same in CBOR, as we write it: two lambdas' worth of keys, and another word of the same length.
  std::string other_word = item;
  const std::size_t place = other_word.rfind("label");
  ASSERT_NE(place, std::string::npos);
  other_word[place] = 'x';
  EXPECT_FALSE(read_cbor_header(bytes_of(other_word)));
  ReportHeader both = joint_header("1");
  both.parameters.lambda = parse_lambda("0.5").value_or_throw();
  std::string both_item;
  ReportCodec(both, {{-5, 5}, {0, 1}}).append_cbor(std::vector<std::int64_t>{0, 0}, both_item);
  EXPECT_FALSE(read_cbor_header(bytes_of(both_item)));
}

TEST(Lambda, MustLeaveSomethingForBothSides) {
  EXPECT_TRUE(parse_lambda("0.7"));
  for (const char* text : {"0", "1", "1.2", "-0.5", "nan", ""}) EXPECT_FALSE(parse_lambda(text)) << text;
}

}  // namespace
}  // namespace sotto
