#include "report/Plot.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "report/HtmlPage.h"

namespace hone::report {

const char* const plotStyle = R"(
svg.plot { display: block; width: 100%; height: auto; font: 12px system-ui, "Segoe UI", Roboto, "Helvetica Neue", sans-serif; }
svg.plot.narrow { display: none; }
svg.plot text { fill: var(--soft); }
svg.plot .grid { stroke: var(--line); stroke-width: 1; }
svg.plot .frame { stroke: var(--before); stroke-width: 1; }
svg.plot .l { fill: none; stroke: var(--ink); stroke-width: 1.6; }
svg.plot .p { fill: var(--ink); stroke: var(--card); stroke-width: 1; }
svg.plot .p.cross { fill: none; stroke: var(--dram); stroke-width: 1.6; }
@media (max-width: 720px) { svg.plot.wide { display: none; } svg.plot.narrow { display: block; } }
)";

namespace {

constexpr double digitWidth = 6.8;  // of 12 px text, the widest common digits

// From values to places along one side of the plot.
class Scale {
 public:
  Scale(const PlotAxis& ofAxis, double from, double to) : axis(ofAxis), begin(from), end(to) {
    low = axis.low;
    high = axis.high;
    if (axis.isLog) {
      low = std::max(low, 1e-30);
      high = std::max(high, low);
      // Points do not lie on the frame.
      low /= 1.15;
      high *= 1.15;
      if (high / low < 2) low /= 1.4, high *= 1.4;
    } else if (high <= low) {
      high = low + 1;
    }
  }

  double at(double value) const {
    const double part = axis.isLog ? std::log(std::clamp(value, low, high) / low) / std::log(high / low)
                                   : (std::clamp(value, low, high) - low) / (high - low);
    return begin + part * (end - begin);
  }

  // Values worth a number, at most `most` of them.
  std::vector<double> ticks(size_t most) const {
    if (!axis.isLog) return linearTicks(most);
    std::vector<double> out;
    for (const std::vector<double>& steps : {std::vector<double>{1, 2, 3, 5, 7}, {1, 2, 5}, {1, 3}, {1}}) {
      out.clear();
      for (double decade = std::pow(10, std::floor(std::log10(low))); decade <= high; decade *= 10)
        for (double step : steps)
          if (decade * step >= low && decade * step <= high) out.push_back(decade * step);
      if (out.size() <= most) break;
    }
    if (out.size() > most) {
      const size_t every = (out.size() + most - 1) / most;
      std::vector<double> fewer;
      for (size_t i = 0; i < out.size(); i += every) fewer.push_back(out[i]);
      out = fewer;
    }
    return out;
  }

 private:
  std::vector<double> linearTicks(size_t most) const {
    double step = std::pow(10, std::floor(std::log10((high - low) / static_cast<double>(most))));
    for (double factor : {1.0, 2.0, 5.0, 10.0})
      if ((high - low) / (step * factor) <= static_cast<double>(most)) {
        step *= factor;
        break;
      }
    if (axis.isWhole) step = std::max(1.0, std::round(step));
    std::vector<double> out;
    for (double value = std::ceil(low / step) * step; value <= high + step * 1e-6; value += step)
      out.push_back(value);
    return out;
  }

  const PlotAxis& axis;
  double begin, end, low = 0, high = 1;
};

std::string textAt(double x, double y, const char* anchor, const std::string& text) {
  return fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"{}\">{}</text>", x, y, anchor,
                     escaped(text));
}

std::string titled(const std::string& title) {
  return title.empty() ? "" : fmt::format("<title>{}</title>", escaped(title));
}

size_t letters(const std::string& text) {
  return static_cast<size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xc0) != 0x80; }));
}

std::string svg(const Plot& plot, double width, double height, const char* kind) {
  constexpr double top = 24, bottom = 40, right = 14;
  // Ticks of the y axis do not depend on its place, so they tell how much room its numbers need.
  size_t widest = 1;
  for (double value : Scale(plot.y, 1, 0).ticks(7)) widest = std::max(widest, letters(plot.y.number(value)));
  const double left = 14 + digitWidth * static_cast<double>(widest);
  const Scale x(plot.x, left, width - right), y(plot.y, height - bottom, top);

  std::string out = fmt::format(
      "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"plot {}\" viewBox=\"0 0 {:.0f} {:.0f}\" "
      "role=\"img\" "
      "aria-label=\"{}\">\n",
      kind, width, height, escaped(plot.title));
  for (double value : y.ticks(7)) {
    const double at = y.at(value);
    out += fmt::format("<line class=\"grid\" x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\"/>", left,
                       at, width - right, at);
    out += textAt(left - 6, at + 4, "end", plot.y.number(value));
  }
  // As many numbers as fit beside each other, with room between them.
  size_t widestX = 1;
  for (double value : x.ticks(10)) widestX = std::max(widestX, letters(plot.x.number(value)));
  const auto fit =
      static_cast<size_t>((width - left - right) / (digitWidth * static_cast<double>(widestX) + 26));
  for (double value : x.ticks(std::clamp<size_t>(fit, 2, 12))) {
    const double at = x.at(value);
    out += fmt::format("<line class=\"grid\" x1=\"{0:.1f}\" y1=\"{1:.1f}\" x2=\"{0:.1f}\" y2=\"{2:.1f}\"/>",
                       at, top, height - bottom);
    // A number at the edge of the picture stays within it.
    const double half = digitWidth * static_cast<double>(letters(plot.x.number(value))) / 2;
    out += textAt(std::min(at, width - half - 1), height - bottom + 16, "middle", plot.x.number(value));
  }
  out += fmt::format("<path class=\"frame\" fill=\"none\" d=\"M{0:.1f} {1:.1f}V{2:.1f}H{3:.1f}\"/>\n", left,
                     top, height - bottom, width - right);
  out += textAt(4, 13, "start", plot.y.title);
  out += textAt(width - right, height - 5, "end", plot.x.title) + "\n";
  for (const PlotLine& line : plot.lines) {
    std::string path;
    for (const auto& [px, py] : line.points)
      path += fmt::format("{}{:.1f} {:.1f}", path.empty() ? "M" : "L", x.at(px), y.at(py));
    out += fmt::format("<path class=\"l {}\" d=\"{}\">{}</path>\n", line.kind, path, titled(line.title));
  }
  for (const PlotPoint& point : plot.points) {
    const double px = x.at(point.x), py = y.at(point.y);
    if (point.kind == "cross")
      out += fmt::format(
          "<path class=\"p cross\" d=\"M{0:.1f} {1:.1f}l7 7m0 -7l-7 7\"><title>{2}</title></path>\n",
          px - 3.5, py - 3.5, escaped(point.title));
    else
      out += fmt::format("<circle class=\"p {}\" cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{}\">{}</circle>\n",
                         point.kind, px, py, point.kind == "right" || point.kind == "slow" ? "3.5" : "5.5",
                         titled(point.title));
  }
  return out + "</svg>\n";
}

}  // namespace

std::string toSvg(const Plot& plot, double width, double height) { return svg(plot, width, height, ""); }

std::string responsiveSvg(const Plot& plot) {
  return svg(plot, 560, 330, "wide") + svg(plot, 352, 280, "narrow");
}

}  // namespace hone::report
