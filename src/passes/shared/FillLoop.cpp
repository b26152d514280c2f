#include "passes/shared/FillLoop.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/LoopEdit.h"

namespace hone::passes {

using namespace ir;

namespace {

constexpr int64_t mostFillIterations = 32;  // of a loop inside a fill: each needs a register

bool isBlockBarrier(const StmtPtr& s) {
  const auto* barrier = as<Barrier>(s);
  return barrier && barrier->scope == SyncScope::Block;
}

class Recognizer {
 public:
  Recognizer(const affine::KernelModel& kernel, const StmtPtr& statement) : model(kernel) {
    found.loop = statement;
  }

  // Nothing where it fills no tiles; calls refuse for a loop that does and still cannot be taken.
  std::optional<FillLoop> run() {
    if (!split() || !collect(found.fill) || found.loads.empty()) return std::nullopt;
    checkVolatile();
    const Exits exits = exitsOf(as<For>(found.loop)->body);
    if (exits.breaks || exits.returns || exits.continues)
      refuse("the loop may end early: the tile after the last would be loaded for nothing", found.loop->loc);
    if (!header()) return std::nullopt;
    checkVariables();
    return std::move(found);
  }

 private:
  // Takes the body apart at its barriers.
  bool split() {
    const StmtList& body = as<Block>(as<For>(found.loop)->body)->stmts;
    size_t begin = 0, end = body.size();
    while (begin < end && body[begin]->is<Comment>()) ++begin;
    while (end > begin && body[end - 1]->is<Comment>()) --end;
    if (begin == end) return false;
    if (isBlockBarrier(body[begin])) found.atStart = body[begin++];
    if (end > begin && isBlockBarrier(body[end - 1])) found.atEnd = body[--end];
    auto middle = std::find_if(body.begin() + std::ptrdiff_t(begin), body.begin() + std::ptrdiff_t(end),
                               isBlockBarrier);
    if (middle == body.begin() + std::ptrdiff_t(end)) return false;
    found.fill.assign(body.begin() + std::ptrdiff_t(begin), middle);
    found.barrier = *middle;
    found.compute.assign(middle + 1, body.begin() + std::ptrdiff_t(end));
    return !found.fill.empty();
  }

  bool collect(const StmtList& stmts) {
    for (const StmtPtr& s : stmts)
      if (!collect(s)) return false;
    return true;
  }
  bool collect(const StmtPtr& s) {
    bool computes = true;
    forEachExpr(*s, [&](const ExprPtr& e) {
      walkExprs(e, [&](const Expr& x) {
        const auto* call = x.as<Call>();
        computes = computes && (!call || (isPure(*call) && !isVolatileLoad(*call)));
      });
    });
    if (!computes) return false;
    if (const auto* block = as<Block>(s)) return collect(block->stmts);
    if (s->is<Comment>() || s->is<Declare>()) return noSharedReads(s);
    if (const auto* choice = as<If>(s)) {
      if (!noSharedReads(s) || !collect(as<Block>(choice->then)->stmts)) return false;
      return !choice->otherwise || collect(as<Block>(choice->otherwise)->stmts);
    }
    if (const auto* loop = as<For>(s)) return innerLoop(s, *loop) && collect(as<Block>(loop->body)->stmts);
    const auto* assign = as<Assign>(s);
    if (!assign || assign->op) return false;
    const VarPtr root = rootVariable(assign->place);
    const auto* element = as<Subscript>(assign->place);
    if (!root || !element || root->space != Space::Shared || !element->base->is<VarRef>()) return false;
    found.tiles.insert(root.get());
    bool loads = false;
    for (const affine::Access& access : model.accesses) {
      if (access.stmt != s || !access.reads()) continue;
      if (access.array.isNone()) return false;
      const affine::Array& array = model.arrays[access.array];
      if (array.space == Space::Shared) return false;
      if (array.space != Space::Global && array.space != Space::Constant) continue;
      loads = loads || array.space == Space::Global;
      found.arrays.insert(access.array);
    }
    if (loads) found.loads.push_back(s.get());
    return true;
  }
  // Accesses that are volatile stay where they are.
  void checkVolatile() const {
    for (const StmtPtr& s : found.fill)
      walkExprs(s, [&](const Expr& e) {
        const VarPtr root = isVolatile(e) ? rootVariable(makeExpr(e.type, e.node)) : nullptr;
        if (root) refuse(fmt::format("{} is volatile", root->name), found.loop->loc);
      });
  }
  bool noSharedReads(const StmtPtr& s) {
    for (const affine::Access& access : model.accesses) {
      if (access.stmt != s || !access.reads()) continue;
      if (access.array.isNone() || model.arrays[access.array].space == Space::Shared) return false;
      if (model.arrays[access.array].space == Space::Global) found.arrays.insert(access.array);
    }
    return true;
  }

  bool innerLoop(const StmtPtr& s, const For& loop) {
    const auto counts = counted(loop);
    if (!counts || !counts->declares || loop.init.size() != 1 || loop.step.size() != 1) return false;
    const auto end = constantValue(counts->end), step = constantValue(counts->step);
    if (!end || !step || *step < 1 || counts->op != BinaryOp::Add || counts->compare != BinaryOp::Lt)
      refuse("a loop that fills the tile has no number of iterations that is known", s->loc);
    for (const affine::Loop& one : model.loops) {
      if (one.stmt != s) continue;
      const affine::Range range = model.atoms->range(one.first);
      if (range.low < 0)
        refuse("a loop that fills the tile has no number of iterations that is known", s->loc);
      FillLoop::Inner inner;
      inner.iterations = (*end - range.low + *step - 1) / *step;
      inner.isExact = range.high < *end && range.high + (inner.iterations - 1) * *step < *end;
      inner.var = counts->var;
      inner.begin = counts->begin;
      inner.end = counts->end;
      inner.step = *step;
      if (inner.iterations < 1 || inner.iterations > mostFillIterations)
        refuse(fmt::format("a thread loads {} elements of a tile, too many to keep", inner.iterations),
               s->loc);
      found.inner[s.get()] = inner;
      return true;
    }
    return false;
  }

  // What the header's variables begin with and become.
  bool header() {
    const For& loop = *as<For>(found.loop);
    if (!loop.cond) return false;
    for (const StmtPtr& s : loop.init) {
      const auto* declare = as<Declare>(s);
      const auto* assign = as<Assign>(s);
      const auto* target = assign && !assign->op ? as<VarRef>(assign->place) : nullptr;
      if (declare && declare->init)
        found.first.emplace_back(declare->var, substituted(declare->init, found.first));
      else if (target)
        found.first.emplace_back(target->var, substituted(assign->value, found.first));
      else
        refuse("the loop's header is not understood", found.loop->loc);
    }
    for (const StmtPtr& s : loop.step) {
      const auto* assign = as<Assign>(s);
      const auto* target = assign ? as<VarRef>(assign->place) : nullptr;
      if (!target) refuse("the loop's header is not understood", found.loop->loc);
      ExprPtr value = assign->value;
      if (assign->op) value = convert(binary(*assign->op, ref(target->var), value), target->var->type);
      value = substituted(value, found.next);
      std::erase_if(found.next, [&](const auto& pair) { return pair.first == target->var; });
      found.next.emplace_back(target->var, value);
    }
    return true;
  }

  // What the fill and the condition use must be the same whenever they are worked out, but for the header's
  // variables.
  void checkVariables() const {
    const For& loop = *as<For>(found.loop);
    std::set<const Variable*> changed = assignedVariables(loop.body), own;
    for (const StmtPtr& s : found.fill) {
      const std::set<const Variable*> declared = declaredVariables(s);
      own.insert(declared.begin(), declared.end());
    }
    std::set<const Variable*> inFill;
    for (const StmtPtr& s : found.fill) {
      const std::set<const Variable*> assigned = assignedVariables(s);
      inFill.insert(assigned.begin(), assigned.end());
    }
    for (const auto& [var, value] : found.next)
      if (changed.contains(var.get()))
        refuse(fmt::format("{} changes inside the loop", var->name), found.loop->loc);
    const std::set<const Variable*> taken = addressTaken(model.kernel->body);
    OrderedVariables used = inSourceOrder(variablesOf(loop.cond));
    for (const auto& [var, value] : found.next) {
      const std::set<const Variable*> more = variablesOf(value);
      used.insert(more.begin(), more.end());
    }
    for (const StmtPtr& s : found.fill)
      walkExprs(s, [&](const Expr& e) {
        if (const auto* var = e.as<VarRef>()) used.insert(var->var.get());
      });
    for (const Variable* v : used) {
      if (found.tiles.contains(v) || own.contains(v)) continue;
      if (taken.contains(v) && !v->type->is(TypeKind::Array))
        refuse(fmt::format("the address of {} is taken", v->name), found.loop->loc);
      if (changed.contains(v)) refuse(fmt::format("{} changes inside the loop", v->name), found.loop->loc);
    }
    if (!accesses(loop.cond).empty()) refuse("the loop's condition is loaded from memory", found.loop->loc);
  }

  const affine::KernelModel& model;
  FillLoop found;
};

}  // namespace

Result<std::vector<FillLoop>> fillLoops(const affine::KernelModel& model) {
  std::vector<FillLoop> all;
  Obstacle first;
  for (const affine::Loop& loop : model.loops) {
    if (!loop.stmt->is<For>()) continue;
    auto one = refusing([&] { return Recognizer(model, loop.stmt).run(); });
    if (one && *one)
      all.push_back(std::move(**one));
    else if (!one && !first)
      first = one.refusal();
  }
  if (all.empty()) return first ? *first : Refusal{"no loop fills a tile of shared memory and waits for it"};
  std::reverse(all.begin(), all.end());
  return all;
}

}  // namespace hone::passes
