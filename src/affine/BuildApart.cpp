// Conditions by which a kernel asks whether pieces of two arrays lie apart: `a + n <= b || b + m <= a`.
#include "affine/Builder.h"
#include "ir/Build.h"

namespace hone::affine {

namespace {

// `end <= begin`, as pointers or as their numbers.
struct EndsBefore {
  ir::ExprPtr end, begin;
};

ir::ExprPtr pointerIn(const ir::ExprPtr& e) {
  const auto* cast = ir::as<ir::Cast>(e);
  const bool isNumber = cast && e->type->is(ir::TypeKind::Int) && e->type->bits == 64 && !e->type->isSigned;
  const ir::ExprPtr& pointer = isNumber ? cast->operand : e;
  return pointer->type->isPointer() ? pointer : nullptr;
}

std::optional<EndsBefore> endsBefore(const ir::ExprPtr& e) {
  const auto* b = ir::as<ir::Binary>(e);
  if (!b || (b->op != ir::BinaryOp::Le && b->op != ir::BinaryOp::Ge)) return std::nullopt;
  const bool isLess = b->op == ir::BinaryOp::Le;
  const EndsBefore out{pointerIn(isLess ? b->lhs : b->rhs), pointerIn(isLess ? b->rhs : b->lhs)};
  return out.end && out.begin ? std::optional(out) : std::nullopt;
}

}  // namespace

std::vector<BytesApart> Builder::toldApart(const ir::ExprPtr& cond) {
  std::vector<BytesApart> out;
  for (const ir::ExprPtr& part : ir::conjuncts(cond)) {
    const auto* either = ir::as<ir::Binary>(part);
    if (!either || either->op != ir::BinaryOp::LogicalOr) continue;
    const auto one = endsBefore(either->lhs), other = endsBefore(either->rhs);
    if (!one || !other) continue;
    BytesApart pair;
    bool isKnown = true;
    const auto bytes = [&](const ir::ExprPtr& pointer, ArrayId& array) {
      const Value v = value(pointer);
      isKnown &= v.isPointer() && v.array.isSome() && (array.isNone() || array == v.array);
      array = v.array;
      pair.requirements.insert(v.requirements.begin(), v.requirements.end());
      return v.bytes;
    };
    pair.first.high = bytes(one->end, pair.first.array);
    pair.second.low = bytes(one->begin, pair.second.array);
    pair.second.high = bytes(other->end, pair.second.array);
    pair.first.low = bytes(other->begin, pair.first.array);
    if (isKnown && pair.first.array != pair.second.array) out.push_back(std::move(pair));
  }
  return out;
}

}  // namespace hone::affine
