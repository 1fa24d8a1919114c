#include "sotto/wire/sha256.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace sotto {
namespace {

std::span<const std::byte> bytes_of(std::string_view text) { return std::as_bytes(std::span(text)); }

std::string hex_digest(std::string_view text) { return to_hex(sha256(bytes_of(text))); }

TEST(Sha256, MatchesThePublishedVectors) {
  EXPECT_EQ(hex_digest(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  EXPECT_EQ(hex_digest("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  EXPECT_EQ(hex_digest("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
            "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
  EXPECT_EQ(hex_digest("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                       "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
            "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
}

TEST(Sha256, MatchesThePublishedVectorOfAMillionLetters) {
  EXPECT_EQ(hex_digest(std::string(1'000'000, 'a')),
            "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, PadsCorrectlyAroundABlockBoundary) {
  EXPECT_EQ(hex_digest(std::string(55, 'a')), "9f4390f8d30c2dd92ec9f095b65e2b9ae9b0a925a5258e241c9f1e910f734318");
  EXPECT_EQ(hex_digest(std::string(56, 'a')), "b35439a4ac6f0948b6d6f9e3c6af0f5f590ce20f1bde7090ef7970686ec6738a");
  EXPECT_EQ(hex_digest(std::string(63, 'a')), "7d3e74a05d7db15bce4ad9ec0658ea98e3f06eeecf16b4c6fff2da457ddc2f34");
  EXPECT_EQ(hex_digest(std::string(64, 'a')), "ffe054fe7ae0cb6dc65c3af9b61d5209f439851db43d0ba5997337df154668eb");
}

TEST(Sha256, DoesNotDependOnHowTheMessageIsCut) {
  std::string message;
  for (int i = 0; i < 300; ++i) message += static_cast<char>(i * 7);
  const Sha256Digest whole = sha256(bytes_of(message));
  for (std::size_t step = 1; step <= message.size(); ++step) {
    Sha256 hash;
    for (std::size_t at = 0; at < message.size(); at += step) {
      hash.update(bytes_of(message).subspan(at, std::min(step, message.size() - at)));
      hash.update({});
    }
    EXPECT_EQ(hash.finish(), whole) << "step " << step;
  }
}

TEST(Sha256, ChangesWhenAnyOneBitChanges) {
  std::string message(100, 'x');
  const Sha256Digest before = sha256(bytes_of(message));
  for (std::size_t bit = 0; bit < 8 * message.size(); ++bit) {
    message[bit / 8] = static_cast<char>(message[bit / 8] ^ (1 << (bit % 8)));
    EXPECT_NE(sha256(bytes_of(message)), before) << "bit " << bit;
    message[bit / 8] = static_cast<char>(message[bit / 8] ^ (1 << (bit % 8)));
  }
}

TEST(ToHex, WritesTwoLowerCaseDigitsAByte) {
  const std::vector<std::uint8_t> bytes = {0x00, 0x0f, 0xa5, 0xff};
  EXPECT_EQ(to_hex(bytes), "000fa5ff");
}

}  // namespace
}  // namespace sotto
