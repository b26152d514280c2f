#include "emit/Conversions.h"
#include "emit/Emitter.h"
#include "ir/Compare.h"

namespace hone::emit {

using namespace ir;

int precedenceOf(BinaryOp op) {
  switch (op) {
    case BinaryOp::Mul:
    case BinaryOp::Div:
    case BinaryOp::Rem: return kMultiply;
    case BinaryOp::Add:
    case BinaryOp::Sub:
    case BinaryOp::PtrDiff: return kAdd;
    case BinaryOp::Shl:
    case BinaryOp::Shr: return kShift;
    case BinaryOp::Lt:
    case BinaryOp::Le:
    case BinaryOp::Gt:
    case BinaryOp::Ge: return kRelation;
    case BinaryOp::Eq:
    case BinaryOp::Ne: return kEqual;
    case BinaryOp::BitAnd: return kBitAnd;
    case BinaryOp::BitXor: return kBitXor;
    case BinaryOp::BitOr: return kBitOr;
    case BinaryOp::LogicalAnd: return kAnd;
    case BinaryOp::LogicalOr: return kOr;
  }
  return kPrimary;
}

namespace {

// The least precedence an operand may have without parentheses: that of the grammar, raised where readers go
// wrong and compilers warn (&& in ||, + in <<, comparisons and + in bit operations, comparisons in
// comparisons).
bool needsParens(int op, const Printed& operand, bool right) {
  const int p = operand.precedence;
  if (p < op || (right && p == op)) return true;
  switch (op) {
    case kOr: return p == kAnd;
    case kBitOr:
    case kBitXor:
    case kBitAnd:
      return (p >= kBitOr && p <= kBitAnd && p != op) || p == kEqual || p == kRelation || p == kAdd;
    case kShift: return p == kAdd || p == kShift;
    case kEqual:
    case kRelation: return p == kEqual || p == kRelation;
    default: return false;
  }
}

std::string infix(const Printed& l, const std::string& op, const Printed& r, int precedence) {
  const std::string a = needsParens(precedence, l, false) ? "(" + l.text + ")" : l.text;
  const std::string b = needsParens(precedence, r, true) ? "(" + r.text + ")" : r.text;
  return a + " " + op + " " + b;
}

// Whether the number of `e` is signed as it is printed, and not where it is compared.
bool changesSign(const Printed& p, const ExprPtr& e, const Type& wanted) {
  if (!wanted.isInteger() || wanted.isSigned) return false;
  const TypePtr printed = promoted(p.operandType());
  const auto number = constantValue(e);
  return printed->isInteger() && printed->isSigned && !(number && *number >= 0);
}

}  // namespace

std::string parens(const Printed& p, int atLeast) {
  return p.precedence < atLeast ? "(" + p.text + ")" : p.text;
}

bool isReference(const Expr& pointer) {
  if (const auto* v = pointer.as<VarRef>()) return v->var->isReference;
  if (const auto* c = pointer.as<Call>()) return c->function && c->function->returnsReference;
  return false;
}

Printed Emitter::print(const ExprPtr& e) {
  return std::visit(
      [&](const auto& n) -> Printed {
        using N = std::decay_t<decltype(n)>;
        if constexpr (std::is_same_v<N, IntLiteral> || std::is_same_v<N, FloatLiteral>) return literal(*e, n);
        if constexpr (std::is_same_v<N, NullPointer>) return {cuda() ? "nullptr" : "NULL", kPrimary, e->type};
        if constexpr (std::is_same_v<N, VarRef>) {
          std::string name = names.of(*n.var);
          // C++ has no name for the pointer behind a reference.
          if (n.var->isReference && cuda()) return {"&" + name, kUnary, e->type};
          return {name, kPrimary, e->type};
        }
        if constexpr (std::is_same_v<N, Coord>) return coordinate(*e, n);
        if constexpr (std::is_same_v<N, Unary>) return unary(*e, n);
        if constexpr (std::is_same_v<N, Binary>)
          return n.op == BinaryOp::LogicalAnd || n.op == BinaryOp::LogicalOr ? logical(*e, n) : binary(*e, n);
        if constexpr (std::is_same_v<N, Cast>) return cast(*e, n);
        if constexpr (std::is_same_v<N, Select>) return select(*e, n);
        if constexpr (std::is_same_v<N, Call>) {
          Printed p = call(*e, n);
          if (n.function && n.function->returnsReference && cuda())
            return {"&" + parens(p, kUnary), kUnary, e->type};
          return p;
        }
        if constexpr (std::is_same_v<N, Subscript>) return subscript(*e, n);
        if constexpr (std::is_same_v<N, Member>) {
          Printed p = member(*e, n);
          const TypePtr operand = promotedValue(*e);
          if (bitField(*e) && !sameType(operand, promoted(e->type))) p.asOperand = operand;
          return p;
        }
        if constexpr (std::is_same_v<N, Swizzle>) return swizzle(*e, n);
        if constexpr (std::is_same_v<N, AddressOf>) return addressOf(*e, n);
        if constexpr (std::is_same_v<N, Construct>) return construct(*e, n);
      },
      e->node);
}

Printed Emitter::exact(const ExprPtr& e) { return toType(print(e), e->type, e->loc); }

Printed Emitter::toType(const Printed& p, const TypePtr& type, SourceLoc loc) {
  return sameType(p.type, type) ? p : castTo(p, type, loc);
}

Printed Emitter::castTo(const Printed& p, const TypePtr& type, SourceLoc loc) {
  if (type->is(TypeKind::Vector) && p.type->is(TypeKind::Vector)) {
    if (cuda()) {
      error("CUDA has no conversion between vector types", loc);
      return {p.text, p.precedence, type};
    }
    return {"convert_" + types.vectorName(*type->element, type->lanes) + "(" + p.text + ")", kPostfix, type};
  }
  if (type->is(TypeKind::Vector)) {
    Printed element = toType(p, type->element, loc);
    if (!cuda()) return {"(" + typeText(type, loc) + ")(" + element.text + ")", kUnary, type};
    std::string parts = element.text;
    for (unsigned i = 1; i < type->lanes; ++i) parts += ", " + element.text;
    return {"make_" + types.vectorMaker(*type) + "(" + parts + ")", kPostfix, type};
  }
  return {"(" + typeText(type, loc) + ")" + parens(p, kUnary), kUnary, type};
}

std::vector<Printed> Emitter::forms(const ExprPtr& e, bool promotes) {
  std::vector<Printed> list;
  const auto* c = e->as<Cast>();
  if (c && !c->isExplicit && convertsImplicitly(*c->operand->type, *e->type, language)) {
    const ExprPtr& operand = c->operand;
    const auto* inner = operand->as<Cast>();
    const bool twoSteps =
        promotes && inner && !inner->isExplicit &&
        ((inner->operand->type->isInteger() && sameType(promotedValue(*inner->operand), operand->type)) ||
         (e->type->is(TypeKind::Vector) && sameType(e->type->element, operand->type)));
    Printed natural;
    if (twoSteps) {
      Printed innermost = print(inner->operand);
      list.push_back(innermost);
      natural = castTo(innermost, operand->type, operand->loc);
    } else {
      natural = print(operand);
    }
    list.push_back(natural);
    if (!sameType(natural.type, operand->type)) list.push_back(castTo(natural, operand->type, operand->loc));
    list.push_back(castTo(natural, e->type, e->loc));
    return list;
  }
  list.push_back(print(e));
  if (!sameType(list[0].type, e->type)) list.push_back(castTo(list[0], e->type, e->loc));
  return list;
}

Printed Emitter::converted(const ExprPtr& e) {
  if (const auto* a = e->as<AddressOf>()) return addressOf(*e, *a);
  for (Printed& p : forms(e, false))
    if (convertsImplicitly(*p.type, *e->type, language)) return p;
  return exact(e);
}

Printed Emitter::condition(const ExprPtr& e) {
  if (const auto* c = e->as<Cast>(); c && !c->isExplicit && e->type->is(TypeKind::Bool)) {
    const Type& from = *c->operand->type;
    const bool cudaHalf = cuda() && from.isFloating() && from.bits == 16;
    if ((from.isArithmetic() || from.isPointer()) && !cudaHalf) return print(c->operand);
  }
  return print(e);
}

Printed Emitter::unary(const Expr& e, const Unary& u) {
  const bool isVector = e.type->is(TypeKind::Vector);
  if (!hasOperators(*e.type, language)) error("CUDA has no arithmetic on vector types", e.loc);
  if (u.op == UnaryOp::Not && !isVector)
    return {"!" + parens(condition(u.operand), kUnary), kUnary, boolType()};
  std::vector<Printed> list = forms(u.operand, true);
  size_t pick = list.size() - 1;
  for (size_t i = 0; i < list.size(); ++i) {
    if (isVector ? sameType(list[i].type, u.operand->type)
                 : sameType(promoted(list[i].operandType()), u.operand->type)) {
      pick = i;
      break;
    }
  }
  std::string operand = parens(list[pick], kUnary), op = spelling(u.op);
  if (operand[0] == op[0]) operand = "(" + operand + ")";  // no --x
  Printed p{op + operand, kUnary, isVector ? e.type : promoted(list[pick].operandType())};
  return toType(p, e.type, e.loc);
}

Printed Emitter::logical(const Expr& e, const Binary& b) {
  const int precedence = precedenceOf(b.op);
  if (e.type->is(TypeKind::Vector)) return binary(e, b);
  return {infix(condition(b.lhs), spelling(b.op), condition(b.rhs), precedence), precedence, boolType()};
}

Printed Emitter::binary(const Expr& e, const Binary& b) {
  const int precedence = precedenceOf(b.op);
  const TypePtr& wanted = b.lhs->type;
  if (!hasOperators(*wanted, language)) error("CUDA has no arithmetic on vector types", e.loc);
  if (wanted->isPointer()) {
    Printed a = converted(b.lhs), c = converted(b.rhs);
    return {infix(a, spelling(b.op), c, precedence), precedence, e.type};
  }
  std::vector<Printed> left = forms(b.lhs, true), right = forms(b.rhs, true);
  size_t l = left.size() - 1, r = right.size() - 1;
  bool found = false;
  for (size_t sum = 0; sum < left.size() + right.size() - 1 && !found; ++sum) {
    for (size_t j = 0; j <= sum && !found; ++j) {  // a cast on the left reads better
      const size_t i = sum - j;
      if (i >= left.size() || j >= right.size()) continue;
      TypePtr type = operationType(b.op, left[i].operandType(), right[j].operandType(), language);
      if (!type || !sameType(type, wanted)) continue;
      if (comparesAlike && isComparison(b.op) &&
          (changesSign(left[i], b.lhs, *wanted) || changesSign(right[j], b.rhs, *wanted)))
        continue;
      // The amount of a shift is converted on its own.
      if (isShift(b.op) && !wanted->is(TypeKind::Vector) &&
          !sameType(promoted(right[j].operandType()), b.rhs->type))
        continue;
      l = i, r = j, found = true;
    }
  }
  TypePtr type = operationType(b.op, left[l].operandType(), right[r].operandType(), language);
  if (!type) type = wanted;
  Printed p{infix(left[l], spelling(b.op), right[r], precedence), precedence,
            isComparison(b.op) ? e.type : type};
  return toType(p, e.type, e.loc);
}

Printed Emitter::select(const Expr& e, const Select& s) {
  std::vector<Printed> yes = forms(s.yes, true), no = forms(s.no, true);
  for (std::vector<Printed>* arm : {&yes, &no})  // of two bit-fields compilers make a bit-field or a number
    for (Printed& p : *arm)
      if (p.asOperand) p = castTo(p, p.type, e.loc);
  size_t y = yes.size() - 1, n = no.size() - 1;
  bool found = !e.type->isArithmetic();
  for (size_t sum = 0; sum < yes.size() + no.size() - 1 && !found; ++sum) {
    for (size_t i = 0; i <= sum && !found; ++i) {
      const size_t j = sum - i;
      if (i >= yes.size() || j >= no.size()) continue;
      TypePtr type = selectType(yes[i].type, no[j].type, language);
      if (type && sameType(type, e.type)) y = i, n = j, found = true;
    }
  }
  TypePtr type = selectType(yes[y].type, no[n].type, language);
  if (!type) type = e.type;
  Printed c = condition(s.cond);
  std::string text = parens(c, kOr) + " ? " + parens(yes[y], kOr) + " : " + parens(no[n], kSelect);
  if (s.cond->type->is(TypeKind::Vector)) error("a choice by a vector has no text but select()", e.loc);
  return toType({text, kSelect, type}, e.type, e.loc);
}

Printed Emitter::cast(const Expr& e, const Cast& c) {
  const Type& from = *c.operand->type;
  // Between pointers to one type only address spaces and qualifiers differ, and those are gained silently.
  if (!c.isExplicit && e.type->isPointer() && from.isPointer() && sameType(from.element, e.type->element) &&
      convertsImplicitly(from, *e.type, language)) {
    Printed p = print(c.operand);
    return {p.text, p.precedence, e.type};
  }
  return castTo(print(c.operand), e.type, e.loc);
}

Printed Emitter::coordinate(const Expr& e, const Coord& c) {
  if (coordinateText) return coordinateText(e, c);
  const char axis = "xyz"[c.axis < 3 ? c.axis : 0];
  const std::string dot = std::string(".") + axis, arg = "(" + std::to_string(c.axis) + ")";
  if (cuda()) {
    TypePtr u = uint32();
    switch (c.kind) {
      case CoordKind::ThreadIdx: return {"threadIdx" + dot, kPostfix, u};
      case CoordKind::BlockIdx: return {"blockIdx" + dot, kPostfix, u};
      case CoordKind::BlockDim: return {"blockDim" + dot, kPostfix, u};
      case CoordKind::GridDim: return {"gridDim" + dot, kPostfix, u};
      case CoordKind::GlobalId:
        return {"(size_t)blockIdx" + dot + " * blockDim" + dot + " + threadIdx" + dot, kAdd, uint64()};
      case CoordKind::GlobalSize: return {"(size_t)gridDim" + dot + " * blockDim" + dot, kMultiply, uint64()};
      case CoordKind::GlobalOffset: return {"(size_t)0", kUnary, uint64()};  // a CUDA launch has none
      case CoordKind::WorkDim: error("CUDA has no get_work_dim", e.loc); return {"3u", kPrimary, u};
      case CoordKind::WarpSize: return {"warpSize", kPrimary, int32()};
    }
  }
  TypePtr size = uint64();
  switch (c.kind) {
    case CoordKind::ThreadIdx: return {"get_local_id" + arg, kPostfix, size};
    case CoordKind::BlockIdx: return {"get_group_id" + arg, kPostfix, size};
    case CoordKind::BlockDim: return {"get_local_size" + arg, kPostfix, size};
    case CoordKind::GridDim: return {"get_num_groups" + arg, kPostfix, size};
    case CoordKind::GlobalId: return {"get_global_id" + arg, kPostfix, size};
    case CoordKind::GlobalSize: return {"get_global_size" + arg, kPostfix, size};
    case CoordKind::GlobalOffset: return {"get_global_offset" + arg, kPostfix, size};
    case CoordKind::WorkDim: return {"get_work_dim()", kPostfix, uint32()};
    case CoordKind::WarpSize: error("OpenCL has no warpSize", e.loc); return {"32", kPrimary, int32()};
  }
  return {"", kPrimary, e.type};
}

std::string Emitter::typeText(const TypePtr& t, SourceLoc loc) {
  types.problem.clear();
  std::string text = types.type(t);
  if (!types.problem.empty()) error(types.problem, loc);
  return text;
}

}  // namespace hone::emit
