// What the tests of the C interface share: small mechanisms as files in memory, and handles that free themselves.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "sotto.h"
#include "sotto/mechanism/sample_specs_test.h"

namespace sotto::client {

struct Free {
  void operator()(sotto_mechanism* handle) const { sotto_mechanism_free(handle); }
  void operator()(sotto_release* handle) const { sotto_release_free(handle); }
  void operator()(sotto_ledger* handle) const { sotto_ledger_free(handle); }
};
using MechanismHandle = std::unique_ptr<sotto_mechanism, Free>;
using ReleaseHandle = std::unique_ptr<sotto_release, Free>;
using LedgerHandle = std::unique_ptr<sotto_ledger, Free>;

using Bytes = std::vector<std::uint8_t>;

inline std::vector<std::byte> file_of(MechanismSpec spec) {
  const Mechanism mechanism = mechanism_of(std::move(spec));
  return {mechanism.bytes().begin(), mechanism.bytes().end()};
}

inline MechanismHandle load(const std::vector<std::byte>& file) {
  sotto_mechanism* mechanism = nullptr;
  EXPECT_EQ(sotto_mechanism_load(file.data(), file.size(), &mechanism), SOTTO_OK) << sotto_last_error();
  return MechanismHandle(mechanism);
}
inline MechanismHandle load(MechanismSpec spec) { return load(file_of(std::move(spec))); }

inline sotto_release_options options_of(const char* epsilon) {
  sotto_release_options options{};
  options.struct_size = sizeof(options);
  options.epsilon = epsilon;
  return options;
}
inline sotto_release_options with_lambda(const char* epsilon, const char* lambda) {
  sotto_release_options options = options_of(epsilon);
  options.lambda = lambda;
  return options;
}
inline sotto_release_options with_joint_label(const char* epsilon) {
  sotto_release_options options = options_of(epsilon);
  options.joint_label = 1;
  return options;
}

inline ReleaseHandle open(const MechanismHandle& mechanism, const sotto_release_options& options) {
  sotto_release* release = nullptr;
  EXPECT_EQ(sotto_release_open(mechanism.get(), &options, &release), SOTTO_OK) << sotto_last_error();
  return ReleaseHandle(release);
}
inline ReleaseHandle open(MechanismSpec spec, const sotto_release_options& options) {
  return open(load(std::move(spec)), options);
}

// Everything an application would send about these records, or nothing (and a failed test).
inline Bytes privatize(const ReleaseHandle& release, const std::vector<float>& values, std::size_t count = 1,
                       const std::vector<std::int32_t>& labels = {}, sotto_format format = SOTTO_CBOR) {
  Bytes reports(count * sotto_release_report_size(release.get(), format), 0xEE);
  EXPECT_EQ(sotto_privatize(release.get(), values.data(), values.size(), labels.data(), labels.size(), format,
                            reports.data(), reports.size()),
            SOTTO_OK)
      << sotto_last_error();
  return reports;
}

inline bool is_all_zero(const Bytes& bytes) { return bytes == Bytes(bytes.size(), 0); }

// A refusal must have the status expected, say why, and not quote what it must not.
inline void expect_refusal(sotto_status status, sotto_status expected, const std::string& part_of_message) {
  EXPECT_EQ(status, expected) << sotto_last_error();
  EXPECT_TRUE(contains(sotto_last_error(), part_of_message)) << sotto_last_error();
}

}  // namespace sotto::client
