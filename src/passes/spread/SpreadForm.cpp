#include "passes/spread/SpreadForm.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/Walk.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/LoopEdit.h"
#include "passes/host/GlobalIdBounds.h"
#include "passes/host/HostConditions.h"

namespace hone::passes {

using namespace ir;
using affine::Poly;

namespace {

constexpr int64_t mostDigits = 4096;      // iterations that are a digit of an id
constexpr int64_t furtherThreads = 1025;  // that a later block may add along an axis
constexpr int64_t mostAtEnd = 0x7ff00000;

using IsCoord = std::function<bool(const Coord&)>;

bool mentionsCoord(const ExprPtr& e, const IsCoord& is) {
  bool found = false;
  walkExprs(e, [&](const Expr& x) {
    const auto* c = x.as<Coord>();
    found = found || (c && is(*c));
  });
  return found;
}

bool dependsOn(const ExprPtr& e, const IsCoord& is, const std::set<const Variable*>& vars) {
  return e && (mentionsCoord(e, is) || mentions(e, vars));
}

// Variables that are set from such coordinates, or where these decide, anywhere but in the heads of `except`.
std::set<const Variable*> dependents(const StmtPtr& body, const IsCoord& is, const Stmt* except) {
  std::set<const Variable*> found;
  std::function<void(const StmtPtr&, bool)> visit = [&](const StmtPtr& s, bool isDecided) {
    if (!s) return;
    if (const auto* d = as<Declare>(s)) {
      if (dependsOn(d->init, is, found)) found.insert(d->var.get());
      return;
    }
    if (const auto* a = as<Assign>(s)) {
      const Variable* own = storageOf(*a->place);
      if (own && (isDecided || dependsOn(a->value, is, found) || dependsOn(a->place, is, found)))
        found.insert(own);
      return;
    }
    bool decides = isDecided;
    forEachExpr(*s, [&](const ExprPtr& e) { decides |= s.get() != except && dependsOn(e, is, found); });
    forEachChild(*s, [&](const StmtPtr& child) {
      const auto* f = as<For>(s);
      const bool isHead = f && child != f->body;
      if (!(isHead && s.get() == except)) visit(child, decides);
    });
  };
  size_t before;
  do {
    before = found.size();
    visit(body, false);
  } while (found.size() != before);
  return found;
}

// Whether something in the body, or an if around the loop, knows such coordinates otherwise than by the
// loop's variable.
bool knowsBesides(const Kernel& kernel, const StmtPtr& loop, const IsCoord& is) {
  const std::set<const Variable*> vars = dependents(kernel.body, is, loop.get());
  bool found = false;
  std::function<void(const StmtPtr&)> around = [&](const StmtPtr& s) {
    if (s == loop) {
      walkStmts(bodyOf(*s), [&](const Stmt& inner) {
        forEachExpr(inner, [&](const ExprPtr& e) { found |= dependsOn(e, is, vars); });
      });
      return;
    }
    bool holds = false;
    walkStmts(s, [&](const Stmt& inner) { holds |= &inner == loop.get(); });
    if (!holds) return;
    forEachExpr(*s, [&](const ExprPtr& e) { found |= dependsOn(e, is, vars); });
    forEachChild(*s, around);
  };
  around(kernel.body);
  return found;
}

int64_t greatestNumber(const Type& type) {
  return type.bits >= 64 ? int64_t{1} << 62 : (int64_t{1} << (type.bits - (type.isSigned ? 1 : 0))) - 1;
}

class FormFinder {
 public:
  FormFinder(const SpreadQuestion& question, affine::LoopId id)
      : asked(question),
        launch(question.launch),
        model(question.model),
        kernel(*question.launch.kernel),
        atoms(*question.model.atoms),
        index(id),
        known(question.model.loops[id]) {}

  Result<SpreadForm> find() {
    auto loop = loopWithStores(model, index);
    if (!loop) return loop.refusal();
    form.loop = *std::move(loop);
    if (!form.loop.sums.empty())
      return Refusal{fmt::format("{} makes the {} {} of its iterations", known.handle,
                                 str(form.loop.sums.front().how), form.loop.sums.front().var->name),
                     known.stmt->loc};
    bool does = false;
    walkStmts(known.stmt, [&](const Stmt& s) {
      does |= prints(s) || s.is<Assert>() || s.is<Fence>() || s.is<Barrier>();
    });
    if (does)
      return Refusal{fmt::format("iterations of {} do more than compute and store", known.handle),
                     known.stmt->loc};
    if (known.exactness != affine::Exactness::Exact || !known.values.empty() || !known.runs ||
        known.runs->kind != affine::CondKind::AtLeast0)
      return unknownCount();
    form.requirements.insert(known.requirements.begin(), known.requirements.end());
    left = known.runs->value.without(known.counter);
    fall = known.runs->value.coefficient(known.counter);
    Obstacle no = isBlockStride() ? blockStride() : isGridStride() ? gridStride() : plain();
    if (no) return Refusal{no->reason, known.stmt->loc};
    return form;
  }

 private:
  const SpreadQuestion& asked;
  const LaunchStep& launch;
  const affine::KernelModel& model;
  const Kernel& kernel;
  affine::Atoms& atoms;
  affine::LoopId index;
  const affine::Loop& known;
  SpreadForm form;
  Poly left, fall;  // an iteration runs where left + fall * counter >= 0

  Refusal unknownCount() const {
    return Refusal{fmt::format("how many iterations {} has is not known before the launch", known.handle),
                   known.stmt->loc};
  }

  unsigned axesInUse() const {
    unsigned axes = 0;
    for (const CoordKind kind : {CoordKind::ThreadIdx, CoordKind::BlockIdx, CoordKind::BlockDim,
                                 CoordKind::GridDim, CoordKind::GlobalId, CoordKind::GlobalSize})
      axes |= usedAxes(kernel.body, kind);
    return axes;
  }

  void need(const ExprPtr& test) {
    if (test && !isTrue(test)) form.condition = andAlso(form.condition, test);
  }

  // --- threads that step over several elements

  bool isBlockStride() const { return isSteppedByBlock(kernel, form.loop.count); }

  bool isGridStride() {
    if (!asked.isFree || !known.byDistance) return false;
    for (unsigned axis = 0; axis < 3; ++axis)
      if (known.step == atoms.gridDim(axis) * Poly(model.block[axis]) &&
          atoms.isLaunchUniform(known.first - globalId(model, axis))) {
        form.axis = axis;
        return true;
      }
    return false;
  }

  // How many numbers the threads step over, from that of the first thread on.
  Obstacle countFrom(const Poly& firstOfThread) {
    const Poly all = left + firstOfThread + Poly(1);
    const ExprPtr value = atoms.isLaunchUniform(all) ? hostValue(launch, model, all) : nullptr;
    if (!value) return unknownCount();
    form.count = value;
    need(hostCondition(launch, model, affine::atLeast0(all - Poly(1))));
    // Ids, and what they make the last threads count, stay within their types.
    const affine::Requirement ids{all, INT64_MIN, mostAtEnd, "", {}};
    const affine::Requirement ends{left + known.first + Poly(furtherThreads),
                                   INT64_MIN,
                                   greatestNumber(*form.loop.count.var->type),
                                   "",
                                   {}};
    for (const affine::Requirement* one : {&ids, &ends}) {
      const ExprPtr fits = hostRequirement(launch, model, *one);
      if (!fits || isFalse(fits)) return unknownCount();
      need(fits);
    }
    return std::nullopt;
  }

  Obstacle gridStride() {
    form.kind = SpreadKind::GridStride;
    const unsigned axis = form.axis;
    const IsCoord is = [&](const Coord& c) {
      return c.axis == axis && c.kind != CoordKind::WarpSize && c.kind != CoordKind::WorkDim;
    };
    if (knowsBesides(kernel, known.stmt, is))
      return Refusal{fmt::format("iterations of {} know which thread does them", known.handle)};
    return countFrom(globalId(model, axis));
  }

  Obstacle blockStride() {
    form.kind = SpreadKind::BlockStride;
    if (axesInUse() & ~1u) return Refusal{"it uses further axes of its grid than x"};
    const IsCoord ofThread = [](const Coord& c) {
      return c.kind == CoordKind::ThreadIdx || c.kind == CoordKind::BlockDim ||
             c.kind == CoordKind::GlobalId || c.kind == CoordKind::GlobalSize;
    };
    const IsCoord ofBlock = [](const Coord& c) {
      return c.kind == CoordKind::BlockDim || c.kind == CoordKind::GlobalId ||
             c.kind == CoordKind::GlobalSize;
    };
    const Counted& count = form.loop.count;
    if (knowsBesides(kernel, known.stmt, ofThread) ||
        dependsOn(count.begin, ofBlock, dependents(kernel.body, ofBlock, known.stmt.get())) ||
        dependsOn(count.end, ofThread, dependents(kernel.body, ofThread, known.stmt.get())))
      return Refusal{fmt::format("iterations of {} know which thread does them", known.handle)};
    const Poly thread = atoms.thread(0);
    const affine::Variation rest = atoms.variation(known.first - thread);
    if ((rest.threadAxes & 1) || rest.anyThread)
      return Refusal{fmt::format("{} does not begin at the thread's own number", known.handle)};
    return countFrom(thread);
  }

  // --- loops of one thread

  Obstacle plain() {
    const auto step = signedStep(form.loop.count);
    const auto by = fall.constant();
    if (!step || known.byDistance || !by || *by >= 0) return unknownCount();
    if (const auto last = left.constant()) {
      form.iterations = *last < 0 ? 0 : *last / -*by + 1;
      if (*form.iterations < 2) return Refusal{fmt::format("{} has fewer than two iterations", known.handle)};
      form.count = intLit(*form.iterations, int64());
    } else {
      const ExprPtr value = atoms.isLaunchUniform(left) ? hostValue(launch, model, left) : nullptr;
      if (!value) return unknownCount();
      form.count = plus(over(value, intLit(-*by, int64())), intLit(1, int64()));
      need(hostCondition(launch, model, affine::atLeast0(left)));
    }
    if (isDigit(*step)) return std::nullopt;
    if (Obstacle no = chooseAxis()) return no;
    return countsFurther(*step);
  }

  bool isDigit(int64_t step) {
    if (!form.iterations || *form.iterations > mostDigits) return false;
    form.kind = SpreadKind::Digits;
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (asked.options.axis && unsigned(*asked.options.axis) != axis) continue;
      if ((usedAxes(kernel.body, CoordKind::GridDim) | usedAxes(kernel.body, CoordKind::GlobalSize)) >> axis &
          1)
        continue;
      for (const IterationDigit digit : {IterationDigit::Last, IterationDigit::Middle}) {
        if (digit == IterationDigit::Middle && asked.isFree) continue;
        const IterationPlace place{axis, digit, *form.iterations, int64_t(model.block[axis])};
        IterationIds ids(kernel, {form.loop.count.var.get(), form.loop.count.begin, step}, place);
        auto stand = std::make_shared<Variable>();
        stand->type = int32();
        if (digit == IterationDigit::Last) ids.id = stand;
        if (!ids.flatSums(form.loop.node.body)) continue;
        form.axis = axis;
        form.place = place;
        return true;
      }
    }
    return false;
  }

  // Whether more accesses of the loop lie side by side from iteration to iteration than from thread to
  // thread.
  bool gainsAlongX() const {
    int votes = 0;
    const Poly thread = atoms.thread(0);
    for (const affine::Access& a : model.accesses) {
      if (!model.isGlobal(a) || std::find(a.loops.begin(), a.loops.end(), index) == a.loops.end()) continue;
      const Poly bytes{int64_t(a.bytes)};
      votes += a.address.coefficient(known.counter) == bytes;
      votes -= a.address.coefficient(thread.atoms().front()) == bytes;
    }
    return votes > 0;
  }

  Obstacle chooseAxis() {
    const unsigned used = axesInUse();
    const bool mayBeInFront = asked.isFree && !(used & 4) && !kernel.requiredBlock;
    const bool wantsX = asked.options.axis ? *asked.options.axis == SpreadAxis::X : gainsAlongX();
    if (wantsX && (used & 1) && mayBeInFront) {
      form.kind = SpreadKind::InFront;
      form.axis = 0;
      return std::nullopt;
    }
    form.kind = SpreadKind::OwnAxis;
    for (const unsigned axis : {0, 1, 2}) {
      if ((used >> axis & 1) || (asked.options.axis && unsigned(*asked.options.axis) != axis)) continue;
      form.axis = axis;
      return std::nullopt;
    }
    if (asked.options.axis)
      return Refusal{fmt::format("the kernel uses {} already", "xyz"[unsigned(*asked.options.axis)])};
    return Refusal{"the kernel uses all axes of its grid"};
  }

  // What threads beyond the last iteration count must not wrap, for the loop's condition to leave them out.
  Obstacle countsFurther(int64_t step) {
    const TypePtr& type = form.loop.count.var->type;
    const affine::Requirement ids{left, INT64_MIN, mostAtEnd, "", {}};
    const ExprPtr few = hostRequirement(launch, model, ids);
    if (!few || isFalse(few)) return unknownCount();
    need(few);
    if (step > 0 && step <= 65536) {
      const affine::Requirement ends{
          left + known.first + Poly(step * furtherThreads), INT64_MIN, greatestNumber(*type), "", {}};
      if (const ExprPtr fits = hostRequirement(launch, model, ends); fits && !isFalse(fits)) {
        need(fits);
        return std::nullopt;
      }
    }
    form.countsByCondition = false;
    if (form.iterations) return std::nullopt;
    return Refusal{
        fmt::format("the variable of {} could pass the end of its type in further threads", known.handle)};
  }
};

}  // namespace

ExprPtr resolved(const Kernel& kernel, const ExprPtr& e) {
  constexpr unsigned deepest = 8;
  ExprPtr now = withoutIdCasts(e);
  const std::set<const Variable*> changing = assignedVariables(kernel.body);
  for (unsigned depth = 0; depth < deepest; ++depth) {
    const auto* var = as<VarRef>(now);
    if (!var || changing.contains(var->var.get())) break;
    ExprPtr value;
    walkStmts(kernel.body, [&](const Stmt& s) {
      if (const auto* d = s.as<Declare>(); d && d->var == var->var) value = d->init;
    });
    if (!value) break;
    now = withoutIdCasts(value);
  }
  return now;
}

bool isSteppedByBlock(const Kernel& kernel, const Counted& count) {
  return count.op == BinaryOp::Add && count.step &&
         isCoordinate(resolved(kernel, count.step), CoordKind::BlockDim, 0);
}

ExprPtr flatIdOf(const Kernel& kernel, unsigned axis) {
  if (kernel.language == Language::OpenCL) return coordOf(kernel, CoordKind::GlobalId, axis);
  return plus(times(coordOf(kernel, CoordKind::BlockIdx, axis), coordOf(kernel, CoordKind::BlockDim, axis)),
              coordOf(kernel, CoordKind::ThreadIdx, axis));
}

Result<SpreadForm> spreadForm(const SpreadQuestion& asked, affine::LoopId loop) {
  return FormFinder(asked, loop).find();
}

}  // namespace hone::passes
