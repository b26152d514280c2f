// CUDA to OpenCL, in this order:
// 1. Constructors and methods are functions by now; the spaces of their pointers are found again.
// 2. Functions that OpenCL cannot have are inlined: pointers into several spaces, __shared__ variables of
// their own.
// 3. Dynamic shared memory becomes a __local argument, nested __shared__ variables move to the kernel's
// scope.
// 4. Coordinates get OpenCL's type, calls OpenCL's signatures.
// 5. What is left that OpenCL cannot say becomes an error with its reason.
#include <algorithm>
#include <map>

#include "emit/Lowering.h"
#include "ir/InferSpaces.h"
#include "ir/InlineCalls.h"
#include "ir/Walk.h"
#include "ir/intrinsics/LowerIntrinsic.h"

namespace hone::emit {

using namespace ir;

namespace {

bool isShared(const Variable& v) { return v.space == Space::Shared; }

// A pointer somewhere in the type, the type itself aside.
bool holdsPointerOrHandle(const Type& t, int depth = 0) {
  if (depth > 8) return false;
  if (t.isPointer() || t.is(TypeKind::Handle)) return true;
  if (t.element) return holdsPointerOrHandle(*t.element, depth + 1);
  if (t.record)
    for (const Field& f : t.record->fields)
      if (holdsPointerOrHandle(*f.type, depth + 1)) return true;
  return false;
}

bool mustInline(const Function& f) {
  for (const auto& p : f.params)
    if (p->type->isPointer() && p->type->space == Space::Generic) return true;
  if (f.returnType->isPointer() && f.returnType->space == Space::Generic) return true;
  bool found = false;
  walkStmts(f.body, [&](const Stmt& s) {
    if (const auto* d = s.as<Declare>())
      found |= isShared(*d->var) || (d->var->type->isPointer() && d->var->type->space == Space::Generic);
  });
  walkExprs(f.body, [&](const Expr& e) {
    if (const auto* v = e.as<VarRef>()) found |= v->var->isDynamicShared;
  });
  return found;
}

// The array of `extern __shared__` as a pointer that the host sizes.
class ReplaceDynamic : public Rewriter {
 public:
  std::map<const Variable*, VarPtr> pointers;

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    if (const auto* v = e->as<VarRef>()) {
      auto it = pointers.find(v->var.get());
      return it != pointers.end() ? ir::ref(it->second, e->loc) : e;
    }
    const auto* a = e->as<AddressOf>();
    const auto* s = a ? as<Subscript>(a->place) : nullptr;
    if (s && s->base->type->isPointer() && s->indices.size() == 1 && s->base->is<VarRef>() &&
        constantValue(s->indices[0]) == 0) {
      for (const auto& [array, pointer] : pointers)
        if (s->base->as<VarRef>()->var == pointer) return s->base;
    }
    return e;
  }
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* d = s->as<Declare>();
    return d && pointers.contains(d->var.get()) ? StmtList{} : StmtList{s};
  }
};

// Takes the declarations of __shared__ variables out of nested scopes.
class HoistShared : public Rewriter {
 public:
  StmtList hoisted;

  StmtPtr run(const StmtPtr& body) {
    StmtList out;
    for (const StmtPtr& s : body->as<Block>()->stmts) {
      const auto* d = s->as<Declare>();
      if (d && isShared(*d->var)) {
        out.push_back(s);
        continue;
      }
      for (const StmtPtr& r : rewrite(s)) out.push_back(r);
    }
    out.insert(out.begin(), hoisted.begin(), hoisted.end());
    return block(std::move(out), body->loc);
  }

 protected:
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* d = s->as<Declare>();
    if (!d || !isShared(*d->var)) return {s};
    hoisted.push_back(s);
    return {};
  }
};

// %lld to %ld, in conversions only.
std::string withoutLongLong(const std::string& format) {
  std::string result;
  for (size_t i = 0; i < format.size(); ++i) {
    result += format[i];
    if (format[i] != '%') continue;
    const size_t end = format.find_first_not_of("0123456789.+- #*hljzt", i + 1);
    std::string between = format.substr(i + 1, end == std::string::npos ? end : end - i - 1);
    if (size_t at = between.find("ll"); at != std::string::npos) between.erase(at, 1);
    result += between;
    i += format.substr(i + 1, end == std::string::npos ? end : end - i - 1).size();
    if (end != std::string::npos && format[end] == '%') result += format[++i];  // %% ends here
  }
  return result;
}

class OpenCLWords : public Rewriter {
 public:
  explicit OpenCLWords(Translation& translation) : t(translation) {}

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    if (const auto* c = e->as<Coord>(); c && !sameType(e->type, uint64()) && c->kind != CoordKind::WorkDim) {
      if (c->kind == CoordKind::WarpSize) {
        t.errors.push_back({"OpenCL has no warpSize", e->loc});
        return e;
      }
      return convert(coord(c->kind, c->axis, uint64(), e->loc), e->type);
    }
    if (const auto* c = e->as<Call>(); c && c->intrinsic) {
      if (c->intrinsic->id == "printf")
        t.errors.push_back({"the value of printf, which CUDA and OpenCL count differently", e->loc});
      return adaptedCall(e, Language::OpenCL, t);
    }
    // C has no literals of small types: an enumerator printed as its value is an int.
    if (const auto* c = e->as<Cast>(); c && !c->isExplicit && e->type->is(TypeKind::Int) &&
                                       e->type->bits >= 32 && c->operand->is<IntLiteral>())
      if (auto value = constantValue(e)) return intLit(*value, e->type, e->loc);
    return e;
  }
  StmtList mapStmt(const StmtPtr& s) override {
    if (const auto* p = s->as<Printf>()) {
      Printf copy = *p;  // OpenCL's long has 64 bits and no ll
      copy.format = withoutLongLong(copy.format);
      return {makeStmt(copy, s->loc)};
    }
    // hone.clh has one, for a single work-group; what a CUDA host launches has many.
    if (const auto* b = s->as<Barrier>(); b && b->scope == SyncScope::Grid)
      t.errors.push_back({"OpenCL has no barrier of a whole grid", s->loc});
    return {s};
  }

 private:
  Translation& t;
};

VarPtr localArgument(const Variable& array) {
  auto p = std::make_shared<Variable>();
  p->name = array.name;
  p->type = pointerType(array.type->is(TypeKind::Array) ? array.type->element : array.type, Space::Shared,
                        false, array.isVolatile);
  p->storage = Storage::Param;
  p->loc = array.loc;
  return p;
}

// All extern __shared__ arrays of a kernel begin at one address: the first becomes the argument, the others
// views of it.
void dynamicShared(Kernel& k, Translation& t) {
  std::vector<VarPtr> arrays;
  auto note = [&](const VarPtr& v) {
    if (v->isDynamicShared && v->type->is(TypeKind::Array) &&
        std::find(arrays.begin(), arrays.end(), v) == arrays.end())
      arrays.push_back(v);
  };
  walkStmts(k.body, [&](const Stmt& s) {
    if (const auto* d = s.as<Declare>()) note(d->var);
  });
  walkExprs(k.body, [&](const Expr& e) {
    if (const auto* v = e.as<VarRef>()) note(v->var);
  });
  if (arrays.empty()) return;
  ReplaceDynamic replace;
  VarPtr argument = localArgument(*arrays[0]);
  replace.pointers[arrays[0].get()] = argument;
  StmtList views;
  for (size_t i = 1; i < arrays.size(); ++i) {
    auto view = std::make_shared<Variable>(*localArgument(*arrays[i]));
    view->storage = Storage::Local;
    replace.pointers[arrays[i].get()] = view;
    views.push_back(makeStmt(Declare{view, convert(ir::ref(argument), view->type, true)}, arrays[i]->loc));
  }
  StmtPtr body = replace.rewriteBlock(k.body);
  StmtList stmts = body->as<Block>()->stmts;
  stmts.insert(stmts.begin(), views.begin(), views.end());
  k.body = block(std::move(stmts), body->loc);
  k.params.push_back(argument);
  t.notes.push_back(k.name + ": the last argument, __local " + argument->name +
                    ", takes the size of the dynamic shared memory.");
}

void checkParams(const Kernel& k, Translation& t) {
  for (const auto& p : k.params) {
    if (p->type->is(TypeKind::Bool))
      t.errors.push_back({"OpenCL kernels take no bool arguments ('" + p->name + "')", p->loc});
    else if (p->type->is(TypeKind::Handle))
      t.errors.push_back({"OpenCL has no " + p->type->spelling + " ('" + p->name + "')", p->loc});
    else if (p->type->isPointer() && holdsPointerOrHandle(*p->type->element))
      t.errors.push_back({"OpenCL kernels take no pointers to pointers ('" + p->name + "')", p->loc});
    else if (p->type->is(TypeKind::Struct) && holdsPointerOrHandle(*p->type))
      t.errors.push_back({"OpenCL kernels take no structs with pointers ('" + p->name + "')", p->loc});
  }
}

void checkGlobals(Translation& t) {
  std::vector<const Variable*> used;
  auto note = [&](const StmtPtr& body) {
    walkExprs(body, [&](const Expr& e) {
      if (const auto* v = e.as<VarRef>(); v && v->var->storage == Storage::Global)
        used.push_back(v->var.get());
    });
  };
  for (const auto& k : t.module.kernels) note(k->body);
  for (const auto& f : t.module.functions) note(f->body);
  for (const auto& v : t.module.globals) {
    if (std::find(used.begin(), used.end(), v.get()) == used.end() || v->isDynamicShared) continue;
    if (v->type->is(TypeKind::Handle))
      t.errors.push_back({"OpenCL has no texture references ('" + v->name + "')", v->loc});
    else if (v->space == Space::Constant && !v->init)
      t.errors.push_back(
          {"__constant__ '" + v->name + "' is filled by the host; in OpenCL it would be an argument",
           v->loc});
    else if (v->space != Space::Constant)
      t.errors.push_back({"OpenCL has no writable global variables (__device__ '" + v->name + "')", v->loc});
  }
}

}  // namespace

void lowerToOpenCL(Translation& t) {
  inferSpaces(t.module);
  for (auto& k : t.module.kernels) {
    auto copy = std::make_shared<Kernel>(*inlineCalls(k, mustInline));
    dynamicShared(*copy, t);
    copy->body = HoistShared().run(copy->body);
    copy->launchBounds.reset();  // a hint of CUDA's alone
    k = copy;
  }
  keepReached(t.module);
  inferSpaces(t.module);
  checkGlobals(t);
  for (const auto& f : t.module.functions)
    f->body = OpenCLWords(t).rewriteBlock(lowerIntrinsics(f->body, Language::OpenCL));
  for (auto& k : t.module.kernels) {
    auto copy = std::make_shared<Kernel>(*k);
    copy->body = OpenCLWords(t).rewriteBlock(lowerIntrinsics(k->body, Language::OpenCL));
    k = copy;
    checkParams(*k, t);
  }
}

}  // namespace hone::emit
