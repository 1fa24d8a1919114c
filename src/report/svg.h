// Draws a plot as inline SVG: ours solid with filled marks and error bars of one standard deviation, published numbers
// dashed with hollow marks, ceilings dotted (every second dot-dashed). Marks differ in shape as well as in colour; each
// says its numbers when pointed at. Colours are CSS variables, so the page decides about light and dark (`svg_style`
// has both).
#pragma once

#include <string>

#include "sotto/report/plot.h"

namespace sotto {

enum class PlotLayout {
  kWide,    // 760 units across, a name at the end of each curve
  kNarrow,  // 360 units across, names in a legend underneath: for phones
};

std::string draw_svg(const Plot& plot, PlotLayout layout);

// The style sheet the drawings need, for the page's <style>.
std::string svg_style();

}  // namespace sotto
