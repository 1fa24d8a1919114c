#include "sotto/data/byte_stream.h"

#include <unistd.h>

#include <thread>

#include "sotto/data/fixture_test.h"

namespace sotto {
namespace {

std::string pattern_of(std::size_t length) {
  std::string text;
  for (std::size_t i = 0; i < length; ++i) text += static_cast<char>('a' + i % 23 + i / 1000 % 3);
  return text;
}

// The rest of the stream, peeked and consumed in steps.
std::string drain(ByteStream& stream, std::size_t step) {
  std::string text;
  for (;;) {
    const auto bytes = stream.peek(step).value_or_throw();
    if (bytes.empty()) return text;
    const std::size_t count = std::min(step, bytes.size());
    text.append(reinterpret_cast<const char*>(bytes.data()), count);
    stream.consume(count);
  }
}

// Runs `body` with standard input replaced by a pipe that `text` is written to.
template <typename Body>
void with_stdin(const std::string& text, Body body) {
  int ends[2];
  ASSERT_EQ(pipe(ends), 0);
  const int saved = dup(STDIN_FILENO);
  dup2(ends[0], STDIN_FILENO);
  close(ends[0]);
  std::thread writer([&] {
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t count = write(ends[1], text.data() + at, std::min<std::size_t>(text.size() - at, 1000));
      if (count <= 0) break;
      at += static_cast<std::size_t>(count);
    }
    close(ends[1]);
  });
  body();
  writer.join();
  dup2(saved, STDIN_FILENO);
  close(saved);
}

TEST(ByteStream, GivesAFileUnchangedForEveryStepSize) {
  const ScratchDirectory scratch;
  const std::string content = pattern_of(3 * ByteStream::kBufferBytes + 7);
  const std::string path = scratch.write("file", content);
  for (const std::size_t step : {std::size_t{1000}, std::size_t{65537}, ByteStream::kBufferBytes}) {
    ByteStream stream = ByteStream::open(path).value_or_throw();
    EXPECT_EQ(stream.remaining(), content.size());
    EXPECT_TRUE(drain(stream, step) == content) << "step " << step;
    EXPECT_EQ(stream.offset(), content.size());
    EXPECT_EQ(stream.remaining(), 0U);
  }
}

TEST(ByteStream, ReadsStandardInputForADash) {
  const std::string content = pattern_of(ByteStream::kBufferBytes + 12345);
  with_stdin(content, [&] {
    ByteStream stream = ByteStream::open("-").value_or_throw();
    EXPECT_EQ(stream.remaining(), std::nullopt);
    EXPECT_EQ(stream.name(), "standard input");
    EXPECT_TRUE(drain(stream, 777) == content);
  });
}

TEST(ByteStream, LeavesStandardInputOpen) {
  with_stdin("abc", [] {
    { ByteStream stream = ByteStream::open("-").value_or_throw(); }
    ByteStream stream = ByteStream::open("-").value_or_throw();
    EXPECT_EQ(drain(stream, 10), "abc");
  });
}

TEST(ByteStream, PeeksAtLeastWhatIsAskedEvenAcrossShortReads) {
  with_stdin(pattern_of(100'000), [] {
    ByteStream stream = ByteStream::open("-").value_or_throw();
    EXPECT_GE(stream.peek(90'000).value_or_throw().size(), 90'000U);
    EXPECT_EQ(stream.peek(200'000).value_or_throw().size(), 100'000U);
  });
}

TEST(ByteStream, GivesMemoryWithoutTellingItsLength) {
  ByteStream stream = stream_of("hello");
  EXPECT_EQ(stream.remaining(), std::nullopt);
  EXPECT_EQ(drain(stream, 2), "hello");
}

TEST(ByteStream, GoesOnWhereItStoodAfterAMove) {
  ByteStream stream = stream_of("hello");
  ASSERT_TRUE(stream.peek(1));
  stream.consume(2);
  ByteStream moved = std::move(stream);
  EXPECT_EQ(drain(moved, 10), "llo");
  EXPECT_EQ(moved.offset(), 5U);
}

TEST(ByteStream, NamesAFileThatCannotBeOpenedOrRead) {
  const Result<ByteStream> absent = ByteStream::open("/nonexistent/file");
  EXPECT_TRUE(contains(refusal(absent), "/nonexistent/file"));
  EXPECT_EQ(absent.error().code, ErrorCode::kIo);
  const ScratchDirectory scratch;
  ByteStream directory = ByteStream::open(scratch.path().string()).value_or_throw();
  EXPECT_TRUE(contains(refusal(directory.peek(1)), scratch.path().string()));
}

}  // namespace
}  // namespace sotto
