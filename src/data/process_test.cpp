#include "sotto/data/process.h"

#include "sotto/data/fixture_test.h"

namespace sotto {
namespace {

TEST(RunProgram, SucceedsWhenTheProgramDoes) {
  const ScratchDirectory scratch;
  EXPECT_TRUE(run_program({"true"}, scratch.path()));
}

TEST(RunProgram, StartsInTheGivenDirectoryAndPassesArgumentsAsTheyAre) {
  const ScratchDirectory scratch;
  const std::string name = "a b; $(touch x) 'c'";
  ASSERT_TRUE(run_program({"touch", name}, scratch.path()));
  EXPECT_TRUE(std::filesystem::exists(scratch.path() / name));
  EXPECT_FALSE(std::filesystem::exists(scratch.path() / "x"));
}

TEST(RunProgram, ReportsTheStatusAndWhatTheProgramSaid) {
  const ScratchDirectory scratch;
  const Status status = run_program({"sh", "-c", "echo to output; echo to errors >&2; exit 7"}, scratch.path());
  ASSERT_FALSE(status);
  EXPECT_TRUE(contains(status.error().message, "sh exited with status 7")) << status.error().message;
  EXPECT_TRUE(contains(status.error().message, "to output")) << status.error().message;
  EXPECT_TRUE(contains(status.error().message, "to errors")) << status.error().message;
}

TEST(RunProgram, ReportsASignal) {
  const ScratchDirectory scratch;
  const Status status = run_program({"sh", "-c", "kill -9 $$"}, scratch.path());
  ASSERT_FALSE(status);
  EXPECT_TRUE(contains(status.error().message, "signal 9")) << status.error().message;
}

TEST(RunProgram, NamesAProgramThatIsNotThere) {
  const ScratchDirectory scratch;
  const Status status = run_program({"no-such-program-here"}, scratch.path());
  ASSERT_FALSE(status);
  EXPECT_TRUE(contains(status.error().message, "no-such-program-here")) << status.error().message;
}

TEST(RunProgram, GivesNoInput) {
  const ScratchDirectory scratch;
  EXPECT_TRUE(run_program({"sh", "-c", "test -z \"$(cat)\""}, scratch.path()));
}

}  // namespace
}  // namespace sotto
