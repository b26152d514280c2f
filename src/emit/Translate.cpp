#include "emit/Translate.h"

#include "emit/CloneModule.h"
#include "emit/Lowering.h"
#include "ir/InferSpaces.h"
#include "ir/Intrinsics.h"

namespace hone::emit {

using namespace ir;

namespace {

// OpenCL has one char of eight bits; CUDA pointers say nothing of spaces, which inferSpaces finds again.
TypePtr asOpenCL(const TypePtr& t) {
  if (t->is(TypeKind::Int) && t->isPlainChar) return intType(8, true);
  return t;
}

TypePtr asCuda(const TypePtr& t) { return t->isPointer() ? withSpace(t, Space::Generic) : t; }

// Names of the other language's calls mean nothing here.
class ForgetSpellings : public Rewriter {
 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* c = e->as<Call>();
    if (!c || c->spelling.empty()) return e;
    Call copy = *c;
    copy.spelling.clear();
    return makeExpr(e->type, copy, e->loc);
  }
};

}  // namespace

ExprPtr adaptedCall(const ExprPtr& e, Language to, Translation& t) {
  Call call = *e->as<Call>();
  call.spelling.clear();
  const Intrinsic& fn = *call.intrinsic;
  std::vector<TypePtr> args;
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
  IntrinsicSignature signature = signatureFor(fn, to, args, result);
  if (!signature.name) return makeExpr(e->type, call, e->loc);
  for (size_t i = 0; i < call.args.size() && i < signature.params.size(); ++i) {
    const TypePtr& p = signature.params[i];
    const TypePtr& a = call.args[i]->type;
    const bool values = p && !p->isPointer() && !a->isPointer() && !p->is(TypeKind::Handle) && !a->is(TypeKind::Handle);
    if (values) call.args[i] = convert(call.args[i], p);
  }
  if (!result || !signature.result || signature.result->is(TypeKind::Void)) return makeExpr(e->type, call, e->loc);
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
  if (!crosses) {
    keepReached(t.module);
    return t;
  }
  ForgetSpellings forget;
  for (const auto& f : t.module.functions) f->body = forget.rewriteBlock(f->body);
  for (auto& k : t.module.kernels) {
    auto copy = std::make_shared<Kernel>(*k);
    copy->body = forget.rewriteBlock(k->body);
    copy->language = to;
    k = copy;
  }
  if (to == Language::OpenCL) {
    lowerToOpenCL(t);
  } else {
    lowerToCuda(t, module);
    lowerVectors(t);
  }
  keepReached(t.module);
  inferSpaces(t.module);
  return t;
}

}  // namespace hone::emit
