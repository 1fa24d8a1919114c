#include "sotto/cluster/merging.h"

#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace sotto {
namespace {

double x_log_x(double x) { return x > 0 ? x * std::log(x) : 0; }

// How views pass between clusters, symmetric; a cluster that was merged into another is no longer alive.
class Neighbourhood {
 public:
  Neighbourhood(std::vector<double> joint, std::size_t clusters)
      : clusters_(clusters), passage_(joint.size()), share_(clusters, 0), alive_(clusters) {
    for (std::size_t a = 0; a < clusters; ++a)
      for (std::size_t b = 0; b < clusters; ++b) {
        passage(a, b) = joint[a * clusters + b] + joint[b * clusters + a];
        share_[a] += passage(a, b);
      }
    std::iota(alive_.begin(), alive_.end(), 0U);
  }

  const std::vector<std::uint32_t>& alive() const { return alive_; }

  // By how much less one view would tell about the other. The scale is of no account.
  double loss_of_merging(std::size_t a, std::size_t b) const {
    double change = x_log_x(at(a, a) + 2 * at(a, b) + at(b, b)) - x_log_x(at(a, a)) - 2 * x_log_x(at(a, b)) -
                    x_log_x(at(b, b)) - 2 * (x_log_x(share_[a] + share_[b]) - x_log_x(share_[a]) - x_log_x(share_[b]));
    for (const std::uint32_t c : alive_)
      if (c != a && c != b) change += 2 * (x_log_x(at(a, c) + at(b, c)) - x_log_x(at(a, c)) - x_log_x(at(b, c)));
    return -change;
  }

  void merge(std::size_t into, std::size_t other) {
    for (std::size_t c = 0; c < clusters_; ++c) passage(into, c) += at(other, c);
    for (std::size_t c = 0; c < clusters_; ++c) passage(c, into) += at(c, other);
    share_[into] += share_[other];
    std::erase(alive_, other);
  }

 private:
  double& passage(std::size_t a, std::size_t b) { return passage_[a * clusters_ + b]; }
  double at(std::size_t a, std::size_t b) const { return passage_[a * clusters_ + b]; }

  std::size_t clusters_;
  std::vector<double> passage_, share_;
  std::vector<std::uint32_t> alive_;
};

}  // namespace

std::vector<std::uint32_t> merge_clusters(std::vector<double> joint, std::size_t clusters, std::size_t groups) {
  Neighbourhood neighbourhood(std::move(joint), clusters);
  std::vector<std::uint32_t> merged_into(clusters);
  std::iota(merged_into.begin(), merged_into.end(), 0U);
  while (neighbourhood.alive().size() > groups) {
    std::pair<std::uint32_t, std::uint32_t> nearest{};
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t a : neighbourhood.alive())
      for (const std::uint32_t b : neighbourhood.alive())
        if (a < b)
          if (const double loss = neighbourhood.loss_of_merging(a, b); loss < least) {
            least = loss;
            nearest = {a, b};
          }
    neighbourhood.merge(nearest.first, nearest.second);
    for (std::uint32_t& group : merged_into)
      if (group == nearest.second) group = nearest.first;
  }
  std::vector<std::uint32_t> number(clusters, 0);
  for (std::uint32_t i = 0; const std::uint32_t alive : neighbourhood.alive()) number[alive] = i++;
  for (std::uint32_t& group : merged_into) group = number[group];
  return merged_into;
}

}  // namespace sotto
