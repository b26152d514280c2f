#include "tune/CaseLengths.h"

#include <fmt/core.h>

#include "analysis/Aliasing.h"
#include "device/EvaluateExpr.h"
#include "passes/HostValue.h"

namespace hone::tune {

using namespace ir;

namespace {

// The value of an expression over the original's parameters and launch.
std::optional<int64_t> valueIn(const device::Case& c, const ExprPtr& e) {
  device::ExprNames names;
  names.coord = [&](const Coord& coord) -> std::optional<device::Number> {
    switch (coord.kind) {
      case CoordKind::GridDim: return device::wholeNumber(c.grid[coord.axis]);
      case CoordKind::BlockDim: return device::wholeNumber(c.block[coord.axis]);
      case CoordKind::GlobalSize:
        return device::wholeNumber(int64_t(c.grid[coord.axis]) * c.block[coord.axis]);
      default: return std::nullopt;
    }
  };
  names.place = [&](const ExprPtr& place) -> std::optional<device::Number> {
    auto known = c.numbers.find(device::pathOf(place));
    if (known == c.numbers.end()) return std::nullopt;
    return known->second.value;
  };
  const auto value = device::evaluate(e, names);
  return value ? std::optional(value->asWhole()) : std::nullopt;
}

}  // namespace

CaseLengths lengthsOf(const device::Case& c, const PlanPtr& original, analysis::Facts& facts) {
  CaseLengths out;
  out.elements = c.lengths;
  const auto& launch = std::get<LaunchStep>(original->steps.front());
  const affine::KernelModel& model = facts.model();
  for (const device::ParameterLeaf& leaf : c.leaves) {
    if (!leaf.isArray() || out.elements.contains(leaf.path) || c.aliases.contains(leaf.path)) continue;
    const uint64_t bytes = std::max<uint64_t>(1, sizeOf(*leaf.type->element));
    std::string reason = "nothing in the kernel says how much of it is used";
    for (size_t a = 0; a < model.arrays.size(); ++a) {
      if (model.arrays[a].name != leaf.path) continue;
      const auto range = analysis::bytesOfLaunch(model, static_cast<int>(a), nullptr, &reason);
      const ExprPtr high = range ? passes::hostValue(launch, model, range->high) : nullptr;
      const auto value = high ? valueIn(c, high) : std::nullopt;
      if (value)
        out.elements[leaf.path] = (static_cast<uint64_t>(std::max<int64_t>(*value, 1)) + bytes - 1) / bytes;
      break;
    }
    if (!out.elements.contains(leaf.path) && out.problem.empty())
      out.problem =
          fmt::format("the length of '{}' is not known at these sizes ({}); give it with --length {}=…",
                      leaf.path, reason, leaf.path);
  }
  return out;
}

}  // namespace hone::tune
