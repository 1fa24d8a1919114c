// The first byte chooses whether the numbers are pixels; the rest is the file.
#include "read_twice.h"
#include "sotto/data/idx.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sotto;
  if (size == 0) return 0;
  const auto bytes = std::as_bytes(std::span(data, size)).subspan(1);
  const ValueScale scale = (data[0] & 1) != 0 ? ValueScale::kPixel : ValueScale::kAsStored;
  const auto outcome = fuzz::read_twice(
      [&] {
        return open_idx(ByteStream::from_bytes({bytes.begin(), bytes.end()}), scale);
      },
      bytes.size());
  const float largest = scale == ValueScale::kPixel ? 1 : 255;
  for (const float value : outcome.values) fuzz::require(value >= 0 && value <= largest);
  return 0;
}
