// misuse: -DSOTTO_DEVICE=1
// twin:
// error: final.*Entropy|Entropy.*final
#include "sotto/kernel/entropy.h"

class Predictable : public sotto::Entropy {};

int main() { return 0; }
