// The first byte chooses header, labels, image and unknown categories; the rest is the file.
#include <cmath>

#include "read_twice.h"
#include "sotto/data/csv.h"

namespace {

using namespace sotto;

const InputSchema kTable = {
    .image = {},
    .columns = {{.name = "age", .kind = Column::Kind::kNumeric, .minimum = 0, .maximum = 120, .categories = {}},
                {.name = "job", .kind = Column::Kind::kCategorical, .categories = {"baker", "smith", ""}}}};
const InputSchema kImage = {.image = ImageShape{1, 1, 3}, .columns = {}};
const LabelSchema kLabel = {"income", {"low", "high"}};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const auto bytes = std::as_bytes(std::span(data, size)).subspan(1);
  const bool image = (data[0] & 4) != 0;
  const CsvOptions options = {
      .header = (data[0] & 1) != 0,
      .unknown_category = (data[0] & 8) != 0 ? UnknownCategory::kMissing : UnknownCategory::kRefuse};
  const std::optional<LabelSchema> label = (data[0] & 2) != 0 ? std::optional(kLabel) : std::nullopt;
  const auto outcome = fuzz::read_twice(
      [&] {
        return open_csv(ByteStream::from_bytes({bytes.begin(), bytes.end()}), image ? kImage : kTable, label, options);
      },
      bytes.size());
  for (const std::int32_t index : outcome.labels) fuzz::require(index == 0 || index == 1);
  for (std::size_t i = 0; i < outcome.values.size(); ++i) {
    const float value = outcome.values[i];
    if (image) fuzz::require(std::isnan(value) || (value >= 0 && value <= 1));
    if (!image && i % 2 == 1) fuzz::require(std::isnan(value) || value == 0 || value == 1 || value == 2);
  }
  return 0;
}
