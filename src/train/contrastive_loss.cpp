#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sotto/train/contrastive_loss.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>
// Highway asks for this order.
#include <hwy/contrib/math/math-inl.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "sotto/backprop/gemm.h"
#include "sotto/train/contrastive_loss.h"

HWY_BEFORE_NAMESPACE();
namespace sotto::HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

// Turns values into exp(factor · value + shift), and returns their sum.
float exponentials(std::size_t size, float factor, float shift, float* values) {
  const auto at = [&](auto tag, std::size_t i) HWY_ATTR {
    const auto power = hn::MulAdd(hn::LoadU(tag, values + i), hn::Set(tag, factor), hn::Set(tag, shift));
    const auto result = hn::Exp(tag, power);
    hn::StoreU(result, tag, values + i);
    return result;
  };
  const hn::ScalableTag<float> wide;
  const hn::CappedTag<float, 1> single;
  auto sums = hn::Zero(wide);
  std::size_t i = 0;
  for (; i + hn::Lanes(wide) <= size; i += hn::Lanes(wide)) sums = hn::Add(sums, at(wide, i));
  float sum = hn::GetLane(hn::SumOfLanes(wide, sums));
  for (; i < size; ++i) sum += hn::GetLane(at(single, i));
  return sum;
}

}  // namespace sotto::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace sotto {
namespace {

HWY_EXPORT(exponentials);

constexpr float kLeastNorm = 1e-8F;  // a view of zero length has no direction; it then has no gradient either

float dot(const float* left, const float* right, std::size_t width) {
  float sum = 0;
  for (std::size_t i = 0; i < width; ++i) sum += left[i] * right[i];
  return sum;
}

void normalise(std::span<const float> views, std::size_t width, ContrastiveMemory& memory) {
  const std::size_t count = views.size() / width;
  memory.directions.resize(views.size());
  memory.norms.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    const float* view = views.data() + i * width;
    memory.norms[i] = std::max(std::sqrt(dot(view, view, width)), kLeastNorm);
    for (std::size_t j = 0; j < width; ++j) memory.directions[i * width + j] = view[j] / memory.norms[i];
  }
}

// Turns row i of the similarities into the softmax over all others minus the indicator of its partner; returns the
// loss.
double soften_row(std::span<float> row, std::size_t self, std::size_t partner, float temperature) {
  const float sharpness = 1 / temperature, partner_similarity = row[partner] * sharpness;
  row[self] = -std::numeric_limits<float>::infinity();
  const float largest = *std::ranges::max_element(row) * sharpness;
  const float sum = HWY_DYNAMIC_DISPATCH(exponentials)(row.size(), sharpness, -largest, row.data());
  for (float& value : row) value /= sum;
  row[partner] -= 1;
  return static_cast<double>(largest + std::log(sum) - partner_similarity);
}

}  // namespace

double contrastive_loss(std::span<const float> views, std::size_t width, float temperature, float weight,
                        ContrastiveMemory& memory, std::span<float> gradient) {
  const std::size_t count = views.size() / width, pairs = count / 2;
  normalise(views, width, memory);
  memory.similarities.resize(count * count);
  memory.direction_gradient.resize(views.size());
  const MatrixView directions{memory.directions.data(), count, width};
  multiply(directions, directions.transpose(), 0, memory.similarities.data());
  double loss = 0;
  for (std::size_t i = 0; i < count; ++i)
    loss += soften_row(std::span(memory.similarities).subspan(i * count, count), i, (i + pairs) % count, temperature);
  // Each similarity appears in two rows, once for either end.
  const MatrixView slopes{memory.similarities.data(), count, count};
  multiply(slopes, directions, 0, memory.direction_gradient.data());
  multiply(slopes.transpose(), directions, 1, memory.direction_gradient.data());
  const float scale = weight / (temperature * static_cast<float>(count));
  for (std::size_t i = 0; i < count; ++i) {
    const float* direction = memory.directions.data() + i * width;
    const float* slope = memory.direction_gradient.data() + i * width;
    const float along = dot(slope, direction, width);
    for (std::size_t j = 0; j < width; ++j)
      gradient[i * width + j] = scale * (slope[j] - along * direction[j]) / memory.norms[i];
  }
  return loss / static_cast<double>(count);
}

}  // namespace sotto
#endif
