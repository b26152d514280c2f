#include "report/TuneHtml.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "report/ChoiceReport.h"
#include "report/HtmlPage.h"
#include "report/KernelProfile.h"
#include "report/Plot.h"

namespace hone::report {

namespace {

constexpr const char* tuneStyle = R"(
main { max-width: 1440px; }
.head h1 { font-size: 26px; line-height: 1.2; margin: 2px 0 4px; }
.head h1 em { font-style: normal; color: var(--good); }
.times { display: grid; grid-template-columns: max-content 1fr max-content; gap: 6px 12px; align-items: center; margin: 12px 0 4px; }
.times .bar { height: 18px; background: var(--track); border-radius: 4px; overflow: hidden; }
.times .bar i { display: block; height: 100%; background: var(--before); min-width: 2px; }
.times .bar.after i { background: var(--good); }
.times b { font-variant-numeric: tabular-nums; white-space: nowrap; }
.cols { display: grid; grid-template-columns: 1fr 1fr; gap: 0 28px; align-items: start; }
.cols > * { min-width: 0; }
.cols h2 { margin-top: 18px; }
ol.steps, ul.plain { margin: 0; padding: 0; list-style: none; display: grid; gap: 6px; }
ol.steps li { border-left: 3px solid var(--good); padding-left: 10px; overflow-wrap: anywhere; }
ul.plain li { border-left: 3px solid var(--line); padding-left: 10px; overflow-wrap: anywhere; }
ol.steps code, ul.plain code { font-weight: 600; }
.at { color: var(--soft); font-size: 13px; }
details > summary { cursor: pointer; color: var(--accent); margin: 6px 0; }
table { border-collapse: collapse; width: 100%; background: var(--card); border: 1px solid var(--line); }
th { text-align: right; font-weight: 600; font-size: 12.5px; color: var(--soft); padding: 5px 8px; border-bottom: 1px solid var(--line); vertical-align: bottom; }
td { padding: 3px 8px; text-align: right; vertical-align: top; font-size: 13px; font-variant-numeric: tabular-nums; border-top: 1px solid var(--line); overflow-wrap: anywhere; }
th.t, td.t { text-align: left; }
td.n { white-space: nowrap; }
tr.chosen td { background: var(--new); }
tr.group td { text-align: left; color: var(--soft); font-weight: 600; font-size: 12.5px; padding-top: 8px; }
td.good { color: var(--good); font-weight: 600; } td.bad { color: var(--dram); font-weight: 600; }
.plotbox { background: var(--card); border: 1px solid var(--line); border-radius: 7px; padding: 8px 8px 4px; }
svg.plot .l.best { stroke: var(--good); stroke-width: 2; } svg.plot .l.original { stroke: var(--before); stroke-dasharray: 6 4; }
svg.plot .l.copy { stroke: var(--accent); stroke-width: 2; } svg.plot .l.flop { stroke: var(--issue); stroke-width: 2; }
svg.plot .p.right { fill: var(--accent); } svg.plot .p.chosen, svg.plot .p.after { fill: var(--good); } svg.plot .p.before { fill: var(--before); } svg.plot .p.slow { fill: var(--l1); }
.legend i.best { background: var(--good); height: 3px; vertical-align: 3px; width: 16px; } .legend i.original { height: 0; border-top: 2px dashed var(--before); border-radius: 0; width: 18px; vertical-align: 4px; }
.legend i.copy { background: var(--accent); height: 3px; vertical-align: 3px; width: 16px; } .legend i.flop { background: var(--issue); height: 3px; vertical-align: 3px; width: 16px; }
.legend i.right, .legend i.chosen, .legend i.before, .legend i.after, .legend i.slow { border-radius: 50%; }
.legend i.right { background: var(--accent); } .legend i.chosen, .legend i.after { background: var(--good); } .legend i.before { background: var(--before); } .legend i.slow { background: var(--l1); }
.legend b.cross { color: var(--dram); margin-right: 5px; }
.panes { display: grid; grid-template-columns: 5fr 7fr; gap: 14px; align-items: start; }
.pane { min-width: 0; background: var(--card); border: 1px solid var(--line); border-radius: 7px; }
.pane h3 { font-size: 13px; margin: 0; padding: 6px 10px; border-bottom: 1px solid var(--line); color: var(--soft); overflow-wrap: anywhere; }
.pane pre { margin: 0; padding: 6px 0; counter-reset: none; }
.pane pre.long { max-height: 760px; overflow-y: auto; }
.pane pre > span { display: block; padding: 0 10px 0 52px; position: relative; white-space: pre-wrap; overflow-wrap: anywhere; min-height: 1.45em; font: 12px/1.45 ui-monospace, "SF Mono", Consolas, "DejaVu Sans Mono", monospace; }
.pane pre > span::before { content: attr(data-n); position: absolute; left: 0; width: 40px; text-align: right; color: var(--soft); user-select: none; opacity: .75; }
.pane .new { background: var(--new); } .pane .gone { background: var(--gone); }
.pane .c { color: var(--soft); } .pane .k { color: var(--accent); } .pane .s { color: var(--l2); }
nav { margin: 0 0 22px; }
nav a { color: inherit; overflow-wrap: anywhere; }
@media (max-width: 720px) {
  .head h1 { font-size: 21px; }
  .cols, .panes { grid-template-columns: minmax(0, 1fr); }
  .panes { gap: 10px; }
  .times { gap: 4px 8px; }
  table.stack, table.stack tbody { display: block; } table.stack thead { display: none; }
  table.stack tr { display: block; padding: 6px 10px; border-top: 1px solid var(--line); } table.stack tr:first-child { border-top: 0; }
  table.stack tr.chosen { background: var(--new); } table.stack tr.chosen td { background: none; }
  table.stack td { display: inline-block; border: 0; padding: 0 12px 0 0; text-align: left; }
  table.stack td.t { display: block; } table.stack td:empty { display: none; }
  table.stack td[data-n]::before { content: attr(data-n) " "; color: var(--soft); font-weight: 400; }
}
@media print { .pane pre.long { max-height: none; } }
)";

const tune::Tried* chosenOf(const TuneReport& about) {
  return about.chosen < 0 ? nullptr : &about.outcome.tried[static_cast<size_t>(about.chosen)];
}

double gain(const TuneReport& about) {
  const tune::Tried* chosen = chosenOf(about);
  return chosen && timeOf(chosen->measurement) > 0
             ? timeOf(about.outcome.original) / timeOf(chosen->measurement)
             : 1;
}

std::string spread(const tune::Measurement& one) {
  const worker::Timing& t = one.result.timing;
  return t.median > 0 && t.high > t.low ? fmt::format(" ±{:.1f} %", (t.high - t.low) / 2 / t.median * 100)
                                        : "";
}

// Lines of the kernel's own file go without its name.
std::string shortPlace(const TunedKernel& kernel, const TunePage& page, const ir::SourceLoc& loc) {
  const std::string place = page.placeOf(loc);
  const std::string file = kernel.about.place.substr(0, kernel.about.place.rfind(':') + 1);
  return place.starts_with(file) && !file.empty() ? "line " + place.substr(file.size()) : place;
}

std::string headline(const TuneReport& about) {
  const std::string name = fmt::format("<code style=\"font-size:inherit\">{}</code>", escaped(about.kernel));
  if (timeOf(about.outcome.original) <= 0) return name + " stays as it is";
  if (!chosenOf(about)) return name + " stays as it is: nothing faster was found";
  if (!about.sizeRows.empty()) {
    double logs = 0, least = 1e30, most = 0;
    for (const tune::SizeRow& row : about.sizeRows) {
      const double factor = row.original / row.chosen;
      logs += std::log(factor);
      least = std::min(least, factor);
      most = std::max(most, factor);
    }
    return fmt::format("{} {} <em>{} as fast</em> on average over {} sizes, {:.2f} to {:.2f} times", name,
                       about.isModelled ? "should run" : "runs",
                       factorText(std::exp(logs / static_cast<double>(about.sizeRows.size()))),
                       about.sizeRows.size(), least, most);
  }
  return fmt::format("{} {} <em>{} as fast</em>", name, about.isModelled ? "should run" : "runs",
                     factorText(gain(about)));
}

std::string bars(const TuneReport& about) {
  const double before = timeOf(about.outcome.original);
  if (before <= 0) return "";
  const tune::Tried* chosen = chosenOf(about);
  const double after = chosen ? timeOf(chosen->measurement) : 0, most = std::max(before, after);
  auto row = [&](const char* what, const char* kind, double time, const std::string& text) {
    return fmt::format("<span>{}</span><div class=\"bar{}\"><i style=\"width:{:.2f}%\"></i></div><b>{}</b>",
                       what, kind, 100 * time / most, text);
  };
  std::string out =
      "<div class=\"times\">" + row("before", "", before, timeText(before) + spread(about.outcome.original));
  if (chosen) out += row("after", " after", after, timeText(after) + spread(chosen->measurement));
  return out + "</div>";
}

// What the passes say they did, each with the pass that said it.
std::string changes(const TunedKernel& kernel, const TunePage& page) {
  const tune::Tried* chosen = chosenOf(kernel.about);
  if (!chosen)
    return fmt::format("<h2>What was changed</h2><p>Nothing: {}.</p>", escaped(kernel.about.reason));
  std::string out = "<h2>What was changed</h2><ol class=\"steps\">";
  std::set<std::string> said;
  for (const passes::Remark& remark : chosen->variant.remarks) {
    if (remark.kind != passes::RemarkKind::Done) continue;
    std::string one = fmt::format("<code>{}</code> {}", escaped(remark.pass), escaped(remark.text));
    if (said.insert(one).second)
      out += fmt::format("<li>{} <span class=\"at\">{}</span></li>", one,
                         escaped(shortPlace(kernel, page, remark.loc)));
  }
  out += "</ol>";
  out += fmt::format("<p class=\"note\">Recipe: <code>{}</code></p>", escaped(chosen->measurement.recipe));
  if (!kernel.placed.empty())
    out += fmt::format("<p class=\"note\">The new kernel stands {}.</p>", escaped(kernel.placed));
  return out;
}

// The counter that fell most, for people: "Reads from L2: 4.3 GB before, 270 MB now".
std::string largestChange(const TuneReport& about) {
  if (about.before.launches.empty() || about.after.launches.empty()) return "";
  sim::MemoryCount a, b;
  for (const tune::LaunchEstimate& launch : about.before.launches) a.add(launch.memory);
  for (const tune::LaunchEstimate& launch : about.after.launches) b.add(launch.memory);
  struct Counter {
    const char* name;
    uint64_t before, after;
    bool isSectors;
  };
  const Counter all[] = {{"Traffic with DRAM", a.dramSectors, b.dramSectors, true},
                         {"Traffic with the L2", a.l2Sectors, b.l2Sectors, true},
                         {"Requests to global memory", a.globalRequests(), b.globalRequests(), false},
                         {"Passes through the banks of shared memory", a.wavefronts, b.wavefronts, false}};
  const Counter* best = nullptr;
  auto fall = [](const Counter& one) {
    return static_cast<double>(one.before) / static_cast<double>(std::max<uint64_t>(1, one.after));
  };
  for (const Counter& one : all)
    if (fall(one) > 1.2 && (!best || fall(one) > fall(*best))) best = &one;
  if (!best) return "";
  auto text = [&](uint64_t count) {
    return best->isSectors ? shortBytes(32 * static_cast<double>(count))
                           : shortCount(static_cast<double>(count));
  };
  return fmt::format("{}: {} before, <b>{}</b> now <span class=\"at\">counted on the embedded device</span>",
                     best->name, text(best->before), text(best->after));
}

std::string reasons(const TunedKernel& kernel) {
  const TuneReport& about = kernel.about;
  std::string items;
  auto add = [&](const std::string& html) { items += "<li>" + html + "</li>"; };
  const std::string by = fmt::format("by the model of {}", escaped(about.target));
  auto limited = [&](const char* when, const tune::PlanEstimate& estimate) {
    const tune::LaunchEstimate* launch = estimate.longest();
    if (!launch) return;
    std::string why;
    for (const sim::TimeTerm& term : launch->time.terms)
      if (term.limiter == launch->time.limiter && why.empty()) why = term.why;
    add(fmt::format("{} it was limited by <b>{}</b>{} <span class=\"at\">{}</span>", when,
                    sim::str(launch->time.limiter), why.empty() ? "" : ": " + escaped(why), by));
  };
  limited("Before,", about.before);
  if (chosenOf(about)) {
    if (const tune::LaunchEstimate* launch = about.after.longest()) {
      std::string why;
      for (const sim::TimeTerm& term : launch->time.terms)
        if (term.limiter == launch->time.limiter && why.empty()) why = term.why;
      add(fmt::format("Now it is limited by <b>{}</b>{}", sim::str(launch->time.limiter),
                      why.empty() ? "" : ": " + escaped(why)));
    }
  }
  if (const std::string change = largestChange(about); chosenOf(about) && !change.empty()) add(change);
  const tune::Tried* chosen = chosenOf(about);
  const double time = chosen ? timeOf(chosen->measurement) : timeOf(about.outcome.original);
  if (about.ceilings.isKnown() && time > 0) {
    const double copy = about.work.bytes / (time * 1e3) / about.ceilings.copyGBs;
    const double peak = about.work.isFp64 ? about.ceilings.fp64GFlops : about.ceilings.fp32GFlops;
    const double flops = peak > 0 && about.work.problem.empty() ? about.work.flops / (time * 1e3) / peak : 0;
    if (copy > 0 || flops > 0)
      add(fmt::format("It reaches <b>{}</b> of what the device {} <span class=\"at\">{}</span>",
                      percent(std::max(copy, flops)), flops > copy ? "computes at most" : "copies at most",
                      about.areCeilingsMeasured ? "measured on this device"
                                                : "by the description of " + escaped(about.target)));
  }
  if (chosen && !about.isModelled)
    add(fmt::format("Its results are the original's on {}, and at other sizes on the embedded device",
                    escaped(about.device.name)));
  else if (chosen)
    add(about.isVerified ? "Its results are the original's on the embedded device"
                         : "Its results were not compared with the original's");
  size_t failed = 0;
  for (const tune::Tried& one : about.outcome.tried)
    failed += !one.measurement.isOk() && one.measurement.result.status != worker::Status::GivenUp;
  if (!about.outcome.tried.empty())
    add(fmt::format("{} variant{} {}{}; ended after {}", about.outcome.tried.size(),
                    about.outcome.tried.size() == 1 ? " was" : "s were",
                    about.isModelled ? "estimated" : "measured",
                    failed ? fmt::format(", {} of them could not run or were wrong", failed) : "",
                    escaped(about.outcome.stopped)));
  return "<h2>Why</h2><ul class=\"plain\">" + items + "</ul>";
}

// Passes that refused and are not part of what was done, each with its first reason.
std::string refusals(const TunedKernel& kernel, const TunePage& page) {
  const tune::Tried* chosen = chosenOf(kernel.about);
  std::set<const passes::Pass*> known;
  if (chosen)
    for (const passes::PassCall& call : chosen->variant.recipe.calls) known.insert(call.pass);
  std::string items;
  for (const tune::Refused& one : kernel.about.refused) {
    if (!known.insert(one.pass).second) continue;
    items += fmt::format("<li><code>{}</code> {} <span class=\"at\">{}</span></li>", escaped(one.pass->name),
                         escaped(one.refusal.reason), escaped(shortPlace(kernel, page, one.refusal.place)));
  }
  for (const std::string& recipe : kernel.about.rejected)
    items += fmt::format("<li>Fast, and wrong at other sizes: <code>{}</code></li>", escaped(recipe));
  return items.empty() ? "" : "<h2>What was not done, and why</h2><ul class=\"plain\">" + items + "</ul>";
}

std::string conditions(const TuneReport& about, const TunePage& page) {
  std::string out = "<h2>How it was measured</h2>";
  if (about.isModelled) {
    out += fmt::format(
        "<p class=\"note\">Nothing was measured: times are those of the model of {} for what the embedded "
        "device counted "
        "when it ran blocks of each variant.</p>",
        escaped(about.target));
  } else {
    const worker::Result& r = about.outcome.original.result;
    out += fmt::format("<p class=\"note\">{}, driver {}{}{}.", escaped(about.device.name),
                       escaped(about.device.driver),
                       r.conditions.clockMHz ? fmt::format(", {} MHz", r.conditions.clockMHz) : "",
                       r.conditions.temperature ? fmt::format(", {} °C", r.conditions.temperature) : "");
    if (r.timing.samples)
      out += fmt::format(
          " Medians of {} or more samples by the device's own clock, of {} run{} each{}; ± holds the median "
          "with 95 %.",
          std::min<unsigned>(r.timing.samples, 7), std::max(1u, r.timing.launchesPerSample),
          r.timing.launchesPerSample > 1 ? "s" : "",
          r.timing.sets > 1 ? fmt::format(" over {} sets of the arrays", r.timing.sets) : "");
    out += " Every variant's results were compared with the original's on the device.</p>";
  }
  if (!page.command.empty())
    out += fmt::format("<p class=\"note\"><code>{}</code></p>", escaped(page.command));
  if (!page.date.empty()) out += fmt::format("<p class=\"note\">{}</p>", escaped(page.date));
  return out;
}

std::string kernelSection(const TunedKernel& kernel, const TunePage& page, size_t index) {
  const TuneReport& about = kernel.about;
  std::string sub = escaped(about.place);
  if (!about.device.name.empty()) sub += " · " + escaped(about.device.name);
  if (!about.sizes.empty()) sub += " · " + escaped(about.sizes);
  std::string out = fmt::format(
      "<section class=\"kernel\" id=\"k{}\"><div class=\"head\"><p class=\"sub\">{}</p><h1>{}</h1>{}</div>\n",
      index, sub, headline(about), bars(about));
  if (about.isModelled)
    out += "<p class=\"note\"><b>Estimated</b> on the embedded device: no GPU took part.</p>";
  out += fmt::format("<div class=\"cols\"><div>{}</div><div>{}</div></div>\n", changes(kernel, page),
                     reasons(kernel));
  out += sizesSection(kernel) + sourceSection(kernel) + refusals(kernel, page);
  const std::string search = searchSection(kernel), roof = rooflineSection(kernel);
  if (!search.empty() || !roof.empty())
    out += fmt::format("<div class=\"cols\"><div>{}</div><div>{}</div></div>\n", search, roof);
  out += variantTable(kernel);
  out += countersSection(kernel) + conditions(about, page);
  return out + "</section>\n";
}

std::string summary(const TunePage& page) {
  std::string out =
      "<nav><table class=\"stack\"><thead><tr><th "
      "class=\"t\">kernel</th><th>before</th><th>after</th><th>times as "
      "fast</th></tr></thead><tbody>";
  for (size_t i = 0; i < page.kernels.size(); ++i) {
    const TuneReport& about = page.kernels[i].about;
    const tune::Tried* chosen = chosenOf(about);
    const double before = timeOf(about.outcome.original);
    out += fmt::format(
        "<tr><td class=\"t\"><a href=\"#k{}\"><code>{}</code></a> <span class=\"at\">{}{}</span></td><td "
        "class=\"n\" "
        "data-n=\"before\">{}</td>"
        "<td class=\"n\" data-n=\"after\">{}</td><td class=\"n{}\" data-n=\"times as fast\">{}</td></tr>",
        i, escaped(about.kernel), escaped(about.place),
        about.sizes.empty() ? "" : ", " + escaped(about.sizes), before > 0 ? timeText(before) : "",
        chosen ? timeText(timeOf(chosen->measurement)) : "as it is", chosen ? " good" : "",
        chosen ? fmt::format("{:.2f}", gain(about)) : "");
  }
  return out + "</tbody></table></nav>\n";
}

}  // namespace

std::string timeText(double microseconds) {
  if (microseconds < 1000)
    return fmt::format("{:.{}f} µs", microseconds, microseconds < 10 ? 2 : microseconds < 100 ? 1 : 0);
  if (microseconds < 1e6) return fmt::format("{:.{}f} ms", microseconds / 1e3, microseconds < 1e4 ? 2 : 1);
  return fmt::format("{:.2f} s", microseconds / 1e6);
}

std::string factorText(double factor) { return fmt::format("{:.{}f} times", factor, factor < 10 ? 2 : 1); }

std::string toHtml(const TunePage& page) {
  std::string body;
  if (page.kernels.size() != 1) body += summary(page);
  for (size_t i = 0; i < page.kernels.size(); ++i) body += kernelSection(page.kernels[i], page, i);
  return htmlPage("hone tune" + (page.kernels.size() == 1 ? ": " + page.kernels[0].about.kernel : ""),
                  std::string(tuneStyle) + plotStyle, body);
}

}  // namespace hone::report
