// What the opaque pointers of the C interface point to. None depends on another: each holds what it needs.
#pragma once

#include <mutex>
#include <string>

#include "sotto.h"
#include "sotto/mechanism/mechanism.h"
#include "sotto/privacy/ledger.h"

struct sotto_mechanism {
  sotto::Mechanism mechanism;
  std::string words;
};

struct sotto_release {
  sotto::Release release;
  std::string words;
};

struct sotto_ledger {
  explicit sotto_ledger(sotto::Ledger opened) : ledger(std::move(opened)) {}
  std::mutex mutex;  // for every use of the ledger
  sotto::Ledger ledger;
};
