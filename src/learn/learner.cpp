#include "sotto/learn/learner.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "sotto/backprop/encode_all.h"
#include "sotto/backprop/minibatches.h"
#include "sotto/cluster/affinity.h"
#include "sotto/cluster/clusters.h"
#include "sotto/data/permutation.h"
#include "sotto/learn/code_learner.h"
#include "sotto/learn/decoded_records.h"
#include "sotto/learn/denoising_learner.h"
#include "sotto/learn/discriminant_learner.h"
#include "sotto/learn/label_noise_learner.h"
#include "sotto/learn/public_prior.h"
#include "sotto/learn/representation.h"
#include "sotto/learn/standardization.h"

namespace sotto {
namespace {

constexpr std::array kMethods{std::pair{LearnMethod::kCodes, "codes"}, std::pair{LearnMethod::kDenoising, "denoising"},
                              std::pair{LearnMethod::kStudent, "student"},
                              std::pair{LearnMethod::kDiscriminant, "discriminant"},
                              std::pair{LearnMethod::kLabelNoise, "label-noise"}};

// What the classifier sees of the public records while it learns.
struct PublicInputs {
  ClassifierInput kind;
  std::vector<float> values;
  const Network* below = nullptr;  // layers that come before the classifier's own
};

// Where the codes come from: the codebook given, or the mechanism's own if it has one.
const Mechanism* codebook_of(const CollectedData& data) {
  if (data.codebook != nullptr) return data.codebook;
  return std::holds_alternative<CodebookSpec>(data.mechanism.spec().constraint) ? &data.mechanism : nullptr;
}

// A codebook's encoder gives features that were learnt from public records alone and say more about an image than
// pixels do; a table's columns mean something as they are, and a student sees them. Codes without a codebook are
// clusters of representations, so that nothing else tells them better.
Result<PublicInputs> public_inputs(const CollectedData& data, const LearnOptions& options,
                                   const Representation& representation, const PublicPrior& prior) {
  const Dataset& auxiliary = *data.auxiliary;
  const Mechanism* codebook = codebook_of(data);
  const bool student_of_table = options.method == LearnMethod::kStudent && !data.mechanism.spec().input.image;
  if (codebook != nullptr && options.method != LearnMethod::kDenoising && !options.decoded && !student_of_table) {
    const Network& encoder = codebook->spec().encoder;
    return PublicInputs{ClassifierInput::kRecord, encode_all(encoder, auxiliary.values, auxiliary.rows), &encoder};
  }
  if (options.method == LearnMethod::kStudent) return PublicInputs{ClassifierInput::kRecord, auxiliary.values};
  // Denoising goes over the inputs hundreds of times, and can tell records no better than the prior does.
  const auto points = options.method == LearnMethod::kDenoising
                          ? Result(prior.points)
                          : representation.points_of(auxiliary.values, auxiliary.rows);
  if (!points) return points.error();
  std::vector<float> representations = representation.of_points(*points);
  if (!options.decoded) return PublicInputs{ClassifierInput::kRepresentation, std::move(representations)};
  auto decoded =
      decoded_representations(data.mechanism, representations, representations.size() / representation.width());
  if (!decoded) return decoded.error();
  return PublicInputs{ClassifierInput::kDecoded, std::move(*decoded)};
}

struct Halves {
  ReportSet training, held_out;
  std::vector<std::uint32_t> training_rows, held_out_rows;
};

ReportSet reports_of(const CollectedData& data, std::span<const std::uint32_t> rows) {
  ReportSet reports = report_set_of(data.reports, rows);
  if (data.known_labels.empty()) return reports;
  reports.labels.clear();
  for (const std::uint32_t row : rows) reports.labels.push_back(data.known_labels[row]);
  return reports;
}

Halves share_out(const CollectedData& data, const LearnOptions& options) {
  const auto order = permutation(static_cast<std::uint32_t>(data.reports.size()), options.seed);
  // A table of codes has nothing to stop early, nor have means: every report serves them.
  const bool closed_form = options.method == LearnMethod::kCodes || options.method == LearnMethod::kDiscriminant;
  const double share = closed_form ? 0 : options.held_out;
  const auto held = static_cast<std::ptrdiff_t>(share * static_cast<double>(order.size()));
  Halves halves;
  halves.held_out_rows.assign(order.begin(), order.begin() + held);
  halves.training_rows.assign(order.begin() + held, order.end());
  halves.held_out = reports_of(data, halves.held_out_rows);
  halves.training = reports_of(data, halves.training_rows);
  return halves;
}

LabelNoise noise_of(const CollectedData& data) {
  const Channel* channel = data.reports.release().label_channel();
  return channel != nullptr && data.known_labels.empty() ? label_noise_of(*channel, data.classes)
                                                         : no_label_noise(data.classes);
}

Result<CodeBook> book_of(const CollectedData& data, const LearnOptions& options, const Representation& representation,
                         const PublicPrior& prior) {
  if (const Mechanism* codebook = codebook_of(data)) {
    const auto* product = std::get_if<Product>(&codebook->domain());
    if (product == nullptr || product->coordinates.size() != 1)
      return refuse("codebook: this mechanism has none; `sotto train codes` makes one");
    const auto codes = static_cast<std::size_t>(product->coordinates[0].levels);
    if (codebook == &data.mechanism && codes <= options.prior_points) {  // the points of the prior are codes
      CodeBook book{codes, {}};
      for (const std::uint32_t place : prior.place_of_record)
        book.code_of_record.push_back(static_cast<std::uint32_t>(prior.points[place]));
      return book;
    }
    auto own = representation_of_records(*codebook);
    if (!own) return own.error();
    const auto points = own->points_of(data.auxiliary->values, data.auxiliary->rows);
    if (!points) return points.error();
    return CodeBook{codes, {points->begin(), points->end()}};
  }
  const auto points = representation.points_of(data.auxiliary->values, data.auxiliary->rows);
  if (!points) return points.error();
  const Clusters clusters = find_clusters(representation.of_points(*points), representation.width(),
                                          {.count = options.codes, .restarts = 10, .seed = options.seed});
  return CodeBook{clusters.size(), clusters.member_of};
}

// What the classifier sees of the public records says which codes are alike.
std::vector<float> affinities_of(const CodeBook& book, std::span<const float> inputs) {
  const std::size_t width = inputs.size() / book.code_of_record.size();
  return cluster_affinities(Standardization::of(inputs, width).apply(inputs), width, book.code_of_record, book.codes);
}

// A student of reports that name a code, or are joined with their label, learns from what they say of codes.
bool through_codes(const CollectedData& data, const LearnOptions& options) {
  return options.method == LearnMethod::kCodes ||
         (options.method == LearnMethod::kStudent &&
          (codebook_of(data) != nullptr || data.reports.release().label_join() != nullptr));
}

// How many classes the labels of the reports have; those that are known without noise must be among them too.
Status check_classes(const CollectedData& data) {
  const Release& release = data.reports.release();
  auto classes = static_cast<std::int64_t>(data.classes);
  if (release.label_join() != nullptr) classes = release.label_join()->classes();
  if (release.label_channel() != nullptr) classes = release.label_channel()->report_ranges()[0].high + 1;
  if (data.classes < 2 || classes != static_cast<std::int64_t>(data.classes))
    return refuse("classes: must be at least 2 and those of the reports, " + std::to_string(classes) + ", got " +
                  std::to_string(data.classes));
  for (const std::int32_t label : data.known_labels)
    if (label < 0 || label >= classes)
      return refuse("known labels: must be below " + std::to_string(classes) + ", the number of classes");
  return {};
}

Status check(const CollectedData& data, const LearnOptions& options) {
  const Release& release = data.reports.release();
  const bool joint = release.label_join() != nullptr;
  if (release.codec().header().mechanism_id != data.mechanism.id())
    return refuse("reports: of another mechanism than the one given");
  if (data.reports.size() < 20)
    return refuse("reports: learning needs at least 20, got " + std::to_string(data.reports.size()));
  if (!release.takes_labels() && data.known_labels.size() != data.reports.size())
    return refuse("reports: carry no labels to learn from");
  if (joint && options.method != LearnMethod::kCodes && options.method != LearnMethod::kStudent)
    return refuse("method: reports joined with their labels are learnt from with method codes or student, got " +
                  std::string(name_of(options.method)));
  if (options.method != LearnMethod::kLabelNoise && (data.auxiliary == nullptr || data.auxiliary->rows == 0))
    return refuse("auxiliary: method " + std::string(name_of(options.method)) + " needs public records");
  if (options.decoded && (options.method == LearnMethod::kStudent || options.method == LearnMethod::kDiscriminant))
    return refuse("level feature: goes with the methods codes, denoising and label-noise, got " +
                  std::string(name_of(options.method)));
  if (const Status status = check_classes(data); !status) return status;
  const double held_out = options.held_out * static_cast<double>(data.reports.size());
  if (!(held_out >= 1 && options.held_out < 1))
    return refuse("held_out: must lie between 0 and 1 and set at least one report aside, got " +
                  std::to_string(options.held_out));
  if (options.prior_points == 0 || options.codes < 2) return refuse("prior_points and codes: must be at least 1 and 2");
  return {};
}

Result<Learnt> finish(const CollectedData& data, const LearnOptions& options, ClassifierInput input,
                      const TrainableNetwork& network, const Network* below,
                      std::map<std::string, double> diagnostics) {
  const auto own = network.to_network();
  if (!own) return own.error();
  auto exported = below == nullptr ? own : Network::stack(*below, *own);
  if (!exported) return exported.error();
  std::vector<std::string> classes;
  if (data.mechanism.spec().label && data.mechanism.spec().label->classes.size() == data.classes)
    classes = data.mechanism.spec().label->classes;
  else
    for (std::size_t y = 0; y < data.classes; ++y) classes.push_back(std::to_string(y));
  return Learnt{{input,
                 std::move(*exported),
                 to_hex(data.mechanism.id()),
                 std::move(classes),
                 {{"method", std::string(name_of(options.method))},
                  {"reports", std::to_string(data.reports.size())},
                  {"seed", std::to_string(options.seed)}}},
                std::move(diagnostics)};
}

Result<Learnt> finish(const CollectedData& data, const LearnOptions& options, const PublicInputs& inputs,
                      const Student& student, std::map<std::string, double> diagnostics) {
  diagnostics["held_out_log_likelihood"] = student.held_out_log_likelihood;
  diagnostics["rounds"] = static_cast<double>(student.rounds);
  return finish(data, options, inputs.kind, student.network, inputs.below, std::move(diagnostics));
}

// The paper's objective improves for hundreds of rounds: a round is short, and patience long.
StudentOptions denoising_options(StudentOptions options) {
  options.rounds = 400;
  options.patience = 20;
  options.epochs_per_round = 4;
  return options;
}

std::vector<float> rows_of(std::span<const float> matrix, std::size_t width, std::span<const std::uint32_t> rows) {
  std::vector<float> selected;
  gather_rows(matrix, width, rows, selected);
  return selected;
}

Result<Learnt> learn_from_reports_alone(const CollectedData& data, const LearnOptions& options, const Halves& halves) {
  // What a report stands for depends on epsilon, so only its own release can tell.
  const Representation representation(data.mechanism, data.reports.release());
  std::vector<float> training, held_out;
  if (options.decoded) {
    const auto decoded = decoded_reports(data.mechanism, data.reports);
    if (!decoded) return decoded.error();
    const std::size_t width = data.mechanism.spec().input.width();
    training = rows_of(*decoded, width, halves.training_rows);
    held_out = rows_of(*decoded, width, halves.held_out_rows);
  } else {
    training = representation.of_reports(halves.training.features);
    held_out = representation.of_reports(halves.held_out.features);
  }
  const TrainableNetwork network =
      learn_under_label_noise({training, halves.training.labels}, {held_out, halves.held_out.labels}, noise_of(data),
                              {.hidden = options.hidden, .seed = options.seed});
  return finish(data, options, options.decoded ? ClassifierInput::kDecoded : ClassifierInput::kRepresentation, network,
                nullptr, {});
}

Result<Learnt> learn_from_means(const CollectedData& data, const LearnOptions& options, const Halves& halves) {
  // What a report stands for depends on epsilon, so only its own release can tell.
  const Representation representation(data.mechanism, data.reports.release());
  const auto points = representation.points_of(data.auxiliary->values, data.auxiliary->rows);
  if (!points) return points.error();
  const TrainableNetwork network =
      learn_discriminant(representation.of_reports(halves.training.features), halves.training.labels, noise_of(data),
                         representation.of_points(*points), representation.width());
  return finish(data, options, ClassifierInput::kRepresentation, network, nullptr, {});
}

}  // namespace

std::string_view name_of(LearnMethod method) {
  return std::find_if(kMethods.begin(), kMethods.end(), [&](const auto& entry) { return entry.first == method; })
      ->second;
}

Result<LearnMethod> learn_method_named(std::string_view name) {
  for (const auto& [method, known] : kMethods)
    if (name == known) return method;
  return refuse("method: must be codes, denoising, student, discriminant or label-noise, got '" + std::string(name) +
                "'");
}

Result<Learnt> learn(const CollectedData& data, const LearnOptions& options) {
  if (const Status status = check(data, options); !status) return status.error();
  const Halves halves = share_out(data, options);
  if (options.method == LearnMethod::kLabelNoise) return learn_from_reports_alone(data, options, halves);
  if (options.method == LearnMethod::kDiscriminant) return learn_from_means(data, options, halves);
  const auto representation = representation_of_records(data.mechanism);
  if (!representation) return representation.error();

  const Dataset& auxiliary = *data.auxiliary;
  const auto prior =
      make_public_prior(*representation, auxiliary.values, auxiliary.rows, options.prior_points, options.seed);
  if (!prior) return prior.error();
  const auto inputs = public_inputs(data, options, *representation, *prior);
  if (!inputs) return inputs.error();
  const Release& release = data.reports.release();
  const StudentOptions student_options{.hidden = options.hidden, .seed = options.seed};
  if (through_codes(data, options)) {
    auto book = book_of(data, options, *representation, *prior);
    if (!book) return book.error();
    book->affinities = affinities_of(*book, inputs->values);
    std::map<std::string, double> diagnostics = {{"codes", static_cast<double>(book->codes)}};
    if (options.method == LearnMethod::kStudent)
      return finish(data, options, *inputs,
                    learn_student_by_codes(release, halves.training, halves.held_out, noise_of(data), *prior, *book,
                                           inputs->values, student_options),
                    std::move(diagnostics));
    LabelTableOptions table;
    // Labels are known when each was asked for apart: their shares are the collector's doing and not the public's, and
    // a label may be new to the public records.
    if (!data.known_labels.empty()) table = {.sharpening = 0, .balance = false, .public_codes = false};
    const TrainableNetwork network =
        learn_by_codes(release, halves.training, noise_of(data), *prior, *book, inputs->values,
                       {.table = table, .hidden = options.hidden, .seed = options.seed});
    return finish(data, options, inputs->kind, network, inputs->below, std::move(diagnostics));
  }
  const bool on_points = options.method == LearnMethod::kDenoising;
  return finish(data, options, *inputs,
                learn_by_denoising(release.channel(), halves.training, halves.held_out, noise_of(data), *prior,
                                   on_points ? rows_of_points(*prior) : rows_of_records(*prior), inputs->values,
                                   on_points ? denoising_options(student_options) : student_options),
                {});
}

}  // namespace sotto
