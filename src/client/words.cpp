#include "sotto/client/words.h"

#include <algorithm>
#include <string_view>

namespace sotto::client {
namespace {

// Also U+0080 to U+009F, two bytes each, which terminals obey as well.
std::string printable(std::string_view text) {
  std::string clean(text);
  for (std::size_t i = 0; i < clean.size(); ++i) {
    const auto byte = static_cast<unsigned char>(clean[i]);
    const auto next = static_cast<unsigned char>(i + 1 < clean.size() ? clean[i + 1] : '\0');
    if (byte < ' ' || byte == 0x7f) clean[i] = ' ';
    if (byte == 0xC2 && next >= 0x80 && next <= 0x9F) clean[i] = clean[i + 1] = ' ';
  }
  return clean;
}

}  // namespace

std::string to_text(const Description& description) {
  std::size_t width = 0;
  for (const auto& line : description) width = std::max(width, line.first.size());
  std::string text;
  for (const auto& [name, what] : description) {
    text += "  " + printable(name);
    text.append(width - name.size() + 2, ' ');
    text += printable(what) + '\n';
  }
  return text;
}

}  // namespace sotto::client
