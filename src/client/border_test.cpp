#include "sotto/client/border.h"

#include <gtest/gtest.h>

#include <stdexcept>
#include <string>
#include <thread>

namespace sotto::client {
namespace {

TEST(Border, GivesEachErrorCodeItsStatus) {
  const std::pair<ErrorCode, sotto_status> pairs[] = {{ErrorCode::kInvalidArgument, SOTTO_INVALID_ARGUMENT},
                                                      {ErrorCode::kInvalidInput, SOTTO_INVALID_INPUT},
                                                      {ErrorCode::kCorruptFile, SOTTO_CORRUPT_FILE},
                                                      {ErrorCode::kBudgetExceeded, SOTTO_BUDGET_EXCEEDED},
                                                      {ErrorCode::kEntropyFailure, SOTTO_ENTROPY_FAILURE},
                                                      {ErrorCode::kUnsupported, SOTTO_UNSUPPORTED},
                                                      {ErrorCode::kIo, SOTTO_IO}};
  for (const auto& [code, status] : pairs) {
    EXPECT_EQ(guarded([code = code]() -> Status { return Error{code, "returned"}; }), status);
    EXPECT_STREQ(sotto_last_error(), "returned");
    EXPECT_EQ(guarded([code = code]() -> Status { throw Failure({code, "thrown"}); }), status);
    EXPECT_STREQ(sotto_last_error(), "thrown");
  }
}

TEST(Border, LetsNoExceptionPassAndDoesNotQuoteStrangers) {
  EXPECT_EQ(guarded([]() -> Status { throw std::bad_alloc(); }), SOTTO_IO);
  EXPECT_STREQ(sotto_last_error(), "out of memory");
  EXPECT_EQ(guarded([]() -> Status { throw std::runtime_error("a secret"); }), SOTTO_INTERNAL);
  EXPECT_EQ(std::string(sotto_last_error()).find("secret"), std::string::npos);
  EXPECT_EQ(guarded([]() -> Status { throw 7; }), SOTTO_INTERNAL);
}

TEST(Border, ForgetsTheErrorWhenTheNextCallSucceeds) {
  EXPECT_EQ(guarded([]() -> Status { return refuse("no"); }), SOTTO_INVALID_ARGUMENT);
  EXPECT_EQ(guarded([]() -> Status { return {}; }), SOTTO_OK);
  EXPECT_STREQ(sotto_last_error(), "");
}

TEST(Border, ZeroesTheBufferOfACallThatFailsAndOfNoOther) {
  unsigned char buffer[8] = {1, 2, 3, 4, 5, 6, 7, 8};
  EXPECT_EQ(guarded(buffer, 7, []() -> Status { return {}; }), SOTTO_OK);
  EXPECT_EQ(buffer[0], 1);
  EXPECT_EQ(guarded(buffer, 7, []() -> Status { throw 7; }), SOTTO_INTERNAL);
  for (int i = 0; i < 7; ++i) EXPECT_EQ(buffer[i], 0);
  EXPECT_EQ(buffer[7], 8);
  EXPECT_EQ(guarded(nullptr, 7, []() -> Status { return refuse("no"); }), SOTTO_INVALID_ARGUMENT);
}

TEST(Border, KeepsAMessageOfOneThreadFromAnother) {
  (void)guarded([]() -> Status { return refuse("mine"); });
  std::string seen = "not asked";
  std::thread([&] { seen = sotto_last_error(); }).join();
  EXPECT_EQ(seen, "");
  EXPECT_STREQ(sotto_last_error(), "mine");
}

TEST(Border, CutsLongMessagesBetweenCharactersAndCleansThem) {
  (void)guarded([]() -> Status { return refuse("a\nb\x1b[2Jc"); });
  EXPECT_STREQ(sotto_last_error(), "a?b?[2Jc");
  std::string long_message;
  while (long_message.size() < 5000) long_message += "\u03b5\u2264";  // two and three bytes
  (void)guarded([&]() -> Status { return refuse(long_message); });
  const std::string kept = sotto_last_error();
  EXPECT_GT(kept.size(), 1000U);
  EXPECT_LT(kept.size(), 1024U);
  EXPECT_EQ(kept, long_message.substr(0, kept.size()));
  EXPECT_NE(static_cast<unsigned char>(long_message[kept.size()]) & 0xC0, 0x80) << "in the middle of a character";
}

TEST(Border, StatesItsVersion) { EXPECT_EQ(sotto_abi_version(), std::uint32_t{SOTTO_ABI_VERSION}); }

}  // namespace
}  // namespace sotto::client
