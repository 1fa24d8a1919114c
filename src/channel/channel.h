// A randomised map from the points of a domain to reports, built together with its claim.
//
// `sample` is the only way a record's information leaves: it checks that the point lies in the domain on which the
// claim rests, and throws Failure (out of domain, no entropy) rather than release anything else. A report is a fixed
// number of integers, each in a fixed range that depends only on the channel, so its encoded length says nothing.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/constraint/domain.h"
#include "sotto/kernel/entropy.h"
#include "sotto/privacy/claim.h"

namespace sotto {

using Report = std::span<const std::int64_t>;

struct Range {
  std::int64_t low, high;  // both included
  bool operator==(const Range&) const = default;
};

class Channel {
 public:
  virtual ~Channel() = default;
  Channel(const Channel&) = delete;
  Channel& operator=(const Channel&) = delete;

  const Domain& domain() const { return domain_; }
  const Claim& claim() const { return claim_; }
  const std::vector<Range>& report_ranges() const { return ranges_; }
  std::size_t report_length() const { return ranges_.size(); }
  bool is_possible(Report report) const;  // of any point at all: a collector drops what is not

  // Draws a report about `point` into `report`, whose size must be report_length().
  void sample(Point point, Entropy& entropy, std::span<std::int64_t> report) const;

  // log P(report | point), −∞ for a report that cannot be. All that a denoising learner needs to know of a channel.
  double log_likelihood(Report report, Point point) const;

  // An unbiased estimate, from one report, of the point: its coordinates in order, each category as a one-hot block, a
  // direction times its length (in units of the resolution). Averaged over reports it estimates means and frequencies.
  std::size_t estimate_length() const;
  void estimate(Report report, std::span<double> point) const;

 protected:
  Channel(Domain domain, Claim claim, std::vector<Range> ranges);

 private:
  virtual void draw(Point point, Entropy& entropy, std::span<std::int64_t> report) const = 0;
  virtual bool is_consistent(Report) const { return true; }  // beyond the ranges, which have been checked
  virtual double log_pmf(Report report, Point point) const = 0;
  virtual void unbias(Report report, std::span<double> point) const = 0;

  Domain domain_;
  Claim claim_;
  std::vector<Range> ranges_;
};

}  // namespace sotto
