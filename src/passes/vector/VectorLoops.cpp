// Loops of few iterations that touch neighbouring elements, one an iteration.
#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/Compare.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/KnownBeforeLoop.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/vector/ToldApart.h"
#include "passes/vector/VectorGroups.h"
#include "passes/vector/WholeBlock.h"

namespace hone::passes {

using namespace ir;
using affine::CondKind;
using affine::CondPtr;
using affine::Poly;

namespace {

// Which iterations decide whether a condition holds in all of them.
struct Ends {
  bool first = false, last = false, isKnown = true;
};

class LoopFinder {
 public:
  LoopFinder(const VectorFacts& vectorFacts, const StmtPtr& statement, VectorGroups& all)
      : facts(vectorFacts),
        model(vectorFacts.model),
        loop(statement),
        groups(all),
        toldApart(vectorFacts.model, statement) {}

  std::optional<LoopGroup> find() {
    if (!isCountable() || !isSimple()) return std::nullopt;
    group.loop = loop;
    std::vector<affine::AccessId> candidates = plainAccesses();
    if (candidates.empty()) return std::nullopt;
    if (!gather(candidates)) return std::nullopt;
    for (size_t i = 0; i < group.parts.size();)
      if (!isIndependent(group.parts[i]))
        group.parts.erase(group.parts.begin() + std::ptrdiff_t(i)),
            i = 0;  // others may meet what it leaves in place
      else
        ++i;
    if (group.parts.empty() || !conditions()) return std::nullopt;
    return finish();
  }

 private:
  bool isCountable() {
    const For& f = *as<For>(loop);
    const auto counts = counted(f);
    if (!counts || !counts->declares || f.init.size() != 1 || f.step.size() != 1) return false;
    const auto begin = constantValue(counts->begin), end = constantValue(counts->end),
               step = constantValue(counts->step);
    if (!begin || *begin != 0 || !end || !step || *step != 1 || counts->op != BinaryOp::Add) return false;
    group.iterations = counts->compare == BinaryOp::Lt || counts->compare == BinaryOp::Ne ? *end
                       : counts->compare == BinaryOp::Le                                  ? *end + 1
                                                                                          : 0;
    if (group.iterations < 2 || group.iterations > mostVectorIterations) return false;
    group.var = counts->var;
    for (const affine::LoopId i : model.loops.ids())
      if (model.loops[i].stmt == loop) number = i;
    return number.isSome() && model.loops[number].exactness == affine::Exactness::Exact;
  }

  // No way out, nothing that orders threads.
  bool isSimple() {
    bool simple = true;
    walkStmts(as<For>(loop)->body, [&](const Stmt& s) {
      simple = simple && !s.is<Return>() && !s.is<Break>() && !s.is<Continue>() && !s.is<Barrier>() &&
               !s.is<Fence>();
    });
    walkExprs(loop, [&](const Expr& e) {
      const auto* call = e.as<Call>();
      simple = simple && (!call || (!synchronizes(*call) && !writesMemory(*call)));
    });
    assigned = assignedVariables(as<For>(loop)->body);
    declared = declaredVariables(loop);
    beforeIterations.emplace(*model.kernel, *as<For>(loop));
    return simple;
  }

  // Accesses that stand in the body itself or under ifs without an else, one element further each iteration.
  std::vector<affine::AccessId> plainAccesses() {
    std::vector<affine::AccessId> found;
    below(as<Block>(as<For>(loop)->body)->stmts, {}, found);
    return found;
  }
  void below(const StmtList& stmts, std::vector<const Stmt*> under, std::vector<affine::AccessId>& found) {
    for (const StmtPtr& s : stmts) {
      const auto* choice = as<If>(s);
      if (choice && !choice->otherwise && accesses(choice->cond).empty()) {
        std::vector<const Stmt*> inner = under;
        inner.push_back(s.get());
        below(as<Block>(choice->then)->stmts, inner, found);
      }
      if (!s->is<Declare>() && !s->is<Assign>() && !s->is<Eval>()) continue;
      for (const affine::AccessId access : facts.accessesOf(*s))
        if (isFollowed(access)) found.push_back(access), ifsOf[access] = under;
    }
  }

  // Whether what is not known of its address is the same in all iterations.
  bool isFollowed(affine::AccessId id) const {
    bool isSame = facts.isPlainByValues(id);
    model.atoms->forEachAtom(model.accesses[id].address, [&](affine::AtomId atom) {
      const affine::Atom& one = (*model.atoms)[atom];
      isSame &= one.kind != affine::AtomKind::Opaque || !(one.varies.loops & affine::loopBit(number));
    });
    return isSame;
  }

  Poly at(const Poly& p, int64_t iteration) const {
    return model.atoms->substitute(p, {{model.loops[number].counter, Poly(iteration)}});
  }

  // The expression before the loop, in an iteration of it; nothing where it needs what only the loop knows.
  std::optional<ExprPtr> before(const ExprPtr& e, int64_t iteration) const {
    const ExprPtr made = beforeIterations->before(e);
    if (!made) return std::nullopt;
    return simplified(substituted(made, {{group.var, intLit(iteration, group.var->type)}}));
  }

  std::optional<ExprPtr> placeBefore(const ExprPtr& place, int64_t iteration) const {
    const auto* element = as<Subscript>(place);
    const auto base = element->base->is<VarRef>() ? std::optional(element->base) : std::nullopt;
    if (!base || (declared.contains(as<VarRef>(*base)->var.get()))) return std::nullopt;
    // A pointer that moves in the loop is before it where the first iteration finds it.
    if (iteration != 0 && assigned.contains(as<VarRef>(*base)->var.get())) return std::nullopt;
    std::vector<ExprPtr> indices;
    for (const ExprPtr& index : element->indices) {
      auto made = before(index, iteration);
      if (!made) return std::nullopt;
      indices.push_back(*made);
    }
    return subscript(*base, std::move(indices), place->loc);
  }

  // Parts by array and start.
  bool gather(const std::vector<affine::AccessId>& candidates) {
    for (const affine::AccessId id : candidates) {
      const affine::Access& access = model.accesses[id];
      const int64_t bytes = facts.bytesOf(access.array);
      if (access.loops.empty() || access.loops.back() != number) continue;
      // What is stored goes out behind the loop, where a pointer that moves is somewhere else.
      const auto* element = as<Subscript>(access.place);
      const auto* base = element ? as<VarRef>(element->base) : nullptr;
      if (access.writes() && base && base->var->type->isPointer() && assigned.contains(base->var.get()))
        continue;
      std::vector<Poly> addresses;
      for (int64_t iteration = 0; iteration < group.iterations; ++iteration)
        addresses.push_back(at(access.address, iteration));
      auto known = std::find_if(group.parts.begin(), group.parts.end(), [&](const LoopPart& p) {
        return p.array == access.array && p.addresses == addresses;
      });
      if (known == group.parts.end()) {
        LoopPart part;
        part.array = access.array;
        part.addresses = std::move(addresses);
        part.lanes = facts.mostLanes(access.array);
        while (part.lanes >= 2 && !areNeighbours(part, bytes)) part.lanes /= 2;
        if (part.lanes < 2 || !findPlaces(part, access.place)) continue;
        known = group.parts.insert(group.parts.end(), std::move(part));
      }
      known->isLoaded = known->isLoaded || access.reads();
      known->isStored = known->isStored || access.writes();
      known->accesses.push_back(id);
    }
    std::erase_if(group.parts,
                  [&](LoopPart& part) { return !align(part) || (part.isStored && !isEachOnce(part)); });
    return !group.parts.empty();
  }

  // Whether iterations touch one element after the other, `lanes` of them at a time.
  bool areNeighbours(const LoopPart& part, int64_t bytes) const {
    if (group.iterations % part.lanes) return false;
    for (int64_t iteration = 0; iteration < group.iterations; ++iteration) {
      const int64_t lane = iteration % part.lanes;
      if (!(part.addresses[iteration] - part.addresses[iteration - lane] == Poly(lane * bytes))) return false;
    }
    return true;
  }
  // No two iterations touch one element.
  bool isEachOnce(const LoopPart& part) const {
    for (size_t i = 0; i < part.addresses.size(); ++i)
      for (size_t j = 0; j < i; ++j) {
        const auto distance = (part.addresses[i] - part.addresses[j]).constant();
        if (!distance || *distance == 0) return false;
      }
    return true;
  }
  bool findPlaces(LoopPart& part, const ExprPtr& place) const {
    part.places.clear();
    for (int64_t iteration = 0; iteration < group.iterations; iteration += part.lanes) {
      auto made = placeBefore(place, iteration);
      if (!made) return false;
      part.places.push_back(*made);
    }
    return true;
  }

  // The condition under which all its wide accesses are aligned.
  Result<ExprPtr> alignment(const LoopPart& part) const {
    ExprPtr all;
    for (int64_t iteration = 0; iteration < group.iterations; iteration += part.lanes) {
      auto one = facts.aligned(part.array, part.addresses[iteration], part.lanes * facts.bytesOf(part.array));
      if (!one) return one;
      all = andAlso(all, *one);
    }
    return all;
  }
  bool align(LoopPart& part) {
    const ExprPtr place = model.accesses[part.accesses.front()].place;
    for (; part.lanes >= 2; part.lanes /= 2) {
      const auto condition = alignment(part);
      if (condition) return findPlaces(part, place);
      note(condition.refusal());
    }
    return false;
  }

  // Whether loads of the part may come before the loop and its stores after it.
  bool isIndependent(const LoopPart& part) {
    for (const affine::AccessId id : facts.accessesBelow(loop)) {
      const affine::Access& other = model.accesses[id];
      if (std::find(part.accesses.begin(), part.accesses.end(), id) != part.accesses.end()) continue;
      if (!other.writes() && !part.isStored) continue;
      if (other.mode == AccessMode::Address) continue;
      if (other.array == part.array && other.isResolved() && isResolved(part)) {
        // Elements so far apart that no iteration reaches them.
        if (isBeside(other, part)) continue;
        return note(Refusal{
            fmt::format("{} is touched in another order inside the loop", model.arrays[part.array].name)});
      }
      if (other.array == part.array || other.array.isNone())
        return note(Refusal{fmt::format("{} may be touched in another order inside the loop",
                                        model.arrays[part.array].name)});
      if (!facts.mayOverlap(part.array, other.array) || isToldApart(part, other)) continue;
      if (!facts.canTest(part.array, other.array))
        return note(Refusal{fmt::format("{} may alias {}; add {} or pass --assume-noalias",
                                        model.arrays[part.array].name, model.arrays[other.array].name,
                                        restrictWord(model.kernel->language))});
      apart.emplace(std::min(part.array, other.array), std::max(part.array, other.array));
    }
    return true;
  }
  bool isResolved(const LoopPart& part) const { return model.accesses[part.accesses.front()].isResolved(); }
  bool isToldApart(const LoopPart& part, const affine::Access& other) {
    std::set<unsigned> relied;
    for (const affine::AccessId id : part.accesses)
      if (!toldApart.areApart(model.accesses[id], other, relied)) return false;
    if (!facts.tests(relied)) return false;
    requirements.merge(relied);
    return true;
  }
  // No iteration of one touches what an iteration of the other does.
  bool isBeside(const affine::Access& other, const LoopPart& part) const {
    if (other.loops.empty() || other.loops.back() != number) return false;
    const int64_t bytes = facts.bytesOf(part.array), size = other.bytes;
    for (int64_t iteration = 0; iteration < group.iterations; ++iteration) {
      const Poly address = at(other.address, iteration);
      for (const Poly& own : part.addresses) {
        const affine::Range distance = model.atoms->range(address - own);
        if (distance.low < bytes && distance.high > -size) return false;
      }
    }
    return true;
  }
  bool note(const Refusal& no) {
    if (!groups.leftOut) groups.leftOut = no;
    return false;
  }

  void ends(const CondPtr& c, Ends& out) const {
    if (c->kind == CondKind::And) {
      for (const CondPtr& part : c->parts) ends(part, out);
      return;
    }
    bool mentions = false;
    model.atoms->forEachAtom(
        c, [&](affine::AtomId id) { mentions = mentions || id == model.loops[number].counter; });
    if (c->kind == CondKind::Unknown) mentions = mentions || (c->varies.loops & affine::loopBit(number));
    if (!mentions) return;
    if (c->kind != CondKind::AtLeast0) {
      out.isKnown = false;
      return;
    }
    // What rises or falls from iteration to iteration is least at one end.
    bool rises = false, falls = false;
    for (int64_t iteration = 1; iteration < group.iterations; ++iteration) {
      const Poly step = at(c->value, iteration) - at(c->value, iteration - 1);
      const auto slope = step.constant();
      const bool isSame = step == at(c->value, 1) - at(c->value, 0);
      if (!slope && !isSame) out.isKnown = false;
      rises = rises || !slope || *slope > 0;
      falls = falls || !slope || *slope < 0;
      if (slope && rises && falls) out.isKnown = false;
    }
    out.first = out.first || rises;
    out.last = out.last || falls;
  }

  // Whether another load of the same element happens wherever this one, in an arm of ?: or behind &&, may.
  bool isLoadedAnyway(const LoopPart& part, affine::AccessId id) const {
    if (model.accesses[id].mode != AccessMode::Read || facts.conditionsOf(id).empty()) return false;
    const std::vector<const Stmt*>& around = ifsOf.at(id);
    return std::any_of(part.accesses.begin(), part.accesses.end(), [&](affine::AccessId other) {
      const std::vector<const Stmt*>& ifs = ifsOf.at(other);
      return model.accesses[other].mode == AccessMode::Read && facts.conditionsOf(other).empty() &&
             ifs.size() <= around.size() && std::equal(ifs.begin(), ifs.end(), around.begin());
    });
  }

  // Conditions around the accesses: the ends of the loop decide for all iterations.
  bool conditions() {
    Ends needed;
    std::vector<ExprPtr> written;
    for (const LoopPart& part : group.parts)
      for (const affine::AccessId id : part.accesses) {
        if (isLoadedAnyway(part, id)) continue;
        ends(model.accesses[id].guard, needed);
        for (const Stmt* s : ifsOf[id])
          if (group.ifs.insert(s).second) written.push_back(s->as<If>()->cond);
        for (const ExprPtr& cond : facts.conditionsOf(id)) {
          if (!isSelection(*model.accesses[id].stmt, cond)) return false;
          if (group.selections.insert(cond.get()).second) written.push_back(cond);
        }
      }
    if (!needed.isKnown)
      return note(Refusal{"a condition inside the loop holds in some iterations and not in others"});
    if (!needed.first && !needed.last) needed.first = true;
    std::vector<ExprPtr> all;
    auto add = [&](const ExprPtr& cond) {
      for (const ExprPtr& known : all)
        if (equal(known, cond)) return;
      all.push_back(cond);
    };
    std::set<int64_t> iterations;
    if (needed.first) iterations.insert(0);
    if (needed.last) iterations.insert(HONE_SEED(VectorGuardOfFirstLane, group.iterations - 1, int64_t(0)));
    // Where differences may wrap round a condition may hold at the ends and not between them, or at one end
    // alone.
    if (!isGuardSure(false))
      for (int64_t iteration = 0; iteration < group.iterations; ++iteration) iterations.insert(iteration);
    for (const ExprPtr& cond : written)
      for (const int64_t iteration : iterations) {
        auto made = before(cond, iteration);
        if (!made) return false;
        for (const ExprPtr& one : conjuncts(*made)) add(one);
      }
    const WholeBlock block(model, group, number);
    const bool asksBlock = block.isOften() && !all.empty() && isGuardSure(true);
    if (const auto ofBlock = asksBlock ? block.conditions() : std::nullopt)
      all = *ofBlock, group.isOfBlock = true;
    for (const ExprPtr& cond : all) group.allHold = andAlso(group.allHold, cond);
    if (group.allHold && isTrue(group.allHold)) group.allHold = nullptr;
    return true;
  }

  // Whether what the model says of the conditions holds whatever the numbers are: no difference falls below
  // what its type holds, and with `everywhere` nothing outgrows it either.
  bool isGuardSure(bool everywhere) const {
    for (const LoopPart& part : group.parts)
      for (const affine::AccessId id : part.accesses)
        for (const unsigned r : model.accesses[id].guardRequirements) {
          const affine::Requirement& needs = model.requirements[r];
          const affine::Range is = model.atoms->range(needs.value);
          if (is.low < needs.low || (everywhere && is.high > needs.high)) return false;
        }
    return true;
  }
  // Whether a condition is that of a ?: whose first arm is meant.
  static bool isSelection(const Stmt& s, const ExprPtr& cond) {
    bool found = false;
    forEachExpr(s, [&](const ExprPtr& e) {
      walkExprs(e, [&](const Expr& x) {
        const auto* select = x.as<Select>();
        found = found || (select && select->cond == cond);
      });
    });
    return found && accesses(cond).empty();
  }

  std::optional<LoopGroup> finish() {
    std::set<affine::ArrayId> arrays;
    for (const LoopPart& part : group.parts) arrays.insert(part.array);
    for (const LoopPart& part : group.parts) {
      auto condition = alignment(part);
      group.condition = andAlso(group.condition, condition ? *condition : nullptr);
      if (model.arrays[part.array].space == Space::Shared) {
        unsigned& bytes = groups.alignedShared[part.array];
        bytes = std::max(bytes, part.lanes * facts.bytesOf(part.array));
      }
    }
    if (group.condition && isTrue(group.condition)) group.condition = nullptr;
    for (const auto& pair : apart)
      if (arrays.contains(pair.first) || arrays.contains(pair.second)) groups.apart.insert(pair);
    groups.requirements.merge(requirements);
    return std::move(group);
  }

  const VectorFacts& facts;
  const affine::KernelModel& model;
  StmtPtr loop;
  VectorGroups& groups;
  ToldApart toldApart;
  LoopGroup group;
  affine::LoopId number;
  std::set<const Variable*> assigned, declared;
  std::optional<KnownBeforeLoop> beforeIterations;
  std::map<affine::AccessId, std::vector<const Stmt*>> ifsOf;
  std::set<std::pair<affine::ArrayId, affine::ArrayId>> apart;
  std::set<unsigned> requirements;
};

}  // namespace

std::optional<LoopGroup> loopGroup(const VectorFacts& facts, const StmtPtr& loop, VectorGroups& groups) {
  return LoopFinder(facts, loop, groups).find();
}

}  // namespace hone::passes
