// `sotto train codes` finds the clusters of images by itself and makes a codebook of them; `sotto train aligned` sends
// each of them to a vertex of the L1 ball.
#include <algorithm>
#include <cstdio>
#include <iostream>
#include <memory>

#include "sotto/train/aligned_mechanism.h"
#include "sotto/train/aligned_training.h"
#include "sotto/train/code_mechanism.h"
#include "sotto/train/contrastive_training.h"
#include "train_options.h"

namespace sotto::cli {
namespace {

struct CodesCommand : TrainOptions {
  std::string encoder = "dense", channel = "subset_selection";
  CodeOptions codes;
  ContrastiveTrainingOptions training;
  bool quiet = false;
};

struct AlignedCommand {
  std::string input, output, codes, hidden = "400,150,50";
  LatticeOptions lattice;
  AlignedTrainingOptions training;
  bool quiet = false, json = false;
};

void print_epoch(std::size_t epoch, std::size_t epochs, const char* what, double loss, double seconds) {
  std::fprintf(stderr, "epoch %3zu/%zu  %s %.4f  %.1f s, %.0f s left\n", epoch, epochs, what, loss, seconds,
               seconds * static_cast<double>(epochs - epoch));
}

void train_codes(CodesCommand& options) {
  if (options.encoder == "convolutional") make_convolutional(options.training);
  const Schemas schemas = options.schemas();
  if (!schemas.input.image)
    throw Failure({ErrorCode::kInvalidArgument, "schema: codes are found for images only, got a table of columns"});
  const Dataset auxiliary = load_unlabelled(options.input, schemas.input);
  double loss = 0;
  const Network encoder =
      train_contrastive(auxiliary, *schemas.input.image, options.training, [&](const LossEpoch& epoch) {
        loss = epoch.loss;
        if (!options.quiet) print_epoch(epoch.epoch, options.training.epochs, "contrastive loss", loss, epoch.seconds);
      }).value_or_throw();
  CodeOptions codes = options.codes;
  codes.seed = options.training.seed;
  codes.channel = channel_family_named(options.channel).value_or_throw();
  const CodeFit fit = code_mechanism(encoder, auxiliary, schemas.input, schemas.label, codes,
                                     {{"method", "codes"},
                                      {"auxiliary_records", std::to_string(auxiliary.rows)},
                                      {"epochs", std::to_string(options.training.epochs)},
                                      {"encoder", options.encoder},
                                      {"temperature", std::to_string(options.training.temperature)},
                                      {"seed", std::to_string(options.training.seed)}})
                          .value_or_throw();
  const Mechanism mechanism = Mechanism::make(fit.spec).value_or_throw();
  mechanism.save(options.output).or_throw();
  if (options.json) {
    std::cout << nlohmann::json{{"mechanism", options.output},
                                {"id", to_hex(mechanism.id())},
                                {"auxiliary_records", auxiliary.rows},
                                {"codes", codes.codes},
                                {"code_sizes", fit.sizes},
                                {"epochs", options.training.epochs},
                                {"contrastive_loss", loss}}
                     .dump()
              << '\n';
    return;
  }
  const auto [least, most] = std::minmax_element(fit.sizes.begin(), fit.sizes.end());
  std::cout << "trained on " << auxiliary.rows << " records for " << options.training.epochs
            << " epochs: contrastive loss " << loss << "\nfound " << codes.codes << " codes of " << *least << " to "
            << *most << " records\nwrote " << options.output << " (" << mechanism.bytes().size() << " bytes)\n";
}

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
                            if (!options.quiet)
                              print_epoch(epoch.epoch, training.epochs, "code loss", loss, epoch.seconds);
                          }).value_or_throw();
  const Mechanism mechanism =
      Mechanism::make(aligned_mechanism(encoder, training.l1_radius, codebook.spec().input, codebook.spec().label,
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

// Which changes leave an image what it is depends on the images.
void add_augmentation(CLI::App& command, AugmentationOptions& augmentation) {
  const auto add = [&](const char* name, float& value, double most, const char* what) {
    command.add_option(name, value, what)->check(CLI::Range(0.0, most))->capture_default_str();
  };
  const char* group = "Views of an image that should look alike; the defaults suit 28x28 digits";
  const std::size_t before = command.get_options().size();
  add("--rotation-degrees", augmentation.rotation_degrees, 180, "Turned by at most this, either way");
  add("--shift-pixels", augmentation.shift_pixels, 1000, "Moved by at most this, either way");
  add("--scale", augmentation.scale, 0.9, "Stretched by 1 plus or minus at most this");
  add("--shear", augmentation.shear, 2, "Sheared by at most this");
  add("--elastic-pixels", augmentation.elastic_pixels, 1000, "Bent: standard deviation of the displacements");
  add("--stroke-probability", augmentation.stroke_probability, 1, "Of strokes a pixel thinner or thicker");
  add("--erase-probability", augmentation.erase_probability, 1, "Of a box of 4 to 8 pixels a side set to black");
  const auto options = command.get_options();
  for (std::size_t i = before; i < options.size(); ++i) options[i]->group(group);
}

}  // namespace

void add_train_codes(CLI::App& train) {
  auto options = std::make_shared<CodesCommand>();
  ContrastiveTrainingOptions& training = options->training;
  CLI::App& codes = *train.add_subcommand("codes", "A contrastive encoder of images and a codebook of their clusters");
  options->add_to(codes);
  codes.add_option("--encoder", options->encoder, "dense, or convolutional: slower, and better at images")
      ->check(CLI::IsMember({"dense", "convolutional"}))
      ->capture_default_str();
  codes.add_option("--codes", options->codes.codes, "Clusters to look for")
      ->check(CLI::Range(2, 65536))
      ->capture_default_str();
  codes
      .add_option(
          "--channel", options->channel,
          "How codes are released. subset_selection: the least noise. hadamard_response: more, little "
          "so for small epsilon, in reports of one symbol. randomized_response: good for few codes and much epsilon")
      ->check(CLI::IsMember({"subset_selection", "hadamard_response", "randomized_response"}))
      ->capture_default_str();
  codes.add_option("--restarts", options->codes.restarts, "Of the clustering; the tightest clusters are kept")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  codes.add_option("--epochs", training.epochs, "Passes over the records")
      ->check(CLI::Range(1, 100000))
      ->capture_default_str();
  codes.add_option("--batch", training.batch, "Records a step, contrasted with one another")
      ->check(CLI::Range(4, 1 << 20))
      ->capture_default_str();
  codes.add_option("--learning-rate", training.learning_rate, "Of Adam, at its height")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  codes.add_option("--temperature", training.temperature, "Of the contrastive loss")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  codes.add_option("--seed", training.seed, "The same seed gives the same mechanism")->capture_default_str();
  add_augmentation(codes, training.augmentation);
  codes.add_flag("--quiet", options->quiet, "No progress");
  codes.footer(
      "Example: sotto train codes --input data/mnist/train-images-idx3-ubyte --image 28x28 --classes 10 --output "
      "codes.sotto");
  codes.callback([options] { train_codes(*options); });
}

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
