// p(label | code), learnt from the evidence of reports: a small table whose likelihood is concave, so that
// expectation-maximisation from a uniform start finds the best one whatever the noise. Then, on request, it is
// sharpened: codes are taken to be nearly pure, and the table is annealed towards one label each while the classes keep
// their estimated frequencies. At low epsilon this is what turns weak evidence into a decision. Codes that lie close to
// others lean towards their labels, so that many reports overrule it: small codes have few. That prior moves with the
// neighbours' own labels, and what is found with it is no longer the one maximum of anything.
#pragma once

#include <span>
#include <vector>

#include "sotto/learn/evidence.h"

namespace sotto {

struct LabelTableOptions {
  std::size_t rounds = 80;      // of expectation-maximisation
  float pseudo_counts = 3;      // each code starts with so many imagined reports, distributed like the classes
  float neighbour_counts = 20;  // and at most so many with the labels of codes that it takes after
  std::size_t sharpening = 60;  // rounds of annealing; 0: none
  bool balance = true;          // draw the classes towards their shares
  bool public_codes = true;     // the reporting people's codes have the shares of the public records; false: learn them
  float sharpest = 1.35F;       // exponent of the last one
};

struct LabelTable {
  std::size_t codes = 0, classes = 0;
  std::vector<float> probability;  // codes × classes, each row sums to 1
  std::span<const float> of(std::size_t code) const { return std::span(probability).subspan(code * classes, classes); }
};

// What is known of the codes before any report.
struct KnownCodes {
  std::span<const float> shares;           // of the records
  std::span<const float> affinities = {};  // codes × codes (CodeBook); none: no code takes after another
};

// `class_shares` is what the classes are known or estimated to occupy.
LabelTable learn_label_table(const Evidence& evidence, const KnownCodes& codes, std::span<const double> class_shares,
                             const LabelTableOptions& options);

// The classes' shares, when no label was released on its own: what tables that keep to no shares give them. Two of
// them, of half the reports each, say how far that can be trusted; for the rest, classes are taken to be equally
// frequent.
std::vector<double> estimate_class_shares(const Evidence& evidence, std::span<const float> code_shares);

}  // namespace sotto
