#include "sotto/reproduce/protocol.h"

#include <algorithm>
#include <array>
#include <span>

#include "sotto/data/permutation.h"
#include "sotto/wire/sha256.h"

namespace sotto {
namespace {

using Rows = std::vector<std::uint32_t>;

constexpr double kMechanismShare = 0.75;          // of records of all classes
constexpr double kNovelMechanismShare = 8.0 / 9;  // of records of the classes that the mechanism may see
constexpr double kHeldOutShare = 0.1;

struct Cut {
  Rows mechanism, classifier;
};

Cut cut(std::span<const std::uint32_t> rows, double share) {
  const auto middle = rows.begin() + static_cast<std::ptrdiff_t>(static_cast<double>(rows.size()) * share + 0.5);
  return {{rows.begin(), middle}, {middle, rows.end()}};
}

// Of the classes that the mechanism may see, most; of the novel one, none.
Cut cut_without_class(const Dataset& data, std::span<const std::uint32_t> order, std::int32_t novel) {
  Rows known, unknown;
  for (const std::uint32_t row : order) (data.labels[row] == novel ? unknown : known).push_back(row);
  Cut parts = cut(known, kNovelMechanismShare);
  parts.classifier.insert(parts.classifier.end(), unknown.begin(), unknown.end());
  return parts;
}

Cut cut(const Dataset& data, const Experiment& experiment, std::int32_t classes, std::uint64_t seed) {
  const Rows order = permutation(static_cast<std::uint32_t>(data.rows), seed);
  return experiment.protocol == Protocol::kCollection ? cut(order, kMechanismShare)
                                                      : cut_without_class(data, order, classes - 1);
}

std::string digest_of(const Dataset& data) {
  return to_hex(sha256(std::as_bytes(std::span(data.values)))).substr(0, 16);
}

void limit(Rows& rows, std::size_t most) {
  if (most > 0 && rows.size() > most) rows.resize(most);
}

void shuffle(Rows& rows, std::uint64_t seed) {
  const Rows order = permutation(static_cast<std::uint32_t>(rows.size()), seed);
  Rows shuffled;
  for (const std::uint32_t place : order) shuffled.push_back(rows[place]);
  rows = std::move(shuffled);
}

}  // namespace

Parts share_out(const Dataset& train, const Dataset& test, std::int32_t classes, const Experiment& experiment,
                const Series& series, std::uint64_t seed) {
  Cut from_train = cut(train, experiment, classes, seed), from_test = cut(test, experiment, classes, seed + 1);
  if (series.all_records)
    from_train.classifier.insert(from_train.classifier.end(), from_train.mechanism.begin(), from_train.mechanism.end());
  shuffle(from_train.classifier, seed + 2);
  shuffle(from_test.classifier, seed + 3);
  limit(from_train.mechanism, series.auxiliary_records);
  limit(from_train.mechanism, experiment.max_auxiliary);
  limit(from_test.mechanism, experiment.max_tests);
  limit(from_train.classifier, series.reports);
  limit(from_train.classifier, experiment.max_reports);
  limit(from_test.classifier, experiment.max_tests);

  const Cut reports = cut(from_train.classifier, 1 - kHeldOutShare);
  Parts parts{select_rows(train, from_train.mechanism), select_rows(test, from_test.mechanism),
              select_rows(train, reports.mechanism),    select_rows(train, reports.classifier),
              select_rows(test, from_test.classifier),  classes};
  parts.mechanism_digests = {digest_of(parts.auxiliary), digest_of(parts.validation)};
  if (experiment.protocol == Protocol::kNovelClass) {
    parts.classes = 2;
    for (Dataset* data : {&parts.reporting, &parts.held_out, &parts.test})
      for (std::int32_t& label : data->labels) label = label == classes - 1 ? 1 : 0;
  }
  if (!series.relabel.empty()) {
    parts.classes = 1 + *std::max_element(series.relabel.begin(), series.relabel.end());
    for (Dataset* data : {&parts.reporting, &parts.held_out, &parts.test})
      for (std::int32_t& label : data->labels) label = series.relabel[static_cast<std::size_t>(label)];
  }
  return parts;
}

}  // namespace sotto
