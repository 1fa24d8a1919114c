#include "sotto/client/fingerprint.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>
#include <set>
#include <string>
#include <vector>

#include "sotto/mechanism/sample_specs_test.h"

namespace sotto::client {
namespace {

// HMAC-SHA-256 written once more, in one piece and from the definition.
Sha256Digest reference(const Ledger::Salt& key, const std::string& message) {
  std::string inner(64, '\x36'), outer(64, '\x5c');
  for (std::size_t i = 0; i < key.size(); ++i) {
    inner[i] = static_cast<char>(inner[i] ^ key[i]);
    outer[i] = static_cast<char>(outer[i] ^ key[i]);
  }
  const Sha256Digest digest = sha256(std::as_bytes(std::span<const char>(inner + message)));
  outer.append(digest.begin(), digest.end());
  return sha256(std::as_bytes(std::span<const char>(outer)));
}

const Ledger::Salt kSalt = {1, 2, 3};

ReportHeader header(std::string_view epsilon_text) { return {Sha256Digest{7}, {epsilon(epsilon_text)}}; }

TEST(Fingerprint, IsTheKeyedHashOfEverythingThatMakesAReport) {
  ReportHeader release = header("1.5");
  release.parameters.lambda = lambda("1/2");
  const std::vector<float> record = {1, -2};
  std::string message = "sotto-fingerprint-1\n";
  message.append(release.mechanism_id.begin(), release.mechanism_id.end());
  message += "1.5\n0\n0.5\n\n-3\n";
  message += std::string("\x00\x00\x80\x3f\x00\x00\x00\xc0", 8);
  EXPECT_EQ(fingerprint(kSalt, release, record, -3), reference(kSalt, message));
}

TEST(Fingerprint, DiffersWhenAnythingDiffers) {
  const std::vector<float> record = {1, 2};
  std::vector<ReportHeader> releases(6, header("1"));
  releases[1].mechanism_id[31] = 1;
  releases[2] = header("2");
  releases[3].parameters.delta = delta("1e-6");
  releases[4].parameters.lambda = lambda("0.5");
  releases[5].parameters.joint = true;
  std::set<Ledger::Fingerprint> seen;
  for (const ReportHeader& release : releases) seen.insert(fingerprint(kSalt, release, record, std::nullopt));
  EXPECT_EQ(seen.size(), releases.size());

  constexpr float kNan = std::numeric_limits<float>::quiet_NaN();
  const std::vector<std::vector<float>> records = {{1, 2.0000002F}, {2, 1}, {1}, {1, 2, 0}, {}, {0}, {-0.0F}, {kNan}};
  for (const auto& other : records) seen.insert(fingerprint(kSalt, releases[0], other, std::nullopt));
  for (const std::int32_t label : {0, 1, 12}) seen.insert(fingerprint(kSalt, releases[0], record, label));
  EXPECT_EQ(seen.size(), releases.size() + records.size() + 3);

  Ledger::Salt other_salt = kSalt;
  other_salt[31] = 1;
  seen.insert(fingerprint(other_salt, releases[0], record, std::nullopt));
  EXPECT_EQ(seen.size(), releases.size() + records.size() + 4);
  EXPECT_TRUE(seen.contains(fingerprint(kSalt, releases[0], record, std::nullopt))) << "and is the same when all is";
}

}  // namespace
}  // namespace sotto::client
