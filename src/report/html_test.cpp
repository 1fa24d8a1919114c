#include "sotto/report/html.h"

#include <gtest/gtest.h>

#include <regex>

#include "sotto/report/markup.h"
#include "sotto/report/sample_results_test.h"
#include "sotto/report/svg.h"

namespace sotto {
namespace {

bool contains(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The first complaint about a page whose elements are not closed in the order in which they were opened.
std::string first_fault(const std::string& html) {
  std::vector<std::string> open;
  const std::regex tag("<(/?)([a-z0-9!]+)[^<>]*?(/?)>", std::regex::icase);
  for (std::sregex_iterator it(html.begin(), html.end(), tag), end; it != end; ++it) {
    const std::string name = (*it)[2];
    if ((*it)[3].length() > 0 || name == "meta" || name == "img" || name == "!DOCTYPE") continue;
    if ((*it)[1].length() == 0) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return "</" + name + "> closes <" + (open.empty() ? "" : open.back()) + ">";
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + "> stays open";
}

Picture dot(int channels = 1) {
  return {2, 2, channels, std::vector<std::uint8_t>(static_cast<std::size_t>(4 * channels), 200), "a <dot>"};
}

HtmlReport report_with(const std::string& text) {
  Results results = sample_results();
  results.title = results.command = results.commit = results.date = text;
  for (ResultRow& row : results.rows)
    row.mechanism += text, row.channel += text, row.learner += text, row.metric += text;
  for (PublishedRow& row : results.published) row.mechanism += text, row.source += text, row.metric += text;
  for (Curve& curve : results.ceilings) curve.name += text, curve.metric += text;
  results.notes = {text};
  HtmlReport report = html_of(results);
  report.add_heading(text);
  report.add_text(text);
  report.add_code(text);
  report.add_facts({{text, text}});
  report.add_rows(text, {text, text}, {{text, text}});
  Picture picture = dot();
  picture.caption = text;
  report.add_pictures(text, {{text, {picture}}}).or_throw();
  return report;
}

TEST(Markup, EscapesEverythingThatMeansSomething) {
  EXPECT_EQ(escape_markup("<a href=\"x\" class='y'>&</a>"),
            "&lt;a href=&quot;x&quot; class=&#39;y&#39;&gt;&amp;&lt;/a&gt;");
  EXPECT_EQ(escape_markup(std::string("a\0b\x1b\n", 5)), "a b \n");
  EXPECT_EQ(escape_markup("ε ± −"), "ε ± −");
}

TEST(HtmlReport, EscapesAllTextWhereverItStands) {
  const std::string html = report_with("<script>alert('\"&')</script>").render();
  EXPECT_FALSE(contains(html, "<script"));
  EXPECT_FALSE(contains(html, "alert('"));
  EXPECT_FALSE(contains(html, "'\"&'"));
  // Whatever is escaped is so once: title, heading, axis names, labels, tips, tables, captions, alternatives.
  const std::string escaped = "&lt;script&gt;alert(&#39;&quot;&amp;&#39;)&lt;/script&gt;";
  std::size_t count = 0;
  for (std::size_t at = html.find(escaped); at != std::string::npos; at = html.find(escaped, at + 1)) ++count;
  EXPECT_GT(count, 40U);
  EXPECT_FALSE(contains(html, "&amp;lt;"));
}

TEST(HtmlReport, IsWellFormed) {
  EXPECT_EQ(first_fault(report_with("x").render()), "");
  EXPECT_NE(first_fault("<p><b></p></b>"), "");
  EXPECT_NE(first_fault("<p>"), "");
}

TEST(HtmlReport, NeedsNothingFromAnywhere) {
  const std::string html = report_with("x").render();
  for (const char* outside : {"http:", "https:", "//", "url(", "@import", "<link", "<script", "srcset"})
    EXPECT_FALSE(contains(html.substr(0, html.find("base64,")), outside)) << outside;
  EXPECT_TRUE(contains(html, "prefers-color-scheme:dark"));
  EXPECT_TRUE(contains(html, "name=\"viewport\""));
}

TEST(HtmlReport, ShowsTheTableWithItsMarks) {
  const std::string html = html_of(sample_results()).render();
  EXPECT_TRUE(contains(html, "<td><b>87.0 ± 0.5</b><small>+0.9</small></td><td>60.0 ± 0.5<small>−1.3</small></td>"));
  EXPECT_TRUE(
      contains(html, "<tr class=\"published\"><th scope=\"row\">V-RLM, published<small>Man21, Table 1</small>"));
  EXPECT_TRUE(contains(html, "<th>no privacy</th>"));
}

TEST(HtmlReport, NamesRowsAndColumnsOfATableForThoseWhoHearIt) {
  HtmlReport report("rows");
  report.add_rows("caption", {"code", "age"}, {{"code 0", "31"}});
  EXPECT_TRUE(contains(report.render(), "<th scope=\"col\">code</th><th scope=\"col\">age</th>"));
  EXPECT_TRUE(contains(report.render(), "<tr><th scope=\"row\">code 0</th><td>31</td></tr>"));
  report.add_facts({{"channel", "privunit"}});
  EXPECT_TRUE(contains(report.render(), "<dt>channel</dt><dd>privunit</dd>"));
}

TEST(HtmlReport, EmbedsPicturesAndRefusesBrokenOnesWithoutATrace) {
  HtmlReport report("pictures");
  ASSERT_TRUE(report.add_pictures("caption", {{"grey", {dot(), dot()}}, {"colour", {dot(3)}}}));
  const std::string before = report.render();
  EXPECT_TRUE(contains(before, "src=\"data:image/png;base64,iVBORw0KGgo"));  // the PNG signature
  EXPECT_TRUE(contains(before, "repeat(2,"));
  Picture broken = dot();
  broken.pixels.pop_back();
  EXPECT_FALSE(report.add_pictures("caption", {{"row", {dot(), broken}}}));
  EXPECT_EQ(report.render(), before);
}

TEST(Svg, DrawsACurveWithItsErrorBarsAndASeparatePanelForNoPrivacy) {
  const std::string svg = draw_svg(plots_of(sample_results())[0], PlotLayout::kWide);
  EXPECT_TRUE(contains(svg, "<title>V-RLM, ε = 10: 87.0 ± 0.5</title>"));
  EXPECT_TRUE(contains(svg, "<title>V-RLM, published, no privacy: 96.0</title>"));
  EXPECT_TRUE(contains(svg, "class=\"bar\""));
  EXPECT_TRUE(contains(svg, ">no privacy</text>"));
  EXPECT_TRUE(contains(svg, ">sotto ± sd</text>"));
  EXPECT_FALSE(contains(svg, ">ceiling</text>"));
  EXPECT_FALSE(contains(svg, "nan"));
  EXPECT_FALSE(contains(draw_svg(plots_of(sample_results())[1], PlotLayout::kWide), ">no privacy</text>"));
}

// Whatever is drawn lies within the picture: no coordinate outside 0 … 760.
TEST(Svg, StaysWithinItsPicture) {
  for (const Plot& plot : plots_of(sample_results()))
    for (const auto& [layout, width] : {std::pair{PlotLayout::kWide, 760.0}, std::pair{PlotLayout::kNarrow, 360.0}}) {
      const std::string svg = draw_svg(plot, layout);
      const std::regex coordinate(" (?:x|x1|x2|cx)=\"([^\"]*)\"");
      for (std::sregex_iterator it(svg.begin(), svg.end(), coordinate), end; it != end; ++it) {
        EXPECT_GE(std::stod((*it)[1]), 0);
        EXPECT_LE(std::stod((*it)[1]), width);
      }
    }
}

TEST(Svg, OfNothingOrOfOneValueIsStillADrawing) {
  EXPECT_FALSE(contains(draw_svg(Plot(), PlotLayout::kWide), "nan"));
  Plot one = {"one", "x", "y", {{"a", SeriesKind::kOurs, 0, true, {{1.0, 50.0, 0.0}}}}};
  EXPECT_FALSE(contains(draw_svg(one, PlotLayout::kNarrow), "nan"));
  EXPECT_TRUE(contains(draw_svg(one, PlotLayout::kNarrow), "<circle"));
}

}  // namespace
}  // namespace sotto
