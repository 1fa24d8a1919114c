#include "sotto/audit/empirical_audit.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <chrono>
#include <cmath>
#include <future>
#include <numeric>
#include <optional>
#include <utility>

namespace sotto {
namespace {

constexpr std::size_t kStreams = 2;  // threads; a fixed number, so that seeded attacks do not depend on the machine
constexpr std::size_t kHalves = 2;
constexpr std::size_t kRecords = 2;
constexpr std::uint64_t kPilotReports = std::uint64_t{1} << 14;

// How often each cell was hit in one half of the reports, by record.
using Counts = std::array<std::vector<std::uint32_t>, kRecords>;
using HalvedCounts = std::array<Counts, kHalves>;

Tuples draw_pilot(const Attack& attack) {
  const auto entropy = attack.entropy(0);
  Tuples pilot(attack.report_length);
  std::vector<std::int64_t> report(attack.report_length);
  for (std::uint64_t i = 0; i < kPilotReports; ++i) {
    attack.victim(i % kRecords, *entropy, report);
    pilot.push_back(report);
  }
  return pilot;
}

HalvedCounts draw_stream(const Attack& attack, const ReportFeatures& features, std::size_t stream,
                         std::uint64_t rounds) {
  const auto entropy = attack.entropy(stream);
  HalvedCounts halves;
  std::vector<std::int64_t> report(attack.report_length);
  for (Counts& counts : halves) {
    for (auto& of_record : counts) of_record.resize(features.cells());
    for (std::uint64_t round = 0; round < rounds; ++round)
      for (std::size_t which = 0; which < kRecords; ++which) {
        attack.victim(which, *entropy, report);
        features.count(report, counts[which]);
      }
  }
  return halves;
}

HalvedCounts draw_all(const Attack& attack, const ReportFeatures& features, std::uint64_t rounds) {
  std::vector<std::future<HalvedCounts>> streams;
  for (std::size_t stream = 1; stream <= kStreams; ++stream)
    streams.push_back(
        std::async(std::launch::async, [&, stream] { return draw_stream(attack, features, stream, rounds); }));
  HalvedCounts sum = streams[0].get();
  for (std::size_t s = 1; s < kStreams; ++s) {
    const HalvedCounts more = streams[s].get();
    for (std::size_t half = 0; half < kHalves; ++half)
      for (std::size_t which = 0; which < kRecords; ++which)
        std::transform(sum[half][which].begin(), sum[half][which].end(), more[half][which].begin(),
                       sum[half][which].begin(), std::plus<>());
  }
  return sum;
}

// A set of cells, and how promising it looked.
struct Event {
  const Feature* feature = nullptr;
  std::size_t likelier = 0;
  std::vector<std::size_t> cells;
  double promise = 0;
};

// A ratio of two frequencies, four standard deviations on the safe side of both. It only guides the choice of an event;
// what is claimed in the end rests on Clopper–Pearson.
double cautious_ratio(double hits, double other_hits) {
  constexpr double kDeviations = 4;
  constexpr double kHalfSquare = kDeviations * kDeviations / 2;
  const auto spread = [](double count) { return kDeviations * std::sqrt(count + kHalfSquare / 2); };
  return std::max(0.0, hits + kHalfSquare - spread(hits)) / (other_hits + kHalfSquare + spread(other_hits));
}

// Sorts the feature's cells by how much they speak for one record, and takes as many as make the best event.
Event most_promising(const Feature& feature, const Counts& counts, std::size_t likelier, double expected_delta_hits) {
  const auto count = [&](std::size_t which, std::size_t cell) {
    return static_cast<double>(counts[which][feature.first_cell + cell]);
  };
  std::vector<std::pair<double, std::size_t>> ranked;
  for (std::size_t cell = 0; cell < feature.cells; ++cell)
    if (count(likelier, cell) > 0)
      ranked.emplace_back(cautious_ratio(count(likelier, cell), count(1 - likelier, cell)), cell);
  std::sort(ranked.begin(), ranked.end(), std::greater<>());
  Event event{&feature, likelier, {}, 0};
  double hits = -expected_delta_hits;
  double other_hits = 0;
  std::size_t taken = 0;
  for (std::size_t i = 0; i < ranked.size(); ++i) {
    hits += count(likelier, ranked[i].second);
    other_hits += count(1 - likelier, ranked[i].second);
    const double promise = hits > 0 ? cautious_ratio(hits, other_hits) : 0;
    if (promise <= event.promise) continue;
    event.promise = promise;
    taken = i + 1;
  }
  for (std::size_t i = 0; i < taken; ++i) event.cells.push_back(ranked[i].second);
  return event;
}

std::string describe(const Event& event) {
  std::string text = event.feature->name + " in cell";
  if (event.cells.size() > 1) text += "s";
  for (std::size_t i = 0; i < std::min<std::size_t>(event.cells.size(), 4); ++i)
    text += (i > 0 ? ", " : " ") + std::to_string(event.cells[i]);
  if (event.cells.size() > 4) text += ", … (" + std::to_string(event.cells.size()) + ")";
  return text + " of " + std::to_string(event.feature->cells);
}

Finding evaluate(const Event& event, const Counts& counts, std::uint64_t trials, double alpha, double delta) {
  Finding finding{event.feature->distinguisher, describe(event), event.likelier, {0, 0}, trials, 0};
  for (std::size_t which = 0; which < kRecords; ++which)
    for (const std::size_t cell : event.cells) finding.hits[which] += counts[which][event.feature->first_cell + cell];
  const double low = clopper_pearson_lower(finding.hits[event.likelier], trials, alpha / 2);
  const double high = clopper_pearson_upper(finding.hits[1 - event.likelier], trials, alpha / 2);
  if (low > delta) finding.epsilon_low = std::max(0.0, std::log((low - delta) / high));
  return finding;
}

// The most promising event of each kind, by the first half of the reports.
std::vector<Event> choose_events(const ReportFeatures& features, const Counts& counts, double expected_delta_hits) {
  std::array<Event, kDistinguishers> best;
  for (const Feature& feature : features.features())
    for (std::size_t likelier = 0; likelier < kRecords; ++likelier) {
      Event event = most_promising(feature, counts, likelier, expected_delta_hits);
      Event& champion = best[static_cast<std::size_t>(feature.distinguisher)];
      if (event.promise > champion.promise) champion = std::move(event);
    }
  std::vector<Event> events;
  for (Event& event : best)
    if (event.feature != nullptr) events.push_back(std::move(event));
  return events;
}

Status validate(const Attack& attack) {
  if (!attack.victim || !attack.entropy) return refuse("audit: needs a victim and a source of entropy");
  if (attack.report_length < 1) return refuse("audit: report_length: must be at least 1, got 0");
  if (attack.reports < 1000 || attack.reports > (std::uint64_t{1} << 32))
    return refuse("audit: reports: must lie between 1000 and 2^32, got " + std::to_string(attack.reports));
  if (!(attack.alpha > 0 && attack.alpha < 0.5))
    return refuse("audit: alpha: must lie between 0 and 0.5, got " + std::to_string(attack.alpha));
  return {};
}

}  // namespace

Attack attack_on(const Channel& channel, Point first, Point second) {
  using Integers = std::vector<std::int64_t>;
  const std::array<Integers, kRecords> points{Integers(first.begin(), first.end()),
                                              Integers(second.begin(), second.end())};
  Attack attack;
  attack.victim = [&channel, points](std::size_t which, Entropy& entropy, std::span<std::int64_t> report) {
    channel.sample(points[which], entropy, report);
  };
  attack.report_length = channel.report_length();
  attack.score = [&channel, points](Report report) {
    return channel.log_likelihood(report, points[0]) - channel.log_likelihood(report, points[1]);
  };
  return attack;
}

Result<EmpiricalAudit> audit_empirically(const Attack& attack, const Epsilon& epsilon, const Delta& delta) try {
  if (const Status status = validate(attack); !status) return status.error();
  const auto start = std::chrono::steady_clock::now();
  const ReportFeatures features(draw_pilot(attack), attack.score);
  const std::uint64_t rounds = attack.reports / (kStreams * kHalves * kRecords);
  const HalvedCounts counts = draw_all(attack, features, rounds);

  EmpiricalAudit audit{epsilon, delta, {}, 0, false, kPilotReports + rounds * kStreams * kHalves * kRecords, 0};
  const std::uint64_t trials = rounds * kStreams;
  const std::vector<Event> events = choose_events(features, counts[0], delta.to_double() * static_cast<double>(trials));
  for (const Event& event : events)
    audit.findings.push_back(
        evaluate(event, counts[1], trials, attack.alpha / static_cast<double>(events.size()), delta.to_double()));
  std::sort(audit.findings.begin(), audit.findings.end(),
            [](const Finding& a, const Finding& b) { return a.epsilon_low > b.epsilon_low; });
  if (!audit.findings.empty()) audit.epsilon_low = audit.findings[0].epsilon_low;
  audit.broken = audit.epsilon_low > epsilon.to_double();
  audit.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return audit;
} catch (const Failure& failure) {
  return failure.error();
}

double clopper_pearson_lower(std::uint64_t hits, std::uint64_t trials, double alpha) {
  using Binomial = boost::math::binomial_distribution<double>;
  return Binomial::find_lower_bound_on_p(static_cast<double>(trials), static_cast<double>(hits), alpha);
}

double clopper_pearson_upper(std::uint64_t hits, std::uint64_t trials, double alpha) {
  using Binomial = boost::math::binomial_distribution<double>;
  return Binomial::find_upper_bound_on_p(static_cast<double>(trials), static_cast<double>(hits), alpha);
}

}  // namespace sotto
