#include "passes/shared/Unstage.h"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/Barriers.h"
#include "ir/Build.h"
#include "ir/Compare.h"
#include "passes/edit/Cooperation.h"
#include "passes/edit/DeadCode.h"
#include "passes/edit/DropImplied.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/AliasGuard.h"
#include "passes/host/HostConditions.h"
#include "passes/host/PlanEdit.h"
#include "passes/launch/FixBlock.h"
#include "passes/shared/TileSource.h"

namespace hone::passes {

using namespace ir;
using affine::AccessId;
using affine::ArrayId;
using affine::KernelModel;

namespace {

// Reads of the tile replaced, what fills it and its declaration left out.
class TileRemover : public Rewriter {
 public:
  std::map<std::pair<const Stmt*, const Expr*>, ExprPtr> reads;
  std::set<const Stmt*> gone;

  ExprPtr rewrite(const ExprPtr& e) override {
    if (!e) return e;
    const auto found = reads.find({current, e.get()});
    return found == reads.end() ? Rewriter::rewrite(e) : found->second;
  }
  StmtList rewrite(const StmtPtr& s) override {
    if (gone.contains(s.get())) return {};
    const Stmt* before = current;
    current = s.get();
    StmtList out = Rewriter::rewrite(s);
    current = before;
    return out;
  }

 private:
  const Stmt* current = nullptr;
};

// Blocks that tell each other of what they did may do so behind any barrier.
bool mayTellOtherBlocks(const StmtPtr& body) {
  const std::vector<CooperationUse> uses = cooperationOf(body);
  return std::any_of(uses.begin(), uses.end(), [](const CooperationUse& use) {
    switch (use.kind) {
      case Cooperation::GridBarrier:
      case Cooperation::BlockFence:
      case Cooperation::GridFence:
      case Cooperation::VolatileShared:
      case Cooperation::VolatileGlobal:
      case Cooperation::AtomicValue:
      case Cooperation::Spin: return true;
      default: return false;
    }
  });
}

// Takes one tile after the other out of a launch.
class TileTaker {
 public:
  TileTaker(LaunchStep& step, const std::array<unsigned, 3>& threads, PassContext& with)
      : launch(step), block(threads), context(with) {}

  // Refuses, and leaves the launch as it is.
  Obstacle take(const Variable* tile) {
    return refusing([&] {
      launch.kernel = withDistinctStatements(launch.kernel);
      const KernelModel model = modelWithRanges();
      const ArrayId array = arrayOf(model, tile);
      if (array.isNone()) refuse(unexpected("tile that is not touched"));
      AliasGuard guard(launch, model, context);
      TileSource source(model);
      checkOrder(model, array);
      const StmtPtr body = withoutTile(model, array, source);
      for (const ArrayId from : source.arrays())
        if (Obstacle no = guard.requireUnchanged(from))
          refuse(no->reason, model.accesses[firstRead(model, array)].loc);
      ExprPtr tests = orRefuse(testsFor(launch, model, source.requirements(), WrittenAs::Signed));
      for (const affine::Requirement& r : source.conditions()) {
        const ExprPtr holds = hostRequirement(launch, model, r);
        if (!holds || isFalse(holds))
          refuse(fmt::format("{}, which cannot be made sure of before the launch", r.why), r.loc);
        if (!isTrue(holds)) tests = andAlso(tests, holds);
      }
      auto kernel = std::make_shared<Kernel>(*launch.kernel);
      kernel->body = withoutImplied(withoutDeadCode(body, deadVariables(launch.kernel->body)));
      if (mentions(kernel->body, tile))
        refuse(fmt::format("{} is reached through pointers that remain", model.arrays[array].name));
      const std::string from = namesOf(model, source.arrays());
      kernel->story.push_back(fmt::format("What {} held is read from where it came from{}.",
                                          model.arrays[array].name, from.empty() ? "" : ", " + from));
      const SourceLoc loc = model.accesses[firstRead(model, array)].loc;
      std::string said = fmt::format("{} is read from where it was filled from{}", model.arrays[array].name,
                                     from.empty() ? "" : ": " + from);
      if (!guard.tested().empty())
        said += fmt::format(" (before the launch it is tested that {} do not overlap)", guard.tested());
      ExprPtr needed = andAlso(guard.condition(), tests);
      launch.kernel = kernel;
      const size_t barriers = dropBarriers(needed);
      if (barriers) said += fmt::format("; {} barrier{} less", barriers, barriers == 1 ? "" : "s");
      if (needed && !isTrue(needed))
        condition = condition && equal(condition, needed) ? condition : andAlso(condition, needed);
      remarks.push_back({RemarkKind::Done, loc, launch.kernel->name, said});
    });
  }

  ExprPtr condition;
  std::vector<Remark> remarks;

 private:
  static ArrayId arrayOf(const KernelModel& model, const Variable* tile) {
    for (const ArrayId a : model.arrays.ids())
      if (model.arrays[a].var.get() == tile) return a;
    return ArrayId::none();
  }

  // Addresses that are taken included.
  static std::vector<AccessId> accessesOf(const KernelModel& model, ArrayId array) {
    std::vector<AccessId> list;
    for (const AccessId a : model.accesses.ids())
      if (model.accesses[a].array == array) list.push_back(a);
    return list;
  }

  static AccessId firstRead(const KernelModel& model, ArrayId array) {
    for (const AccessId a : model.accesses.ids())
      if (model.accesses[a].array == array && model.accesses[a].reads()) return a;
    return accessesOf(model, array).front();
  }

  static std::string namesOf(const KernelModel& model, const std::set<ArrayId>& arrays) {
    std::string list;
    for (const ArrayId a : arrays) list += (list.empty() ? "" : ", ") + model.arrays[a].name;
    return list;
  }

  // Its own one, which knows what counters of loops lie between: that shortens quotients of subscripts.
  KernelModel modelWithRanges() const {
    KernelModel model = affine::buildModel(launch.kernel, block);
    for (const affine::Loop& loop : model.loops) {
      const auto last = lastIteration(*model.atoms, loop);
      if (last && !loop.byDistance && loop.values.empty()) model.atoms->bound(loop.counter, 0, *last);
    }
    return model;
  }

  // Where no barrier keeps accesses of the array apart, what is read is not what the order of the text says.
  static void checkOrder(const KernelModel& model, ArrayId array) {
    const analysis::BarrierFacts facts = analysis::barriers(model);
    for (const analysis::CrossThread& pair : facts.pairs) {
      if (model.accesses[pair.from].array != array && model.accesses[pair.to].array != array) continue;
      if (pair.barriers.empty())
        refuse(fmt::format("no barrier stands between accesses of {}: {}", model.arrays[array].name,
                           facts.str(model, pair)),
               model.accesses[pair.to].loc);
    }
  }

  StmtPtr withoutTile(const KernelModel& model, ArrayId array, TileSource& source) const {
    const affine::Array& tile = model.arrays[array];
    if (tile.isVolatile)
      refuse(fmt::format("{} is volatile: threads may hand each other values without barriers", tile.name));
    TileRemover remover;
    bool isRead = false;
    for (const AccessId a : accessesOf(model, array)) {
      const affine::Access& access = model.accesses[a];
      if (access.mode == AccessMode::Address) continue;  // of a pointer that goes with its uses
      if (access.atomic || access.mode == AccessMode::ReadWrite)
        refuse(fmt::format("{} is more than a copy of global memory: it is updated", tile.name), access.loc);
      if (access.writes()) {
        (void)orRefuse(fillValue(model, a));
        remover.gone.insert(access.stmt.get());
        continue;
      }
      isRead = true;
      const ExprPtr instead = orRefuse(source.insteadOf(a));
      const auto [at, isNew] =
          remover.reads.emplace(std::pair(access.stmt.get(), access.place.get()), instead);
      if (!isNew && !equal(at->second, instead)) refuse(unexpected("expression that stands for two reads"));
    }
    if (!isRead) refuse(fmt::format("{} is not read", tile.name));
    walkStmts(launch.kernel->body, [&](const Stmt& s) {
      const auto* declare = s.as<Declare>();
      if (declare && declare->var == tile.var) remover.gone.insert(&s);
    });
    const StmtPtr body = remover.rewriteBlock(launch.kernel->body);
    StmtList all;
    for (const auto& [pointer, start] : source.pointers())
      all.push_back(makeStmt(Declare{start, ref(pointer)}));
    const StmtList& rest = as<Block>(body)->stmts;
    all.insert(all.end(), rest.begin(), rest.end());
    return hone::ir::block(std::move(all), body->loc);
  }

  // Those that nothing needs any more; how many went. What tells arrays apart for that is added to `needed`.
  size_t dropBarriers(ExprPtr& needed) {
    if (mayTellOtherBlocks(launch.kernel->body)) return 0;
    const LaunchStep step = launch;
    const KernelModel& model = context.facts.of(step.kernel, block).model();
    const analysis::BarrierFacts& facts = context.facts.of(step.kernel, block).barriers();
    std::vector<int> which;
    for (size_t b = 0; b < model.barriers.size(); ++b) {
      const bool isNeeded =
          std::find(facts.removable.begin(), facts.removable.end(), int(b)) == facts.removable.end();
      if (model.barriers[b].scope == SyncScope::Block && HONE_SEED(UnstageBarrierNeeded, !isNeeded, true))
        which.push_back(int(b));
    }
    if (which.empty()) return 0;
    // The analysis takes arrays to be apart.
    AliasGuard guard(step, model, context);
    for (const ArrayId a : model.arrays.ids())
      for (const ArrayId b : model.arrays.ids())
        if (a < b && isGlobal(model, a) && isGlobal(model, b) &&
            (isWritten(model, a) || isWritten(model, b)) && guard.requireApart(a, b))
          return 0;
    TileRemover remover;
    for (int b : which) remover.gone.insert(model.barriers[size_t(b)].stmt.get());
    auto kernel = std::make_shared<Kernel>(*step.kernel);
    kernel->body = remover.rewriteBlock(step.kernel->body);
    launch.kernel = kernel;
    for (const ExprPtr& part : conjuncts(guard.condition())) {
      const std::vector<ExprPtr> known = conjuncts(needed);
      if (std::none_of(known.begin(), known.end(), [&](const ExprPtr& k) { return equal(k, part); }))
        needed = andAlso(needed, part);
    }
    return which.size();
  }

  static bool isGlobal(const KernelModel& model, ArrayId a) {
    return model.arrays[a].space == Space::Global || model.arrays[a].space == Space::Generic;
  }
  static bool isWritten(const KernelModel& model, ArrayId array) {
    return std::any_of(model.accesses.begin(), model.accesses.end(),
                       [&](const affine::Access& a) { return a.array == array && a.writes(); });
  }

  LaunchStep& launch;
  std::array<unsigned, 3> block;
  PassContext& context;
};

// What was declared for a launch to say how large, and is gone.
void freeDynamicMemory(LaunchStep& launch, const std::set<const Variable*>& taken) {
  auto kernel = std::make_shared<Kernel>(*launch.kernel);
  bool hasChanged = false;
  for (size_t p = kernel->params.size(); p-- > 0;) {
    if (!taken.contains(kernel->params[p].get())) continue;
    kernel->params.erase(kernel->params.begin() + std::ptrdiff_t(p));
    launch.args.erase(launch.args.begin() + std::ptrdiff_t(p));
    hasChanged = true;
  }
  bool isLeft = false;
  walkExprs(kernel->body, [&](const Expr& e) {
    const auto* use = e.as<VarRef>();
    isLeft = isLeft || (use && use->var->isDynamicShared);
  });
  const bool wasDynamic =
      std::any_of(taken.begin(), taken.end(), [](const Variable* v) { return v->isDynamicShared; });
  if (kernel->language == Language::Cuda && wasDynamic && !isLeft) launch.sharedBytes = intLit(0, uint32());
  if (hasChanged) launch.kernel = kernel;
}

LaunchResult unstage(const LaunchStep& original, const UnstageOptions& options, PassContext& context) {
  FixedLaunch fixed = withFixedBlock(original, context);
  LaunchResult result{fixed.launch, fixed.condition, {}};
  LaunchStep& launch = *result.launch;
  launch.kernel = withDistinctStatements(launch.kernel);
  if (const Obstacle no = obstacleToModel(*launch.kernel)) return *no;
  std::vector<VarPtr> tiles;
  for (const affine::Array& array : context.facts.of(launch.kernel, fixed.block).model().arrays) {
    if (array.space != Space::Shared || !array.var) continue;
    const bool isAsked =
        std::find(options.arrays.begin(), options.arrays.end(), array.name) != options.arrays.end();
    if (options.arrays.empty() || isAsked) tiles.push_back(array.var);
  }
  for (const std::string& name : options.arrays)
    if (std::none_of(tiles.begin(), tiles.end(), [&](const VarPtr& v) { return v->name == name; }))
      return Refusal{fmt::format("there is no shared array {}", name)};
  if (tiles.empty()) return Refusal{"it has no shared memory"};
  TileTaker taker(launch, fixed.block, context);
  std::set<const Variable*> taken;
  Obstacle first;
  for (const VarPtr& tile : tiles) {
    const Obstacle no = taker.take(tile.get());
    if (!no) {
      taken.insert(tile.get());
      continue;
    }
    if (!options.arrays.empty()) return *no;
    if (!first) first = no;
  }
  if (taken.empty()) return *first;
  freeDynamicMemory(launch, taken);
  result.condition = andAlso(result.condition, taker.condition);
  result.remarks = taker.remarks;
  return result;
}

}  // namespace

const PassOf<UnstageOptions>& unstagePass() {
  static const PassOf<UnstageOptions> pass =
      PassOf<UnstageOptions>("unstage",
                             "A shared array that caches global memory is removed: each read of it becomes "
                             "the global read that filled the element.",
                             unstage)
          .names(&UnstageOptions::arrays, "<arrays>", ParameterKind::Arrays,
                 "shared arrays to remove; without any, all that can be");
  return pass;
}

}  // namespace hone::passes
