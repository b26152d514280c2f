// Rules for loads, stores, atomics and functions with results behind pointers.
#include "ir/Walk.h"
#include "ir/intrinsics/LowerIntrinsicRules.h"

namespace hone::ir {
namespace {

ExprPtr target(Lowering& l, size_t i) { return deref(l.arg(i), l.loc); }

void store(Lowering& l, ExprPtr place, ExprPtr value) {
  TypePtr type = place->type;
  l.before.push_back(assign(std::move(place), convert(std::move(value), type), l.loc));
}

VarPtr temporary(Lowering& l, const char* name, ExprPtr value) {
  auto var = std::make_shared<Variable>();
  var->name = name;
  var->type = value->type;
  var->loc = l.loc;
  l.before.push_back(makeStmt(Declare{var, std::move(value)}, l.loc));
  return var;
}

// The operand, safe from stores through pointers that come before its later uses.
ExprPtr steady(Lowering& l, const ExprPtr& x) {
  if (x->is<FloatLiteral>() || x->is<IntLiteral>()) return x;
  const auto* var = as<VarRef>(x);
  bool isApart = var != nullptr;
  for (size_t i = 1; i < l.argCount(); ++i) {
    VarPtr root = rootVariable(l.arg(i));
    isApart &= root && l.arg(i)->is<AddressOf>() && var && root != var->var && !root->isReference;
  }
  return isApart ? x : ref(temporary(l, "x", x), l.loc);
}

ExprPtr load(Lowering& l) { return target(l, 0); }

ExprPtr storeThrough(Lowering& l) {
  store(l, target(l, 0), l.arg(1));
  return nullptr;
}

ExprPtr sineCosine(Lowering& l, std::string_view sine, std::string_view cosine) {
  if (l.argType(0)->is(TypeKind::Vector) && l.language == Language::Cuda) return nullptr;
  size_t before = l.before.size();
  ExprPtr x = steady(l, l.arg(0));
  ExprPtr s = l.same(sine, x), c = l.same(cosine, x);
  if (!s || !c) {
    l.before.resize(before);
    return nullptr;
  }
  const bool givesSine = l.argCount() == 2;
  if (!givesSine) store(l, target(l, 1), s);
  store(l, target(l, givesSine ? 1 : 2), c);
  return givesSine ? s : nullptr;
}

// The part after the point, below one; the part before it goes behind the pointer.
ExprPtr fraction(Lowering& l) {
  if (l.type->is(TypeKind::Vector) || l.type->bits < 32) return nullptr;
  ExprPtr x = steady(l, l.arg(0));
  ExprPtr whole = l.same("floor", x);
  store(l, target(l, 1), whole);
  double largest = l.type->bits == 32 ? 0x1.fffffep-1 : 0x1.fffffffffffffp-1;
  return l.same("fmin", l.op(BinaryOp::Sub, x, whole), l.number(largest, l.type));
}

// Element i of the vector that vload and vstore number with an offset.
ExprPtr element(Lowering& l, const ExprPtr& offset, const ExprPtr& pointer, unsigned lanes, unsigned i) {
  ExprPtr index;
  if (auto value = constantValue(offset)) {
    index = intLit(*value * lanes + i, offset->type, l.loc);
  } else {
    index = l.op(BinaryOp::Mul, intLit(lanes, offset->type), offset);
    if (i) index = l.op(BinaryOp::Add, index, intLit(i, offset->type));
  }
  return subscript(pointer, {index}, l.loc);
}

ExprPtr vectorLoad(Lowering& l) {
  if (!l.type->is(TypeKind::Vector)) return l.cast(element(l, l.arg(0), l.arg(1), 1, 0), l.type);
  if (l.language == Language::Cuda && l.type->lanes > 4) return nullptr;
  std::vector<ExprPtr> parts;
  parts.reserve(l.type->lanes);
  for (unsigned i = 0; i < l.type->lanes; ++i)
    parts.push_back(l.cast(element(l, l.arg(0), l.arg(1), l.type->lanes, i), l.type->element));
  return l.construct(l.type, std::move(parts));
}

ExprPtr vectorStore(Lowering& l) {
  const TypePtr& type = l.argType(0);
  if (!type->is(TypeKind::Vector)) {
    store(l, element(l, l.arg(1), l.arg(2), 1, 0), l.arg(0));
    return nullptr;
  }
  if (l.language == Language::Cuda && type->lanes > 4) return nullptr;
  ExprPtr value = l.arg(0)->is<VarRef>() ? l.arg(0) : ref(temporary(l, "v", l.arg(0)), l.loc);
  for (unsigned i = 0; i < type->lanes; ++i)
    store(l, element(l, l.arg(1), l.arg(2), type->lanes, i), l.lane(value, i));
  return nullptr;
}

ExprPtr atomicAddOf(Lowering& l, ExprPtr operand) {
  const TypePtr& type = l.type;
  if (!type->is(TypeKind::Int)) return nullptr;
  if (ExprPtr direct = l.make("atomic_add", {l.arg(0), operand}, type)) return direct;
  // Signed 64-bit sums are unsigned ones.
  if (l.language != Language::Cuda || type->bits != 64 || !type->isSigned) return nullptr;
  TypePtr cell = pointerType(uint64(), l.argType(0)->space, false, l.argType(0)->isVolatile);
  ExprPtr call = l.make("atomic_add", {convert(l.arg(0), cell, true), l.cast(operand, uint64())}, uint64());
  return call ? l.cast(ref(temporary(l, "old", call), l.loc), type) : nullptr;
}

// Exchanges the cell's bits in a loop until no other thread came between:
//   old = *cell; do { assumed = old; old = cmpxchg(cell, assumed, next(assumed)); } while (assumed != old);
ExprPtr exchangeLoop(Lowering& l,
                     ExprPtr (*next)(Lowering&, const ExprPtr& assumed, const ExprPtr& operand)) {
  const TypePtr& type = l.type;
  if (type->bits != 32 && type->bits != 64) return nullptr;
  TypePtr bits = intType(type->bits, false);
  ExprPtr pointer = l.arg(0);
  if (!sameType(bits, type)) {
    TypePtr cell = pointerType(bits, pointer->type->space, false, true);
    pointer = ref(temporary(l, "cell", convert(pointer, cell, true)), l.loc);
  }
  ExprPtr operand = l.arg(1);
  const bool isSteady = operand->is<VarRef>() || operand->is<IntLiteral>() || operand->is<FloatLiteral>();
  if (!isSteady) operand = ref(temporary(l, "operand", operand), l.loc);
  ExprPtr old = ref(temporary(l, "old", deref(pointer, l.loc)), l.loc);
  ExprPtr assumed = ref(temporary(l, "assumed", old), l.loc);
  ExprPtr exchange =
      l.make("atomic_cmpxchg", {pointer, assumed, l.cast(next(l, assumed, operand), bits)}, bits);
  if (!exchange) {
    l.before.clear();
    return nullptr;
  }
  StmtPtr body = block({assign(assumed, old, l.loc), assign(old, exchange, l.loc)}, l.loc);
  l.before.push_back(makeStmt(DoWhile{body, l.op(BinaryOp::Ne, assumed, old)}, l.loc));
  return sameType(bits, type) ? old : l.make("as", {old}, type);
}

ExprPtr addFloat(Lowering& l, const ExprPtr& assumed, const ExprPtr& operand) {
  return l.make("as", {l.op(BinaryOp::Add, l.make("as", {assumed}, l.type), operand)}, assumed->type);
}

ExprPtr countUp(Lowering& l, const ExprPtr& assumed, const ExprPtr& limit) {
  ExprPtr zero = intLit(0, assumed->type), one = intLit(1, assumed->type);
  return l.select(l.op(BinaryOp::Ge, assumed, limit), zero, l.op(BinaryOp::Add, assumed, one));
}

ExprPtr countDown(Lowering& l, const ExprPtr& assumed, const ExprPtr& limit) {
  ExprPtr zero = intLit(0, assumed->type), one = intLit(1, assumed->type);
  ExprPtr starts =
      l.op(BinaryOp::LogicalOr, l.op(BinaryOp::Eq, assumed, zero), l.op(BinaryOp::Gt, assumed, limit));
  return l.select(starts, limit, l.op(BinaryOp::Sub, assumed, one));
}

ExprPtr atomicAdd(Lowering& l) {
  if (l.depth > 0) return nullptr;
  if (l.type->is(TypeKind::Float)) return exchangeLoop(l, addFloat);
  return l.type->is(TypeKind::Int) && l.type->isSigned ? atomicAddOf(l, l.arg(1)) : nullptr;
}

ExprPtr atomicStep(Lowering& l, int64_t by) { return atomicAddOf(l, intLit(by, l.type, l.loc)); }

}  // namespace

const LoweringRules& memoryLowerings() {
  static const LoweringRules rules = [] {
    LoweringRules out = {
        {"sincos", [](Lowering& l) { return sineCosine(l, "sin", "cos"); }},
        {"sincos_value", [](Lowering& l) { return sineCosine(l, "sin", "cos"); }},
        {"sincospi", [](Lowering& l) { return sineCosine(l, "sinpi", "cospi"); }},
        {"native_sincos", [](Lowering& l) { return sineCosine(l, "native_sin", "native_cos"); }},
        {"fract", fraction},
        {"atomic_add", atomicAdd},
        {"atomic_add_block", atomicAdd},
        {"atomic_inc_wrap", [](Lowering& l) { return exchangeLoop(l, countUp); }},
        {"atomic_inc_wrap_block", [](Lowering& l) { return exchangeLoop(l, countUp); }},
        {"atomic_dec_wrap", [](Lowering& l) { return exchangeLoop(l, countDown); }},
        {"atomic_dec_wrap_block", [](Lowering& l) { return exchangeLoop(l, countDown); }},
        {"atomic_sub", [](Lowering& l) { return atomicAddOf(l, unary(UnaryOp::Neg, l.arg(1), l.loc)); }},
        {"atomic_inc", [](Lowering& l) { return atomicStep(l, 1); }},
        {"atomic_dec", [](Lowering& l) { return atomicStep(l, -1); }},
        {"vload_half", vectorLoad},
        {"vstore_half", vectorStore},
        {"vstore_half_rte", vectorStore},
    };
    for (std::string_view id : {"ldg", "ldca", "ldcg", "ldcs", "ldlu", "ldcv"}) out.emplace(id, load);
    for (std::string_view id : {"stwb", "stcg", "stcs", "stwt"}) out.emplace(id, storeThrough);
    for (std::string_view id : {"vload2", "vload3", "vload4", "vload_half2", "vload_half3", "vload_half4"})
      out.emplace(id, vectorLoad);
    for (std::string_view id :
         {"vstore2", "vstore3", "vstore4", "vstore_half2", "vstore_half3", "vstore_half4"})
      out.emplace(id, vectorStore);
    return out;
  }();
  return rules;
}

}  // namespace hone::ir
