#include "sotto/report/table.h"

#include <gtest/gtest.h>

#include "sotto/report/sample_results_test.h"

namespace sotto {
namespace {

using Texts = std::vector<std::string>;

Texts texts(const TableRow& row) {
  Texts result;
  for (const TableCell& cell : row.cells) result.push_back(cell.text);
  return result;
}

TEST(Table, HasOneForEachMetricWithFallingEpsilonsAndNoPrivacyLast) {
  const std::vector<Table> tables = tables_of(sample_results());
  ASSERT_EQ(tables.size(), 2U);
  EXPECT_EQ(tables[0].caption, "clean accuracy");
  EXPECT_EQ(tables[0].cell_headings, (Texts{"10", "4.2", "none"}));  // 4.2 and 0.7 · 6 are one column
  EXPECT_EQ(tables[1].caption, "private accuracy");
  EXPECT_EQ(tables[1].cell_headings, (Texts{"7"}));  // a ceiling's own points make no columns
}

TEST(Table, PutsThePublishedRowBelowOursAndTheOthersAfterwards) {
  const Table table = tables_of(sample_results())[0];
  ASSERT_EQ(table.rows.size(), 4U);
  EXPECT_EQ(table.rows[0].names, (Texts{"V-RLM", "Laplace", "denoising"}));
  EXPECT_EQ(table.rows[1].names[0], "V-RLM, published");
  EXPECT_EQ(table.rows[1].source, "Man21, Table 1");
  EXPECT_EQ(table.rows[2].names[0], "ours alone");
  EXPECT_EQ(table.rows[3].names[0], "PCA, published");
  EXPECT_EQ(texts(table.rows[1]), (Texts{"86.1", "61.3", "96.0"}));
  EXPECT_EQ(texts(table.rows[3]), (Texts{"17.3", "", ""}));
}

TEST(Table, ShowsASpreadOnlyWhereThereWereSeveralTrials) {
  const Table table = tables_of(sample_results())[0];
  EXPECT_EQ(texts(table.rows[0]), (Texts{"87.0 ± 0.5", "60.0 ± 0.5", "96.0 ± 0.5"}));
  EXPECT_EQ(texts(table.rows[2]), (Texts{"50.0", "", ""}));
}

TEST(Table, SaysHowFarWeAreFromWhatWasPublished) {
  const Table table = tables_of(sample_results())[0];
  const std::vector<TableCell>& cells = table.rows[0].cells;
  EXPECT_EQ(cells[0].difference, "+0.9");
  EXPECT_TRUE(cells[0].reaches_published);
  EXPECT_EQ(cells[1].difference, "−1.3");
  EXPECT_FALSE(cells[1].reaches_published);
  EXPECT_EQ(cells[2].difference, "0.0");
  EXPECT_TRUE(cells[2].reaches_published);
  EXPECT_EQ(table.rows[2].cells[0].difference, "");
  EXPECT_FALSE(table.rows[2].cells[0].reaches_published);
}

TEST(Table, ComparesWhatIsShown) {
  Results results = sample_results();
  results.rows[0].mean = 86.06;  // shown as 86.1, as is the published number
  EXPECT_EQ(tables_of(results)[0].rows[0].cells[0].difference, "0.0");
  EXPECT_TRUE(tables_of(results)[0].rows[0].cells[0].reaches_published);
  results.rows[0].mean = 86.04;
  EXPECT_EQ(tables_of(results)[0].rows[0].cells[0].difference, "−0.1");
  EXPECT_FALSE(tables_of(results)[0].rows[0].cells[0].reaches_published);
}

TEST(Table, EndsWithTheCeilings) {
  const Table table = tables_of(sample_results())[1];
  ASSERT_EQ(table.rows.size(), 2U);
  EXPECT_EQ(table.rows[1].kind, TableRowKind::kCeiling);
  EXPECT_EQ(texts(table.rows[1]), (Texts{"99.2"}));
}

TEST(Table, OfNothingIsNothing) { EXPECT_TRUE(tables_of(Results()).empty()); }

}  // namespace
}  // namespace sotto
