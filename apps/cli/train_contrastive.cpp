// `sotto train codes` and `sotto train crlm`: contrastive encoders of images and tables, for a codebook of their
// clusters or for the Laplace channel.
#include <algorithm>
#include <iostream>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <utility>
#include <vector>

#include "sotto/linear/code_decoder.h"
#include "sotto/train/code_mechanism.h"
#include "sotto/train/contrastive_training.h"
#include "sotto/train/laplace_mechanism.h"
#include "train_options.h"

namespace sotto::cli {
namespace {

struct ContrastiveCommand : TrainOptions {
  std::string encoder = "dense";
  ContrastiveTrainingOptions training;
  std::optional<std::size_t> epochs, batch;  // their defaults depend on the records and the encoder
  std::optional<float> temperature, learning_rate;
  std::string views;  // named ones, unless single options say otherwise
  struct ImageView {
    float AugmentationOptions::*size;
    CLI::Option* option;
  };
  std::vector<ImageView> image_views;
  std::vector<CLI::Option*> of_images, of_tables;  // what only one kind of record has
  bool quiet = false;

  // Fills in what depends on the records. Fails when an option does not go with them.
  void suit(const InputSchema& records);
  void choose_views(const std::string& usual);
};

struct CodesCommand : ContrastiveCommand {
  std::string channel = "subset_selection", clusters = "spherical", from;
  CodeOptions codes;
  bool no_decoder = false;
};

struct CrlmCommand : ContrastiveCommand {
  LatentOptions latent;
  LatticeOptions lattice;
};

struct Trained {
  Schemas schemas;
  Dataset auxiliary;
  Network encoder;
  std::optional<double> loss;  // none when the encoder was taken from elsewhere
  std::map<std::string, std::string> provenance;
};

void ContrastiveCommand::suit(const InputSchema& records) {
  for (const CLI::Option* option : records.image ? of_tables : of_images)
    if (option->count() > 0)
      throw Failure(refuse(option->get_name() + ": is for views of " +
                           (records.image ? "a table, got images" : "images, got a table")));
  if (!records.image && encoder != "dense")
    throw Failure(refuse("--encoder: " + encoder + " is for images, got a table"));
  if (!records.image) make_tabular(training);
  if (encoder != "dense") make_convolutional(training, encoder == "wide" ? kManyFilters : kFilters);
  training.epochs = epochs.value_or(training.epochs);
  training.batch = batch.value_or(training.batch);
  training.temperature = temperature.value_or(training.temperature);
  training.learning_rate = learning_rate.value_or(training.learning_rate);
}

void ContrastiveCommand::choose_views(const std::string& usual) {
  if (views.empty()) views = usual;
  const AugmentationOptions named = augmentation_named(views).value_or_throw();
  for (const ImageView& view : image_views)
    if (view.option->count() == 0) training.views.augmentation.*view.size = named.*view.size;
}

Trained train(ContrastiveCommand& options, const char* method) {
  ContrastiveTrainingOptions& training = options.training;
  Schemas schemas = options.schemas();
  options.suit(schemas.input);
  options.choose_views(kUsualViews);
  Dataset auxiliary = load_unlabelled(options.input, schemas.input);
  double loss = 0;
  Network encoder = train_contrastive(auxiliary, schemas.input, training, [&](const LossEpoch& epoch) {
                      loss = epoch.loss;
                      if (!options.quiet) print_epoch(epoch, training.epochs, "contrastive loss");
                    }).value_or_throw();
  std::map<std::string, std::string> provenance = {{"method", method},
                                                   {"auxiliary_records", std::to_string(auxiliary.rows)},
                                                   {"epochs", std::to_string(training.epochs)},
                                                   {"encoder", options.encoder},
                                                   {"temperature", std::to_string(training.temperature)},
                                                   {"seed", std::to_string(training.seed)}};
  if (schemas.input.image)
    provenance["views"] = options.views;
  else
    provenance["corruption"] = std::to_string(training.views.corruption);
  return {std::move(schemas), std::move(auxiliary), std::move(encoder), loss, std::move(provenance)};
}

// What both commands say of the mechanism that they have made.
nlohmann::json described(const ContrastiveCommand& options, const Trained& trained, const Mechanism& mechanism) {
  nlohmann::json document = {
      {"mechanism", options.output}, {"id", to_hex(mechanism.id())}, {"auxiliary_records", trained.auxiliary.rows}};
  if (trained.loss) {
    document["epochs"] = options.training.epochs;
    document["contrastive_loss"] = *trained.loss;
  }
  return document;
}

void print_text(const ContrastiveCommand& options, const Trained& trained, const Mechanism& mechanism,
                const std::string& found) {
  if (trained.loss)
    std::cout << "trained on " << trained.auxiliary.rows << " records for " << options.training.epochs
              << " epochs: contrastive loss " << *trained.loss << "\n";
  std::cout << found << "wrote " << options.output << " (" << mechanism.bytes().size() << " bytes)\n";
}

// For people who want to see the codes; without it the mechanism is whole.
void add_decoder(CodeFit& fit, const Dataset& auxiliary) {
  if (*std::max_element(fit.sizes.begin(), fit.sizes.end()) < kMinRecordsOfACode) {
    std::cerr << "no decoder: a code needs " << kMinRecordsOfACode << " auxiliary records for its mean to be shown\n";
    return;
  }
  fit.spec.decoder = fit_code_decoder(std::get<CodebookSpec>(fit.spec.constraint).centroids,
                                      fit.spec.encoder.output_width(), auxiliary, fit.code_of)
                         .value_or_throw();
}

// Codes of an encoder that was trained before, by whatever method.
Trained take_encoder(CodesCommand& options) {
  const Mechanism mechanism = Mechanism::load(options.from).value_or_throw();
  const MechanismSpec& spec = mechanism.spec();
  options.choose_views(views_of_training(spec));
  auto provenance = spec.provenance;
  provenance["codes_from"] = to_hex(mechanism.id());
  return {{spec.input, spec.label},
          load_unlabelled(options.input, spec.input),
          spec.encoder,
          std::nullopt,
          std::move(provenance)};
}

void train_codes(CodesCommand& options) {
  const Trained trained = options.from.empty() ? train(options, "codes") : take_encoder(options);
  CodeOptions codes = options.codes;
  codes.views = options.training.views;
  codes.assignment.method = code_method_named(options.clusters).value_or_throw();
  codes.assignment.seed = options.training.seed;
  codes.channel = channel_family_named(options.channel).value_or_throw();
  CodeFit fit = code_mechanism(trained.encoder, trained.auxiliary, trained.schemas.input, trained.schemas.label, codes,
                               trained.provenance)
                    .value_or_throw();
  if (!options.no_decoder) add_decoder(fit, trained.auxiliary);
  const Mechanism mechanism = Mechanism::make(fit.spec).value_or_throw();
  mechanism.save(options.output).or_throw();
  if (options.json) {
    nlohmann::json document = described(options, trained, mechanism);
    document["codes"] = codes.assignment.codes;
    document["code_sizes"] = fit.sizes;
    std::cout << document.dump() << '\n';
    return;
  }
  const auto [least, most] = std::minmax_element(fit.sizes.begin(), fit.sizes.end());
  print_text(options, trained, mechanism,
             "found " + std::to_string(codes.assignment.codes) + " codes of " + std::to_string(*least) + " to " +
                 std::to_string(*most) + " records\n");
}

void train_crlm(CrlmCommand& options) {
  options.latent.dimension = options.lattice.dimension;
  options.training.latent = options.latent;
  Trained trained = train(options, "crlm");
  trained.provenance["epsilon_pretrain"] = std::to_string(options.latent.epsilon_pretrain);
  const Mechanism mechanism =
      Mechanism::make(laplace_mechanism(trained.encoder, options.latent.l1_radius, trained.schemas.input,
                                        trained.schemas.label, options.lattice.resolution, trained.provenance))
          .value_or_throw();
  mechanism.save(options.output).or_throw();
  if (options.json)
    std::cout << described(options, trained, mechanism).dump() << '\n';
  else
    print_text(options, trained, mechanism, "");
}

// Which changes leave a record what it is depends on the records.
void add_views(CLI::App& command, ContrastiveCommand& options) {
  const auto add = [&](const char* name, float& value, const CLI::Range& range, const std::string& what) {
    return command.add_option(name, value, what)->check(range);
  };
  constexpr const char* kOfImages = "Views of an image that should look alike";
  add_views_option(command, options.views)->group(kOfImages);
  options.of_images.push_back(command.get_option("--views"));
  AugmentationOptions& augmentation = options.training.views.augmentation;
  const auto add_for_images = [&](const char* name, float AugmentationOptions::*size, double most,
                                  const std::string& what) {
    std::ostringstream usual;
    usual << " (" << kViewsOfObjects.*size << " for objects, " << kViewsOfDigits.*size << " for digits)";
    CLI::Option* option = add(name, augmentation.*size, CLI::Range(0.0, most), what + usual.str());
    option->group(kOfImages);
    options.image_views.push_back({size, option});
    options.of_images.push_back(option);
  };
  add_for_images("--rotation-degrees", &AugmentationOptions::rotation_degrees, 180,
                 "Turned by at most this, either way");
  add_for_images("--shift", &AugmentationOptions::shift, 1, "Moved by at most this share of a side, either way");
  add_for_images("--scale", &AugmentationOptions::scale, 0.9, "Stretched by 1 plus or minus at most this");
  add_for_images("--shear", &AugmentationOptions::shear, 2, "Sheared by at most this");
  add_for_images("--elastic", &AugmentationOptions::elastic, 1,
                 "Bent: standard deviation of the displacements, as a share of a side");
  add_for_images("--stroke-probability", &AugmentationOptions::stroke_probability, 1,
                 "Of strokes a pixel thinner or thicker");
  add_for_images("--erase-probability", &AugmentationOptions::erase_probability, 1,
                 "Of a box, of 1/7 to 2/7 a side, set to black");
  add_for_images("--mirror-probability", &AugmentationOptions::mirror_probability, 1, "Of left and right exchanged");
  add_for_images("--dimming", &AugmentationOptions::dimming, 1, "Of the light, at most this share is lost");
  options.of_tables.push_back(add("--corruption", options.training.views.corruption, CLI::Range(0.01, 0.99),
                                  "Share of the columns that a view takes from other records")
                                  ->capture_default_str());
  options.of_tables.back()->group("Views of a table's record that should look alike");
}

// What both commands take.
void add_contrastive(CLI::App& command, ContrastiveCommand& options) {
  ContrastiveTrainingOptions& training = options.training;
  options.add_to(command);
  command
      .add_option("--encoder", options.encoder,
                  "dense, or, for images, convolutional: slower and better; wide: more so, with twice the filters")
      ->check(CLI::IsMember({"dense", "convolutional", "wide"}))
      ->capture_default_str();
  ContrastiveTrainingOptions convolutional, tabular;
  make_convolutional(convolutional);
  make_tabular(tabular);
  const auto defaults = [&](auto option) {
    std::ostringstream text;
    text << " (" << training.*option << " for images, " << convolutional.*option << " with convolutions, "
         << tabular.*option << " for tables)";
    return text.str();
  };
  command
      .add_option("--epochs", options.epochs, "Passes over the records" + defaults(&ContrastiveTrainingOptions::epochs))
      ->check(CLI::Range(1, 100000));
  command
      .add_option("--batch", options.batch,
                  "Records a step, contrasted with one another" + defaults(&ContrastiveTrainingOptions::batch))
      ->check(CLI::Range(4, 1 << 20));
  command
      .add_option("--learning-rate", options.learning_rate,
                  "Of Adam, at its height" + defaults(&ContrastiveTrainingOptions::learning_rate))
      ->check(CLI::PositiveNumber);
  command
      .add_option("--temperature", options.temperature,
                  "Of the contrastive loss" + defaults(&ContrastiveTrainingOptions::temperature))
      ->check(CLI::PositiveNumber);
  command.add_option("--seed", training.seed, "The same seed gives the same mechanism")->capture_default_str();
  add_views(command, options);
  command.add_flag("--quiet", options.quiet, "No progress");
}

}  // namespace

void add_train_codes(CLI::App& train) {
  auto options = std::make_shared<CodesCommand>();
  CLI::App& codes = *train.add_subcommand("codes", "A contrastive encoder and a codebook of the records' clusters");
  add_contrastive(codes, *options);
  codes.add_option("--codes", options->codes.assignment.codes, "Clusters to look for")
      ->check(CLI::Range(2, 65536))
      ->capture_default_str();
  codes
      .add_option("--channel", options->channel,
                  "How codes are released. subset_selection: the least noise. hadamard_response: more, little so for "
                  "small epsilon, in reports of one symbol. randomized_response: good for few codes and much epsilon. "
                  "exponential: near codes rather than far ones, at most 1024 with their labels")
      ->check(CLI::IsMember({"subset_selection", "hadamard_response", "randomized_response", "exponential"}))
      ->capture_default_str();
  codes
      .add_option("--distortion-levels", options->codes.distortion_levels,
                  "For the channel exponential: the distance of the two codes that are farthest apart, in steps")
      ->check(CLI::Range(std::int64_t{1}, kMaxDistance))
      ->capture_default_str();
  codes.add_option("--from", options->from,
                   "A mechanism whose encoder to take, instead of training one: other codes of it cost seconds");
  codes
      .add_option(
          "--clusters", options->clusters,
          "spherical: k-means of directions. balanced: k-means of features, of even sizes. mixture: Gaussians of one "
          "covariance. head: borders that views of an image do not cross. residual: codes of --second-codes parts, one "
          "for what the first leaves over")
      ->check(CLI::IsMember({"spherical", "balanced", "mixture", "head", "residual"}))
      ->capture_default_str();
  codes
      .add_option("--second-codes", options->codes.assignment.second_codes,
                  "With --clusters residual: how many of the codes' parts say what is left over; divides --codes")
      ->check(CLI::Range(1, 65536))
      ->capture_default_str();
  codes
      .add_option("--restarts", options->codes.assignment.restarts, "Of the clustering; the tightest clusters are kept")
      ->check(CLI::Range(1, 1000))
      ->capture_default_str();
  codes.add_flag("--no-decoder", options->no_decoder,
                 "Leave out what shows the mean auxiliary image of each code (sotto inspect --html). The file is "
                 "smaller, and tells less of the auxiliary images");
  codes.footer(
      "Example: sotto train codes --views digits --input data/mnist/train-images-idx3-ubyte --image 28x28 --classes 10 "
      "--output "
      "codes.sotto\nExample: sotto train codes --input people.csv --schema people.schema.json --codes 8 --output "
      "codes.sotto");
  codes.callback([options] { train_codes(*options); });
}

void add_train_crlm(CLI::App& train) {
  auto options = std::make_shared<CrlmCommand>();
  CLI::App& crlm =
      *train.add_subcommand("crlm", "A contrastive encoder into the L1 ball, Laplace noise (the paper's C-RLM)");
  add_contrastive(crlm, *options);
  options->lattice.add_to(crlm);
  crlm.add_option("--l1-radius", options->latent.l1_radius, "Radius of the L1 ball")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  crlm.add_option("--epsilon-pretrain", options->latent.epsilon_pretrain,
                  "Noise while training, as the epsilon it would give. It promises nothing: epsilon is chosen at "
                  "release")
      ->check(CLI::PositiveNumber)
      ->required();
  crlm.footer(
      "Example: sotto train crlm --encoder convolutional --views digits --input data/mnist/train-images-idx3-ubyte "
      "--image 28x28 "
      "--classes 10 --epsilon-pretrain 10 --output crlm.sotto");
  crlm.callback([options] { train_crlm(*options); });
}

}  // namespace sotto::cli
