#include "passes/vector/BlockSteps.h"

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/Substitute.h"
#include "ir/Walk.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/Names.h"
#include "passes/edit/Say.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/HostConditions.h"
#include "passes/launch/FixBlock.h"

namespace hone::passes {

using namespace ir;
using affine::Poly;

namespace {

constexpr unsigned x = 0;  // the axis along which threads are neighbours

// The same for every thread of a block that differs from another along x alone.
bool isSameAlongX(const affine::Atoms& atoms, const Poly& p) {
  const affine::Variation v = atoms.variation(p);
  return !(v.threadAxes & 1u << x) && !v.anyThread;
}

// No thread waits for another in it.
bool isFree(const StmtPtr& body) {
  bool free = true;
  walkStmts(body, [&](const Stmt& s) { free = free && !s.is<Barrier>(); });
  walkExprs(body, [&](const Expr& e) {
    const auto* call = e.as<Call>();
    free = free && !(call && synchronizes(*call));
  });
  return free;
}

int64_t greatestOf(const Type& type) {
  return type.bits >= 64 ? int64_t{1} << 62 : (int64_t{1} << (type.bits - (type.isSigned ? 1 : 0))) - 1;
}

class StepFinder {
 public:
  StepFinder(const LaunchStep& step, const affine::KernelModel& kernelModel)
      : launch(step), model(kernelModel), assigned(assignedVariables(kernelModel.kernel->body)) {
    walkStmts(model.kernel->body, [&](const Stmt& s) {
      const auto* d = s.as<Declare>();
      if (d && d->init && d->var->type->is(TypeKind::Int) && !assigned.contains(d->var.get()) &&
          accesses(d->init).empty())
        definitions[d->var.get()] = d->init;
    });
    const std::set<const Variable*> taken = addressTaken(model.kernel->body);
    assigned.insert(taken.begin(), taken.end());
  }

  ExprPtr condition;  // on the launch
  bool found = false;

  // The loop by steps of blocks; null where it is none of them.
  StmtPtr rewritten(affine::LoopId id, Names& names) {
    const affine::Loop& loop = model.loops[id];
    const auto* f = as<For>(loop.stmt);
    const auto counts = f ? counted(*f) : std::nullopt;
    if (!counts || !counts->declares || !counts->begin || counts->op != BinaryOp::Add ||
        f->init.size() != 1 || f->step.size() != 1 || !loop.values.empty() ||
        loop.exactness != affine::Exactness::Exact || !counts->var->type->is(TypeKind::Int) ||
        assignedVariables(f->body).contains(counts->var.get()) || !isFree(f->body))
      return nullptr;
    affine::Atoms& atoms = *model.atoms;
    const Poly thread = atoms.thread(x);
    if (!isSameAlongX(atoms, loop.first - thread) || !isSameAlongX(atoms, loop.step)) return nullptr;
    // The last number below the end.
    const Poly counter = atoms.loop(id);
    const Poly value = loop.first + (loop.byDistance ? counter : counter * loop.step);
    if (!loop.runs || loop.runs->kind != affine::CondKind::AtLeast0) return nullptr;
    const Poly last = loop.runs->value + value;
    if (!atoms.isLaunchUniform(last)) return nullptr;
    const ExprPtr begin = HONE_SEED(VectorStepsOfEachThread, ofFirstThread(counts->begin), counts->begin);
    if (!begin || !isTestable(id, last)) return nullptr;

    found = true;
    const VarPtr start = makeLocal(names, "start", counts->var->type);
    Renaming named;
    named.by[counts->var.get()] = start;
    For steps = *f;
    steps.init = {makeStmt(Declare{start, convert(begin, start->type)}, f->init.front()->loc)};
    steps.cond = named.rewrite(f->cond);
    steps.step = named.rewrite(f->step.front());
    const ExprPtr own = convert(
        binary(BinaryOp::Add, ref(start), coordOf(*model.kernel, CoordKind::ThreadIdx, x)), start->type);
    steps.body =
        block({makeStmt(Declare{counts->var, own}, f->init.front()->loc),
               makeStmt(If{HONE_SEED(VectorStepsUnguarded, f->cond, boolLit(true)), f->body, nullptr},
                        f->body->loc)},
              f->body->loc);
    return makeStmt(std::move(steps), loop.stmt->loc);
  }

 private:
  // What an expression is for the thread with threadIdx.x == 0; null where it is not made of numbers that
  // stay what they are.
  ExprPtr ofFirstThread(const ExprPtr& e) const {
    class First : public Rewriter {
     public:
      explicit First(const StepFinder& of) : owner(of) {}
      bool isKnown = true;

     protected:
      ExprPtr mapExpr(const ExprPtr& one) override {
        if (isCoordinate(one, CoordKind::ThreadIdx, x) && one->is<Coord>()) return intLit(0, one->type);
        if (const auto* var = as<VarRef>(one)) {
          const auto known = owner.definitions.find(var->var.get());
          if (known != owner.definitions.end()) return convert(rewrite(known->second), one->type);
          isKnown =
              isKnown && var->var->storage == Storage::Param && !owner.assigned.contains(var->var.get());
        }
        if (one->is<Subscript>() || one->is<Call>() || one->is<Member>() || one->is<Swizzle>())
          isKnown = false;
        return one;
      }

     private:
      const StepFinder& owner;
    };
    First first(*this);
    const ExprPtr made = first.rewrite(e);
    return first.isKnown ? simplified(made) : nullptr;
  }

  // Adds what must hold for numbers to stay within their type: those that the loop had, and a step further
  // those of the block's last thread.
  bool isTestable(affine::LoopId id, const Poly& last) {
    const affine::Loop& loop = model.loops[id];
    std::set<unsigned> needed;
    bool touches = false;
    for (const affine::Access& access : model.accesses) {
      if (std::find(access.loops.begin(), access.loops.end(), id) == access.loops.end()) continue;
      touches = true;
      needed.insert(access.guardRequirements.begin(), access.guardRequirements.end());
    }
    if (!touches) return false;
    const auto tests = testsFor(launch, model, needed);
    const affine::Requirement fits{
        last + loop.step + Poly(int64_t(model.block[x])), INT64_MIN, greatestOf(*loop.var->type), "", {}};
    const ExprPtr fit = hostRequirement(launch, model, fits);
    if (!tests || !fit || isFalse(fit)) return false;
    condition = andAlso(condition, andAlso(*tests, fit));
    return true;
  }

  const LaunchStep& launch;
  const affine::KernelModel& model;
  std::set<const Variable*> assigned;
  std::map<const Variable*, ExprPtr> definitions;
};

}  // namespace

std::optional<LaunchResult> withBlockSteps(const LaunchStep& launch, PassContext& context) {
  const FixedLaunch fixed = withFixedBlock(launch, context);
  const affine::KernelModel& model = context.facts.of(fixed.launch.kernel, fixed.block).model();
  StepFinder finder(fixed.launch, model);
  Names names(*model.kernel);
  auto kernel = std::make_shared<Kernel>(*model.kernel);
  std::map<const Stmt*, StmtPtr> by;
  for (const affine::LoopId id : model.loops.ids())
    if (StmtPtr made = finder.rewritten(id, names)) by[model.loops[id].stmt.get()] = made;
  if (!finder.found) return std::nullopt;
  class Steps : public Rewriter {
   public:
    explicit Steps(const std::map<const Stmt*, StmtPtr>& all) : by(all) {}
    StmtList rewrite(const StmtPtr& s) override {
      const auto found = by.find(s.get());
      if (found == by.end()) return Rewriter::rewrite(s);
      return {say("Each step takes the neighbouring elements of a block."), found->second};
    }

   private:
    const std::map<const Stmt*, StmtPtr>& by;
  };
  kernel->body = Steps(by).rewriteBlock(model.kernel->body);
  LaunchResult result{fixed.launch, andAlso(fixed.condition, finder.condition), {}};
  if (result.condition && isTrue(result.condition)) result.condition = nullptr;
  result.launch->kernel = kernel;
  return result;
}

}  // namespace hone::passes
