#include "passes/shared/CoalesceStores.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>

#include "affine/ToExpr.h"
#include "analysis/Resources.h"
#include "ir/Build.h"
#include "ir/StructureReturns.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/DeadCode.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/Names.h"
#include "passes/edit/Say.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/AliasGuard.h"
#include "passes/host/HostConditions.h"
#include "passes/host/PlanEdit.h"
#include "passes/launch/FixBlock.h"
#include "passes/shared/StoreRuns.h"

namespace hone::passes {

using namespace ir;
using affine::Poly;

namespace {

// Elements added to a row so that what neighbouring threads write at once lies in different banks: an odd
// number of words, or of wider elements.
int64_t padOf(const StoreRun& run, int64_t bytes) {
  int64_t pad = 0;
  while (bytes % 8 == 0 ? (run.length + pad) % 2 == 0 : (run.length + pad) * bytes % 8 != 4) ++pad;
  return pad;
}

class Assigned : public Rewriter {
 public:
  std::map<const Stmt*, ExprPtr> places;

 protected:
  StmtList mapStmt(const StmtPtr& s) override {
    const auto place = places.find(s.get());
    return {place == places.end() ? s : assign(place->second, ir::as<Assign>(s)->value, s->loc)};
  }
};

// Rewrites the kernel for one run after the other. Calls refuse.
class RunExchange {
 public:
  RunExchange(const affine::KernelModel& ofKernel, Kernel& made, int64_t atOnce)
      : model(ofKernel), kernel(made), names(made), wide(atOnce) {
    const int64_t count = model.block[0];
    threads = named(count, addConstant(kernel, blockExtent(0), count, "threads of a block along x"));
  }

  void add(const StoreRun& run) {
    const affine::Array& array = model.arrays[run.array];
    const affine::Access& store = model.accesses[run.stores.front().access];
    auto tile = std::make_shared<Variable>();
    tile->name = names.fresh(array.name + "_runs");
    tile->type = arrayOfThreads(arrayType(run.element, run.length + padOf(run, store.bytes)));
    tile->space = Space::Shared;
    tiles.push_back(makeStmt(Declare{tile, nullptr}));
    const ExprPtr thread = coordOf(kernel, CoordKind::ThreadIdx, 0);
    for (const RunStore& one : run.stores) {
      const ExprPtr slot = written(affine::ToExpr(model), one.slot, store);
      assigned.places[model.accesses[one.access].stmt.get()] = subscript(ref(VarPtr(tile)), {thread, slot});
    }
    copies.push_back(say(fmt::format("The runs of all threads of {}, side by side.", array.name)));
    copies.push_back(copy(run, tile));
  }

  void finish() {
    StmtList all = tiles;
    const StmtPtr body = assigned.rewriteBlock(kernel.body);
    const StmtList& before = ir::as<Block>(body)->stmts;
    all.insert(all.end(), before.begin(), before.end());
    // For global memory too: what one thread read, through another pointer perhaps, another thread writes
    // now.
    if (HONE_SEED(ExchangeBarrierDropped, true, false))
      all.push_back(makeStmt(Barrier{SyncScope::Block, nullptr, true, true}));
    all.insert(all.end(), copies.begin(), copies.end());
    kernel.body = withoutDeadCode(block(all, kernel.body->loc), deadVariables(kernel.body));
  }

 private:
  TypePtr arrayOfThreads(const TypePtr& row) const { return arrayOver(row, threads); }

  template <class What>
  ExprPtr written(affine::ToExpr to, const What& what, const affine::Access& store) const {
    const auto made = to.of(what);
    if (!made)
      refuse(fmt::format("where {} is written, or under which conditions, cannot be written again",
                         model.arrays[store.array].name),
             store.loc);
    return *made;
  }

  // Neighbouring threads take neighbouring elements, `wide` of them each, wherever they come from.
  StmtPtr copy(const StoreRun& run, const VarPtr& tile) {
    const affine::Access& store = model.accesses[run.stores.front().access];
    const affine::Array& array = model.arrays[run.array];
    const VarPtr at = makeLocal(names, "at", int32()), next = makeLocal(names, "next", int32());
    const TypePtr type = affine::indexType(store);
    const ExprPtr first = written(affine::ToExpr(model, type), run.first, store), length = intLit(run.length);
    const ExprPtr row = over(ref(at), length), column = remainder(ref(at), length);
    ExprPtr pointer = ref(array.var);
    if (!sameType(array.var->type->element, run.element))
      pointer = convert(pointer, pointerType(run.element, array.var->type->space), true);
    auto element = [&](const ExprPtr& more) {
      const ExprPtr index = plus(plus(convert(first, type), convert(ref(at), type)), convert(more, type));
      return assign(subscript(pointer, {index}), subscript(ref(tile), {row, plus(column, more)}), store.loc);
    };
    StmtPtr one = element(intLit(0));
    if (wide > 1) one = countingLoop({.var = next, .end = intLit(wide), .body = block({element(ref(next))})});
    if (run.guard->kind != affine::CondKind::True) {
      affine::ToExpr ofOwner(model, type);
      ofOwner.stands(model.atoms->thread(0).atoms().front(), convert(row, type));
      one = makeStmt(If{written(ofOwner, run.guard, store), block({one}), nullptr});
    }
    return countingLoop(
        {.var = at,
         .begin = times(convert(coordOf(kernel, CoordKind::ThreadIdx, 0), int32()), intLit(wide)),
         .end = times(threads, length),
         .step = times(threads, intLit(wide)),
         .body = block({one})});
  }

  const affine::KernelModel& model;
  Kernel& kernel;
  Names names;
  int64_t wide;
  ExprPtr threads;
  StmtList tiles, copies;
  Assigned assigned;
};

}  // namespace

LaunchResult coalesceStores(const LaunchStep& original, const CoalesceStoresOptions& options,
                            PassContext& context) {
  // 1. Decide.
  FixedLaunch fixed = withFixedBlock(original, context);
  fixed.launch.kernel = withDistinctStatements(fixed.launch.kernel);
  const KernelPtr& plain = fixed.launch.kernel;
  const affine::KernelModel& model = context.facts.of(plain, fixed.block).model();
  const std::vector<std::string>& wanted = options.arrays;
  const int64_t wide = options.wide.value_or(1);
  if (wide != 1 && wide != 2 && wide != 4) return Refusal{"wide is 1, 2 or 4"};
  if (const Obstacle no = obstacleToModel(*plain)) return *no;
  if (containsReturn(plain->body)) return Refusal{"it returns early where no if can stand for that"};
  if (fixed.block[1] * fixed.block[2] != 1) return Refusal{"threads of a block lie along more than x"};
  // What is written at the end is worked out from the parameters once more.
  std::set<const Variable*> changed = assignedVariables(plain->body);
  changed.merge(addressTaken(plain->body));
  for (const VarPtr& param : plain->params)
    if (changed.contains(param.get()))
      return Refusal{fmt::format("it changes its parameter {}", param->name)};
  LaunchResult result{fixed.launch, fixed.condition, {}};
  AliasGuard guard(fixed.launch, model, context);
  std::vector<StoreRun> runs;
  Obstacle first;
  std::set<unsigned> needed;
  for (const affine::ArrayId a : model.arrays.ids()) {
    const affine::Array& array = model.arrays[a];
    const bool isWritten =
        std::any_of(model.accesses.begin(), model.accesses.end(),
                    [&](const affine::Access& access) { return access.array == a && access.writes(); });
    if (array.space != Space::Global || !isWritten) continue;
    if (!wanted.empty() && std::find(wanted.begin(), wanted.end(), array.name) == wanted.end()) continue;
    const Obstacle no = refusing([&] {
      std::vector<affine::ArrayId> meanwhile;
      StoreRun run = orRefuse(storeRun(model, a, meanwhile));
      const affine::Access& store = model.accesses[run.stores.front().access];
      if (!array.var || array.name != array.var->name || !array.var->type->isPointer())
        refuse(fmt::format("{} is no plain pointer among the parameters", array.name), store.loc);
      if (run.length % wide != 0)
        refuse(fmt::format("the {} elements that a thread writes to {} are no multiple of {}", run.length,
                           array.name, wide),
               store.loc);
      for (const affine::ArrayId other : meanwhile)
        if (Obstacle apart = guard.requireApart(a, other)) refuse(apart->reason, store.loc);
      for (const RunStore& one : run.stores) {
        const auto& list = model.accesses[one.access].requirements;
        needed.insert(list.begin(), list.end());
      }
      runs.push_back(std::move(run));
    });
    if (!first) first = no;
  }
  if (runs.empty()) return first ? *first : Refusal{"nothing is written to global memory"};
  result.condition = andAlso(result.condition, guard.condition());
  const auto tests = testsFor(fixed.launch, model, needed, WrittenAs::Signed);
  if (!tests) return tests.refusal();
  result.condition = andAlso(result.condition, *tests);

  // 2. Rewrite.
  auto kernel = std::make_shared<Kernel>(*plain);
  std::string said;
  const Obstacle no = refusing([&] {
    RunExchange exchange(model, *kernel, wide);
    for (const StoreRun& run : runs) {
      exchange.add(run);
      said += fmt::format("{}the {} elements of {} that each thread writes", said.empty() ? "" : ", ",
                          run.length, model.arrays[run.array].name);
    }
    exchange.finish();
  });
  if (no) return *no;
  const uint64_t shared = analysis::declaredMemory(*kernel).staticShared;
  if (shared > context.target.sharedPerBlock)
    return Refusal{fmt::format("{} bytes of shared memory for a block; {}: block(x=...) makes it smaller",
                               shared, target::sharedLimitText(context.target))};
  kernel->story.push_back(fmt::format("Collected in shared memory and written side by side: {}.", said));
  result.launch->kernel = kernel;
  result.remarks.push_back({RemarkKind::Done, model.accesses[runs.front().stores.front().access].loc,
                            kernel->name,
                            fmt::format("the block collects {} and writes them side by side", said)});
  if (result.condition && isTrue(result.condition)) result.condition = nullptr;
  return result;
}

const PassOf<CoalesceStoresOptions>& coalesceStoresPass() {
  static const PassOf<CoalesceStoresOptions> pass =
      PassOf<CoalesceStoresOptions>("coalesce-stores",
                                    "Where each thread writes a run of neighbouring elements, the block "
                                    "collects them in shared memory and writes them side by side.",
                                    coalesceStores)
          .names(&CoalesceStoresOptions::arrays, "<arrays>", ParameterKind::Arrays,
                 "arrays to do it for; without any, all that can be")
          .number(&CoalesceStoresOptions::wide, "wide",
                  "elements that a thread writes at a time, which vectorize makes one access (default 1)",
                  values({1, 4}));
  return pass;
}

}  // namespace hone::passes
