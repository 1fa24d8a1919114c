#include <gtest/gtest.h>

#include <cstring>

#include "sotto/client/abi_test.h"

namespace sotto::client {
namespace {

TEST(MechanismAbi, SaysWhatItReadAndWhatARecordIs) {
  MechanismSpec spec = labelled(l1_spec(64));
  spec.provenance["note"] = "first\nclaim  epsilon = 0";
  const auto file = file_of(spec);
  const MechanismHandle mechanism = load(file);
  EXPECT_EQ(sotto_mechanism_record_length(mechanism.get()), 2U);
  EXPECT_EQ(sotto_mechanism_class_count(mechanism.get()), 3U);
  EXPECT_STREQ(sotto_mechanism_class_name(mechanism.get(), 1), "b");
  EXPECT_EQ(sotto_mechanism_class_name(mechanism.get(), 3), nullptr);
  const std::string words = sotto_mechanism_description(mechanism.get());
  EXPECT_TRUE(contains(words, "L1 ball of radius 1"));
  EXPECT_TRUE(contains(words, to_hex(mechanism_of(spec).id())));
  EXPECT_FALSE(contains(words, "\nclaim")) << "a line was forged";
}

TEST(MechanismAbi, HasNoClassesWithoutALabel) {
  const MechanismHandle mechanism = load(l1_spec(64));
  EXPECT_EQ(sotto_mechanism_class_count(mechanism.get()), 0U);
  EXPECT_EQ(sotto_mechanism_class_name(mechanism.get(), 0), nullptr);
}

TEST(MechanismAbi, DoesNotNeedTheBytesAfterwards) {
  auto file = file_of(l1_spec(64));
  const MechanismHandle mechanism = load(file);
  std::fill(file.begin(), file.end(), std::byte{0});
  EXPECT_EQ(privatize(open(mechanism, options_of("1")), {0.5F, 0}).empty(), false);
}

TEST(MechanismAbi, RefusesNullEverywhere) {
  const auto file = file_of(l1_spec(64));
  expect_refusal(sotto_mechanism_load(file.data(), file.size(), nullptr), SOTTO_INVALID_ARGUMENT, "NULL");
  auto* mechanism = reinterpret_cast<sotto_mechanism*>(8);  // must become NULL, not stay
  expect_refusal(sotto_mechanism_load(nullptr, 5, &mechanism), SOTTO_INVALID_ARGUMENT, "NULL");
  EXPECT_EQ(mechanism, nullptr);
  EXPECT_EQ(sotto_mechanism_description(nullptr), nullptr);
  EXPECT_EQ(sotto_mechanism_record_length(nullptr), 0U);
  EXPECT_EQ(sotto_mechanism_class_count(nullptr), 0U);
  EXPECT_EQ(sotto_mechanism_class_name(nullptr, 0), nullptr);
  sotto_mechanism_free(nullptr);
}

TEST(MechanismAbi, RefusesEveryPrefixOfAFile) {
  const auto file = file_of(l1_spec(64));
  for (std::size_t size = 0; size < file.size(); ++size) {
    auto* mechanism = reinterpret_cast<sotto_mechanism*>(8);
    const std::vector<std::byte> prefix(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(size));
    const void* bytes = size == 0 ? static_cast<const void*>("") : prefix.data();
    expect_refusal(sotto_mechanism_load(bytes, size, &mechanism), SOTTO_CORRUPT_FILE, "");
    EXPECT_EQ(mechanism, nullptr);
    EXPECT_STRNE(sotto_last_error(), "");
  }
}

// A changed byte may give another mechanism, which is then another promise under another id; never a crash.
TEST(MechanismAbi, SurvivesEveryChangedByte) {
  const auto file = file_of(l1_spec(64));
  const std::string id = to_hex(mechanism_of(l1_spec(64)).id());
  int refused = 0;
  for (std::size_t i = 0; i < file.size(); ++i) {
    auto changed = file;
    changed[i] ^= std::byte{0x15};
    sotto_mechanism* loaded = nullptr;
    const sotto_status status = sotto_mechanism_load(changed.data(), changed.size(), &loaded);
    const MechanismHandle mechanism(loaded);
    if (status == SOTTO_OK) {
      EXPECT_FALSE(contains(sotto_mechanism_description(loaded), id));
    } else {
      EXPECT_EQ(status, SOTTO_CORRUPT_FILE) << sotto_last_error();
      EXPECT_EQ(loaded, nullptr);
      ++refused;
    }
  }
  EXPECT_GT(refused, static_cast<int>(file.size()) / 2);
}

}  // namespace
}  // namespace sotto::client
