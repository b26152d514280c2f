// Places: where a variable, element or member lies, and the instructions that load and store it.
#include "ir/Walk.h"
#include "sim/compile/Compiler.h"

namespace hone::sim {

using ir::TypeKind;

namespace {

MemorySpace memorySpace(ir::Space space) {
  switch (space) {
    case ir::Space::Global: return MemorySpace::Global;
    case ir::Space::Shared: return MemorySpace::Shared;
    case ir::Space::Private: return MemorySpace::Local;
    case ir::Space::Constant: return MemorySpace::Constant;
    default: return MemorySpace::Generic;
  }
}

constexpr uint64_t widestAccess = 16;  // bytes a lane moves in one instruction
constexpr int64_t mostOffset = INT32_MAX / 4;

}  // namespace

Place Compiler::dereference(Reg pointer, const ir::Type& pointerType) {
  Place p;
  p.type = pointerType.element;
  p.space = memorySpace(pointerType.space);
  p.base = pointer;
  if (pointerType.isVolatile) p.hint = CacheHint::Volatile;
  return p;
}

void Compiler::addIndex(Place& p, const ir::ExprPtr& index, uint64_t stride) {
  ir::ExprPtr variable = index;
  // Constant parts go into the offset, where the type of the sum cannot wrap and an instruction has room.
  auto toOffset = [&](int64_t value) {
    int64_t bytes = 0, sum = 0;
    if (__builtin_mul_overflow(value, int64_t(stride), &bytes) ||
        __builtin_add_overflow(p.offset, bytes, &sum) || sum > mostOffset || sum < -mostOffset)
      return false;
    p.offset = sum;
    return true;
  };
  while (true) {
    if (auto value = ir::constantValue(variable)) {
      if (toOffset(*value)) return;
      break;
    }
    const auto* b = ir::as<ir::Binary>(variable);
    if (!b || (b->op != ir::BinaryOp::Add && b->op != ir::BinaryOp::Sub)) break;
    const bool mayWrap =
        variable->type->is(TypeKind::Int) && !variable->type->isSigned && variable->type->bits < 64;
    if (mayWrap || !variable->type->is(TypeKind::Int)) break;
    auto value = ir::constantValue(b->rhs);
    if (!value || *value == INT64_MIN) break;
    if (!toOffset(b->op == ir::BinaryOp::Add ? *value : -*value)) break;
    variable = b->lhs;
  }
  Scalar s = scalarOf(*variable->type);
  Reg reg = evalScalar(variable);
  IndexKind kind = isWide(s) ? IndexKind::I64 : s == Scalar::U32 ? IndexKind::U32 : IndexKind::I32;
  if (p.index != noReg) {
    const bool inside = p.base == noReg;  // a declared array on the chip: no index exceeds 32 bits
    if (inside && p.scale % stride == 0 && p.indexKind != IndexKind::I64 && kind != IndexKind::I64) {
      const uint64_t factor = p.scale / stride;
      const Reg scaled =
          factor == 1 ? p.index : emitOp(Op::MulI32, Scalar::I32, p.index, intConstant(int64_t(factor)));
      p.index = emitOp(Op::AddI32, Scalar::I32, scaled, reg);
      p.indexKind = IndexKind::I32;
      p.scale = stride;
      return;
    }
    const int64_t offset = p.offset;
    p.offset = 0;
    p.base = address(p);
    p.index = noReg;
    p.offset = offset;
  }
  if (stride > 0xffff) {
    const Reg wide = kind == IndexKind::I64
                         ? reg
                         : emitOp(kind == IndexKind::U32 ? Op::U32ToI64 : Op::I32ToI64, Scalar::I64, reg);
    reg = emitOp(Op::MulI64, Scalar::I64, wide, constant(Scalar::I64, stride));
    kind = IndexKind::I64;
    stride = 1;
  }
  p.index = reg;
  p.indexKind = kind;
  p.scale = stride;
}

Place Compiler::place(const ir::ExprPtr& e) {
  Place p = placeOf(e);
  p.origin = e.get();
  return p;
}

Place Compiler::placeOf(const ir::ExprPtr& e) {
  if (const auto* v = e->as<ir::VarRef>()) {
    const VariableHome& h = home(v->var);
    Place p;
    p.type = v->var->type;
    p.inRegisters = h.inRegisters;
    p.regs = h.regs;
    p.space = h.space;
    p.base = h.base;
    p.offset = h.offset;
    p.tracked = h.tracked;
    p.root = h.root;
    if (v->var->isVolatile) p.hint = CacheHint::Volatile;
    return p;
  }
  if (const auto* s = e->as<ir::Subscript>()) {
    Place p;
    size_t next = 0;
    if (s->base->type->isPointer()) {
      // p[i] with p = &a[0]: the array itself.
      const Reg pointer = evalScalar(s->base);
      p = dereference(pointer, *s->base->type);
      p.type = s->base->type->element;
      if (const auto* v = ir::as<ir::VarRef>(s->base); v && (pointer & uniformBank))
        p.root = home(v->var).root;
      addIndex(p, s->indices[0], std::max<uint64_t>(1, sizeOf(*p.type)));
      next = 1;
    } else {
      p = place(s->base);
    }
    for (; next < s->indices.size(); ++next) {
      if (!p.type->is(TypeKind::Array)) cannotRun("a subscript of " + ir::str(*p.type), e->loc);
      const ir::TypePtr element = p.type->element;
      if (p.inRegisters) {
        const int64_t i = ir::constantValue(s->indices[next]).value_or(0);
        const size_t n = leafCount(*element);
        if (i < 0 || i >= p.type->extent) cannotRun("a constant subscript outside its array", e->loc);
        p.regs = std::vector<Reg>(p.regs.begin() + i * long(n), p.regs.begin() + (i + 1) * long(n));
      } else {
        addIndex(p, s->indices[next], sizeOf(*element));
      }
      p.type = element;
    }
    return p;
  }
  if (const auto* m = e->as<ir::Member>()) {
    Place p = ir::isPlace(*m->base) ? place(m->base) : Place{};
    if (!ir::isPlace(*m->base)) {  // a value: give it a home
      const Value v = eval(m->base);
      auto temporary = std::make_shared<ir::Variable>();
      temporary->name = "value";
      temporary->type = m->base->type;
      inMemory.insert(temporary.get());
      const VariableHome h = localMemory(*temporary);
      p.type = m->base->type;
      p.space = h.space;
      p.base = h.base;
      p.offset = h.offset;
      p.root = h.root;
      store(p, v);
    }
    const ir::Record& record = *m->base->type->record;
    const ir::TypePtr type =
        m->baseClass >= 0 ? record.bases[size_t(m->baseClass)] : record.fields[m->field].type;
    if (p.inRegisters) {
      const auto [skip, n] = memberLeaves(*m);
      p.regs = std::vector<Reg>(p.regs.begin() + long(skip), p.regs.begin() + long(skip + n));
    } else {
      p.offset +=
          int64_t(m->baseClass >= 0 ? baseOffsets(record)[size_t(m->baseClass)] : record.offsets[m->field]);
    }
    p.type = type;
    if (ir::bitField(*e)) {
      const Place unit = inUnit(record, m->field, {});
      p.bitField = unit.bitField;
      p.unitOffset = unit.unitOffset;
      p.unitAlign = unit.unitAlign;
    }
    return p;
  }
  if (const auto* w = e->as<ir::Swizzle>()) {
    if (w->lanes.size() != 1) cannotRun("several lanes of a vector used as one place", e->loc);
    Place p = place(w->base);
    const ir::TypePtr element = p.type->element;
    if (p.inRegisters)
      p.regs = {p.regs[w->lanes[0]]};
    else
      p.offset += int64_t(w->lanes[0] * sizeOf(*element));
    p.type = element;
    return p;
  }
  if (e->type->isPointer()) return dereference(evalScalar(e), *e->type);
  // A value where a place is expected (a temporary bound to a reference).
  const Value v = eval(e);
  Place p;
  p.type = e->type;
  p.inRegisters = true;
  p.regs = v.regs;
  return p;
}

Instr Compiler::memoryInstr(Op op, const Place& p) const {
  Instr i;
  i.op = op;
  i.space = p.space;
  i.a = p.base;
  i.b = p.index;
  i.index = p.indexKind;
  i.c = Reg(p.scale);
  i.hint = p.hint;
  i.imm2 = p.root + 1;
  return i;
}

Reg Compiler::address(const Place& p, Reg into) {
  if (p.bitField) cannotRun("the address of a bit-field", current);
  if (p.inRegisters) cannotRun("the address of a variable that is not in memory", current);
  if (p.base != noReg && p.index == noReg && p.offset == 0) {
    if (into != noReg) move(into, p.base, Scalar::U64);
    return into == noReg ? p.base : into;
  }
  if (p.offset < INT32_MIN || p.offset > INT32_MAX)
    cannotRun("an offset beyond 2 GiB in one subscript", current);
  Instr i = memoryInstr(Op::Lea, p);
  i.imm2 = 0;
  i.type = Scalar::U64;
  i.dst = into == noReg ? newRegister(Scalar::U64) : into;
  i.imm = int32_t(p.offset);
  emit(i);
  return i.dst;
}

void Compiler::accessLeaves(Op op, const Place& from, const std::vector<Reg>& regs) {
  Place p = from;
  const std::vector<Leaf> of = placeLeaves(p);
  if (p.offset < INT32_MIN / 2 || p.offset > INT32_MAX / 2) {
    p.base = address(p);
    p.index = noReg;
    p.indexKind = IndexKind::None;
    p.offset = 0;
  }
  if (p.base == noReg && p.space != MemorySpace::Shared && p.space != MemorySpace::Local)
    cannotRun("a place without an address", current);
  if (p.hint == CacheHint::Volatile && p.space != MemorySpace::Shared && p.space != MemorySpace::Local)
    out.ordersBlocks = true;
  // A vector aligned to its size moves at once, 16 bytes an instruction at most; everything else leaf by
  // leaf.
  const bool isWhole =
      p.type->is(TypeKind::Vector) &&
      alignOf(*p.type) >= std::min<uint64_t>(widestAccess, (p.type->lanes == 3 ? 4u : p.type->lanes) *
                                                               memoryBytes(of[0].type));
  size_t i = 0;
  while (i < of.size()) {
    const unsigned bytes = memoryBytes(of[i].type);
    size_t n = 1;
    if (isWhole)
      while (i + n < of.size() && (n + 1) * bytes <= widestAccess &&
             regs[i + n] == regs[i] + n * registerUnits(of[i].type))
        ++n;
    if (n == 3 && p.type->lanes != 3) n = 2;
    Instr instr = memoryInstr(op, p);
    instr.type = of[i].type;
    instr.count = uint8_t(n);
    instr.dst = regs[i];
    instr.imm = int32_t(p.offset + int64_t(of[i].offset));
    emitMemory(instr, p.origin);
    i += n;
  }
}

void Compiler::checkSet(const Place& p) {
  if (p.tracked >= 0) emit({.op = Op::CheckSet, .imm = p.tracked});
}

void Compiler::markSet(const Place& p) {
  if (p.tracked >= 0) emit({.op = Op::MarkSet, .imm = p.tracked});
}

Value Compiler::load(const Place& p, Reg into) {
  if (p.bitField) return loadBits(p);
  if (p.inRegisters) {
    checkSet(p);
    return {p.type, p.regs};
  }
  Value v{p.type, {}};
  if (into != noReg && leafCount(*p.type) == 1)
    v.regs = {into};
  else
    v.regs = newRegisters(*p.type);
  accessLeaves(Op::Load, p, v.regs);
  return v;
}

void Compiler::store(const Place& p, const Value& value) {
  if (p.bitField) return storeBits(p, value.regs.at(0));
  const std::vector<Leaf> of = leaves(*p.type);
  if (value.regs.size() != of.size())
    cannotRun("a store of " + ir::str(*value.type) + " to " + ir::str(*p.type), current);
  if (p.inRegisters) {
    for (size_t i = 0; i < of.size(); ++i) move(p.regs[i], value.regs[i], of[i].type);
    markSet(p);
    return;
  }
  std::vector<Reg> regs = value.regs;
  if (p.type->is(TypeKind::Vector)) {  // one instruction needs neighbouring registers
    bool neighbours = true;
    for (size_t i = 1; i < regs.size(); ++i) neighbours &= regs[i] == regs[0] + i * registerUnits(of[0].type);
    if (!neighbours) {
      const std::vector<Reg> packed = newRegisters(*p.type);
      for (size_t i = 0; i < regs.size(); ++i) move(packed[i], regs[i], of[i].type);
      regs = packed;
    }
  }
  accessLeaves(Op::Store, p, regs);
}

std::optional<Value> Compiler::swizzledLoad(const ir::Expr& e) {
  const auto* w = e.as<ir::Swizzle>();
  if (!w || w->lanes.size() == 1) return std::nullopt;
  const Value base = eval(w->base);
  Value v{e.type, {}};
  for (uint8_t lane : w->lanes) v.regs.push_back(base.regs[lane]);
  return v;
}

bool Compiler::swizzledStore(const ir::ExprPtr& target, const Value& value) {
  const auto* w = ir::as<ir::Swizzle>(target);
  if (!w || w->lanes.size() == 1) return false;
  // Lanes of lanes (v.lo.yx) name lanes of the innermost vector.
  std::vector<uint8_t> lanes = w->lanes;
  ir::ExprPtr base = w->base;
  while (const auto* inner = ir::as<ir::Swizzle>(base)) {
    for (uint8_t& lane : lanes) lane = inner->lanes[lane];
    base = inner->base;
  }
  const Place p = place(base);
  const ir::TypePtr element = p.type->element;
  const Scalar s = scalarOf(*element);
  std::vector<Reg> copies = value.regs;
  if (p.inRegisters)
    for (Reg& r : copies) {  // v.xy = v.yx
      const Reg copy = newRegister(s);
      move(copy, r, s);
      r = copy;
    }
  for (size_t i = 0; i < lanes.size(); ++i) {
    Place lane = p;
    lane.type = element;
    if (p.inRegisters)
      lane.regs = {p.regs[lanes[i]]};
    else
      lane.offset += int64_t(lanes[i] * sizeOf(*element));
    store(lane, {element, {copies[i]}});
  }
  return true;
}

}  // namespace hone::sim
