// What each report says about every symbol (code, label): p(report | code, label), for codes that partition the public
// records. One pass over reports and public points; afterwards the reports are no longer needed, and what is left is
// small.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/learn/denoising_pass.h"
#include "sotto/learn/report_likelihood.h"

namespace sotto {

// Which code each public point has. The points of a code are equally likely a priori.
struct CodeBook {
  std::size_t codes = 0;
  std::vector<std::uint32_t> code_of_point;
  std::vector<float> shares() const;  // of the points, by code
};

struct Evidence {
  std::size_t codes = 0, classes = 0;
  std::vector<float> values;  // reports × codes × classes; up to a factor per report, its largest value is 1
  std::size_t symbols() const { return codes * classes; }
  std::size_t reports() const { return values.size() / symbols(); }
};

// p(features of the report | code), reports × codes, up to a factor per report.
std::vector<float> code_likelihoods(const ReportLikelihood& likelihood, const CodeBook& book);

// Features and label were released separately, each with its share of epsilon.
Evidence split_evidence(const ReportLikelihood& likelihood, std::span<const std::int32_t> noisy_labels,
                        const LabelNoise& noise, const CodeBook& book);

}  // namespace sotto
