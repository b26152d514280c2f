#include "emit/Lowering.h"
#include "ir/Literals.h"
#include "ir/Substitute.h"
#include "ir/Walk.h"

namespace hone::emit {

using namespace ir;

namespace {

// The body of a constructor with a local object in the place of *this.
class OwnObject : public Rewriter {
 public:
  OwnObject(VarPtr self, VarPtr local) : thisVar(std::move(self)), object(std::move(local)) {}

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    if (const auto* v = e->as<VarRef>(); v && v->var == thisVar)
      return ir::addressOf(ir::ref(object), Space::Private, e->loc);
    const auto* s = e->as<Subscript>();
    if (s && s->base->is<AddressOf>() && isZeroLiteral(s->indices[0]))
      return ir::subscript(s->base, s->indices, e->loc);
    return e;
  }
  StmtList mapStmt(const StmtPtr& s) override {
    if (s->is<Return>()) return {makeStmt(Return{ir::ref(object)}, s->loc)};
    return {s};
  }

 private:
  VarPtr thisVar, object;
};

}  // namespace

void lowerClasses(Module& module) {
  for (const FunctionPtr& f : module.functions) {
    const bool member = !f->params.empty() && f->params[0]->name == "this";
    if (member && f->kind == FunctionKind::Constructor) {
      auto object = std::make_shared<Variable>();
      object->name = "object";
      object->type = f->params[0]->type->element;
      object->loc = f->loc;
      StmtPtr body = OwnObject(f->params[0], object).rewriteBlock(f->body);
      StmtList stmts = body->as<Block>()->stmts;
      stmts.insert(stmts.begin(), makeStmt(Declare{object, nullptr}, f->loc));
      if (!stmts.back()->is<Return>()) stmts.push_back(makeStmt(Return{ir::ref(object)}, f->loc));
      f->body = block(std::move(stmts), body->loc);
      f->returnType = object->type;
      f->params.erase(f->params.begin());
    } else if (member) {
      auto self = std::make_shared<Variable>(*f->params[0]);
      self->name = "self";
      Renaming toSelf;
      toSelf.by[f->params[0].get()] = self;
      f->body = toSelf.rewriteBlock(f->body);
      f->params[0] = self;
    }
    f->kind = FunctionKind::Free;
  }
}

void keepReached(Module& module) {
  std::vector<FunctionPtr> reached;
  std::vector<const Function*> seen;
  auto visit = [&](auto&& self, const StmtPtr& body) -> void {
    walkExprs(body, [&](const Expr& e) {
      const auto* call = e.as<Call>();
      if (!call || !call->function) return;
      for (const Function* f : seen)
        if (f == call->function.get()) return;
      seen.push_back(call->function.get());
      self(self, call->function->body);
      reached.push_back(call->function);
    });
  };
  for (const auto& k : module.kernels) visit(visit, k->body);
  module.functions = std::move(reached);
}

}  // namespace hone::emit
