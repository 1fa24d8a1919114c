// `sotto train directions` tells in which direction a record lies, as a trained encoder sees it.
#include <iostream>
#include <memory>

#include "sotto/backprop/encode_all.h"
#include "sotto/linear/direction_mechanism.h"
#include "train_options.h"

namespace sotto::cli {
namespace {

struct DirectionsCommand {
  std::string from, input, output;
  DirectionOptions directions;
  bool json = false;
};

void train_directions(const DirectionsCommand& options) {
  const Mechanism source = Mechanism::load(options.from).value_or_throw();
  const MechanismSpec& spec = source.spec();
  const Dataset auxiliary = load_unlabelled(options.input, spec.input);
  const Dataset features{
      auxiliary.rows, spec.encoder.output_width(), encode_all(spec.encoder, auxiliary.values, auxiliary.rows), {}};
  const Mechanism mechanism =
      Mechanism::make(direction_mechanism(spec.encoder, features, spec.input, spec.label, options.directions,
                                          {{"method", "directions"},
                                           {"auxiliary_records", std::to_string(auxiliary.rows)},
                                           {"encoder_of", to_hex(source.id())}})
                          .value_or_throw())
          .value_or_throw();
  mechanism.save(options.output).or_throw();
  if (options.json)
    std::cout << nlohmann::json{{"mechanism", options.output},
                                {"id", to_hex(mechanism.id())},
                                {"auxiliary_records", auxiliary.rows},
                                {"dimension", options.directions.dimension}}
                     .dump()
              << '\n';
  else
    std::cout << "fitted " << options.directions.dimension << " directions to " << auxiliary.rows << " records\nwrote "
              << options.output << " (" << mechanism.bytes().size() << " bytes)\n";
}

}  // namespace

void add_train_directions(CLI::App& train) {
  auto options = std::make_shared<DirectionsCommand>();
  CLI::App& directions = *train.add_subcommand(
      "directions", "Directions in an encoder's features, for kinds of record that nobody has shown it");
  directions
      .add_option("--from", options->from,
                  "Mechanism whose encoder to take, of `sotto train codes` say; it also says what a record looks like")
      ->required();
  directions.add_option("--input", options->input, "Auxiliary records: IDX, NPY or CSV, or - for standard input")
      ->required();
  directions.add_option("--output", options->output, "Where to write the mechanism")->required();
  directions.add_option("--dimension", options->directions.dimension, "Leading components of the features")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  directions.add_option("--resolution", options->directions.resolution, "Steps of the lattice from centre to surface")
      ->check(CLI::Range(1, 1 << 20))
      ->capture_default_str();
  add_json_flag(directions, options->json);
  directions.footer(
      "Example: sotto train directions --from codes.sotto --input data/mnist/train-images-idx3-ubyte --output "
      "directions.sotto");
  directions.callback([options] { train_directions(*options); });
}

}  // namespace sotto::cli
