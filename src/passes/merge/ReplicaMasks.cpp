#include "passes/merge/ReplicaMasks.h"

#include "ir/CallEffects.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"

namespace hone::passes {

using namespace ir;

AxisMask Replicas::all() const {
  AxisMask mask = 0;
  for (unsigned axis = 0; axis < 3; ++axis)
    if (number[axis]) mask |= AxisMask(1u << axis);
  return mask;
}

AxisMask Replicas::axisOf(const Variable& var) const {
  for (unsigned axis = 0; axis < 3; ++axis)
    if (number[axis].get() == &var) return AxisMask(1u << axis);
  return 0;
}

namespace {

// A call that two threads with the same arguments make with different results or effects.
bool differsByItself(const Call& call) {
  if (call.function) return !call.function->isPure() || call.function->usesCoords;
  switch (call.intrinsic->cls) {
    case IntrinsicClass::Math:
    case IntrinsicClass::Bits:
    case IntrinsicClass::Convert:
    case IntrinsicClass::Load:
    case IntrinsicClass::Store: return call.intrinsic->writesArguments;
    default: return true;
  }
}

}  // namespace

// One walk in program order; repeated until nothing is added.
class MaskWalk {
 public:
  explicit MaskWalk(ReplicaMasks& into) : masks(into) {}

  void statement(const StmtPtr& s) {
    if (!s) return;
    if (const auto* d = s->as<Declare>()) {
      depthOf[d->var.get()] = control.size();
      if (d->init) masks.add(*d->var, masks.of(d->init));
      writesOf(*s);
    } else if (const auto* a = s->as<Assign>()) {
      written(a->place, masks.of(a->value));
      writesOf(*s);
    } else if (s->is<Eval>()) {
      writesOf(*s);
    } else if (const auto* choice = s->as<If>()) {
      under(masks.of(choice->cond), [&] {
        statement(choice->then);
        statement(choice->otherwise);
      });
    } else if (isLoop(*s) || s->is<Switch>()) {
      ways.push_back({s.get(), control.size()});
      under(masks.needs(*s), [&] { forEachChild(*s, [this](const StmtPtr& child) { statement(child); }); });
      ways.pop_back();
    } else if (s->is<Block>()) {
      forEachChild(*s, [this](const StmtPtr& child) { statement(child); });
    } else if (s->is<Break>()) {
      leaves(ways.size() - 1);
    } else if (s->is<Continue>()) {
      size_t to = ways.size() - 1;
      while (!isLoop(*ways[to].stmt)) leaves(to--);
      leaves(to);
    } else if (s->is<Return>()) {
      AxisMask mask = controlFrom(0);
      masks.changed |= (mask & ~masks.returns) != 0;
      masks.returns |= mask;
      for (size_t i = 0; i < ways.size(); ++i) leaves(i);
    }
  }

 private:
  struct Way {
    const Stmt* stmt;
    size_t depth;
  };
  ReplicaMasks& masks;
  std::vector<AxisMask> control;
  std::vector<Way> ways;
  std::map<const Variable*, size_t> depthOf;

  template <class Fn> void under(AxisMask mask, Fn inside) {
    control.push_back(mask);
    inside();
    control.pop_back();
  }

  AxisMask controlFrom(size_t depth) const {
    AxisMask mask = 0;
    for (size_t i = depth; i < control.size(); ++i) mask |= control[i];
    return mask;
  }

  // What decides on a jump out of a loop decides on its iterations.
  void leaves(size_t way) {
    AxisMask mask = HONE_SEED(MergeJumpsAlike, controlFrom(ways[way].depth + 1), AxisMask(0));
    AxisMask& known = masks.jumps[ways[way].stmt];
    masks.changed |= (mask & ~known) != 0;
    known |= mask;
  }

  // Stores that calls make.
  void writesOf(const Stmt& s) {
    const ExprPtr* value = nullptr;
    if (const auto* d = s.as<Declare>()) value = &d->init;
    if (const auto* a = s.as<Assign>()) value = &a->value;
    if (const auto* e = s.as<Eval>()) value = &e->call;
    if (!value || !as<Call>(*value)) return;
    for (const ir::Access& access : accesses(*value))
      if (access.mode == AccessMode::Write || access.mode == AccessMode::ReadWrite)
        written(access.place, masks.of(*value));
  }

  void written(const ExprPtr& place, AxisMask value) {
    value |= masks.of(place);
    if (const Variable* var = storageOf(*place)) {
      if (var->space == Space::Shared) return sharedWritten(*var, value);
      if (var->storage == Storage::Global) return;
      auto depth = depthOf.find(var);
      const AxisMask under = controlFrom(depth == depthOf.end() ? 0 : depth->second);
      return masks.add(*var, value | HONE_SEED(MergeChoicesAlike, under, AxisMask(0)));
    }
    // Behind a pointer: shared memory of any array whose address is known to somebody.
    ExprPtr base = place;
    while (const auto* inner = as<Subscript>(base)) base = inner->base;
    while (const auto* field = as<Member>(base)) base = field->base;
    const Space space = base->type->isPointer() ? base->type->space : Space::Generic;
    if (space != Space::Shared && space != Space::Generic) return;
    for (const Variable* var : masks.takenAddresses)
      if (var->space == Space::Shared) sharedWritten(*var, value);
  }

  void sharedWritten(const Variable& var, AxisMask value) {
    const bool isOwn = masks.replicas.ownShared && HONE_SEED(MergeTileNotReplicated, true, false);
    if (isOwn) masks.add(var, value | controlFrom(0));
  }
};

ReplicaMasks::ReplicaMasks(const StmtPtr& body, const Replicas& of) : replicas(of) {
  takenAddresses = addressTaken(body);
  // What happens behind pointers to a thread's own variables is not followed.
  for (const Variable* var : takenAddresses)
    if (var->space == Space::Private && var->storage != Storage::Global) variables[var] = replicas.all();
  for (const Variable* var : replicas.apart) variables[var] = replicas.all();
  do {
    changed = false;
    MaskWalk(*this).statement(body);
  } while (changed);
}

void ReplicaMasks::add(const Variable& var, AxisMask mask) {
  AxisMask& known = variables[&var];
  changed |= (mask & ~known) != 0;
  known |= mask;
}

AxisMask ReplicaMasks::of(const Variable& var) const {
  if (AxisMask axis = replicas.axisOf(var)) return axis;
  auto found = variables.find(&var);
  return found == variables.end() ? 0 : found->second;
}

AxisMask ReplicaMasks::of(const ExprPtr& e) const {
  AxisMask mask = 0;
  walkExprs(e, [&](const Expr& node) {
    if (const auto* var = node.as<VarRef>()) mask |= of(*var->var);
    if (const auto* call = node.as<Call>(); call && differsByItself(*call)) mask |= replicas.all();
  });
  return mask;
}

AxisMask ReplicaMasks::needs(const Stmt& s) const {
  if (const auto* d = s.as<Declare>()) return d->var->space == Space::Shared ? 0 : of(*d->var) | of(d->init);
  if (prints(s)) return replicas.all();  // each thread says its own
  AxisMask mask = 0;
  if (auto found = jumps.find(&s); found != jumps.end()) mask = found->second;
  forEachExpr(s, [&](const ExprPtr& e) { mask |= of(e); });
  if (const auto* loop = s.as<For>()) {
    // The counter must go the same way: what the head computes counts as well.
    for (const StmtPtr& step : loop->step) mask |= needs(*step);
    for (const StmtPtr& init : loop->init) mask |= needs(*init);
  }
  return mask;
}

AxisMask ReplicaMasks::needsBelow(const StmtPtr& s) const {
  AxisMask mask = 0;
  walkStmts(s, [&](const Stmt& stmt) { mask |= needs(stmt); });
  return mask;
}

}  // namespace hone::passes
