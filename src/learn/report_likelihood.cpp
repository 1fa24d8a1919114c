#include "sotto/learn/report_likelihood.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "sotto/learn/laplace_likelihood.h"

namespace sotto {
namespace {

class PlainLikelihood : public ReportLikelihood {
 public:
  PlainLikelihood(const Channel& channel, std::span<const std::int64_t> reports, std::span<const std::int64_t> points)
      : ReportLikelihood(reports.size() / channel.report_length(), points.size() / point_length(channel.domain())),
        channel_(channel),
        values_(reports.begin(), reports.end()),
        places_(points.begin(), points.end()) {}

  void weigh(Stretch reports, Stretch points, std::span<float> weights, std::span<double> log_scales) const override {
    std::vector<double> logs(points.count);
    const std::size_t length = channel_.report_length(), width = point_length(channel_.domain());
    for (std::size_t row = 0; row < reports.count; ++row) {
      const Report report = std::span(values_).subspan((reports.begin + row) * length, length);
      for (std::size_t m = 0; m < points.count; ++m)
        logs[m] = channel_.log_likelihood(report, std::span(places_).subspan((points.begin + m) * width, width));
      // No point may be able to make this report.
      const double largest =
          std::max(*std::max_element(logs.begin(), logs.end()), std::numeric_limits<double>::lowest());
      log_scales[row] = largest;
      for (std::size_t m = 0; m < points.count; ++m)
        weights[row * points.count + m] = static_cast<float>(std::exp(logs[m] - largest));
    }
  }

 private:
  const Channel& channel_;
  std::vector<std::int64_t> values_, places_;
};

}  // namespace

std::unique_ptr<ReportLikelihood> make_plain_likelihood(const Channel& channel, std::span<const std::int64_t> reports,
                                                        std::span<const std::int64_t> points) {
  return std::make_unique<PlainLikelihood>(channel, reports, points);
}

std::unique_ptr<ReportLikelihood> make_report_likelihood(const Channel& channel, std::span<const std::int64_t> reports,
                                                         std::span<const std::int64_t> points) {
  // Laplace noise is the only channel on an L1 ball.
  if (const auto* ball = std::get_if<L1Ball>(&channel.domain()))
    return std::make_unique<LaplaceLikelihood>(*ball, channel.claim().epsilon.to_double(), channel.report_ranges()[0],
                                               reports, points);
  return make_plain_likelihood(channel, reports, points);
}

}  // namespace sotto
