// What a contrastive encoder learns to see past: versions of a record that should count as the same. Views of an image
// are moved and bent (augmentation.h), views of a table's record borrow columns from other records (table_views.h).
// One object per thread.
#pragma once

#include <cstdint>
#include <memory>
#include <span>

#include "sotto/data/dataset.h"
#include "sotto/encoder/network.h"
#include "sotto/kernel/seeded_entropy.h"
#include "sotto/train/augmentation.h"

namespace sotto {

class Views {
 public:
  virtual ~Views() = default;

  // The values of one view, which need not be as many as those of a record.
  virtual std::size_t width() const = 0;

  // Two views of each of the named auxiliary records: one of each in order, then the other of each. `views` has room
  // for 2·rows·width().
  virtual void draw(std::span<const std::uint32_t> rows, SeededEntropy& entropy, std::span<float> views) = 0;

  // What does to a record, as a device has it, what `on_views` does to a view in which nothing was changed.
  virtual Result<Network> on_records(const Network& on_views) const = 0;
};

struct ViewOptions {
  AugmentationOptions augmentation = kViewsOfObjects;  // of images
  float corruption = 0.6F;                             // of tables: the share of columns that a view borrows
};

// `auxiliary` must outlive the views.
Result<std::unique_ptr<Views>> make_views(const Dataset& auxiliary, const InputSchema& input,
                                          const ViewOptions& options);

}  // namespace sotto
