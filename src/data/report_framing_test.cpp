#include "sotto/data/report_framing.h"

#include <gtest/gtest.h>

#include <string>

#include "sotto/wire/report_codec.h"

namespace sotto {
namespace {

std::string some_report() {
  Sha256Digest id;
  id.fill(7);
  const ReportCodec codec({id, {Epsilon::parse("1.4").value_or_throw(), Delta::zero(), std::nullopt}},
                          {{-9, 9}, {0, 1}});
  std::string report;
  codec.append_cbor(std::vector<std::int64_t>{-3, 1}, report);
  return report;
}

std::optional<std::uint64_t> length_of(std::string_view bytes) {
  return cbor_report_length({reinterpret_cast<const std::uint8_t*>(bytes.data()), bytes.size()});
}

TEST(ReportFraming, FindsTheEndWhateverFollows) {
  const std::string report = some_report();
  EXPECT_EQ(length_of(report), report.size());
  EXPECT_EQ(length_of(report + report), report.size());
  EXPECT_EQ(length_of(report + "\xff"), report.size());
}

TEST(ReportFraming, NeedsTheHeadAndNotTheContent) {
  const std::string report = some_report();
  EXPECT_EQ(length_of(std::string_view(report).substr(0, report.size() - 1)), report.size());
  for (const std::size_t kept : {0, 1, 5, 20})
    EXPECT_FALSE(length_of(std::string_view(report).substr(0, kept))) << kept;
}

TEST(ReportFraming, RefusesWhatIsNoHeadOrAnnouncesTooMuch) {
  EXPECT_FALSE(length_of("{\"m\":"));
  EXPECT_FALSE(length_of("\xa1"));
  std::string report = some_report();
  report.resize(report.size() - 3);                                       // the head of the content and its two bytes
  EXPECT_FALSE(length_of(report + "\x5a\x04" + std::string(3, '\x01')));  // 2^26 and more
}

}  // namespace
}  // namespace sotto
