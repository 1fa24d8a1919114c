#include "sotto/mechanism/code_usage.h"

#include <gtest/gtest.h>

#include "sotto/mechanism/describe.h"
#include "sotto/mechanism/sample_specs_test.h"

namespace sotto {
namespace {

MechanismSpec coded(const std::string& sizes, ChannelFamily channel = ChannelFamily::kSubsetSelection) {
  MechanismSpec spec = spec_of(two_numbers(), CodebookSpec{{-1, 0, 1, 0, 0, 1}}, channel);
  spec.provenance[kCodeSizesKey] = sizes;
  return spec;
}

std::string line_of(const MechanismSpec& spec, const std::string& key) {
  for (const auto& [name, value] : describe(mechanism_of(spec)))
    if (name == key) return value;
  return "(no such line)";
}

TEST(CodeUsage, ReadsWhatWasWritten) {
  const std::vector<std::size_t> sizes = {20, 0, 60};
  EXPECT_EQ(code_sizes_text(sizes), "20,0,60");
  const auto usage = code_usage(coded(code_sizes_text(sizes)));
  ASSERT_TRUE(usage);
  EXPECT_EQ(usage->sizes, (std::vector<std::uint64_t>{20, 0, 60}));
  EXPECT_EQ(usage->shares, (std::vector<double>{0.25, 0, 0.75}));
  EXPECT_NEAR(usage->effective_codes, 1.7547654, 1e-6);  // 4 / 3^0.75
  EXPECT_NEAR(code_usage(coded("5,5,5"))->effective_codes, 3, 1e-12);
  EXPECT_NEAR(code_usage(coded("0,7,0"))->effective_codes, 1, 1e-12);
}

TEST(CodeUsage, IsNothingWhenTheFileSaysAnythingElse) {
  for (const char* text : {"", ",", "1", "1,2", "1,2,3,4", "1,2,3,", ",1,2,3", "1, 2,3", "1,2,-3", "1,2,+3", "1,2,3.0",
                           "1,2,x", "0,0,0", "1,2,1e3", "1,2,99999999999999999999", "1,2,18446744073709551615"})
    EXPECT_FALSE(code_usage(coded(text))) << text;
  MechanismSpec lattice = l1_spec(64);
  lattice.provenance[kCodeSizesKey] = "1,2,3";
  EXPECT_FALSE(code_usage(lattice));
  EXPECT_EQ(codes_in(lattice), 0U);
  MechanismSpec silent = coded("");
  silent.provenance.clear();
  EXPECT_FALSE(code_usage(silent));
  EXPECT_EQ(codes_in(silent), 3U);
}

TEST(Describe, SumsUpHowCodesAreUsedInsteadOfListingThem) {
  EXPECT_EQ(line_of(coded("20,0,60"), "codes"),
            "3, of 0 to 75 % of the auxiliary records each; as varied as 1.755 codes of equal size");
  EXPECT_EQ(line_of(coded("20,0,60"), "provenance code_sizes"), "(no such line)");
  EXPECT_EQ(line_of(coded("many"), "codes"), "3");
  EXPECT_EQ(line_of(coded("many"), "provenance code_sizes"), "many");
  EXPECT_EQ(line_of(l1_spec(64), "codes"), "(no such line)");
}

TEST(Describe, SaysWhetherReportsOfCodesCanBeDecoded) {
  const auto level = [](ChannelFamily channel) {
    return line_of(with_decoder(coded("1,2,3", channel), {}, OutputMap::kNone), "feature level");
  };
  EXPECT_TRUE(contains(level(ChannelFamily::kRandomizedResponse), "decoded from the report alone"));
  EXPECT_TRUE(contains(level(ChannelFamily::kSubsetSelection), "none: a report stands for many codes"));
  EXPECT_TRUE(contains(level(ChannelFamily::kHadamardResponse), "none: a report stands for many codes"));
}

}  // namespace
}  // namespace sotto
