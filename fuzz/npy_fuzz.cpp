// The first byte chooses whether the numbers are pixels; the rest is the file.
#include "read_twice.h"
#include "sotto/data/npy.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace sotto;
  if (size == 0) return 0;
  const auto bytes = std::as_bytes(std::span(data, size)).subspan(1);
  const ValueScale scale = (data[0] & 1) != 0 ? ValueScale::kPixel : ValueScale::kAsStored;
  const auto outcome = fuzz::read_twice(
      [&] {
        return open_npy(ByteStream::from_bytes({bytes.begin(), bytes.end()}), scale);
      },
      bytes.size());
  if (scale == ValueScale::kAsStored) return 0;
  for (const float value : outcome.values) fuzz::require(!(value < 0 || value > 1));
  return 0;
}
