#include "passes/reduce/SplitIterations.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/Compare.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/edit/ThreadEffects.h"
#include "passes/host/HostConditions.h"
#include "passes/reduce/PartialSums.h"

namespace hone::passes {

using namespace ir;

namespace {

bool isQuiet(const StmtPtr& s) {
  if (s->is<Comment>()) return true;
  const auto* node = as<Block>(s);
  return node && std::all_of(node->stmts.begin(), node->stmts.end(), isQuiet);
}

// `const float* x = a + row * n;`: another name for elements of memory that every thread may have.
bool namesElements(const StmtPtr& s) {
  const auto* d = as<Declare>(s);
  const auto* address = d && d->init ? as<AddressOf>(withoutCasts(d->init)) : nullptr;
  const auto* element = address ? as<Subscript>(address->place) : nullptr;
  return element && element->base->type->isPointer() &&
         sameType(element->base->type->element, d->var->type->element) &&
         element->base->type->space != Space::Shared;
}

Obstacle effectBefore(const StmtPtr& s) {
  if (namesElements(s)) return std::nullopt;
  switch (effectOf(s)) {
    case Effect::None: return std::nullopt;
    case Effect::Stores: return Refusal{"something is stored before the loop"};
    case Effect::TakesAddress: return Refusal{"a pointer into an array is made before the loop"};
    case Effect::Other: break;
  }
  return Refusal{"threads do more than compute before the loop"};
}

// The way from the body down to the block of the loop: ifs alone, and nothing behind them.
Obstacle checkWay(const StmtPtr& s, const StmtPtr& loop, ReductionKernel& out) {
  const auto* node = as<Block>(s);
  if (!node) return Refusal{"internal: a body is no block; please report"};
  for (size_t i = 0; i < node->stmts.size(); ++i) {
    const StmtPtr& one = node->stmts[i];
    const auto at = node->stmts.begin() + static_cast<std::ptrdiff_t>(i);
    if (one == loop) {
      out.before.assign(node->stmts.begin(), at);
      out.after.assign(at + 1, node->stmts.end());
      return std::nullopt;
    }
    bool isHere = false;
    walkStmts(one, [&](const Stmt& below) { isHere |= &below == loop.get(); });
    if (!isHere) {
      if (Obstacle no = effectBefore(one)) return no;
      continue;
    }
    if (!std::all_of(at + 1, node->stmts.end(), isQuiet))
      return Refusal{"the kernel goes on behind the block that the loop stands in"};
    const auto* choice = as<If>(one);
    if (!choice && one->is<Block>()) return checkWay(one, loop, out);
    if (!choice) return Refusal{"the loop stands inside another one"};
    bool inThen = false;
    walkStmts(choice->then, [&](const Stmt& below) { inThen |= &below == loop.get(); });
    const StmtPtr& other = inThen ? choice->otherwise : choice->then;
    if (other && hasEffect(other))
      return Refusal{"the other branch of an if around the loop stores something"};
    return checkWay(inThen ? choice->then : choice->otherwise, loop, out);
  }
  return Refusal{"internal: the loop is not where it was; please report"};
}

bool beginsNeutral(const ReductionKernel& kernel, const Accumulator& sum, const ExprPtr& neutral) {
  for (auto s = kernel.before.rbegin(); s != kernel.before.rend(); ++s) {
    const auto* d = as<Declare>(*s);
    if (d && d->var == sum.var) {
      if (!d->init) return false;
      if (sum.var->type->isFloating()) {
        ExprPtr init = d->init;
        while (const auto* cast = as<Cast>(init)) init = cast->operand;
        const auto* number = as<FloatLiteral>(init);
        const auto whole = init->type->isInteger() ? constantValue(init) : std::nullopt;
        const double wanted = sum.how == Combine::Mul ? 1 : 0;
        return number ? number->value == wanted : whole && static_cast<double>(*whole) == wanted;
      }
      const auto a = constantValue(d->init), b = constantValue(neutral);
      return a && b && *a == *b;
    }
    if (assignedVariables(*s).contains(sum.var.get())) return false;
  }
  return false;
}

Refusal uncounted(const ReductionLoop& loop) {
  return Refusal{fmt::format("{} does not count by a number, or its iterations could be too many to count",
                             loop.handle)};
}

// Without conversions that keep numbers of 31 bits as they are.
ExprPtr withoutWideCasts(ExprPtr e) {
  for (const auto* cast = as<Cast>(e); cast && e->type->isInteger() && e->type->bits >= 32 &&
                                       cast->operand->type->isInteger() && cast->operand->type->bits >= 32;
       cast = as<Cast>(e))
    e = cast->operand;
  return e;
}

// Threads along an axis of the original launch, in 64 bits.
bool isThreadCount(const ExprPtr& e) {
  const auto* product = as<Binary>(e);
  if (!product || product->op != BinaryOp::Mul || e->type->bits != 64) return false;
  const auto* a = as<Coord>(withoutWideCasts(product->lhs));
  const auto* b = as<Coord>(withoutWideCasts(product->rhs));
  return a && b && a->kind == CoordKind::GridDim && b->kind == CoordKind::BlockDim && a->axis == b->axis;
}

// 0 or more whatever the launch.
bool isNonNegative(const ExprPtr& e) { return !e->type->isSigned || isThreadCount(e); }

// How many elements apart threads begin that know their first value to be below the step, as where the
// threads of a launch share an array; 0: they do not.
int64_t beginsBelowStep(const affine::KernelModel& model, const affine::Loop& known, affine::LoopId index) {
  const affine::Poly distance = known.step - affine::Poly(1) - known.first;
  for (const affine::Access& a : model.accesses) {
    if (std::find(a.loops.begin(), a.loops.end(), index) == a.loops.end()) continue;
    std::vector<affine::CondPtr> parts{a.guard};
    if (a.guard->kind == affine::CondKind::And) parts = a.guard->parts;
    for (const affine::CondPtr& part : parts)
      for (int64_t apart = 1; apart <= 16 && part->kind == affine::CondKind::AtLeast0; ++apart)
        if (part->value * affine::Poly(apart) + affine::Poly(apart - 1) == distance) return apart;
    return 0;
  }
  return 0;
}

// A loop whose step the host knows: out.iterationsLimit keeps sums of steps within their type, out.iterations
// counts where that cannot be said.
Obstacle countBySteps(ReductionKernel& out, const LaunchStep& launch, const affine::KernelModel& model,
                      int64_t ways, int64_t longestStep) {
  const Counted& c = out.loop.count;
  const affine::Loop& known = model.loops[out.loop.index];
  const ExprPtr step = onHost(launch, c.step).value, iterations = iterationsOf(model, out.loop);
  if (!iterations) return uncounted(out.loop);
  if (!step) return Refusal{fmt::format("the step of {} is not known before the launch", out.loop.handle)};
  // The casts of a number that is small keep it.
  const ExprPtr value = withoutWideCasts(simplified(step));
  auto test = [&](BinaryOp op, const ExprPtr& e, int64_t number) {
    const ExprPtr one = simplified(binary(op, e, intLit(number, e->type)));
    if (!isTrue(one)) out.iterationsLimit = andAlso(out.iterationsLimit, one);
  };
  const bool isPerThread = model.atoms->variation(known.first).threadAxes != 0;
  int64_t longest = isPerThread ? longestStep : int64_t{1} << 20;
  while (longest > 1 && longest * (ways + 2) > int64_t{1} << 30) longest /= 2;
  const auto begin = constantValue(c.begin);
  const bool isSmall = begin && *begin >= 0 && *begin <= 65536;
  const int64_t apart = beginsBelowStep(model, known, out.loop.index);
  const bool isBelow = apart && model.atoms->range(known.first).low >= 0;
  const unsigned bits = c.end->type->bits;
  const ExprPtr end = bits == 32 ? onHost(launch, c.end).value : c.end;
  if (!isNonNegative(value)) test(BinaryOp::Gt, value, 0);
  if ((isSmall || isBelow) && end && c.var->type->bits == bits && (bits == 32 || bits == 64)) {
    test(BinaryOp::Le, value, longest);
    // So few threads that no multiple of their number wraps.
    if (!isSmall && (apart > 1 || !isThreadCount(value)))
      test(BinaryOp::Le, convert(launch.grid[0], int64()), std::max<int64_t>(1, longest / model.block[0]));
    if (bits == 32) test(BinaryOp::Le, end, INT32_MAX - longest * (ways + 2));
    return std::nullopt;
  }
  if (isNonNegative(value)) test(BinaryOp::Gt, value, 0);
  test(BinaryOp::Le, value, isPerThread ? longestStep : INT32_MAX);
  out.iterations = convert(iterations, int64());
  return std::nullopt;
}

// What may stand behind shuffles and in shared memory.
Obstacle oddSum(const ReductionLoop& loop) {
  for (const Accumulator& sum : loop.sums)
    if (!sum.var->type->isArithmetic() || sum.var->type->is(TypeKind::BFloat) ||
        (sum.var->type->isFloating() && sum.var->type->bits == 16))
      return Refusal{fmt::format("{} is no plain number", sum.var->name), loop.loop->loc};
  return std::nullopt;
}

// How the iterations of a loop whose step is a number are counted without passing the end of a type.
Obstacle countByNumber(ReductionKernel& out, const LaunchStep& launch, const affine::KernelModel& model,
                       int64_t ways) {
  const SourceLoc& where = out.loop.loop->loc;
  const Counted& c = out.loop.count;
  const auto begin = constantValue(c.begin), step = signedStep(c);
  const ExprPtr iterations = iterationsOf(model, out.loop);
  if (!iterations) return Refusal{uncounted(out.loop).reason, where};
  const bool isPlain = begin && *begin >= 0 && *begin <= 65536 && *step > 0 && *step <= 65536;
  if (isPlain && c.var->type->bits == 64 && c.end->type->bits == 64) return std::nullopt;
  if (isPlain && c.var->type->bits == 32 && c.end->type->bits == 32) {
    const int64_t most = (c.end->type->isSigned && c.var->type->isSigned ? INT32_MAX : int64_t{INT32_MAX}) -
                         (ways + 1) * *step;
    if (ExprPtr end = onHost(launch, c.end).value) {
      out.iterationsLimit = simplified(binary(BinaryOp::Le, end, intLit(most, c.end->type)));
      if (isTrue(out.iterationsLimit)) out.iterationsLimit = nullptr;
      return std::nullopt;
    }
  }
  out.iterations = convert(iterations, int64());
  return std::nullopt;
}

}  // namespace

bool isNumber(const ExprPtr& e, int64_t value) { return constantValue(e) == std::optional(value); }

Result<ReductionKernel> reductionKernel(const LaunchStep& launch, const affine::KernelModel& model,
                                        affine::LoopId loop, int64_t ways, int64_t longestStep) {
  Result<ReductionLoop> reduction = loopWithPlaces(model, loop);
  if (!reduction) return reduction.refusal();
  ReductionKernel out;
  out.loop = *std::move(reduction);
  const SourceLoc& where = out.loop.loop->loc;
  // Kernels with shared memory have been refused before.
  if (!out.loop.tiles.empty()) return unexpected("shared memory in a loop that is split", where);
  if (Obstacle no = oddSum(out.loop)) return *no;
  if (Obstacle no = checkWay(launch.kernel->body, out.loop.loop, out)) return Refusal{no->reason, where};
  if (!signedStep(out.loop.count)) {
    if (Obstacle no = countBySteps(out, launch, model, ways, longestStep)) return Refusal{no->reason, where};
    return out;
  }
  if (Obstacle no = countByNumber(out, launch, model, ways)) return *no;
  return out;
}

Result<ReductionKernel> countedLoop(const LaunchStep& launch, const affine::KernelModel& model,
                                    const ReductionLoop& loop, int64_t ways) {
  ReductionKernel out;
  out.loop = loop;
  if (Obstacle no = oddSum(loop)) return *no;
  if (!signedStep(loop.count)) return Refusal{uncounted(loop).reason, loop.loop->loc};
  if (Obstacle no = countByNumber(out, launch, model, ways)) return *no;
  return out;
}

namespace {

// A loop that does iterations of `dealt`, given by `var`, side by side, and a second one for what is left of
// the last of them. `inIteration` makes the statements of an iteration from the value of its variable,
// `withVar` those of one whose value a variable holds.
struct IterationMaker {
  std::function<StmtList(const ExprPtr&)> inIteration;
  std::function<StmtList(const VarPtr&)> withVar;
};
StmtList sideBySide(const For& dealt, const VarPtr& var, const ExprPtr& step, const ExprPtr& each,
                    Names& names, SourceLoc loc, const IterationMaker& make) {
  const VarPtr next = makeLocal(names, var->name + "_next", var->type), one = makeLocal(names, "e", int32());
  const auto* first = as<Declare>(dealt.init[0]);
  const auto* stride = as<Assign>(dealt.step[0]);
  auto behind = [&](const ExprPtr& iterations) {
    const ExprPtr distance = isNumber(step, 1) ? iterations : binary(BinaryOp::Mul, iterations, step);
    return convert(plus(ref(next), distance), var->type);
  };
  const ExprPtr last = simplified(minus(each, intLit(1)));
  For wide;
  wide.cond = substituted(dealt.cond, {{var, behind(HONE_SEED(SplitEachTooFar, last, intLit(0)))}});
  wide.step = {makeStmt(Assign{ref(next), BinaryOp::Add, stride->value}, loc)};
  const StmtPtr inner = block(freshCopy(make.inIteration(behind(ref(one)))));
  wide.body = block({countingLoop({.var = one, .end = each, .body = inner, .unroll = -1}, loc)});
  const VarPtr left = std::make_shared<Variable>(*var);
  For rest;
  rest.init = {makeStmt(Declare{left, ref(next)}, loc)};
  rest.cond = substituted(dealt.cond, {{var, ref(left)}});
  rest.step = {isNumber(step, 1) ? makeStmt(Assign{ref(left), BinaryOp::Add, intLit(1, var->type), true}, loc)
                                 : makeStmt(Assign{ref(left), BinaryOp::Add,
                                                   convert(step, usualArithmetic(var->type, step->type))},
                                            loc)};
  rest.body = block(freshCopy(make.withVar(left)));
  return {
      makeStmt(Comment{"Iterations side by side; the second loop does what is left of the last ones."}, loc),
      makeStmt(Declare{next, first->init}, loc), makeStmt(wide, loc), makeStmt(rest, loc)};
}

}  // namespace

AddedSums addedSums(const ReductionKernel& kernel, Names& names) {
  AddedSums out{kernel, {}, {}};
  const SourceLoc loc = kernel.loop.loop->loc;
  Renaming added;
  for (Accumulator& sum : out.kernel.loop.sums) {
    const ExprPtr neutral = neutralValue(sum, sum.var->type);
    if (!neutral) out.isSetEverywhere = false;
    if (!neutral || beginsNeutral(kernel, sum, neutral)) continue;
    const VarPtr whole = sum.var;
    sum.var = makeLocal(names, kernel.loop.sums.size() == 1 ? "added" : whole->name + "_added", whole->type);
    added.by[whole.get()] = sum.var;
    out.declared.push_back(
        makeStmt(Declare{sum.var, HONE_SEED(SplitCountsStartTwice, neutral, ref(whole))}, loc));
    out.joined.push_back(withPart(sum, whole, ref(sum.var), loc));
  }
  out.kernel.loop.node.body = added.rewriteBlock(kernel.loop.node.body);
  return out;
}

StmtList dealtOut(const ReductionKernel& kernel, Names& names, const ExprPtr& thread, const ExprPtr& ways,
                  const ExprPtr& each) {
  const auto* loop = &kernel.loop.node;
  const Counted& c = kernel.loop.count;
  const SourceLoc loc = kernel.loop.loop->loc;
  StmtList out;
  // The value of the variable in an iteration, and the statements of the iteration.
  auto inIteration = [&](const ExprPtr& value) {
    auto var = std::make_shared<Variable>(*c.var);
    var->isConst = true;
    StmtList body{makeStmt(Declare{var, value}, loc)};
    const StmtPtr rest = substituted(loop->body, {{c.var, ref(VarPtr(var))}});
    const auto* stmts = as<Block>(rest);
    body.insert(body.end(), stmts->stmts.begin(), stmts->stmts.end());
    return body;
  };
  const ExprPtr groups = each ? binary(BinaryOp::Mul, thread, each) : thread;
  const ExprPtr apart = each ? binary(BinaryOp::Mul, ways, each) : ways;
  For dealt = *loop;
  if (!kernel.iterations) {
    const TypePtr type = c.var->type;
    auto steps = [&](const ExprPtr& count) {
      const auto step = signedStep(c);
      if (!step) return binary(BinaryOp::Mul, count, c.step);
      return *step == 1 ? count : binary(BinaryOp::Mul, count, intLit(*step, count->type));
    };
    const ExprPtr first = convert(plus(c.begin, steps(groups)), type);
    const ExprPtr stride = convert(steps(apart), usualArithmetic(type, apart->type));
    dealt.init = {makeStmt(Declare{c.var, first}, loc)};
    dealt.step = {
        makeStmt(Assign{ref(c.var), BinaryOp::Add,
                        HONE_SEED(SplitWrongStride, stride, minus(stride, intLit(1, stride->type)))})};
    if (!each) {
      out.push_back(makeStmt(dealt, loc));
      return out;
    }
    const auto number = signedStep(c);
    const ExprPtr step = number ? intLit(*number) : c.step;
    auto withVar = [&](const VarPtr& left) {
      const StmtPtr rest = substituted(loop->body, {{c.var, ref(left)}});
      return as<Block>(rest)->stmts;
    };
    for (const StmtPtr& s : sideBySide(dealt, c.var, step, each, names, loc, {inIteration, withVar}))
      out.push_back(s);
    return out;
  }
  // By the number of the iteration, 64 bits wide.
  const VarPtr iteration = makeLocal(names, c.var->name + "_iteration", int64()),
               count = makeLocal(names, c.var->name + "_iterations", int64(), true);
  out.push_back(makeStmt(Declare{count, kernel.iterations}, loc));
  dealt.init = {makeStmt(Declare{iteration, convert(groups, int64())})};
  dealt.cond = binary(BinaryOp::Lt, ref(iteration), ref(count));
  dealt.step = {makeStmt(Assign{ref(iteration), BinaryOp::Add, convert(apart, int64())})};
  dealt.body = block(inIteration(valueOfIteration(c, ref(iteration))));
  if (!each) {
    out.push_back(makeStmt(dealt, loc));
    return out;
  }
  auto ofNumber = [&](const ExprPtr& number) { return inIteration(valueOfIteration(c, number)); };
  auto ofVar = [&](const VarPtr& left) { return ofNumber(ref(left)); };
  for (const StmtPtr& s : sideBySide(dealt, iteration, intLit(1), each, names, loc, {ofNumber, ofVar}))
    out.push_back(s);
  return out;
}

}  // namespace hone::passes
