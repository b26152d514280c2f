#include "emit/PlanFormula.h"

#include "ir/Build.h"

namespace hone::emit {

using namespace ir;

Printed PlanFormula::print(const ExprPtr& e) const {
  auto within = [](const Printed& p, int least) {
    return p.precedence < least ? "(" + p.text + ")" : p.text;
  };
  if (const auto* l = as<IntLiteral>(e)) {
    auto it = l->role ? constants.find(l->role) : constants.end();
    auto value = constantValue(e);
    if (it != constants.end() && value == it->second.value) return {it->second.name, kPrimary, e->type};
    if (e->type->is(TypeKind::Bool)) return {l->value ? "true" : "false", kPrimary, e->type};
    std::string text = value ? std::to_string(*value) : std::to_string(l->value);
    return {text, text[0] == '-' ? kUnary : kPrimary, e->type};
  }
  if (const auto* v = as<VarRef>(e)) return {names.of(*v->var), kPrimary, e->type};
  if (const auto* c = as<Coord>(e)) {
    std::string text = coordinate(*c);
    return {text, text.find(' ') == std::string::npos ? kPostfix : kMultiply, e->type};
  }
  if (const auto* c = as<Cast>(e)) return print(c->operand);
  if (const auto* u = as<Unary>(e))
    return {spelling(u->op) + within(print(u->operand), kPostfix), kUnary, e->type};
  if (const auto* s = as<Select>(e))
    return {within(print(s->cond), kOr) + " ? " + within(print(s->yes), kOr) + " : " +
                within(print(s->no), kSelect),
            kSelect, e->type};
  if (const auto* b = as<Binary>(e)) {
    const int own = precedenceOf(b->op);
    return {within(print(b->lhs), own) + " " + spelling(b->op) + " " + within(print(b->rhs), own + 1), own,
            e->type};
  }
  if (const auto* a = as<AddressOf>(e)) return {"&" + within(print(a->place), kPostfix), kUnary, e->type};
  if (const auto* s = as<Subscript>(e)) {
    std::string text = within(print(s->base), kPostfix);
    for (const ExprPtr& index : s->indices) text += "[" + print(index).text + "]";
    return {text, kPostfix, e->type};
  }
  Printed other{emitExpr(e, Language::Cuda), kUnary, e->type};
  return other;
}

std::string PlanFormula::conjunction(const ExprPtr& e) const {
  std::string text;
  for (const ExprPtr& part : conjuncts(e)) {
    const Printed one = print(part);
    text += (text.empty() ? "" : " && ") + (one.precedence < kAnd ? "(" + one.text + ")" : one.text);
  }
  return text;
}

}  // namespace hone::emit
