// What the methods of `sotto train`, and `sotto tune`, ask for alike.
#pragma once

#include "command.h"
#include "sotto/data/dataset.h"
#include "sotto/mechanism/mechanism.h"
#include "sotto/mechanism/schema_json.h"
#include "sotto/train/loss_epochs.h"

namespace sotto::cli {

// What a record looks like, and which labels releases may carry.
struct SchemaOptions {
  std::string schema, image;
  std::int32_t classes = 0;

  void add_to(CLI::App& command);
  Schemas schemas() const;
};

struct TrainOptions : SchemaOptions {
  std::string input, output;
  bool json = false;

  void add_to(CLI::App& command);
};

struct LatticeOptions {
  std::size_t dimension = 8;
  std::int64_t resolution = std::int64_t{1} << 16;

  void add_to(CLI::App& command);
};

// "400,150,50", or "none".
std::vector<std::size_t> widths_from(const std::string& text);

// Training is unlabelled: a label schema only says which labels releases may carry.
Dataset load_unlabelled(const std::string& path, const InputSchema& schema);

// One line of progress, on standard error.
void print_epoch(const LossEpoch& epoch, std::size_t epochs, const char* what);

// Which changes leave an image what it is: the name of a set of them, or nothing. Encoders that were trained remember
// theirs.
inline constexpr const char* kUsualViews = "objects";
CLI::Option* add_views_option(CLI::App& command, std::string& views);
std::string views_of_training(const MechanismSpec& spec);

// The methods that live in files of their own.
void add_train_codes(CLI::App& train);
void add_train_crlm(CLI::App& train);
void add_train_aligned(CLI::App& train);
void add_train_directions(CLI::App& train);

}  // namespace sotto::cli
