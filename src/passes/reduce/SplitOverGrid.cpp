// Several blocks share a loop: a launch that leaves partial sums, and one that adds them up.
#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "ir/Build.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/DeadCode.h"
#include "passes/edit/LoopEdit.h"
#include "passes/launch/RowsOfBlock.h"
#include "passes/reduce/ReductionSplitter.h"

namespace hone::passes {

using namespace ir;

Obstacle ReductionSplitter::overGrid(const LaunchStep& base) {
  const SourceLoc loc = found.loop.loop->loc;
  std::vector<VarPtr> buffers;
  // 1. Partial sums.
  auto first = std::make_shared<Kernel>(*base.kernel);
  Names names(*first);
  const VarPtr thread = makeLocal(names, "thread", int32(), true);
  const ExprPtr threads = named(options.threads, addConstant(*first, {RoleKind::ThreadCount}, options.threads,
                                                             "of a block, which share a loop"));
  const ExprPtr parts = named(
      options.parts, addConstant(*first, {RoleKind::PartCount}, options.parts, "blocks that share a loop"));
  const ExprPtr number =
      plus(times(convert(coordOf(*first, CoordKind::BlockIdx, 2), int32()), threads), ref(thread));
  const VarPtr lane = makeLocal(names, "lane", int32(), true);
  StmtList shared, stores,
      by{makeStmt(
          Comment{fmt::format("The iterations are dealt out to the threads of {} blocks.", options.parts)},
          loc)};
  by.push_back(makeStmt(Declare{lane, number}, loc));
  const AddedSums added = addedSums(found, names);
  append(by, added.declared);
  append(by, dealtOut(added.kernel, names, ref(lane), binary(BinaryOp::Mul, threads, parts), eachOf(*first)));
  append(by,
         together(added.kernel, names, ref(thread), threads, rowsOf(*first), shared, stores, *first, false));
  for (size_t i = 0; i < found.loop.sums.size(); ++i) {
    const Accumulator& sum = added.kernel.loop.sums[i];
    const TypePtr element = sum.var->type->is(TypeKind::Bool) ? int32() : sum.var->type;
    VarPtr param =
        makeParameter(names, found.loop.sums[i].var->name + "_partial", pointerType(element, Space::Global));
    buffers.push_back(param);
    const ExprPtr at = partialAt(*first, base, parts, coordOf(*first, CoordKind::BlockIdx, 2));
    stores.push_back(assign(subscript(ref(param), {at}), convert(ref(sum.var), element), loc));
  }
  by.push_back(makeStmt(If{binary(BinaryOp::Eq, ref(thread), intLit(0)), block(stores), nullptr}, loc));
  first->body =
      withoutUnused(replaceRun(first->body, found.loop.loop, 1 + found.after.size(), by), found.loop.outer);
  // What sums begin with is of no use here.
  first->body = withoutDeadCode(first->body, deadVariables(base.kernel->body));
  moveRows(*first, options.rows, 0);
  StmtList top = shared;
  const unsigned axis = sideBySide() ? 1 : 0;
  top.push_back(makeStmt(Declare{thread, convert(coordOf(*first, CoordKind::ThreadIdx, axis), int32())}));
  prepend(*first, top);
  if (sideBySide())
    if (Obstacle no = sink(*first, added.isSetEverywhere)) return no;
  first->params.insert(first->params.end(), buffers.begin(), buffers.end());
  first->story.push_back(fmt::format(
      "The iterations of the loop over {} are shared by {} blocks, which leave partial results to "
      "a second launch.",
      found.loop.count.var->name, options.parts));
  LaunchStep one = base;
  one.kernel = first;
  one.block = sideBySide() ? blockOf(options.rows, options.threads) : blockOf(options.threads, 1);
  one.grid[2] = intLit(options.parts, uint32());
  // 2. The rest.
  LaunchStep two = base;
  // Many parts are more than one thread should add up.
  const bool isShared = !sideBySide() && options.parts > 32;
  two.kernel = isShared ? restOfBlock(base, buffers) : rest(base, buffers);
  if (isShared) two.block = blockOf(threadsOfRest(), 1);
  const ExprPtr count = times(times(convert(base.grid[0], uint64()), convert(base.grid[1], uint64())),
                              intLit(int64_t{options.rows} * options.parts, uint64()));
  std::vector<Step> steps;
  for (const VarPtr& param : buffers) {
    auto buffer = std::make_shared<Variable>(*param);
    buffer->storage = Storage::Local;
    steps.emplace_back(BufferStep{buffer, count});
    one.args.push_back(ref(VarPtr(buffer)));
    two.args.push_back(ref(VarPtr(buffer)));
  }
  steps.emplace_back(one);
  steps.emplace_back(two);
  out.steps = steps;
  say(fmt::format(
      "the iterations of {} ({}) are shared by {} blocks of {} threads; a second launch adds up their parts",
      found.loop.handle, sumNames(), options.parts, options.threads * options.rows));
  return std::nullopt;
}

ExprPtr ReductionSplitter::partialAt(Kernel& kernel, const LaunchStep& base, const ExprPtr& parts,
                                     const ExprPtr& part) const {
  const bool isFlat = constantValue(base.grid[1]) == std::optional<int64_t>(1);
  const ExprPtr columns = convert(coordOf(kernel, CoordKind::GridDim, 0), uint64());
  ExprPtr row = convert(coordOf(kernel, CoordKind::BlockIdx, 0), uint64());
  if (!isFlat) row = plus(times(convert(coordOf(kernel, CoordKind::BlockIdx, 1), uint64()), columns), row);
  const ExprPtr which = convert(part, uint64());
  if (!sideBySide()) return plus(times(row, convert(parts, uint64())), which);
  const SharedRows rows = rowsOf(kernel);
  const ExprPtr height = convert(rows.count, uint64());
  ExprPtr all = times(columns, height);
  if (!isFlat) all = times(all, convert(coordOf(kernel, CoordKind::GridDim, 1), uint64()));
  return plus(times(which, all), plus(times(row, height), rows.row));
}

StmtPtr ReductionSplitter::overParts(Kernel& second, Names& names, const LaunchStep& base,
                                     const std::vector<VarPtr>& buffers) const {
  const SourceLoc loc = found.loop.loop->loc;
  const ExprPtr parts = named(
      options.parts, addConstant(second, {RoleKind::PartCount}, options.parts, "blocks that shared a loop"));
  const VarPtr part = makeLocal(names, "part", int32());
  StmtList body;
  for (size_t i = 0; i < buffers.size(); ++i) {
    const Accumulator& sum = found.loop.sums[i];
    VarPtr param =
        makeParameter(names, buffers[i]->name, pointerType(buffers[i]->type->element, Space::Global, true));
    second.params.push_back(param);
    const ExprPtr other =
        convert(subscript(ref(param), {partialAt(second, base, parts, ref(part))}), sum.var->type);
    body.push_back(withPart(sum, sum.var, other, loc));
  }
  return countingLoop({.var = part, .end = parts, .body = block(body)}, loc);
}

StmtPtr ReductionSplitter::aboutParts() const {
  return makeStmt(Comment{fmt::format("What the {} blocks of the first launch made of it.", options.parts)},
                  found.loop.loop->loc);
}

KernelPtr ReductionSplitter::rest(const LaunchStep& base, const std::vector<VarPtr>& buffers) const {
  auto second = std::make_shared<Kernel>(*base.kernel);
  Names names(*second);
  const StmtPtr loop = overParts(*second, names, base, buffers);
  second->body = replaceStmt(second->body, found.loop.loop, {aboutParts(), loop});
  moveRows(*second, options.rows, 0);
  second->story.emplace_back("Partial results are put together and used.");
  return second;
}

unsigned ReductionSplitter::threadsOfRest() const { return std::min(256u, std::bit_ceil(options.parts)); }

KernelPtr ReductionSplitter::restOfBlock(const LaunchStep& base, const std::vector<VarPtr>& buffers) const {
  auto second = std::make_shared<Kernel>(*base.kernel);
  Names names(*second);
  const SourceLoc loc = found.loop.loop->loc;
  const VarPtr lane = makeLocal(names, "lane", int32(), true);
  const ExprPtr threads =
      named(threadsOfRest(),
            addConstant(*second, {RoleKind::ThreadCount}, threadsOfRest(), "of a block, which share a loop"));
  ReductionKernel parts = found;
  parts.iterations = nullptr;
  parts.loop.node = *as<For>(overParts(*second, names, base, buffers));
  parts.loop.loop = makeStmt(parts.loop.node, loc);
  parts.loop.count = *counted(parts.loop.node);
  StmtList shared, last, by{aboutParts()};
  const AddedSums added = addedSums(parts, names);
  append(by, added.declared);
  append(by, dealtOut(added.kernel, names, ref(lane), threads));
  append(by,
         together(added.kernel, names, ref(lane), threads, {}, shared, last, *second, storesWhatWasRead()));
  append(last, added.joined);
  append(last, found.after);
  by.push_back(makeStmt(If{binary(BinaryOp::Eq, ref(lane), intLit(0)), block(last), nullptr}, loc));
  second->body =
      withoutUnused(replaceRun(second->body, found.loop.loop, 1 + found.after.size(), by), found.loop.outer);
  moveRows(*second, options.rows, 0);
  shared.push_back(makeStmt(Declare{lane, convert(coordOf(*second, CoordKind::ThreadIdx, 0), int32())}));
  prepend(*second, shared);
  second->story.emplace_back("Partial results are put together by a block and used.");
  return second;
}

}  // namespace hone::passes
