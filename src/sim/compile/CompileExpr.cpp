// Expressions: literals, arithmetic, logic.
#include <cstring>

#include "ir/Walk.h"
#include "sim/compile/CompileScalar.h"

namespace hone::sim {

using ir::BinaryOp;
using ir::TypeKind;

namespace {

uint64_t floatBits(double value, Scalar type) {
  uint64_t bits = 0;
  if (type == Scalar::F64) {
    std::memcpy(&bits, &value, 8);
  } else {
    const float f = type == Scalar::F16 ? float(_Float16(value)) : float(value);
    std::memcpy(&bits, &f, 4);
  }
  return bits;
}

}  // namespace

Value Compiler::eval(const ir::ExprPtr& e, Reg into) {
  if (e->loc.valid()) current = e->loc;
  if (e->is<ir::IntLiteral>() || e->is<ir::FloatLiteral>() || e->is<ir::NullPointer>()) return literal(*e);
  if (e->is<ir::Coord>()) return coordinate(*e);
  if (e->is<ir::Unary>()) return unary(*e, into);
  if (const auto* b = e->as<ir::Binary>())
    return (b->op == BinaryOp::LogicalAnd || b->op == BinaryOp::LogicalOr) && !e->type->is(TypeKind::Vector)
               ? logical(*e, into)
               : binary(*e, into);
  if (e->is<ir::Cast>()) return castTo(*e, into);
  if (e->is<ir::Select>()) return select(*e, into);
  if (e->is<ir::Call>()) return call(*e, into);
  if (e->is<ir::Construct>()) return construct(*e);
  if (const auto* a = e->as<ir::AddressOf>()) {
    const Place p = place(a->place);
    current = e->loc.valid() ? e->loc : current;
    return {e->type, {address(p, into)}};
  }
  if (const auto* s = e->as<ir::Swizzle>(); s && !ir::isPlace(*s->base)) {
    const Value base = eval(s->base);
    Value v{e->type, {}};
    for (uint8_t lane : s->lanes) v.regs.push_back(base.regs[lane]);
    return v;
  }
  if (const auto* m = e->as<ir::Member>();
      m && !ir::isPlace(*m->base)) {  // of a value that a call or selection gives
    const Value base = eval(m->base);
    const ir::Record& record = *m->base->type->record;
    if (record.isUnion) return load(place(e), into);
    const auto [skip, n] = memberLeaves(*m);
    std::vector<Reg> regs(base.regs.begin() + long(skip), base.regs.begin() + long(skip + n));
    if (ir::bitField(*e)) return loadBits(inUnit(record, m->field, std::move(regs)));
    return {e->type, std::move(regs)};
  }
  if (auto v = swizzledLoad(*e)) return *v;
  const Place p = place(e);
  if (e->loc.valid()) current = e->loc;
  return load(p, into);
}

Reg Compiler::evalScalar(const ir::ExprPtr& e, Reg into) {
  const Value v = eval(e, into);
  if (v.regs.size() != 1)
    cannotRun("a value of type " + ir::str(*e->type) + " where a scalar is expected", e->loc);
  return v.regs[0];
}

void Compiler::evalInto(const ir::ExprPtr& e, const std::vector<Reg>& into) {
  const std::vector<Leaf> of = leaves(*e->type);
  Value v = eval(e, into.size() == 1 ? into[0] : noReg);
  // Parts of the target may be sources of other parts: v = v.yx.
  bool overlaps = false;
  for (size_t i = 0; i < into.size(); ++i)
    for (size_t j = i + 1; j < v.regs.size(); ++j) overlaps |= v.regs[j] == into[i];
  if (overlaps)
    for (size_t i = 0; i < v.regs.size(); ++i) {
      const Reg copy = newRegister(of[i].type);
      move(copy, v.regs[i], of[i].type);
      v.regs[i] = copy;
    }
  for (size_t i = 0; i < into.size(); ++i) move(into[i], v.regs[i], of[i].type);
}

Value Compiler::literal(const ir::Expr& e) {
  const Scalar s = scalarOf(*e.type);
  if (const auto* i = e.as<ir::IntLiteral>()) {
    uint64_t bits = i->value;
    switch (s) {
      case Scalar::Bool: bits = bits != 0; break;
      case Scalar::I8: bits = uint64_t(int64_t(int8_t(bits))); break;
      case Scalar::U8: bits = uint8_t(bits); break;
      case Scalar::I16: bits = uint64_t(int64_t(int16_t(bits))); break;
      case Scalar::U16: bits = uint16_t(bits); break;
      default: break;
    }
    return {e.type, {constant(s, bits)}};
  }
  if (const auto* f = e.as<ir::FloatLiteral>()) {
    if (s != Scalar::BF16) return {e.type, {constant(s, floatBits(f->value, s))}};
    return {
        e.type,
        {convertScalar(constant(Scalar::F32, floatBits(f->value, Scalar::F32)), Scalar::F32, Scalar::BF16)}};
  }
  return {e.type, {constant(Scalar::U64, 0)}};
}

Value Compiler::coordinate(const ir::Expr& e) {
  const auto& c = *e.as<ir::Coord>();
  const Reg reg = coordinates.at({int(c.kind), c.axis});
  return {e.type, {convertScalar(reg, Scalar::U32, scalarOf(*e.type))}};
}

Value Compiler::unary(const ir::Expr& e, Reg into) {
  const auto& u = *e.as<ir::Unary>();
  const Value operand = eval(u.operand, noReg);
  const Scalar s = scalarOf(elementOf(*u.operand->type));
  const bool isVector = e.type->is(TypeKind::Vector);
  Value v{e.type, {}};
  for (Reg a : operand.regs) {
    const Reg dst = isVector ? noReg : into;
    const Reg direct = isNarrow(s) ? noReg : dst;
    switch (u.op) {
      case ir::UnaryOp::Neg: {
        const Op op = isFloating(s) ? (s == Scalar::F64 ? Op::NegF64 : Op::NegF32)
                      : isWide(s)   ? Op::NegI64
                                    : Op::NegI32;
        const Reg r = emitOp(op, s, a, noReg, noReg, direct);
        v.regs.push_back(isNarrow(s) ? normalize(r, s, dst) : r);
        break;
      }
      case ir::UnaryOp::BitNot: {
        const Reg r = emitOp(isWide(s) ? Op::Not64 : Op::Not32, s, a, noReg, noReg, direct);
        v.regs.push_back(isNarrow(s) ? normalize(r, s, dst) : r);
        break;
      }
      case ir::UnaryOp::Not: {
        const Reg is = truth(a, s);
        const Reg r = emitOp(Op::LogicalNot, Scalar::Bool, is, noReg, noReg, isVector ? noReg : into);
        v.regs.push_back(isVector ? maskLane(r, scalarOf(elementOf(*e.type))) : r);
        break;
      }
    }
  }
  return v;
}

Reg Compiler::scalarCompare(BinaryOp op, Scalar type, Reg a, Reg b, Reg into) {
  if (op == BinaryOp::Gt || op == BinaryOp::Ge) {
    std::swap(a, b);
    op = op == BinaryOp::Gt ? BinaryOp::Lt : BinaryOp::Le;
  }
  const bool wide = isWide(type);
  Op code;
  if (isFloating(type)) {
    const bool isDouble = type == Scalar::F64;
    code = op == BinaryOp::Eq   ? (isDouble ? Op::EqF64 : Op::EqF32)
           : op == BinaryOp::Ne ? (isDouble ? Op::NeF64 : Op::NeF32)
           : op == BinaryOp::Lt ? (isDouble ? Op::LtF64 : Op::LtF32)
                                : (isDouble ? Op::LeF64 : Op::LeF32);
  } else {
    const bool s = isSignedScalar(type);
    code = op == BinaryOp::Eq   ? (wide ? Op::Eq64 : Op::Eq32)
           : op == BinaryOp::Ne ? (wide ? Op::Ne64 : Op::Ne32)
           : op == BinaryOp::Lt ? (wide ? (s ? Op::LtI64 : Op::LtU64) : (s ? Op::LtI32 : Op::LtU32))
                                : (wide ? (s ? Op::LeI64 : Op::LeU64) : (s ? Op::LeI32 : Op::LeU32));
  }
  return emitOp(code, Scalar::Bool, a, b, noReg, into);
}

Reg Compiler::scalarBinary(BinaryOp op, Scalar type, Reg a, Reg b, Scalar shiftType, Reg into) {
  const bool wide = isWide(type), s = isSignedScalar(type), f = isFloating(type), d = type == Scalar::F64;
  Op code = Op::AddI32;
  switch (op) {
    case BinaryOp::Add: code = d ? Op::AddF64 : f ? Op::AddF32 : wide ? Op::AddI64 : Op::AddI32; break;
    case BinaryOp::Sub: code = d ? Op::SubF64 : f ? Op::SubF32 : wide ? Op::SubI64 : Op::SubI32; break;
    case BinaryOp::Mul: code = d ? Op::MulF64 : f ? Op::MulF32 : wide ? Op::MulI64 : Op::MulI32; break;
    case BinaryOp::Div:
      code = d      ? Op::DivF64
             : f    ? Op::DivF32
             : wide ? (s ? Op::DivI64 : Op::DivU64)
                    : (s ? Op::DivI32 : Op::DivU32);
      break;
    case BinaryOp::Rem: code = wide ? (s ? Op::RemI64 : Op::RemU64) : (s ? Op::RemI32 : Op::RemU32); break;
    case BinaryOp::BitAnd: code = wide ? Op::And64 : Op::And32; break;
    case BinaryOp::BitOr: code = wide ? Op::Or64 : Op::Or32; break;
    case BinaryOp::BitXor: code = wide ? Op::Xor64 : Op::Xor32; break;
    case BinaryOp::Shl: code = wide ? Op::Shl64 : Op::Shl32; break;
    case BinaryOp::Shr: code = wide ? (s ? Op::ShrI64 : Op::ShrU64) : (s ? Op::ShrI32 : Op::ShrU32); break;
    default: cannotRun("an operator it does not know", current);
  }
  if (ir::isShift(op)) {
    // OpenCL shifts by the count modulo the width; CUDA's machine shifts everything out.
    if (isWide(shiftType)) b = emitOp(Op::I64ToI32, Scalar::I32, b);
    if (isOpenCL) b = emitOp(Op::And32, Scalar::I32, b, intConstant(bitsOf(type) - 1));
  }
  const bool narrow = isNarrow(type) && op != BinaryOp::BitAnd;
  const Reg r = emitOp(code, type, a, b, noReg, narrow ? noReg : into);
  return narrow ? normalize(r, type, into) : r;
}

Value Compiler::binary(const ir::Expr& e, Reg into) {
  const auto& b = *e.as<ir::Binary>();
  if (b.op == BinaryOp::PtrDiff) {
    const Reg lhs = evalScalar(b.lhs), rhs = evalScalar(b.rhs);
    const Reg bytes = emitOp(Op::SubI64, Scalar::I64, lhs, rhs);
    const uint64_t size = std::max<uint64_t>(1, sizeOf(*b.lhs->type->element));
    const Reg r = size == 1 ? bytes : emitOp(Op::DivI64, Scalar::I64, bytes, constant(Scalar::I64, size));
    return {e.type, {convertScalar(r, Scalar::I64, scalarOf(*e.type), into)}};
  }
  const ir::Type& operandType = *b.lhs->type;
  const Scalar s = scalarOf(elementOf(operandType));
  const bool isVector = operandType.is(TypeKind::Vector);
  // Fused only when asked for: a * b + c and a * b - c.
  if (options.contract && !isVector && (b.op == BinaryOp::Add || b.op == BinaryOp::Sub) &&
      (s == Scalar::F32 || s == Scalar::F64)) {
    const auto isProduct = [](const ir::ExprPtr& x) {
      const auto* m = ir::as<ir::Binary>(x);
      return m && m->op == BinaryOp::Mul;
    };
    const bool left = isProduct(b.lhs), right = !left && isProduct(b.rhs);
    if (left || right) {
      const auto& m = *(left ? b.lhs : b.rhs)->as<ir::Binary>();
      Reg x = evalScalar(m.lhs);
      const Reg y = evalScalar(m.rhs);
      Reg z = evalScalar(left ? b.rhs : b.lhs);
      const Op negate = s == Scalar::F64 ? Op::NegF64 : Op::NegF32;
      if (b.op == BinaryOp::Sub && left) z = emitOp(negate, s, z);
      if (b.op == BinaryOp::Sub && right) x = emitOp(negate, s, x);
      return {e.type, {emitOp(s == Scalar::F64 ? Op::FmaF64 : Op::FmaF32, s, x, y, z, into)}};
    }
  }
  const Value lhs = eval(b.lhs);
  Value rhs = eval(b.rhs);
  if (e.loc.valid()) current = e.loc;
  const Scalar shiftType = scalarOf(elementOf(*b.rhs->type));
  if (isVector && rhs.regs.size() == 1) rhs.regs.resize(lhs.regs.size(), rhs.regs[0]);
  Value v{e.type, {}};
  for (size_t i = 0; i < lhs.regs.size(); ++i) {
    const Reg dst = isVector ? noReg : into;
    if (ir::isComparison(b.op)) {
      const Reg r = scalarCompare(b.op, s, lhs.regs[i], rhs.regs[i], dst);
      v.regs.push_back(isVector && e.type->is(TypeKind::Vector) ? maskLane(r, scalarOf(*e.type->element))
                                                                : r);
    } else if (b.op == BinaryOp::LogicalAnd ||
               b.op == BinaryOp::LogicalOr) {  // of vectors: both sides are evaluated
      const Reg l = truth(lhs.regs[i], s), r = truth(rhs.regs[i], s);
      v.regs.push_back(
          maskLane(emitOp(b.op == BinaryOp::LogicalAnd ? Op::And32 : Op::Or32, Scalar::Bool, l, r),
                   scalarOf(elementOf(*e.type))));
    } else {
      v.regs.push_back(scalarBinary(b.op, s, lhs.regs[i], rhs.regs[i], shiftType, dst));
    }
  }
  return v;
}

bool Compiler::isCheap(const ir::ExprPtr& e) const {
  unsigned nodes = 0;
  bool cheap = true;
  ir::walkExprs(e, [&](const ir::Expr& x) {
    ++nodes;
    if (x.is<ir::Call>() || x.is<ir::Subscript>() || x.is<ir::Construct>()) cheap = false;
    if (const auto* b = x.as<ir::Binary>())
      if ((b->op == BinaryOp::Div || b->op == BinaryOp::Rem || b->op == BinaryOp::PtrDiff) &&
          x.type->isInteger())
        cheap = false;
    if (const auto* v = x.as<ir::VarRef>()) {
      auto it = homes.find(v->var.get());
      if (it == homes.end() || !it->second.inRegisters || it->second.tracked >= 0) cheap = false;
    }
  });
  return cheap && nodes <= 8;
}

Value Compiler::logical(const ir::Expr& e, Reg into) {
  const auto& b = *e.as<ir::Binary>();
  const bool isAnd = b.op == BinaryOp::LogicalAnd;
  if (isCheap(b.rhs)) {
    const Reg l = truth(evalScalar(b.lhs), scalarOf(*b.lhs->type));
    const Reg r = truth(evalScalar(b.rhs), scalarOf(*b.rhs->type));
    return {e.type, {emitOp(isAnd ? Op::And32 : Op::Or32, Scalar::Bool, l, r, noReg, into)}};
  }
  const Reg result = newRegister(Scalar::Bool);
  const Reg l = truth(evalScalar(b.lhs), scalarOf(*b.lhs->type));
  move(result, l, Scalar::Bool);
  const Reg cond = isAnd ? result : emitOp(Op::LogicalNot, Scalar::Bool, result);
  pushScope(Scope::If, Op::If, cond);
  truth(evalScalar(b.rhs), scalarOf(*b.rhs->type), result);
  popScope(Op::EndIf);
  if (into != noReg) move(into, result, Scalar::Bool);
  return {e.type, {into == noReg ? result : into}};
}

Value Compiler::select(const ir::Expr& e, Reg into) {
  const auto& s = *e.as<ir::Select>();
  const std::vector<Leaf> of = leaves(*e.type);
  if (s.cond->type->is(TypeKind::Vector)) {  // OpenCL: lane by lane, by the sign bit
    const Value cond = eval(s.cond), yes = eval(s.yes), no = eval(s.no);
    const Scalar ct = scalarOf(*s.cond->type->element);
    Value v{e.type, {}};
    for (size_t i = 0; i < of.size(); ++i) {
      const Reg is = isWide(ct) ? emitOp(Op::LtI64, Scalar::Bool, cond.regs[i], constant(Scalar::I64, 0))
                                : emitOp(Op::LtI32, Scalar::Bool, cond.regs[i], intConstant(0));
      const Reg y = yes.regs[yes.regs.size() == 1 ? 0 : i], n = no.regs[no.regs.size() == 1 ? 0 : i];
      v.regs.push_back(emitOp(isWide(of[i].type) ? Op::Select64 : Op::Select32, of[i].type, is, y, n));
    }
    return v;
  }
  if (of.size() <= 4 && isCheap(s.yes) && isCheap(s.no)) {
    const Reg cond = truth(evalScalar(s.cond), scalarOf(*s.cond->type));
    const Value yes = eval(s.yes), no = eval(s.no);
    Value v{e.type, {}};
    for (size_t i = 0; i < of.size(); ++i)
      v.regs.push_back(emitOp(isWide(of[i].type) ? Op::Select64 : Op::Select32, of[i].type, cond, yes.regs[i],
                              no.regs[i], of.size() == 1 ? into : noReg));
    return v;
  }
  Value v{e.type, newRegisters(*e.type)};
  const Reg cond = truth(evalScalar(s.cond), scalarOf(*s.cond->type));
  pushScope(Scope::If, Op::If, cond);
  const FreeRegisters mark = top;
  evalInto(s.yes, v.regs);
  top = mark;
  joinHere(scopes.back());
  scopes.back().toEnd.push_back(emit({.op = Op::Else}));
  evalInto(s.no, v.regs);
  popScope(Op::EndIf);
  if (into != noReg && of.size() == 1) {
    move(into, v.regs[0], of[0].type);
    v.regs[0] = into;
  }
  return v;
}

}  // namespace hone::sim
