#include "emit/Translate.h"

#include <limits>

#include "emit/CloneModule.h"
#include "emit/Lowering.h"
#include "ir/InferSpaces.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::emit {

using namespace ir;

namespace {

// OpenCL has one char of eight bits; CUDA pointers say nothing of spaces, which inferSpaces finds again.
TypePtr asOpenCL(const TypePtr& t) {
  if (t->is(TypeKind::Int) && t->isPlainChar) return intType(8, true);
  return t;
}

TypePtr asCuda(const TypePtr& t) { return t->isPointer() ? withSpace(t, Space::Generic) : t; }

// Enums compare and switch without promotion; the integers that stand for them are promoted.
class PromoteEnums : public Rewriter {
 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* b = e->as<Binary>();
    if (!b || !isComparison(b->op) || !b->lhs->type->is(TypeKind::Int) || b->lhs->type->bits >= 32) return e;
    return ir::binary(b->op, promote(b->lhs), promote(b->rhs), e->loc);
  }
  static ExprPtr promote(const ExprPtr& e) {
    const auto* l = e->as<IntLiteral>();
    return l ? intLit(constantValue(e).value_or(0), promoted(e->type), e->loc) : e;
  }
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* w = s->as<Switch>();
    if (!w || w->value->type->bits >= 32) return {s};
    Switch copy = *w;
    copy.value = convert(w->value, promoted(w->value->type));
    for (SwitchCase& c : copy.cases)
      for (ExprPtr& v : c.values)
        if (auto known = constantValue(v)) v = intLit(*known, copy.value->type, v->loc);
    return {makeStmt(copy, s->loc)};
  }
};

// Names of the other language's calls mean nothing here, and a character is an int in C, a char in C++.
class ForgetSpellings : public Rewriter {
 public:
  explicit ForgetSpellings(Language language) : to(language) {}

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    if (const auto* l = e->as<IntLiteral>(); l && !l->spelling.empty() && l->spelling[0] == '\'') {
      TypePtr own = to == Language::OpenCL ? int32() : charType();
      if (sameType(own, e->type)) return e;
      const int64_t value = constantValue(e).value_or(0);
      if (to == Language::Cuda && (value < -128 || value > 127)) return e;
      return convert(
          makeExpr(own, IntLiteral{intLit(value, own)->as<IntLiteral>()->value, l->spelling, l->name},
                   e->loc),
          e->type);
    }
    // The int that C makes of a character is the character itself.
    if (const auto* outer = e->as<Cast>()) {
      const auto* inner = as<Cast>(outer->operand);
      const auto* l = inner ? as<IntLiteral>(inner->operand) : nullptr;
      if (l && !outer->isExplicit && !inner->isExplicit && !l->spelling.empty() && l->spelling[0] == '\'' &&
          sameType(inner->operand->type, e->type))
        return inner->operand;
    }
    const auto* c = e->as<Call>();
    if (!c || c->spelling.empty()) return e;
    Call copy = *c;
    copy.spelling.clear();
    return makeExpr(e->type, copy, e->loc);
  }

 private:
  Language to;
};

// Literals as source has them: none is negative, only negated, but for the offset of a pointer; floats have
// float's digits.
class WrittenLiterals : public Rewriter {
 public:
  using Rewriter::rewrite;
  ExprPtr rewrite(const ExprPtr& e) override {
    const auto* s = as<Subscript>(e);
    if (!s) return Rewriter::rewrite(e);
    Subscript copy = *s;
    copy.base = rewrite(s->base);
    for (ExprPtr& index : copy.indices)
      if (!index->is<IntLiteral>()) index = rewrite(index);
    return makeExpr(e->type, copy, e->loc);
  }

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    if (const auto* f = e->as<FloatLiteral>(); f && f->name.empty()) {
      const double value = e->type->bits == 32 ? static_cast<double>(static_cast<float>(f->value)) : f->value;
      if (f->value < 0) return ir::unary(UnaryOp::Neg, floatLit(-value, e->type, e->loc), e->loc);
      return value == f->value ? e : floatLit(value, e->type, e->loc);
    }
    const auto* l = e->as<IntLiteral>();
    if (!l || l->hasName() || !e->type->is(TypeKind::Int) || !e->type->isSigned) return e;
    const int64_t value = constantValue(e).value_or(0);
    if (value >= 0 || value == std::numeric_limits<int64_t>::min()) return e;
    TypePtr type = promoted(e->type);
    if (type->bits == 32 && value == std::numeric_limits<int32_t>::min()) return e;
    return convert(ir::unary(UnaryOp::Neg, intLit(-value, type, e->loc), e->loc), e->type);
  }
};

// Any pointer goes into a generic one without a word.
class SilentGeneric : public Rewriter {
 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* c = e->as<Cast>();
    const bool silent = c && !c->isExplicit && e->type->isPointer() && c->operand->type->isPointer() &&
                        e->type->space == Space::Generic &&
                        sameType(e->type->element, c->operand->type->element);
    return silent ? c->operand : e;
  }
};

void rewriteAll(Module& module, Rewriter& rewriter) {
  for (const auto& f : module.functions) f->body = rewriter.rewriteBlock(f->body);
  for (auto& k : module.kernels) {
    auto copy = std::make_shared<Kernel>(*k);
    copy->body = rewriter.rewriteBlock(k->body);
    k = copy;
  }
}

}  // namespace

ExprPtr adaptedCall(const ExprPtr& e, Language to, Translation& t) {
  Call call = *e->as<Call>();
  call.spelling.clear();
  const Intrinsic& fn = *call.intrinsic;
  std::vector<TypePtr> args;
  args.reserve(call.args.size());
  for (const auto& a : call.args) args.push_back(a->type);
  const TypePtr result = e->type->is(TypeKind::Void) ? nullptr : e->type;
  if (nameFor(fn, to, args, result).empty()) {
    const bool cuda = to == Language::Cuda;
    std::string_view known = cuda ? fn.opencl : fn.cuda;
    std::string name(known.empty() ? fn.id : known);
    for (const auto& v : args)
      if (cuda && v->is(TypeKind::Vector)) name += " of vectors";
    t.errors.push_back({(cuda ? "CUDA has no " : "OpenCL has no ") + name, e->loc});
    return e;
  }
  // CUDA's atomics take no pointers to volatile.
  if (to == Language::Cuda && fn.cls == IntrinsicClass::Atomic && !args.empty() && args[0]->isPointer() &&
      args[0]->isVolatile) {
    auto plain = std::make_shared<Type>(*args[0]);
    plain->isVolatile = false;
    call.args[0] = makeExpr(plain, Cast{call.args[0], true}, call.args[0]->loc);
    args[0] = plain;
  }
  IntrinsicSignature signature = signatureFor(fn, to, args, result);
  // Two entries may share a name in this language; read back, the name means the first.
  const std::string name = nameFor(fn, to, args, result);
  std::vector<TypePtr> taken = args;
  for (size_t i = 0; i < taken.size() && i < signature.params.size(); ++i)
    if (signature.params[i]) taken[i] = signature.params[i];
  if (const Intrinsic* known = findIntrinsic(to, name, taken)) call.intrinsic = known;
  if (!signature.name) return makeExpr(e->type, call, e->loc);
  for (size_t i = 0; i < call.args.size() && i < signature.params.size(); ++i) {
    const TypePtr& p = signature.params[i];
    const TypePtr& a = call.args[i]->type;
    const bool values =
        p && !p->isPointer() && !a->isPointer() && !p->is(TypeKind::Handle) && !a->is(TypeKind::Handle);
    if (values) call.args[i] = convert(call.args[i], p);
  }
  if (!result || !signature.result || signature.result->is(TypeKind::Void))
    return makeExpr(e->type, call, e->loc);
  return convert(makeExpr(signature.result, call, e->loc), e->type, true);
}

Translation translate(const Module& module, Language to) {
  Translation t;
  const bool crosses = module.language != to;
  ModuleCloner cloner;
  if (crosses) cloner.changeType = to == Language::OpenCL ? asOpenCL : asCuda;
  t.module = cloner.clone(module);
  t.module.language = to;
  lowerClasses(t.module);
  PromoteEnums promote;
  rewriteAll(t.module, promote);
  if (!crosses) {
    keepReached(t.module);
    return t;
  }
  ForgetSpellings forget(to);
  rewriteAll(t.module, forget);
  for (auto& k : t.module.kernels) {
    auto copy = std::make_shared<Kernel>(*k);
    copy->language = to;
    k = copy;
  }
  if (to == Language::OpenCL) {
    lowerToOpenCL(t);
  } else {
    lowerToCuda(t, module);
    lowerVectors(t);
  }
  WrittenLiterals literals;
  rewriteAll(t.module, literals);
  keepReached(t.module);
  inferSpaces(t.module);
  SilentGeneric silent;
  if (to == Language::OpenCL) rewriteAll(t.module, silent);
  return t;
}

}  // namespace hone::emit
