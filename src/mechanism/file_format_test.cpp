// docs/file-format.md promises bytes; these are they.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>

#include "sotto/mechanism/sample_specs_test.h"

namespace sotto {
namespace {

// The lines of the fenced block that opens with ```kind.
std::vector<std::string> block(const std::string& kind) {
  std::ifstream document(SOTTO_DOCS "/file-format.md");
  EXPECT_TRUE(document.is_open());
  std::vector<std::string> lines;
  bool inside = false;
  for (std::string line; std::getline(document, line);) {
    if (inside && line == "```") return lines;
    if (inside) lines.push_back(line);
    if (line == "```" + kind) inside = true;
  }
  ADD_FAILURE() << "no block " << kind;
  return lines;
}

// Offset, up to sixteen bytes in hexadecimal, the same as characters: only the bytes count.
std::string bytes_of(const std::vector<std::string>& dump) {
  std::string bytes;
  for (const std::string& line : dump) {
    EXPECT_EQ(std::stoul(line.substr(0, 4), nullptr, 16), bytes.size());
    const std::string digits = line.substr(6, line.find("  |") - 6);
    for (std::size_t i = 0; i < digits.size() && digits[i] != ' '; i += 3)
      bytes += static_cast<char>(std::stoi(digits.substr(i, 2), nullptr, 16));
  }
  return bytes;
}

std::span<const std::uint8_t> octets(const std::string& bytes) {
  return {reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()};
}

Mechanism example() {
  return mechanism_of({image(1, 1, 2),
                       LabelSchema{"digit", {"0", "1"}},
                       Network::make(2, {DenseLayer{2, 1, {0.5F, -2}, {0.25F}, Activation::kNone}}).value_or_throw(),
                       L1LatticeSpec{1, 4},
                       ChannelFamily::kLatticeLaplace,
                       {{"method", "by hand"}}});
}

Release example_release() { return example().release({epsilon("1.4"), Delta::zero(), lambda("0.7")}).value_or_throw(); }

const std::vector<std::int64_t> kExampleReport = {-3, 1};

TEST(FileFormat, TheDocumentedMechanismIsWhatWeWriteAndRead) {
  const std::string file = bytes_of(block("hex mechanism.sotto"));
  const Mechanism ours = example();
  EXPECT_EQ(file, std::string(reinterpret_cast<const char*>(ours.bytes().data()), ours.bytes().size()));
  const Mechanism read = Mechanism::from_bytes(std::as_bytes(std::span(file))).value_or_throw();
  EXPECT_EQ(block("text id"), std::vector<std::string>{to_hex(read.id())});
  EXPECT_EQ(std::get<DenseLayer>(read.spec().encoder.layers()[0]).weights, (std::vector<float>{0.5F, -2}));
}

TEST(FileFormat, TheDocumentedReportIsWhatWeWriteAndReadInBothFormats) {
  const Release release = example_release();
  const ReportCodec& codec = release.codec();
  std::string line, item;
  codec.append_ndjson(kExampleReport, line);
  codec.append_cbor(kExampleReport, item);
  EXPECT_EQ(block("json report"), std::vector<std::string>{line.substr(0, line.size() - 1)});
  EXPECT_EQ(bytes_of(block("hex report")), item);
  std::vector<std::int64_t> read(2);
  EXPECT_TRUE(codec.read_ndjson(block("json report")[0], read));
  EXPECT_EQ(read, kExampleReport);
  EXPECT_TRUE(codec.read_cbor(octets(bytes_of(block("hex report"))), read));
  EXPECT_EQ(read, kExampleReport);
}

// The ranges that the document gives for the families whose formula is exact.
TEST(FileFormat, TheDocumentedRangesAreOurs) {
  using Fields = std::vector<Range>;
  const auto fields = [](const MechanismSpec& spec, const char* text) {
    return release_of(spec, text).codec().fields();
  };
  const CodebookSpec three_codes{{0, 0, 1, 1, 2, 2}};
  EXPECT_EQ(example_release().codec().fields(), (Fields{{-396, 396}, {0, 1}}));
  EXPECT_EQ(fields(l1_spec(64), "1.4"), Fields(2, {-64 - 4389, 64 + 4389}));  // 48·128/1.4 = 4388.57…
  EXPECT_EQ(fields(l1_spec(64), "1.5"), Fields(2, {-64 - 4097, 64 + 4097}));  // 48·128/1.5 = 4096
  EXPECT_EQ(fields(spec_of(two_numbers(), three_codes, ChannelFamily::kRandomizedResponse), "1"), (Fields{{0, 2}}));
  EXPECT_EQ(fields(spec_of(two_numbers(), FeatureBoxSpec{9}, ChannelFamily::kDuchi), "1"), Fields(2, {0, 1}));
  EXPECT_EQ(fields(spec_of(number_and_category(), FeatureBoxSpec{9}, ChannelFamily::kFeatureLaplace), "2"),
            (Fields{{-433, 9 + 433}, {0, 2}}));  // 48·9·2/2 = 432
  EXPECT_EQ(fields(spec_of(two_numbers(), DirectionAndLengthSpec{1, 9}, ChannelFamily::kPrivUnit), "1")[1],
            (Range{-6980218, 6980218}));  // 2^20·(1 + 8/√2) = 6980217.7…
}

}  // namespace
}  // namespace sotto
