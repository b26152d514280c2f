#include "report/StoreT1.h"

#include <fmt/core.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "ir/Error.h"
#include "passes/recipe/RecipeText.h"

namespace hone::report {

using nlohmann::ordered_json;

namespace {

bool isWholeNumber(const std::string& text) {
  return !text.empty() && text.size() < 10 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

std::string asName(std::string text) {
  for (char& c : text)
    if (!std::isalnum(static_cast<unsigned char>(c))) c = '_';
  return text;
}

struct Variable {
  std::string pass;              // whose argument it is; empty: a pass
  std::set<std::string> values;  // that occurred
  bool isNumeric() const { return std::all_of(values.begin(), values.end(), isWholeNumber); }
  // Where the pass is not applied, or its argument not given.
  std::string nothing() const { return isNumeric() ? "0" : ""; }
};

// Visits the variables of a recipe: their pass (empty for a pass itself), name and value.
template <class F> void eachVariable(const std::string& text, F visit) {
  std::map<std::string, int> seen;
  for (const passes::CallText& call : passes::splitRecipe(text)) {
    const int count = ++seen[call.name];
    const std::string pass = asName(call.name) + (count > 1 ? fmt::format("_{}", count) : "");
    visit(std::string(), pass, std::string("1"));
    std::string words;
    for (const passes::ArgumentText& argument : call.arguments)
      if (argument.name.empty())
        words += (words.empty() ? "" : ", ") + argument.value;
      else
        visit(pass, pass + "_" + asName(argument.name), argument.value);
    if (!words.empty()) visit(pass, pass + "_of", words);
  }
}

std::map<std::string, Variable> variablesOf(const std::vector<tune::StoredResult>& results) {
  std::map<std::string, Variable> out;
  for (const tune::StoredResult& one : results)
    eachVariable(one.recipe, [&](const std::string& pass, const std::string& name, const std::string& value) {
      out[name].pass = pass;
      out[name].values.insert(value);
    });
  return out;
}

// As the format writes values: Python's lists.
std::string quoted(const std::string& value, bool isNumeric) { return isNumeric ? value : "'" + value + "'"; }

std::string listText(const Variable& variable) {
  std::vector<std::string> all{variable.nothing()};
  for (const std::string& value : variable.values)
    if (value != all.front()) all.push_back(value);
  if (variable.isNumeric())
    std::sort(all.begin(), all.end(),
              [](const auto& a, const auto& b) { return std::stol(a) < std::stol(b); });
  std::string out;
  for (const std::string& value : all) out += (out.empty() ? "" : ", ") + quoted(value, variable.isNumeric());
  return "[" + out + "]";
}

}  // namespace

std::map<std::string, std::string> pointOf(const std::string& recipe) {
  std::map<std::string, std::string> out;
  eachVariable(recipe, [&](const std::string&, const std::string& name, const std::string& value) {
    out[name] = value;
  });
  return out;
}

void addPoint(ordered_json& configuration, const std::string& recipe,
              const std::vector<tune::StoredResult>& all) {
  const auto point = pointOf(recipe);
  for (const auto& [name, variable] : variablesOf(all)) {
    const auto found = point.find(name);
    const std::string value = found == point.end() ? variable.nothing() : found->second;
    if (variable.isNumeric())
      configuration[name] = std::stol(value);
    else
      configuration[name] = value;
  }
}

std::string storeT1(const std::vector<tune::StoredResult>& results) {
  std::set<std::string> kernels, devices;
  for (const tune::StoredResult& one : results) {
    kernels.insert(one.kernel);
    devices.insert(one.key.device);
  }
  if (kernels.size() != 1) {
    std::string names;
    for (const std::string& one : kernels) names += (names.empty() ? "" : ", ") + one;
    throw Error(fmt::format("the format t1 describes one kernel; name it with --kernel; there {}",
                            names.empty() ? "is none" : "are: " + names),
                2);
  }
  // The names of OpenCL devices end with their platform.
  const bool isOpenCL = devices.begin()->ends_with(")");
  ordered_json parameters = ordered_json::array(), conditions = ordered_json::array();
  for (const auto& [name, variable] : variablesOf(results)) {
    const bool isNumeric = variable.isNumeric();
    parameters.push_back(
        {{"Name", name}, {"Type", isNumeric ? "int" : "string"}, {"Values", listText(variable)}});
    if (!variable.pass.empty())
      conditions.push_back({{"Parameters", {variable.pass, name}},
                            {"Expression", fmt::format("{} == 1 or {} == {}", variable.pass, name,
                                                       quoted(variable.nothing(), isNumeric))}});
  }
  const ordered_json all{
      {"General", {{"FormatVersion", 1}, {"TimeUnit", "Milliseconds"}, {"OutputFormat", "JSON"}}},
      {"ConfigurationSpace", {{"TuningParameters", parameters}, {"Conditions", conditions}}},
      {"KernelSpecification",
       {{"Device", {{"Name", *devices.begin()}}},
        {"Language", isOpenCL ? "OpenCL" : "CUDA"},
        {"KernelName", *kernels.begin()},
        {"KernelFile", *kernels.begin() + (isOpenCL ? ".cl" : ".cu")},
        {"GlobalSize", {{"X", "1"}}},
        {"LocalSize", {{"X", "1"}}}}}};
  return all.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace hone::report
