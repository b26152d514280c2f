#include "passes/loops/RotateLoop.h"

#include <fmt/core.h>

#include <algorithm>

#include "affine/Relation.h"
#include "ir/Build.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/Names.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/Candidate.h"
#include "passes/host/PlanEdit.h"
#include "passes/launch/FixBlock.h"
#include "passes/reduce/ReductionLoop.h"

namespace hone::passes {

using namespace ir;

namespace {

// Iterations that cover one memory partition: the loads of the loop move by so many bytes an iteration at
// most.
int64_t widthFor(const affine::KernelModel& model, const ReductionLoop& loop, const target::Target& target) {
  const int64_t bytes = target.partitionBytes ? target.partitionBytes : 256;
  int64_t perIteration = 0;
  const affine::AtomId counter = model.loops[loop.index].counter;
  for (const affine::Access& a : model.accesses) {
    if (std::find(a.loops.begin(), a.loops.end(), loop.index) == a.loops.end() || !model.isGlobal(a))
      continue;
    const auto stride = a.address.coefficient(counter).constant();
    if (stride && *stride > 0 && *stride <= bytes) perIteration = std::max(perIteration, *stride);
  }
  return perIteration ? std::max<int64_t>(1, bytes / perIteration) : 1;
}

// Whether blocks along an axis read different memory in the loop.
bool differsAlong(const affine::KernelModel& model, const ReductionLoop& loop, unsigned axis) {
  return std::any_of(model.accesses.begin(), model.accesses.end(), [&](const affine::Access& a) {
    return std::find(a.loops.begin(), a.loops.end(), loop.index) != a.loops.end() && model.isGlobal(a) &&
           (model.atoms->variation(a.address).blockAxes >> axis & 1);
  });
}

struct Rotation {
  ReductionLoop loop;
  ExprPtr iterations;
  unsigned axis = 0;
  int64_t width = 1;
};

ExprPtr withoutCast(ExprPtr e) {
  while (const auto* cast = as<Cast>(e)) e = cast->operand;
  return e;
}

StmtList rewritten(Kernel& kernel, const Rotation& r) {
  const auto* loop = &r.loop.node;
  const Counted& c = r.loop.count;
  const SourceLoc loc = r.loop.loop->loc;
  const std::string name = c.var->name;
  Names names(kernel);
  const ExprPtr width =
      named(r.width, addConstant(kernel, {RoleKind::RotationWidth}, r.width,
                                 "iterations between the first ones of neighbouring blocks"));
  const TypePtr type = r.iterations->type;
  StmtList out;
  out.push_back(
      makeStmt(Comment{fmt::format("Blocks begin at different iterations and wrap round at the end: "
                                   "neighbours then read from different "
                                   "memory\npartitions. The order of the {} changes.",
                                   r.loop.sums.size() == 1 ? str(r.loop.sums.front().how) : "sums")},
               loc));
  ExprPtr iterations = r.iterations;
  if (!as<VarRef>(withoutCast(iterations)) && !constantValue(iterations)) {
    const VarPtr held = makeLocal(names, name + "_iterations", type, true);
    out.push_back(makeStmt(Declare{held, iterations}, loc));
    iterations = ref(held);
  }
  // The first iteration of this block, counted from the loop's begin.
  const ExprPtr block =
      coord(CoordKind::BlockIdx, r.axis, kernel.language == Language::OpenCL ? uint64() : uint32());
  const TypePtr wide = type->bits == 64 ? uint64() : uint32();
  const ExprPtr offset =
      remainder(times(convert(block, wide), convert(width, wide)), convert(iterations, wide));
  const ExprPtr isSome = binary(BinaryOp::Gt, iterations, intLit(0, type));
  const VarPtr first = makeLocal(names, name + "_first", type, true),
               left = makeLocal(names, name + "_left", type, true);
  out.push_back(
      makeStmt(Declare{first, makeExpr(type, Select{isSome, convert(offset, type), intLit(0, type)})}, loc));
  out.push_back(makeStmt(Declare{left, minus(iterations, ref(first))}, loc));
  // iteration < left ? iteration + first : iteration - left stays below the number of iterations whatever
  // that is.
  const VarPtr iteration = makeLocal(names, name + "_iteration", type);
  const ExprPtr at =
      makeExpr(type, Select{HONE_SEED(RotateWrapLate, binary(BinaryOp::Lt, ref(iteration), ref(left)),
                                      binary(BinaryOp::Le, ref(iteration), ref(left))),
                            plus(ref(iteration), ref(first)), minus(ref(iteration), ref(left))});
  auto var = std::make_shared<Variable>(*c.var);
  var->isConst = true;
  StmtList body{makeStmt(Declare{var, valueOfIteration(c, at)}, loc)};
  const StmtPtr rest = substituted(loop->body, {{c.var, ref(VarPtr(var))}});
  const auto* stmts = as<Block>(rest);
  body.insert(body.end(), stmts->stmts.begin(), stmts->stmts.end());
  For turned = *loop;
  turned.init = {makeStmt(Declare{iteration, intLit(0, type)})};
  turned.cond = binary(BinaryOp::Lt, ref(iteration), iterations);
  turned.step = {makeStmt(Assign{ref(iteration), BinaryOp::Add, convert(intLit(1), promoted(type)), true})};
  turned.body = ir::block(body);
  out.push_back(makeStmt(turned, loc));
  return out;
}

}  // namespace

std::vector<std::string> loopsToRotate(const LaunchStep& launch, PassContext& context) {
  const auto block = fixedBlock(launch).value_or(context.block);
  const affine::KernelModel& model = context.facts.of(launch.kernel, block).model();
  std::vector<std::string> out;
  for (const affine::LoopId l : model.loops.ids())
    if (model.loops[l].parent.isNone() && reductionLoop(model, l)) out.push_back(model.loops[l].handle);
  return out;
}

LaunchResult rotateLoop(const LaunchStep& original, const RotateLoopOptions& options, PassContext& context) {
  const KernelPtr plain = withDistinctStatements(structured(original.kernel));
  const auto block = fixedBlock(original).value_or(context.block);
  const affine::KernelModel& model = context.facts.of(plain, block).model();
  const std::vector<LoopHandle> loops = handles(*plain).loops;
  // 1. Decide: the loop, whether any order will do, how far blocks lie apart.
  const std::vector<std::string>& wanted = options.loops;
  if (wanted.size() > 1) return Refusal{"rotate-loop turns one loop at a time"};
  if (!wanted.empty())
    if (const auto at = findLoop(loops, wanted.front()); !at) return at.refusal();
  Rotation r;
  bool isFound = false;
  Obstacle first;
  for (const affine::LoopId l : model.loops.ids()) {
    if (isFound) break;
    if (wanted.empty() ? model.loops[l].parent.isSome() : model.loops[l].handle != wanted.front()) continue;
    auto one = reductionLoop(model, l);
    isFound = bool(one);
    if (one) r.loop = *std::move(one);
    if (!isFound && !first) first = one.refusal();
  }
  if (!isFound) return first ? *first : Refusal{"it has no loop"};
  const SourceLoc where = r.loop.loop->loc;
  if (!mentions(r.loop.node.body, r.loop.count.var.get()))
    return Refusal{fmt::format("what {} does in an iteration does not depend on {}", r.loop.handle,
                               r.loop.count.var->name),
                   where};
  if (const Accumulator* sum = r.loop.inexact(); sum && !context.reassociate)
    return Refusal{fmt::format("the order of the {} {} would change; pass --reassociate to permit it",
                               str(sum->how), sum->var->name),
                   where};
  r.iterations = signedStep(r.loop.count) ? iterationsOf(model, r.loop) : nullptr;
  if (!r.iterations)
    return Refusal{fmt::format("{} does not count by a number, or its iterations could be too many to count",
                               r.loop.handle),
                   where};
  if (options.axis) {
    r.axis = static_cast<unsigned>(*options.axis);
  } else {
    for (unsigned a : {2u, 1u, 0u})
      if (differsAlong(model, r.loop, a)) r.axis = a;
  }
  r.width = options.width.value_or(widthFor(model, r.loop, context.target));
  // 2. Rewrite. A kernel about which facts are kept must not change.
  auto kernel = std::make_shared<Kernel>(*plain);
  const StmtList by = rewritten(*kernel, r);
  kernel->body = withoutUnused(replaceStmt(kernel->body, r.loop.loop, by), r.loop.outer);
  kernel->story.push_back(fmt::format(
      "Blocks begin the loop over {} at different iterations, so that neighbours read from different memory "
      "partitions.",
      r.loop.count.var->name));
  LaunchResult result{original, nullptr, {}};
  result.launch->kernel = kernel;
  result.remarks.push_back(
      {RemarkKind::Done, where, kernel->name,
       fmt::format("rotated {}: each block along {} begins {} iteration{} after its neighbour", r.loop.handle,
                   "xyz"[r.axis], r.width, r.width == 1 ? "" : "s")});
  return result;
}

namespace {

std::vector<Recipe> proposeRotation(const Candidate& candidate) {
  if (!candidate.target().partitions || !candidate.estimate.camps || !candidate.hasLoops()) return {};
  return {{{rotateLoopPass()()}}};
}

}  // namespace

const PassOf<RotateLoopOptions>& rotateLoopPass() {
  static const PassOf<RotateLoopOptions> pass =
      PassOf<RotateLoopOptions>("rotate-loop",
                                "Each block begins a sum at an iteration of its own and wraps round, so that "
                                "neighbouring blocks read from different memory partitions.",
                                rotateLoop)
          .names(&RotateLoopOptions::loops, "<loop>", ParameterKind::Loops,
                 "a loop by its handle (L1); none: the first outermost one whose iterations may be reordered",
                 valuesFrom(loopsToRotate))
          .number(&RotateLoopOptions::width, "width",
                  "iterations between neighbouring blocks; without it those that cover a partition")
          .word(&RotateLoopOptions::axis, "axis", {"x", "y", "z"},
                "x, y or z: which neighbours; without it the first along which the loop's loads differ")
          .proposes({Level::Order, 20, proposeRotation});
  return pass;
}

}  // namespace hone::passes
