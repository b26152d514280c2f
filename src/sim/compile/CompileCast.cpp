// Conversions between scalars and vectors, and values built of parts.
#include "sim/compile/CompileScalar.h"

namespace hone::sim {

using ir::TypeKind;

Reg Compiler::normalize(Reg reg, Scalar type, Reg into) {
  switch (type) {
    case Scalar::I8: return emitOp(Op::ExtendI8, type, reg, noReg, noReg, into);
    case Scalar::U8: return emitOp(Op::ExtendU8, type, reg, noReg, noReg, into);
    case Scalar::I16: return emitOp(Op::ExtendI16, type, reg, noReg, noReg, into);
    case Scalar::U16: return emitOp(Op::ExtendU16, type, reg, noReg, noReg, into);
    case Scalar::F16: return emitOp(Op::RoundF16, type, reg, noReg, noReg, into);
    case Scalar::BF16: return emitOp(Op::RoundBF16, type, reg, noReg, noReg, into);
    default:
      if (into != noReg) move(into, reg, type);
      return into == noReg ? reg : into;
  }
}

Reg Compiler::truth(Reg reg, Scalar type, Reg into) {
  if (type == Scalar::Bool) {
    if (into != noReg) move(into, reg, type);
    return into == noReg ? reg : into;
  }
  const Op op = type == Scalar::F64 ? Op::NonZeroF64
                : isFloating(type)  ? Op::NonZeroF32
                : isWide(type)      ? Op::NonZero64
                                    : Op::NonZero32;
  return emitOp(op, Scalar::Bool, reg, noReg, noReg, into);
}

Reg Compiler::maskLane(Reg boolean, Scalar type) {
  const Reg negative = emitOp(Op::NegI32, Scalar::I32, boolean);
  return isWide(type) ? emitOp(Op::I32ToI64, type, negative) : normalize(negative, type);
}

Reg Compiler::convertScalar(Reg reg, Scalar from, Scalar to, Reg into) {
  const auto keep = [&] {
    if (into != noReg) move(into, reg, to);
    return into == noReg ? reg : into;
  };
  if (from == to) return keep();
  if (to == Scalar::Bool) return truth(reg, from, into);
  const auto step = [&](Op op, Reg r, Reg target = noReg) { return emitOp(op, to, r, noReg, noReg, target); };
  const bool fromFloat = isFloating(from), toFloat = isFloating(to);
  if (fromFloat && toFloat) {
    if (to == Scalar::F64) return step(Op::F32ToF64, reg, into);
    if (from == Scalar::F64) {
      return step(to == Scalar::F32   ? Op::F64ToF32
                  : to == Scalar::F16 ? Op::RoundF64ToF16
                                      : Op::RoundF64ToBF16,
                  reg, into);
    }
    if (to == Scalar::F32) return keep();
    return normalize(reg, to, into);
  }
  if (fromFloat) {
    const bool d = from == Scalar::F64;
    switch (to) {
      case Scalar::I64: return step(d ? Op::F64ToI64 : Op::F32ToI64, reg, into);
      case Scalar::U64: return step(d ? Op::F64ToU64 : Op::F32ToU64, reg, into);
      case Scalar::U32: return step(d ? Op::F64ToU32 : Op::F32ToU32, reg, into);
      case Scalar::I32: return step(d ? Op::F64ToI32 : Op::F32ToI32, reg, into);
      // Through a whole register, as GPUs do it: what is below zero becomes zero in unsigned types.
      case Scalar::U8:
      case Scalar::U16: return normalize(step(d ? Op::F64ToU32 : Op::F32ToU32, reg), to, into);
      default: return normalize(step(d ? Op::F64ToI32 : Op::F32ToI32, reg), to, into);
    }
  }
  const bool signedFrom = isSignedScalar(from), wideFrom = isWide(from);
  if (toFloat) {
    if (to == Scalar::F64)
      return step(
          wideFrom ? (signedFrom ? Op::I64ToF64 : Op::U64ToF64) : (signedFrom ? Op::I32ToF64 : Op::U32ToF64),
          reg, into);
    if (to == Scalar::F32)
      return step(
          wideFrom ? (signedFrom ? Op::I64ToF32 : Op::U64ToF32) : (signedFrom ? Op::I32ToF32 : Op::U32ToF32),
          reg, into);
    // By way of double, which holds every 32-bit integer; 64-bit ones beyond 2^53 are far out of half's
    // range.
    const Reg asDouble = emitOp(
        wideFrom ? (signedFrom ? Op::I64ToF64 : Op::U64ToF64) : (signedFrom ? Op::I32ToF64 : Op::U32ToF64),
        Scalar::F64, reg);
    return step(to == Scalar::F16 ? Op::RoundF64ToF16 : Op::RoundF64ToBF16, asDouble, into);
  }
  // integers
  if (isWide(to)) {
    if (wideFrom) return keep();
    return step(signedFrom ? Op::I32ToI64 : Op::U32ToI64, reg, into);
  }
  if (wideFrom) {
    if (bitsOf(to) == 32) return step(Op::I64ToI32, reg, into);
    return normalize(step(Op::I64ToI32, reg), to, into);
  }
  if (bitsOf(to) == 32) return keep();
  if (bitsOf(from) < bitsOf(to) && !signedFrom) return keep();
  return normalize(reg, to, into);
}

Value Compiler::splat(const Value& scalar, const ir::TypePtr& vector) {
  return {vector, std::vector<Reg>(vector->lanes, scalar.regs[0])};
}

Value Compiler::castTo(const ir::Expr& e, Reg into) {
  const auto& c = *e.as<ir::Cast>();
  const ir::Type& from = *c.operand->type;
  const ir::Type& to = *e.type;
  if (to.is(TypeKind::Void)) {
    eval(c.operand);
    return noValue();
  }
  if (from.is(TypeKind::Struct) || to.is(TypeKind::Struct) || from.is(TypeKind::Handle) ||
      to.is(TypeKind::Handle)) {
    Value v = eval(c.operand);
    v.type = e.type;
    return v;
  }
  const Value v = eval(c.operand);
  if (e.loc.valid()) current = e.loc;
  const Scalar s = scalarOf(elementOf(from)), t = scalarOf(elementOf(to));
  if (to.is(TypeKind::Vector)) {
    if (!from.is(TypeKind::Vector)) {
      // OpenCL: true splats as all bits.
      Reg r = from.is(TypeKind::Bool) && elementOf(to).is(TypeKind::Int) ? maskLane(v.regs[0], t)
                                                                         : convertScalar(v.regs[0], s, t);
      return splat({to.element, {r}}, e.type);
    }
    Value r{e.type, {}};
    for (Reg reg : v.regs) r.regs.push_back(convertScalar(reg, s, t));
    return r;
  }
  return {e.type, {convertScalar(v.regs.at(0), s, t, into)}};
}

Value Compiler::construct(const ir::Expr& e) {
  const auto& c = *e.as<ir::Construct>();
  const std::vector<Leaf> of = leaves(*e.type);
  Value v{e.type, {}};
  if (e.type->is(TypeKind::Vector)) {
    const Scalar s = scalarOf(*e.type->element);
    for (const ir::ExprPtr& part : c.parts) {
      const Value p = eval(part);
      const Scalar from = scalarOf(elementOf(*part->type));
      for (Reg r : p.regs) v.regs.push_back(convertScalar(r, from, s));
    }
    if (v.regs.size() == 1) v.regs.resize(of.size(), v.regs[0]);
  } else {
    // Parts left out are zero; each part covers the leaves of its member.
    std::vector<ir::TypePtr> members;
    if (e.type->is(TypeKind::Struct)) {
      members = e.type->record->bases;
      for (const ir::Field& f : e.type->record->fields) members.push_back(f.type);
      if (e.type->record->isUnion) cannotRun("a union made of its parts in an expression", e.loc);
    } else if (e.type->is(TypeKind::Array)) {
      members.assign(size_t(e.type->extent), e.type->element);
    } else {
      members.push_back(e.type);
    }
    const size_t bases = e.type->is(TypeKind::Struct) ? e.type->record->bases.size() : members.size();
    for (size_t i = 0; i < members.size(); ++i) {
      if (i >= bases && e.type->record->fields[i - bases].isBitField()) {
        const ir::Record& record = *e.type->record;
        const auto [first, n] =
            memberLeaves({ir::makeExpr(e.type, ir::Construct{}), unsigned(i - bases), -1});
        for (size_t leaf = v.regs.size(); leaf < first + n; ++leaf) {
          v.regs.push_back(newRegister(of[leaf].type));
          move(v.regs.back(), constant(of[leaf].type, 0), of[leaf].type);
        }
        if (i < c.parts.size())
          storeBits(inUnit(record, i - bases,
                           std::vector<Reg>(v.regs.begin() + long(first), v.regs.begin() + long(first + n))),
                    evalScalar(c.parts[i]));
      } else if (i < c.parts.size()) {
        const Value p = eval(c.parts[i]);
        v.regs.insert(v.regs.end(), p.regs.begin(), p.regs.end());
      } else {
        for (const Leaf& leaf : leaves(*members[i])) v.regs.push_back(constant(leaf.type, 0));
      }
    }
  }
  if (v.regs.size() != of.size())
    cannotRun("a value built of parts that do not fit " + ir::str(*e.type), e.loc);
  return v;
}

}  // namespace hone::sim
