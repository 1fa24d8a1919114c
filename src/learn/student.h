// Learns a classifier that explains reports, by expectation-maximisation: reports and the present classifier say which
// labels to expect at each public record; the classifier learns those; and so on, for as long as the likelihood of
// held-out reports improves. It acts on any inputs of the public records, the richer the better; how a report comes
// about is the business of the `ReportModel`.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "sotto/backprop/trainable_network.h"

namespace sotto {

// What reports say of the public records when a classifier thinks `probabilities` of them (records × classes).
class ReportModel {
 public:
  virtual ~ReportModel() = default;
  ReportModel(const ReportModel&) = delete;
  ReportModel& operator=(const ReportModel&) = delete;

  // How often each label is to be expected at each public record, records × classes; one for each record on average.
  virtual std::vector<float> expected_counts(std::span<const float> probabilities) const = 0;

  // Of reports that were set aside, up to a constant.
  virtual double held_out_log_likelihood(std::span<const float> probabilities) const = 0;

 protected:
  ReportModel() = default;
};

// Gives the classes the given shares of all counts, which keeps a classifier that knows nothing from settling on one
// class, and makes the counts one a record.
void share_out_counts(std::span<const double> class_shares, std::span<float> counts);

struct StudentOptions {
  std::vector<std::size_t> hidden = {50};  // none: logistic regression
  std::size_t rounds = 30, patience = 4;
  std::size_t epochs_per_round = 2;
  float learning_rate = 1e-3F;
  std::size_t batch = 128;
  std::uint64_t seed = 1;
};

struct Student {
  TrainableNetwork network;
  double held_out_log_likelihood = 0;
  std::size_t rounds = 0;
};

// `inputs` has a row for each public record; `probabilities`, records × classes, is what to think of them before the
// first round.
Student learn_student(const ReportModel& model, std::span<const float> inputs, std::vector<float> probabilities,
                      std::size_t classes, const StudentOptions& options);

}  // namespace sotto
