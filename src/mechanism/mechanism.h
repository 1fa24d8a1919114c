// A learnt mechanism: encoder + constraint + channel, read from or written to a `.sotto` file, identified by the
// SHA-256 of that file. It makes no claim of its own; release() sets the privacy parameters and returns the working
// part with its claim.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <span>
#include <vector>

#include "sotto/constraint/constraint.h"
#include "sotto/mechanism/release.h"
#include "sotto/mechanism/spec.h"
#include "sotto/wire/report_header.h"

namespace sotto {

class Mechanism {
 public:
  // Fails when the parts do not fit one another.
  static Result<Mechanism> make(MechanismSpec spec);
  static Result<Mechanism> from_bytes(std::span<const std::byte> bytes);
  static Result<Mechanism> load(const std::filesystem::path& path);

  const MechanismSpec& spec() const { return *spec_; }
  const Domain& domain() const { return constraint_->domain(); }
  const Sha256Digest& id() const { return id_; }
  std::span<const std::byte> bytes() const { return *bytes_; }  // the file as it was read, or as it would be written
  Status save(const std::filesystem::path& path) const;         // atomic

  // With a lambda, features get λ·ε and the label, through randomised response, (1−λ)·ε [Man21, Eq. 8]. Joint, both go
  // through the channel as one point (label_join.h) and get all of ε. With neither, no label is released.
  Result<Release> release(const ReleaseParameters& parameters,
                          InexactChannels inexact = InexactChannels::kRefuse) const;

 private:
  Mechanism(MechanismSpec spec, std::unique_ptr<Constraint> constraint, std::vector<std::byte> bytes);
  static Result<Mechanism> assemble(MechanismSpec spec, std::vector<std::byte> bytes);

  std::shared_ptr<const MechanismSpec> spec_;
  std::shared_ptr<const Constraint> constraint_;
  std::shared_ptr<const std::vector<std::byte>> bytes_;
  Sha256Digest id_;
};

}  // namespace sotto
