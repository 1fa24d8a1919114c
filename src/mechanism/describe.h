// Mechanisms and releases in words, for people who decide whether to run one.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sotto/mechanism/mechanism.h"

namespace sotto {

// A name and what there is to say about it, in the order in which a person would ask.
using Description = std::vector<std::pair<std::string, std::string>>;

Description describe(const Mechanism& mechanism);
Description describe(const Release& release);

}  // namespace sotto
