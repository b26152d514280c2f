#include "report/StoreReport.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "ir/Error.h"
#include "report/StoreT1.h"
#include "report/Table.h"

namespace hone::report {

using nlohmann::ordered_json;
using worker::Status;

std::string storeText(const std::vector<tune::StoredResult>& results) {
  std::vector<std::vector<std::string>> rows = {
      {"kernel", "sizes", "device", "us", "status", "date", "recipe"}};
  for (const tune::StoredResult& one : results) {
    const double time = one.result.timing.median;
    rows.push_back({one.kernel, one.sizes, one.key.device, time > 0 ? fmt::format("{:.2f}", time) : "-",
                    std::string(worker::name(one.result.status)), one.date,
                    one.recipe.empty() ? "(the original)" : one.recipe});
  }
  return table(rows);
}

std::string storeLines(const std::vector<tune::StoredResult>& results) {
  std::string out;
  for (const tune::StoredResult& one : results) {
    const nlohmann::json line{
        {"source", one.key.source}, {"data", one.key.data}, {"device", one.key.device},
        {"driver", one.key.driver}, {"kernel", one.kernel}, {"recipe", one.recipe},
        {"sizes", one.sizes},       {"date", one.date},     {"predicted_us", one.predicted},
        {"result", one.result}};
    out += line.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }
  return out;
}

std::vector<tune::StoredResult> storeFromLines(const std::string& text, const std::string& file) {
  std::vector<tune::StoredResult> out;
  std::istringstream in(text);
  size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    if (line.empty()) continue;
    try {
      const nlohmann::json one = nlohmann::json::parse(line);
      tune::StoredResult result;
      result.key = {one.at("source"), one.at("data"), one.at("device"), one.at("driver")};
      result.kernel = one.at("kernel");
      result.recipe = one.at("recipe");
      result.sizes = one.at("sizes");
      result.date = one.at("date");
      result.predicted = one.at("predicted_us");
      result.result = worker::resultFrom(one.at("result"));
      out.push_back(std::move(result));
    } catch (const std::exception& error) {
      throw Error(fmt::format("{}:{}: this is no measurement: {}", file, number, error.what()), 2);
    }
  }
  return out;
}

namespace {

const char* invalidity(Status status) {
  switch (status) {
    case Status::Ok:
    case Status::GivenUp: return "correct";
    case Status::BuildFailed: return "compile";
    case Status::LaunchFailed:
    case Status::Faulted: return "runtime";
    case Status::TimedOut: return "timeout";
    case Status::Wrong:
    case Status::NotANumber: return "correctness";
    case Status::Invalid: return "constraints";
  }
  return "runtime";
}

}  // namespace

std::string storeT4(const std::vector<tune::StoredResult>& results) {
  ordered_json all{{"schema_version", "1.0.0"}, {"results", ordered_json::array()}};
  for (const tune::StoredResult& one : results) {
    const worker::Result& result = one.result;
    const bool isRight = result.status == Status::Ok || result.status == Status::GivenUp;
    ordered_json line{
        {"timestamp", one.date},
        {"configuration",
         {{"kernel", one.kernel}, {"sizes", one.sizes}, {"device", one.key.device}, {"recipe", one.recipe}}},
        {"times", {{"compilation_time", result.buildMs}, {"runtimes", ordered_json::array()}}},
        {"invalidity", invalidity(result.status)},
        {"correctness", isRight ? 1 : 0},
        {"objectives", {"time"}},
        {"measurements", ordered_json::array()}};
    addPoint(line["configuration"], one.recipe, results);
    if (result.timing.median > 0) {
      line["times"]["runtimes"].push_back(result.timing.median / 1000);
      line["measurements"].push_back(
          {{"name", "time"}, {"value", result.timing.median / 1000}, {"unit", "ms"}});
      line["measurements"].push_back(
          {{"name", "time_low"}, {"value", result.timing.low / 1000}, {"unit", "ms"}});
      line["measurements"].push_back(
          {{"name", "time_high"}, {"value", result.timing.high / 1000}, {"unit", "ms"}});
    }
    for (const worker::KernelFigures& kernel : result.kernels)
      line["measurements"].push_back(
          {{"name", kernel.kernel + "_registers"}, {"value", kernel.registers}, {"unit", "registers"}});
    all["results"].push_back(std::move(line));
  }
  return all.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace hone::report
