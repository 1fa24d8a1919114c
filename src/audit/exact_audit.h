// The exact audit: all points and all reports of a small channel, and the worst that any report says about any two
// points.
//
// Guarantees: `proved` and `broken` are theorems about the law that the audit derives for the channel, whatever the
// rounding (256 bits, outwards). The same enumeration ties that law to the `log_likelihood` that learners use; the
// sampler is tied to it by goodness_of_fit.h. What it does not do: enumerate a channel of real size, unless it is one
// for codes with distances. The laws have the same form at every size, which is what docs/proofs/audit.md argues; audit
// the small domains of scaled_down.h at the same ε.
#pragma once

#include <cstdint>
#include <vector>

#include "sotto/constraint/domain.h"
#include "sotto/kernel/result.h"
#include "sotto/privacy/epsilon.h"

namespace sotto {

struct ExactAudit {
  Epsilon epsilon;  // the claim
  Delta delta;

  // For δ = 0 the largest log P(report|point) − log P(report|other_point) lies in between; for δ > 0, the smallest δ
  // with which ε holds, the sum over reports of max(0, P(·|point) − e^ε·P(·|other_point)), and `report` is empty.
  double worst_low, worst_high;
  std::vector<std::int64_t> point, other_point, report;

  bool broken;  // certainly more than claimed
  bool proved;  // certainly not more than claimed; ε may be exceeded by 2^−100, because tight channels meet it exactly
  bool tight;  // certainly within 2^−100 of ε

  std::uint64_t points, reports;
  bool all_reports;             // or representative ones, see product_law
  bool sums_to_one;             // Σ P(report|point) encloses 1, tightly, for every point
  double likelihood_error = 0;  // the largest |channel.log_likelihood − log P| over every point and listed report

  bool passed() const { return proved && sums_to_one && likelihood_error < 1e-9; }
};

// Each audits the channel that `make_…` of the same name builds. An error means that there is no such channel or, with
// code kUnsupported, that it is too large to enumerate.
Result<ExactAudit> audit_lattice_laplace(const L1Ball& ball, const Epsilon& epsilon);
Result<ExactAudit> audit_lattice_gaussian(const L2Ball& ball, const Epsilon& epsilon, const Delta& delta);
Result<ExactAudit> audit_feature_laplace(const Product& features, const Epsilon& epsilon);
Result<ExactAudit> audit_duchi(const Product& box, const Epsilon& epsilon);
Result<ExactAudit> audit_randomized_response(std::int64_t categories, const Epsilon& epsilon);
Result<ExactAudit> audit_hadamard_response(std::int64_t categories, std::int64_t block, const Epsilon& epsilon);
Result<ExactAudit> audit_exponential(const Product& codes, const Epsilon& epsilon);
Result<ExactAudit> audit_hyperplane_response(const L2Ball& ball, std::int64_t hyperplanes, const Epsilon& epsilon);
Result<ExactAudit> audit_subset_selection(std::int64_t categories, std::int64_t subset_size, const Epsilon& epsilon);

}  // namespace sotto
