// 1. The kernel gets blocks of few pieces of work (block(x=…)), each piece one old thread.
// 2. Each old thread becomes a warp, a block, or several blocks: they do everything up to the loop alike,
// share its iterations, and put the partial
//    sums together; what follows is done by one of them.
#include "passes/reduce/ReductionSplitter.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/Cooperation.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SimplifyUnder.h"
#include "passes/guards/SinkGuards.h"
#include "passes/launch/RowsOfBlock.h"
#include "passes/merge/MergeThreads.h"

namespace hone::passes {

using namespace ir;

namespace {

// Whether a statement does nothing but write to shared memory, which is there for partial sums alone.
bool fillsParts(const StmtPtr& s) {
  if (const auto* list = as<Block>(s))
    return !list->stmts.empty() && std::all_of(list->stmts.begin(), list->stmts.end(), fillsParts);
  if (const auto* choice = as<If>(s)) return !choice->otherwise && fillsParts(choice->then);
  const auto* set = as<Assign>(s);
  const VarPtr root = set ? rootVariable(set->place) : nullptr;
  return root && root->space == Space::Shared;
}

}  // namespace

Result<Split> ReductionSplitter::run() {
  if (const Obstacle no = obstacleToSharing(*launch.kernel, context.reassociate)) return Refusal{no->reason};
  LaunchResult base = withRows(launch, options.rows, context);
  if (base.refusal) return *base.refusal;
  const KernelPtr kernel = base.launch->kernel;
  if (options.over == SplitOver::Grid && usedAxes(kernel->body, CoordKind::BlockIdx) & 4)
    return Refusal{"its grid has three axes, which leaves none for the blocks that share a loop"};
  const affine::KernelModel& model = context.facts.of(kernel, {options.rows, 1, 1}).model();
  const bool mayShareRow = options.loop.empty() && options.over != SplitOver::Grid;
  const bool isRowFirst = mayShareRow && isRow(model);
  Obstacle ofRow;
  if (options.keep || options.fuse) {
    if (!isRowFirst)
      return Refusal{fmt::format("{} is for rows that several loops walk, one thread each",
                                 options.keep ? "keep" : "fuse")};
    if ((ofRow = shareRow(base, model))) return *ofRow;
    return std::move(out);
  }
  if (isRowFirst) {
    ofRow = shareRow(base, model);
    if (!ofRow) return std::move(out);
  }
  if (Obstacle no = find(*base.launch, model)) {
    if (isRowFirst) return *ofRow;
    if (!mayShareRow || shareRow(base, model)) return *no;
    return std::move(out);
  }
  // The loop alone, whose other threads then wait for what the first does behind it.
  if (ofRow)
    out.remarks.push_back(
        {RemarkKind::Note, ofRow->place, launch.kernel->name,
         fmt::format("{} alone is shared, not the whole row: {}", found.loop.handle, ofRow->reason)});
  if (const Accumulator* sum = found.loop.inexact(); sum && !context.reassociate)
    return Refusal{fmt::format("the order of the {} {} would change; pass --reassociate to permit it",
                               str(sum->how), sum->var->name),
                   found.loop.loop->loc};
  out.condition = simplifiedUnder(conjuncts(found.iterationsLimit), base.condition);
  out.condition = andAlso(out.condition, found.iterationsLimit);
  if (isTrue(out.condition)) out.condition = nullptr;
  if (Obstacle no = options.over == SplitOver::Grid ? overGrid(*base.launch) : withinBlock(*base.launch))
    return *no;
  if (options.wide > 1)
    if (Obstacle no = widen()) return *no;
  return std::move(out);
}

Obstacle ReductionSplitter::find(const LaunchStep& base, const affine::KernelModel& model) {
  if (model.loops.empty()) return Refusal{"it has no loop"};
  if (!options.loop.empty())
    if (const auto at = findLoop(handles(*base.kernel).loops, options.loop); !at) return at.refusal();
  Obstacle first;
  for (const affine::LoopId l : model.loops.ids()) {
    if (options.loop.empty() ? model.loops[l].parent.isSome() : model.loops[l].handle != options.loop)
      continue;
    auto one = reductionKernel(base, model, l, ways() * options.each, mostThreads());
    if (one && options.over == SplitOver::Grid) {
      const auto& sums = one->loop.sums;
      const auto placed =
          std::find_if(sums.begin(), sums.end(), [](const Accumulator& s) { return s.where; });
      if (placed != sums.end())
        one = Refusal{
            fmt::format("{} keeps where {} was found, which blocks do not put together; over=warp and "
                        "over=block do",
                        one->loop.handle, placed->var->name),
            one->loop.loop->loc};
    }
    if (one) {
      found = *std::move(one);
      return std::nullopt;
    }
    if (!first) first = one.refusal();
  }
  return first;
}

int64_t ReductionSplitter::mostThreads() const {
  const auto held =
      static_cast<uint64_t>(context.target.multiprocessors) * context.target.threadsPerMultiprocessor;
  return static_cast<int64_t>(
      std::bit_floor(std::max<uint64_t>(1024, 8 * held / static_cast<uint64_t>(ways()))));
}

bool ReductionSplitter::storesWhatWasRead() const {
  std::set<const Variable*> read;
  auto note = [&](const Stmt& s) {
    for (const ir::Access& a : accesses(s))
      if (const VarPtr root = rootVariable(a.place)) read.insert(root.get());
  };
  for (const StmtPtr& s : found.before) walkStmts(s, note);
  walkStmts(found.loop.loop, note);
  bool isStored = false;
  for (const StmtPtr& s : found.after)
    walkStmts(s, [&](const Stmt& one) {
      for (const ir::Access& a : accesses(one)) {
        if (a.mode == AccessMode::Read) continue;
        const VarPtr root = rootVariable(a.place);
        // Another name may stand for the same memory.
        const bool isAlone = storageOf(*a.place) || context.assumeNoalias || (root && root->type->isRestrict);
        isStored |= !isAlone || (root && read.contains(root.get()));
      }
    });
  return isStored;
}

std::string ReductionSplitter::sumNames() const {
  std::string list;
  for (const Accumulator& sum : found.loop.sums)
    for (const VarPtr& var : {sum.var, sum.where})
      if (var) list += (list.empty() ? "" : ", ") + var->name;
  return list;
}

Obstacle ReductionSplitter::withinBlock(const LaunchStep& base) {
  auto kernel = std::make_shared<Kernel>(*base.kernel);
  Names names(*kernel);
  const bool isWarp = options.over == SplitOver::Warp, isAside = sideBySide();
  const SourceLoc loc = found.loop.loop->loc;
  const VarPtr lane = makeLocal(names, "lane", int32(), true);
  const ExprPtr ways =
      named(options.threads,
            addConstant(*kernel, {isWarp ? RoleKind::LaneCount : RoleKind::ThreadCount}, options.threads,
                        isWarp ? "of a warp, which share a loop" : "of a block, which share a loop"));
  const std::string whom = fmt::format("{}{} {}", isAside ? "" : "the ", options.threads,
                                       isWarp    ? "lanes of a warp"
                                       : isAside ? "threads of a block"
                                                 : "threads of the block");
  StmtList shared, last,
      by{makeStmt(Comment{fmt::format(
                      "The iterations are dealt out to {}, which then put their parts together.", whom)},
                  loc)};
  const AddedSums added = addedSums(found, names);
  append(by, added.declared);
  append(by, dealtOut(added.kernel, names, ref(lane), ways, eachOf(*kernel)));
  append(by, isWarp ? overWarp(added.kernel, names, ways)
                    : together(added.kernel, names, ref(lane), ways, rowsOf(*kernel), shared, last, *kernel,
                               storesWhatWasRead()));
  append(last, added.joined);
  if (isWarp && storesWhatWasRead()) by.push_back(makeStmt(Barrier{SyncScope::Warp, nullptr}, loc));
  if (!found.after.empty()) {
    const ExprPtr isFirst = binary(BinaryOp::Eq, ref(lane), intLit(0));
    append(last, found.after);
    by.push_back(makeStmt(If{isFirst, block(last), nullptr}, loc));
  }
  kernel->body =
      withoutUnused(replaceRun(kernel->body, found.loop.loop, 1 + found.after.size(), by), found.loop.outer);
  moveRows(*kernel, options.rows, isAside ? 0 : 1);
  StmtList top = shared;
  top.push_back(
      makeStmt(Declare{lane, convert(coordOf(*kernel, CoordKind::ThreadIdx, isAside ? 1 : 0), int32())}));
  prepend(*kernel, top);
  if (isAside)
    if (Obstacle no = sink(*kernel, added.isSetEverywhere)) return no;
  kernel->story.push_back(fmt::format(
      "The iterations of the loop over {} are shared by {} threads, which put their parts together.",
      found.loop.count.var->name, options.threads));
  LaunchStep step = base;
  step.kernel = kernel;
  step.block = blockOf(isAside ? options.rows : options.threads, isAside ? options.threads : options.rows);
  out.steps = {step};
  say(fmt::format("the iterations of {} ({}) are shared by {}", found.loop.handle, sumNames(), whom));
  return std::nullopt;
}

StmtList ReductionSplitter::together(const ReductionKernel& sums, Names& names, const ExprPtr& thread,
                                     const ExprPtr& threads, const SharedRows& rows, StmtList& shared,
                                     StmtList& total, const Kernel& kernel, bool ordersGlobal) const {
  // Threads that exchange values cannot be merged any more, which sums of single blocks may gain by.
  const bool byWarps =
      options.over == SplitOver::Grid && options.hasShuffles && !rows.count && *constantValue(threads) >= 64;
  if (byWarps) return overWarps(sums, names, thread, threads, shared, total);
  return overBlock(sums, names, thread, threads, rows, shared, total, kernel.language, ordersGlobal);
}

ExprPtr ReductionSplitter::eachOf(Kernel& kernel) const {
  if (options.each == 1) return nullptr;
  return named(options.each, addConstant(kernel, {RoleKind::EachCount}, options.each,
                                         "iterations that a thread does side by side"));
}

std::array<ExprPtr, 3> ReductionSplitter::blockOf(unsigned x, unsigned y) {
  return {intLit(x, uint32()), intLit(y, uint32()), intLit(1, uint32())};
}

SharedRows ReductionSplitter::rowsOf(Kernel& kernel) const {
  if (!sideBySide()) return {};
  return {named(options.rows, addConstant(kernel, {RoleKind::RowCount}, options.rows, rowsComment)),
          coordOf(kernel, CoordKind::ThreadIdx, 0)};
}

Obstacle ReductionSplitter::sink(Kernel& kernel, bool isSetEverywhere) {
  SinkOptions how;
  how.isForAll = [&](const StmtPtr& s) {
    const auto* barrier = as<Barrier>(s);
    return (barrier && barrier->scope == SyncScope::Block) || (isSetEverywhere && fillsParts(s));
  };
  const auto sunk = sinkGuards(kernel, how);
  if (!sunk) return sunk.refusal();
  kernel.body = *sunk;
  return std::nullopt;
}

Obstacle ReductionSplitter::widen() {
  const auto at = std::find_if(out.steps.begin(), out.steps.end(),
                               [](const Step& step) { return std::holds_alternative<LaunchStep>(step); });
  LaunchResult merged =
      mergeThreads(std::get<LaunchStep>(*at), {.x = options.wide, .how = MergedThreads::Adjacent}, context);
  if (merged.refusal) return merged.refusal;
  *at = *merged.launch;
  out.condition = andAlso(out.condition, merged.condition);
  out.remarks.insert(out.remarks.end(), merged.remarks.begin(), merged.remarks.end());
  return std::nullopt;
}

void ReductionSplitter::say(std::string text) {
  out.remarks.push_back({RemarkKind::Done, found.loop.loop->loc, launch.kernel->name, std::move(text)});
}

void ReductionSplitter::append(StmtList& to, const StmtList& more) {
  to.insert(to.end(), more.begin(), more.end());
}

void ReductionSplitter::prepend(Kernel& kernel, StmtList top) {
  append(top, kernel.body->as<Block>()->stmts);
  kernel.body = block(top, kernel.body->loc);
}

}  // namespace hone::passes
