// A declared experiment: data, split, series of mechanisms and learners, epsilons, trials, and what was published. Read
// from TOML (docs/guide.md); knows nothing of how a cell is computed.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "sotto/kernel/result.h"
#include "sotto/report/results.h"

namespace sotto {

// How records are shared out between mechanism and classifier.
enum class Protocol {
  kCollection,  // the mechanism sees unlabelled records of all classes [Man21, D.1.1]
  kNovelClass,  // of all classes but the last, which the classifier must then tell from the others [Man21, D.1.2]
};

enum class Metric {
  kCleanAccuracy,    // on records as they are
  kPrivateAccuracy,  // on records privatised with lambda · epsilon
};

// Settings of one series at one epsilon. What a TOML file does not say keeps the value given here.
struct Settings {
  // mechanism
  std::string encoder = "vrlm";     // vrlm, crlm, pca, aligned, identity, codes, directions
  std::string channel = "laplace";  // laplace; for identity feature-laplace, duchi, privunit; for codes theirs or plan
  std::string label = "split";      // split: with a share of epsilon of its own; joint: as one point with the features
  double lambda = 0.7;              // the features' share when split
  double l1_radius = 5;
  std::string epsilon_pretrain = "10";  // a number, learnt or none
  std::vector<std::size_t> hidden = {400, 150, 50};
  std::string likelihood = "bernoulli";
  double extra_reconstructions = 0;
  std::size_t dimension = 8;
  std::size_t epochs = 40, patience = 6;
  // learner
  std::string learner = "denoising";     // denoising, student, codes, discriminant, label-noise
  std::string codebook = "contrastive";  // where learner codes has its codes from: contrastive, representation
  std::size_t codes = 10;                // for learner codes, encoders aligned and codes; 0: as many as a plan says
  std::string contrastive = "dense";     // the network that finds them: dense, convolutional, wide
  std::size_t contrastive_epochs = 25;
  std::string views = "objects";       // what it sees past, in images of: objects, digits
  std::string clusters = "spherical";  // of its features: spherical, balanced, mixture, head
  std::string inference =
      "mechanism";  // private accuracy: of the mechanism's reports, or of the published classifier's
  std::string level = "representation";  // what is collected: representation, feature
  std::vector<std::size_t> classifier_hidden = {50};
  bool operator==(const Settings&) const = default;
};

struct Cell {
  MaybeEpsilon epsilon;
  Settings settings;
};

struct Series {
  std::string mechanism, channel, learner;  // as the table calls them
  std::size_t auxiliary_records = 0;        // 0: all that the split gives
  bool all_records = false;                 // the mechanism needs none: the classifier's part gets them too
  std::size_t reports = 0;                  // 0: all that the split gives
  std::vector<std::int32_t> relabel;        // what people are asked for instead of each class; none: the class itself
  std::vector<Cell> cells;
};

struct Experiment {
  std::string name, title, source;
  Protocol protocol = Protocol::kCollection;
  Metric metric = Metric::kCleanAccuracy;
  std::size_t trials = 3;
  std::size_t max_auxiliary = 0, max_reports = 0, max_tests = 0;  // 0: no limit
  std::vector<Series> series;
  std::vector<PublishedRow> published;
  std::vector<std::string> notes;
};

std::string_view name_of(Metric metric);

// `quick` applies the file's [quick] table: fewer records, epochs, trials and epsilons.
Result<Experiment> parse_experiment(std::string_view toml, bool quick);

// The experiments that come with the program.
std::vector<std::string> experiment_names();
Result<std::string> experiment_named(std::string_view name);  // its TOML

}  // namespace sotto
