#include "sotto/privacy/journal.h"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <string>
#include <vector>

#include "sotto/privacy/scratch_file_test.h"

// What the journal asks of the disk, seen from between: in this program these take the place of the C library's, for
// all tests, and flush nothing.
namespace {
struct Flush {
  bool data_only, directory;
  off_t size;
};
std::vector<Flush> flushes;
bool disk_fails = false;

int note_flush(int file, bool data_only) {
  struct stat info {};
  if (::fstat(file, &info) == 0) flushes.push_back({data_only, S_ISDIR(info.st_mode), info.st_size});
  if (disk_fails) errno = EIO;
  return disk_fails ? -1 : 0;
}
}  // namespace
extern "C" int fsync(int file) { return note_flush(file, false); }
extern "C" int fdatasync(int file) { return note_flush(file, true); }

namespace sotto {
namespace {

class FileJournal : public ScratchFile {
 protected:
  std::unique_ptr<Journal> open() const { return open_file_journal(path_).value_or_throw(); }

  void fill(const std::vector<std::string>& entries) const {
    const auto journal = open();
    for (const std::string& entry : entries) ASSERT_TRUE(journal->append(entry));
  }
};

const std::vector<std::string> kEntries{"first entry", "second", "", "the fourth, a little longer", "5"};

TEST_F(FileJournal, GivesBackWhatWasAppended) {
  fill(kEntries);
  const auto journal = open();
  EXPECT_EQ(journal->take_entries(), kEntries);
  ASSERT_TRUE(journal->append("sixth"));
  EXPECT_TRUE(journal->take_entries().empty());
}

TEST_F(FileJournal, KeepsItsFormat) {
  fill({"first entry", "second"});
  EXPECT_EQ(bytes(), "0000000b first entry 4a2d9093c612a61d\n00000006 second 02cb678a1c329511\n");
}

TEST_F(FileJournal, IsReadableByItsOwnerOnly) {
  const mode_t mask = ::umask(0);
  fill({"entry"});
  ::umask(mask);
  struct stat info {};
  ASSERT_EQ(::stat(path_.c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0600U);
  ASSERT_EQ(::chmod(path_.c_str(), 0640), 0);
  const auto opened = open_file_journal(path_);
  ASSERT_FALSE(opened);
  EXPECT_NE(opened.error().message.find("0600"), std::string::npos);
}

TEST_F(FileJournal, RefusesWhatIsNoRegularFileOfItsOwn) {
  fill({"entry"});
  std::filesystem::create_symlink(path_, directory_ / "link");
  EXPECT_FALSE(open_file_journal(directory_ / "link"));
  EXPECT_FALSE(open_file_journal(directory_));
  EXPECT_FALSE(open_file_journal("/dev/full"));
  const auto missing = open_file_journal(directory_ / "no" / "such" / "folder");
  ASSERT_FALSE(missing);
  EXPECT_EQ(missing.error().code, ErrorCode::kIo);
}

TEST_F(FileJournal, IsLockedWhileOpen) {
  {
    const auto journal = open();
    const auto second = open_file_journal(path_);
    ASSERT_FALSE(second);
    EXPECT_EQ(second.error().code, ErrorCode::kIo);
    EXPECT_NE(second.error().message.find("in use"), std::string::npos);
  }
  EXPECT_TRUE(open_file_journal(path_));
}

TEST_F(FileJournal, IsLockedAgainstAnotherProcess) {
  const auto journal = open();
  const pid_t child = ::fork();
  if (child == 0) {
    const auto second = open_file_journal(path_);
    ::_exit(!second && second.error().message.find("in use") != std::string::npos ? 0 : 1);
  }
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST_F(FileJournal, DoesNotServeAForkedChild) {
  const auto journal = open();
  ASSERT_TRUE(journal->append("parent"));
  const pid_t child = ::fork();
  if (child == 0) ::_exit(journal->append("child") ? 1 : 0);
  int status = -1;
  ASSERT_EQ(::waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_TRUE(journal->append("parent again"));
}

TEST_F(FileJournal, FlushesEachEntryBeforeItAcknowledges) {
  const auto journal = open();
  for (const std::string& entry : kEntries) {
    flushes.clear();
    ASSERT_TRUE(journal->append(entry));
    ASSERT_EQ(flushes.size(), 1U);
    EXPECT_TRUE(flushes[0].data_only);
    EXPECT_EQ(flushes[0].size, static_cast<off_t>(bytes().size())) << "all of the line was there to be flushed";
  }
}

TEST_F(FileJournal, FlushesTheFileAndItsDirectoryBeforeItIsTrusted) {
  fill(kEntries);
  const std::string whole = bytes();
  for (const std::string& content : {std::string(), whole, whole.substr(0, whole.size() - 1)}) {
    set_bytes(content);
    flushes.clear();
    const auto journal = open();
    ASSERT_EQ(flushes.size(), 2U);
    EXPECT_FALSE(flushes[0].directory);
    EXPECT_EQ(flushes[0].size, static_cast<off_t>(bytes().size())) << "after a torn tail was cut off";
    EXPECT_TRUE(flushes[1].directory);
  }
}

TEST_F(FileJournal, AcknowledgesNothingThatWasNotFlushed) {
  const auto journal = open();
  disk_fails = true;
  const Status status = journal->append("entry");
  const auto second = open_file_journal(directory_ / "other");
  disk_fails = false;
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kIo);
  EXPECT_FALSE(second);
}

TEST_F(FileJournal, RefusesAnEntryOfTwoLines) {
  const auto journal = open();
  const Status status = journal->append("one\ntwo");
  ASSERT_FALSE(status);
  EXPECT_EQ(status.error().code, ErrorCode::kInvalidArgument);
  EXPECT_EQ(bytes(), "");
}

TEST_F(FileJournal, LosesNothingButTheTornEntryWhereverACrashCuts) {
  fill(kEntries);
  const std::string whole = bytes();
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    set_bytes(whole.substr(0, size));
    auto journal = open_file_journal(path_);
    ASSERT_TRUE(journal) << size << ": " << journal.error().message;
    const auto complete = std::count(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size), '\n');
    std::vector<std::string> expected(kEntries.begin(), kEntries.begin() + complete);
    ASSERT_EQ((*journal)->take_entries(), expected) << size;
    // And goes on from there as if nothing had happened.
    ASSERT_TRUE((*journal)->append("next"));
    journal = Error{ErrorCode::kIo, "closed"};
    expected.emplace_back("next");
    ASSERT_EQ(open()->take_entries(), expected) << size;
  }
}

TEST_F(FileJournal, NoticesAnyChangedByte) {
  fill(kEntries);
  const std::string whole = bytes();
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const int change : {1, 2, 4, 8, 16, 32, 64, 128, 255, whole[i] ^ '\n', whole[i] ^ '0', whole[i] ^ ' '}) {
      if (change == 0) continue;
      std::string damaged = whole;
      damaged[i] = static_cast<char>(damaged[i] ^ change);
      set_bytes(damaged);
      const auto journal = open_file_journal(path_);
      ASSERT_FALSE(journal) << "byte " << i << " changed by " << change;
      ASSERT_EQ(journal.error().code, ErrorCode::kCorruptFile);
      ASSERT_EQ(bytes(), damaged) << "a damaged file is evidence: it stays as it was found";
    }
}

TEST_F(FileJournal, NoticesMissingDoubledAndReorderedLines) {
  fill(kEntries);
  const std::string whole = bytes();
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < whole.size(); at += lines.back().size())
    lines.push_back(whole.substr(at, whole.find('\n', at) + 1 - at));
  const auto refuses = [&](const std::vector<std::string>& arranged) {
    std::string text;
    for (const std::string& line : arranged) text += line;
    set_bytes(text);
    const auto journal = open_file_journal(path_);
    return !journal && journal.error().code == ErrorCode::kCorruptFile;
  };
  EXPECT_FALSE(refuses(lines));
  for (std::size_t i = 0; i + 1 < lines.size(); ++i) {
    auto missing = lines, doubled = lines, swapped = lines;
    missing.erase(missing.begin() + static_cast<std::ptrdiff_t>(i));
    doubled.insert(doubled.begin() + static_cast<std::ptrdiff_t>(i), doubled[i]);
    std::swap(swapped[i], swapped[i + 1]);
    EXPECT_TRUE(refuses(missing)) << i;
    EXPECT_TRUE(refuses(doubled)) << i;
    EXPECT_TRUE(refuses(swapped)) << i;
  }
}

TEST_F(FileJournal, NoticesABlockOfZerosWhereAnEntryWas) {
  fill(kEntries);
  const std::string whole = bytes();
  for (std::size_t from = 0; from < whole.size(); ++from) {
    std::string damaged = whole;
    std::fill(damaged.begin() + static_cast<std::ptrdiff_t>(from), damaged.end(), '\0');
    set_bytes(damaged);
    EXPECT_FALSE(open_file_journal(path_)) << "zeros from byte " << from;
  }
}

}  // namespace
}  // namespace sotto
