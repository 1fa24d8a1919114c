#include "sotto/mechanism/mechanism.h"

#include <array>
#include <fstream>
#include <string>
#include <utility>

#include "sotto/channel/randomized_response.h"
#include "sotto/mechanism/factory.h"
#include "sotto/mechanism/safetensors.h"
#include "sotto/mechanism/spec_file.h"
#include "sotto/wire/atomic_file.h"

namespace sotto {
namespace {

Status check_decoder(const MechanismSpec& spec, const Decoder& decoder) {
  const auto wrong = [](const std::string& what) { return refuse("decoder: " + what); };
  const auto wrong_width = [&](const char* verb, std::size_t width, const char* what, std::size_t expected) {
    return wrong(verb + std::to_string(width) + " values, but " + what + " has " + std::to_string(expected));
  };
  if (decoder.network.input_width() != spec.encoder.output_width())
    return wrong_width("takes ", decoder.network.input_width(), "an encoding", spec.encoder.output_width());
  if (decoder.network.output_width() != spec.input.width())
    return wrong_width("gives ", decoder.network.output_width(), "a record", spec.input.width());
  if (std::holds_alternative<FeatureBoxSpec>(spec.constraint) ||
      std::holds_alternative<DirectionAndLengthSpec>(spec.constraint))
    return wrong("needs points that stand for one encoding each, as those of a lattice or a codebook do");
  return {};
}

Status check_fit(const MechanismSpec& spec, const Constraint& constraint) {
  if (spec.encoder.input_width() != spec.input.width())
    return refuse("encoder: takes " + std::to_string(spec.encoder.input_width()) + " values, but a record has " +
                  std::to_string(spec.input.width()));
  // A family either accepts a domain or not, whatever the parameters; ask with some that every family takes.
  const Delta delta =
      spec.channel == ChannelFamily::kLatticeGaussian ? Delta::parse("1e-5").value_or_throw() : Delta::zero();
  const auto channel = make_channel(spec.channel, constraint.domain(), Epsilon::parse("1").value_or_throw(), delta);
  if (!channel) return channel.error();
  return spec.decoder ? check_decoder(spec, *spec.decoder) : Status();
}

// What the features and the label get of ε.
struct Split {
  Epsilon features;
  std::optional<Epsilon> label;
};
Result<Split> split(const ReleaseParameters& parameters) {
  if (!parameters.lambda) return Split{parameters.epsilon, std::nullopt};
  const auto features = parameters.epsilon.times(*parameters.lambda);
  if (!features) return features.error();
  const auto label = parameters.epsilon.minus(*features);
  if (!label) return label.error();
  return Split{*features, *label};
}

}  // namespace

Mechanism::Mechanism(MechanismSpec spec, std::unique_ptr<Constraint> constraint, std::vector<std::byte> bytes)
    : spec_(std::make_shared<MechanismSpec>(std::move(spec))),
      constraint_(std::move(constraint)),
      bytes_(std::make_shared<std::vector<std::byte>>(std::move(bytes))),
      id_(sha256(*bytes_)) {}

Result<Mechanism> Mechanism::make(MechanismSpec spec) {
  auto bytes = write_spec(spec);
  if (!bytes) return bytes.error();
  return assemble(std::move(spec), std::move(*bytes));
}

Result<Mechanism> Mechanism::assemble(MechanismSpec spec, std::vector<std::byte> bytes) {
  if (const Status status = spec.input.validate(); !status) return status.error();
  if (spec.label) {
    if (const Status status = spec.label->validate(); !status) return status.error();
  }
  auto constraint = make_constraint(spec);
  if (!constraint) return constraint.error();
  if (const Status status = check_fit(spec, **constraint); !status) return status.error();
  return Mechanism(std::move(spec), std::move(*constraint), std::move(bytes));
}

Result<Mechanism> Mechanism::from_bytes(std::span<const std::byte> bytes) {
  auto spec = read_spec(bytes);
  if (!spec) return spec.error();
  auto mechanism = assemble(std::move(*spec), {bytes.begin(), bytes.end()});
  if (!mechanism) return Error{ErrorCode::kCorruptFile, "mechanism file: " + mechanism.error().message};
  return mechanism;
}

Result<Mechanism> Mechanism::load(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return Error{ErrorCode::kIo, "cannot open mechanism file " + path.string()};
  std::string content;
  std::array<char, 4096> chunk{};  // small: a WebAssembly stack may have 64 KiB in all
  while (file.read(chunk.data(), chunk.size()) || file.gcount() > 0) {
    content.append(chunk.data(), static_cast<std::size_t>(file.gcount()));
    if (content.size() > kMaxSafetensorsBytes) break;  // a device without end, say: refused as too long below
  }
  if (file.bad()) return Error{ErrorCode::kIo, "cannot read mechanism file " + path.string()};
  return from_bytes(std::as_bytes(std::span(content)));
}

Status Mechanism::save(const std::filesystem::path& path) const { return write_file_atomically(path, *bytes_); }

Result<Release> Mechanism::release(const ReleaseParameters& parameters, InexactChannels inexact) const {
  if (parameters.lambda && !spec_->label) return refuse("lambda: given, but this mechanism has no label to release");
  if (parameters.joint && (parameters.lambda || !spec_->label))
    return refuse(parameters.lambda ? "joint: given together with lambda; a label is released in one of the two ways"
                                    : "joint: given, but this mechanism has no label to release");
  std::shared_ptr<const LabelJoin> label_join;
  if (parameters.joint) {
    auto join = LabelJoin::make(domain(), static_cast<std::int64_t>(spec_->label->classes.size()));
    if (!join) return join.error();
    label_join = std::make_shared<LabelJoin>(std::move(*join));
  }
  const auto shares = split(parameters);
  if (!shares) return shares.error();
  auto channel =
      make_channel(spec_->channel, label_join ? label_join->domain() : domain(), shares->features, parameters.delta);
  if (!channel) return channel.error();
  Claim claim = (*channel)->claim();
  if (claim.exactness == Exactness::kInexact && inexact == InexactChannels::kRefuse)
    return Error{ErrorCode::kUnsupported,
                 "channel " + std::string(name_of(spec_->channel)) +
                     ": samples in floating point, so its claim is not proven for this program; "
                     "refused unless inexact channels are allowed for an experiment"};
  std::unique_ptr<Channel> label_channel;
  if (shares->label) {
    const auto classes = static_cast<std::int64_t>(spec_->label->classes.size());
    auto response = make_randomized_response(classes, *shares->label);
    if (!response) return response.error();
    auto composed = compose(claim, (*response)->claim());
    if (!composed) return composed.error();
    claim = std::move(*composed);
    label_channel = std::move(*response);
  }
  return Release(std::shared_ptr<const Network>(spec_, &spec_->encoder), constraint_, std::move(*channel),
                 std::move(label_channel), std::move(label_join), std::move(claim), {id_, parameters});
}

}  // namespace sotto
