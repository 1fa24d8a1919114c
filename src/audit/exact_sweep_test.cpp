// The exact audit of every exact channel on all the small domains that `sotto audit` uses, at several ε. Exhaustive
// rather than statistical, but it takes its time.
#include <gtest/gtest.h>

#include "sotto/audit/exact_audit.h"
#include "sotto/audit/mutants_test.h"
#include "sotto/audit/scaled_down.h"
#include "sotto/channel/distant_codes_test.h"
#include "sotto/channel/hadamard_response.h"
#include "sotto/channel/subset_selection.h"

namespace sotto {
namespace {

// Proves each of the domains that can be enumerated, and at least the smallest.
template <typename Set>
void expect_all_proved(const Domain& domain, bool tight,
                       const std::function<Result<ExactAudit>(const Set&)>& audit_of) {
  int proved = 0;
  for (const Domain& small : scaled_down(domain)) {
    const auto audit = audit_of(std::get<Set>(small));
    if (!audit && audit.error().code == ErrorCode::kUnsupported) continue;
    ASSERT_TRUE(audit) << audit.error().message;
    EXPECT_TRUE(audit->passed());
    EXPECT_EQ(audit->tight, tight);
    ++proved;
  }
  EXPECT_GE(proved, 1);
}

TEST(ExactSweep, LatticeLaplace) {
  for (const char* epsilon : {"0.001", "0.5", "1.4", "8"})
    expect_all_proved<L1Ball>(L1Ball{8, 65536}, true,
                              [=](const L1Ball& ball) { return audit_lattice_laplace(ball, eps(epsilon)); });
}

TEST(ExactSweep, LatticeGaussian) {
  const Delta delta = Delta::parse("1e-5").value_or_throw();
  for (const char* epsilon : {"0.01", "4"})
    expect_all_proved<L2Ball>(L2Ball{8, 2}, false,
                              [&](const L2Ball& ball) { return audit_lattice_gaussian(ball, eps(epsilon), delta); });
}

TEST(ExactSweep, FeatureLaplace) {
  const Product mixed{{{65537, true}, {5, false}, {65537, true}}};
  for (const char* epsilon : {"0.01", "1.4"})
    expect_all_proved<Product>(mixed, true,
                               [=](const Product& product) { return audit_feature_laplace(product, eps(epsilon)); });
}

TEST(ExactSweep, Duchi) {
  const Product box{std::vector<Coordinate>(8, {65537, true})};
  for (const char* epsilon : {"0.001", "1.4", "20"})
    expect_all_proved<Product>(box, true, [=](const Product& product) { return audit_duchi(product, eps(epsilon)); });
}

TEST(ExactSweep, CategoricalChannels) {
  for (const char* epsilon : {"0.001", "1.4", "20"}) {
    const auto levels = [](const Product& product) { return product.coordinates[0].levels; };
    expect_all_proved<Product>(Product::categories(1000), true, [&](const Product& product) {
      return audit_randomized_response(levels(product), eps(epsilon));
    });
    expect_all_proved<Product>(Product::categories(1000), true, [&](const Product& product) {
      return audit_subset_selection(levels(product), optimal_subset_size(levels(product), eps(epsilon)), eps(epsilon));
    });
    expect_all_proved<Product>(Product::categories(1000), true, [&](const Product& product) {
      return audit_hadamard_response(levels(product), optimal_hadamard_block(levels(product), eps(epsilon)),
                                     eps(epsilon));
    });
    expect_all_proved<Product>(codes_at_odd_distances(300, 8), false,
                               [&](const Product& codes) { return audit_exponential(codes, eps(epsilon)); });
  }
}

}  // namespace
}  // namespace sotto
