#include "sotto/report/svg.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <limits>

#include "sotto/report/axis.h"
#include "sotto/report/markup.h"

namespace sotto {
namespace {

constexpr int kColours = 8;
constexpr double kLineHeight = 17;

std::string number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.1f", value);
  return text;
}

std::string tick_text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%g", std::abs(value) < 1e-9 ? 0.0 : value);
  return text;
}

std::string line(double x1, double y1, double x2, double y2, const std::string& style) {
  return "<line class=\"" + style + "\" x1=\"" + number(x1) + "\" y1=\"" + number(y1) + "\" x2=\"" + number(x2) +
         "\" y2=\"" + number(y2) + "\"/>";
}

std::string text(double x, double y, const std::string& style, const std::string& content) {
  return "<text class=\"" + style + "\" x=\"" + number(x) + "\" y=\"" + number(y) + "\">" + escape_markup(content) +
         "</text>";
}

std::string style_of(const PlotSeries& series) {
  if (series.kind == SeriesKind::kCeiling) return series.colour % 2 == 0 ? "ceiling" : "ceiling second";
  return "c" + std::to_string(series.colour % kColours) + (series.kind == SeriesKind::kOurs ? " ours" : " published");
}

// A polygon of `corners`, or a circle when there are none, about (x, y).
std::string mark(const PlotSeries& series, double x, double y) {
  if (series.kind == SeriesKind::kCeiling) return "";
  struct Shape {
    int corners;
    double turn, radius;
  };
  constexpr double kPi = 3.14159265358979;
  constexpr std::array<Shape, 7> kShapes = {{{0, 0, 3.6},
                                             {4, kPi / 4, 4.4},
                                             {3, -kPi / 2, 4.9},
                                             {4, 0, 4.9},
                                             {3, kPi / 2, 4.9},
                                             {5, -kPi / 2, 4.5},
                                             {6, 0, 4.3}}};
  const Shape& shape = kShapes[static_cast<std::size_t>(series.colour) % kShapes.size()];
  if (shape.corners == 0)
    return "<circle cx=\"" + number(x) + "\" cy=\"" + number(y) + "\" r=\"" + number(shape.radius) + "\"/>";
  std::string points;
  for (int i = 0; i < shape.corners; ++i) {
    const double angle = shape.turn + 2 * kPi * i / shape.corners;
    points += number(x + shape.radius * std::cos(angle)) + "," + number(y + shape.radius * std::sin(angle)) + " ";
  }
  points.pop_back();
  return "<polygon points=\"" + points + "\"/>";
}

std::string tip(const PlotSeries& series, const PlotPoint& point) {
  std::string words = series.name + (point.epsilon ? ", ε = " + epsilon_text(point.epsilon) : ", no privacy") + ": " +
                      number(point.value);
  if (point.sd > 0) words += " ± " + number(point.sd);
  return "<title>" + escape_markup(words) + "</title>";
}

// Letters differ in width; this is what they take on average at the size of the labels, rounded up.
double width_of(const std::string& words) {
  const auto continues = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  return 6.6 * static_cast<double>(words.size() - std::count_if(words.begin(), words.end(), continues));
}

class Drawing {
 public:
  Drawing(const Plot& plot, PlotLayout layout) : plot_(plot), is_wide_(layout == PlotLayout::kWide) {
    measure();
    place();
  }

  std::string draw() {
    draw_axes();
    for (const SeriesKind kind : {SeriesKind::kCeiling, SeriesKind::kPublished, SeriesKind::kOurs})
      for (const PlotSeries& series : plot_.series)
        if (series.kind == kind) draw_series(series);
    draw_key();
    is_wide_ ? draw_labels() : draw_legend();
    return "<svg class=\"plot " + std::string(is_wide_ ? "wide" : "narrow") + "\" viewBox=\"0 0 " + number(width_) +
           " " + number(height_) + "\" role=\"img\" aria-label=\"" + escape_markup(plot_.title) + "\">" + out_ +
           "</svg>\n";
  }

 private:
  void measure() {
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const PlotSeries& series : plot_.series) {
      if (series.kind != SeriesKind::kCeiling) colours_ = std::max(colours_, series.colour + 1);
      for (const PlotPoint& point : series.points) {
        if (!point.epsilon) has_none_ |= series.kind != SeriesKind::kCeiling;
        if (point.epsilon) max_epsilon_ = std::max(max_epsilon_, *point.epsilon);
        if (point.epsilon && series.kind != SeriesKind::kCeiling) epsilons_.push_back(*point.epsilon);
        low = std::min(low, point.value - point.sd);
        high = std::max(high, point.value + point.sd);
      }
    }
    if (max_epsilon_ == 0) max_epsilon_ = 1;
    if (!(low < high)) low = (std::isfinite(low) ? low : 0) - 1, high = low + 2;
    ticks_ = nice_ticks(low, high, 5);
    std::sort(epsilons_.begin(), epsilons_.end());
  }

  void place() {
    double label_width = 0;
    for (const PlotSeries& series : plot_.series)
      if (series.has_label) {
        ++labels_;
        label_width = std::max(label_width, 34 + width_of(series.name));
      }
    width_ = is_wide_ ? 760 : 360;
    left_ = is_wide_ ? 46 : 34;
    top_ = 50;
    const double plot_height = is_wide_ ? std::max(330.0, kLineHeight * labels_) : 240;
    bottom_ = top_ + plot_height;
    height_ = bottom_ + 50 + (is_wide_ ? 0 : kLineHeight * labels_ + 6);
    const double none_width = has_none_ ? (is_wide_ ? 90 : 64) : 8;
    none_right_ = width_ - 2;
    none_left_ = none_right_ - none_width;
    label_width = is_wide_ ? std::min(label_width, 300.0) : (has_none_ ? 10 : 0);
    right_ = (has_none_ ? none_left_ : none_right_) - label_width;
  }

  double x_of(double epsilon) const { return left_ + 6 + (right_ - left_ - 14) * epsilon / max_epsilon_; }
  double y_of(double value) const {
    return bottom_ - (bottom_ - top_) * (value - ticks_.front()) / (ticks_.back() - ticks_.front());
  }
  // A place for each colour, so that ours and the published stand above one another.
  double none_x(const PlotSeries& series) const {
    const double inner = none_right_ - none_left_ - 16;
    return none_left_ + 8 + (colours_ > 1 ? inner * series.colour / (colours_ - 1) : inner / 2);
  }

  void draw_axes() {
    for (const double tick : ticks_) {
      const std::string style = tick == ticks_.front() ? "axis" : "grid";
      out_ += line(left_, y_of(tick), right_, y_of(tick), style);
      if (has_none_) out_ += line(none_left_, y_of(tick), none_right_, y_of(tick), style);
      out_ += text(left_ - 8, y_of(tick) + 4, "tick end", tick_text(tick));
    }
    double previous = -100;
    for (const double epsilon : epsilons_) {
      if (x_of(epsilon) - previous < 8 + width_of(tick_text(epsilon))) continue;
      previous = x_of(epsilon);
      out_ += line(previous, bottom_, previous, bottom_ + 4, "axis");
      out_ += text(previous, bottom_ + 18, "tick middle", tick_text(epsilon));
    }
    out_ += text((left_ + right_) / 2, bottom_ + 38, "name middle", plot_.x_label);
    out_ += text(2, 14, "name", plot_.y_label);
    if (!has_none_) return;
    out_ += text((none_left_ + none_right_) / 2, bottom_ + 18, "tick middle", "no privacy");
  }

  void draw_series(const PlotSeries& series) {
    out_ += "<g class=\"" + style_of(series) + "\">";
    std::string path;
    for (const PlotPoint& point : series.points)
      if (point.epsilon)
        path += (path.empty() ? "M" : "L") + number(x_of(*point.epsilon)) + " " + number(y_of(point.value));
    if (!path.empty()) out_ += "<path d=\"" + path + "\"/>";
    for (const PlotPoint& point : series.points) draw_point(series, point);
    out_ += "</g>";
  }

  void draw_point(const PlotSeries& series, const PlotPoint& point) {
    if (series.kind == SeriesKind::kCeiling) return;
    const double x = point.epsilon ? x_of(*point.epsilon) : none_x(series);
    if (point.sd > 0) {
      const double above = y_of(point.value + point.sd), below = y_of(point.value - point.sd);
      out_ += line(x, above, x, below, "bar") + line(x - 3, above, x + 3, above, "bar") +
              line(x - 3, below, x + 3, below, "bar");
    }
    out_ += "<g class=\"mark\">" + tip(series, point) + mark(series, x, y_of(point.value)) + "</g>";
  }

  // What the three kinds of line mean; only those that are there.
  void draw_key() {
    constexpr std::array kNames = {"sotto ± sd", "published", "ceiling"};
    double x = left_;
    for (const SeriesKind kind : {SeriesKind::kOurs, SeriesKind::kPublished, SeriesKind::kCeiling}) {
      const auto is_of_kind = [&](const PlotSeries& series) { return series.kind == kind; };
      if (std::none_of(plot_.series.begin(), plot_.series.end(), is_of_kind)) continue;
      const std::string name = kNames[static_cast<std::size_t>(kind)];
      PlotSeries sample = {"", kind, 0, false, {}};
      out_ += "<g class=\"" + style_of(sample) + " key\"><path d=\"M" + number(x) + " 30h26\"/></g>";
      out_ += text(x + 32, 34, "tick", name);
      x += 50 + width_of(name);
    }
  }

  void draw_name(const PlotSeries& series, double x, double y) {
    out_ += "<g class=\"" + style_of(series) + "\"><path d=\"M" + number(x) + " " + number(y) +
            "h20\"/><g class=\"mark\">" + mark(series, x + 10, y) + "</g></g>";
    out_ += text(x + 26, y + 4, series.kind == SeriesKind::kCeiling ? "label quiet" : "label", series.name);
  }

  void draw_labels() {
    struct End {
      const PlotSeries* series;
      double x, y;
    };
    std::vector<End> ends;
    for (const PlotSeries& series : plot_.series) {
      if (!series.has_label) continue;
      End end = {&series, right_, top_};
      for (const PlotPoint& point : series.points)
        if (point.epsilon) end.x = x_of(*point.epsilon), end.y = y_of(point.value);
      ends.push_back(end);
    }
    std::stable_sort(ends.begin(), ends.end(), [](const End& a, const End& b) { return a.y < b.y; });
    std::vector<double> wanted;
    for (const End& end : ends) wanted.push_back(end.y);
    const std::vector<double> places = spread_labels(wanted, kLineHeight, top_ + 2, bottom_ - 2);
    for (std::size_t i = 0; i < ends.size(); ++i) {
      out_ += line(ends[i].x + 7, ends[i].y, right_ + 5, places[i], "leader");
      draw_name(*ends[i].series, right_ + 8, places[i]);
    }
  }

  void draw_legend() {
    double y = bottom_ + 60;
    for (const PlotSeries& series : plot_.series) {
      if (!series.has_label) continue;
      draw_name(series, 2, y);
      y += kLineHeight;
    }
  }

  const Plot& plot_;
  const bool is_wide_;
  std::string out_;
  std::vector<double> epsilons_, ticks_;
  double max_epsilon_ = 0;
  bool has_none_ = false;
  int labels_ = 0, colours_ = 0;
  double width_, height_, left_, right_, top_, bottom_, none_left_, none_right_;
};

}  // namespace

std::string draw_svg(const Plot& plot, PlotLayout layout) { return Drawing(plot, layout).draw(); }

// The colours of Okabe and Ito, which people with any kind of colour vision tell apart, with two more of ours; lighter
// ones for a dark page.
std::string svg_style() {
  constexpr std::array<const char*, kColours> kLight = {"#0072b2", "#d55e00", "#009e73", "#c2609b",
                                                        "#d99000", "#4ba3dc", "#7d5ba6", "#8a6d3b"};
  constexpr std::array<const char*, kColours> kDark = {"#5cb0ea", "#ff8f52", "#34cfa2", "#eaa3cb",
                                                       "#f4bc45", "#9ad2f7", "#bfa3e6", "#cfae77"};
  std::string light, dark, classes;
  for (std::size_t i = 0; i < kColours; ++i) {
    const std::string n = std::to_string(i);
    light += "--c" + n + ":" + kLight[i] + ";";
    dark += "--c" + n + ":" + kDark[i] + ";";
    classes += ".plot .c" + n + "{color:var(--c" + n + ")}\n";
  }
  return ":root{" + light + "}\n@media(prefers-color-scheme:dark){:root{" + dark + "}}\n" + classes + R"(
.plot{display:block;width:100%;height:auto;font:12px system-ui,sans-serif;overflow:visible}
.plot.narrow{display:none}
@media(max-width:600px){.plot.wide{display:none}.plot.narrow{display:block}}
.plot text{fill:var(--ink)}
.plot .tick,.plot .quiet{fill:var(--quiet)}
.plot .end{text-anchor:end}
.plot .middle{text-anchor:middle}
.plot .grid{stroke:var(--rule);stroke-width:.7}
.plot .axis{stroke:var(--quiet);stroke-width:1}
.plot .leader{stroke:var(--rule);stroke-width:.8}
.plot .ceiling{color:var(--quiet)}
.plot path{fill:none;stroke:currentColor;stroke-width:2;stroke-linejoin:round}
.plot .published path{stroke-width:1.4;stroke-dasharray:5 4;opacity:.85}
.plot .ceiling path{stroke-width:1.6;stroke-dasharray:.1 4;stroke-linecap:round}
.plot .second path{stroke-dasharray:6 4 .1 4}
.plot .key path{color:var(--ink)}
.plot .mark{fill:currentColor;stroke:var(--paper);stroke-width:1}
.plot .published .mark{fill:var(--paper);stroke:currentColor;stroke-width:1.4}
.plot .bar{stroke:currentColor;stroke-width:1.2}
)";
}

}  // namespace sotto
