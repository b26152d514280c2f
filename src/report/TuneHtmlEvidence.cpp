// The evidence of a tuning run: the search as a plot and a table, counters, the roofline, sizes.
#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "report/ChoiceReport.h"
#include "report/HtmlPage.h"
#include "report/KernelProfile.h"
#include "report/Plot.h"
#include "report/TuneHtml.h"

namespace hone::report {

namespace {

std::string tickTime(double microseconds) {
  if (microseconds < 1000) return fmt::format("{:g} µs", std::round(microseconds * 1e4) / 1e4);
  return microseconds < 1e6 ? fmt::format("{:g} ms", microseconds / 1e3)
                            : fmt::format("{:g} s", microseconds / 1e6);
}

std::string tickRate(double perSecond) {
  for (auto [unit, name] : {std::pair{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}})
    if (perSecond >= unit) return fmt::format("{:g} {}", std::round(perSecond / unit * 100) / 100, name);
  return fmt::format("{:g}", perSecond);
}

std::string describe(size_t number, const tune::Measurement& one, double original) {
  if (one.isOk())
    return fmt::format("{}: {}, {:.2f} times as fast: {}", number, timeText(timeOf(one)),
                       original / timeOf(one), one.recipe);
  return fmt::format("{}: {}: {}", number, worker::name(one.result.status), one.recipe);
}

// "2.3 us" of the terminal with the sign that a page can show.
std::string withMicro(std::string text) {
  if (text.ends_with(" us")) text.replace(text.size() - 2, 1, "µ");
  return text;
}

std::string legendItem(const std::string& kind, const std::string& text) {
  return fmt::format("<span><i class=\"{}\"></i>{}</span>", kind, escaped(text));
}

// What the compiler says, of the kernel of a variant that has most of it.
struct Figures {
  int registers = 0, shared = 0, local = 0, blocks = 0;
};
Figures figuresOf(const worker::Result& result) {
  Figures out;
  for (const worker::KernelFigures& kernel : result.kernels) {
    out.registers = std::max(out.registers, kernel.registers);
    out.shared = std::max(out.shared, kernel.sharedBytes);
    out.local = std::max(out.local, kernel.localBytes);
    if (kernel.blocksPerMultiprocessor)
      out.blocks =
          out.blocks ? std::min(out.blocks, kernel.blocksPerMultiprocessor) : kernel.blocksPerMultiprocessor;
  }
  return out;
}

std::string variantRow(size_t number, const std::string& recipe, const tune::Measurement& one,
                       double original, bool isChosen) {
  const Figures f = figuresOf(one.result);
  auto cell = [](const char* name, const std::string& text) {
    return fmt::format("<td class=\"n\" data-n=\"{}\">{}</td>", name, text);
  };
  auto count = [](int value) { return value ? fmt::format("{}", value) : std::string(); };
  const worker::Timing& t = one.result.timing;
  const bool hasTime = t.median > 0 && one.result.status != worker::Status::Invalid;
  std::string out = fmt::format("<tr{}><td class=\"n\" data-n=\"#\">{}</td>",
                                isChosen ? " class=\"chosen\"" : "", number ? fmt::format("{}", number) : "");
  out += fmt::format("<td class=\"t\"><code>{}</code>", escaped(recipe));
  if (!one.isOk())
    out += fmt::format(" <span class=\"at\">{}{}</span>", worker::name(one.result.status),
                       one.result.message.empty() ? "" : ": " + escaped(one.result.message.substr(0, 300)));
  out += "</td>";
  out += cell("time", hasTime ? timeText(t.median) : "");
  out += cell(
      "±", hasTime && t.high > t.low ? fmt::format("{:.1f} %", (t.high - t.low) / 2 / t.median * 100) : "");
  out += cell("times as fast", hasTime ? fmt::format("{:.2f}", original / t.median) : "");
  out += cell("model", one.predicted > 0 ? timeText(one.predicted) : "");
  out +=
      cell("registers", count(f.registers)) + cell("shared", count(f.shared)) + cell("local", count(f.local));
  return out + "</tr>\n";
}

}  // namespace

std::string variantTable(const TunedKernel& kernel) {
  const TuneReport& about = kernel.about;
  if (about.outcome.tried.empty()) return "";
  const double original = timeOf(about.outcome.original);
  std::string out =
      fmt::format("<details><summary>All {} variants in order</summary>", about.outcome.tried.size());
  out +=
      "<table class=\"stack\"><thead><tr><th>#</th><th "
      "class=\"t\">recipe</th><th>time</th><th>±</th><th>times as "
      "fast</th><th>model</th><th>registers</th><th>shared</th><th>local</th></tr></thead><tbody>";
  out += variantRow(0, "(the original)", about.outcome.original, original, about.chosen < 0);
  for (size_t i = 0; i < about.outcome.tried.size(); ++i)
    out += variantRow(i + 1, about.outcome.tried[i].measurement.recipe, about.outcome.tried[i].measurement,
                      original, static_cast<int>(i) == about.chosen);
  return out + "</tbody></table></details>";
}

std::string searchSection(const TunedKernel& kernel) {
  const TuneReport& about = kernel.about;
  const std::vector<tune::Tried>& tried = about.outcome.tried;
  const double original = timeOf(about.outcome.original);
  if (tried.empty() || original <= 0) return "";
  Plot plot;
  plot.title = "Time of each variant in the order in which they were measured";
  const auto last = static_cast<double>(tried.size());
  plot.x = {"variant",
            false,
            0,
            std::max(last, 1.0) + last * 0.02,
            [](double v) { return fmt::format("{:.0f}", v); },
            true};
  plot.y = {about.isModelled ? "estimated time" : "time", true, original, original, tickTime, false};
  bool hasFailed = false, hasSlow = false;
  for (const tune::Tried& one : tried) {
    const double time = timeOf(one.measurement);
    if (time <= 0 || (!one.measurement.isOk() && one.measurement.result.status != worker::Status::GivenUp))
      continue;
    plot.y.low = std::min(plot.y.low, time);
    plot.y.high = std::max(plot.y.high, time);
  }
  double best = original;
  PlotLine soFar{{{0, original}}, "best", "best so far"};
  for (size_t i = 0; i < tried.size(); ++i) {
    const tune::Measurement& one = tried[i].measurement;
    const auto x = static_cast<double>(i + 1);
    const std::string title = describe(i + 1, one, original);
    const bool isGivenUp = one.result.status == worker::Status::GivenUp && timeOf(one) > 0;
    if (one.isOk() && timeOf(one) < best) {
      soFar.points.emplace_back(x, best);
      best = timeOf(one);
      soFar.points.emplace_back(x, best);
    }
    if (one.isOk() || isGivenUp)
      plot.points.push_back({x, timeOf(one),
                             static_cast<int>(i) == about.chosen ? "chosen"
                             : isGivenUp                         ? "slow"
                                                                 : "right",
                             title});
    else
      plot.points.push_back({x, plot.y.high, "cross", title});
    hasFailed |= !one.isOk() && !isGivenUp;
    hasSlow |= isGivenUp;
  }
  soFar.points.emplace_back(last, best);
  // The chosen one lies over the others.
  std::partition(plot.points.begin(), plot.points.end(),
                 [](const PlotPoint& p) { return p.kind != "chosen"; });
  plot.lines.push_back({{{0, original}, {last, original}}, "original", "the original"});
  plot.lines.push_back(std::move(soFar));
  std::string out =
      "<h2>The search</h2><div class=\"plotbox\">" + responsiveSvg(plot) + "</div><p class=\"legend\">";
  out += legendItem("right", "a variant") + (about.chosen >= 0 ? legendItem("chosen", "chosen") : "") +
         legendItem("best", "best so far") +
         legendItem("original", fmt::format("the original, {}", timeText(original)));
  if (hasSlow) out += legendItem("slow", "given up: much slower");
  if (hasFailed) out += "<span><b class=\"cross\">×</b>could not run, or wrong</span>";
  out += "</p>";
  return out;
}

std::string rooflineSection(const TunedKernel& kernel) {
  const TuneReport& about = kernel.about;
  const double before = timeOf(about.outcome.original);
  if (before <= 0) return "";
  const tune::Work& work = about.work;
  const double peak = (work.isFp64 ? about.ceilings.fp64GFlops : about.ceilings.fp32GFlops) * 1e9;
  const double copy = about.ceilings.copyGBs * 1e9;
  const std::string head = "<h2>Roofline</h2>";
  auto without = [&](const std::string& why) {
    return head + fmt::format("<p class=\"note\">None: {}.</p>", escaped(why));
  };
  if (!about.ceilings.isKnown() || peak <= 0)
    return without("what the device reaches at most was not measured");
  if (!work.problem.empty()) return without("operations could not be counted: " + work.problem);
  if (work.bytes <= 0) return without("the kernel touches no array");
  if (work.flops <= 0) {
    const double time = about.chosen < 0
                            ? before
                            : timeOf(about.outcome.tried[static_cast<size_t>(about.chosen)].measurement);
    return without(
        fmt::format("the kernel does no floating-point arithmetic; it moves {} of data, {} of the {} B/s "
                    "that a copy reaches",
                    shortBytes(work.bytes), percent(work.bytes / (time * 1e-6) / copy), tickRate(copy)));
  }
  const double intensity = work.flops / work.bytes, ridge = peak / copy;
  Plot plot;
  plot.title = "Roofline: operations a second against operations for each byte";
  plot.x = {"floating-point operations for each byte of the arrays",
            true,
            std::min(intensity, ridge) / 8,
            std::max(intensity, ridge) * 8,
            [](double v) { return fmt::format("{:g}", std::round(v * 1e4) / 1e4); },
            false};
  auto rate = [&](double microseconds) { return work.flops / (microseconds * 1e-6); };
  const double low = std::min({rate(before), copy * plot.x.low});
  plot.y = {"operations a second", true, low, peak * 1.3, tickRate, false};
  plot.lines.push_back({{{plot.x.low, copy * plot.x.low}, {ridge, peak}}, "copy", "what a copy reaches"});
  plot.lines.push_back({{{ridge, peak}, {plot.x.high, peak}}, "flop", "what multiply-adds reach"});
  plot.points.push_back(
      {intensity, rate(before), "before",
       fmt::format("before: {}, {} operations a second", timeText(before), tickRate(rate(before)))});
  std::string reached;
  const double roof = std::min(peak, copy * intensity);
  double now = before;
  if (about.chosen >= 0) {
    now = timeOf(about.outcome.tried[static_cast<size_t>(about.chosen)].measurement);
    plot.points.push_back(
        {intensity, rate(now), "after",
         fmt::format("after: {}, {} operations a second", timeText(now), tickRate(rate(now)))});
  }
  plot.y.high = std::max(plot.y.high, rate(now));
  std::string out = head + "<div class=\"plotbox\">" + responsiveSvg(plot) + "</div><p class=\"legend\">";
  out += legendItem("before", fmt::format("before, {} of the roof", percent(rate(before) / roof)));
  if (about.chosen >= 0)
    out += legendItem("after", fmt::format("after, {} of the roof", percent(rate(now) / roof)));
  out += legendItem("copy", fmt::format("a copy, {}B/s", tickRate(copy)));
  out += legendItem("flop",
                    fmt::format("{}-bit multiply-adds, {}FLOP/s", work.isFp64 ? 64 : 32, tickRate(peak)));
  out += "</p>";
  return out + fmt::format(
                   "<p class=\"note\">The roof is {}. {} operations, counted on the embedded device; {} for "
                   "every array read once and "
                   "written once. A point above the slope finds data in caches.</p>",
                   about.areCeilingsMeasured
                       ? "measured on this device with a plain copy and a chain of multiply-adds"
                       : fmt::format("that of the description of {}, not measured", escaped(about.target)),
                   shortCount(work.flops), shortBytes(work.bytes));
}

std::string countersSection(const TunedKernel& kernel) {
  const TuneReport& about = kernel.about;
  const tune::Measurement* chosen =
      about.chosen < 0 ? nullptr : &about.outcome.tried[static_cast<size_t>(about.chosen)].measurement;
  std::string rows;
  auto row = [&](const std::string& name, const std::string& a, const std::string& b) {
    rows += fmt::format("<tr><td class=\"t\">{}</td><td>{}</td>{}</tr>", escaped(name), escaped(a),
                        chosen ? fmt::format("<td>{}</td>", escaped(b)) : "");
  };
  auto group = [&](const std::string& text) {
    rows += fmt::format("<tr class=\"group\"><td colspan=\"{}\">{}</td></tr>", chosen ? 3 : 2, escaped(text));
  };
  const Figures a = figuresOf(about.outcome.original.result),
                b = chosen ? figuresOf(chosen->result) : Figures();
  if (!about.outcome.original.result.kernels.empty() && !about.isModelled) {
    auto number = [&](const char* name, int x, int y, const char* unit, bool always) {
      if (always || x || y) row(name, fmt::format("{}{}", x, unit), fmt::format("{}{}", y, unit));
    };
    group("As compiled for " + about.device.name);
    number("registers of a thread", a.registers, b.registers, "", false);
    number("shared memory of a block", a.shared, b.shared, " B", true);
    number(about.device.kind == "opencl" ? "private memory of a thread" : "local memory of a thread (spills)",
           a.local, b.local, " B", true);
    number("blocks on a multiprocessor", a.blocks, b.blocks, "", false);
  }
  if (!about.before.launches.empty() && (!chosen || !about.after.launches.empty())) {
    group(fmt::format("Counted on the embedded device as {}{}", about.target,
                      about.estimatedAt.empty() ? "" : " with " + about.estimatedAt));
    for (const std::vector<std::string>& one : counterRows(about.before, chosen ? about.after : about.before))
      if (!one[1].empty() || !one[2].empty()) row(one[0], withMicro(one[1]), withMicro(one[2]));
  }
  if (rows.empty()) return "";
  return fmt::format(
      "<h2>Counters</h2><table><thead><tr><th></th><th>before</th>{}</tr></thead><tbody>{}</tbody></table>\n",
      chosen ? "<th>after</th>" : "", rows);
}

std::string sizesSection(const TunedKernel& kernel) {
  const TuneReport& about = kernel.about;
  if (about.sizeRows.empty()) return "";
  std::string out =
      "<h2>Sizes</h2><table class=\"stack\"><thead><tr><th "
      "class=\"t\">sizes</th><th>before</th><th>after</th><th>times as "
      "fast</th><th class=\"t\">what runs there</th><th>fastest there</th></tr></thead><tbody>";
  for (const tune::SizeRow& one : about.sizeRows) {
    const double factor = one.original > 0 && one.chosen > 0 ? one.original / one.chosen : 0;
    out += fmt::format(
        "<tr><td class=\"t\"><b>{}</b></td><td class=\"n\" data-n=\"before\">{} ±{:.1f} %</td><td "
        "class=\"n\" "
        "data-n=\"after\">{}</td><td class=\"n{}\" data-n=\"times as fast\">{:.2f}</td><td "
        "class=\"t\">{}</td><td "
        "class=\"n\" data-n=\"fastest there\">{}</td></tr>",
        escaped(one.sizes), timeText(one.original), one.spread * 100, timeText(one.chosen),
        factor >= 1.02                    ? " good"
        : factor < 1 - one.spread - 0.005 ? " bad"
                                          : "",
        factor, escaped(one.className), timeText(one.best));
  }
  out += "</tbody></table>";
  for (const std::string& line : about.classes) out += fmt::format("<p class=\"note\">{}</p>", escaped(line));
  return out;
}

}  // namespace hone::report
