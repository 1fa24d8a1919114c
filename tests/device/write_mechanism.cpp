// usage: write_mechanism FILE: a small mechanism for the tests of installed programs: two numbers through a linear
// encoder to the L1 ball, exact.
#include <cstdio>
#include <utility>

#include "sotto/mechanism/mechanism.h"

int main(int argc, char** argv) {
  using namespace sotto;
  if (argc != 2) return 2;
  const auto number = [](const char* name) { return Column{name, Column::Kind::kNumeric, -1, 1, {}}; };
  InputSchema input{std::nullopt, {number("x"), number("y")}};
  auto encoder = Network::make(2, {DenseLayer{2, 2, {1, 0.5F, -0.5F, 1}, {0, 0}, Activation::kTanh}});
  if (!encoder) return 1;
  const auto mechanism = Mechanism::make({std::move(input),
                                          std::nullopt,
                                          std::move(*encoder),
                                          L1LatticeSpec{1, 65536},
                                          ChannelFamily::kLatticeLaplace,
                                          {{"method", "by hand"}}});
  if (mechanism && mechanism->save(argv[1])) return 0;
  std::fputs("no mechanism was written\n", stderr);
  return 1;
}
