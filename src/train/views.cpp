#include "sotto/train/views.h"

#include <string>

#include "sotto/train/table_views.h"

namespace sotto {
namespace {

class ImageViews final : public Views {
 public:
  ImageViews(const Dataset& auxiliary, const ImageShape& shape, const AugmentationOptions& options)
      : auxiliary_(auxiliary), augmentation_(shape, options) {}

  std::size_t width() const override { return auxiliary_.width; }

  void draw(std::span<const std::uint32_t> rows, SeededEntropy& entropy, std::span<float> views) override {
    for (std::size_t i = 0; i < 2 * rows.size(); ++i)
      augmentation_.apply(std::span(auxiliary_.values).subspan(rows[i % rows.size()] * width(), width()), entropy,
                          views.subspan(i * width(), width()));
  }

  Result<Network> on_records(const Network& on_views) const override { return on_views; }

 private:
  const Dataset& auxiliary_;
  ImageAugmentation augmentation_;
};

}  // namespace

Result<std::unique_ptr<Views>> make_views(const Dataset& auxiliary, const InputSchema& input,
                                          const ViewOptions& options) {
  if (auxiliary.width != input.width())
    return refuse("auxiliary data: expected records of " + std::to_string(input.width()) + " values, got " +
                  std::to_string(auxiliary.width));
  if (input.image) return std::unique_ptr<Views>(new ImageViews(auxiliary, *input.image, options.augmentation));
  if (!(options.corruption > 0 && options.corruption < 1))
    return refuse("corruption: must lie between 0 and 1, both excluded, got " + std::to_string(options.corruption));
  auto coding = TableCoding::make(auxiliary, input.columns);
  if (!coding) return coding.error();
  return std::unique_ptr<Views>(new TableViews(auxiliary, std::move(*coding), options.corruption));
}

}  // namespace sotto
