// Text inside HTML and SVG: what it says is what is shown, whatever it contains.
#pragma once

#include <string>
#include <string_view>

namespace sotto {

// For element content and for attribute values in either kind of quotes. Control characters become spaces.
std::string escape_markup(std::string_view text);

}  // namespace sotto
