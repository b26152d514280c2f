// Places and addresses: subscripts, members, swizzles, and values built of parts.
#include "emit/Conversions.h"
#include "emit/Emitter.h"

namespace hone::emit {

using namespace ir;

namespace {

bool isPlainZero(const ExprPtr& e) {
  const auto* l = as<IntLiteral>(e);
  return l && l->value == 0 && !l->hasName();
}

bool isNegativeLiteral(const ExprPtr& e) {
  const auto* l = as<IntLiteral>(e);
  return l && !l->hasName() && e->type->isSigned && constantValue(e).value_or(0) < 0;
}

}  // namespace

std::string Emitter::indexText(const ExprPtr& e) { return exact(e).text; }

Printed Emitter::pointedAt(const ExprPtr& pointer) {
  if (const auto* a = pointer->as<AddressOf>()) return print(a->place);
  if (isReference(*pointer) && cuda()) {
    if (const auto* v = pointer->as<VarRef>()) return {names.of(*v->var), kPrimary, pointer->type->element};
    Printed p = call(*pointer, *pointer->as<Call>());
    p.type = pointer->type->element;
    return p;
  }
  return {"*" + parens(print(pointer), kUnary), kUnary, pointer->type->element};
}

Printed Emitter::subscript(const Expr& e, const Subscript& s) {
  std::string text;
  size_t next = 0;
  const bool throughPointer = s.base->type->isPointer();
  if (throughPointer && isPlainZero(s.indices[0]) && (s.starStyle || (isReference(*s.base) && cuda()))) {
    Printed place = pointedAt(s.base);
    if (s.indices.size() == 1) return {place.text, place.precedence, e.type};
    text = parens(place, kPostfix);
    next = 1;
  } else if (throughPointer && s.indices.size() == 1 && (s.starStyle || isNegativeLiteral(s.indices[0]))) {
    // A negative literal comes from `p - 2`: in brackets it would be the negation of a positive one.
    Subscript moved = s;
    Printed sum =
        addressOf(*makeExpr(s.base->type, AddressOf{}, e.loc), AddressOf{makeExpr(e.type, moved, e.loc)});
    return {"*(" + sum.text + ")", kUnary, e.type};
  } else if (const auto* a = as<AddressOf>(s.base); a && throughPointer && isPlainZero(s.indices[0])) {
    Printed place = print(a->place);
    if (s.indices.size() == 1) return {place.text, place.precedence, e.type};
    text = parens(place, kPostfix);
    next = 1;
  } else {
    text = parens(print(s.base), kPostfix);
  }
  for (; next < s.indices.size(); ++next) text += "[" + indexText(s.indices[next]) + "]";
  return {text, kPostfix, e.type};
}

Printed Emitter::member(const Expr& e, const Member& m) {
  const Record& record = *m.base->type->record;
  if (m.baseClass >= 0) {
    if (!cuda() || standalone)
      return {parens(print(m.base), kPostfix) + ".base" + (m.baseClass ? std::to_string(m.baseClass) : ""),
              kPostfix, e.type};
    return {"static_cast<" + typeText(e.type, e.loc) + "&>(" + print(m.base).text + ")", kPostfix, e.type};
  }
  const std::string& field = record.fields[m.field].name;
  if (field.empty()) {
    // A field without a name is an anonymous struct or union: its own fields are named directly.
    Printed p = print(m.base);
    return {p.text, p.precedence, e.type};
  }
  if (const auto* s = as<Subscript>(m.base);
      s && s->starStyle && s->base->type->isPointer() && s->indices.size() == 1 &&
      isPlainZero(s->indices[0]) && !(isReference(*s->base) && cuda()) && !s->base->is<AddressOf>()) {
    return {parens(print(s->base), kPostfix) + "->" + field, kPostfix, e.type};
  }
  // A field of a base class is reached through the derived object.
  ExprPtr object = m.base;
  while (const auto* up = as<Member>(object)) {
    if (up->baseClass < 0 || !cuda() || standalone) break;
    object = up->base;
  }
  if (object != m.base) {
    if (const auto* s = as<Subscript>(object); s && s->starStyle && s->base->type->isPointer() &&
                                               s->indices.size() == 1 && isPlainZero(s->indices[0]) &&
                                               !isReference(*s->base))
      return {parens(print(s->base), kPostfix) + "->" + field, kPostfix, e.type};
  }
  return {parens(print(object), kPostfix) + "." + field, kPostfix, e.type};
}

Printed Emitter::swizzle(const Expr& e, const Swizzle& s) {
  const Type& base = *s.base->type;
  if (s.lanes.size() > 1 && cuda()) error("CUDA has no swizzles of several lanes", e.loc);
  const bool letters = base.lanes <= 4;
  std::string lanes = letters ? "" : "s";
  for (uint8_t lane : s.lanes) lanes += letters ? "xyzw"[lane & 3] : "0123456789abcdef"[lane & 15];
  const auto* at = as<Subscript>(s.base);
  if (at && at->starStyle && at->base->type->isPointer() && at->indices.size() == 1 &&
      isPlainZero(at->indices[0]) && !(isReference(*at->base) && cuda()) && !at->base->is<AddressOf>()) {
    return {parens(print(at->base), kPostfix) + "->" + lanes, kPostfix, e.type};
  }
  return {parens(print(s.base), kPostfix) + "." + lanes, kPostfix, e.type};
}

Printed Emitter::addressOf(const Expr& e, const AddressOf& a, bool asArgument) {
  const auto* s = as<Subscript>(a.place);
  if (s && (!isReference(*s->base) || !cuda() || s->indices.size() != 1)) {
    const bool throughPointer = s->base->type->isPointer();
    const bool rowOfArray = s->indices.size() > 1 || !throughPointer;
    if (rowOfArray && isPlainZero(s->indices.back())) {
      // An array name stands for the address of its first element.
      if (s->indices.size() == 1) {
        Printed p = print(s->base);
        return {p.text, p.precedence, e.type};
      }
      Subscript row = *s;
      row.indices.pop_back();
      TypePtr rowType = arrayType(a.place->type, -1);
      Printed p = subscript(*makeExpr(rowType, row, a.place->loc), row);
      return {p.text, p.precedence, e.type};
    }
    if (throughPointer && s->indices.size() == 1 && (!asArgument || s->starStyle)) {
      const auto* minus = as<Unary>(s->indices[0]);
      const bool back = minus && minus->op == UnaryOp::Neg && minus->operand->type->isSigned;
      ExprPtr offset = back ? minus->operand : s->indices[0];
      // `p - u` with an unsigned u goes back by u: the 64-bit negation of the widened value says the same.
      const auto* widened = back ? as<Cast>(offset) : nullptr;
      if (widened && !widened->isExplicit && offset->type->bits == 64 &&
          preservesValue(*widened->operand->type, *offset->type))
        offset = widened->operand;
      else if (const auto* promotion = as<Cast>(offset);
               promotion && !promotion->isExplicit &&
               sameType(promotedValue(*promotion->operand), offset->type))
        offset = promotion->operand;
      const auto* literal = as<IntLiteral>(offset);
      Printed index = exact(offset);
      if (!back && literal && index.text[0] == '-' && index.precedence == kUnary && !literal->hasName())
        return {parens(print(s->base), kAdd) + " - " + index.text.substr(1), kAdd, e.type};
      return {parens(print(s->base), kAdd) + (back ? " - " : " + ") + parens(index, kMultiply), kAdd, e.type};
    }
  }
  return {"&" + parens(print(a.place), kUnary), kUnary, e.type};
}

Printed Emitter::construct(const Expr& e, const Construct& c) {
  const Type& t = *e.type;
  if (t.is(TypeKind::Vector)) {
    std::string parts;
    for (const auto& part : c.parts) {
      if (cuda() && part->type->is(TypeKind::Vector)) error("CUDA builds vectors of scalars only", e.loc);
      Printed p = cuda() ? converted(part) : exact(part);
      parts += (parts.empty() ? "" : ", ") + parens(p, kAssign);
    }
    if (cuda()) return {"make_" + types.vectorMaker(t) + "(" + parts + ")", kPostfix, e.type};
    return {"(" + typeText(e.type, e.loc) + ")(" + parts + ")", kUnary, e.type};
  }
  std::string braces = bracedParts(t, c);
  if (t.is(TypeKind::Array)) return {braces, kPrimary, e.type};
  if (cuda()) return {typeText(e.type, e.loc) + braces, kPostfix, e.type};
  return {"(" + typeText(e.type, e.loc) + ")" + braces, kPostfix, e.type};
}

std::string Emitter::bracedParts(const Type& type, const Construct& c) {
  std::string parts;
  for (const auto& part : c.parts) {
    std::string text;
    if (const auto* nested = part->as<Construct>(); nested && !part->type->is(TypeKind::Vector)) {
      text = bracedParts(*part->type, *nested);
    } else {
      Printed p = converted(part);
      const auto* written = part->as<Cast>();
      const Expr& value = written && !written->isExplicit ? *written->operand : *part;
      const bool isConstant =
          value.is<IntLiteral>() || value.is<FloatLiteral>() || constantValue(part).has_value();
      if (cuda() && !isConstant && isNarrowing(*p.type, *part->type)) p = castTo(p, part->type, part->loc);
      text = p.text;
    }
    parts += (parts.empty() ? "" : ", ") + text;
  }
  // C has no empty list; a first zero clears the rest as well.
  if (parts.empty() && !cuda() && !type.is(TypeKind::Void)) parts = "0";
  return "{" + parts + "}";
}

std::string Emitter::initializer(const ExprPtr& e) {
  if (const auto* c = e->as<Construct>(); c && !e->type->is(TypeKind::Vector))
    return bracedParts(*e->type, *c);
  return converted(e).text;
}

}  // namespace hone::emit
