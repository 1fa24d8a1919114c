// Views of a table's record: one is the record itself, in the other each column is, with some probability, what another
// auxiliary record has there [BJTM22]. To tell which two belong together an encoder must see what the columns say
// together, for any one of them may be borrowed.
#pragma once

#include "sotto/train/table_coding.h"
#include "sotto/train/views.h"

namespace sotto {

class TableViews final : public Views {
 public:
  // A column is borrowed with probability `corruption`, which lies strictly between 0 and 1.
  TableViews(const Dataset& auxiliary, TableCoding coding, float corruption);

  std::size_t width() const override { return coding_.width(); }
  void draw(std::span<const std::uint32_t> rows, SeededEntropy& entropy, std::span<float> views) override;
  Result<Network> on_records(const Network& on_views) const override { return coding_.on_records(on_views); }

 private:
  const Dataset& auxiliary_;
  TableCoding coding_;
  std::uint64_t threshold_;  // of 2³²
};

}  // namespace sotto
