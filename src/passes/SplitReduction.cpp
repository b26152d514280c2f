// 1. The kernel gets blocks of few pieces of work (block(x=…)), each piece one old thread.
// 2. Each old thread becomes a warp, a block, or several blocks: they do everything up to the loop alike, share its rounds, and put the partial
//    sums together; what follows is done by one of them.
#include "passes/SplitReduction.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cstdlib>

#include "ir/Build.h"
#include "ir/Intrinsics.h"
#include "passes/Coordinates.h"
#include "passes/DeadCode.h"
#include "passes/LoopEdit.h"
#include "passes/MergeThreads.h"
#include "passes/Parameters.h"
#include "passes/PlanEdit.h"
#include "passes/RowsOfBlock.h"
#include "passes/SimplifyUnder.h"
#include "passes/SinkGuards.h"
#include "passes/SplitRounds.h"

namespace hone::passes {

using namespace ir;

namespace {

enum class Over : uint8_t { Warp, Block, Grid };

struct Split {
  std::vector<Step> steps;
  ExprPtr condition;
  std::vector<Remark> remarks;  // the last one refuses when steps is empty
};

struct Options {
  std::string loop;  // empty: the first that can be split
  Over over = Over::Warp;
  unsigned rows = 4;      // old threads of a block
  unsigned threads = 32;  // that share a loop, of one block
  unsigned parts = 1;     // blocks that share it
  unsigned each = 1;      // rounds that a thread does side by side
  unsigned wide = 1;      // neighbouring sums that a thread does
  bool hasShuffles = false;
};

// What makes threads of a block depend on each other.
std::string obstacle(const Kernel& kernel) {
  std::string found;
  walkStmts(kernel.body, [&](const Stmt& s) {
    const auto* d = s.as<Declare>();
    if (s.is<Barrier>() || (d && d->var->space == Space::Shared))
      found = "threads of its blocks work together already";
    if (s.is<Fence>()) found = "it orders its memory with fences";
    for (const ir::Access& a : accesses(s)) {
      const auto* element = as<Subscript>(a.place);
      if (element && element->base->type->isPointer() && element->base->type->isVolatile)
        found = "it uses volatile memory";
    }
  });
  walkExprs(kernel.body, [&](const Expr& e) {
    const auto* call = e.as<Call>();
    if (call && (call->function ? call->function->synchronizes : call->intrinsic->synchronizes()))
      found = "threads of its blocks work together already";
  });
  return found;
}

class ReductionSplitter {
 public:
  ReductionSplitter(const LaunchStep& step, const Options& given, PassContext& passContext)
      : launch(step), options(given), context(passContext) {}

  Split run() {
    if (const std::string why = obstacle(*launch.kernel); !why.empty()) return fail(why);
    LaunchResult base = withRows(launch, options.rows, context);
    if (!base.launch) return fail(base.remarks.back().text);
    const KernelPtr kernel = base.launch->kernel;
    if (options.over == Over::Grid && usedAxes(kernel->body, CoordKind::BlockIdx) & 4)
      return fail("its grid has three axes, which leaves none for the blocks that share a loop");
    const affine::KernelModel& model = context.facts.of(kernel, {options.rows, 1, 1}).model();
    if (!find(*base.launch, model)) return fail(reason, where);
    if (const Accumulator* sum = found.loop.inexact(); sum && !context.reassociate)
      return fail(fmt::format("the order of the {} {} would change; pass --reassociate to permit it",
                              str(sum->how), sum->var->name),
                  found.where);
    out.condition = simplifiedUnder(conjuncts(found.roundsLimit), base.condition);
    out.condition = andAlso(out.condition, found.roundsLimit);
    if (isTrue(out.condition)) out.condition = nullptr;
    if (options.over == Over::Grid)
      overGrid(*base.launch);
    else
      withinBlock(*base.launch);
    if (options.wide > 1 && !out.steps.empty()) widen();
    return out;
  }

 private:
  const LaunchStep& launch;
  const Options& options;
  PassContext& context;
  Split out;
  ReductionKernel found;
  std::string reason;
  SourceLoc where;

  Split fail(std::string text, const SourceLoc& loc = {}) {
    LaunchResult one = refuse(std::move(text), launch, loc);
    return {{}, nullptr, one.remarks};
  }

  bool find(const LaunchStep& base, const affine::KernelModel& model) {
    if (model.loops.empty()) {
      reason = "it has no loop";
      return false;
    }
    if (!options.loop.empty() && findLoop(handles(*base.kernel).loops, options.loop, reason) < 0)
      return false;
    reason.clear();
    for (size_t l = 0; l < model.loops.size(); ++l) {
      if (options.loop.empty() ? model.loops[l].parent >= 0 : model.loops[l].handle != options.loop) continue;
      found = reductionKernel(base, model, static_cast<int>(l), ways() * options.each, mostThreads());
      if (found.reason.empty()) return true;
      if (reason.empty()) reason = found.reason, where = found.where;
    }
    return false;
  }

  int64_t ways() const { return int64_t{options.threads} * options.parts; }
  // How many threads may become `ways` each before there are many times more than the machine holds, a power of two.
  int64_t mostThreads() const {
    const auto held =
        static_cast<uint64_t>(context.target.multiprocessors) * context.target.threadsPerMultiprocessor;
    return static_cast<int64_t>(
        std::bit_floor(std::max<uint64_t>(1024, 8 * held / static_cast<uint64_t>(ways()))));
  }

  // Whether lane 0 may store to what all lanes read before.
  bool storesWhatWasRead() const {
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
          const VarPtr root = a.mode == AccessMode::Read ? nullptr : rootVariable(a.place);
          // Another name may stand for the same memory.
          const bool isAlone = context.assumeNoalias || (root && root->type->isRestrict);
          isStored |= root && (read.contains(root.get()) || (root->type->isPointer() && !isAlone));
        }
      });
    return isStored;
  }

  std::string sumNames() const {
    std::string list;
    for (const Accumulator& sum : found.loop.sums) list += (list.empty() ? "" : ", ") + sum.var->name;
    return list;
  }

  void withinBlock(const LaunchStep& base) {
    auto kernel = std::make_shared<Kernel>(*base.kernel);
    Names names(*kernel);
    const bool isWarp = options.over == Over::Warp, isAside = sideBySide();
    const SourceLoc loc = found.loop.loop->loc;
    const VarPtr lane = makeLocal(names, "lane", int32(), true);
    const ExprPtr ways =
        named(options.threads,
              addConstant(*kernel, isWarp ? "kLanes" : "kThreads", options.threads,
                          isWarp ? "of a warp, which share a loop" : "of a block, which share a loop"));
    const std::string whom = fmt::format("{}{} {}", isAside ? "" : "the ", options.threads,
                                         isWarp    ? "lanes of a warp"
                                         : isAside ? "threads of a block"
                                                   : "threads of the block");
    StmtList shared, last,
        by{makeStmt(Comment{fmt::format(
                        "The rounds are dealt out to {}, which then put their parts together.", whom)},
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
    kernel->body = withoutUnused(replaceRun(kernel->body, found.loop.loop, 1 + found.after.size(), by),
                                 found.loop.outer);
    moveRows(*kernel, options.rows, isAside ? 0 : 1);
    StmtList top = shared;
    top.push_back(
        makeStmt(Declare{lane, convert(coordOf(*kernel, CoordKind::ThreadIdx, isAside ? 1 : 0), int32())}));
    prepend(*kernel, top);
    if (isAside && !sink(*kernel, added.isSetEverywhere)) return;
    kernel->story.push_back(fmt::format(
        "The rounds of the loop over {} are shared by {} threads, which put their parts together.",
        found.loop.count.var->name, options.threads));
    LaunchStep step = base;
    step.kernel = kernel;
    step.block = blockOf(isAside ? options.rows : options.threads, isAside ? options.threads : options.rows);
    out.steps = {step};
    say(fmt::format("the rounds of {} ({}) are shared by {}", found.loop.handle, sumNames(), whom));
  }

  // Partial sums of the threads of a block put together: see overBlock.
  StmtList together(const ReductionKernel& sums, Names& names, const ExprPtr& thread, const ExprPtr& threads,
                    const SharedRows& rows, StmtList& shared, StmtList& total, const Kernel& kernel,
                    bool ordersGlobal) const {
    // Threads that exchange values cannot be merged any more, which sums of single blocks may gain by.
    const bool byWarps =
        options.over == Over::Grid && options.hasShuffles && !rows.count && *constantValue(threads) >= 64;
    if (byWarps) return overWarps(sums, names, thread, threads, shared, total);
    return overBlock(sums, names, thread, threads, rows, shared, total, kernel.language, ordersGlobal);
  }

  // How many rounds a thread does side by side; null: one.
  ExprPtr eachOf(Kernel& kernel) const {
    if (options.each == 1) return nullptr;
    return named(options.each,
                 addConstant(kernel, "kEach", options.each, "rounds that a thread does side by side"));
  }

  static std::array<ExprPtr, 3> blockOf(unsigned x, unsigned y) {
    return {intLit(x, uint32()), intLit(y, uint32()), intLit(1, uint32())};
  }

  // Old threads that were neighbours along x stay so, and those that share a loop lie along y.
  bool sideBySide() const { return options.over != Over::Warp && options.rows > 1; }
  SharedRows rowsOf(Kernel& kernel) const {
    if (!sideBySide()) return {};
    return {named(options.rows, addConstant(kernel, "kRows", options.rows, rowsComment)),
            coordOf(kernel, CoordKind::ThreadIdx, 0)};
  }

  // Rows of one block may differ in whether they have work; all of them come to its barriers, and put their parts together where all have any.
  bool sink(Kernel& kernel, bool isSetEverywhere) {
    SinkOptions how;
    how.isForAll = [&](const StmtPtr& s) {
      const auto* barrier = as<Barrier>(s);
      return (barrier && barrier->scope == SyncScope::Block) || (isSetEverywhere && fillsParts(s));
    };
    SunkGuards sunk = sinkGuards(kernel, how);
    if (sunk.body) {
      kernel.body = sunk.body;
      return true;
    }
    out = fail(sunk.reason, sunk.loc);
    return false;
  }

  // Whether a statement does nothing but write to shared memory, which is there for partial sums alone.
  static bool fillsParts(const StmtPtr& s) {
    if (const auto* list = as<Block>(s))
      return !list->stmts.empty() && std::all_of(list->stmts.begin(), list->stmts.end(), fillsParts);
    if (const auto* choice = as<If>(s)) return !choice->otherwise && fillsParts(choice->then);
    const auto* set = as<Assign>(s);
    const VarPtr root = set ? rootVariable(set->place) : nullptr;
    return root && root->space == Space::Shared;
  }

  // Where a part of an old thread's sum lies: parts of one behind each other, or rows side by side as their threads are.
  ExprPtr partialAt(Kernel& kernel, const LaunchStep& base, const ExprPtr& parts, const ExprPtr& part) {
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

  // A first launch leaves partial sums in a buffer, a second one adds them up and does the rest.
  void overGrid(const LaunchStep& base) {
    const SourceLoc loc = found.loop.loop->loc;
    std::vector<VarPtr> buffers;
    // 1. Partial sums.
    auto first = std::make_shared<Kernel>(*base.kernel);
    Names names(*first);
    const VarPtr thread = makeLocal(names, "thread", int32(), true);
    const ExprPtr threads = named(
        options.threads, addConstant(*first, "kThreads", options.threads, "of a block, which share a loop"));
    const ExprPtr parts =
        named(options.parts, addConstant(*first, "kParts", options.parts, "blocks that share a loop"));
    const ExprPtr number =
        plus(times(convert(coordOf(*first, CoordKind::BlockIdx, 2), int32()), threads), ref(thread));
    const VarPtr lane = makeLocal(names, "lane", int32(), true);
    StmtList shared, stores,
        by{makeStmt(
            Comment{fmt::format("The rounds are dealt out to the threads of {} blocks.", options.parts)},
            loc)};
    by.push_back(makeStmt(Declare{lane, number}, loc));
    const AddedSums added = addedSums(found, names);
    append(by, added.declared);
    append(by,
           dealtOut(added.kernel, names, ref(lane), binary(BinaryOp::Mul, threads, parts), eachOf(*first)));
    append(by, together(added.kernel, names, ref(thread), threads, rowsOf(*first), shared, stores, *first,
                        false));
    for (size_t i = 0; i < found.loop.sums.size(); ++i) {
      const Accumulator& sum = added.kernel.loop.sums[i];
      const TypePtr element = sum.var->type->is(TypeKind::Bool) ? int32() : sum.var->type;
      VarPtr param = makeParameter(names, found.loop.sums[i].var->name + "_partial",
                                   pointerType(element, Space::Global));
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
    if (sideBySide() && !sink(*first, added.isSetEverywhere)) return;
    first->params.insert(first->params.end(), buffers.begin(), buffers.end());
    first->story.push_back(
        fmt::format("The rounds of the loop over {} are shared by {} blocks, which leave partial results to "
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
        "the rounds of {} ({}) are shared by {} blocks of {} threads; a second launch adds up their parts",
        found.loop.handle, sumNames(), options.parts, options.threads * options.rows));
  }

  // A loop over partial results.
  For overParts(Kernel& second, Names& names, const LaunchStep& base, const std::vector<VarPtr>& buffers) {
    const SourceLoc loc = found.loop.loop->loc;
    const ExprPtr parts =
        named(options.parts, addConstant(second, "kParts", options.parts, "blocks that shared a loop"));
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
    return For{{makeStmt(Declare{part, intLit(0)})},
               binary(BinaryOp::Lt, ref(part), parts),
               {makeStmt(Assign{ref(part), BinaryOp::Add, intLit(1), true})},
               block(body)};
  }
  StmtPtr aboutParts() const {
    return makeStmt(Comment{fmt::format("What the {} blocks of the first launch made of it.", options.parts)},
                    found.loop.loop->loc);
  }

  // The kernel with the loop over rounds replaced by one over partial results.
  KernelPtr rest(const LaunchStep& base, const std::vector<VarPtr>& buffers) {
    auto second = std::make_shared<Kernel>(*base.kernel);
    Names names(*second);
    const StmtPtr loop = makeStmt(overParts(*second, names, base, buffers), found.loop.loop->loc);
    second->body = replaceStmt(second->body, found.loop.loop, {aboutParts(), loop});
    moveRows(*second, options.rows, 0);
    second->story.emplace_back("Partial results are put together and used.");
    return second;
  }

  // The same by a block for each sum: its parts are dealt out as the rounds were.
  unsigned threadsOfRest() const { return std::min(256u, std::bit_ceil(options.parts)); }
  KernelPtr restOfBlock(const LaunchStep& base, const std::vector<VarPtr>& buffers) {
    auto second = std::make_shared<Kernel>(*base.kernel);
    Names names(*second);
    const SourceLoc loc = found.loop.loop->loc;
    const VarPtr lane = makeLocal(names, "lane", int32(), true);
    const ExprPtr threads = named(
        threadsOfRest(), addConstant(*second, "kThreads", threadsOfRest(), "of a block, which share a loop"));
    ReductionKernel parts = found;
    parts.rounds = nullptr;
    parts.loop.node = overParts(*second, names, base, buffers);
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
    second->body = withoutUnused(replaceRun(second->body, found.loop.loop, 1 + found.after.size(), by),
                                 found.loop.outer);
    moveRows(*second, options.rows, 0);
    shared.push_back(makeStmt(Declare{lane, convert(coordOf(*second, CoordKind::ThreadIdx, 0), int32())}));
    prepend(*second, shared);
    second->story.emplace_back("Partial results are put together by a block and used.");
    return second;
  }

  // Threads that share the rounds of neighbouring sums become one.
  void widen() {
    const auto at = std::find_if(out.steps.begin(), out.steps.end(),
                                 [](const Step& step) { return std::holds_alternative<LaunchStep>(step); });
    const PassCall neighbours{"merge-threads", {{"x", std::to_string(options.wide)}, {"how", "adjacent"}}, 0};
    LaunchResult merged = mergeThreads(std::get<LaunchStep>(*at), neighbours, context);
    if (!merged.launch) {
      out = {{}, nullptr, merged.remarks};
      return;
    }
    *at = *merged.launch;
    out.condition = andAlso(out.condition, merged.condition);
    out.remarks.insert(out.remarks.end(), merged.remarks.begin(), merged.remarks.end());
  }

  void say(std::string text) {
    out.remarks.push_back({RemarkKind::Done, found.loop.loop->loc, launch.kernel->name, std::move(text)});
  }

  static void append(StmtList& to, const StmtList& more) { to.insert(to.end(), more.begin(), more.end()); }
  static void prepend(Kernel& kernel, StmtList top) {
    append(top, kernel.body->as<Block>()->stmts);
    kernel.body = block(top, kernel.body->loc);
  }
};

// The plan with each launch of the fast branch replaced by several steps.
PlanPtr expanded(const PlanPtr& plan, const std::function<std::vector<Step>(const LaunchStep&)>& fn) {
  auto copy = std::make_shared<Plan>(*plan);
  copy->steps.clear();
  for (const Step& step : plan->steps) {
    if (const auto* one = std::get_if<LaunchStep>(&step)) {
      for (Step& s : fn(*one)) copy->steps.push_back(std::move(s));
    } else if (const auto* choice = std::get_if<ChoiceStep>(&step)) {
      copy->steps.emplace_back(ChoiceStep{choice->cond, expanded(choice->then, fn), choice->otherwise});
    } else if (const auto* loop = std::get_if<LoopStep>(&step)) {
      copy->steps.emplace_back(
          LoopStep{loop->var, loop->begin, loop->cond, loop->next, expanded(loop->body, fn)});
    } else {
      copy->steps.push_back(step);
    }
  }
  return copy;
}

}  // namespace

std::vector<std::string> loopsToSplit(const LaunchStep& launch, PassContext& context) {
  const auto block = fixedBlock(launch).value_or(context.block);
  const affine::KernelModel& model = context.facts.of(launch.kernel, block).model();
  std::vector<std::string> all;
  for (size_t l = 0; l < model.loops.size(); ++l)
    if (model.loops[l].parent < 0 && reductionLoop(model, static_cast<int>(l)).reason.empty())
      all.push_back(model.loops[l].handle);
  return all;
}

PassResult splitReduction(const PlanPtr& plan, const PassCall& call, PassContext& context) {
  Options options;
  const std::vector<std::string> loops = positional(call);
  if (!loops.empty()) options.loop = loops.front();
  const std::string over = oneOf(call, "over", {"warp", "block", "grid"});
  options.over = over == "warp" ? Over::Warp : over == "block" ? Over::Block : Over::Grid;
  const bool hasShuffles = plan->original->language == Language::Cuda && context.target.warpSize == 32 &&
                           std::atoi(context.target.computeCapability.c_str()) >= 3;
  options.hasShuffles = hasShuffles;
  if (options.over == Over::Warp && !hasShuffles) options.over = Over::Block;
  const int64_t ways = number(call, "ways", 2).value_or(over == "warp" ? 32 : over == "block" ? 128 : 16);
  auto refuse = [&](std::string reason) {
    return PassResult{
        nullptr, {{RemarkKind::LeftAlone, plan->original->loc, plan->original->name, std::move(reason)}}};
  };
  if (over == "warp" && ways != 32) return refuse(fmt::format("a warp has 32 lanes, not {}", ways));
  if (over == "block" && (ways & (ways - 1) || ways > static_cast<int64_t>(context.target.threadsPerBlock)))
    return refuse(fmt::format("{} threads cannot halve their sums: a power of two up to {} can", ways,
                              context.target.threadsPerBlock));
  if (over == "grid" && ways > 4096) return refuse(fmt::format("{} blocks for one sum are too many", ways));
  options.each = static_cast<unsigned>(number(call, "each").value_or(1));
  if (options.each > 16) return refuse(fmt::format("{} rounds side by side are too many", options.each));
  options.parts = options.over == Over::Grid ? static_cast<unsigned>(ways) : 1;
  options.rows = static_cast<unsigned>(number(call, "rows").value_or(options.over == Over::Warp ? 4 : 1));
  if (options.over == Over::Grid && (options.rows & (options.rows - 1) || options.rows > 128))
    return refuse(fmt::format("{} sums do not share a block of 256 threads evenly", options.rows));
  options.wide = static_cast<unsigned>(number(call, "wide").value_or(1));
  if (options.wide > 1 && over == "warp") return refuse("wide is for over=block and over=grid");
  if (options.wide > 8) return refuse(fmt::format("{} sums of a thread are too many", options.wide));
  if (options.rows % options.wide)
    return refuse(
        fmt::format("{} sums of a block are no multiple of the {} of a thread", options.rows, options.wide));
  options.threads =
      options.over == Over::Grid ? 256 * options.wide / options.rows : static_cast<unsigned>(ways);
  if (options.rows / options.wide > context.target.threadsPerBlock / options.threads)
    return refuse(fmt::format("{} sums of {} threads each{} do not fit in a block", options.rows,
                              options.threads,
                              options.wide > 1 ? fmt::format(", {} of them in one,", options.wide) : ""));

  PassResult result;
  std::vector<Remark> refusals;
  ExprPtr condition;
  bool isApplied = false;
  PlanPtr changed = expanded(plan, [&](const LaunchStep& launch) -> std::vector<Step> {
    Split one = ReductionSplitter(launch, options, context).run();
    if (one.steps.empty()) {
      refusals.insert(refusals.end(), one.remarks.begin(), one.remarks.end());
      return {launch};
    }
    isApplied = true;
    result.remarks.insert(result.remarks.end(), one.remarks.begin(), one.remarks.end());
    if (!one.condition) return one.steps;
    if (isKnownAtStart(one.condition, *plan->original)) {
      condition = andAlso(condition, one.condition);
      return one.steps;
    }
    // It depends on the round of a loop of launches: this launch alone stays as it was.
    auto branch = [&](std::vector<Step> steps) {
      auto made = std::make_shared<Plan>();
      made->original = plan->original;
      made->steps = std::move(steps);
      return made;
    };
    return {ChoiceStep{one.condition, branch(one.steps), branch({launch})}};
  });
  if (!isApplied) {
    result.remarks = refusals;
    return result;
  }
  result.plan = condition ? onlyWhere(changed, condition) : changed;
  return result;
}

}  // namespace hone::passes
