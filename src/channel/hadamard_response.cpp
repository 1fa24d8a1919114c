#include "sotto/channel/hadamard_response.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <string>

#include "sotto/kernel/exp_odds.h"
#include "sotto/kernel/uniform.h"

namespace sotto {
namespace {

// How the categories share out the symbols: b − 1 to a block, for the first row of the matrix tells nothing apart.
struct Layout {
  std::uint64_t categories, block;

  std::uint64_t symbols() const { return (categories + block - 2) / (block - 1) * block; }
  std::uint64_t half() const { return block / 2; }
  std::uint64_t block_of(std::uint64_t category) const { return category / (block - 1); }
  std::uint64_t row_of(std::uint64_t category) const { return category % (block - 1) + 1; }
  // An entry of the Hadamard matrix is 1 where the row and the column have an even number of bits in common.
  static bool is_positive(std::uint64_t row, std::uint64_t column) { return std::popcount(row & column) % 2 == 0; }
  bool owns(std::uint64_t category, std::uint64_t symbol) const {
    return symbol / block == block_of(category) && is_positive(row_of(category), symbol % block);
  }
};

double log_total(const Layout& layout, double epsilon) {
  const auto half = static_cast<double>(layout.half()), symbols = static_cast<double>(layout.symbols());
  return epsilon + std::log(half + (symbols - half) * std::exp(-epsilon));
}

class HadamardResponse final : public Channel {
 public:
  HadamardResponse(Layout layout, const Epsilon& epsilon, ExpOdds truth)
      : Channel(Product::categories(static_cast<std::int64_t>(layout.categories)),
                {epsilon, Delta::zero(), Exactness::kExact, "docs/proofs/categories.md"},
                {{0, static_cast<std::int64_t>(layout.symbols()) - 1}}),
        layout_(layout),
        truth_(truth),
        log_other_(-log_total(layout, epsilon.to_double())),
        log_own_(log_other_ + epsilon.to_double()),
        estimate_(std::exp(-log_own_) / (static_cast<double>(layout.half()) * -std::expm1(-epsilon.to_double()))) {}

 private:
  void draw(Point point, Entropy& entropy, std::span<std::int64_t> report) const override {
    const auto category = static_cast<std::uint64_t>(point[0]);
    report[0] = static_cast<std::int64_t>(truth_.heads(entropy) ? own_symbol(category, entropy)
                                                                : other_symbol(category, entropy));
  }

  // Changing one bit of the row turns every column that is not its own into one that is, two to one.
  std::uint64_t own_symbol(std::uint64_t category, Entropy& entropy) const {
    const std::uint64_t row = layout_.row_of(category);
    std::uint64_t column = uniform_below(layout_.block, entropy);
    if (!Layout::is_positive(row, column)) column ^= row & (~row + 1);
    return layout_.block_of(category) * layout_.block + column;
  }

  std::uint64_t other_symbol(std::uint64_t category, Entropy& entropy) const {
    std::uint64_t symbol = 0;
    do symbol = uniform_below(layout_.symbols(), entropy);
    while (layout_.owns(category, symbol));
    return symbol;
  }

  double log_pmf(Report report, Point point) const override {
    const bool own = layout_.owns(static_cast<std::uint64_t>(point[0]), static_cast<std::uint64_t>(report[0]));
    return own ? log_own_ : log_other_;
  }

  void unbias(Report report, std::span<double> point) const override {
    std::fill(point.begin(), point.end(), 0.0);
    const auto symbol = static_cast<std::uint64_t>(report[0]);
    const std::uint64_t first = symbol / layout_.block * (layout_.block - 1);
    for (std::uint64_t category = first; category < std::min(first + layout_.block - 1, layout_.categories); ++category)
      point[category] = layout_.owns(category, symbol) ? estimate_ : -estimate_;
  }

  Layout layout_;
  ExpOdds truth_;  // of the own symbols, b/2·e^ε against all others
  double log_other_, log_own_, estimate_;
};

}  // namespace

// The variance of the estimate for a category that nobody has, if the others are equally common. A report counts, one
// way or the other, when it lies in the category's block.
std::int64_t optimal_hadamard_block(std::int64_t categories, const Epsilon& epsilon) {
  const double e = epsilon.to_double();
  double least = std::numeric_limits<double>::infinity();
  std::int64_t best = 2;
  for (std::int64_t block = 2; block < 4 * categories; block *= 2) {
    const Layout layout{static_cast<std::uint64_t>(categories), static_cast<std::uint64_t>(block)};
    const auto half = static_cast<double>(layout.half());
    const double unit = std::exp(-log_total(layout, e)),
                 neighbours =
                     static_cast<double>(std::min(block - 2, categories - 1)) / static_cast<double>(categories - 1);
    const double in_block = half * unit * (2 + neighbours * std::expm1(e));
    const double size = 1 / (half * unit * std::expm1(e));
    if (in_block * size * size < least) {
      least = in_block * size * size;
      best = block;
    }
  }
  return best;
}

Result<std::unique_ptr<Channel>> make_hadamard_response(std::int64_t categories, const Epsilon& epsilon) {
  if (const Status status = validate(Domain(Product::categories(categories))); !status) return status.error();
  return make_hadamard_response(categories, optimal_hadamard_block(categories, epsilon), epsilon);
}

Result<std::unique_ptr<Channel>> make_hadamard_response(std::int64_t categories, std::int64_t block,
                                                        const Epsilon& epsilon) {
  if (const Status status = validate(Domain(Product::categories(categories))); !status) return status.error();
  constexpr std::int64_t kLargestBlock = std::int64_t{1} << 26;
  if (block < 2 || block > kLargestBlock || !std::has_single_bit(static_cast<std::uint64_t>(block)))
    return refuse("block: must be a power of two between 2 and 2^26, got " + std::to_string(block));
  const Layout layout{static_cast<std::uint64_t>(categories), static_cast<std::uint64_t>(block)};
  const auto truth = ExpOdds::make(layout.half(), layout.symbols() - layout.half(), epsilon.value().numerator(),
                                   epsilon.value().denominator());
  if (!truth) return truth.error();
  return std::unique_ptr<Channel>(std::make_unique<HadamardResponse>(layout, epsilon, *truth));
}

}  // namespace sotto
