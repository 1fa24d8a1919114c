// Loads and stores of fewer values than a vector has, at the end of an array. Highway's own masked ones read and write
// whole vectors on machines without AVX2, and want them aligned.
#if defined(SOTTO_BACKPROP_FIRST_LANES_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SOTTO_BACKPROP_FIRST_LANES_H
#undef SOTTO_BACKPROP_FIRST_LANES_H
#else
#define SOTTO_BACKPROP_FIRST_LANES_H
#endif

#include <hwy/highway.h>

#include <algorithm>

HWY_BEFORE_NAMESPACE();
namespace sotto::HWY_NAMESPACE {

// The lanes behind are zero.
template <class Tag>
HWY_INLINE hwy::HWY_NAMESPACE::Vec<Tag> load_first(Tag tag, std::size_t count, const float* from) {
  HWY_ALIGN float lanes[hwy::HWY_NAMESPACE::MaxLanes(Tag())] = {};
  std::copy_n(from, count, lanes);
  return hwy::HWY_NAMESPACE::Load(tag, lanes);
}

template <class Tag>
HWY_INLINE void store_first(hwy::HWY_NAMESPACE::Vec<Tag> values, Tag tag, std::size_t count, float* to) {
  HWY_ALIGN float lanes[hwy::HWY_NAMESPACE::MaxLanes(Tag())];
  hwy::HWY_NAMESPACE::Store(values, tag, lanes);
  std::copy_n(lanes, count, to);
}

}  // namespace sotto::HWY_NAMESPACE
HWY_AFTER_NAMESPACE();
#endif
