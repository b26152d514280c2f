// All loops over a row in one scheme: the threads of a warp or block take the iterations of each in turns,
// every one of them has what a loop sums up before the next begins, and the first stores what stands between.
#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/StmtsOf.h"
#include "ir/Substitute.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/edit/SimplifyUnder.h"
#include "passes/edit/ThreadEffects.h"
#include "passes/launch/RowsOfBlock.h"
#include "passes/reduce/FusedLoops.h"
#include "passes/reduce/KeptElements.h"
#include "passes/reduce/ReductionSplitter.h"
#include "passes/reduce/RowLoops.h"

namespace hone::passes {

using namespace ir;

namespace {

struct RowThreads {
  SplitOver over = SplitOver::Warp;
  bool hasShuffles = false;
  unsigned count = 32;
  ExprPtr ways, each;  // as the kernel writes them; each: null for one
  VarPtr lane;
  std::string whom;  // "the 32 lanes of a warp"
};

class RowRewriter {
 public:
  // `keptArrays`: null where nothing is kept; `fusedLoops`: null where each loop stays one.
  RowRewriter(const RowLoops& rowLoops, const KeptElements* keptElements, const KeptArrays* keptArrays,
              FusedLoops* fusedLoops, Names& kernelNames, Language of, RowThreads rowThreads)
      : row(rowLoops),
        kept(keptElements),
        arrays(keptArrays),
        fusion(fusedLoops),
        names(kernelNames),
        language(of),
        threads(std::move(rowThreads)) {}

  StmtPtr rewritten(const StmtPtr& body) {
    std::vector<RowWork> begun;
    return block(list(stmtsOf(body), begun, false), body->loc);
  }
  StmtList shared;  // declarations for the top of the kernel

 private:
  const RowLoops& row;
  const KeptElements* kept;
  const KeptArrays* arrays;
  FusedLoops* fusion;
  Names& names;
  Language language;
  RowThreads threads;
  bool isExplained = false;

  // `begun`: what may not have come to an end in all threads.
  StmtList list(const StmtList& stmts, std::vector<RowWork>& begun, bool isFollowed) {
    StmtList out;
    for (size_t i = 0; i < stmts.size(); ++i) {
      const StmtPtr& s = stmts[i];
      const auto at = stmts.begin() + static_cast<std::ptrdiff_t>(i);
      const bool isLast = !isFollowed && std::none_of(at, stmts.end(), holdsLoop);
      if (isLast && std::any_of(at, stmts.end(), hasEffect)) {
        byFirst({at, stmts.end()}, out, begun);
        break;
      }
      if (row.dealt(s)) {
        dealt(s, out, begun);
      } else if (row.holdsDealt(s)) {
        const bool goesOn = isFollowed || std::any_of(at + 1, stmts.end(), holdsLoop);
        nested(s, out, begun, goesOn);
      } else if (effectOf(s) == Effect::Stores) {
        auto end = at + 1;
        while (end != stmts.end() && !holdsLoop(*end) && effectOf(*end) == Effect::Stores) ++end;
        byFirst({at, end}, out, begun);
        i += static_cast<size_t>(end - at) - 1;
      } else {
        before(row.workOf(s, RowWork::By::All), out, begun);
        out.push_back(s);
      }
    }
    return out;
  }

  void nested(const StmtPtr& s, StmtList& out, std::vector<RowWork>& begun, bool isFollowed) {
    const auto* choice = as<If>(s);
    if (!choice) {
      out.push_back(block(list(stmtsOf(s), begun, isFollowed), s->loc));
      return;
    }
    before(row.conditionOf(s), out, begun);
    std::vector<RowWork> other = begun;
    const StmtPtr then = block(list(stmtsOf(choice->then), begun, isFollowed), choice->then->loc);
    StmtPtr otherwise;
    if (choice->otherwise)
      otherwise = block(list(stmtsOf(choice->otherwise), other, isFollowed), choice->otherwise->loc);
    begun.insert(begun.end(), other.begin(), other.end());
    out.push_back(makeStmt(If{choice->cond, then, otherwise}, s->loc));
  }

  // Threads wait for each other where what they begin touches what others may still be at.
  void before(RowWork work, StmtList& out, std::vector<RowWork>& begun) {
    const bool waits = std::any_of(begun.begin(), begun.end(),
                                   [&](const RowWork& earlier) { return row.mustWait(earlier, work); });
    if (waits && HONE_SEED(SplitRowWaitDropped, true, false)) {
      const SyncScope scope = threads.over == SplitOver::Warp ? SyncScope::Warp : SyncScope::Block;
      out.push_back(makeStmt(Barrier{scope, nullptr, true, true}));
    }
    if (waits) begun.clear();
    begun.push_back(std::move(work));
  }

  void byFirst(const StmtList& stmts, StmtList& out, std::vector<RowWork>& begun) {
    RowWork work{RowWork::By::First, {}, {}};
    for (const StmtPtr& s : stmts) {
      const RowWork one = row.workOf(s, RowWork::By::First);
      work.accesses.insert(work.accesses.end(), one.accesses.begin(), one.accesses.end());
    }
    before(std::move(work), out, begun);
    const ExprPtr isFirst = binary(BinaryOp::Eq, ref(threads.lane), intLit(0));
    out.push_back(makeStmt(If{isFirst, block(stmts), nullptr}, stmts.front()->loc));
  }

  void dealt(const StmtPtr& loop, StmtList& out, std::vector<RowWork>& begun) {
    ReductionKernel kernel = *row.dealt(loop);
    before(row.workOf(loop, RowWork::By::Dealt), out, begun);
    // What is done where the second of the two stands.
    if (fusion && fusion->beginsPair(*row.dealt(loop))) return;
    const FusedPair* pair = fusion ? fusion->endingWith(*row.dealt(loop)) : nullptr;
    if (auto again = fusion ? fusion->workedOutAgain(kernel) : std::nullopt) {
      for (RowWork& reads : again->reads) before(std::move(reads), out, begun);
      kernel = again->loop;
    }
    if (!isExplained) out.push_back(explanation(loop->loc));
    isExplained = true;
    if (pair) {
      both(*pair, out);
      return;
    }
    const bool isKept = kept && kept->touches(kernel.loop.index);
    if (isKept) append(out, arrays->declaredFor(kernel)), kernel = arrays->within(kernel);
    for (Accumulator& sum : kernel.loop.sums) chooseCall(sum);
    const AddedSums added = addedSums(kernel, names);
    append(out, added.declared);
    Names local = names;
    StmtList shared = isKept ? arrays->loop(added.kernel, local, ref(threads.lane), threads.ways)
                             : dealtOut(added.kernel, names, ref(threads.lane), threads.ways, threads.each);
    if (const ExprPtr apart = row.testOf(loop))
      out.push_back(makeStmt(If{apart, block(shared), alone(kernel)}, loop->loc));
    else
      append(out, shared);
    if (!kernel.loop.sums.empty()) append(out, together(added.kernel));
    append(out, added.joined);
  }

  // Of equal zeros a comparison keeps another in each thread, these functions the same in all.
  static void chooseCall(Accumulator& sum) {
    const bool isChoice = sum.how == Combine::Min || sum.how == Combine::Max;
    if (isChoice && !sum.call && !sum.where && sum.var->type->isFloating())
      sum.call = &intrinsic(sum.how == Combine::Max ? "fmax" : "fmin");
  }

  // Two loops as one. Sums of the threads are brought down to the greatest value of all of them before they
  // are put together.
  void both(const FusedPair& pair, StmtList& out) {
    const SourceLoc loc = pair.second->loop.loop->loc;
    const VarPtr& most = pair.most.var;
    const AddedSums added = addedSums(fusion->together(pair), names);
    append(out, added.declared);
    out.push_back(
        makeStmt(Comment{fmt::format("One walk finds {} and {}: where {} rises, what was summed up so "
                                     "far is brought down\nto it.",
                                     most->name, sumNames(pair), most->name)},
                 loc));
    append(out, dealtOut(added.kernel, names, ref(threads.lane), threads.ways, threads.each));
    const VarPtr own = makeLocal(names, "own_" + most->name, most->type, true);
    out.push_back(makeStmt(Declare{own, ref(most)}, loc));
    ReductionKernel greatest = added.kernel;
    greatest.loop.sums = {pair.most};
    chooseCall(greatest.loop.sums.front());
    append(out, together(greatest));
    StmtList falls{
        makeStmt(Comment{"The thread's part, counted from the greatest value of all threads."}, loc)};
    for (size_t i = 0; i < pair.factors.size(); ++i)
      if (pair.factors[i])
        falls.push_back(
            scaled(added.kernel.loop.sums[i].var, fusion->factor(pair, i, ref(own), ref(most)), loc));
    // Nothing was summed up where there is no value, not even the least there is.
    const ExprPtr runs =
        pair.lowest ? firstIterationCondition(*makeStmt(pair.second->loop.node, loc)) : nullptr;
    if (HONE_SEED(SplitFusedPartsNotRescaled, true, false)) {
      if (runs && !isTrue(runs))
        out.push_back(makeStmt(If{runs, block(falls), nullptr}, loc));
      else
        append(out, falls);
    }
    append(out, together(added.kernel));
    append(out, added.joined);
  }

  static std::string sumNames(const FusedPair& pair) {
    std::string list;
    for (size_t i = 0; i < pair.factors.size(); ++i)
      if (pair.factors[i]) list += (list.empty() ? "" : ", ") + pair.second->loop.sums[i].var->name;
    return list;
  }

  // Rounded as a product: added to another lane's before that, each of the two would have another sum.
  StmtPtr scaled(const VarPtr& sum, const ExprPtr& by, SourceLoc loc) const {
    const TypePtr& type = sum->type;
    if (language == Language::Cuda && threads.hasShuffles) {
      Call product{&intrinsic("mul_rn"), nullptr, {ref(sum), convert(by, type)}, "", {}};
      return assign(ref(sum), makeExpr(type, product), loc);
    }
    return makeStmt(Assign{ref(sum), BinaryOp::Mul, convert(by, usualArithmetic(type, by->type))}, loc);
  }

  // The whole loop by the first thread.
  StmtPtr alone(const ReductionKernel& kernel) const {
    const SourceLoc loc = kernel.loop.loop->loc;
    StmtList all{makeStmt(Comment{"Rows that overlap are walked in order."}, loc)};
    append(all, freshCopy(StmtList{makeStmt(kernel.loop.node, loc)}));
    return block(
        {makeStmt(If{binary(BinaryOp::Eq, ref(threads.lane), intLit(0)), block(all), nullptr}, loc)});
  }

  // Every thread has the total.
  StmtList together(const ReductionKernel& kernel) {
    // Names of a loop of its own may be those of the next one's.
    Names local = names;
    if (threads.over == SplitOver::Warp) return overWarp(kernel, local, threads.ways);
    StmtList total, out;
    const size_t known = shared.size();
    if (threads.hasShuffles && threads.count >= 64)
      out = overWarps(kernel, local, ref(threads.lane), threads.ways, shared, total);
    else
      out = overBlock(kernel, local, ref(threads.lane), threads.ways, {}, shared, total, language, false);
    for (size_t i = known; i < shared.size(); ++i) names.fresh(as<Declare>(shared[i])->var->name);
    append(out, total);
    return out;
  }

  StmtPtr explanation(SourceLoc loc) const {
    const size_t count = row.loops().size() - (fusion ? fusion->pairs().size() : 0);
    const bool sums = std::any_of(row.loops().begin(), row.loops().end(),
                                  [](const ReductionKernel* one) { return !one->loop.sums.empty(); });
    return makeStmt(Comment{fmt::format(
                        "The iterations of {} are dealt out to {}{}.",
                        count == 1   ? "the loop"
                        : count == 2 ? "both loops over the row"
                                     : fmt::format("all {} loops over the row", count),
                        threads.whom,
                        sums ? ", which put their parts together\nso that each of them has the whole" : "")},
                    loc);
  }

  static void append(StmtList& to, const StmtList& more) { to.insert(to.end(), more.begin(), more.end()); }
};

// Two conditions as one, the second less what follows from the first.
ExprPtr allOf(const ExprPtr& first, const ExprPtr& second) {
  const std::vector<ExprPtr> known = conjuncts(first);
  ExprPtr all = first;
  for (const ExprPtr& part : conjuncts(simplifiedUnder(known, second)))
    if (std::none_of(known.begin(), known.end(), [&](const ExprPtr& e) { return equal(e, part); }))
      all = andAlso(all, part);
  return all;
}

std::string keptNames(const KeptElements& kept) {
  std::string list;
  std::set<std::string> said;
  for (const KeptElement& one : kept.elements())
    if (said.insert(one.name).second) list += (list.empty() ? "" : ", ") + one.name;
  return list;
}

}  // namespace

bool ReductionSplitter::isRow(const affine::KernelModel& model) const {
  std::vector<affine::LoopId> outermost;
  for (const affine::LoopId l : model.loops.ids())
    if (model.loops[l].parent.isNone()) outermost.push_back(l);
  if (outermost.size() != 1) return outermost.size() > 1;
  return std::any_of(model.accesses.begin(), model.accesses.end(), [&](const affine::Access& a) {
    const bool isInside = std::find(a.loops.begin(), a.loops.end(), outermost.front()) != a.loops.end();
    const bool isOwn = a.array.isSome() && model.arrays[a.array].space == Space::Private;
    // A sum in memory stays in its place.
    return isInside && a.writes() && !isOwn &&
           (model.atoms->variation(a.address).loops & affine::loopBit(outermost.front()));
  });
}

Obstacle ReductionSplitter::shareRow(const LaunchResult& ofRows, const affine::KernelModel& model) {
  const LaunchStep& base = *ofRows.launch;
  RowLoops row(base, model, context, ways() * options.each);
  if (Obstacle no = row.decide()) return no;
  if (const ReductionKernel* one = row.inexact(); one && !context.reassociate) {
    const Accumulator* sum = one->loop.inexact();
    return Refusal{fmt::format("the order of the {} {} would change; pass --reassociate to permit it",
                               str(sum->how), sum->var->name),
                   one->loop.loop->loc};
  }
  const bool isWarp = options.over == SplitOver::Warp;
  if (!isWarp && (options.rows > 1 || options.wide > 1))
    return Refusal{"a block walks one row at a time; leave out rows and wide"};
  std::optional<KeptElements> kept;
  if (options.keep) {
    const int64_t each = options.each;
    if (row.hasTests())
      return Refusal{
          "keep is for rows whose arrays are told apart before the launch; add __restrict__ or pass "
          "--assume-noalias"};
    kept.emplace(base, model, context, row, ways() * each * options.keep, each);
    if (Obstacle no = kept->decide()) return no;
  }
  Names names(*base.kernel);
  std::optional<FusedLoops> fusion;
  if (options.fuse) {
    fusion.emplace(base, model, context, row, names);
    if (Obstacle no = fusion->decide()) return no;
  }
  const SourceLoc loc = row.loops().front()->loop.loop->loc;
  auto kernel = std::make_shared<Kernel>(*base.kernel);
  RowThreads threads{options.over, options.hasShuffles, options.threads, {}, {}, {}, {}};
  threads.lane = makeLocal(names, "lane", int32(), true);
  threads.ways =
      named(options.threads,
            addConstant(*kernel, {isWarp ? RoleKind::LaneCount : RoleKind::ThreadCount}, options.threads,
                        isWarp ? "of a warp, which share a row" : "of a block, which share a row"));
  threads.each = eachOf(*kernel);
  threads.whom =
      fmt::format("the {} {}", options.threads, isWarp ? "lanes of a warp" : "threads of the block");
  std::optional<KeptArrays> arrays;
  if (kept) {
    const ExprPtr slots = named(options.keep, addConstant(*kernel, {RoleKind::IterationCount}, options.keep,
                                                          "iterations of a thread, whose elements it keeps"));
    arrays.emplace(kept->elements(), names, slots, threads.each);
  }
  RowRewriter rewriter(row, kept ? &*kept : nullptr, kept ? &*arrays : nullptr, fusion ? &*fusion : nullptr,
                       names, kernel->language, threads);
  kernel->body = rewriter.rewritten(kernel->body);
  for (const ReductionKernel* one : row.loops()) kernel->body = withoutUnused(kernel->body, one->loop.outer);
  moveRows(*kernel, options.rows, 1);
  StmtList top = rewriter.shared;
  top.push_back(makeStmt(Declare{threads.lane, convert(coordOf(*kernel, CoordKind::ThreadIdx, 0), int32())}));
  prepend(*kernel, top);
  kernel->story.push_back(fmt::format("A row is walked by {} threads together.", options.threads));
  LaunchStep step = base;
  step.kernel = kernel;
  step.block = blockOf(options.threads, options.rows);
  out.steps = {step};
  ExprPtr ofRow = kept ? allOf(kept->condition(), row.condition()) : row.condition();
  if (fusion) ofRow = allOf(ofRow, fusion->condition());
  out.condition = simplifiedUnder(conjuncts(ofRow), ofRows.condition);
  out.condition = andAlso(out.condition, ofRow);
  if (isTrue(out.condition)) out.condition = nullptr;
  std::string list;
  for (const ReductionKernel* one : row.loops()) list += (list.empty() ? "" : ", ") + one->loop.handle;
  out.remarks.push_back({RemarkKind::Done, loc, launch.kernel->name,
                         fmt::format("the iterations of {} are shared by {}", list, threads.whom)});
  if (row.hasTests())
    out.remarks.push_back({RemarkKind::Note, loc, launch.kernel->name,
                           "where rows overlap the kernel walks them in order; it asks row by row"});
  if (fusion)
    for (const FusedPair& pair : fusion->pairs())
      out.remarks.push_back({RemarkKind::Done, loc, launch.kernel->name,
                             fmt::format("{} and {} are one walk over the row", pair.first->loop.handle,
                                         pair.second->loop.handle)});
  if (kept)
    out.remarks.push_back(
        {RemarkKind::Done, loc, launch.kernel->name,
         fmt::format("elements of {} stay in registers from loop to loop", keptNames(*kept))});
  return std::nullopt;
}

}  // namespace hone::passes
