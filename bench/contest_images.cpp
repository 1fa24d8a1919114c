#include "contest_images.h"

#include "sotto/backprop/random.h"
#include "sotto/data/open_source.h"
#include "sotto/data/permutation.h"

namespace sotto::bench {
namespace {

bool are_real(const ContestOptions& options) { return !options.quick && !options.mnist.empty(); }

Dataset load_mnist(const std::filesystem::path& directory, std::size_t rows) {
  const InputSchema schema{.image = ImageShape{1, 28, 28}, .columns = {}};
  const SourceSpec source{(directory / "train-images-idx3-ubyte").string()};
  const Dataset all = load(*open_source(source, schema, std::nullopt).value_or_throw()).value_or_throw();
  auto order = permutation(static_cast<std::uint32_t>(all.rows), 1);
  order.resize(rows);
  return select_rows(all, order);
}

// A bright rectangle somewhere on a dark ground: as sparse as digits, and something to be learnt.
Dataset draw_images(std::size_t rows) {
  SeededEntropy entropy(2);
  Dataset data{rows, kPixels, std::vector<float>(rows * kPixels), {}};
  const auto below = [&](float bound) { return static_cast<std::size_t>(bound * draw_uniform(entropy)); };
  for (std::size_t row = 0; row < rows; ++row) {
    const std::size_t top = below(16), left = below(16), height = 4 + below(8), width = 4 + below(8);
    for (std::size_t y = top; y < top + height; ++y)
      for (std::size_t x = left; x < left + width; ++x)
        data.values[row * kPixels + y * 28 + x] = 0.5F + draw_uniform(entropy) / 2;
  }
  return data;
}

}  // namespace

Dataset contest_images(const ContestOptions& options, std::size_t rows) {
  return are_real(options) ? load_mnist(options.mnist, rows) : draw_images(rows);
}

std::string name_of_images(const ContestOptions& options, std::size_t rows) {
  return (are_real(options) ? "MNIST, " : "synthetic images, ") + std::to_string(rows) + " records";
}

}  // namespace sotto::bench
