// An application on a data owner's device.
#include "sotto/kernel/entropy.h"
#include "sotto/kernel/result.h"
#include "sotto/privacy/epsilon.h"

#ifndef SOTTO_DEVICE
#error "sotto::device must define SOTTO_DEVICE"
#endif

int main() {
  sotto::Entropy entropy;
  (void)entropy.take<unsigned>();
  const sotto::Result<sotto::Epsilon> accepted = sotto::Epsilon::parse("1.5");
  const sotto::Result<sotto::Epsilon> refused = sotto::Epsilon::parse("much");
  return accepted && !refused && !refused.error().message.empty() ? 0 : 1;
}
