// A data scientist's program: seeded entropy is allowed here.
#include "sotto/kernel/result.h"
#include "sotto/kernel/seeded_entropy.h"
#include "sotto/privacy/epsilon.h"

#ifdef SOTTO_DEVICE
#error "sotto::sotto must not define SOTTO_DEVICE"
#endif

int main() {
  sotto::SeededEntropy one(1);
  sotto::SeededEntropy same(1);
  const sotto::Result<sotto::Epsilon> epsilon = sotto::Epsilon::parse("1.5");
  return epsilon && one.take<unsigned>() == same.take<unsigned>() ? 0 : 1;
}
