#include "sotto/plan/code_plan.h"

#include <algorithm>
#include <string>
#include <utility>

#include "sotto/cluster/affinity.h"
#include "sotto/learn/standardization.h"
#include "sotto/plan/simulation.h"

namespace sotto {
namespace {

ReleaseParameters joint_release(const Epsilon& epsilon) { return {.epsilon = epsilon, .joint = true}; }

ReleaseParameters split_release(const Epsilon& epsilon) {
  return {.epsilon = epsilon, .lambda = parse_lambda("0.5").value_or_throw()};
}

// The larger lower end is the safer promise. What simulations can hardly tell apart is decided by the number of codes:
// where labels follow the records' groups less closely than the plan supposes, finer codes lose less.
const Prediction& best_of(const std::vector<Prediction>& ways) {
  constexpr double kHardlyMore = 0.005;
  const auto safest = std::ranges::max_element(ways, {}, [](const Prediction& way) { return way.low; });
  return *std::ranges::max_element(ways, {}, [&](const Prediction& way) {
    return std::pair(way.low >= safest->low - kHardlyMore ? way.codes : 0, way.low);
  });
}

std::vector<std::size_t> usual_codes(std::size_t classes) {
  std::vector<std::size_t> codes;
  for (const double factor : {1.0, 1.5, 2.0, 3.0, 4.0, 6.0, 8.0})
    codes.push_back(static_cast<std::size_t>(factor * static_cast<double>(classes)));
  return codes;
}

class Planner {
 public:
  Planner(const PlannedRecords& records, const CodePlanOptions& options)
      : labels_(records.labels.begin(), records.labels.end()), classes_(records.classes), options_(options) {}

  // A record is its code, and the codebook the whole numbers.
  Result<Prediction> predict(const CodeBook& book, const ReleaseParameters& release) const {
    EncodedRecords records{1, {}, labels_, classes_, book};
    records.encodings.assign(book.code_of_record.begin(), book.code_of_record.end());
    CodebookSpec numbers;
    for (std::size_t code = 0; code < book.codes; ++code) numbers.centroids.push_back(static_cast<float>(code));
    const auto categories = static_cast<std::int64_t>(book.codes * (release.joint ? classes_ : 1));
    const auto family = best_family(categories, epsilon_of_codes(release), options_.seed);
    if (!family) return family.error();
    std::vector<double> shares;
    for (std::size_t i = 0; i < options_.repeats; ++i) {
      const auto share = simulate_collection(
          records, {numbers, family->family, release, options_.reports, options_.seed + 1000 * (i + 1)});
      if (!share) return share.error();
      shares.push_back(*share);
    }
    double sum = 0;
    for (const double share : shares) sum += share;
    const auto [low, high] = std::minmax_element(shares.begin(), shares.end());
    return Prediction{
        book.codes, family->family, release, family->worth.information, sum / static_cast<double>(shares.size()),
        *low,       *high};
  }

 private:
  // What is left for the code when the label has a share of its own.
  static Epsilon epsilon_of_codes(const ReleaseParameters& release) {
    return release.lambda ? release.epsilon.times(*release.lambda).value_or_throw() : release.epsilon;
  }

  std::vector<std::int32_t> labels_;
  std::size_t classes_;
  const CodePlanOptions& options_;
};

Status check(const PlannedRecords& records, const CodePlanOptions& options) {
  if (records.classes < 2) return refuse("classes: must be at least 2, got " + std::to_string(records.classes));
  for (const std::int32_t label : records.labels)
    if (label < 0 || static_cast<std::size_t>(label) >= records.classes)
      return refuse("labels: must be below " + std::to_string(records.classes) + ", the number of classes");
  if (options.epsilons.empty()) return refuse("epsilon: a plan needs at least one");
  if (options.reports < 20)
    return refuse("reports: learning needs at least 20, got " + std::to_string(options.reports));
  if (options.repeats < 2) return refuse("repeats: must be at least 2, got " + std::to_string(options.repeats));
  return {};
}

}  // namespace

Result<CodePlan> plan_codes(const FindCodes& find_codes, const PlannedRecords& records, const CodePlanOptions& options,
                            const PlanProgress& progress) {
  if (const Status status = check(records, options); !status) return status.error();
  const auto features = Standardization::of(records.features, records.width).apply(records.features);
  std::vector<CodeBook> books;
  for (const std::size_t codes : options.codes.empty() ? usual_codes(records.classes) : options.codes) {
    auto assignment = find_codes(codes);
    if (!assignment) return assignment.error();
    if (assignment->code_of_record.size() != records.labels.size())
      return refuse("plan: " + std::to_string(records.labels.size()) + " labels do not go with the codes of " +
                    std::to_string(assignment->code_of_record.size()) + " records");
    auto affinities = cluster_affinities(features, records.width, assignment->code_of_record, assignment->count);
    books.push_back({assignment->count, std::move(assignment->code_of_record), std::move(affinities)});
  }
  const Planner planner(records, options);
  CodePlan plan;
  for (const Epsilon& epsilon : options.epsilons) {
    std::vector<Prediction> ways;
    const auto add = [&](const CodeBook& book, const ReleaseParameters& release) -> Status {
      const auto prediction = planner.predict(book, release);
      if (!prediction) return prediction.error();
      progress(*prediction);
      ways.push_back(*prediction);
      return {};
    };
    for (const CodeBook& book : books)
      if (const Status status = add(book, joint_release(epsilon)); !status) return status.error();
    // A label with a share of its own, for comparison, with the codes that serve best.
    const auto best = &best_of(ways) - ways.data();
    if (const Status status = add(books[static_cast<std::size_t>(best)], split_release(epsilon)); !status)
      return status.error();
    plan.best.push_back(best_of(ways));
    plan.predictions.insert(plan.predictions.end(), ways.begin(), ways.end());
  }
  return plan;
}

}  // namespace sotto
