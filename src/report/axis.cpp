#include "sotto/report/axis.h"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace sotto {

std::vector<double> nice_ticks(double low, double high, int parts) {
  const double rough = (high - low) / parts;
  const double power = std::pow(10, std::floor(std::log10(rough)));
  double step = 10 * power;
  for (const double candidate : {5.0, 2.0, 1.0})
    if (candidate * power >= rough * 0.999) step = candidate * power;
  std::vector<double> ticks;
  const double first = std::floor(low / step + 1e-9), last = std::ceil(high / step - 1e-9);
  for (double i = first; i <= last; ++i) ticks.push_back(i * step);
  return ticks;
}

std::vector<double> spread_labels(const std::vector<double>& wanted, double gap, double low, double high) {
  const std::size_t count = wanted.size();
  if (count > 1) gap = std::min(gap, (high - low) / static_cast<double>(count - 1));
  // Less i gaps each, the places need only ascend: isotonic regression, by pooling neighbours that do not.
  struct Pool {
    double sum;
    std::size_t size;
    double mean() const { return sum / static_cast<double>(size); }
  };
  std::vector<Pool> pools;
  for (std::size_t i = 0; i < count; ++i) {
    pools.push_back({wanted[i] - static_cast<double>(i) * gap, 1});
    while (pools.size() > 1 && pools[pools.size() - 2].mean() > pools.back().mean()) {
      const Pool last = pools.back();
      pools.pop_back();
      pools.back() = {pools.back().sum + last.sum, pools.back().size + last.size};
    }
  }
  std::vector<double> places;
  const double highest = high - (count == 0 ? 0 : static_cast<double>(count - 1) * gap);
  for (const Pool& pool : pools)
    for (std::size_t i = 0; i < pool.size; ++i)
      places.push_back(std::clamp(pool.mean(), low, std::max(low, highest)) + static_cast<double>(places.size()) * gap);
  return places;
}

}  // namespace sotto
