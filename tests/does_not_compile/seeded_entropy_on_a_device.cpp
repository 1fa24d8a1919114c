// misuse: -DSOTTO_DEVICE=1
// twin:
// error: seeded entropy is for experiments
#include "sotto/kernel/seeded_entropy.h"

int main() { return sotto::SeededEntropy(1).take<unsigned>() == 0; }
