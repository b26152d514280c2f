#include "passes/shared/PrefetchTiles.h"

#include <fmt/core.h>

#include <algorithm>

#include "affine/Implied.h"
#include "analysis/Coverage.h"
#include "analysis/Resources.h"
#include "ir/Build.h"
#include "ir/Substitute.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/Cooperation.h"
#include "passes/edit/DeadCode.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/Say.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/AliasGuard.h"
#include "passes/launch/FixBlock.h"
#include "passes/shared/FillCopy.h"

namespace hone::passes {

using namespace ir;

namespace {

constexpr unsigned spareRegisters = 8;  // that a compiler needs on top of an estimate

// Threads that a multiprocessor should hold, and between how many registers of one that is in doubt: 65536
// there are for all.
constexpr unsigned threadsAtATime = 512, fewRegisters = 64, manyRegisters = 128;

std::string tileNames(const FillLoop& loop) {
  std::set<std::string> names;
  for (const Variable* tile : loop.tiles) names.insert(tile->name);
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : " and ") + name;
  return text;
}

StmtPtr guarded(const ExprPtr& cond, StmtList stmts) {
  return makeStmt(If{cond, block(std::move(stmts)), nullptr});
}

// Whether a loop stands inside another one.
bool isNested(const affine::KernelModel& model, const StmtPtr& loop) {
  for (const affine::Loop& one : model.loops)
    if (one.stmt == loop) return one.parent.isSome();
  return true;
}

// Whether the barrier that the loop begins with may keep the first fill from what other threads of the block
// write before it, in front of the loop or in an earlier iteration of one around it.
bool firstFillWaits(const affine::KernelModel& model, const FillLoop& loop) {
  if (!loop.atStart) return false;
  std::set<const Stmt*> inside;
  walkStmts(loop.loop, [&](const Stmt& s) { inside.insert(&s); });
  bool isBehind = false;
  for (const affine::Access& access : model.accesses) {
    isBehind = isBehind || inside.contains(access.stmt.get());
    if (!access.writes() || inside.contains(access.stmt.get())) continue;
    if (isBehind && !isNested(model, loop.loop)) continue;
    if (access.array.isNone()) return true;
    const affine::Array& written = model.arrays[access.array];
    if (written.space == Space::Private || loop.tiles.contains(written.var.get())) continue;
    if (written.space == Space::Shared) return true;
    for (const affine::ArrayId loaded : loop.arrays)
      if (loaded == access.array ||
          analysis::aliasing(model, loaded, access.array).overlap != analysis::Overlap::Never)
        return true;
  }
  return false;
}

// The values of the header's variables so many iterations further.
std::vector<std::pair<VarPtr, ExprPtr>> further(const FillLoop& loop, int iterations) {
  std::vector<std::pair<VarPtr, ExprPtr>> values = loop.next;
  for (int i = 1; i < iterations; ++i)
    for (auto& [var, value] : values) value = simplified(substituted(value, loop.next));
  return values;
}
// The same from the first iteration on.
std::vector<std::pair<VarPtr, ExprPtr>> fromFirst(const FillLoop& loop, int iterations) {
  std::vector<std::pair<VarPtr, ExprPtr>> values = loop.first;
  for (int i = 0; i < iterations; ++i) {
    std::vector<std::pair<VarPtr, ExprPtr>> later = loop.next;
    for (auto& [var, value] : later) value = simplified(substituted(value, values));
    values = std::move(later);
  }
  return values;
}

class Prefetch {
 public:
  Prefetch(const affine::KernelModel& kernel, const FillLoop& fillLoop, Names& fresh)
      : model(kernel), loop(fillLoop), names(fresh), header(*as<For>(fillLoop.loop)) {}

  // Threads that load nothing carry their register along all the same once blocks are merged.
  static ExprPtr nothingYet(const TypePtr& type) {
    return type->is(TypeKind::Array) ? makeExpr(type, Construct{}) : zeroOf(type);
  }

  // Statements in the place of the loop, the next tile in registers.
  StmtList inRegisters(const KeptValues& kept) {
    StmtList made;
    made.push_back(say(
        fmt::format("The next tile of {} is loaded into registers while the block computes with this one.",
                    tileNames(loop))));
    declare(kept, made);
    if (firstFillWaits(model, loop)) made.push_back(makeStmt(loop.barrier->node));
    fillFirst(fillCopy(loop, {FillMode::Fetch, loop.first, &kept, nullptr, {}}, names), made);
    StmtList body;
    if (loop.atStart) body.push_back(loop.atStart);
    for (StmtPtr& s : fillCopy(loop, {FillMode::Commit, {}, &kept, nullptr, {}}, names))
      body.push_back(std::move(s));
    body.push_back(loop.barrier);
    const auto later = HONE_SEED(PrefetchSameTileAgain, loop.next, decltype(loop.next)());
    body.push_back(guarded(HONE_SEED(PrefetchPastTheEnd, condition(loop.next), boolLit(true)),
                           fillCopy(loop, {FillMode::Fetch, later, &kept, nullptr, {}}, names)));
    body.insert(body.end(), loop.compute.begin(), loop.compute.end());
    if (loop.atEnd) body.push_back(loop.atEnd);
    made.push_back(withBody(std::move(body)));
    return made;
  }

  // With several buffers of shared memory, one barrier an iteration. What is kept waits in registers while
  // the block computes.
  StmtList inBuffers(int stages, bool isAsync, const std::map<const Variable*, VarPtr>& buffers,
                     const KeptValues* kept) {
    const FillMode mode = isAsync ? FillMode::Async : FillMode::Direct;
    StmtList made;
    made.push_back(
        say(fmt::format("{} {} has {} buffers: the next is {} while the block computes with this one.",
                        loop.tiles.size() == 1 ? "The tile" : "Each of the tiles", tileNames(loop), stages,
                        kept ? "loaded into registers" : "filled")));
    if (kept) declare(*kept, made);
    for (const StmtPtr& s : loop.fill)
      if (const auto* declare = as<Declare>(s); declare && buffers.contains(declare->var.get()))
        made.push_back(makeStmt(Declare{buffers.at(declare->var.get()), nullptr}, s->loc));
    // The block may still read what an earlier run of this loop left.
    const bool waits = isNested(model, loop.loop) || firstFillWaits(model, loop);
    if (waits && HONE_SEED(PrefetchOuterIterationUnordered, true, false))
      made.push_back(makeStmt(loop.barrier->node));
    for (int i = 0; i + 1 < stages; ++i) {
      const auto values = fromFirst(loop, i);
      StmtList fill = fillCopy(loop, {mode, values, nullptr, intLit(i), buffers}, names);
      if (i == 0)
        fillFirst(std::move(fill), made);
      else
        made.push_back(guarded(condition(values), std::move(fill)));
      if (isAsync) made.push_back(call("pipeline_commit", {}));
    }
    const VarPtr current = makeLocal(names, "buffer", int32());
    // Copies that are waited for in each iteration have their barrier behind the wait; else it stands where
    // an iteration ends.
    if (!isAsync) made.push_back(makeStmt(loop.barrier->node));
    made.push_back(makeStmt(Declare{current, intLit(0)}));
    StmtList body;
    if (isAsync) {
      body.push_back(call("pipeline_wait_prior", {intLit(stages - 2, uint64())}));
      body.push_back(loop.barrier);
    }
    const auto values = further(loop, stages - 1);
    const ExprPtr ahead = stages == 2 ? binary(BinaryOp::Sub, intLit(1), ref(current))
                                      : remainder(plus(ref(current), intLit(stages - 1)), intLit(stages));
    const ExprPtr filled = HONE_SEED(PrefetchIntoBufferInUse, ahead, ref(current));
    const ExprPtr isThere = HONE_SEED(PrefetchPastTheEnd, condition(values), boolLit(true));
    body.push_back(guarded(isThere, kept ? fillCopy(loop, {FillMode::Fetch, values, kept, nullptr, {}}, names)
                                         : fillCopy(loop, {mode, values, nullptr, filled, buffers}, names)));
    if (isAsync) body.push_back(call("pipeline_commit", {}));
    for (const StmtPtr& s : keptDeclarations()) body.push_back(s);
    body.insert(body.end(), loop.compute.begin(), loop.compute.end());
    if (kept)
      body.push_back(
          guarded(isThere, fillCopy(loop, {FillMode::Commit, values, kept, filled, buffers}, names)));
    if (!isAsync) body.push_back(loop.barrier);
    body.push_back(assign(ref(current), stages == 2
                                            ? binary(BinaryOp::Sub, intLit(1), ref(current))
                                            : remainder(plus(ref(current), intLit(1)), intLit(stages))));
    StmtPtr whole = withBody(std::move(body));
    struct Buffered : Rewriter {
      const std::map<const Variable*, VarPtr>* buffers = nullptr;
      VarPtr current;
      ExprPtr mapExpr(const ExprPtr& e) override {
        const auto* element = as<Subscript>(e);
        const auto* tile = element ? as<VarRef>(element->base) : nullptr;
        auto found = tile ? buffers->find(tile->var.get()) : buffers->end();
        if (found == buffers->end()) return e;
        std::vector<ExprPtr> indices{ref(current)};
        indices.insert(indices.end(), element->indices.begin(), element->indices.end());
        return subscript(ref(found->second), std::move(indices), e->loc);
      }
    } rewriter;
    rewriter.buffers = &buffers;
    rewriter.current = current;
    made.push_back(rewriter.rewrite(whole).front());
    // The barrier at the end of the last iteration may have been for what follows.
    if (isAsync && loop.atEnd && leavesMore()) made.push_back(loop.atEnd);
    return made;
  }

 private:
  // The first tile, where the loop has an iteration at all; without asking where nothing is loaded otherwise.
  void fillFirst(StmtList fill, StmtList& to) const {
    const bool declares =
        std::any_of(fill.begin(), fill.end(), [](const StmtPtr& s) { return s->is<Declare>(); });
    if (declares || !loadsOnlyInIterations())
      return to.push_back(guarded(condition(loop.first), std::move(fill)));
    for (StmtPtr& s : fill) to.push_back(std::move(s));
  }
  // Whether what the first fill loads is loaded under conditions that hold only where the loop has an
  // iteration.
  bool loadsOnlyInIterations() const {
    affine::LoopId number;
    for (const affine::LoopId i : model.loops.ids())
      if (model.loops[i].stmt == loop.loop) number = i;
    if (number.isNone() || !model.loops[number].runs || !model.loops[number].values.empty()) return false;
    const affine::Atoms::Substitution start{{model.loops[number].counter, affine::Poly(0)}};
    const std::vector<affine::CondPtr> runs =
        affine::conjuncts(model.atoms->substitute(model.loops[number].runs, start));
    std::set<const Stmt*> filling;
    bool divides = false;
    for (const StmtPtr& s : loop.fill) {
      walkStmts(s, [&](const Stmt& one) { filling.insert(&one); });
      walkExprs(s, [&](const Expr& e) {
        const auto* b = e.as<Binary>();
        divides = divides || (b && (b->op == BinaryOp::Div || b->op == BinaryOp::Rem) &&
                              constantValue(b->rhs).value_or(0) == 0);
      });
    }
    if (divides) return false;
    for (const affine::Access& access : model.accesses) {
      if (!filling.contains(access.stmt.get()) || !access.reads()) continue;
      if (access.array.isSome() && model.arrays[access.array].space == Space::Private) continue;
      // What the conditions say must not come from numbers that wrapped around.
      for (const unsigned r : access.guardRequirements) {
        const affine::Requirement& needs = model.requirements[r];
        const affine::Range is = model.atoms->range(model.atoms->substitute(needs.value, start));
        if (is.low < needs.low || is.high > needs.high) return false;
      }
      const std::vector<affine::CondPtr> holds =
          affine::conjuncts(model.atoms->substitute(access.guard, start));
      for (const affine::CondPtr& run : runs)
        if (run->kind != affine::CondKind::AtLeast0 || !affine::makesSure(*model.atoms, holds, run->value))
          return false;
    }
    return true;
  }
  void declare(const KeptValues& kept, StmtList& to) const {
    for (const StmtPtr& s : loop.fill)
      walkStmts(s, [&](const Stmt& one) {
        if (auto found = kept.of.find(&one); found != kept.of.end())
          to.push_back(makeStmt(Declare{found->second, nothingYet(found->second->type)}));
      });
  }
  // Whether the compute part touches shared memory besides the tiles, or writes memory that the block may
  // read later.
  bool leavesMore() const {
    std::set<const Stmt*> computing;
    for (const StmtPtr& s : loop.compute) walkStmts(s, [&](const Stmt& one) { computing.insert(&one); });
    for (const affine::Access& access : model.accesses) {
      if (!computing.contains(access.stmt.get())) continue;
      if (access.array.isNone()) return true;
      const affine::Array& array = model.arrays[access.array];
      if (array.space == Space::Shared && !loop.tiles.contains(array.var.get())) return true;
      if (array.space != Space::Shared && array.space != Space::Private && access.writes()) return true;
    }
    return false;
  }
  static StmtPtr call(const char* id, std::vector<ExprPtr> args) {
    Call made;
    made.intrinsic = &intrinsic(id);
    made.args = std::move(args);
    return makeStmt(Eval{makeExpr(voidType(), std::move(made))});
  }
  ExprPtr condition(const std::vector<std::pair<VarPtr, ExprPtr>>& values) const {
    const ExprPtr made = simplified(substituted(header.cond, values));
    const auto* compared = as<Binary>(made);
    if (!compared || !constantValue(compared->lhs) || constantValue(compared->rhs)) return made;
    // 0 < k reads better as k > 0.
    const BinaryOp op = compared->op == BinaryOp::Lt   ? BinaryOp::Gt
                        : compared->op == BinaryOp::Le ? BinaryOp::Ge
                        : compared->op == BinaryOp::Gt ? BinaryOp::Lt
                        : compared->op == BinaryOp::Ge ? BinaryOp::Le
                                                       : compared->op;
    const bool isTurned = op != compared->op;
    return isTurned ? makeExpr(made->type, Binary{op, compared->rhs, compared->lhs}, made->loc) : made;
  }
  StmtPtr withBody(StmtList body) const {
    For made = header;
    made.body = block(std::move(body), header.body->loc);
    return makeStmt(std::move(made), loop.loop->loc);
  }
  // Variables of the fill that the compute part uses stay declared.
  StmtList keptDeclarations() const {
    std::set<const Variable*> used;
    for (const StmtPtr& s : loop.compute)
      walkExprs(s, [&](const Expr& e) {
        if (const auto* var = e.as<VarRef>()) used.insert(var->var.get());
      });
    StmtList kept;
    for (auto at = loop.fill.rbegin(); at != loop.fill.rend(); ++at) {
      const auto* declare = as<Declare>(*at);
      if (!declare || !used.contains(declare->var.get()) || loop.tiles.contains(declare->var.get())) continue;
      kept.insert(kept.begin(), *at);
      if (declare->init)
        for (const Variable* v : variablesOf(declare->init)) used.insert(v);
    }
    return kept;
  }

  const affine::KernelModel& model;
  const FillLoop& loop;
  Names& names;
  const For& header;
};

// What an iteration loads ahead of its time must not be written by the iteration before it, unless the guard
// sees to it. What is written outside the loop stays on its side of all loads of the block (firstFillWaits),
// and writes of other blocks are not ordered with them at all.
Obstacle changedMeanwhile(const affine::KernelModel& model, const FillLoop& loop, AliasGuard& guard) {
  std::set<const Stmt*> inside;
  walkStmts(loop.loop, [&](const Stmt& s) { inside.insert(&s); });
  for (const affine::ArrayId array : loop.arrays) {
    const affine::Array& loaded = model.arrays[array];
    for (const affine::Access& access : model.accesses) {
      if (!access.writes() || !inside.contains(access.stmt.get())) continue;
      if (access.array.isNone() || access.array == array)
        return Refusal{fmt::format("{} may be written in the loop", loaded.name), loop.loop->loc};
      const Space space = model.arrays[access.array].space;
      if (space == Space::Shared || space == Space::Private) continue;
      if (Obstacle no = guard.requireApart(array, access.array)) return Refusal{no->reason, loop.loop->loc};
    }
  }
  return std::nullopt;
}

// Tiles used by more than this loop, or other than by subscripts, cannot get a second buffer.
Obstacle noBuffers(const Kernel& kernel, const FillLoop& loop) {
  std::map<const Variable*, size_t> inLoop, everywhere;
  auto count = [](const StmtPtr& s, std::map<const Variable*, size_t>& to) {
    walkExprs(s, [&](const Expr& e) {
      if (const auto* var = e.as<VarRef>()) ++to[var->var.get()];
    });
  };
  count(loop.loop, inLoop);
  count(kernel.body, everywhere);
  const std::set<const Variable*> taken = addressTaken(loop.loop);
  for (const Variable* tile : loop.tiles) {
    if (everywhere[tile] != inLoop[tile])
      return Refusal{fmt::format("{} is used outside the loop as well", tile->name), loop.loop->loc};
    if (taken.contains(tile))
      return Refusal{fmt::format("the address of {} is taken", tile->name), loop.loop->loc};
    if (tile->isDynamicShared || tile->type->extent < 0)
      return Refusal{fmt::format("the size of {} is known at the launch only", tile->name), loop.loop->loc};
  }
  if (!loop.atStart && !loop.atEnd)
    return Refusal{"no barrier keeps an iteration from the next", loop.loop->loc};
  return std::nullopt;
}

// With several buffers an iteration finds what its own fill wrote and nothing older.
Obstacle readsOlderValues(const affine::KernelModel& model, const FillLoop& loop) {
  affine::LoopId number;
  for (const affine::LoopId i : model.loops.ids())
    if (model.loops[i].stmt == loop.loop) number = i;
  std::set<const Stmt*> filling;
  for (const StmtPtr& s : loop.fill) walkStmts(s, [&](const Stmt& one) { filling.insert(&one); });
  for (const Variable* tile : loop.tiles) {
    std::vector<affine::AccessId> reads, writes;
    for (const affine::AccessId i : model.accesses.ids()) {
      const affine::Access& access = model.accesses[i];
      if (access.array.isNone() || model.arrays[access.array].var.get() != tile) continue;
      if (filling.contains(access.stmt.get()))
        writes.push_back(i);
      else
        reads.push_back(i);
    }
    const analysis::IterationCoverage coverage = analysis::coveredInIteration(model, reads, writes, number);
    if (!coverage.isCovered)
      return Refusal{
          fmt::format("{} may be read as an earlier iteration left it: {}", tile->name, coverage.reason),
          loop.loop->loc};
  }
  return std::nullopt;
}

// Declarations of tiles become those of their buffers.
StmtPtr withBuffers(const StmtPtr& body, const std::map<const Variable*, VarPtr>& buffers) {
  Renaming renaming;
  renaming.by = buffers;
  return renaming.rewriteBlock(body);
}

}  // namespace

bool hasAsyncCopies(const LaunchStep& launch, const target::Target& target) {
  return launch.kernel->language == Language::Cuda && target.hasAsyncCopies();
}

LaunchResult prefetchTiles(const LaunchStep& launch, const PrefetchOptions& options, PassContext& context) {
  // 1. Decide: which loops, whether what they load stays as it is, what it costs.
  const PrefetchTo to = options.to.value_or(PrefetchTo::Registers);
  const int64_t stages = options.stages.value_or(2);
  if (stages > 4) return Refusal{"stages is 2, 3 or 4"};
  if (to != PrefetchTo::Async && stages != 2) return Refusal{"more than two stages need to=async"};
  if (to == PrefetchTo::Async && launch.kernel->language != Language::Cuda)
    return Refusal{"asynchronous copies are CUDA's alone"};
  if (to == PrefetchTo::Async && !context.target.hasAsyncCopies())
    return Refusal{fmt::format("{} has no asynchronous copies", context.target.title)};
  FixedLaunch fixed = withFixedBlock(launch, context);
  fixed.launch.kernel = withDistinctStatements(fixed.launch.kernel);
  analysis::Facts& facts = context.facts.of(fixed.launch.kernel, fixed.block);
  const affine::KernelModel& model = facts.model();
  const auto loops = fillLoops(model);
  if (!loops) return loops.refusal();
  if (const Obstacle no = obstacleToOtherOrder(*model.kernel, true)) return *no;
  AliasGuard guard(fixed.launch, model, context);
  auto kernel = std::make_shared<Kernel>(*model.kernel);
  Names names(*kernel);
  std::set<const Stmt*> done;
  std::string tiles;
  unsigned registers = 0;
  for (const FillLoop& loop : *loops) {
    // A loop around one that is done already stays.
    bool isAround = false;
    walkStmts(loop.loop, [&](const Stmt& s) { isAround = isAround || done.contains(&s); });
    if (isAround) continue;
    if (Obstacle no = changedMeanwhile(model, loop, guard)) return *no;
    // 2. Rewrite.
    Prefetch prefetch(model, loop, names);
    if (to == PrefetchTo::Registers) {
      const KeptValues kept = keptValues(loop, names);
      registers += kept.count;
      kernel->body = replaceStmt(kernel->body, loop.loop, prefetch.inRegisters(kept));
    } else {
      if (Obstacle no = noBuffers(*model.kernel, loop)) return *no;
      if (Obstacle no = readsOlderValues(model, loop)) return *no;
      const bool copies = std::any_of(loop.loads.begin(), loop.loads.end(),
                                      [](const Stmt* s) { return isCopy(*s->as<Assign>()); });
      if (to == PrefetchTo::Async && !copies)
        return Refusal{"asynchronous copies move 4, 8 or 16 bytes as they are loaded", loop.loop->loc};
      std::map<const Variable*, VarPtr> buffers;
      for (const Variable* tile : loop.tiles) {
        auto buffer = std::make_shared<Variable>(*tile);
        buffer->type = arrayType(tile->type, stages);
        if (to == PrefetchTo::Async) buffer->alignment = std::max(buffer->alignment, 16u);
        buffers[tile] = buffer;
      }
      KeptValues kept;
      if (to == PrefetchTo::Both) kept = keptValues(loop, names);
      registers += kept.count;
      kernel->body = replaceStmt(kernel->body, loop.loop,
                                 prefetch.inBuffers(int(stages), to == PrefetchTo::Async, buffers,
                                                    to == PrefetchTo::Both ? &kept : nullptr));
      kernel->body = withBuffers(kernel->body, buffers);
    }
    done.insert(loop.loop.get());
    tiles += (tiles.empty() ? "" : ", ") + tileNames(loop);
  }
  // Subscripts that only the loads used, or only the stores, are written twice.
  kernel->body = withoutDeadCode(kernel->body, deadVariables(model.kernel->body));
  const auto before = context.registers ? context.registers(*model.kernel, context.target) : std::nullopt;
  if (before && *before + registers + spareRegisters > context.target.registersPerThread)
    return Refusal{fmt::format("{} more registers on top of {} leave none of the {} a thread can have",
                               registers, *before, context.target.registersPerThread)};
  const uint64_t shared = analysis::declaredMemory(*kernel).staticShared;
  if (shared > context.target.sharedPerBlock)
    return Refusal{fmt::format("{} bytes of shared memory for a block; {}", shared,
                               target::sharedLimitText(context.target))};
  // A compiler that takes a few registers more than a second block would leave it must be told.
  const unsigned threads = fixed.block[0] * fixed.block[1] * fixed.block[2];
  if (before && *before + registers > fewRegisters && *before + registers <= manyRegisters &&
      threads * 2 <= threadsAtATime && launch.kernel->language == Language::Cuda)
    kernel->launchBounds = LaunchBounds{int(threads), int(threadsAtATime / threads), 0};
  LaunchResult result{fixed.launch, fixed.condition, {}};
  if (guard.condition()) result.condition = andAlso(result.condition, guard.condition());
  const std::string how = to == PrefetchTo::Registers ? "in registers"
                          : to == PrefetchTo::Shared  ? "in a second buffer"
                          : to == PrefetchTo::Both ? "in registers, and then in a second buffer"
                                                   : fmt::format("by asynchronous copies, {} stages", stages);
  kernel->story.push_back(
      fmt::format("The next tile of {} is on its way while a block computes, {}.", tiles, how));
  result.launch->kernel = kernel;
  result.remarks.push_back({RemarkKind::Done, launch.kernel->loc, launch.kernel->name,
                            fmt::format("the next tile of {} is prefetched {}", tiles, how)});
  return result;
}

}  // namespace hone::passes
