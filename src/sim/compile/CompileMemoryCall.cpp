// Calls that touch memory: cache hints, vector loads and stores, atomics, copies.
#include <optional>

#include "ir/Walk.h"
#include "sim/compile/Compiler.h"

namespace hone::sim {

using ir::TypeKind;

namespace {

CacheHint hintOf(ir::CacheHint hint) {
  switch (hint) {
    case ir::CacheHint::None:
    case ir::CacheHint::Normal: break;
    case ir::CacheHint::ReadOnly: return CacheHint::ReadOnly;
    case ir::CacheHint::L2Only: return CacheHint::L2Only;
    case ir::CacheHint::Streaming: return CacheHint::Streaming;
    case ir::CacheHint::Volatile: return CacheHint::Volatile;
  }
  return CacheHint::Default;
}

std::string_view conversionTo(ir::Rounding rounding) {
  switch (rounding) {
    case ir::Rounding::Nearest: break;
    case ir::Rounding::Zero: return "convert_rtz";
    case ir::Rounding::Up: return "convert_rtp";
    case ir::Rounding::Down: return "convert_rtn";
  }
  return "convert_rte";
}

// Nothing where it is no atomic.
std::optional<AtomicOp> operationOf(ir::AtomicKind kind) {
  using Kind = ir::AtomicKind;
  switch (kind) {
    case Kind::None: break;
    case Kind::Add:
    case Kind::Increment: return AtomicOp::Add;
    case Kind::Sub:
    case Kind::Decrement: return AtomicOp::Sub;
    case Kind::IncrementWrapping: return AtomicOp::IncWrap;
    case Kind::DecrementWrapping: return AtomicOp::DecWrap;
    case Kind::Min: return AtomicOp::Min;
    case Kind::Max: return AtomicOp::Max;
    case Kind::And: return AtomicOp::And;
    case Kind::Or: return AtomicOp::Or;
    case Kind::Xor: return AtomicOp::Xor;
    case Kind::Exchange:
    case Kind::TestAndSet: return AtomicOp::Exchange;
    case Kind::CompareExchange:
    case Kind::CompareExchangeInPlace: return AtomicOp::CompareExchange;
    case Kind::Load: return AtomicOp::Load;
    case Kind::Store:
    case Kind::Clear: return AtomicOp::Store;
  }
  return std::nullopt;
}

}  // namespace

// vloadN and vload(a)_halfN: N elements from p + N * offset, of which three count as four in the aligned
// forms.
Value Compiler::loadCall(const ir::Expr& e, Reg into) {
  const auto& c = *e.as<ir::Call>();
  const ir::IntrinsicTraits& traits = c.intrinsic->traits;
  if (traits.vector.lanes > 0) {
    Place p = dereference(evalScalar(c.args[1]), *c.args[1]->type);
    addIndex(p, c.args[0], traits.vector.stride() * sizeOf(*p.type));
    p.origin = &e;
    current = e.loc.valid() ? e.loc : current;
    const Scalar from = scalarOf(*p.type),
                 to = scalarOf(e.type->is(TypeKind::Vector) ? *e.type->element : *e.type);
    Value v{e.type, {}};
    for (unsigned i = 0; i < traits.vector.lanes; ++i) {
      Place lane = p;
      lane.offset += int64_t(i * sizeOf(*p.type));
      v.regs.push_back(convertScalar(load(lane).regs[0], from, to));
    }
    return v;
  }
  if (traits.texture.kind != ir::TextureKind::NoTexture) return machineCall(e);
  Place p = dereference(evalScalar(c.args.at(0)), *c.args[0]->type);
  if (!ir::sameType(*p.type, *e.type)) p.type = e.type;
  p.origin = &e;
  p.hint = hintOf(traits.hint);
  if (p.hint == CacheHint::Volatile && p.space != MemorySpace::Shared) out.ordersBlocks = true;
  current = e.loc.valid() ? e.loc : current;
  return load(p, into);
}

Value Compiler::storeCall(const ir::Expr& e) {
  const auto& c = *e.as<ir::Call>();
  const std::string_view id = c.intrinsic->id;
  const ir::IntrinsicTraits& traits = c.intrinsic->traits;
  if (traits.vector.lanes > 0) {
    const bool isHalf = traits.vector.elements != ir::Elements::AsTyped;
    const Value v = eval(c.args[0]);
    Place p = dereference(evalScalar(c.args[2]), *c.args[2]->type);
    addIndex(p, c.args[1], traits.vector.stride() * sizeOf(*p.type));
    p.origin = &e;
    current = e.loc.valid() ? e.loc : current;
    const ir::Type& vt = *c.args[0]->type;
    const Scalar from = scalarOf(vt.is(TypeKind::Vector) ? *vt.element : vt);
    for (unsigned i = 0; i < traits.vector.lanes; ++i) {
      Place lane = p;
      lane.offset += int64_t(i * sizeOf(*p.type));
      Reg reg = v.regs.at(i);
      if (isHalf) reg = emitPure(conversionTo(traits.vector.rounding), {from}, {reg}, {Scalar::F16}).at(0);
      store(lane, {p.type, {reg}});
    }
    return noValue();
  }
  if (traits.hint != ir::CacheHint::None) {
    const Value v = eval(c.args[1]);
    Place p = dereference(evalScalar(c.args[0]), *c.args[0]->type);
    p.origin = &e;
    p.hint = hintOf(traits.hint);
    current = e.loc.valid() ? e.loc : current;
    store(p, v);
    return noValue();
  }
  if (id == "memcpy" || id == "memset" || id == "pipeline_memcpy_async" || id == "group_memcpy_async" ||
      id == "async_work_group_copy" || id == "async_work_group_strided_copy")
    return copyBytes(e);
  if (traits.texture.kind != ir::TextureKind::NoTexture) return machineCall(e);
  cannotRun("the function " + (c.spelling.empty() ? std::string(id) : c.spelling), e.loc);
}

// Copies of a known size move elements; those of a block are shared out among its threads, element by
// element.
Value Compiler::copyBytes(const ir::Expr& e) {
  const auto& c = *e.as<ir::Call>();
  const std::string_view id = c.intrinsic->id;
  if (id == "memcpy" || id == "memset") return machineCall(e);
  if (id == "pipeline_memcpy_async") {
    const auto bytes = ir::constantValue(c.args[2]);
    if (!bytes || (*bytes != 4 && *bytes != 8 && *bytes != 16) || c.args.size() > 3)
      cannotRun("__pipeline_memcpy_async of a size that is not 4, 8 or 16, or with a fill", e.loc);
    const ir::TypePtr unit = *bytes == 16  ? ir::vectorType(ir::uint32(), 4)
                             : *bytes == 8 ? ir::uint64()
                                           : ir::uint32();
    Place to = dereference(evalScalar(c.args[0]), *c.args[0]->type),
          from = dereference(evalScalar(c.args[1]), *c.args[1]->type);
    to.type = from.type = unit;
    to.origin = from.origin = &e;
    current = e.loc.valid() ? e.loc : current;
    store(to, load(from));
    return noValue();
  }
  // for (i = rank; i < count; i += threads) to[i * a] = from[i * b]
  const bool isGroup = id == "group_memcpy_async";
  if (isGroup && c.args.size() != 4) cannotRun("memcpy_async with a layout", e.loc);
  ir::ExprPtr to = c.args[isGroup ? 1 : 0], from = c.args[isGroup ? 2 : 1], count = c.args[isGroup ? 3 : 2];
  if (isGroup) {
    if (c.args[0]->type->spelling != "cooperative_groups::thread_block")
      cannotRun("memcpy_async by a group that is not the block", e.loc);
    const ir::TypePtr byte = ir::intType(8, false);
    to = ir::makeExpr(ir::pointerType(byte, to->type->space), ir::Cast{to}, e.loc);
    from = ir::makeExpr(ir::pointerType(byte, from->type->space), ir::Cast{from}, e.loc);
  }
  ir::ExprPtr toStep = ir::intLit(1, ir::uint64()), fromStep = toStep;
  if (id == "async_work_group_strided_copy") {
    const bool gathers = to->type->space == ir::Space::Shared;
    (gathers ? fromStep : toStep) = ir::convert(c.args[3], ir::uint64());
  }
  auto i = std::make_shared<ir::Variable>();
  i->name = "i";
  i->type = ir::uint64();
  const Reg rank = convertScalar(emitOp(Op::ThreadRank, Scalar::U32, noReg), Scalar::U32, Scalar::U64);
  Reg threads = emitOp(Op::MulI32, Scalar::U32, uniform(Uniform::BlockDimX), uniform(Uniform::BlockDimY));
  threads = emitOp(Op::MulI32, Scalar::U32, threads, uniform(Uniform::BlockDimZ));
  auto step = std::make_shared<ir::Variable>();
  step->name = "threads";
  step->type = ir::uint64();
  declare(i);
  declare(step);
  move(homes[i.get()].regs[0], rank, Scalar::U64);
  move(homes[step.get()].regs[0], convertScalar(threads, Scalar::U32, Scalar::U64), Scalar::U64);
  const ir::VarPtr index = i, stride = step;
  const ir::StmtPtr body = ir::assign(
      ir::subscript(to, {ir::binary(ir::BinaryOp::Mul, ir::ref(index), toStep)}, e.loc),
      ir::subscript(from, {ir::binary(ir::BinaryOp::Mul, ir::ref(index), fromStep)}, e.loc), e.loc);
  const ir::StmtPtr next =
      ir::makeStmt(ir::Assign{ir::ref(index), ir::BinaryOp::Add, ir::ref(stride)}, e.loc);
  loop({}, ir::binary(ir::BinaryOp::Lt, ir::ref(index), ir::convert(count, ir::uint64())), {next},
       ir::block({body}, e.loc), true);
  if (e.type->is(TypeKind::Void)) return noValue();
  return {e.type, {constant(Scalar::U64, 0)}};  // the event
}

// Atomics

Value Compiler::atomicCall(const ir::Expr& e, bool used) {
  const auto& c = *e.as<ir::Call>();
  const ir::AtomicKind kind = c.intrinsic->traits.atomic;
  if (c.intrinsic->traits.scope == ir::AtomicScope::System) out.usesSystemScope = true;
  const std::optional<AtomicOp> operation = operationOf(kind);
  if (!operation)
    cannotRun("the function " + (c.spelling.empty() ? std::string(c.intrinsic->id) : c.spelling), e.loc);
  const bool comparesInPlace = kind == ir::AtomicKind::CompareExchangeInPlace;
  const bool hasNoOperand = kind == ir::AtomicKind::Increment || kind == ir::AtomicKind::Decrement ||
                            kind == ir::AtomicKind::TestAndSet || kind == ir::AtomicKind::Clear;
  const ir::TypePtr pointee = c.args[0]->type->element;
  const std::vector<Leaf> of = leaves(*pointee);
  const Place target = dereference(evalScalar(c.args[0]), *c.args[0]->type);
  const auto converted = [&](size_t arg) {
    Value v = eval(c.args.at(arg));
    if (v.regs.size() == 1 && of.size() == 1)
      v.regs[0] = convertScalar(v.regs[0], scalarOf(*c.args[arg]->type), of[0].type);
    return v;
  };
  Value value, compare;
  Place expected;
  if (hasNoOperand) {
    value = {pointee, {constant(of[0].type, kind == ir::AtomicKind::Clear ? 0 : 1)}};
  } else if (comparesInPlace) {
    expected = dereference(evalScalar(c.args[1]), *c.args[1]->type);
    compare = load(expected);
    value = converted(2);
  } else if (*operation == AtomicOp::CompareExchange) {
    compare = converted(1);
    value = converted(2);
  } else if (*operation != AtomicOp::Load) {
    value = converted(1);
  }
  if (e.loc.valid()) current = e.loc;
  const bool mayBeGlobal = target.space != MemorySpace::Shared && target.space != MemorySpace::Local;
  const bool commutes = *operation != AtomicOp::Exchange && *operation != AtomicOp::CompareExchange &&
                        *operation != AtomicOp::IncWrap && *operation != AtomicOp::DecWrap &&
                        *operation != AtomicOp::Store;
  if (mayBeGlobal && (used || !commutes || isFloating(of[0].type))) out.ordersBlocks = true;
  Value old{pointee, {}};
  for (size_t i = 0; i < of.size(); ++i) {
    Place leaf = target;
    leaf.offset += int64_t(of[i].offset);
    Instr instr;
    instr.op = Op::Atomic;
    instr.atomic = *operation;
    instr.type = of[i].type;
    instr.space = target.space;
    instr.a = address(leaf);
    instr.b = value.regs.empty() ? noReg : value.regs[i];
    instr.c = compare.regs.empty() ? noReg : compare.regs[i];
    instr.dst = newRegister(of[i].type);
    instr.imm2 = used;
    emitMemory(instr, &e);
    old.regs.push_back(instr.dst);
  }
  if (comparesInPlace) {
    const Reg same =
        of[0].type == Scalar::F32 || of[0].type == Scalar::F64
            ? scalarCompare(ir::BinaryOp::Eq, of[0].type, old.regs[0], compare.regs[0], noReg)
            : emitOp(isWide(of[0].type) ? Op::Eq64 : Op::Eq32, Scalar::Bool, old.regs[0], compare.regs[0]);
    pushScope(Scope::If, Op::If, emitOp(Op::LogicalNot, Scalar::Bool, same));
    store(expected, old);
    popScope(Op::EndIf);
    return {e.type, {convertScalar(same, Scalar::Bool, scalarOf(*e.type))}};
  }
  if (e.type->is(TypeKind::Void)) return noValue();
  if (of.size() == 1) return {e.type, {convertScalar(old.regs[0], of[0].type, scalarOf(*e.type))}};
  return old;
}

}  // namespace hone::sim
