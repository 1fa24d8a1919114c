#include "sotto/plan/simulation.h"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "sotto/data/dataset.h"
#include "sotto/kernel/seeded_entropy.h"
#include "sotto/learn/code_learner.h"

namespace sotto {
namespace {

// A mechanism whose records are encodings already.
Result<Mechanism> mechanism_of_encodings(const EncodedRecords& records, const SimulationOptions& options) {
  InputSchema input;
  for (std::size_t i = 0; i < records.width; ++i)
    input.columns.emplace_back().name = std::to_string(i);  // bounds do not matter to any of the constraints
  LabelSchema label{"label", {}};
  for (std::size_t y = 0; y < records.classes; ++y) label.classes.push_back(std::to_string(y));
  auto identity = Network::make(records.width, {});
  if (!identity) return identity.error();
  return Mechanism::make(
      {std::move(input), std::move(label), std::move(*identity), options.constraint, options.channel, {}});
}

Dataset draw_people(const EncodedRecords& records, std::size_t count, SeededEntropy& entropy) {
  Dataset people{count, records.width, {}, {}};
  people.values.reserve(count * records.width);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t record = entropy.take<std::uint64_t>() % records.labels.size();
    const auto row = std::span(records.encodings).subspan(record * records.width, records.width);
    people.values.insert(people.values.end(), row.begin(), row.end());
    people.labels.push_back(records.labels[record]);
  }
  return people;
}

double share_right(const EncodedRecords& records, const LabelTable& table) {
  std::vector<std::int32_t> label_of_code;
  for (std::size_t code = 0; code < table.codes; ++code) {
    const auto row = table.of(code);
    label_of_code.push_back(static_cast<std::int32_t>(std::max_element(row.begin(), row.end()) - row.begin()));
  }
  std::size_t right = 0;
  for (std::size_t record = 0; record < records.labels.size(); ++record)
    right += label_of_code[records.book.code_of_record[record]] == records.labels[record] ? 1 : 0;
  return static_cast<double>(right) / static_cast<double>(records.labels.size());
}

}  // namespace

Result<double> simulate_collection(const EncodedRecords& records, const SimulationOptions& options) {
  const auto mechanism = mechanism_of_encodings(records, options);
  if (!mechanism) return mechanism.error();
  const auto release = mechanism->release(options.release);
  if (!release) return release.error();
  ReportBatch batch(*release);
  SeededEntropy entropy(options.seed);
  const Dataset people = draw_people(records, options.reports, entropy);
  if (const Status status = batch.privatize(people.values, people.labels, people.rows, entropy); !status)
    return status.error();
  std::vector<std::uint32_t> all(batch.size());
  std::iota(all.begin(), all.end(), 0U);
  const auto representation = representation_of_records(*mechanism);
  if (!representation) return representation.error();
  constexpr std::size_t kPriorPoints = 2000;
  const auto prior =
      make_public_prior(*representation, records.encodings, records.labels.size(), kPriorPoints, options.seed);
  if (!prior) return prior.error();
  const LabelNoise noise = release->label_channel() != nullptr
                               ? label_noise_of(*release->label_channel(), records.classes)
                               : no_label_noise(records.classes);
  return share_right(records,
                     learn_table_by_codes(*release, report_set_of(batch, all), noise, *prior, records.book, {}));
}

}  // namespace sotto
