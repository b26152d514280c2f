#include "acc/DeviceObjects.h"

#include <algorithm>

#include "ir/CallEffects.h"
#include "ir/Literals.h"
#include "ir/Substitute.h"

namespace hone::acc {

using namespace ir;

namespace {

class ToVariables : public NotedRewriter {
 public:
  explicit ToVariables(WorkRegion& theWork) : NotedRewriter(theWork.notes), work(theWork) {}
  using NotedRewriter::rewrite;
  ExprPtr rewrite(const ExprPtr& e) override {
    if (const auto* element = as<Subscript>(e))
      if (const DeviceObject* object = objectOf(element->base);
          object && isZeroLiteral(element->indices.front())) {
        std::vector<ExprPtr> rest;
        for (size_t i = 1; i < element->indices.size(); ++i) rest.push_back(rewrite(element->indices[i]));
        if (rest.empty()) return ref(object->var, e->loc);
        return makeExpr(e->type, Subscript{ref(object->var, e->loc), std::move(rest), false}, e->loc);
      }
    if (const DeviceObject* object = objectOf(e))
      return convert(addressOf(ref(object->var, e->loc), Space::Generic, e->loc), e->type);
    return Rewriter::rewrite(e);
  }

 protected:
  void mapPlan(LoopPlan& plan) override {
    NotedRewriter::mapPlan(plan);
    for (VarPtr& var : plan.asked.privates) var = standsFor(var);
    for (auto& [var, section] : plan.asked.ownSections) var = standsFor(var);
    for (frontend::AccReduction& reduction : plan.asked.reductions) reduction.var = standsFor(reduction.var);
  }

 private:
  const DeviceObject* objectOf(const ExprPtr& e) const {
    const auto* var = as<VarRef>(e);
    if (var)
      for (const DeviceObject& object : work.objects)
        if (object.param == var->var) return &object;
    return nullptr;
  }
  VarPtr standsFor(const VarPtr& var) const {
    for (const DeviceObject& object : work.objects)
      if (object.param == var) return object.var;
    return var;
  }

  WorkRegion& work;
};

class ToObjects : public Rewriter {
 public:
  explicit ToObjects(const WorkRegion& theWork) : work(theWork) {}

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    if (const auto* var = as<VarRef>(e)) {
      for (const DeviceObject& object : work.objects)
        if (object.var == var->var) return deref(ref(object.param, e->loc), e->loc);
    } else if (const auto* element = as<Subscript>(e)) {
      const auto* inner = as<Subscript>(element->base);
      if (inner && !element->base->type->isPointer())
        return subscript(element->base, element->indices, e->loc);
    } else if (const auto* address = as<AddressOf>(e)) {
      const auto* whole = as<Subscript>(address->place);
      if (whole && whole->indices.size() == 1 && whole->starStyle && isZeroLiteral(whole->indices[0]) &&
          sameType(*whole->base->type, *e->type))
        return whole->base;
    }
    return e;
  }

 private:
  const WorkRegion& work;
};

}  // namespace

void objectsToVariables(WorkRegion& work, const frontend::AccRegion& region,
                        const std::vector<CarriedVariable>& carried) {
  auto standIn = [&](const std::string& name, const TypePtr& type) {
    auto var = std::make_shared<Variable>();
    var->name = name;
    var->type = type;
    var->space = Space::Global;
    return var;
  };
  for (size_t i = 0; i < region.captured.size(); ++i) {
    const frontend::AccCaptured& captured = region.captured[i];
    if (captured.seen != frontend::AccSeen::Object) continue;
    work.objects.push_back({standIn(captured.var->name, captured.var->type->element),
                            captured.var,
                            {KernelArgument::From::Captured, static_cast<int>(i)},
                            captured.mayLieInOther});
  }
  work.body = ToVariables(work).rewriteBlock(work.body);
  for (const CarriedVariable& one : carried) {
    VarPtr param = work.names.parameter(one.var->name + "_kept", pointerType(one.var->type, Space::Generic));
    VarPtr var = standIn(one.var->name, one.var->type);
    work.objects.push_back({var, param, {KernelArgument::From::Scratch, one.scratch}, false});
    work.body = withVariable(work.notes, work.body, one.var, var);
  }
}

StmtPtr variablesToObjects(const WorkRegion& work, const StmtPtr& s) {
  return ToObjects(work).rewriteBlock(s);
}

StmtPtr withoutUnusedVariables(const StmtPtr& s) {
  class Cleaner : public Rewriter {
   public:
    std::set<const Variable*> used;

   protected:
    StmtList mapStmt(const StmtPtr& one) override {
      if (const auto* list = as<Block>(one)) return {withoutBraces(one, list->stmts)};
      const auto* d = as<Declare>(one);
      if (!d || used.contains(d->var.get()) || (d->init && !isPure(d->init))) return {one};
      return {};
    }

   private:
    // Blocks inside blocks that declare nothing, or have nothing beside them.
    static StmtPtr withoutBraces(const StmtPtr& around, const StmtList& stmts) {
      StmtList flat;
      bool changed = false;
      for (const StmtPtr& s : stmts) {
        const auto* inner = as<Block>(s);
        const bool declares = inner && std::any_of(inner->stmts.begin(), inner->stmts.end(),
                                                   [](const StmtPtr& x) { return x->is<Declare>(); });
        if (!inner || (declares && stmts.size() > 1)) {
          flat.push_back(s);
          continue;
        }
        changed = true;
        flat.insert(flat.end(), inner->stmts.begin(), inner->stmts.end());
      }
      return changed ? block(std::move(flat), around->loc) : around;
    }
  };
  Cleaner cleaner;
  walkExprs(s, [&](const Expr& e) {
    if (const auto* var = e.as<VarRef>()) cleaner.used.insert(var->var.get());
  });
  return cleaner.rewriteBlock(s);
}

void freshParameters(Kernel& kernel) {
  Renaming renaming;
  for (VarPtr& param : kernel.params) {
    auto copy = std::make_shared<Variable>(*param);
    copy->storage = Storage::Param;
    renaming.by[param.get()] = copy;
    param = copy;
  }
  kernel.body = renaming.rewriteBlock(kernel.body);
}

}  // namespace hone::acc
