// `sotto train`: mechanisms from auxiliary data.
#include <fstream>
#include <iostream>
#include <iterator>
#include <memory>

#include "command.h"
#include "sotto/data/dataset.h"
#include "sotto/data/open_source.h"
#include "sotto/linear/pca.h"
#include "sotto/mechanism/schema_json.h"

namespace sotto::cli {
namespace {

struct Options {
  std::string input, output, schema, image;
  std::int32_t classes = 0;
  std::size_t dimension = 8;
  double l1_radius = 0;
  std::int64_t resolution = std::int64_t{1} << 16;
  bool json = false;
};

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

Schemas schemas_of(const Options& options) {
  if (!options.schema.empty()) {
    std::ifstream file(options.schema);
    if (!file) throw Failure({ErrorCode::kIo, "cannot open schema file " + options.schema});
    const std::string text{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    return parse_schemas(text).value_or_throw();
  }
  Schemas schemas{image_schema(options.image), std::nullopt};
  if (options.classes != 0) schemas.label = numbered_classes(options.classes);
  return schemas;
}

void train_pca(const Options& options) {
  const Schemas schemas = schemas_of(options);
  // Training is unlabelled: a label schema only says which labels releases may carry.
  const auto source = open_source({options.input, "", {}}, schemas.input, std::nullopt).value_or_throw();
  const Dataset auxiliary = load(*source).value_or_throw();
  PcaOptions pca{options.dimension, std::nullopt, options.resolution};
  if (options.l1_radius != 0) pca.l1_radius = options.l1_radius;
  const PcaFit fit = fit_pca(auxiliary, schemas.input, schemas.label, pca).value_or_throw();
  const Mechanism mechanism = Mechanism::make(fit.spec).value_or_throw();
  mechanism.save(options.output).or_throw();
  if (options.json) {
    std::cout << nlohmann::json{{"mechanism", options.output},
                                {"id", to_hex(mechanism.id())},
                                {"auxiliary_records", auxiliary.rows},
                                {"explained_variance", fit.explained_variance},
                                {"l1_radius", fit.l1_radius}}
                     .dump()
              << '\n';
    return;
  }
  std::cout << "fitted " << options.dimension << " principal components to " << auxiliary.rows
            << " records: they explain " << static_cast<int>(fit.explained_variance * 1000 + 0.5) / 10.0
            << " % of the variance\n"
            << "wrote " << options.output << " (" << mechanism.bytes().size() << " bytes, l1_radius " << fit.l1_radius
            << ")\n";
}

}  // namespace

void add_train(CLI::App& app) {
  CLI::App& train = *app.add_subcommand("train", "Learn a mechanism from auxiliary data");
  train.require_subcommand(1);
  auto options = std::make_shared<Options>();
  CLI::App& pca = *train.add_subcommand("pca", "Principal components, L1 lattice, Laplace noise");
  pca.add_option("--input", options->input, "Auxiliary records: IDX, NPY or CSV, or - for standard input")->required();
  pca.add_option("--output", options->output, "Where to write the mechanism")->required();
  auto* schema = pca.add_option("--schema", options->schema, "JSON file that says what a record looks like");
  auto* image = pca.add_option("--image", options->image, "Records are images: 28x28, or 3x32x32");
  schema->excludes(image);
  pca.add_option("--classes", options->classes, "Releases may carry a label with this many classes")->excludes(schema);
  pca.add_option("--dimension", options->dimension, "Components to keep")->capture_default_str();
  pca.add_option("--l1-radius", options->l1_radius, "Radius of the L1 ball (default: median norm of the encodings)");
  pca.add_option("--resolution", options->resolution, "Lattice steps from centre to surface")->capture_default_str();
  add_json_flag(pca, options->json);
  pca.footer(
      "Example: sotto train pca --input data/mnist/train-images-idx3-ubyte --image 28x28 --classes 10 --output "
      "mnist.sotto");
  pca.callback([options] {
    if (options->schema.empty() && options->image.empty())
      throw Failure({ErrorCode::kInvalidArgument, "--image or --schema is needed to say what a record looks like"});
    train_pca(*options);
  });
}

}  // namespace sotto::cli
