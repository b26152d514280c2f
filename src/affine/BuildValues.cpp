// Expressions to values.
#include <fmt/core.h>

#include <algorithm>

#include "affine/Builder.h"

namespace hone::affine {

using ir::as;
using ir::TypeKind;

bool sameValue(const Value& a, const Value& b) {
  if (a.kind != b.kind) return false;
  switch (a.kind) {
    case ValueKind::Number: return a.poly == b.poly && a.modular == b.modular;
    case ValueKind::Truth: return sameCond(a.cond, b.cond);
    case ValueKind::Pointer:
      return a.array == b.array && a.bytes == b.bytes && (a.array.isSome() || a.reason == b.reason);
    case ValueKind::Parts: return std::ranges::equal(a.parts, b.parts, sameValue);
    case ValueKind::Other: return a.reason == b.reason && a.varies == b.varies;
  }
  return false;
}

// What a message calls an expression: short, with the names the user wrote.
std::string Builder::text(const ir::ExprPtr& e) const {
  if (const auto* use = as<ir::VarRef>(e)) return use->var->name;
  if (const auto* element = as<ir::Subscript>(e)) {
    if (element->indices.size() == 1)
      if (auto index = ir::constantValue(element->indices[0]))
        return *index == 0 && element->starStyle ? "*" + text(element->base)
                                                 : fmt::format("{}[{}]", text(element->base), *index);
    std::string index = element->indices.size() == 1 ? text(element->indices[0]) : "…";
    return text(element->base) + "[" + (index == "value" ? "…" : index) + "]";
  }
  if (const auto* field = as<ir::Member>(e))
    return field->baseClass >= 0
               ? text(field->base)
               : text(field->base) + "." + field->base->type->record->fields[field->field].name;
  if (const auto* lanes = as<ir::Swizzle>(e)) return text(lanes->base);
  if (const auto* cast = as<ir::Cast>(e)) return text(cast->operand);
  if (const auto* address = as<ir::AddressOf>(e)) return text(address->place);
  if (const auto* call = as<ir::Call>(e))
    return std::string(call->intrinsic ? call->intrinsic->id : call->function->name);
  return "value";
}

CondPtr Builder::newUnknown(const std::string& reason, Variation varies) {
  return unknownCond(reason, varies, ++nextUnknown);
}

Variation Builder::variationOf(const Value& v) const {
  Variation out = v.varies;
  switch (v.kind) {
    case ValueKind::Number: out |= atoms.variation(v.poly); break;
    case ValueKind::Truth: out |= atoms.variation(v.cond); break;
    case ValueKind::Pointer: out |= atoms.variation(v.bytes); break;
    case ValueKind::Parts:
      for (const Value& part : v.parts) out |= variationOf(part);
      break;
    case ValueKind::Other: break;
  }
  return out;
}

Value Builder::opaqueOf(const ir::Type& type, const std::string& name, const std::string& reason,
                        Variation varies) {
  if (type.is(TypeKind::Bool)) return truthValue(newUnknown(reason, varies));
  if (type.is(TypeKind::Int)) {
    int64_t low = INT64_MIN, high = INT64_MAX;
    if (!type.isSigned) low = 0;
    if (type.bits < 64) {
      high = (int64_t{1} << (type.bits - (type.isSigned ? 1 : 0))) - 1;
      if (type.isSigned) low = -high - 1;
    }
    return numberValue(atoms.opaque(name, reason, varies, low, high));
  }
  if (type.isPointer()) {
    Value v = pointerValue(ArrayId::none(), {});
    v.varies = varies;
    v.reason = reason;
    return v;
  }
  return otherValue(reason, varies);
}

Value Builder::unknown(const ir::ExprPtr& e, const std::string& reason) {
  Variation varies;
  ir::forEachChild(*e, [&](const ir::ExprPtr& child) { varies |= variationOf(value(child)); });
  return opaqueOf(*e->type, text(e), reason, varies);
}

Value Builder::value(const ir::ExprPtr& e) {
  try {
    return valueOf(*e, e);
  } catch (const TooLarge&) {
    Variation everything;
    everything.anyThread = true;
    everything.loops = ~uint64_t{0};
    return opaqueOf(*e->type, text(e), "numbers that outgrow 64 bits", everything);
  }
}

Value Builder::valueOf(const ir::Expr& e, const ir::ExprPtr& ptr) {
  if (const auto* literal = e.as<ir::IntLiteral>()) {
    if (e.type->is(TypeKind::Bool)) return truthValue(literal->value ? always() : never());
    const auto folded = ir::constantValue(ptr);
    Value v = numberValue(folded ? *folded : static_cast<int64_t>(literal->value));
    if (!e.type->isSigned && e.type->bits == 64 && v.poly.constantPart() < 0) v.modular = true;
    return v;
  }
  if (const auto* c = e.as<ir::Coord>()) return coordinate(*c);
  if (e.is<ir::VarRef>() || e.is<ir::Subscript>() || e.is<ir::Member>() || e.is<ir::Swizzle>())
    return read(ptr);
  if (const auto* address = e.as<ir::AddressOf>()) return pointerTo(address->place);
  if (const auto* cast = e.as<ir::Cast>()) return castValue(e, *cast);
  if (const auto* select = e.as<ir::Select>()) return selectValue(e, *select);
  if (const auto* call = e.as<ir::Call>()) return callValue(ptr, *call);
  if (const auto* built = e.as<ir::Construct>()) {
    Value v;
    v.kind = ValueKind::Parts;
    for (const ir::ExprPtr& part : built->parts) v.parts.push_back(value(part));
    const bool isFlat = e.type->is(TypeKind::Vector)
                            ? v.parts.size() == e.type->lanes
                            : e.type->is(TypeKind::Struct) && e.type->record->bases.empty() &&
                                  v.parts.size() == e.type->record->fields.size();
    if (!isFlat || heldBitField(*e.type)) return otherValue("an aggregate", variationOf(v));
    return v;
  }
  if (const auto* node = e.as<ir::Unary>()) {
    Value v = value(node->operand);
    if (node->op == ir::UnaryOp::Not && v.kind == ValueKind::Truth) {
      v.cond = negation(v.cond);
      return v;
    }
    if (v.isNumber() && e.type->is(TypeKind::Int)) {
      if (node->op == ir::UnaryOp::BitNot) settled(v, *e.type, e.loc);
      v.poly = node->op == ir::UnaryOp::Neg ? -v.poly : Poly(-1) - v.poly;
      v.modular |= !e.type->isSigned;
      markModular(v, *e.type);
      noteSum(v, *e.type);
      return v;
    }
    return opaqueOf(*e.type, "value", "an operator", variationOf(v));
  }
  if (const auto* node = e.as<ir::Binary>()) {
    if (node->op == ir::BinaryOp::LogicalAnd || node->op == ir::BinaryOp::LogicalOr) {
      Value out = truthValue(nullptr);
      CondPtr a = truth(node->lhs, out.requirements);
      ++partial;
      CondPtr b = truth(node->rhs, out.requirements);
      --partial;
      out.cond = node->op == ir::BinaryOp::LogicalAnd ? allOf({a, b}) : anyOf({a, b});
      return out;
    }
    Value a = value(node->lhs), b = value(node->rhs);
    if (a.isNumber() && b.isNumber()) {
      if (ir::isComparison(node->op) && e.type->is(TypeKind::Bool))
        return comparison(node->op, std::move(a), std::move(b), *node->lhs->type);
      if (e.type->is(TypeKind::Int))
        return integerBinary(e, node->op, std::move(a), std::move(b), *node->rhs->type);
    }
    if (a.kind == ValueKind::Truth && b.kind == ValueKind::Truth && e.type->is(TypeKind::Bool) &&
        (node->op == ir::BinaryOp::BitAnd || node->op == ir::BinaryOp::BitOr)) {
      Value out =
          truthValue(node->op == ir::BinaryOp::BitAnd ? allOf({a.cond, b.cond}) : anyOf({a.cond, b.cond}));
      out.requirements = a.requirements;
      out.requirements.insert(b.requirements.begin(), b.requirements.end());
      return out;
    }
    if (a.isPointer() && b.isPointer() && a.array.isSome() && a.array == b.array) {
      if (node->op == ir::BinaryOp::PtrDiff) {
        const auto size = static_cast<int64_t>(sizeOf(*node->lhs->type->element));
        if (size > 0) return numberValue(atoms.div(a.bytes - b.bytes, size));
      } else if (ir::isComparison(node->op)) {
        Value left = numberValue(a.bytes), right = numberValue(b.bytes);
        left.requirements = a.requirements;
        right.requirements = b.requirements;
        return comparison(node->op, left, right, *ir::int64());
      }
    }
    Variation varies = variationOf(a);
    varies |= variationOf(b);
    const bool compares = ir::isComparison(node->op);
    return opaqueOf(
        *e.type, "value",
        compares ? fmt::format("compares {} with {}", text(node->lhs), text(node->rhs)) : "an operator",
        varies);
  }
  return opaqueOf(*e.type, "value", "a value that is no integer", {});
}

Value Builder::coordinate(const ir::Coord& c) {
  const unsigned axis = c.axis < 3 ? c.axis : 0;
  const Poly size = Poly(model.block[axis]);
  if (c.axis >= 3)
    return numberValue(c.kind == ir::CoordKind::WarpSize ? 32
                       : c.kind == ir::CoordKind::BlockDim || c.kind == ir::CoordKind::GridDim ||
                               c.kind == ir::CoordKind::GlobalSize
                           ? 1
                           : 0);
  switch (c.kind) {
    case ir::CoordKind::ThreadIdx: return numberValue(atoms.thread(axis));
    case ir::CoordKind::BlockIdx: return numberValue(atoms.block(axis));
    case ir::CoordKind::BlockDim: return numberValue(size);
    case ir::CoordKind::GridDim: return numberValue(atoms.gridDim(axis));
    case ir::CoordKind::GlobalSize: return numberValue(atoms.gridDim(axis) * size);
    case ir::CoordKind::GlobalId:
      return numberValue(atoms.block(axis) * size + atoms.thread(axis) + atoms.globalOffset(axis));
    case ir::CoordKind::GlobalOffset: return numberValue(atoms.globalOffset(axis));
    case ir::CoordKind::WorkDim: return numberValue(atoms.workDim());
    case ir::CoordKind::WarpSize: return numberValue(32);
  }
  return otherValue("a coordinate", {});
}

Value Builder::variableValue(const ir::VarPtr& var) {
  if (auto known = state.find(var.get()); known != state.end() && !exposed.contains(var.get()))
    return known->second;
  Variation varies;
  if (var->storage == ir::Storage::Param && !exposed.contains(var.get())) {
    // Parameters are the same for every thread; those that are assigned have a value in the state from then
    // on.
    if (var->type->is(TypeKind::Int)) {
      Value v = opaqueOf(*var->type, var->name, "", {});
      const Range range = atoms.range(v.poly);
      return numberValue(atoms.symbol(var->name, var.get(), range.low, range.high));
    }
    if (var->type->is(TypeKind::Bool)) {
      Poly flag = atoms.symbol(var->name, var.get(), 0, 1);
      return truthValue(isNotZero(flag));
    }
    if (var->type->isPointer())
      return pointerValue(arrayFor(var, var->name, var->type->element, var->type->space), {});
    return otherValue("a parameter", {});
  }
  if (exposed.contains(var.get())) {
    varies.anyThread = true;
    varies.loops = ~uint64_t{0};
    return opaqueOf(*var->type, var->name, fmt::format("`{}` may change through a pointer", var->name),
                    varies);
  }
  varies.anyThread = true;
  return opaqueOf(*var->type, var->name, fmt::format("`{}` is not set", var->name), varies);
}

Value Builder::read(const ir::ExprPtr& place) {
  const ir::Type& type = *place->type;
  if (const auto* use = as<ir::VarRef>(place)) {
    const ir::Variable& var = *use->var;
    if (type.is(TypeKind::Array)) return otherValue("an array", {});
    if (var.isConstexpr && var.init && var.type->isArithmetic()) return value(var.init);
    const bool isMemory = var.storage == ir::Storage::Global || var.space == ir::Space::Shared ||
                          var.space == ir::Space::Constant || var.space == ir::Space::Global;
    if (!isMemory) return variableValue(use->var);
  }
  // Fields and lanes of the thread's own variables and of parameters.
  if (const auto* field = as<ir::Member>(place); field && field->baseClass < 0) {
    const ir::VarPtr root = ir::rootVariable(place);
    bool isPath = true;
    for (ir::ExprPtr e = place; !as<ir::VarRef>(e);) {
      const auto* step = as<ir::Member>(e);
      if (!step || step->baseClass >= 0) {
        isPath = false;
        break;
      }
      e = step->base;
    }
    if (root && isPath && root->storage == ir::Storage::Param && !state.contains(root.get()) &&
        !exposed.contains(root.get())) {
      const std::string path = text(place);
      if (bitField(*place)) return opaqueOf(type, path, "a bit-field", {});
      if (type.is(TypeKind::Int)) {
        const Range range = atoms.range(opaqueOf(type, path, "", {}).poly);
        return numberValue(atoms.symbol(path, root.get(), range.low, range.high));
      }
      if (type.is(TypeKind::Bool)) return truthValue(isNotZero(atoms.symbol(path, root.get(), 0, 1)));
      if (type.isPointer()) return pointerValue(arrayFor(root, path, type.element, type.space), {});
      return otherValue("a parameter", {});
    }
    if (root && root->storage != ir::Storage::Global && root->space == ir::Space::Private && isPath) {
      Value base = value(field->base);
      if (base.kind == ValueKind::Parts && field->field < base.parts.size()) return base.parts[field->field];
      return opaqueOf(type, text(place), base.reason.empty() ? "a field" : base.reason, variationOf(base));
    }
  }
  if (const auto* lanes = as<ir::Swizzle>(place)) {
    const ir::VarPtr root = ir::rootVariable(place);
    if (root && as<ir::VarRef>(lanes->base) && root->storage != ir::Storage::Global &&
        root->space == ir::Space::Private && lanes->lanes.size() == 1) {
      Value base = value(lanes->base);
      if (base.kind == ValueKind::Parts && lanes->lanes[0] < base.parts.size())
        return base.parts[lanes->lanes[0]];
      // A vector parameter: each lane is a number of the launch.
      if (root->storage == ir::Storage::Param && !state.contains(root.get()) &&
          !exposed.contains(root.get()) && type.is(TypeKind::Int)) {
        const std::string path = fmt::format("{}.{}", root->name, "xyzw????????????"[lanes->lanes[0] % 16]);
        const Range range = atoms.range(opaqueOf(type, path, "", {}).poly);
        return numberValue(atoms.symbol(path, root.get(), range.low, range.high));
      }
      return opaqueOf(type, text(place), base.reason.empty() ? "a lane of a vector" : base.reason,
                      variationOf(base));
    }
  }
  // From memory.
  Place from = placeOf(place);
  Variation varies = from.varies;
  varies |= atoms.variation(from.bytes);
  const std::string name = text(place);
  if (from.array.isSome()) {
    const Array& array = model.arrays[from.array];
    const bool isWritten = writtenArrays.contains(array.name);
    const bool isProgramWide = array.var && array.var->storage == ir::Storage::Global;
    // A constant of the program at a fixed place is one number for the launch.
    if (type.is(TypeKind::Int) && from.reason.empty() && atoms.isLaunchUniform(from.bytes) &&
        (array.space == ir::Space::Constant ||
         (isProgramWide && !isWritten && array.space != ir::Space::Shared))) {
      const Range range = atoms.range(opaqueOf(type, name, "", {}).poly);
      const std::string key = from.bytes.isZero() && as<ir::VarRef>(place)
                                  ? name
                                  : fmt::format("{}[{}]", array.name, atoms.str(from.bytes));
      return numberValue(atoms.symbol(key, array.var.get(), range.low, range.high));
    }
    if (isWritten || array.space == ir::Space::Shared)
      for (LoopId loop : nest) varies.loops |= loopBit(loop);
    if (array.space == ir::Space::Private) varies.anyThread = true;
  } else {
    varies.anyThread = true;
  }
  return opaqueOf(type, name, fmt::format("`{}` is loaded from memory", name), varies);
}

Value Builder::selectValue(const ir::Expr& e, const ir::Select& select) {
  std::set<unsigned> requirements;
  if (!select.cond->type->is(TypeKind::Bool)) {
    Variation varies = variationOf(value(select.cond));
    varies |= variationOf(value(select.yes));
    varies |= variationOf(value(select.no));
    return opaqueOf(*e.type, "value", "a choice by lanes", varies);
  }
  CondPtr cond = truth(select.cond, requirements);
  ++partial;
  const Value yes = value(select.yes), no = value(select.no);
  --partial;
  return merged(cond, requirements, yes, no, *e.type, "value");
}

CondPtr Builder::truth(const ir::ExprPtr& e, std::set<unsigned>& requirements) {
  Value v = value(e);
  if (v.isNumber()) {
    settled(v, *e->type, e->loc);
    v = [&] {
      Value out = truthValue(isNotZero(v.poly));
      out.requirements = v.requirements;
      return out;
    }();
  }
  requirements.insert(v.requirements.begin(), v.requirements.end());
  if (v.kind == ValueKind::Truth) return v.cond;
  return newUnknown(v.reason.empty() ? "a condition that is not known" : v.reason, variationOf(v));
}

unsigned Builder::choicesDeep(const Poly& p) {
  unsigned deepest = 0;
  for (AtomId id : p.atoms()) {
    auto [known, isNew] = depthOf.try_emplace(id, 0);
    if (isNew) {
      const Atom atom = atoms[id];
      unsigned depth = std::max(
          {choicesDeep(atom.value), choicesDeep(atom.divisor), choicesDeep(atom.yes), choicesDeep(atom.no)});
      if (atom.kind == AtomKind::Choice) ++depth;
      depthOf[id] = depth;
    }
    deepest = std::max(deepest, depthOf[id]);
  }
  return deepest;
}

Value Builder::merged(const CondPtr& cond, const std::set<unsigned>& requirements, const Value& yes,
                      const Value& no, const ir::Type& type, const std::string& name) {
  if (cond->kind == CondKind::True) return yes;
  if (cond->kind == CondKind::False) return no;
  if (sameValue(yes, no)) {
    Value out = yes;
    out.requirements.insert(no.requirements.begin(), no.requirements.end());
    return out;
  }
  std::set<unsigned> all = requirements;
  all.insert(yes.requirements.begin(), yes.requirements.end());
  all.insert(no.requirements.begin(), no.requirements.end());
  Variation varies = atoms.variation(cond);
  varies |= variationOf(yes);
  varies |= variationOf(no);
  Value out;
  constexpr unsigned mostChoices = 6;
  const bool known = !hasUnknown(cond) && choicesDeep(yes.isPointer() ? yes.bytes : yes.poly) < mostChoices &&
                     choicesDeep(no.isPointer() ? no.bytes : no.poly) < mostChoices;
  if (yes.kind == ValueKind::Parts && no.kind == ValueKind::Parts && yes.parts.size() == no.parts.size()) {
    out.kind = ValueKind::Parts;
    for (size_t i = 0; i < yes.parts.size(); ++i) {
      const ir::Type& part = type.is(TypeKind::Vector)   ? *type.element
                             : type.is(TypeKind::Struct) ? *type.record->fields[i].type
                                                         : type;
      out.parts.push_back(merged(cond, requirements, yes.parts[i], no.parts[i], part, name));
    }
    return out;
  }
  if (yes.kind == ValueKind::Truth && no.kind == ValueKind::Truth) {
    out = truthValue(anyOf({both(cond, yes.cond), both(negation(cond), no.cond)}));
  } else if (known && yes.isNumber() && no.isNumber()) {
    out = numberValue(atoms.choice(cond, yes.poly, no.poly));
    out.modular = yes.modular || no.modular;
  } else if (known && yes.isPointer() && no.isPointer() && yes.array.isSome() && yes.array == no.array) {
    out = pointerValue(yes.array, atoms.choice(cond, yes.bytes, no.bytes));
  } else {
    const std::string reason = hasUnknown(cond)
                                   ? fmt::format("`{}` depends on a condition: {}", name, unknownReason(cond))
                                   : fmt::format("`{}` is one of two values", name);
    out = opaqueOf(type, name, reason, varies);
  }
  out.requirements = std::move(all);
  return out;
}

}  // namespace hone::affine
