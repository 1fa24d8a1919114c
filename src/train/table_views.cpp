#include "sotto/train/table_views.h"

#include <algorithm>
#include <utility>

namespace sotto {

TableViews::TableViews(const Dataset& auxiliary, TableCoding coding, float corruption)
    : auxiliary_(auxiliary),
      coding_(std::move(coding)),
      threshold_(static_cast<std::uint64_t>(static_cast<double>(corruption) * 0x1p32)) {}

void TableViews::draw(std::span<const std::uint32_t> rows, SeededEntropy& entropy, std::span<float> views) {
  const std::size_t columns = auxiliary_.width;
  std::ranges::fill(views, 0.0F);
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const auto whole = views.subspan(i * width(), width());
    const auto corrupted = views.subspan((rows.size() + i) * width(), width());
    for (std::size_t column = 0; column < columns; ++column) {
      // One half of the bits says whether to borrow, the other from whom.
      const auto bits = entropy.take<std::uint64_t>();
      const std::uint64_t other = ((bits & 0xFFFFFFFF) * auxiliary_.rows) >> 32;
      const std::size_t source = (bits >> 32) < threshold_ ? static_cast<std::size_t>(other) : rows[i];
      coding_.write(column, auxiliary_.values[rows[i] * columns + column], whole);
      coding_.write(column, auxiliary_.values[source * columns + column], corrupted);
    }
  }
}

}  // namespace sotto
