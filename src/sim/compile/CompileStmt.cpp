// Statements: control flow as frames that lanes wait in, assignments, barriers.
#include "ir/PrintfFormat.h"
#include "ir/Walk.h"
#include "sim/compile/Compiler.h"

namespace hone::sim {

using ir::BinaryOp;
using ir::TypeKind;

void Compiler::statements(const ir::StmtList& list) {
  for (const ir::StmtPtr& s : list) statement(s);
}

void Compiler::scoped(const ir::StmtPtr& s) {
  if (!s) return;
  const FreeRegisters mark = top;
  const uint32_t localMark = localTop;
  statement(s);
  top = mark;
  localTop = localMark;
}

void Compiler::statement(const ir::StmtPtr& s) {
  if (s->loc.valid()) current = s->loc;
  const ir::SourceLoc loc = current;
  const FreeRegisters mark = top;
  if (const auto* d = s->as<ir::Declare>()) {
    declareStmt(*d);
    return;
  }
  if (const auto* b = s->as<ir::Block>()) {
    const uint32_t localMark = localTop;
    statements(b->stmts);
    localTop = localMark;
  } else if (const auto* a = s->as<ir::Assign>()) {
    assign(*a);
  } else if (const auto* e = s->as<ir::Eval>()) {
    resultUsed = false;
    eval(e->call);
    resultUsed = true;
  } else if (const auto* i = s->as<ir::If>()) {
    ifStmt(*i);
  } else if (const auto* f = s->as<ir::For>()) {
    loop(f->init, f->cond, f->step, f->body, true);
  } else if (const auto* w = s->as<ir::While>()) {
    loop({}, w->cond, {}, w->body, true);
  } else if (const auto* w2 = s->as<ir::DoWhile>()) {
    loop({}, w2->cond, {}, w2->body, false);
  } else if (const auto* sw = s->as<ir::Switch>()) {
    switchStmt(*sw);
  } else if (s->is<ir::Break>()) {
    leave(Op::Break, Scope::Loop, true);
  } else if (s->is<ir::Continue>()) {
    leave(Op::Continue, Scope::Loop);
  } else if (const auto* r = s->as<ir::Return>()) {
    returnStmt(*r);
  } else if (const auto* b2 = s->as<ir::Barrier>()) {
    if (b2->scope == ir::SyncScope::Warp) {
      const Reg mask =
          b2->mask ? convertScalar(evalScalar(b2->mask), scalarOf(*b2->mask->type), Scalar::U32) : noReg;
      current = loc;
      emit({.op = Op::WarpSync, .a = mask});
    } else if (b2->scope == ir::SyncScope::Block) {
      emit({.op = Op::BlockBarrier, .imm = (b2->orderLocal ? 1 : 0) | (b2->orderGlobal ? 2 : 0)});
    } else {
      out.usesGridSync = true;
      emit({.op = Op::GridSync});
    }
  } else if (const auto* f2 = s->as<ir::Fence>()) {
    if (f2->scope == ir::SyncScope::System) out.usesSystemScope = true;
    const bool leavesBlock = f2->scope == ir::SyncScope::Device || f2->scope == ir::SyncScope::System ||
                             f2->scope == ir::SyncScope::Grid;
    if (leavesBlock && f2->orderGlobal) out.ordersBlocks = true;
    emit({.op = Op::Fence, .imm = int32_t(f2->scope)});
  } else if (const auto* p = s->as<ir::Printf>()) {
    printfStmt(*p);
  } else if (const auto* a2 = s->as<ir::Assert>()) {
    const Reg cond = truth(evalScalar(a2->cond), scalarOf(*a2->cond->type));
    current = loc;
    out.formats.push_back(a2->text);
    emit({.op = Op::Assert, .a = cond, .imm = int32_t(out.formats.size() - 1)});
  }
  top = mark;
}

void Compiler::declareStmt(const ir::Declare& d) {
  const ir::Variable& var = *d.var;
  if (var.space == ir::Space::Shared) return;  // placed before
  // An initializer may name another variable of this home only by mistake; its temporaries lie above the new
  // one.
  declare(d.var);
  const VariableHome h = homes.at(d.var.get());
  const FreeRegisters keep = top;
  if (d.init) {
    if (h.inRegisters) {
      evalInto(d.init, h.regs);
      if (h.tracked >= 0) emit({.op = Op::MarkSet, .imm = h.tracked});
    } else {
      const Value v = eval(d.init);
      Place p = place(ir::ref(d.var));
      store(p, v);
    }
  } else if (h.tracked >= 0) {
    emit({.op = Op::MarkUnset, .imm = h.tracked});
  } else if (!h.inRegisters) {
    emit({.op = Op::MarkUnset, .a = h.base, .imm = int32_t(h.offset), .imm2 = int32_t(sizeOf(*var.type))});
  }
  top = keep;
}

void Compiler::assign(const ir::Assign& a) {
  const ir::SourceLoc loc = current;
  if (!a.op) {
    if (const auto* w = ir::as<ir::Swizzle>(a.place); w && w->lanes.size() > 1) {
      const Value v = eval(a.value);
      swizzledStore(a.place, v);
      return;
    }
    if (const auto* v = ir::as<ir::VarRef>(a.place); v && home(v->var).inRegisters) {
      const VariableHome h = home(v->var);
      evalInto(a.value, h.regs);
      if (h.tracked >= 0) emit({.op = Op::MarkSet, .imm = h.tracked});
      return;
    }
    const Value value = eval(a.value);
    const Place p = place(a.place);
    current = loc;
    store(p, value);
    return;
  }
  // Compound: the value first, then one reading and one writing of the place.
  const ir::Type& placeType = *a.place->type;
  Value value = eval(a.value);
  const auto* w = ir::as<ir::Swizzle>(a.place);
  const bool severalLanes = w && w->lanes.size() > 1;
  Place p;
  if (!severalLanes) p = place(a.place);
  current = loc;
  const Value old = severalLanes ? eval(a.place) : load(p);
  current = loc;
  if (placeType.isPointer()) {
    Place moved = dereference(old.regs[0], placeType);
    Reg index = value.regs[0];
    Scalar s = scalarOf(*a.value->type);
    Reg wide = convertScalar(index, s, Scalar::I64);
    if (*a.op == BinaryOp::Sub) wide = emitOp(Op::NegI64, Scalar::I64, wide);
    const uint64_t size = std::max<uint64_t>(1, sizeOf(*placeType.element));
    if (size > 1) wide = emitOp(Op::MulI64, Scalar::I64, wide, constant(Scalar::I64, size));
    store(p, {a.place->type, {emitOp(Op::AddI64, Scalar::U64, old.regs[0], wide)}});
    return;
  }
  const bool isVector = placeType.is(TypeKind::Vector);
  const Scalar placeScalar = scalarOf(isVector ? *placeType.element : placeType);
  const ir::Type& valueType = *a.value->type;
  const Scalar valueScalar = scalarOf(valueType.is(TypeKind::Vector) ? *valueType.element : valueType);
  const ir::TypePtr promoted = ir::isShift(*a.op) && !isVector ? ir::promoted(a.place->type) : nullptr;
  const Scalar compute = ir::isShift(*a.op) ? (promoted ? scalarOf(*promoted) : placeScalar) : valueScalar;
  Value result{a.place->type, {}};
  for (size_t i = 0; i < old.regs.size(); ++i) {
    const Reg operand = value.regs[value.regs.size() == 1 ? 0 : i];
    const bool direct =
        !severalLanes && p.inRegisters && !p.bitField && compute == placeScalar && old.regs.size() == 1;
    const Reg converted = convertScalar(old.regs[i], placeScalar, compute);
    Reg r = scalarBinary(*a.op, compute, converted, operand, valueScalar, direct ? p.regs[0] : noReg);
    result.regs.push_back(convertScalar(r, compute, placeScalar));
  }
  if (severalLanes)
    swizzledStore(a.place, result);
  else
    store(p, result);
}

// Frames

void Compiler::jumpToJoin(size_t instr) {
  if (scopes.empty())
    toExit.push_back(instr);
  else
    scopes.back().toJoin.push_back(instr);
}

void Compiler::pushScope(Scope::Kind kind, Op op, Reg a) {
  Scope scope;
  scope.kind = kind;
  scope.open = emit({.op = op, .a = a});
  if (kind == Scope::If) scope.toJoin.push_back(scope.open);
  scopes.push_back(std::move(scope));
}

void Compiler::joinHere(Scope& scope) {
  for (size_t i : scope.toJoin) out.code[i].imm = here();
  scope.toJoin.clear();
}

void Compiler::popScope(Op op) {
  Scope& scope = scopes.back();
  joinHere(scope);
  for (size_t i : scope.toEnd) out.code[i].imm = here();
  Instr& open = out.code[scope.open];
  if (scope.kind == Scope::If)
    open.imm2 = here();
  else
    open.imm = here();
  scopes.pop_back();
  jumpToJoin(emit({.op = op}));
}

void Compiler::leave(Op op, Scope::Kind target, bool orSwitch) {
  size_t frame = scopes.size();
  for (size_t i = scopes.size(); i-- > 0;) {
    if (scopes[i].kind == target || (orSwitch && scopes[i].kind == Scope::Switch)) {
      frame = i;
      break;
    }
    if (scopes[i].kind == Scope::Call && target != Scope::Call) break;
  }
  if (frame == scopes.size()) cannotRun("a break or continue outside a loop", current);
  jumpToJoin(emit({.op = op, .b = Reg(scopes.size() - 1 - frame)}));
}

void Compiler::returnStmt(const ir::Return& r) {
  for (size_t i = scopes.size(); i-- > 0;)
    if (scopes[i].kind == Scope::Call) {
      if (r.value && !scopes[i].results.empty()) {
        const std::vector<Reg> results = scopes[i].results;
        evalInto(r.value, results);
      } else if (r.value) {
        eval(r.value);
      }
      leave(Op::Return, Scope::Call);
      return;
    }
  jumpToJoin(emit({.op = Op::Exit}));
}

void Compiler::ifStmt(const ir::If& s) {
  const Reg cond = truth(evalScalar(s.cond), scalarOf(*s.cond->type));
  pushScope(Scope::If, Op::If, cond);
  scoped(s.then);
  if (s.otherwise) {
    joinHere(scopes.back());
    scopes.back().toEnd.push_back(emit({.op = Op::Else}));
    scoped(s.otherwise);
  }
  popScope(Op::EndIf);
}

bool Compiler::mayWait(const ir::StmtPtr& body) const {
  bool found = false;
  ir::walkExprs(body, [&](const ir::Expr& e) {
    if (const auto* c = e.as<ir::Call>(); c && c->intrinsic) {
      const ir::Intrinsic& fn = *c->intrinsic;
      found |= fn.cls == ir::IntrinsicClass::Atomic || fn.id == "nanosleep" ||
               (fn.cls == ir::IntrinsicClass::Load && fn.traits.hint == ir::CacheHint::Volatile);
    }
    if (const auto* s = e.as<ir::Subscript>())
      found |= s->base->type->isPointer() && s->base->type->isVolatile;
    if (const auto* v = e.as<ir::VarRef>()) found |= v->var->isVolatile;
  });
  return found;
}

void Compiler::loop(const ir::StmtList& init, const ir::ExprPtr& cond, const ir::StmtList& step,
                    const ir::StmtPtr& body, bool testFirst) {
  const ir::SourceLoc loc = current;
  const FreeRegisters mark = top;
  const uint32_t localMark = localTop;
  statements(init);
  current = loc;
  bool waits = mayWait(body);
  if (cond) waits |= mayWait(ir::makeStmt(ir::Eval{cond}));
  pushScope(Scope::Loop, Op::Loop);
  out.code.back().count = waits ? 1 : 0;
  const size_t open = scopes.back().open;
  const int32_t head = here();
  const auto test = [&] {
    if (!cond) return;
    const FreeRegisters before = top;
    const Reg c = truth(evalScalar(cond), scalarOf(*cond->type));
    top = before;
    scopes.back().toEnd.push_back(emit({.op = Op::LoopTest, .a = c}));
  };
  if (testFirst) test();
  scoped(body);
  current = loc;
  joinHere(scopes.back());
  out.code[open].imm2 = here();
  scopes.back().toEnd.push_back(emit({.op = Op::ContinueJoin}));
  statements(step);
  current = loc;
  if (!testFirst) test();
  emit({.op = Op::LoopBack, .imm = head});
  popScope(Op::LoopEnd);
  top = mark;
  localTop = localMark;
}

void Compiler::switchStmt(const ir::Switch& s) {
  const FreeRegisters mark = top;
  const uint32_t localMark = localTop;
  const Reg value = evalScalar(s.value);
  const Scalar type = scalarOf(*s.value->type);
  std::vector<Reg> matches;
  Reg any = noReg;
  for (const ir::SwitchCase& c : s.cases) {
    Reg match = noReg;
    for (const ir::ExprPtr& v : c.values) {
      const Reg is = scalarCompare(BinaryOp::Eq, type, value, evalScalar(v), noReg);
      match = match == noReg ? is : emitOp(Op::Or32, Scalar::Bool, match, is);
    }
    matches.push_back(match);
    if (match != noReg) any = any == noReg ? match : emitOp(Op::Or32, Scalar::Bool, any, match);
  }
  const Reg none = any == noReg ? intConstant(1) : emitOp(Op::LogicalNot, Scalar::Bool, any);
  for (size_t i = 0; i < s.cases.size(); ++i)
    if (s.cases[i].isDefault)
      matches[i] = matches[i] == noReg ? none : emitOp(Op::Or32, Scalar::Bool, matches[i], none);
  pushScope(Scope::Switch, Op::Switch);
  for (size_t i = 0; i < s.cases.size(); ++i) {
    joinHere(scopes.back());
    scopes.back().toJoin.push_back(emit({.op = Op::Case, .a = matches[i]}));
    for (const ir::StmtPtr& b : s.cases[i].body) statement(b);
  }
  popScope(Op::SwitchEnd);
  top = mark;
  localTop = localMark;
}

void Compiler::printfStmt(const ir::Printf& p) {
  CallSite site;
  site.function = "printf";
  for (const ir::ExprPtr& a : p.args) {
    const Value v = eval(a);
    const std::vector<Leaf> of = leaves(*a->type);
    for (size_t i = 0; i < of.size(); ++i) {
      site.argTypes.push_back(of[i].type);
      site.args.push_back(v.regs[i]);
    }
  }
  out.ordersBlocks = true;  // text comes out in block order
  out.formats.push_back(p.format);
  site.extra = int64_t(out.formats.size() - 1);
  out.calls.push_back(std::move(site));
  emit({.op = Op::Printf, .imm = int32_t(out.calls.size() - 1)});
}

// The value does not hang on what is printed: CUDA counts arguments, OpenCL says that all went well.
Value Compiler::printfCall(const ir::Expr& e) {
  const auto& call = *e.as<ir::Call>();
  auto [format, args] = ir::withTexts(call);
  printfStmt({std::move(format), std::move(args)});
  return {e.type, {intConstant(isOpenCL ? 0 : ir::argumentsParsed(call.format))}};
}

}  // namespace hone::sim
