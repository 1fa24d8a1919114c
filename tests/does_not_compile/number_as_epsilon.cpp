// misuse: -DSOTTO_DEVICE=1 -DMISUSE
// twin: -DSOTTO_DEVICE=1
// error: Epsilon.*double|no matching function for call to 'spend'
#include "sotto/privacy/epsilon.h"

int spend(const sotto::Epsilon& epsilon);

int main() {
#ifdef MISUSE
  return spend(1.0);
#else
  return spend(*sotto::Epsilon::parse("1"));
#endif
}
