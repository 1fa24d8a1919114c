#include "sotto/client/words.h"

#include <gtest/gtest.h>

namespace sotto::client {
namespace {

TEST(Words, PutNamesIntoAColumn) {
  EXPECT_EQ(to_text({{"claim", "epsilon = 1"}, {"id", "07"}}), "  claim  epsilon = 1\n  id     07\n");
  EXPECT_EQ(to_text({}), "");
}

TEST(Words, DoNotLetAFileForgeALineOrSteerATerminal) {
  const std::string text = to_text({{"provenance\nclaim",
                                     "x\r\n  claim  epsilon = 0\x1b[2J\x7f\xC2\x9B"
                                     "1m"}});
  EXPECT_EQ(text, "  provenance claim  x    claim  epsilon = 0 [2J   1m\n");
}

TEST(Words, StopAtNoZeroByte) {
  const std::string hidden("before\0after", 12);
  EXPECT_EQ(to_text({{"name", hidden}}), "  name  before after\n");
}

TEST(Words, LeaveOtherLettersAlone) {
  EXPECT_EQ(to_text({{"é", "ε ≤ 1, Ünal"}}), "  é  ε ≤ 1, Ünal\n");
  EXPECT_EQ(to_text({{"cut", "\xC2"}}), "  cut  \xC2\n");  // half a character at the end
}

}  // namespace
}  // namespace sotto::client
