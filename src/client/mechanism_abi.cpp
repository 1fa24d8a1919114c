// The functions of sotto.h about mechanisms.
#include <memory>
#include <span>
#include <utility>

#include "sotto/client/border.h"
#include "sotto/client/handles.h"
#include "sotto/client/words.h"

using sotto::client::guarded;
using sotto::client::missing;

sotto_status sotto_mechanism_load(const void* bytes, size_t size, sotto_mechanism** mechanism) {
  if (mechanism != nullptr) *mechanism = nullptr;
  return guarded([&]() -> sotto::Status {
    if (mechanism == nullptr) return missing("mechanism");
    if (bytes == nullptr) return missing("bytes");
    auto loaded = sotto::Mechanism::from_bytes({static_cast<const std::byte*>(bytes), size});
    if (!loaded) return loaded.error();
    std::string words = sotto::client::to_text(describe(*loaded));
    *mechanism = new sotto_mechanism{std::move(*loaded), std::move(words)};
    return {};
  });
}

void sotto_mechanism_free(sotto_mechanism* mechanism) { delete mechanism; }

const char* sotto_mechanism_description(const sotto_mechanism* mechanism) {
  return mechanism == nullptr ? nullptr : mechanism->words.c_str();
}

size_t sotto_mechanism_record_length(const sotto_mechanism* mechanism) {
  return mechanism == nullptr ? 0 : mechanism->mechanism.spec().input.width();
}

size_t sotto_mechanism_class_count(const sotto_mechanism* mechanism) {
  if (mechanism == nullptr || !mechanism->mechanism.spec().label) return 0;
  return mechanism->mechanism.spec().label->classes.size();
}

const char* sotto_mechanism_class_name(const sotto_mechanism* mechanism, size_t index) {
  if (index >= sotto_mechanism_class_count(mechanism)) return nullptr;
  return mechanism->mechanism.spec().label->classes[index].c_str();
}
