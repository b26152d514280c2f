#include "tune/CaseLengths.h"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/Aliasing.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::tune {

using namespace ir;

CaseLengths lengthsOf(const device::Case& c, analysis::Facts& facts) {
  CaseLengths out;
  out.elements = c.lengths;
  const affine::KernelModel& model = facts.model();
  affine::Launch launch;
  for (size_t axis = 0; axis < 3; ++axis) {
    launch.grid[axis] = c.grid[axis];
    launch.globalOffset[axis] = 0;  // launches of cases have none
  }
  for (const auto& [path, number] : c.numbers) launch.symbols[path] = number.value.asWhole();
  const affine::Values values(*model.atoms, launch);
  for (const device::ParameterLeaf& leaf : c.leaves) {
    if (!leaf.isArray() || out.elements.contains(leaf.path) || c.aliases.contains(leaf.path)) continue;
    const uint64_t bytes = std::max<uint64_t>(1, sizeOf(*leaf.type->element));
    std::string reason = "the kernel does not use it";
    for (const affine::ArrayId a : model.arrays.ids()) {
      if (model.arrays[a].name != leaf.path) continue;
      reason = "what the kernel touches of it depends on more than its sizes";
      const analysis::LaunchBytes::Entry& touched = facts.launchBytes().of(a);
      if (!touched.range) reason = touched.reason;
      const auto high = touched.range ? values.value(touched.range->high) : std::nullopt;
      // Bounds of remainders and quotients can be far too wide; no array is that long.
      if (high && *high <= int64_t(1) << 40)
        out.elements[leaf.path] = (static_cast<uint64_t>(std::max<int64_t>(*high, 1)) + bytes - 1) / bytes;
      break;
    }
    if (!out.elements.contains(leaf.path) && out.problem.empty())
      out.problem =
          fmt::format("the length of '{}' is not known at these sizes ({}); give it with --length {}=…",
                      leaf.path, reason, leaf.path);
  }
  return out;
}

bool isBeyondGpus(const CaseLengths& lengths, const device::Case& c) {
  constexpr uint64_t mostElements = uint64_t(1) << 31, mostBytes = uint64_t(1) << 37;
  uint64_t bytes = 0;
  for (const device::ParameterLeaf& leaf : c.leaves) {
    const auto length = lengths.elements.find(leaf.path);
    if (!leaf.isArray() || length == lengths.elements.end()) continue;
    if (length->second > mostElements) return true;
    bytes += length->second * std::max<uint64_t>(1, sizeOf(*leaf.type->element));
  }
  return bytes > mostBytes;
}

bool wantsPositiveData(const Kernel& kernel) {
  bool found = false;
  auto fromMemory = [](const ExprPtr& value) {
    bool is = false;
    walkExprs(value, [&](const Expr& e) {
      const auto* var = e.as<VarRef>();
      is = is || e.is<Subscript>() || (var && var->var->storage != Storage::Param && e.type->isFloating());
    });
    return is;
  };
  walkExprs(kernel.body, [&](const Expr& e) {
    if (const auto* b = e.as<Binary>())
      found = found || (b->op == BinaryOp::Div && e.type->isFloating() && fromMemory(b->rhs));
    const auto* call = e.as<Call>();
    found = found || (call && call->intrinsic && call->intrinsic->traits.wantsPositive);
  });
  return found;
}

}  // namespace hone::tune
