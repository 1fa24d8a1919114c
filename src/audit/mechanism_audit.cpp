#include "sotto/audit/mechanism_audit.h"

#include <algorithm>
#include <utility>

#include "sotto/audit/record_pair.h"
#include "sotto/audit/scaled_down.h"
#include "sotto/channel/hadamard_response.h"
#include "sotto/channel/subset_selection.h"
#include "sotto/mechanism/factory.h"

namespace sotto {
namespace {

constexpr std::size_t kWidestQuadraticLikelihood = 64;  // Duchi's likelihood costs O(d²)
constexpr std::int64_t kMostClasses = 32;

std::string name_of_domain(const Domain& domain) {
  const std::string length = std::to_string(point_length(domain));
  if (const auto* product = std::get_if<Product>(&domain)) {
    std::string levels;
    for (const Coordinate& coordinate : product->coordinates)
      levels += (levels.empty() ? "" : " x ") + std::to_string(coordinate.levels);
    return levels + " levels";
  }
  const std::int64_t resolution = std::holds_alternative<L1Ball>(domain) ? std::get<L1Ball>(domain).resolution
                                                                         : std::get<L2Ball>(domain).resolution;
  return "dimension " + length + ", resolution " + std::to_string(resolution);
}

constexpr std::int64_t kHyperplanesListed = 32;

std::int64_t categories(const Domain& domain) { return std::get<Product>(domain).coordinates[0].levels; }

Result<ExactAudit> audit_small(ChannelFamily family, const Domain& domain, const Claim& claim) {
  switch (family) {
    case ChannelFamily::kLatticeLaplace:
      return audit_lattice_laplace(std::get<L1Ball>(domain), claim.epsilon);
    case ChannelFamily::kLatticeGaussian:
      return audit_lattice_gaussian(std::get<L2Ball>(domain), claim.epsilon, claim.delta);
    case ChannelFamily::kRandomizedResponse:
      return audit_randomized_response(categories(domain), claim.epsilon);
    case ChannelFamily::kSubsetSelection:
      return audit_subset_selection(categories(domain), optimal_subset_size(categories(domain), claim.epsilon),
                                    claim.epsilon);
    case ChannelFamily::kHadamardResponse:
      return audit_hadamard_response(categories(domain), optimal_hadamard_block(categories(domain), claim.epsilon),
                                     claim.epsilon);
    case ChannelFamily::kExponential:
      return audit_exponential(std::get<Product>(domain), claim.epsilon);
    case ChannelFamily::kHyperplaneResponse:  // which hyperplanes they are is of no account to the claim
      return audit_hyperplane_response(std::get<L2Ball>(domain), kHyperplanesListed, claim.epsilon);
    case ChannelFamily::kDuchi:
      return audit_duchi(std::get<Product>(domain), claim.epsilon);
    case ChannelFamily::kFeatureLaplace:
      return audit_feature_laplace(std::get<Product>(domain), claim.epsilon);
    case ChannelFamily::kPiecewise:
    case ChannelFamily::kHybrid:
    case ChannelFamily::kPrivUnit:
      break;
  }
  return Error{ErrorCode::kUnsupported, "exact audit: channel " + std::string(name_of(family)) + " is inexact"};
}

struct ExactAudits {
  ExactPart part = ExactPart::kInexact;
  std::vector<NamedExactAudit> done;
  std::vector<std::string> skipped;
};

Status audit_features(const Mechanism& mechanism, const Channel& channel, ExactAudits& audits) {
  const ChannelFamily family = mechanism.spec().channel;
  for (const Domain& domain : scaled_down(channel.domain())) {
    const std::string name = std::string(name_of(family)) + ", " + name_of_domain(domain);
    auto audit = audit_small(family, domain, channel.claim());
    if (!audit && audit.error().code != ErrorCode::kUnsupported) return audit.error();
    if (audit)
      audits.done.push_back({name, std::move(*audit)});
    else
      audits.skipped.push_back(name);
  }
  audits.part = audits.done.empty() ? ExactPart::kTooLarge : ExactPart::kEnumerated;
  return {};
}

Result<ExactAudits> audit_exactly(const Mechanism& mechanism, const Release& release) {
  ExactAudits audits;
  if (release.channel().claim().exactness == Exactness::kExact) {
    const Status status = audit_features(mechanism, release.channel(), audits);
    if (!status) return status.error();
  }
  if (const Channel* label = release.label_channel()) {
    const std::int64_t classes = std::min(categories(label->domain()), kMostClasses);
    auto audit = audit_randomized_response(classes, label->claim().epsilon);
    if (!audit) return audit.error();
    audits.done.push_back({"label, " + std::to_string(classes) + " classes", std::move(*audit)});
  }
  return audits;
}

// Through Release::privatize, as a device would; the two records differ in their labels too.
Victim victim_of(const Release& release, RecordPair pair) {
  return [release, pair = std::move(pair)](std::size_t which, Entropy& entropy, std::span<std::int64_t> report) {
    const std::int32_t label[1] = {static_cast<std::int32_t>(which)};
    const std::size_t labels = release.takes_labels() ? 1 : 0;
    release.privatize(which == 0 ? pair.first : pair.second, {label, labels}, 1, entropy, report).or_throw();
  };
}

// Where the channel starts from: the record's point, joined with its label when they travel together.
std::vector<std::int64_t> start_of(const Release& release, const std::vector<std::int64_t>& point, std::int64_t label) {
  if (release.label_join() == nullptr) return point;
  std::vector<std::int64_t> joint(point_length(release.channel().domain()));
  release.label_join()->join(point, label, joint);
  return joint;
}

Scorer scorer_of(const Release& release, const RecordPair& pair) {
  const std::size_t features = release.channel().report_length();
  return [&release, first = start_of(release, pair.first_point, 0), second = start_of(release, pair.second_point, 1),
          features](Report report) {
    double score = release.channel().log_likelihood(report.first(features), first) -
                   release.channel().log_likelihood(report.first(features), second);
    if (const Channel* label = release.label_channel()) {
      const std::int64_t zero = 0;
      const std::int64_t one = 1;
      score += label->log_likelihood(report.last(1), {&zero, 1}) - label->log_likelihood(report.last(1), {&one, 1});
    }
    return score;
  };
}

}  // namespace

Verdict MechanismAudit::verdict() const {
  const bool holds = std::all_of(exact.begin(), exact.end(), [](const auto& named) { return named.audit.passed(); }) &&
                     constraint.escapes == 0 && !empirical.broken;
  if (!holds) return Verdict::kBroken;
  return exact_part == ExactPart::kTooLarge ? Verdict::kInconclusive : Verdict::kStands;
}

Result<MechanismAudit> audit_mechanism(const Mechanism& mechanism, const ReleaseParameters& parameters,
                                       InexactChannels inexact, const MechanismAuditOptions& options) {
  auto release = mechanism.release(parameters, inexact);
  if (!release) return release.error();
  auto exact = audit_exactly(mechanism, *release);
  if (!exact) return exact.error();
  const auto source = options.entropy ? options.entropy : [](std::size_t) { return std::make_unique<Entropy>(); };
  const auto entropy = source(0);
  const auto constraint = make_constraint(mechanism.spec());
  if (!constraint) return constraint.error();
  const ConstraintAudit hostile = audit_constraint(**constraint, options.hostile_inputs, *entropy);
  const auto pair = find_distant_pair(mechanism, *release, *entropy);
  if (!pair) return pair.error();

  const bool knows_the_law = mechanism.spec().channel != ChannelFamily::kDuchi ||
                             point_length(mechanism.domain()) <= kWidestQuadraticLikelihood;
  const Attack attack{victim_of(*release, *pair),
                      release->report_length(),
                      knows_the_law ? scorer_of(*release, *pair) : Scorer(),
                      options.reports,
                      options.alpha,
                      [&](std::size_t stream) { return source(stream + 1); }};
  auto empirical = audit_empirically(attack, release->claim().epsilon, release->claim().delta);
  if (!empirical) return empirical.error();
  return MechanismAudit{exact->part, std::move(exact->done), std::move(exact->skipped),
                        hostile,     std::move(*empirical),  knows_the_law};
}

}  // namespace sotto
