#include "report/TuneReport.h"

#include <fmt/core.h>

#include <algorithm>

#include "report/Table.h"

namespace hone::report {

namespace {

std::string spreadText(const worker::Timing& timing) {
  if (timing.median <= 0) return "";
  return fmt::format("±{:.1f} %", (timing.high - timing.low) / 2 / timing.median * 100);
}

std::vector<std::string> rowOf(const std::string& recipe, const tune::Measurement& one, double original) {
  const worker::Result& result = one.result;
  int registers = 0, shared = 0, local = 0;
  for (const worker::KernelFigures& kernel : result.kernels) {
    registers = std::max(registers, kernel.registers);
    shared = std::max(shared, kernel.sharedBytes);
    local = std::max(local, kernel.localBytes);
  }
  auto number = [](int value) { return value ? fmt::format("{}", value) : std::string("-"); };
  return {recipe,
          result.timing.median > 0 && result.status != worker::Status::Invalid
              ? fmt::format("{:.2f}", result.timing.median)
              : std::string(name(result.status)),
          spreadText(result.timing),
          result.timing.median > 0 ? fmt::format("{:.2f}", original / result.timing.median) : "",
          one.predicted > 0 ? fmt::format("{:.2f}", one.predicted) : "",
          number(registers),
          number(shared),
          number(local)};
}

}  // namespace

std::string toText(const TuneReport& report) {
  std::string out = fmt::format("{}: {}", report.place, report.kernel);
  const tune::TuneOutcome& outcome = report.outcome;
  if (outcome.original.result.timing.median <= 0)
    return out + fmt::format(" stays as it is: {}\n", report.reason);
  out += fmt::format(" on {}{}\n", report.device.name, report.sizes.empty() ? "" : ", " + report.sizes);
  std::vector<const tune::Tried*> order;
  for (const tune::Tried& one : outcome.tried) order.push_back(&one);
  auto rank = [](const tune::Tried* one) {
    const double time = one->measurement.result.timing.median;
    return std::pair(!one->measurement.isOk(), time > 0 ? time : 1e30);
  };
  std::sort(order.begin(), order.end(),
            [&](const tune::Tried* a, const tune::Tried* b) { return rank(a) < rank(b); });
  const double original = outcome.original.result.timing.median;
  std::vector<std::vector<std::string>> rows = {
      {"recipe", "us", "spread", "speed-up", "model us", "registers", "shared", "local"}};
  rows.push_back(rowOf("(the original)", outcome.original, original));
  for (size_t i = 0; i < order.size() && i < report.shown; ++i)
    rows.push_back(rowOf(order[i]->measurement.recipe, order[i]->measurement, original));
  out += table(rows);
  if (report.isModelled) out += "times are the model's; nothing was measured\n";
  size_t known = 0, failed = 0;
  for (const tune::Tried& one : outcome.tried) {
    known += one.measurement.isKnown;
    failed += !one.measurement.isOk() && one.measurement.result.status != worker::Status::GivenUp;
  }
  out += fmt::format("{} variant{} measured{}{}; ended after {}\n", outcome.tried.size(),
                     outcome.tried.size() == 1 ? "" : "s",
                     known ? fmt::format(", {} of them known from the store", known) : "",
                     failed ? fmt::format(", {} failed", failed) : "", outcome.stopped);
  for (const std::string& recipe : report.rejected)
    out += fmt::format("fast and wrong at other sizes (please report): {}\n", recipe);
  if (report.chosen < 0) return out + fmt::format("{} stays as it is: {}\n", report.kernel, report.reason);
  const tune::Measurement& best = outcome.tried[static_cast<size_t>(report.chosen)].measurement;
  return out + fmt::format("chosen: {}, {:.2f} times as fast as the original\n", best.recipe,
                           original / best.result.timing.median);
}

}  // namespace hone::report
