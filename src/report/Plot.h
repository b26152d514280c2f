// Plots of points and lines as SVG that stands in a page; colours come from the page's style by class.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace hone::report {

struct PlotPoint {
  double x = 0, y = 0;
  std::string kind;   // class: "right", "chosen"; "cross" ones are drawn as a cross
  std::string title;  // shown under the pointer
};

struct PlotLine {
  std::vector<std::pair<double, double>> points;
  std::string kind;
  std::string title;
};

struct PlotAxis {
  std::string title;
  bool isLog = false;
  double low = 0, high = 1;                   // what it must show; logarithmic ones widen it to round numbers
  std::function<std::string(double)> number;  // text of a tick
  bool isWhole = false;                       // ticks are whole numbers
};

struct Plot {
  std::string title;  // for those who do not see it
  PlotAxis x, y;
  std::vector<PlotLine> lines;
  std::vector<PlotPoint> points;
};

std::string toSvg(const Plot& plot, double width, double height);
// The same twice, for wide and for narrow screens; the page's style (plotStyle) shows one of them, so that
// text has one size on both.
std::string responsiveSvg(const Plot& plot);
extern const char* const plotStyle;

}  // namespace hone::report
