// Statements other than loops.
#include <fmt/core.h>

#include "affine/Builder.h"
#include "ir/InlineCalls.h"

namespace hone::affine {

using ir::as;
using ir::TypeKind;

namespace {

// Names of the arrays that the kernel stores to: by the variable at the root of the place.
std::set<std::string> storedArrays(const ir::KernelHandles& handles) {
  std::set<std::string> out;
  for (const ir::AccessHandle& h : handles.accesses) {
    if (h.access.mode == ir::AccessMode::Read) continue;
    if (ir::VarPtr root = ir::rootVariable(h.access.place)) out.insert(root->name);
    out.insert(h.name.substr(0, h.name.rfind('#')));
  }
  return out;
}

// A body that is left at its end only, and then not repeated.
bool runsOnce(const ir::DoWhile& loop) {
  const auto again = ir::constantValue(loop.cond);
  if (!again || *again != 0) return false;
  bool leaves = false;
  ir::walkStmts(loop.body, [&](const ir::Stmt& s) { leaves |= s.is<ir::Break>() || s.is<ir::Continue>(); });
  return !leaves;
}

}  // namespace

Builder::Builder(const ir::KernelPtr& kernel, const std::array<unsigned, 3>& block)
    : model{.kernel = withCallsInlined(kernel),
            .block = block,
            .atoms = std::make_shared<Atoms>(),
            .loops = {},
            .arrays = {},
            .accesses = {},
            .barriers = {},
            .branches = {},
            .events = {},
            .requirements = {},
            .signedComparisons = {}},
      atoms(*model.atoms),
      isOpenCL(kernel->language == ir::Language::OpenCL),
      handles(ir::handles(*model.kernel)) {
  atoms.blockShape = block;
  for (size_t i = 0; i < handles.accesses.size(); ++i)
    handlesOf[handles.accesses[i].stmt.get()].push_back(AccessId(i));
  // A pointer into an array of the thread's own exposes no scalar.
  for (const ir::Variable* var : ir::addressTaken(model.kernel->body))
    if (!var->type->is(TypeKind::Array)) exposed.insert(var);
  writtenArrays = storedArrays(handles);
  model.accesses.resize(handles.accesses.size());
  model.loops.resize(handles.loops.size());
  loopRequirements.resize(handles.loops.size());
  for (size_t i = 0; i < handles.loops.size(); ++i) {
    Loop& loop = model.loops[LoopId(i)];
    loop.handle = handles.loops[i].name;
    loop.stmt = handles.loops[i].loop;
    loop.parent = LoopId(handles.loops[i].parent);
    loop.runs = always();
    atoms.loopNames.add(loop.handle);
  }
  for (size_t i = 0; i < handles.accesses.size(); ++i) {
    // Code that is never walked (after a return) keeps this.
    Access& access = model.accesses[AccessId(i)];
    const ir::AccessHandle& handle = handles.accesses[i];
    access.handle = handle.name;
    access.mode = handle.access.mode;
    access.atomic = handle.access.atomic;
    access.stmt = handle.stmt;
    access.place = handle.access.place;
    access.whole = handle.access.whole;
    access.loc = access.place->loc;
    access.guard = never();
    access.exactness = Exactness::Unknown;
    access.reason = "never reached";
  }
}

KernelModel Builder::run() {
  const auto* body = as<ir::Block>(model.kernel->body);
  if (body) list(body->stmts);
  return std::move(model);
}

void Builder::addEvent(const Event& event) {
  if (recording) model.events.push_back(event);
}

Leaves Builder::list(const ir::StmtList& stmts) {
  const CondPtr outer = guard;
  const std::set<unsigned> outerRequirements = guardRequirements;
  Leaves all;
  for (const ir::StmtPtr& s : stmts) {
    Leaves here = statement(s);
    CondPtr left = here.any();
    if (left->kind == CondKind::False) continue;
    all.byReturn = anyOf({all.byReturn, here.byReturn});
    all.byBreak = anyOf({all.byBreak, here.byBreak});
    all.byContinue = anyOf({all.byContinue, here.byContinue});
    if (left->kind == CondKind::True) break;  // what follows is never reached
    guard = both(guard, negation(left));
  }
  guard = outer;
  guardRequirements = outerRequirements;
  return all;
}

Leaves Builder::statement(const ir::StmtPtr& s) {
  if (const auto* b = as<ir::Block>(s)) return list(b->stmts);
  if (const auto* choice = as<ir::If>(s)) return ifStatement(s, *choice);
  if (const auto* choice = as<ir::Switch>(s)) return switchStatement(s, *choice);
  if (const auto* loop = as<ir::For>(s)) {
    for (const ir::StmtPtr& init : loop->init) statement(init);
    return loopStatement(s, {loop->cond, loop->step, loop->body, false});
  }
  if (const auto* loop = as<ir::While>(s)) return loopStatement(s, {loop->cond, {}, loop->body, false});
  if (const auto* loop = as<ir::DoWhile>(s)) {
    if (runsOnce(*loop)) {
      // do { … } while (0), as macros are written.
      const LoopId index(nextLoop++);
      model.loops[index].counter = atoms.loop(index).atoms().front();
      model.loops[index].runs = isZero(Poly::atom(model.loops[index].counter));
      return statement(loop->body);
    }
    return loopStatement(s, {loop->cond, {}, loop->body, true});
  }
  recordAccesses(s);
  Leaves out;
  if (s->is<ir::Return>()) {
    out.byReturn = always();
  } else if (s->is<ir::Break>()) {
    out.byBreak = always();
  } else if (s->is<ir::Continue>()) {
    out.byContinue = always();
  } else if (const auto* declare = as<ir::Declare>(s)) {
    const ir::VarPtr& var = declare->var;
    if (declare->init && var->space == ir::Space::Private && !var->type->is(TypeKind::Array)) {
      Value v = value(declare->init);
      const auto* call = as<ir::Call>(declare->init);
      if (call && call->intrinsic && call->intrinsic->synchronizes())
        addBarrier(s, ir::SyncScope::Warp, true, true);
      if (call && call->intrinsic && call->intrinsic->cls == ir::IntrinsicClass::BarrierVote)
        addBarrier(s, ir::SyncScope::Block, true, true);
      state[var.get()] = std::move(v);
    } else {
      state.erase(var.get());
    }
  } else if (const auto* a = as<ir::Assign>(s)) {
    assign(*a);
  } else if (const auto* barrier = as<ir::Barrier>(s)) {
    addBarrier(s, barrier->scope, barrier->orderLocal, barrier->orderGlobal);
  } else if (const auto* eval = as<ir::Eval>(s)) {
    const auto* call = as<ir::Call>(eval->call);
    if (call && call->intrinsic && call->intrinsic->id == "group_sync" && !call->args.empty()) {
      ir::ExprPtr group = call->args[0];
      while (const auto* address = as<ir::AddressOf>(group)) group = address->place;
      Value v = as<ir::VarRef>(group) ? value(group) : Value{};
      const auto* made = as<ir::Call>(group);
      const bool isBlock = v.reason == "this_thread_block" ||
                           (made && made->intrinsic && made->intrinsic->id == "this_thread_block");
      addBarrier(s, isBlock ? ir::SyncScope::Block : ir::SyncScope::Warp, true, true);
    } else if (call && call->intrinsic && call->intrinsic->cls == ir::IntrinsicClass::BarrierVote) {
      addBarrier(s, ir::SyncScope::Block, true, true);
    } else if (call && call->intrinsic && call->intrinsic->synchronizes()) {
      addBarrier(s, ir::SyncScope::Warp, true, true);
    }
  }
  return out;
}

void Builder::addBarrier(const ir::StmtPtr& s, ir::SyncScope scope, bool orderLocal, bool orderGlobal) {
  if (!recording) return;
  BarrierPoint point;
  point.stmt = s;
  point.loc = s->loc;
  point.scope = scope;
  point.orderLocal = orderLocal;
  point.orderGlobal = orderGlobal;
  point.loops = nest;
  point.guard = guard;
  model.barriers.push_back(std::move(point));
  addEvent({.kind = EventKind::Barrier, .number = static_cast<int>(model.barriers.size()) - 1});
}

void Builder::assign(const ir::Assign& a) {
  Value v = value(a.value);
  if (a.op) {
    try {
      v = compounded(a, std::move(v));
    } catch (const TooLarge&) {
      Variation everything;
      everything.anyThread = true;
      everything.loops = ~uint64_t{0};
      v = opaqueOf(*a.place->type, text(a.place), "numbers that outgrow 64 bits", everything);
    }
  }
  assignTo(a.place, std::move(v));
}

// The value of `place op= v`.
Value Builder::compounded(const ir::Assign& a, Value v) {
  Value old = value(a.place);
  const ir::Type& type = *a.place->type;
  if (old.isNumber() && v.isNumber() && type.is(TypeKind::Int)) {
    // Computed in the value's type (shifts: in the promoted type of the place), then converted back.
    const bool isShift = ir::isShift(*a.op);
    const ir::TypePtr computed = isShift ? ir::promoted(a.place->type) : a.value->type;
    if (computed->is(TypeKind::Int)) {
      auto node = ir::makeExpr(computed, ir::Cast{a.place});
      Value left = castValue(*node, *node->as<ir::Cast>());
      auto whole = ir::makeExpr(computed, ir::Binary{*a.op, node, a.value}, a.place->loc);
      Value result = left.isNumber() ? integerBinary(*whole, *a.op, left, v, *a.value->type)
                                     : opaqueOf(type, text(a.place), "an operator", variationOf(v));
      if (result.isNumber()) {
        if (computed->bits > type.bits || (type.isSigned && result.modular)) {
          const int64_t half = int64_t{1} << (std::min<unsigned>(type.bits, 63) - 1);
          if (type.isSigned && type.bits < 64 && !atoms.range(result.poly).isWithin(-half, half - 1)) {
            require(result, result.poly, -half, half - 1,
                    fmt::format("the value must fit into {} bits", type.bits), a.place->loc);
            result.modular = false;
          }
        }
        if (!type.isSigned) {
          result.modular = true;
          markModular(result, type);
        }
      }
      v = std::move(result);
    } else {
      v = opaqueOf(type, text(a.place), "an operator", variationOf(old));
    }
  } else if (old.kind == ValueKind::Truth && v.kind == ValueKind::Truth &&
             (*a.op == ir::BinaryOp::BitAnd || *a.op == ir::BinaryOp::BitOr)) {
    CondPtr cond = *a.op == ir::BinaryOp::BitAnd ? both(old.cond, v.cond) : anyOf({old.cond, v.cond});
    v.cond = cond;
  } else {
    Variation varies = variationOf(old);
    varies |= variationOf(v);
    v = opaqueOf(type, text(a.place), "an operator", varies);
  }
  return v;
}

// Only the thread's own scalars, pointers, vectors and structs are followed.
void Builder::assignTo(const ir::ExprPtr& place, Value v) {
  if (const auto* use = as<ir::VarRef>(place)) {
    if (use->var->space == ir::Space::Private && use->var->storage != ir::Storage::Global)
      state[use->var.get()] = std::move(v);
    return;
  }
  const auto* lanes = as<ir::Swizzle>(place);
  const auto* field = as<ir::Member>(place);
  const ir::ExprPtr base = lanes ? lanes->base : field ? field->base : nullptr;
  const auto* use = as<ir::VarRef>(base);
  if (!use || use->var->space != ir::Space::Private || use->var->storage == ir::Storage::Global) {
    // Deeper in one of the thread's own structs: what it holds is no longer known.
    if (!base) return;
    for (ir::ExprPtr e = base; e;) {
      if (const auto* f = as<ir::Member>(e))
        e = f->base;
      else if (const auto* l = as<ir::Swizzle>(e))
        e = l->base;
      else {
        if (const auto* root = as<ir::VarRef>(e); root && root->var->space == ir::Space::Private)
          state[root->var.get()] =
              otherValue(fmt::format("`{}` is changed in part", root->var->name), variationOf(v));
        return;
      }
    }
    return;
  }
  const ir::Type& type = *use->var->type;
  const size_t count = lanes ? type.lanes : type.record->fields.size();
  const size_t index = lanes ? (lanes->lanes.size() == 1 ? lanes->lanes[0] : count)
                       : field->baseClass >= 0 || bitField(*place) ? count
                                                                   : field->field;
  Value whole = variableValue(use->var);
  if (whole.kind != ValueKind::Parts || whole.parts.size() != count) {
    const Variation varies = variationOf(whole);
    const std::string reason = whole.reason.empty() ? "a field" : whole.reason;
    whole = Value{};
    whole.kind = ValueKind::Parts;
    for (size_t i = 0; i < count; ++i)
      whole.parts.push_back(
          opaqueOf(lanes ? *type.element : *type.record->fields[i].type, use->var->name, reason, varies));
  }
  if (index < count) {
    whole.parts[index] = std::move(v);
  } else {
    whole = otherValue(fmt::format("`{}` is changed in part", use->var->name), variationOf(v));
  }
  state[use->var.get()] = std::move(whole);
}

void Builder::mergeStates(const CondPtr& cond, const std::set<unsigned>& requirements, const State& yes,
                          const State& no) {
  State out;
  for (const auto& [var, value] : yes) {
    auto other = no.find(var);
    if (other == no.end()) {
      // Declared in one branch, or a parameter assigned in one.
      if (var->storage != ir::Storage::Param) continue;
      state.erase(var);
      ir::VarPtr alias(std::shared_ptr<void>(), var);
      out[var] = merged(cond, requirements, value, variableValue(alias), *var->type, var->name);
      continue;
    }
    out[var] = merged(cond, requirements, value, other->second, *var->type, var->name);
  }
  for (const auto& [var, value] : no) {
    if (yes.contains(var) || var->storage != ir::Storage::Param) continue;
    state.erase(var);
    ir::VarPtr alias(std::shared_ptr<void>(), var);
    out[var] = merged(cond, requirements, variableValue(alias), value, *var->type, var->name);
  }
  state = std::move(out);
}

Leaves Builder::ifStatement(const ir::StmtPtr& s, const ir::If& choice) {
  recordAccesses(s);
  std::set<unsigned> requirements;
  const CondPtr cond = truth(choice.cond, requirements);
  const CondPtr outer = guard;
  const std::set<unsigned> outerRequirements = guardRequirements;
  const State before = state;
  int branch = -1;
  if (recording) {
    branch = static_cast<int>(model.branches.size());
    model.branches.push_back({s, cond, toldApart(choice.cond)});
  }

  guardRequirements.insert(requirements.begin(), requirements.end());
  guard = both(outer, cond);
  addEvent({.kind = EventKind::Then, .number = branch});
  Leaves yes = statement(choice.then);
  State afterYes = std::move(state);
  state = before;
  guard = both(outer, negation(cond));
  Leaves no;
  if (choice.otherwise) {
    addEvent({.kind = EventKind::Else, .number = branch});
    no = statement(choice.otherwise);
  }
  addEvent({.kind = EventKind::EndIf, .number = branch});
  guard = outer;
  guardRequirements = outerRequirements;

  // A branch that never comes out says nothing about what follows.
  const bool yesEnds = yes.any()->kind == CondKind::True, noEnds = no.any()->kind == CondKind::True;
  if (yesEnds && !noEnds) {
    // state is that of the other branch
  } else if (noEnds && !yesEnds) {
    state = std::move(afterYes);
  } else {
    State afterNo = std::move(state);
    state = before;
    mergeStates(cond, requirements, afterYes, afterNo);
  }
  const CondPtr otherwise = negation(cond);
  Leaves out;
  out.byReturn = anyOf({both(cond, yes.byReturn), both(otherwise, no.byReturn)});
  out.byBreak = anyOf({both(cond, yes.byBreak), both(otherwise, no.byBreak)});
  out.byContinue = anyOf({both(cond, yes.byContinue), both(otherwise, no.byContinue)});
  // What follows an exit relies on the condition as much as the branch did.
  if (out.any()->kind != CondKind::False) guardRequirements.insert(requirements.begin(), requirements.end());
  return out;
}

Leaves Builder::switchStatement(const ir::StmtPtr& s, const ir::Switch& choice) {
  recordAccesses(s);
  Value v = value(choice.value);
  std::set<unsigned> requirements;
  if (v.isNumber()) settled(v, *choice.value->type, s->loc);
  requirements = v.requirements;
  std::vector<CondPtr> entry;
  CondPtr none = always();
  for (const ir::SwitchCase& c : choice.cases) {
    std::vector<CondPtr> any;
    for (const ir::ExprPtr& label : c.values) {
      Value at = value(label);
      any.push_back(v.isNumber() && at.isNumber()
                        ? isZero(v.poly - at.poly)
                        : newUnknown("a switch over a value that is not known", variationOf(v)));
    }
    entry.push_back(anyOf(any));
    none = both(none, negation(entry.back()));
  }
  for (size_t i = 0; i < choice.cases.size(); ++i)
    if (choice.cases[i].isDefault) entry[i] = anyOf({entry[i], none});

  const CondPtr outer = guard;
  const std::set<unsigned> outerRequirements = guardRequirements;
  guardRequirements.insert(requirements.begin(), requirements.end());
  const State before = state;
  State result = before, falling = before;
  CondPtr falls = never();
  Leaves out;
  for (size_t i = 0; i < choice.cases.size(); ++i) {
    int branch = -1;
    if (recording) {
      branch = static_cast<int>(model.branches.size());
      model.branches.push_back({s, entry[i], {}});
    }
    state = before;
    if (falls->kind != CondKind::False) mergeStates(falls, requirements, falling, before);
    const CondPtr here = anyOf({entry[i], falls});
    guard = both(outer, here);
    addEvent({.kind = EventKind::Then, .number = branch});
    Leaves inner = list(choice.cases[i].body);
    addEvent({.kind = EventKind::EndIf, .number = branch});
    out.byReturn = anyOf({out.byReturn, both(here, inner.byReturn)});
    out.byContinue = anyOf({out.byContinue, both(here, inner.byContinue)});
    falls = both(here, negation(inner.any()));
    if (inner.byBreak->kind != CondKind::False && inner.byBreak->kind != CondKind::True) {
      // What was assigned before a break that some threads take shows in no state that goes on.
      for (const ir::Variable* var :
           ir::inSourceOrder(ir::assignedVariables(ir::block(choice.cases[i].body)))) {
        const auto known = state.find(var);
        if (known == state.end()) continue;
        Variation varies = variationOf(known->second);
        varies |= atoms.variation(inner.byBreak);
        known->second =
            opaqueOf(*var->type, var->name,
                     fmt::format("`{}` is changed before a break under a condition", var->name), varies);
      }
    }
    falling = state;
    State mine = std::move(state), rest = std::move(result);
    state = before;
    mergeStates(here, requirements, mine, rest);
    result = std::move(state);
  }
  state = std::move(result);
  guard = outer;
  guardRequirements = outerRequirements;
  if (out.any()->kind != CondKind::False) guardRequirements.insert(requirements.begin(), requirements.end());
  return out;
}

ir::KernelPtr withCallsInlined(const ir::KernelPtr& kernel) {
  return ir::inlineCalls(kernel, ir::concernsAddresses);
}

KernelModel buildModel(const ir::KernelPtr& kernel, const std::array<unsigned, 3>& block) {
  return Builder(kernel, block).run();
}

const Access* KernelModel::find(const std::string& handle) const {
  for (const Access& access : accesses)
    if (access.handle == handle) return &access;
  return nullptr;
}

bool KernelModel::isGlobal(const Access& access) const {
  ir::Space space = ir::Space::Generic;
  if (access.array.isSome()) {
    space = arrays[access.array].space;
  } else if (const auto* element = as<ir::Subscript>(access.place);
             element && element->base->type->isPointer()) {
    space = element->base->type->space;
  }
  return space == ir::Space::Global || space == ir::Space::Generic;
}

}  // namespace hone::affine
