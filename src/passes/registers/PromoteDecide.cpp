#include "passes/registers/PromoteDecide.h"

#include <fmt/core.h>

#include <algorithm>

#include "affine/Relation.h"
#include "emit/Emit.h"
#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/host/AliasGuard.h"
#include "passes/host/HostConditions.h"
#include "passes/registers/MustAccess.h"

namespace hone::passes {

using namespace ir;

namespace {

class Decider {
 public:
  Decider(const LaunchStep& step, const affine::KernelModel& kernelModel, const PassContext& passContext,
          KnownSeparations& known)
      : launch(step), model(kernelModel), context(passContext), separations(known) {}

  Result<std::optional<Promotion>> decide(affine::LoopId loop, affine::AccessId access) {
    const affine::Access& a = model.accesses[access];
    if (!a.isResolved() || a.atomic || a.mode == AccessMode::Address || !standsInText(a)) return std::nullopt;
    const affine::Array& array = model.arrays[a.array];
    if (array.space == Space::Private) return std::nullopt;
    uint64_t inside = 0;
    for (const affine::LoopId l : model.loops.ids())
      if (isWithin(l, loop)) inside |= affine::loopBit(l);
    if (model.atoms->variation(a.address).loops & inside) return std::nullopt;
    if (array.isVolatile) return Refusal{fmt::format("{} is volatile", array.name)};
    const StmtPtr& stmt = model.loops[loop].stmt;
    const Position at = positionOf(launch.kernel->body, stmt);
    if (!at.block) return Refusal{"the loop stands in a switch"};
    // With the assignments beside the loop where that works, else without.
    const Region wide = widened(at, a);
    Obstacle ofWide;
    if (wide.count > 1) {
      auto done = decideIn(wide, loop, access);
      if (done && *done) return done;
      if (!done) ofWide = done.refusal();
    }
    auto done = decideIn(Region{at, 1}, loop, access);
    if (done && !*done && ofWide) return *ofWide;
    return done;
  }

 private:
  const LaunchStep& launch;
  const affine::KernelModel& model;
  const PassContext& context;
  KnownSeparations& separations;
  std::optional<analysis::Conflicts> conflicts;

  bool isWithin(affine::LoopId loop, affine::LoopId outer) const {
    for (; loop.isSome(); loop = model.loops[loop].parent)
      if (loop == outer) return true;
    return false;
  }

  bool isSame(const affine::Access& a, const affine::Access& b) const {
    return a.array == b.array && a.bytes == b.bytes && a.isResolved() && b.isResolved() &&
           a.address == b.address && sameType(a.whole->type, b.whole->type);
  }

  bool touches(const StmtPtr& s, const affine::Access& element) const {
    return std::any_of(model.accesses.begin(), model.accesses.end(),
                       [&](const affine::Access& a) { return a.stmt == s && isSame(a, element); });
  }

  Region widened(const Position& at, const affine::Access& element) const {
    const StmtList& list = at.list();
    size_t first = at.index, last = at.index;
    auto isSimple = [](const StmtPtr& s) { return s->is<Assign>() || s->is<Declare>() || s->is<Comment>(); };
    for (size_t i = at.index; i > 0 && at.index - i < 6 && isSimple(list[i - 1]); --i) {
      const auto* node = as<Assign>(list[i - 1]);
      if (!touches(list[i - 1], element)) continue;
      first = i - 1;
      if (node && !node->op) break;
    }
    for (size_t i = at.index + 1; i < list.size() && i - at.index < 6 && isSimple(list[i]); ++i)
      if (touches(list[i], element)) last = i;
    return {{at.block, first}, last - first + 1};
  }

  Result<std::optional<Promotion>> decideIn(const Region& region, affine::LoopId loop,
                                            affine::AccessId access) {
    const affine::Access& a = model.accesses[access];
    Promotion p;
    p.region = region;
    p.loop = model.loops[loop].stmt;
    p.handle = model.loops[loop].handle;
    p.array = model.arrays[a.array].name;
    const StmtList stmts = region.stmts();
    const StmtPtr whole = block(stmts);
    // a. The accesses of the region: those of the element, and others.
    std::vector<affine::AccessId> members, others;
    for (const affine::AccessId i : model.accesses.ids()) {
      const affine::Access& one = model.accesses[i];
      const bool isIn =
          std::find(one.loops.begin(), one.loops.end(), loop) != one.loops.end() ||
          std::any_of(stmts.begin(), stmts.end(), [&](const StmtPtr& s) { return s == one.stmt; });
      if (!isIn) continue;
      const bool isPlain = !one.atomic && one.mode != AccessMode::Address && standsInText(one);
      (isPlain && isSame(one, a) ? members : others).push_back(i);
    }
    for (affine::AccessId m : members) {
      const affine::Access& one = model.accesses[m];
      p.isRead |= one.reads(), p.isWritten |= one.writes();
      if (one.writes()) {
        const auto* node = as<Assign>(one.stmt);
        p.onlyAdds &= node && node->op && (*node->op == BinaryOp::Add || *node->op == BinaryOp::Sub);
      }
      if (std::none_of(p.forms.begin(), p.forms.end(), [&](const ExprPtr& f) { return equal(f, one.whole); }))
        p.forms.push_back(one.whole);
    }
    if (members.empty()) return std::nullopt;
    if (Obstacle no = checkParts(p, others)) return *no;
    if (Obstacle no = chooseElement(p, whole, members)) return *no;
    if (Obstacle no = checkForms(p, whole, members)) return *no;
    if (Obstacle no = checkStatements(p, whole, a)) return *no;
    if (Obstacle no = checkOthers(p, whole, loop, members, others)) return *no;
    if (Obstacle no = chooseConditions(p, whole, members)) return *no;
    return p;
  }

  // b. A way to write the element that means the same before the region.
  Obstacle chooseElement(Promotion& p, const StmtPtr& region, const std::vector<affine::AccessId>& members) {
    auto changed = assignedVariables(region);
    changed.merge(declaredVariables(region));
    for (const ExprPtr& form : p.forms) {
      auto names = variablesOf(form);
      // An array is where it is, whatever is assigned to its elements.
      if (VarPtr root = rootVariable(form); root && !root->type->isPointer()) names.erase(root.get());
      const bool isFixed =
          std::none_of(names.begin(), names.end(), [&](const Variable* v) { return changed.contains(v); });
      if (isFixed && accesses(form, AccessMode::Read).size() == 1) p.element = form;
      if (p.element) break;
    }
    if (!p.element)
      return Refusal{fmt::format("the subscript of {} is worked out inside the loop",
                                 model.accesses[members.front()].handle)};
    // Forms that differ are one element as long as no arithmetic wraps.
    if (p.forms.size() > 1)
      for (affine::AccessId m : members)
        if (!model.accesses[m].requirements.empty())
          return Refusal{fmt::format("{} is written in several ways whose arithmetic could wrap", p.array)};
    return std::nullopt;
  }

  // c. Whatever is written like the element must be it.
  Obstacle checkForms(const Promotion& p, const StmtPtr& region,
                      const std::vector<affine::AccessId>& members) {
    std::set<const Expr*> known;
    for (affine::AccessId m : members) known.insert(model.accesses[m].whole.get());
    bool isTaken = false;
    walkExprs(region, [&](const Expr& e) {
      const auto* address = e.as<AddressOf>();
      if (address)
        for (const ExprPtr& form : p.forms) {
          bool holds = false;
          walkExprs(address->place,
                    [&](const Expr& below) { holds |= equal(makeExpr(below.type, below.node), form); });
          isTaken |= holds;
        }
    });
    if (isTaken) return Refusal{fmt::format("the address of {} is taken in the loop", p.array)};
    if (p.forms.size() == 1 && equal(p.forms.front(), p.element)) return std::nullopt;
    for (const affine::Access& one : model.accesses) {
      if (known.contains(one.whole.get())) continue;
      for (const ExprPtr& form : p.forms)
        if (equal(one.whole, form))
          return Refusal{fmt::format("{} means different elements in the loop",
                                     emit::emitExpr(form, launch.kernel->language))};
    }
    return std::nullopt;
  }

  // d. What other threads may see or do meanwhile.
  Obstacle checkStatements(const Promotion& p, const StmtPtr& region, const affine::Access& a) {
    bool barrier = false, fence = false, exchange = false, usesAtomic = false;
    walkStmts(region, [&](const Stmt& s) {
      barrier |= s.is<Barrier>(), fence |= s.is<Fence>();
      for (const ir::Access& one : accesses(s))
        if (one.atomic && !s.is<Eval>()) usesAtomic = true;
    });
    walkExprs(region, [&](const Expr& e) {
      const auto* call = e.as<Call>();
      if (call && call->intrinsic && call->intrinsic->cls == IntrinsicClass::BarrierVote) barrier = true;
      if (call && call->intrinsic && call->intrinsic->cls == IntrinsicClass::Exchange) exchange = true;
    });
    if (fence || usesAtomic)
      return Refusal{fmt::format("{} in the loop may order {} with other threads",
                                 fence ? "a fence" : "an atomic whose result is used", p.array)};
    if (p.isWritten && exitsOf(bodyOf(*p.loop)).returns)
      return Refusal{fmt::format("the loop returns from the kernel, and {} must be stored before", p.array)};
    if (!p.isWritten && p.loop->is<While>() && spinsOn(*p.loop, p.forms))
      return Refusal{fmt::format("the loop waits for {} to change", p.array)};
    const bool isShared = model.arrays[a.array].space == Space::Shared;
    if (!barrier && !(exchange && isShared)) return std::nullopt;
    const analysis::Privacy owner = analysis::privacy(model, a.array);
    if (owner.perThread == analysis::Answer::Yes) return std::nullopt;
    AliasGuard guard(launch, model, context);
    if (!p.isWritten && !guard.requireUnchanged(a.array) && !guard.condition()) return std::nullopt;
    return Refusal{fmt::format("other threads may see {} at the barrier in the loop{}", p.array,
                               owner.reason.empty() ? "" : " (" + owner.reason + ")")};
  }

  static bool spinsOn(const Stmt& loop, const std::vector<ExprPtr>& forms) {
    bool found = false;
    walkExprs(loop.as<While>()->cond, [&](const Expr& e) {
      for (const ExprPtr& form : forms) found |= equal(makeExpr(e.type, e.node), form);
    });
    return found;
  }

  // e. Nothing else in the region touches the element.
  Obstacle checkOthers(Promotion& p, const StmtPtr&, affine::LoopId loop,
                       const std::vector<affine::AccessId>& members,
                       const std::vector<affine::AccessId>& others) {
    const affine::ArrayId array = model.accesses[members.front()].array;
    std::set<affine::ArrayId> otherArrays;
    for (affine::AccessId o : others) {
      const affine::Access& other = model.accesses[o];
      if (other.mode == AccessMode::Address && other.array == array)
        return Refusal{fmt::format("the address of {} is taken in the loop", p.array)};
      if (!other.writes() && !p.isWritten) continue;
      if (other.array.isNone())
        return Refusal{fmt::format("{} may touch {}: {}", other.handle, p.array, other.reason)};
      if (other.array != array) {
        otherArrays.insert(other.array);
        continue;
      }
      if (Obstacle no = checkApart(p, loop, members.front(), o)) return no;
    }
    const Separation& apart = separationOf(array, otherArrays);
    if (apart.no) return apart.no;
    p.aliasCondition = andAlso(p.aliasCondition, apart.condition);
    p.tested = apart.tested;
    return std::nullopt;
  }

  const Separation& separationOf(affine::ArrayId array, const std::set<affine::ArrayId>& others) {
    std::set<std::string> names;
    for (const affine::ArrayId other : others) names.insert(model.arrays[other].name);
    const auto [at, isNew] = separations.try_emplace({model.arrays[array].name, names});
    if (!isNew) return at->second;
    AliasGuard guard(launch, model, context);
    for (const affine::ArrayId other : others)
      if (!at->second.no) at->second.no = guard.requireApart(array, other);
    at->second.condition = guard.condition();
    at->second.tested = guard.tested();
    return at->second;
  }

  // A field of the element that is accessed by itself, if only where the element is not, would be taken for
  // one of the register.
  Obstacle checkParts(const Promotion& p, const std::vector<affine::AccessId>& others) {
    for (affine::AccessId other : others) {
      const affine::Access& one = model.accesses[other];
      bool isPart = false;
      ExprPtr around = one.whole;
      while (!isPart && (around->is<Member>() || around->is<Swizzle>())) {
        around = around->is<Member>() ? around->as<Member>()->base : around->as<Swizzle>()->base;
        isPart =
            std::any_of(p.forms.begin(), p.forms.end(), [&](const ExprPtr& f) { return equal(f, around); });
      }
      if (!isPart) continue;
      return Refusal{fmt::format("{} is a part of what is accessed as a whole", one.handle)};
    }
    return std::nullopt;
  }

  // Two accesses of one array: never the same element while the region runs.
  Obstacle checkApart(Promotion& p, affine::LoopId loop, affine::AccessId member, affine::AccessId other) {
    const affine::Access &x = model.accesses[member], &y = model.accesses[other];
    // Fields and lanes of one element.
    const auto gap = (x.address - y.address).constant();
    if (x.isResolved() && y.isResolved() && gap && equal(x.place, y.place) &&
        (*gap >= static_cast<int64_t>(y.bytes) || -*gap >= static_cast<int64_t>(x.bytes)))
      return std::nullopt;
    if (!conflicts) conflicts.emplace(model);
    auto meet = [&](affine::AccessId first, affine::AccessId second, affine::LoopId carrier) {
      const analysis::Meeting meeting{first, second, carrier, analysis::Meeting::Any,
                                      analysis::Between::OneThread};
      return conflicts->ask(meeting).answer != analysis::Answer::No;
    };
    bool isApart = x.isResolved() && y.isResolved() && !meet(member, other, {}) && !meet(other, member, {});
    for (affine::LoopId l : conflicts->commonLoops(member, other))
      if (isApart && isWithin(l, loop)) isApart = !meet(member, other, l) && !meet(other, member, l);
    for (const affine::Access* one : {&x, &y})
      for (unsigned r : one->requirements) {
        ExprPtr holds = hostRequirement(launch, model, model.requirements[r]);
        if (!holds) isApart = false;
        if (isApart && !isTrue(holds)) p.aliasCondition = andAlso(p.aliasCondition, holds);
      }
    if (isApart) return std::nullopt;
    return Refusal{fmt::format("{} may be the same element as {}", y.handle, x.handle)};
  }

  // f. When to load and when to store: exactly where the original does.
  Obstacle chooseConditions(Promotion& p, const StmtPtr& region,
                            const std::vector<affine::AccessId>& members) {
    // A test before the launch makes sure of what the guards rely on as well.
    const bool isTested = !p.tested.empty();
    auto runsOnce = [&](const Stmt& loop) {
      return isTestedBefore(loop) || std::any_of(members.begin(), members.end(), [&](affine::AccessId m) {
               return runsWhereGuarded(model.accesses[m], loop, isTested);
             });
    };
    auto isElement = [&](const ir::Access& a) {
      return std::any_of(p.forms.begin(), p.forms.end(), [&](const ExprPtr& f) { return equal(f, a.whole); });
    };
    auto isWrite = [&](const ir::Access& a) {
      return isElement(a) && (a.mode == AccessMode::Write || a.mode == AccessMode::ReadWrite);
    };
    auto usable = [&](ExprPtr cond) -> ExprPtr {
      if (!cond || isTrue(cond)) return cond;
      auto changed = assignedVariables(region);
      const auto declared = declaredVariables(region);
      changed.insert(declared.begin(), declared.end());
      for (const Variable* var : variablesOf(cond))
        if (changed.contains(var)) return nullptr;
      // A condition that reads memory is right where the loop itself would work it out.
      const auto made = accesses(cond);
      if (!made.empty() && p.region.count > 1) return nullptr;
      for (const ir::Access& a : made)
        if (isElement(a)) return nullptr;
      return cond;
    };
    if (p.isRead && !writesFirst(p)) {
      p.loadIf = usable(mustAccess(region, isElement, runsOnce));
      if (!p.loadIf)
        return Refusal{fmt::format(
            "{} is not touched in every iteration, so loading it before the loop could read what the "
            "original does not",
            p.array)};
    }
    if (p.isWritten) {
      p.storeIf = usable(mustAccess(region, isWrite, runsOnce));
      p.needsFlag = !p.storeIf;
    }
    return std::nullopt;
  }

  // Whether the loop stands under a test that it has an iteration, with no more than loads between, as other
  // elements leave it.
  bool isTestedBefore(const Stmt& loop) const {
    const ExprPtr first = firstIterationCondition(loop);
    bool found = false;
    walkStmts(model.kernel->body, [&](const Stmt& s) {
      const auto* node = s.as<If>();
      const auto* body = node ? as<Block>(node->then) : nullptr;
      if (!body || !first || !equal(node->cond, first)) return;
      for (const StmtPtr& one : body->stmts) {
        found |= one.get() == &loop;
        const auto* declared = as<Declare>(one);
        if (!one->is<Comment>() && (!declared || as<Call>(declared->init))) break;
      }
    });
    return found;
  }

  // Whether the guard of an access inside a loop says that the loop has an iteration: i < n with i >= 0, and
  // the loop counts from 0 to n.
  bool runsWhereGuarded(const affine::Access& access, const Stmt& stmt, bool isTested) const {
    if (!access.guardRequirements.empty() && !isTested) return false;
    for (affine::LoopId l : access.loops) {
      const affine::Loop& loop = model.loops[l];
      if (loop.stmt.get() != &stmt || !loop.runs || !loop.values.empty()) continue;
      const affine::CondPtr first = model.atoms->substitute(loop.runs, {{loop.counter, affine::Poly(0)}});
      if (first->kind == affine::CondKind::True) return true;
      if (first->kind != affine::CondKind::AtLeast0) return false;
      std::vector<affine::CondPtr> parts{access.guard};
      if (access.guard && access.guard->kind == affine::CondKind::And) parts = access.guard->parts;
      return std::any_of(parts.begin(), parts.end(), [&](const affine::CondPtr& part) {
        return part && part->kind == affine::CondKind::AtLeast0 &&
               model.atoms->range(first->value - part->value).low >= 0;
      });
    }
    return false;
  }

  // The region begins with an assignment that gives the element its value.
  static bool writesFirst(const Promotion& p) {
    const auto* node = as<Assign>(p.region.stmts().front());
    if (!node || node->op) return false;
    auto isElement = [&](const ExprPtr& e) {
      return std::any_of(p.forms.begin(), p.forms.end(), [&](const ExprPtr& f) { return equal(f, e); });
    };
    if (!isElement(node->place)) return false;
    bool reads = false;
    walkExprs(node->value, [&](const Expr& e) { reads |= isElement(makeExpr(e.type, e.node)); });
    return !reads;
  }
};

}  // namespace

Result<std::optional<Promotion>> decidePromotion(const LaunchStep& launch, const affine::KernelModel& model,
                                                 const PassContext& context, KnownSeparations& separations,
                                                 affine::LoopId loop, affine::AccessId access) {
  return Decider(launch, model, context, separations).decide(loop, access);
}

}  // namespace hone::passes
