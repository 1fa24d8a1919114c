#include "train_options.h"

#include <cstdio>
#include <fstream>
#include <iterator>

#include "sotto/data/open_source.h"
#include "sotto/train/augmentation.h"

namespace sotto::cli {
namespace {

// "28x28" or "3x32x32".
InputSchema image_schema(const std::string& text) {
  std::vector<std::int32_t> extents;
  for (const std::string& part : CLI::detail::split(text, 'x')) {
    std::int32_t extent = 0;
    if (!CLI::detail::lexical_cast(part, extent)) extents.clear();
    extents.push_back(extent);
  }
  if (extents.size() == 2) extents.insert(extents.begin(), 1);
  InputSchema schema;
  if (extents.size() == 3) schema.image = ImageShape{extents[0], extents[1], extents[2]};
  if (!schema.image || !schema.validate())
    throw Failure(
        {ErrorCode::kInvalidArgument, "image: expected HEIGHTxWIDTH or CHANNELSxHEIGHTxWIDTH, such as 28x28"});
  return schema;
}

LabelSchema numbered_classes(std::int32_t classes) {
  LabelSchema label{"label", {}};
  for (std::int32_t i = 0; i < classes; ++i) label.classes.push_back(std::to_string(i));
  label.validate().or_throw();
  return label;
}

}  // namespace

void SchemaOptions::add_to(CLI::App& command) {
  auto* with_schema = command.add_option("--schema", schema, "JSON file that says what a record looks like");
  command.add_option("--image", image, "Records are images: 28x28, or 3x32x32")->excludes(with_schema);
  command.add_option("--classes", classes, "Releases may carry a label with this many classes")->excludes(with_schema);
}

Schemas SchemaOptions::schemas() const {
  if (!schema.empty()) {
    std::ifstream file(schema);
    if (!file) throw Failure({ErrorCode::kIo, "cannot open schema file " + schema});
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return parse_schemas(text).value_or_throw();
  }
  if (image.empty())
    throw Failure({ErrorCode::kInvalidArgument, "--image or --schema is needed to say what a record looks like"});
  Schemas schemas{image_schema(image), std::nullopt};
  if (classes != 0) schemas.label = numbered_classes(classes);
  return schemas;
}

void TrainOptions::add_to(CLI::App& command) {
  command.add_option("--input", input, "Auxiliary records: IDX, NPY or CSV, or - for standard input")->required();
  command.add_option("--output", output, "Where to write the mechanism")->required();
  SchemaOptions::add_to(command);
  add_json_flag(command, json);
}

void LatticeOptions::add_to(CLI::App& command) {
  command.add_option("--dimension", dimension, "Of the representation")->capture_default_str();
  command.add_option("--resolution", resolution, "Lattice steps from centre to surface")->capture_default_str();
}

std::vector<std::size_t> widths_from(const std::string& text) {
  std::vector<std::size_t> widths;
  if (text == "none") return widths;
  for (const std::string& part : CLI::detail::split(text, ',')) {
    std::size_t width = 0;
    if (!CLI::detail::lexical_cast(part, width) || width == 0)
      throw Failure({ErrorCode::kInvalidArgument,
                     "hidden: expected widths such as 400,150,50, or none for a linear model, got '" + text + "'"});
    widths.push_back(width);
  }
  return widths;
}

CLI::Option* add_views_option(CLI::App& command, std::string& views) {
  return command
      .add_option("--views", views,
                  "What images show, objects or digits, and so what may change in them (what the encoder was trained "
                  "with, else objects)")
      ->check(CLI::IsMember(std::vector<std::string>(kNamesOfViews.begin(), kNamesOfViews.end())));
}

std::string views_of_training(const MechanismSpec& spec) {
  const auto noted = spec.provenance.find("views");
  return noted == spec.provenance.end() ? kUsualViews : noted->second;
}

void print_epoch(const LossEpoch& epoch, std::size_t epochs, const char* what) {
  std::fprintf(stderr, "epoch %3zu/%zu  %s %.4f  %.1f s, %.0f s left\n", epoch.epoch, epochs, what, epoch.loss,
               epoch.seconds, epoch.seconds * static_cast<double>(epochs - epoch.epoch));
}

Dataset load_unlabelled(const std::string& path, const InputSchema& schema) {
  return load(*open_source({path, "", {}}, schema, std::nullopt).value_or_throw()).value_or_throw();
}

}  // namespace sotto::cli
