// 1. For each loop, outermost first, and each element that it touches in every round: decide whether the element may live in a register, over
//    the loop and the assignments beside it that touch the same element.
// 2. Rewrite: load, the loop with a variable instead of the element, store. Then look again, until nothing is left to promote.
#include "passes/PromoteElements.h"

#include <fmt/core.h>

#include <algorithm>

#include "affine/Relation.h"
#include "emit/Emit.h"
#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Intrinsics.h"
#include "passes/AliasGuard.h"
#include "passes/HostValue.h"
#include "passes/LoopEdit.h"
#include "passes/Names.h"
#include "passes/PlanEdit.h"
#include "passes/SeededMistakes.h"
#include "passes/SurelyTouches.h"

namespace hone::passes {

using namespace ir;

namespace {

// Statements of one Block: the loop, and assignments beside it that touch the same element.
struct Region {
  Position at;  // of the first
  size_t count = 1;
  StmtList stmts() const {
    const auto first = at.list().begin() + static_cast<std::ptrdiff_t>(at.index);
    return {first, first + static_cast<std::ptrdiff_t>(count)};
  }
};

struct Promotion {
  Region region;
  StmtPtr loop;
  std::string handle;          // of the loop
  ExprPtr element;             // as written before the loop
  std::vector<ExprPtr> forms;  // every way the region writes it
  std::string array;
  bool isRead = false, isWritten = false, onlyAdds = true;
  ExprPtr loadIf, storeIf;  // null: never; true: always
  bool needsFlag = false;   // whether something was stored is known at the end only
  ExprPtr aliasCondition;
  std::string tested;
};

class ElementRewriter : public Rewriter {
 public:
  ElementRewriter(const std::vector<ExprPtr>& all, VarPtr with, VarPtr stored)
      : forms(all), by(std::move(with)), flag(std::move(stored)) {}
  bool isElement(const ExprPtr& e) const {
    return std::any_of(forms.begin(), forms.end(), [&](const ExprPtr& f) { return equal(e, f); });
  }
  // Before its parts: a form may hold another one's variables only.
  ExprPtr rewrite(const ExprPtr& e) override {
    if (e && isElement(e)) return ref(by, e->loc);
    return Rewriter::rewrite(e);
  }
  using Rewriter::rewrite;

 private:
  const std::vector<ExprPtr>& forms;
  VarPtr by, flag;
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* node = as<Assign>(s);
    const auto* place = node ? as<VarRef>(node->place) : nullptr;
    if (!flag || !place || place->var != by) return {s};
    return {s, assign(ref(flag), boolLit(true))};
  }
};

std::shared_ptr<Variable> localVariable(Names& names, const std::string& name, const TypePtr& type,
                                        const SourceLoc& loc) {
  auto var = std::make_shared<Variable>();
  var->name = names.fresh(name);
  var->type = type;
  var->loc = loc;
  return var;
}

class Decider {
 public:
  Decider(const LaunchStep& step, const affine::KernelModel& kernelModel, const PassContext& passContext)
      : launch(step), model(kernelModel), context(passContext) {}

  // Null: refused, why() says it; an empty reason: the access is no candidate.
  std::optional<Promotion> decide(int loop, int access) {
    reason.clear();
    const affine::Access& a = model.accesses[static_cast<size_t>(access)];
    if (!a.isResolved() || a.atomic || a.mode == AccessMode::Address) return std::nullopt;
    const affine::Array& array = model.arrays[static_cast<size_t>(a.array)];
    if (array.space == Space::Private) return std::nullopt;
    uint64_t inside = 0;
    for (size_t l = 0; l < model.loops.size(); ++l)
      if (isWithin(static_cast<int>(l), loop)) inside |= affine::loopBit(static_cast<int>(l));
    if (model.atoms->variation(a.address).loops & inside) return std::nullopt;
    if (array.isVolatile) return refuse(fmt::format("{} is volatile", array.name));
    const StmtPtr& stmt = model.loops[static_cast<size_t>(loop)].stmt;
    const Position at = positionOf(launch.kernel->body, stmt);
    if (!at.block) return refuse("the loop stands in a switch");
    // With the assignments beside the loop where that works, else without.
    const Region wide = widened(at, a);
    if (wide.count > 1)
      if (auto done = decideIn(wide, loop, access)) return done;
    return decideIn(Region{at, 1}, loop, access);
  }
  const std::string& why() const { return reason; }

 private:
  const LaunchStep& launch;
  const affine::KernelModel& model;
  const PassContext& context;
  std::string reason;
  std::optional<analysis::Conflicts> conflicts;

  std::nullopt_t refuse(std::string why) {
    reason = std::move(why);
    return std::nullopt;
  }

  bool isWithin(int loop, int outer) const {
    for (; loop >= 0; loop = model.loops[static_cast<size_t>(loop)].parent)
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

  std::optional<Promotion> decideIn(const Region& region, int loop, int access) {
    const affine::Access& a = model.accesses[static_cast<size_t>(access)];
    Promotion p;
    p.region = region;
    p.loop = model.loops[static_cast<size_t>(loop)].stmt;
    p.handle = model.loops[static_cast<size_t>(loop)].handle;
    p.array = model.arrays[static_cast<size_t>(a.array)].name;
    const StmtList stmts = region.stmts();
    const StmtPtr whole = block(stmts);
    // a. The accesses of the region: those of the element, and others.
    std::vector<int> members, others;
    for (size_t i = 0; i < model.accesses.size(); ++i) {
      const affine::Access& one = model.accesses[i];
      const bool isIn =
          std::find(one.loops.begin(), one.loops.end(), loop) != one.loops.end() ||
          std::any_of(stmts.begin(), stmts.end(), [&](const StmtPtr& s) { return s == one.stmt; });
      if (!isIn) continue;
      const bool isPlain = !one.atomic && one.mode != AccessMode::Address && !isThroughCall(one);
      (isPlain && isSame(one, a) ? members : others).push_back(static_cast<int>(i));
    }
    for (int m : members) {
      const affine::Access& one = model.accesses[static_cast<size_t>(m)];
      p.isRead |= one.reads(), p.isWritten |= one.writes();
      if (one.writes()) {
        const auto* node = as<Assign>(one.stmt);
        p.onlyAdds &= node && node->op && (*node->op == BinaryOp::Add || *node->op == BinaryOp::Sub);
      }
      if (std::none_of(p.forms.begin(), p.forms.end(), [&](const ExprPtr& f) { return equal(f, one.whole); }))
        p.forms.push_back(one.whole);
    }
    if (members.empty()) return std::nullopt;
    if (!chooseElement(p, whole, members)) return std::nullopt;
    if (!checkForms(p, whole, members)) return std::nullopt;
    if (!checkStatements(p, whole, a)) return std::nullopt;
    if (!checkOthers(p, whole, loop, members, others)) return std::nullopt;
    if (!chooseConditions(p, whole, members)) return std::nullopt;
    return p;
  }

  static bool isThroughCall(const affine::Access& one) {
    const auto own = accesses(*one.stmt);
    return std::any_of(own.begin(), own.end(),
                       [&](const Access& x) { return x.through && x.place == one.place; });
  }

  // b. A way to write the element that means the same before the region.
  bool chooseElement(Promotion& p, const StmtPtr& region, const std::vector<int>& members) {
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
    if (!p.element) {
      refuse(fmt::format("the subscript of {} is worked out inside the loop",
                         model.accesses[static_cast<size_t>(members.front())].handle));
      return false;
    }
    // Forms that differ are one element as long as no arithmetic wraps.
    if (p.forms.size() > 1)
      for (int m : members)
        if (!model.accesses[static_cast<size_t>(m)].requirements.empty()) {
          refuse(fmt::format("{} is written in several ways whose arithmetic could wrap", p.array));
          return false;
        }
    return true;
  }

  // c. Whatever is written like the element must be it.
  bool checkForms(const Promotion& p, const StmtPtr& region, const std::vector<int>& members) {
    std::set<const Expr*> known;
    for (int m : members) known.insert(model.accesses[static_cast<size_t>(m)].whole.get());
    std::string what;
    walkExprs(region, [&](const Expr& e) {
      const auto* address = e.as<AddressOf>();
      if (address)
        for (const ExprPtr& form : p.forms) {
          bool holds = false;
          walkExprs(address->place,
                    [&](const Expr& below) { holds |= equal(makeExpr(below.type, below.node), form); });
          if (holds) what = fmt::format("the address of {} is taken in the loop", p.array);
        }
    });
    if (!what.empty()) {
      refuse(what);
      return false;
    }
    if (p.forms.size() == 1 && equal(p.forms.front(), p.element)) return true;
    for (const affine::Access& one : model.accesses) {
      if (known.contains(one.whole.get())) continue;
      for (const ExprPtr& form : p.forms)
        if (equal(one.whole, form)) {
          refuse(fmt::format("{} means different elements in the loop",
                             emit::emitExpr(form, launch.kernel->language)));
          return false;
        }
    }
    return true;
  }

  // d. What other threads may see or do meanwhile.
  bool checkStatements(const Promotion& p, const StmtPtr& region, const affine::Access& a) {
    bool barrier = false, fence = false, exchange = false, usesAtomic = false;
    walkStmts(region, [&](const Stmt& s) {
      barrier |= s.is<Barrier>(), fence |= s.is<Fence>();
      for (const Access& one : accesses(s))
        if (one.atomic && !s.is<Eval>()) usesAtomic = true;
    });
    walkExprs(region, [&](const Expr& e) {
      const auto* call = e.as<Call>();
      if (call && call->intrinsic && call->intrinsic->cls == IntrinsicClass::BarrierVote) barrier = true;
      if (call && call->intrinsic && call->intrinsic->cls == IntrinsicClass::Exchange) exchange = true;
    });
    if (fence || usesAtomic) {
      refuse(fmt::format("{} in the loop may order {} with other threads",
                         fence ? "a fence" : "an atomic whose result is used", p.array));
      return false;
    }
    if (p.isWritten && exitsOf(bodyOf(*p.loop)).returns) {
      refuse(fmt::format("the loop returns from the kernel, and {} must be stored before", p.array));
      return false;
    }
    if (!p.isWritten && p.loop->is<While>() && spinsOn(*p.loop, p.forms)) {
      refuse(fmt::format("the loop waits for {} to change", p.array));
      return false;
    }
    const bool isShared = model.arrays[static_cast<size_t>(a.array)].space == Space::Shared;
    if (!barrier && !(exchange && isShared)) return true;
    const analysis::Privacy owner = analysis::privacy(model, a.array);
    if (owner.perThread == analysis::Answer::Yes) return true;
    AliasGuard guard(launch, model, context);
    if (!p.isWritten && guard.keepUnchanged(a.array) && !guard.condition()) return true;
    refuse(fmt::format("other threads may see {} at the barrier in the loop{}", p.array,
                       owner.reason.empty() ? "" : " (" + owner.reason + ")"));
    return false;
  }

  static bool spinsOn(const Stmt& loop, const std::vector<ExprPtr>& forms) {
    bool found = false;
    walkExprs(loop.as<While>()->cond, [&](const Expr& e) {
      for (const ExprPtr& form : forms) found |= equal(makeExpr(e.type, e.node), form);
    });
    return found;
  }

  // e. Nothing else in the region touches the element.
  bool checkOthers(Promotion& p, const StmtPtr&, int loop, const std::vector<int>& members,
                   const std::vector<int>& others) {
    AliasGuard guard(launch, model, context);
    const int array = model.accesses[static_cast<size_t>(members.front())].array;
    for (int o : others) {
      const affine::Access& other = model.accesses[static_cast<size_t>(o)];
      if (other.mode == AccessMode::Address && other.array == array) {
        refuse(fmt::format("the address of {} is taken in the loop", p.array));
        return false;
      }
      if (!other.writes() && !p.isWritten) continue;
      if (other.array < 0) {
        refuse(fmt::format("{} may touch {}: {}", other.handle, p.array,
                           other.reason.empty() ? "its memory is not known" : other.reason));
        return false;
      }
      if (other.array != array) {
        if (guard.separate(array, other.array)) continue;
        refuse(guard.reason());
        return false;
      }
      if (!checkApart(p, loop, members.front(), o, guard)) return false;
    }
    p.aliasCondition = andAlso(p.aliasCondition, guard.condition());
    p.tested = guard.tested();
    return true;
  }

  // Two accesses of one array: never the same element while the region runs.
  bool checkApart(Promotion& p, int loop, int member, int other, const AliasGuard&) {
    const affine::Access &x = model.accesses[static_cast<size_t>(member)],
                         &y = model.accesses[static_cast<size_t>(other)];
    // Fields and lanes of one element.
    const auto gap = (x.address - y.address).constant();
    if (x.isResolved() && y.isResolved() && gap && equal(x.place, y.place) &&
        (*gap >= static_cast<int64_t>(y.bytes) || -*gap >= static_cast<int64_t>(x.bytes)))
      return true;
    if (!conflicts) conflicts.emplace(model);
    auto meet = [&](int first, int second, int carrier) {
      const analysis::Meeting meeting{first, second, carrier, analysis::Meeting::Any,
                                      analysis::Between::OneThread};
      return conflicts->ask(meeting).answer != analysis::Answer::No;
    };
    bool isApart = x.isResolved() && y.isResolved() && !meet(member, other, -1) && !meet(other, member, -1);
    for (int l : conflicts->commonLoops(member, other))
      if (isApart && isWithin(l, loop)) isApart = !meet(member, other, l) && !meet(other, member, l);
    for (const affine::Access* one : {&x, &y})
      for (unsigned r : one->requirements) {
        ExprPtr holds = hostRequirement(launch, model, model.requirements[r]);
        if (!holds) isApart = false;
        if (isApart && !isTrue(holds)) p.aliasCondition = andAlso(p.aliasCondition, holds);
      }
    if (isApart) return true;
    refuse(fmt::format("{} may be the same element as {}", y.handle, x.handle));
    return false;
  }

  // f. When to load and when to store: exactly where the original does.
  bool chooseConditions(Promotion& p, const StmtPtr& region, const std::vector<int>& members) {
    // A test before the launch makes sure of what the guards rely on as well.
    const bool isTested = !p.tested.empty();
    auto runsOnce = [&](const Stmt& loop) {
      return std::any_of(members.begin(), members.end(), [&](int m) {
        return runsWhereGuarded(model.accesses[static_cast<size_t>(m)], loop, isTested);
      });
    };
    auto isElement = [&](const Access& a) {
      return std::any_of(p.forms.begin(), p.forms.end(), [&](const ExprPtr& f) { return equal(f, a.whole); });
    };
    auto isWrite = [&](const Access& a) {
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
      for (const Access& a : made)
        if (isElement(a)) return nullptr;
      return cond;
    };
    if (p.isRead && !writesFirst(p)) {
      p.loadIf = usable(surelyTouches(region, isElement, runsOnce));
      if (!p.loadIf) {
        refuse(
            fmt::format("{} is not touched in every round, so loading it before the loop could read what the "
                        "original does not",
                        p.array));
        return false;
      }
    }
    if (p.isWritten) {
      p.storeIf = usable(surelyTouches(region, isWrite, runsOnce));
      p.needsFlag = !p.storeIf;
    }
    return true;
  }

  // Whether the guard of an access inside a loop says that the loop has a round: i < n with i >= 0, and the loop counts from 0 to n.
  bool runsWhereGuarded(const affine::Access& access, const Stmt& stmt, bool isTested) const {
    if (!access.guardRequirements.empty() && !isTested) return false;
    for (int l : access.loops) {
      const affine::Loop& loop = model.loops[static_cast<size_t>(l)];
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

[[maybe_unused]] ExprPtr zeroLike(const ExprPtr& e) {
  return e->type->isArithmetic() ? convert(intLit(0), e->type) : e;
}

bool declaresAllOfItsHead(const Stmt& loop) {
  const auto* node = loop.as<For>();
  if (!node) return loop.is<While>();
  return std::all_of(node->init.begin(), node->init.end(), [](const StmtPtr& s) { return s->is<Declare>(); });
}

// The kernel's body with the element in a variable.
StmtPtr rewritten(const Kernel& kernel, const Promotion& p) {
  const SourceLoc loc = p.loop->loc;
  Names names(kernel);
  const std::string text = emit::emitExpr(p.element, kernel.language);
  std::string name = p.array.substr(p.array.find_last_of('.') + 1);
  if (const auto* m = as<Swizzle>(p.element); m && m->lanes.size() == 1)
    name += std::string("_") + "xyzw"[m->lanes[0] % 4];
  auto reg =
      localVariable(names, name + (p.isWritten && p.onlyAdds ? "_sum" : "_value"), p.element->type, loc);
  reg->isConst = !p.isWritten;
  VarPtr flag = p.needsFlag ? localVariable(names, name + "_stored", boolType(), loc) : nullptr;
  ElementRewriter rewriter(p.forms, reg, flag);

  StmtList stmts = p.region.stmts(), out;
  // What is stored last by the region's own last statement needs no further store.
  const auto* last = as<Assign>(stmts.back());
  const bool keepsLast = last && !last->op && stmts.size() > 1 && rewriter.isElement(last->place);

  const bool startsWithValue = !p.loadIf && !p.needsFlag && stmts.front()->is<Assign>() &&
                               rewriter.isElement(as<Assign>(stmts.front())->place);
  StmtList before, inside, after;
  before.push_back(makeStmt(
      Comment{p.isWritten
                  ? fmt::format("{} is {} in every round: it lives in a register while the loop runs.", text,
                                p.isRead ? "read and written" : "written")
                  : fmt::format("{} is the same in every round: loaded once.", text)},
      loc));
  const bool wraps = stmts.size() == 1 && declaresAllOfItsHead(*p.loop) && p.loadIf && !isTrue(p.loadIf) &&
                     equal(p.loadIf, firstRoundCondition(*p.loop)) &&
                     (!p.isWritten || p.needsFlag || equal(p.loadIf, p.storeIf));
  const ExprPtr loadIf = wraps && p.loadIf ? boolLit(true) : p.loadIf;
  const ExprPtr storeIf = wraps && p.storeIf ? boolLit(true) : p.storeIf;
  if (startsWithValue) {
    const auto* first = as<Assign>(stmts.front());
    before.push_back(makeStmt(Declare{reg, rewriter.rewrite(first->value)}, stmts.front()->loc));
    stmts.erase(stmts.begin());
  } else if (loadIf && isTrue(loadIf)) {
    before.push_back(
        makeStmt(Declare{reg, HONE_SEED(PromoteWithoutLoad, p.element, zeroLike(p.element))}, loc));
  } else {
    reg->isConst = false;
    before.push_back(makeStmt(Declare{reg, nullptr}, loc));
    if (loadIf) before.push_back(makeStmt(If{loadIf, block({assign(ref(reg), p.element)}), nullptr}, loc));
  }
  if (flag) before.push_back(makeStmt(Declare{flag, boolLit(false)}, loc));
  for (size_t i = 0; i < stmts.size(); ++i) {
    if (keepsLast && i + 1 == stmts.size()) {
      inside.push_back(
          makeStmt(Assign{last->place, std::nullopt, rewriter.rewrite(last->value)}, stmts[i]->loc));
      continue;
    }
    for (StmtPtr& s : rewriter.rewrite(stmts[i])) inside.push_back(std::move(s));
  }
  if (p.isWritten && !keepsLast) {
    StmtPtr store = assign(p.element, ref(reg), loc);
    ExprPtr when = flag ? ref(flag) : storeIf;
    if (HONE_SEED(PromoteStoreAlways, isTrue(when), true))
      after.push_back(store);
    else
      after.push_back(makeStmt(If{when, block({store}), nullptr}, loc));
  }
  StmtList all;
  for (StmtList* part : {&before, &inside, &after}) all.insert(all.end(), part->begin(), part->end());
  if (wraps) {
    StmtPtr comment = all.front();
    all.erase(all.begin());
    all = {comment, makeStmt(If{p.loadIf, block(all), nullptr}, loc)};
  }
  return replaceRun(kernel.body, p.region.stmts().front(), p.region.count, all);
}

}  // namespace

LaunchResult promoteElements(const LaunchStep& original, const PassCall& call, PassContext& context) {
  LaunchResult result{original, nullptr, {}};
  LaunchStep& launch = *result.launch;
  launch.kernel = withDistinctStatements(original.kernel);
  const std::vector<std::string> names = positionalOf(call);
  const std::string wanted = argumentOf(call, "loop");
  const std::array<unsigned, 3> block = fixedBlock(original).value_or(context.block);
  auto isWanted = [&](const affine::KernelModel& model, const affine::Access& a) {
    if (names.empty() || a.array < 0) return names.empty();
    const std::string& array = model.arrays[static_cast<size_t>(a.array)].name;
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& name) { return name == a.handle || name == array; });
  };
  std::string refusal;
  SourceLoc where;
  std::vector<std::string> story;
  unsigned inlined = 0;
  for (unsigned rounds = 0; rounds < 64; ++rounds) {
    const affine::KernelModel& model = context.facts.of(launch.kernel, block).model();
    if (model.kernel->body != launch.kernel->body)
      return refused(original,
                     "it calls device functions; put `inline(all=1)` before `promote` in the recipe");
    if (result.remarks.empty()) {
      for (const std::string& name : names)
        if (std::none_of(model.accesses.begin(), model.accesses.end(), [&](const affine::Access& a) {
              return name == a.handle ||
                     (a.array >= 0 && name == model.arrays[static_cast<size_t>(a.array)].name);
            }))
          return refuse(fmt::format("there is no array or access {}", name), original);
      if (!wanted.empty() && findLoop(handles(*launch.kernel).loops, wanted, refusal) < 0)
        return refuse(refusal, original);
    }
    // 1. Decide.
    Decider decider(launch, model, context);
    std::optional<Promotion> found;
    for (size_t l = 0; l < model.loops.size() && !found; ++l) {
      if (!wanted.empty() && model.loops[l].handle != wanted) continue;
      for (size_t i = 0; i < model.accesses.size() && !found; ++i) {
        const affine::Access& a = model.accesses[i];
        if (std::find(a.loops.begin(), a.loops.end(), static_cast<int>(l)) == a.loops.end()) continue;
        if (!isWanted(model, a)) continue;
        found = decider.decide(static_cast<int>(l), static_cast<int>(i));
        if (!found && refusal.empty() && !decider.why().empty()) refusal = decider.why(), where = a.loc;
      }
    }
    if (!found) break;
    // 2. Rewrite.
    auto kernel = std::make_shared<Kernel>(*launch.kernel);
    const std::string text = emit::emitExpr(found->element, kernel->language);
    kernel->story.push_back(fmt::format("{} lives in a register while its loop runs.", text));
    kernel->body = rewritten(*launch.kernel, *found);
    launch.kernel = kernel;
    if (found->aliasCondition && !isTrue(found->aliasCondition))
      result.condition = result.condition && equal(result.condition, found->aliasCondition)
                             ? result.condition
                             : andAlso(result.condition, found->aliasCondition);
    result.remarks.push_back(
        {RemarkKind::Done, found->loop->loc, kernel->name,
         fmt::format(
             "{} lives in a register during {}: {} in every round{}", text, found->handle,
             !found->isWritten ? "it is read"
             : found->isRead   ? "it is read and written"
                               : "it is written",
             found->tested.empty()
                 ? ""
                 : fmt::format(" (before the launch it is tested that {} do not overlap)", found->tested))});
  }
  if (!result.remarks.empty()) return result;
  if (refusal.empty()) return refuse("no loop touches one element of memory again and again", original);
  return refuse(refusal, original, where);
}

}  // namespace hone::passes
