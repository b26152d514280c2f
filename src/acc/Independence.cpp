#include "acc/Independence.h"

#include "acc/DeviceObjects.h"
#include "acc/ImplicitReduction.h"
#include "acc/LoopCount.h"
#include "acc/Privatize.h"
#include "acc/ReductionValues.h"
#include "acc/SeededMistakes.h"
#include "acc/VariableUse.h"
#include "acc/WrapAround.h"
#include "analysis/Aliasing.h"
#include "analysis/Dependence.h"
#include "emit/Emit.h"
#include "ir/CallEffects.h"
#include "ir/Literals.h"
#include "ir/Verify.h"
#include "ir/Walk.h"

namespace hone::acc {

using namespace ir;

namespace {

// Objects stand behind pointers; the user names them themselves.
class AsWritten : public Rewriter {
 public:
  explicit AsWritten(const std::set<std::string>& theObjects) : objects(theObjects) {}
  using Rewriter::rewrite;
  ExprPtr rewrite(const ExprPtr& e) override {
    const auto* element = as<Subscript>(e);
    const auto* object = element ? as<VarRef>(element->base) : nullptr;
    if (!object || !objects.contains(object->var->name) || !isZeroLiteral(element->indices.front()))
      return Rewriter::rewrite(e);
    std::vector<ExprPtr> rest;
    for (size_t i = 1; i < element->indices.size(); ++i) rest.push_back(rewrite(element->indices[i]));
    return rest.empty() ? element->base : makeExpr(e->type, Subscript{element->base, std::move(rest), false});
  }

 private:
  const std::set<std::string>& objects;
};

std::string quoted(const affine::KernelModel& model, affine::AccessId id,
                   const std::set<std::string>& objects) {
  const affine::Access& access = model.accesses[id];
  std::string text = access.whole
                         ? emit::emitExpr(AsWritten(objects).rewrite(access.whole), ir::Language::Cuda)
                         : access.handle;
  return access.loc.valid() ? text + " (line " + std::to_string(access.loc.line) + ")" : text;
}

std::string sentence(const affine::KernelModel& model, const analysis::Dependence& d,
                     const std::set<std::string>& objects) {
  const std::string from = quoted(model, d.from, objects), to = quoted(model, d.to, objects);
  std::string text;
  if (model.accesses[d.from].array.isNone() || model.accesses[d.to].array.isNone())
    text = "it is not known which memory " + (model.accesses[d.from].array.isNone() ? from : to) + " is";
  else if (d.kind == analysis::DependenceKind::Flow)
    text = "an iteration reads " + to + ", which an earlier one writes as " + from;
  else if (d.kind == analysis::DependenceKind::Anti)
    text = "an iteration writes " + to + ", which an earlier one reads as " + from;
  else
    text = from == to ? "several iterations write " + from
                      : "several iterations write one element as " + from + " and " + to;
  if (!d.isSure) text = "perhaps " + text + (d.reason.empty() ? "" : " (" + d.reason + ")");
  return text;
}

// A kernel of one thread that does the loop and nothing else: what the loop takes from outside are
// parameters.
class LoopAlone {
 public:
  LoopAlone(const WorkRegion& from, const StmtPtr& theLoop) : work(from), loop(theLoop) {}

  std::vector<frontend::AccReduction> reductions;
  std::vector<std::pair<int, int>> ifApart;

  std::string why() {
    LoopPlan& plan = *work.notes.planOf(*loop);
    std::string reason;
    if (!loopCount(*as<For>(loop), &reason)) return reason;
    plan.inner = Inner::Lanes;  // as if it were spread
    if (std::string early = leaves(as<For>(loop)->body); !early.empty()) return early;
    const AssignedInside assigned = assignedInside(work, loop, plan);
    for (const VarPtr& var : assigned.shared) {
      if (var->type->is(TypeKind::Array)) continue;
      const auto op = implicitReduction(*as<For>(loop), *var);
      if (!op) return "each iteration uses or leaves a value of " + var->name;
      reductions.push_back({*op, var, loop->loc});
    }
    plan.asked.reductions.insert(plan.asked.reductions.end(), reductions.begin(), reductions.end());
    if (std::string effects = effectsOf(as<For>(loop)->body); !effects.empty()) return effects;
    const StmtPtr own = withOwnVariables(work, loop);
    return dependence(kernelOf(own));
  }

 private:
  static std::string leaves(const StmtPtr& body) {
    bool breaks = false;
    std::function<void(const StmtPtr&, bool)> look = [&](const StmtPtr& s, bool inLoop) {
      if (s->is<Return>() || (s->is<Break>() && !inLoop)) breaks = true;
      const bool inner = inLoop || s->is<For>() || s->is<While>() || s->is<DoWhile>() || s->is<Switch>();
      forEachChild(*s, [&](const StmtPtr& child) { look(child, inner); });
    };
    look(body, false);
    return breaks ? "an iteration may end the loop" : "";
  }

  std::string effectsOf(const StmtPtr& body) const {
    std::string found;
    walkStmts(body, [&](const Stmt& s) {
      if (prints(s)) found = "its iterations print";
    });
    return found;
  }

  KernelPtr kernelOf(const StmtPtr& own) {
    auto kernel = std::make_shared<Kernel>();
    kernel->name = kernel->qualifiedName = "loop";
    kernel->loc = loop->loc;
    StmtPtr body = block({own});
    // Arrays of the gang's own are memory too: they come by pointers that lead nowhere else.
    std::set<const Variable*> inside = declaredVariables(body), seen;
    std::vector<VarPtr> outside;
    walkExprs(body, [&](const Expr& e) {
      const auto* var = e.as<VarRef>();
      if (!var || inside.contains(var->var.get()) || var->var->storage == Storage::Global ||
          work.isObject(var->var.get()) || !seen.insert(var->var.get()).second)
        return;
      outside.push_back(var->var);
    });
    for (const VarPtr& var : outside) {
      if (!var->type->is(TypeKind::Array)) {
        if (var->storage != Storage::Param) {
          VarPtr param = work.names.parameter(var->name, var->type);
          body = withVariable(work.notes, body, var, param);
        }
        continue;
      }
      DeviceObject object;
      auto standIn = std::make_shared<Variable>(*var);
      object.var = standIn;
      object.param = work.names.parameter(var->name, pointerType(var->type, Space::Global));
      body = withVariable(work.notes, body, var, object.var);
      work.objects.push_back(object);
    }
    kernel->body = variablesToObjects(work, body);
    std::set<const Variable*> added;
    walkExprs(kernel->body, [&](const Expr& e) {
      const auto* var = e.as<VarRef>();
      if (!var || var->var->storage != Storage::Param || !added.insert(var->var.get()).second) return;
      kernel->params.push_back(var->var);
    });
    // Objects lie apart from each other; references and pointers that are handed in may lead anywhere.
    std::vector<VarPtr> params = kernel->params;
    freshParameters(*kernel);
    for (size_t i = 0; i < params.size(); ++i)
      for (const DeviceObject& object : work.objects)
        if (object.param == params[i] && !object.mayLieInOther) apart.insert(kernel->params[i]->name);
    for (VarPtr& param : kernel->params)
      if (param->type->isPointer() && param->type->space == Space::Generic) retyped(*kernel, param);
    for (size_t i = 0; i < params.size(); ++i)
      capturedBy[kernel->params[i].get()] = capturedNumber(*params[i]);
    return kernel;
  }

  // Parameters of kernels lead to global memory.
  static void retyped(Kernel& kernel, VarPtr& param) {
    auto copy = std::make_shared<Variable>(*param);
    copy->type = withSpace(param->type, Space::Global);
    Renaming renaming;
    renaming.by[param.get()] = copy;
    kernel.body = renaming.rewriteBlock(kernel.body);
    param = copy;
  }

  std::string dependence(const KernelPtr& kernel) {
    if (auto violations = verify(*kernel); !violations.empty())
      return "internal: it could not be looked at: " + violations.front();
    affine::KernelModel model = affine::buildModel(kernel, {1, 1, 1});
    if (model.loops.size() == 0) return "internal: its loop was not understood";
    const affine::LoopId outer(0);
    forgetWhatMayWrap(model);
    std::string perhaps = notLinear(model);
    for (const analysis::Dependence& d : analysis::dependences(model, analysis::Between::OneThread)) {
      if (d.carrier == outer && isOfIteration(model, outer, d.from) && isOfIteration(model, outer, d.to))
        continue;
      if (d.carrier != outer || HONE_SEED(SureDependenceNotSeen, false, d.isSure)) continue;
      if (d.isSure) return sentence(model, d, apart);
      if (perhaps.empty()) perhaps = sentence(model, d, apart);
    }
    if (perhaps.empty()) perhaps = elementsMayWrap(model);
    if (!perhaps.empty()) return perhaps;
    return mayOverlap(model);
  }

  // Memory that each iteration has anew.
  static bool isOfIteration(const affine::KernelModel& model, affine::LoopId loop, affine::AccessId id) {
    const affine::Access& access = model.accesses[id];
    const auto* counted = as<For>(model.loops[loop].stmt);
    return access.array.isSome() && counted &&
           declaredVariables(counted->body).contains(model.arrays[access.array].var.get()) &&
           model.arrays[access.array].space == Space::Private;
  }

  // Where an element lies that does not move evenly with the counters is left open, if others are written.
  std::string notLinear(const affine::KernelModel& model) const {
    std::set<affine::ArrayId> written;
    for (const affine::Access& access : model.accesses)
      if (access.writes() && !access.atomic) written.insert(access.array);
    for (const affine::AccessId id : model.accesses.ids()) {
      const affine::Access& access = model.accesses[id];
      if (!access.isResolved() || !written.contains(access.array) ||
          model.arrays[access.array].space == Space::Private)
        continue;
      bool isEven = true;
      model.atoms->forEachAtom(access.address, [&](affine::AtomId atom) {
        const affine::Atom& one = (*model.atoms)[atom];
        if (one.kind == affine::AtomKind::Opaque || one.kind == affine::AtomKind::Bits ||
            one.kind == affine::AtomKind::Choice)
          isEven = false;
        if (one.kind == affine::AtomKind::Div && !one.divisor.constant()) isEven = false;
      });
      if (!isEven && !model.atoms->isLaunchUniform(access.address))
        return "it is not known which element " + quoted(model, id, apart) + " is, and others are written";
    }
    return "";
  }

  // Only whether different pointers lead to the same memory is open.
  std::string mayOverlap(const affine::KernelModel& model) {
    analysis::KnownApart known;
    for (const std::string& a : apart)
      for (const std::string& b : apart)
        if (a < b) known.pairs.emplace_back(a, b);
    std::string text;
    bool mayBeAsked = true;
    for (const analysis::Aliasing& pair : analysis::aliasings(model, known)) {
      if (pair.overlap == analysis::Overlap::Never || pair.overlap == analysis::Overlap::Harmless) continue;
      const affine::Array &first = model.arrays[pair.first], &second = model.arrays[pair.second];
      if (text.empty())
        text = first.name + " and " + second.name +
               " may be the same memory; restrict or independent would say that they are not";
      const int a = numberOf(first), b = numberOf(second);
      mayBeAsked &= a >= 0 && b >= 0;
      ifApart.emplace_back(a, b);
    }
    if (!mayBeAsked) ifApart.clear();
    return text;
  }

  // The captured variable that leads to an array; -1: none, or one without data of its own, or a pointer in
  // it.
  int numberOf(const affine::Array& array) const {
    const auto found = capturedBy.find(array.var.get());
    return found == capturedBy.end() || array.name != array.var->name ? -1 : found->second;
  }
  int capturedNumber(const Variable& param) const {
    if (!work.region) return -1;
    for (size_t k = 0; k < work.region->captured.size(); ++k) {
      const frontend::AccCaptured& one = work.region->captured[k];
      if (one.var.get() == &param && one.data >= 0) return static_cast<int>(k);
    }
    return -1;
  }

  WorkRegion work;  // a copy: what is tried here changes nothing
  const StmtPtr loop;
  std::set<std::string> apart;
  std::map<const Variable*, int> capturedBy;  ///< parameters of the kernel
};

}  // namespace

Dependent whyDependent(const WorkRegion& work, const StmtPtr& loop) {
  LoopAlone alone(work, loop);
  Dependent result;
  result.why = alone.why();
  result.reductions = std::move(alone.reductions);
  result.ifApart = std::move(alone.ifApart);
  return result;
}

}  // namespace hone::acc
