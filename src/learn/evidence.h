// What each report says about every symbol (code, label): p(report | code, label), for codes that partition the public
// records. One pass over reports and public points; afterwards the reports are no longer needed, and what is left is
// small.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/learn/denoising_pass.h"
#include "sotto/learn/public_prior.h"
#include "sotto/learn/report_likelihood.h"
#include "sotto/learn/report_set.h"

namespace sotto {

// Which code each public record has, seen from the points that stand for them.
struct CodeBook {
  std::size_t codes = 0;
  std::vector<std::uint32_t> code_of_record;
  std::vector<float> affinities = {};  // codes × codes: which take after which (cluster/affinity.h); none: nobody knows

  std::vector<float> shares() const;  // of the records, by code
  // points × codes: the share of a code's records that each point stands for; columns sum to 1.
  std::vector<float> membership(const PublicPrior& prior) const;
};

struct Evidence {
  std::size_t codes = 0, classes = 0;
  std::vector<float> values;  // reports × codes × classes; up to a factor per report, its largest value is 1
  std::size_t symbols() const { return codes * classes; }
  std::size_t reports() const { return values.size() / symbols(); }
};

// What a distribution over symbols makes of the reports.
struct SymbolWeights {
  std::vector<float> values;  // Σ p(report | symbol) / p(report): times its probability, a symbol's expected reports
  double mean_log_likelihood = 0;  // up to a constant that does not depend on the distribution
};
SymbolWeights weigh_symbols(const Evidence& evidence, std::span<const float> joint);

// p(features of the report | code), reports × codes, each divided by exp(log_scale) of its report.
struct CodeLikelihoods {
  std::vector<float> values;
  std::vector<double> log_scales;
};
CodeLikelihoods code_likelihoods(const ReportLikelihood& likelihood, std::span<const float> membership,
                                 std::size_t codes);

// `noise` is that of a label released on its own. The points of `prior` are those of the mechanism, without labels.
Evidence gather_evidence(const Release& release, const ReportSet& reports, const LabelNoise& noise,
                         const PublicPrior& prior, const CodeBook& book);

}  // namespace sotto
