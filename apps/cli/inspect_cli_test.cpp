// `sotto inspect` of mechanisms with codes: how codes are used, and the page that shows what each stands for.
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "program_test.h"
#include "sotto/mechanism/mechanism.h"
#include "sotto/report/html.h"

namespace sotto {
namespace {

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

bool contains(const std::string& text, const std::string& part) { return count(text, part) > 0; }

std::vector<std::string> pictures_in(const std::string& html) {
  const std::string start = "src=\"data:image/png;base64,";
  std::vector<std::string> pictures;
  for (std::size_t at = html.find(start); at != std::string::npos; at = html.find(start, at + 1))
    pictures.push_back(html.substr(at, html.find("\">", at) - at));
  return pictures;
}

class InspectCli : public ProgramTest {
 protected:
  static Network identity(std::size_t width) { return Network::make(width, {}).value_or_throw(); }

  // One code for each coordinate, decoded as it is.
  static MechanismSpec coded(InputSchema input, const std::string& sizes,
                             ChannelFamily channel = ChannelFamily::kSubsetSelection) {
    const std::size_t width = input.width();
    std::vector<float> centroids(width * width, 0);
    for (std::size_t i = 0; i < width; ++i) centroids[i * (width + 1)] = 1;
    return {std::move(input),
            LabelSchema{"kind", {"a", "b"}},
            identity(width),
            CodebookSpec{centroids},
            channel,
            {{"code_sizes", sizes}},
            Decoder{identity(width), OutputMap::kNone}};
  }

  static InputSchema image(std::int32_t channels, std::int32_t height, std::int32_t width) {
    return {ImageShape{channels, height, width}, {}};
  }

  void save(const MechanismSpec& spec, const std::string& name) const {
    Mechanism::make(spec).value_or_throw().save(path(name)).or_throw();
  }

  std::string page_of(const MechanismSpec& spec, const std::string& options = "") const {
    save(spec, "m.sotto");
    const Outcome outcome = run("inspect m.sotto --html page.html " + options);
    EXPECT_EQ(outcome.exit_code, 0) << outcome.errors;
    EXPECT_TRUE(contains(outcome.output, "wrote page.html"));
    return read("page.html");
  }
};

TEST_F(InspectCli, DrawsOnePictureOfEachCodeWithItsShare) {
  const std::string html = page_of(coded(image(1, 2, 2), "10,20,30,40"), "--epsilon 3 --joint");
  std::vector<Picture> expected;
  for (int code = 0; code < 4; ++code) {
    Picture picture{2, 2, 1, std::vector<std::uint8_t>(4, 0), "code " + std::to_string(code)};
    picture.pixels[static_cast<std::size_t>(code)] = 255;
    picture.caption += ", " + std::to_string(10 * (code + 1)) + ".0 %";
    EXPECT_EQ(count(html, "<img alt=\"" + picture.caption + "\""), 1U);
    expected.push_back(picture);
  }
  HtmlReport report("");
  report.add_pictures("", {{"", expected}}).or_throw();
  ASSERT_EQ(pictures_in(html).size(), 4U);
  EXPECT_EQ(pictures_in(html), pictures_in(report.render()));
  EXPECT_TRUE(contains(html, "epsilon = 3"));
  EXPECT_TRUE(contains(html, "<dt>channel</dt><dd>subset_selection</dd>"));
}

TEST_F(InspectCli, DrawsColoursOfPlanesAsPixels) {
  const std::string html = page_of(coded(image(3, 1, 2), "10,10,10,10,10,10"));
  std::vector<Picture> expected;
  for (std::size_t code = 0; code < 6; ++code) {
    Picture picture{2, 1, 3, std::vector<std::uint8_t>(6, 0), ""};
    picture.pixels[code % 2 * 3 + code / 2] = 255;
    expected.push_back(picture);
  }
  HtmlReport report("");
  report.add_pictures("", {{"", expected}}).or_throw();
  EXPECT_EQ(pictures_in(html), pictures_in(report.render()));
  EXPECT_TRUE(contains(html, "Nothing yet"));
}

TEST_F(InspectCli, LeavesOutPicturesOfFewRecordsAndOfImagesThatHaveNone) {
  const std::string few = page_of(coded(image(1, 2, 2), "10,9,0,40"));
  EXPECT_EQ(pictures_in(few).size(), 2U);
  EXPECT_FALSE(contains(few, "alt=\"code 1,"));
  EXPECT_TRUE(contains(few, "Codes of fewer than 10 auxiliary records are left out"));
  EXPECT_EQ(pictures_in(page_of(coded(image(1, 2, 2), "1,1,1,1"))).size(), 0U);
  const std::string planes = page_of(coded(image(2, 1, 1), "10,10"));
  EXPECT_TRUE(contains(planes, "There are no pictures: channels = 2 is not 1 or 3"));
  EXPECT_EQ(pictures_in(page_of(coded(image(1, 2, 2), "unknown"))).size(), 4U);
}

TEST_F(InspectCli, ShowsTheMeansOfATableByColumn) {
  const InputSchema people{std::nullopt,
                           {{"age <years>", Column::Kind::kNumeric, 0, 100, {}},
                            {"job", Column::Kind::kCategorical, 0, 1, {"baker", "smith & co"}}}};
  MechanismSpec spec = coded(people, "30,10");
  std::get<CodebookSpec>(spec.constraint).centroids = {42.5F, 1, 17, 0};
  const std::string html = page_of(spec);
  EXPECT_TRUE(contains(html, "<th scope=\"col\">age &lt;years&gt;</th><th scope=\"col\">job</th>"));
  EXPECT_TRUE(contains(html,
                       "<th scope=\"row\">code 0</th><td>30</td><td>75.0 %</td><td>42.5</td>"
                       "<td>smith &amp; co</td>"));
  EXPECT_TRUE(contains(html, "<th scope=\"row\">code 1</th><td>10</td><td>25.0 %</td><td>17</td><td>baker</td>"));
  spec.decoder.reset();
  const std::string plain = page_of(spec);
  EXPECT_TRUE(contains(plain, "<th scope=\"row\">code 0</th><td>30</td><td>75.0 %</td></tr>"));
  EXPECT_FALSE(contains(plain, "42.5"));
}

TEST_F(InspectCli, EscapesWhateverTheFileSays) {
  MechanismSpec spec = coded(image(1, 2, 2), "<i>4</i>");
  spec.provenance["<b>key"] = "<script>alert('\"')</script>";
  spec.label->name = "<u>kind";
  const std::string html = page_of(spec);
  for (const char* tag : {"<b>", "<i>", "<u>", "<script", "alert('"}) EXPECT_FALSE(contains(html, tag)) << tag;
  EXPECT_TRUE(contains(html, "&lt;script&gt;alert(&#39;&quot;&#39;)&lt;/script&gt;"));
  EXPECT_TRUE(contains(html, "provenance &lt;b&gt;key"));
  EXPECT_TRUE(contains(html, "<dd>&lt;i&gt;4&lt;/i&gt;</dd>"));
}

TEST_F(InspectCli, DescribesMechanismsWithoutCodesInWordsAlone) {
  MechanismSpec spec = coded(image(1, 2, 2), "1,2,3,4", ChannelFamily::kLatticeLaplace);
  spec.constraint = L1LatticeSpec{1, 16};
  const std::string html = page_of(spec, "--epsilon 1");
  EXPECT_TRUE(contains(html, "lattice_laplace"));
  EXPECT_FALSE(contains(html, "What the codes stand for"));
  EXPECT_EQ(pictures_in(html).size(), 0U);
  EXPECT_FALSE(nlohmann::json::parse(run("inspect m.sotto --json").output).contains("codes"));
}

TEST_F(InspectCli, GivesCodeUsageInWordsAndAsNumbers) {
  save(coded(image(1, 2, 2), "0,10,10,20"), "codes.sotto");
  EXPECT_TRUE(contains(run("inspect codes.sotto").output,
                       "4, of 0 to 50 % of the auxiliary records each; as varied as 2.828 codes of equal size"));
  const auto codes = nlohmann::json::parse(run("inspect codes.sotto --json").output).at("codes");
  EXPECT_EQ(codes.at("count"), 4);
  EXPECT_EQ(codes.at("sizes"), (std::vector<int>{0, 10, 10, 20}));
  EXPECT_EQ(codes.at("shares"), (std::vector<double>{0, 0.25, 0.25, 0.5}));
  EXPECT_NEAR(codes.at("effective").get<double>(), 2.8284, 1e-4);
  save(coded(image(1, 2, 2), "?"), "silent.sotto");
  EXPECT_EQ(nlohmann::json::parse(run("inspect silent.sotto --json").output).at("codes"),
            (nlohmann::json{{"count", 4}}));
}

TEST_F(InspectCli, APageThatCannotBeWrittenIsAnErrorAndAFaultyFileLeavesTheOldPage) {
  save(coded(image(1, 2, 2), "1,2,3,4"), "codes.sotto");
  EXPECT_EQ(run("inspect codes.sotto --html nowhere/page.html").exit_code, 1);
  write("page.html", "old");
  write("bad.sotto", "nonsense");
  EXPECT_EQ(run("inspect bad.sotto --html page.html").exit_code, 1);
  EXPECT_EQ(run("inspect codes.sotto --html page.html --epsilon 1000").exit_code, 2);
  EXPECT_EQ(read("page.html"), "old");
}

// One code a report becomes a record; reports of the other channels stand for many codes, and say so before any work.
TEST_F(InspectCli, FeatureLevelOfCodesWorksForOneCodeAReportAndIsRefusedOtherwise) {
  write("pixels.csv", "1,0,0,0\n0,0,1,0\n");
  save(coded(image(1, 2, 2), "1,2,3,4", ChannelFamily::kRandomizedResponse), "one.sotto");
  const std::string release = " --input pixels.csv --epsilon 100 --level feature --seed 1 --quiet";
  const Outcome one = run("privatize one.sotto" + release);
  EXPECT_EQ(one.exit_code, 0) << one.errors;
  EXPECT_EQ(one.output, "1,0,0,0\n0,0,1,0\n");  // another code has a probability of e^-100
  for (const auto channel : {ChannelFamily::kSubsetSelection, ChannelFamily::kHadamardResponse}) {
    save(coded(image(1, 2, 2), "1,2,3,4", channel), "many.sotto");
    const Outcome many = run("privatize many.sotto --output x.csv" + release);
    EXPECT_EQ(many.exit_code, 2);
    EXPECT_TRUE(contains(many.errors, "channel " + std::string(name_of(channel)) + " stands for many codes at once"))
        << many.errors;
    EXPECT_FALSE(std::filesystem::exists(path("x.csv")));
  }
}

TEST_F(InspectCli, TrainedCodesShowTheirMeansUnlessToldNotTo) {
  const std::string train =
      "train codes --image 12x12 --classes 4 --codes 4 --epochs 20 --batch 64 --quiet --input " SOTTO_EXAMPLES
      "/shapes-auxiliary.idx --output ";
  ASSERT_EQ(run(train + "codes.sotto").exit_code, 0);
  ASSERT_EQ(run(train + "plain.sotto --no-decoder").exit_code, 0);
  ASSERT_EQ(run("inspect codes.sotto --html codes.html").exit_code, 0);
  EXPECT_EQ(pictures_in(read("codes.html")).size(), 4U);
  const MechanismSpec spec = Mechanism::load(path("codes.sotto")).value_or_throw().spec();
  const MechanismSpec plain = Mechanism::load(path("plain.sotto")).value_or_throw().spec();
  EXPECT_TRUE(spec.decoder);
  EXPECT_FALSE(plain.decoder);
  EXPECT_EQ(spec.provenance, plain.provenance);
  EXPECT_EQ(std::get<CodebookSpec>(spec.constraint).centroids, std::get<CodebookSpec>(plain.constraint).centroids);
  const std::size_t features = spec.encoder.output_width();
  const std::size_t decoder_bytes = 4 * (4 * (features + 1) + 144 * 5);
  EXPECT_GE(read("codes.sotto").size(), read("plain.sotto").size() + decoder_bytes);
  EXPECT_LE(read("codes.sotto").size(), read("plain.sotto").size() + decoder_bytes + 1000);
}

}  // namespace
}  // namespace sotto
