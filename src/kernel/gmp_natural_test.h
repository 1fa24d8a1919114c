// For tests: a number of the GNU library as a Natural.
#pragma once

#include <gmp.h>

#include "sotto/kernel/natural.h"

namespace sotto {

inline Natural natural_of(mpz_srcptr value) {
  Natural result;
  for (std::size_t limb = mpz_size(value); limb-- > 0;) {
    result <<= 64;
    result += Natural(mpz_getlimbn(value, static_cast<mp_size_t>(limb)));
  }
  return result;
}

}  // namespace sotto
