#include "sotto/wire/atomic_file.h"

#include <gtest/gtest.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <array>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>
#include <thread>

namespace sotto {
namespace {

namespace fs = std::filesystem;

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string content_of(const fs::path& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

class AtomicFile : public testing::Test {
 protected:
  AtomicFile() {
    std::string pattern = (fs::temp_directory_path() / "atomic_file_XXXXXX").string();
    directory_ = mkdtemp(pattern.data());
  }
  ~AtomicFile() override { fs::remove_all(directory_); }

  fs::path path() const { return directory_ / "file"; }
  std::ptrdiff_t files_in_directory() const {
    return std::distance(fs::directory_iterator(directory_), fs::directory_iterator());
  }

  fs::path directory_;
};

TEST_F(AtomicFile, WritesANewFileAndLeavesNothingElse) {
  ASSERT_TRUE(write_file_atomically(path(), bytes_of("hello")));
  EXPECT_EQ(content_of(path()), "hello");
  EXPECT_EQ(files_in_directory(), 1);
}

TEST_F(AtomicFile, ReplacesALongerFileCompletely) {
  ASSERT_TRUE(write_file_atomically(path(), bytes_of(std::string(100'000, 'x'))));
  ASSERT_TRUE(write_file_atomically(path(), bytes_of("short")));
  EXPECT_EQ(content_of(path()), "short");
  EXPECT_EQ(files_in_directory(), 1);
}

TEST_F(AtomicFile, WritesAnEmptyFile) {
  ASSERT_TRUE(write_file_atomically(path(), std::span<const std::byte>()));
  EXPECT_TRUE(fs::exists(path()));
  EXPECT_EQ(fs::file_size(path()), 0U);
}

TEST_F(AtomicFile, WritesPiecesOneAfterTheOther) {
  const std::array pieces = {bytes_of("one "), bytes_of(""), bytes_of("two")};
  ASSERT_TRUE(write_file_atomically(path(), std::span<const std::span<const std::byte>>(pieces)));
  EXPECT_EQ(content_of(path()), "one two");
}

TEST_F(AtomicFile, WritesIntoTheCurrentDirectoryWhenThePathHasNone) {
  const fs::path before = fs::current_path();
  fs::current_path(directory_);
  const Status status = write_file_atomically("bare_name", bytes_of("x"));
  fs::current_path(before);
  EXPECT_TRUE(status);
  EXPECT_EQ(content_of(directory_ / "bare_name"), "x");
}

TEST_F(AtomicFile, KeepsThePermissionsOfTheFileItReplaces) {
  ASSERT_TRUE(write_file_atomically(path(), bytes_of("secret")));
  ASSERT_EQ(chmod(path().c_str(), 0600), 0);
  ASSERT_TRUE(write_file_atomically(path(), bytes_of("new secret")));
  EXPECT_EQ(fs::status(path()).permissions(), fs::perms::owner_read | fs::perms::owner_write);
}

TEST_F(AtomicFile, NamesTheFileItCannotWrite) {
  const Status status = write_file_atomically(directory_ / "absent" / "file", bytes_of("x"));
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
  EXPECT_NE(status.error().message.find("absent/file"), std::string::npos) << status.error().message;
}

TEST_F(AtomicFile, LeavesNothingBehindWhenTheRenameFails) {
  fs::create_directory(path());  // a directory cannot be replaced by a file
  EXPECT_FALSE(write_file_atomically(path(), bytes_of("x")));
  EXPECT_TRUE(fs::is_directory(path()));
  EXPECT_EQ(files_in_directory(), 1);
}

TEST_F(AtomicFile, KeepsTheOldContentWhenTheDiskRefusesTheNew) {
  ASSERT_TRUE(write_file_atomically(path(), bytes_of("old")));
  rlimit before;
  ASSERT_EQ(getrlimit(RLIMIT_FSIZE, &before), 0);
  const auto handler = signal(SIGXFSZ, SIG_IGN);
  const rlimit small = {1000, before.rlim_max};
  ASSERT_EQ(setrlimit(RLIMIT_FSIZE, &small), 0);
  const Status status = write_file_atomically(path(), bytes_of(std::string(5000, 'x')));
  setrlimit(RLIMIT_FSIZE, &before);
  signal(SIGXFSZ, handler);

  EXPECT_FALSE(status);
  EXPECT_EQ(content_of(path()), "old");
  EXPECT_EQ(files_in_directory(), 1);
}

TEST_F(AtomicFile, ShowsAReaderOneWholeVersionWhileManyAreWritten) {
  const std::string a(20'000, 'a'), b(20'000, 'b');
  ASSERT_TRUE(write_file_atomically(path(), bytes_of(a)));
  std::thread writer([&] {
    for (int i = 0; i < 50; ++i) EXPECT_TRUE(write_file_atomically(path(), bytes_of(i % 2 == 0 ? b : a)));
  });
  for (int i = 0; i < 200; ++i) {
    const std::string seen = content_of(path());
    EXPECT_TRUE(seen == a || seen == b) << "read " << i << " saw a mixture of " << seen.size() << " bytes";
  }
  writer.join();
}

}  // namespace
}  // namespace sotto
