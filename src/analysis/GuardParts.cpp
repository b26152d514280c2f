// Conditions that hold anyway; declared in Ranges.h.
#include <isl/set.h>

#include <algorithm>

#include "affine/ElementSets.h"
#include "affine/Implied.h"
#include "analysis/Ranges.h"

namespace hone::analysis {

using namespace affine;

namespace {

ir::SourceLoc placeOf(const KernelModel& model, const Access& access, const CondPtr& part) {
  for (const Branch& b : model.branches)
    for (const CondPtr& side : {b.cond, negation(b.cond)})
      for (const CondPtr& other : conjuncts(side))
        if (b.stmt && sameCond(other, part)) return b.stmt->loc;
  return access.loc;
}

void addConditions(const KernelModel& model, AccessId access, std::vector<Requirement>& list) {
  for (unsigned r : model.accesses[access].guardRequirements) {
    const Requirement& next = model.requirements[r];
    if (std::none_of(list.begin(), list.end(), [&](const Requirement& other) {
          return other.value == next.value && other.low == next.low && other.high == next.high;
        }))
      list.push_back(next);
  }
}

class GuardQuestion {
 public:
  GuardQuestion(const KernelModel& m, const Launch* launch)
      : model(m), atoms(*m.atoms), relations(budget, m, launch) {}

  std::vector<GuardPart> parts(AccessId index) {
    const Access& access = model.accesses[index];
    // Accesses of one statement have one guard.
    for (const auto& [other, answer] : asked) {
      const Access& before = model.accesses[other];
      if (before.loops != access.loops || !sameCond(before.guard, access.guard)) continue;
      std::vector<GuardPart> again = answer;
      for (GuardPart& part : again) {
        part.accesses = {index};
        part.conditions.clear();
        addConditions(model, index, part.conditions);
      }
      return again;
    }
    std::vector<GuardPart> list;
    for (const CondPtr& c : conjuncts(access.guard)) {
      GuardPart part;
      part.cond = c;
      part.text = atoms.str(c);
      part.loc = placeOf(model, access, c);
      part.accesses = {index};
      addConditions(model, index, part.conditions);
      list.push_back(std::move(part));
    }
    // From the inside out, each against those that stay.
    for (size_t i = list.size(); i-- > 0;) decide(access, list, i);
    asked.emplace_back(index, list);
    return list;
  }

 private:
  void decide(const Access& access, std::vector<GuardPart>& list, size_t i) {
    GuardPart& part = list[i];
    if (hasUnknown(part.cond)) {
      part.why = unknownReason(part.cond);
      return;
    }
    std::vector<CondPtr> others;
    for (size_t j = 0; j < list.size(); ++j)
      if (j != i && list[j].verdict != GuardVerdict::Redundant) others.push_back(list[j].cond);
    auto follows = implied(access.loops, allOf(others), part.cond);
    if (!follows) {
      part.why = "too complex";
      return;
    }
    if (*follows) {
      part.verdict = GuardVerdict::Redundant;
      part.why = whyOf(access, others, part.cond);
    } else if (relations.exactness() == Exactness::Exact) {
      part.verdict = GuardVerdict::Needed;
    } else {
      part.why = relations.reason();
    }
  }

  std::string whyOf(const Access& access, const std::vector<CondPtr>& others, const CondPtr& part) {
    if (implied({}, always(), part).value_or(false)) return "holds for every thread of every block";
    for (const CondPtr& other : others)
      if (implied({}, other, part).value_or(false)) return "follows from " + atoms.str(other);
    for (LoopId l : access.loops)
      if (implied({l}, always(), part).value_or(false)) {
        const Loop& loop = model.loops[l];
        return "follows from the loop " + (loop.var ? "over " + loop.var->name : loop.handle);
      }
    return "follows from the other conditions and loops";
  }

  // What is not represented exactly stands as free values under one name, so an implication that is found
  // holds.
  std::optional<bool> implied(const std::vector<LoopId>& loops, const CondPtr& given, const CondPtr& part) {
    return budget.answer([&] {
      const Point at{"@", everything()};
      relations.start();
      isl::set fails = relations.domain(loops, given, at).intersect(relations.holds(negation(part), at));
      return relations.withRanges(fails).is_empty();
    });
  }

  const KernelModel& model;
  Atoms& atoms;
  IslBudget budget;
  Relations relations;
  std::vector<std::pair<AccessId, std::vector<GuardPart>>> asked;
};

}  // namespace

std::vector<GuardPart> guardParts(const KernelModel& model, AccessId access, const Launch* launch) {
  return GuardQuestion(model, launch).parts(access);
}

std::vector<GuardPart> guardParts(const KernelModel& model, const Launch* launch) {
  std::vector<GuardPart> all;
  GuardQuestion question(model, launch);
  for (const AccessId a : model.accesses.ids())
    for (GuardPart& part : question.parts(a)) {
      auto same = std::find_if(all.begin(), all.end(), [&](const GuardPart& other) {
        return sameCond(other.cond, part.cond) && other.loc.line == part.loc.line;
      });
      if (same == all.end()) {
        all.push_back(std::move(part));
        continue;
      }
      same->accesses.push_back(a);
      addConditions(model, a, same->conditions);
      // Needed for one is needed; not known for one is not known, unless it is needed.
      auto rank = [](GuardVerdict v) {
        return v == GuardVerdict::Needed ? 2 : v == GuardVerdict::Unknown ? 1 : 0;
      };
      if (rank(part.verdict) > rank(same->verdict)) same->verdict = part.verdict, same->why = part.why;
    }
  return all;
}

}  // namespace hone::analysis
