#include "sotto/data/csv_scanner.h"

#include "sotto/data/fixture_test.h"
#include "sotto/kernel/seeded_entropy.h"
#include "sotto/kernel/uniform.h"

namespace sotto {
namespace {

using Rows = std::vector<std::vector<std::string>>;

struct Scan {
  Rows rows;
  std::vector<std::uint64_t> lines;
  std::string fault;
};

Scan scan(CsvScanner scanner) {
  Scan result;
  for (;;) {
    const Result<bool> found = scanner.next_row();
    if (!found) result.fault = found.error().message;
    if (!found || !*found) return result;
    result.lines.push_back(scanner.line());
    result.rows.emplace_back();
    for (std::size_t i = 0; i < scanner.field_count(); ++i) result.rows.back().emplace_back(scanner.field(i));
  }
}

Scan scan(std::string_view text) { return scan(CsvScanner(stream_of(text))); }

TEST(CsvScanner, SplitsPlainRows) {
  const Scan result = scan("a,b,c\n1,2,3\n");
  EXPECT_EQ(result.rows, (Rows{{"a", "b", "c"}, {"1", "2", "3"}}));
  EXPECT_EQ(result.lines, (std::vector<std::uint64_t>{1, 2}));
  EXPECT_EQ(result.fault, "");
}

TEST(CsvScanner, AcceptsCrlfAndAMissingFinalNewline) {
  EXPECT_EQ(scan("a,b\r\n1,2\r\n").rows, (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(scan("a,b\n1,2").rows, (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(scan("a,\"b\"").rows, (Rows{{"a", "b"}}));
}

TEST(CsvScanner, KeepsEmptyFieldsAlsoAtTheEnd) {
  EXPECT_EQ(scan("a,,\n,,c\n,").rows, (Rows{{"a", "", ""}, {"", "", "c"}, {"", ""}}));
  EXPECT_EQ(scan("\"\"\n\"\",\"\"").rows, (Rows{{""}, {"", ""}}));
}

TEST(CsvScanner, ReadsQuotedCommasQuotesAndLineBreaks) {
  const Scan result = scan("\"a,b\",\"say \"\"hi\"\"\",\"two\r\nlines\"\nnext,\" kept \",x\n");
  EXPECT_EQ(result.rows, (Rows{{"a,b", "say \"hi\"", "two\r\nlines"}, {"next", " kept ", "x"}}));
  EXPECT_EQ(result.lines, (std::vector<std::uint64_t>{1, 3}));
}

TEST(CsvScanner, DropsBlanksAroundFieldsWithoutQuotes) {
  EXPECT_EQ(scan(" a ,\tb c\t,   ,d\n").rows, (Rows{{"a", "b c", "", "d"}}));
}

TEST(CsvScanner, PassesOverAByteOrderMarkAndEmptyLines) {
  const Scan result = scan("\xef\xbb\xbf\n\na,b\n  \n\r\n1,2\n\n");
  EXPECT_EQ(result.rows, (Rows{{"a", "b"}, {"1", "2"}}));
  EXPECT_EQ(result.lines, (std::vector<std::uint64_t>{3, 6}));
  EXPECT_TRUE(scan("\xef\xbb\xbf").rows.empty());
  EXPECT_EQ(scan("\xef\xbb").rows, (Rows{{"\xef\xbb"}}));  // only a whole mark is one
}

TEST(CsvScanner, EndsAtOnceOnAnEmptyInput) {
  EXPECT_TRUE(scan("").rows.empty());
  EXPECT_EQ(scan("").fault, "");
}

TEST(CsvScanner, NamesLineAndColumnOfAMalformedField) {
  const auto fault = [](std::string_view text) { return scan(text).fault; };
  EXPECT_EQ(fault("a,b\n1,x\"y\n"), "memory: line 2, column 2: a quote inside a field that does not begin with one");
  EXPECT_EQ(fault("a,b\n1,\"x\"y\n"), "memory: line 2, column 2: text after a closing quote");
  EXPECT_EQ(fault("a,b\n\"x\" ,1\n"), "memory: line 2, column 1: text after a closing quote");
  EXPECT_EQ(fault("a\rb\n"), "memory: line 1, column 1: a carriage return without a line feed");
  EXPECT_EQ(fault("a,b\r"), "memory: line 1, column 2: a carriage return without a line feed");
  EXPECT_EQ(fault(std::string_view("a,b\n1,x\0y\n", 10)), "memory: line 2, column 2: a NUL byte");
  EXPECT_EQ(fault(std::string_view("a,\"x\0y\"\n", 8)), "memory: line 1, column 2: a NUL byte");
  EXPECT_EQ(fault("a\n\"never closed\n1\n"), "memory: line 2, column 1: the input ends within quotes");
  EXPECT_EQ(fault("a,\"two\nlines\"x\n"), "memory: line 2, column 2: text after a closing quote");
}

TEST(CsvScanner, LimitsTheLengthOfAField) {
  const std::string longest(CsvScanner::kMaxFieldBytes, 'x');
  EXPECT_EQ(scan("a," + longest + "\n").fault, "");
  EXPECT_EQ(scan("a,\"" + longest + "\"\n").fault, "");
  EXPECT_TRUE(contains(scan("a," + longest + "x\n").fault, "line 1, column 2: a field of more than 1 MiB"));
  EXPECT_TRUE(contains(scan("a,\"" + longest + "x\"\n").fault, "a field of more than 1 MiB"));
  std::string quotes(2 * CsvScanner::kMaxFieldBytes + 4, '"');  // half as many quotes, plus one
  EXPECT_TRUE(contains(scan(quotes).fault, "a field of more than 1 MiB"));
}

TEST(CsvScanner, LimitsTheLengthOfARow) {
  std::string row;
  for (std::size_t i = 0; i <= CsvScanner::kMaxRowBytes / CsvScanner::kMaxFieldBytes; ++i) {
    row += std::string(CsvScanner::kMaxFieldBytes, 'x') + ",";
  }
  EXPECT_TRUE(contains(scan(row).fault, "a row of more than 64 MiB"));
}

// Property: any table survives being written with quotes and read again, from a buffer of any alignment.
TEST(CsvScanner, ReadsBackEveryQuotedTable) {
  SeededEntropy entropy(2);
  constexpr std::string_view kAlphabet = "a,\"\n\r \tz";
  for (int round = 0; round < 500; ++round) {
    Rows rows(1 + uniform_below(4, entropy), std::vector<std::string>(1 + uniform_below(4, entropy)));
    std::string text;
    for (auto& row : rows) {
      for (std::size_t i = 0; i < row.size(); ++i) {
        for (std::uint64_t n = uniform_below(6, entropy); n > 0; --n)
          row[i] += kAlphabet[uniform_below(kAlphabet.size(), entropy)];
        text += i > 0 ? ",\"" : "\"";
        for (const char c : row[i]) text += c == '"' ? std::string("\"\"") : std::string(1, c);
        text += '"';
      }
      text += uniform_below(2, entropy) == 0 ? "\n" : "\r\n";
    }
    const Scan result = scan(text);
    EXPECT_EQ(result.fault, "");
    EXPECT_EQ(result.rows, rows);
  }
}

TEST(CsvScanner, ReadsFieldsAcrossBufferBoundaries) {
  const ScratchDirectory scratch;
  for (std::size_t shift = 0; shift < 12; ++shift) {
    const std::string padding(ByteStream::kBufferBytes - 6 - shift, 'p');
    const std::string path = scratch.write("file", padding + ",\"a\"\"b\",c\r\nd\r\n");
    const Scan result = scan(CsvScanner(ByteStream::open(path).value_or_throw()));
    EXPECT_EQ(result.fault, "");
    EXPECT_TRUE((result.rows == Rows{{padding, "a\"b", "c"}, {"d"}})) << "shift " << shift;
  }
}

}  // namespace
}  // namespace sotto
