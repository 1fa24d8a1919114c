// `sotto train aligned` sends each code of a codebook to a vertex of the L1 ball.
#include <iostream>
#include <memory>

#include "sotto/train/aligned_training.h"
#include "sotto/train/code_mechanism.h"
#include "sotto/train/laplace_mechanism.h"
#include "train_options.h"

namespace sotto::cli {
namespace {

struct AlignedCommand {
  std::string input, output, codes, hidden = "400,150,50";
  LatticeOptions lattice;
  AlignedTrainingOptions training;
  bool quiet = false, json = false;
};

void train_aligned(const AlignedCommand& options) {
  const Mechanism codebook = Mechanism::load(options.codes).value_or_throw();
  const std::size_t count = code_count(codebook).value_or_throw();
  const Dataset auxiliary = load_unlabelled(options.input, codebook.spec().input);
  AlignedTrainingOptions training = options.training;
  training.dimension = options.lattice.dimension;
  training.hidden = widths_from(options.hidden);
  const auto codes = codes_of(codebook, auxiliary).value_or_throw();
  double loss = 0;
  const Network encoder = sotto::train_aligned(auxiliary, codes, count, training, [&](const LossEpoch& epoch) {
                            loss = epoch.loss;
                            if (!options.quiet) print_epoch(epoch, training.epochs, "code loss");
                          }).value_or_throw();
  const Mechanism mechanism =
      Mechanism::make(laplace_mechanism(encoder, training.l1_radius, codebook.spec().input, codebook.spec().label,
                                        options.lattice.resolution,
                                        {{"method", "aligned"},
                                         {"auxiliary_records", std::to_string(auxiliary.rows)},
                                         {"codes", to_hex(codebook.id())},
                                         {"hidden", options.hidden},
                                         {"epsilon_pretrain", std::to_string(training.epsilon_pretrain)},
                                         {"epochs", std::to_string(training.epochs)},
                                         {"seed", std::to_string(training.seed)}}))
          .value_or_throw();
  mechanism.save(options.output).or_throw();
  if (options.json)
    std::cout << nlohmann::json{{"mechanism", options.output},         {"id", to_hex(mechanism.id())},
                                {"auxiliary_records", auxiliary.rows}, {"codes", count},
                                {"epochs", training.epochs},           {"code_loss", loss}}
                     .dump()
              << '\n';
  else
    std::cout << "trained on " << auxiliary.rows << " records of " << count << " codes for " << training.epochs
              << " epochs: code loss " << loss << " nats a record\nwrote " << options.output << " ("
              << mechanism.bytes().size() << " bytes)\n";
}

}  // namespace

void add_train_aligned(CLI::App& train) {
  auto options = std::make_shared<AlignedCommand>();
  AlignedTrainingOptions& training = options->training;
  CLI::App& aligned =
      *train.add_subcommand("aligned", "An encoder that sends each code to a vertex of the L1 ball, Laplace noise");
  aligned
      .add_option("--codes", options->codes, "Mechanism of `sotto train codes`; it also says what a record looks like")
      ->required();
  aligned.add_option("--input", options->input, "Auxiliary records: IDX, NPY or CSV, or - for standard input")
      ->required();
  aligned.add_option("--output", options->output, "Where to write the mechanism")->required();
  options->lattice.add_to(aligned);
  aligned.add_option("--l1-radius", training.l1_radius, "Radius of the L1 ball")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  aligned
      .add_option("--epsilon-pretrain", training.epsilon_pretrain,
                  "Noise while training, as the epsilon it would give. It promises nothing: epsilon is chosen at "
                  "release")
      ->check(CLI::PositiveNumber)
      ->required();
  aligned.add_option("--hidden", options->hidden, "Widths of the encoder's hidden layers, or none for a linear model")
      ->capture_default_str();
  aligned.add_option("--draws", training.draws, "Of noise for each record and epoch")
      ->check(CLI::Range(1, 10000))
      ->capture_default_str();
  aligned.add_option("--epochs", training.epochs, "Passes over the records")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  aligned.add_option("--batch", training.batch, "Records a step")->check(CLI::Range(1, 1 << 20))->capture_default_str();
  aligned.add_option("--learning-rate", training.learning_rate, "Of Adam")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  aligned.add_option("--seed", training.seed, "The same seed gives the same mechanism")->capture_default_str();
  aligned.add_flag("--quiet", options->quiet, "No progress");
  add_json_flag(aligned, options->json);
  aligned.footer(
      "Example: sotto train aligned --codes codes.sotto --input data/mnist/train-images-idx3-ubyte "
      "--epsilon-pretrain 10 --output aligned.sotto");
  aligned.callback([options] { train_aligned(*options); });
}

}  // namespace sotto::cli
