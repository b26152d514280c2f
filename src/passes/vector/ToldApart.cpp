#include "passes/vector/ToldApart.h"

#include <algorithm>

#include "affine/Implied.h"
#include "ir/Walk.h"

namespace hone::passes {

using namespace ir;
using affine::Poly;

ToldApart::ToldApart(const affine::KernelModel& kernelModel, const StmtPtr& at) : model(kernelModel) {
  for (const affine::Branch& branch : model.branches) {
    const auto* choice = as<If>(branch.stmt);
    if (!choice || branch.apart.empty()) continue;
    bool isInside = false;
    walkStmts(choice->then, [&](const Stmt& s) { isInside |= &s == at.get(); });
    for (const affine::BytesApart& one : branch.apart)
      if (isInside) known.push_back(&one);
  }
}

bool ToldApart::areApart(const affine::Access& a, const affine::Access& b,
                         std::set<unsigned>& requirements) const {
  const auto rely = [&](const auto& on) {
    for (const unsigned r : on) {
      const affine::Requirement& needs = model.requirements[r];
      if (!model.atoms->range(needs.value).isWithin(needs.low, needs.high)) requirements.insert(r);
    }
  };
  return std::ranges::any_of(known, [&](const affine::BytesApart* one) {
    const bool inOrder = a.array == one->first.array && b.array == one->second.array;
    if (!inOrder && (a.array != one->second.array || b.array != one->first.array)) return false;
    if (!isWithin(a, inOrder ? one->first : one->second) || !isWithin(b, inOrder ? one->second : one->first))
      return false;
    rely(one->requirements), rely(a.requirements), rely(b.requirements);
    return true;
  });
}

bool ToldApart::isWithin(const affine::Access& access, const affine::BytesApart::Of& bytes) const {
  if (!access.isSpelledOut) return false;
  std::vector<affine::CondPtr> holds = affine::conjuncts(access.guard);
  for (const affine::LoopId loop : access.loops)
    for (const affine::CondPtr& one : affine::conjuncts(model.loops[loop].runs)) holds.push_back(one);
  // Conditions count elements, addresses bytes; one tells of the row's end, another of the iterations side by
  // side.
  const auto isNeverNegative = [&](const Poly& value, auto&& self, unsigned conditions) -> bool {
    if (model.atoms->range(value).low >= 0) return true;
    return conditions > 0 && std::ranges::any_of(holds, [&](const affine::CondPtr& one) {
             return one->kind == affine::CondKind::AtLeast0 &&
                    self(value - one->value * Poly(int64_t{access.bytes}), self, conditions - 1);
           });
  };
  const Poly end = access.address + Poly(int64_t{access.bytes});
  return isNeverNegative(access.address - bytes.low, isNeverNegative, 2) &&
         isNeverNegative(bytes.high - end, isNeverNegative, 2);
}

}  // namespace hone::passes
