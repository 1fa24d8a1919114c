#include "sotto/learn/denoising_learner.h"

#include <numeric>
#include <utility>

#include "sotto/learn/class_prior.h"

namespace sotto {
namespace {

class Denoiser final : public ReportModel {
 public:
  // Nothing is copied: all of these must stay.
  Denoiser(const Channel& channel, const ReportSet& training, const ReportSet& held_out, const LabelNoise& noise,
           const PublicPrior& prior, const PublicRows& rows, std::size_t memory)
      : noise_(noise),
        points_(prior.size),
        rows_(rows),
        memory_(memory),
        training_(make_report_likelihood(channel, training.features, prior.points)),
        held_out_(make_report_likelihood(channel, held_out.features, prior.points)),
        training_labels_(training.labels),
        held_out_labels_(held_out.labels),
        class_prior_(estimate_class_prior(training.labels, noise)) {}

  std::vector<float> expected_counts(std::span<const float> probabilities) const override {
    const auto pass = denoising_pass(*training_, training_labels_, noise_, joint_of(probabilities), memory_);
    std::vector<float> counts(probabilities.begin(), probabilities.end());
    for (std::size_t i = 0; i < counts.size(); ++i) {
      const std::size_t row = i / noise_.classes, y = i % noise_.classes;
      counts[i] *= rows_.shares[row] * pass.gradient[rows_.places[row] * noise_.classes + y];
    }
    share_out_counts(class_prior_.frequency, counts);
    return counts;
  }

  double held_out_log_likelihood(std::span<const float> probabilities) const override {
    return denoising_pass(*held_out_, held_out_labels_, noise_, joint_of(probabilities), memory_).log_likelihood;
  }

 private:
  std::vector<float> joint_of(std::span<const float> probabilities) const {
    std::vector<float> joint(points_ * noise_.classes, 0);
    for (std::size_t i = 0; i < probabilities.size(); ++i) {
      const std::size_t row = i / noise_.classes, y = i % noise_.classes;
      joint[rows_.places[row] * noise_.classes + y] += rows_.shares[row] * probabilities[i];
    }
    return joint;
  }

  const LabelNoise& noise_;
  std::size_t points_;
  const PublicRows& rows_;
  std::size_t memory_;
  std::unique_ptr<ReportLikelihood> training_, held_out_;
  std::span<const std::int32_t> training_labels_, held_out_labels_;
  ClassPrior class_prior_;
};

}  // namespace

PublicRows rows_of_records(const PublicPrior& prior) {
  const std::size_t records = prior.place_of_record.size();
  return {prior.place_of_record, std::vector<float>(records, 1 / static_cast<float>(records))};
}

PublicRows rows_of_points(const PublicPrior& prior) {
  PublicRows rows{std::vector<std::uint32_t>(prior.size), std::vector<float>(prior.size, 0)};
  std::iota(rows.places.begin(), rows.places.end(), 0U);
  for (const std::uint32_t place : prior.place_of_record)
    rows.shares[place] += 1 / static_cast<float>(prior.place_of_record.size());
  return rows;
}

Student learn_by_denoising(const Channel& channel, const ReportSet& training, const ReportSet& held_out,
                           const LabelNoise& noise, const PublicPrior& prior, const PublicRows& rows,
                           std::span<const float> inputs, const StudentOptions& options, std::size_t memory) {
  const ReportSet sorted_training = sorted_by_label(training), sorted_held_out = sorted_by_label(held_out);
  const Denoiser denoiser(channel, sorted_training, sorted_held_out, noise, prior, rows, memory);
  // A start that prefers nothing: what the first round finds is then the reports' word alone.
  std::vector<float> even(rows.shares.size() * noise.classes, 1 / static_cast<float>(noise.classes));
  return learn_student(denoiser, inputs, std::move(even), noise.classes, options);
}

}  // namespace sotto
