#include "sotto/learn/denoising_learner.h"

#include <utility>

#include "sotto/learn/class_prior.h"

namespace sotto {
namespace {

class Denoiser final : public ReportModel {
 public:
  // The report sets must stay: they are not copied.
  Denoiser(const Channel& channel, const ReportSet& training, const ReportSet& held_out, const LabelNoise& noise,
           const PublicPrior& prior, std::size_t memory)
      : noise_(noise),
        prior_(prior),
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
      const std::size_t record = i / noise_.classes, y = i % noise_.classes;
      counts[i] *= pass.gradient[prior_.place_of_record[record] * noise_.classes + y];
    }
    share_out_counts(class_prior_.frequency, counts);
    return counts;
  }

  double held_out_log_likelihood(std::span<const float> probabilities) const override {
    return denoising_pass(*held_out_, held_out_labels_, noise_, joint_of(probabilities), memory_).log_likelihood;
  }

 private:
  std::vector<float> joint_of(std::span<const float> probabilities) const {
    std::vector<float> joint = prior_.sum_by_point(probabilities, noise_.classes);
    for (float& value : joint) value /= static_cast<float>(prior_.place_of_record.size());
    return joint;
  }

  const LabelNoise& noise_;
  const PublicPrior& prior_;
  std::size_t memory_;
  std::unique_ptr<ReportLikelihood> training_, held_out_;
  std::span<const std::int32_t> training_labels_, held_out_labels_;
  ClassPrior class_prior_;
};

}  // namespace

Student learn_by_denoising(const Channel& channel, const ReportSet& training, const ReportSet& held_out,
                           const LabelNoise& noise, const PublicPrior& prior, std::span<const float> inputs,
                           const StudentOptions& options, std::size_t memory) {
  const ReportSet sorted_training = sorted_by_label(training), sorted_held_out = sorted_by_label(held_out);
  const Denoiser denoiser(channel, sorted_training, sorted_held_out, noise, prior, memory);
  // A start that prefers nothing: what the first round finds is then the reports' word alone.
  std::vector<float> even(prior.place_of_record.size() * noise.classes, 1 / static_cast<float>(noise.classes));
  return learn_student(denoiser, inputs, std::move(even), noise.classes, options);
}

}  // namespace sotto
