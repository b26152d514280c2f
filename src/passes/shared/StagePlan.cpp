#include "passes/shared/StagePlan.h"

#include <fmt/core.h>

#include <algorithm>

#include "analysis/Barriers.h"
#include "ir/Build.h"
#include "ir/StructureReturns.h"
#include "passes/host/AliasGuard.h"
#include "passes/host/GlobalIdBounds.h"
#include "passes/host/HostConditions.h"

namespace hone::passes {

using namespace ir;
using affine::KernelModel;

namespace {

constexpr int64_t mostOfWhole =
    16 * 1024;  // bytes of a tile that is loaded at once, where a loop could be followed instead

class Planner {
 public:
  Planner(const FixedLaunch& launch, const StageRequest& asked, PassContext& passContext)
      : fixed(launch),
        request(asked),
        context(passContext),
        facts(passContext.facts.of(launch.launch.kernel, launch.block)),
        model(facts.model()),
        alias(launch.launch, facts.model(), passContext) {}

  StagePlan run() {
    plan.refusal = decide();
    if (plan.refusal) plan.tiles.clear();
    return std::move(plan);
  }

 private:
  Obstacle decide() {
    if (containsReturn(model.kernel->body))
      return Refusal{"an early return that no if can stand for is in the way of barriers"};
    if (Obstacle no = findNames()) return no;
    findKnown();
    for (const auto& [array, accesses] : wanted) {
      Result<std::vector<StagedTile>> made = tilesOf(array, accesses);
      if (!made)
        note(made.refusal(), array, accesses);
      else
        for (StagedTile& tile : *made) plan.tiles.push_back(std::move(tile));
    }
    for (affine::AccessId store : stores) {
      Result<StagedTile> tile = tileOfStore(store);
      if (tile)
        plan.tiles.push_back(*std::move(tile));
      else
        note(tile.refusal(), model.accesses[store].array, {store});
    }
    if (plan.tiles.empty()) {
      plan.remarks.erase(plan.remarks.begin() +
                         static_cast<std::ptrdiff_t>(weightiest));  // it is the refusal now
      return why;
    }
    if (Obstacle no = fits()) return no;
    return conditions();
  }

  // What is loaded again and again in loops has most to gain: why that is not staged says most.
  void note(const Refusal& no, affine::ArrayId array, const std::vector<affine::AccessId>& accesses) {
    size_t weight = 0;
    for (const affine::AccessId access : accesses)
      if (model.accesses[access].mode == AccessMode::Read)
        weight = std::max(weight, model.accesses[access].loops.size() + 1);
    const Refusal one{fmt::format("`{}` is not staged: {}", model.arrays[array].name, no.reason),
                      model.accesses[accesses.front()].loc};
    if (!why || weight >= mostWeight) why = one, mostWeight = weight, weightiest = plan.remarks.size();
    plan.remarks.push_back({RemarkKind::Note, one.place, model.kernel->name, one.reason});
  }

  bool isLoad(const affine::Access& a) const {
    return a.mode == AccessMode::Read && !a.atomic && a.array.isSome() && model.arrays[a.array].var &&
           (model.arrays[a.array].space == Space::Global ||
            (model.arrays[a.array].space == Space::Generic &&
             model.arrays[a.array].var->storage == Storage::Param));
  }

  bool isStore(const affine::Access& a) const {
    return a.mode == AccessMode::Write && !a.atomic && a.array.isSome() && model.isGlobal(a) &&
           a.stmt->is<Assign>();
  }

  // Reads by array, in the order of the kernel.
  Obstacle findNames() {
    std::vector<std::string> missing = request.names;
    for (const affine::AccessId i : model.accesses.ids()) {
      const affine::Access& a = model.accesses[i];
      if (a.array.isNone()) continue;
      bool isNamed = request.names.empty();
      for (const std::string& name : request.names)
        if (name == a.handle || name == model.arrays[a.array].name) {
          isNamed = true;
          std::erase(missing, name);
        }
      if (isNamed && isStore(a) && (!request.names.empty() || isFarApart(i))) stores.push_back(i);
      if (!isNamed || !isLoad(a)) continue;
      auto at = std::find_if(wanted.begin(), wanted.end(), [&](const auto& w) { return w.first == a.array; });
      if (at == wanted.end()) at = wanted.insert(wanted.end(), {a.array, {}});
      at->second.push_back(i);
    }
    if (!missing.empty())
      return Refusal{
          fmt::format("it has no array or access `{}`; `hone explain` lists them", missing.front())};
    if (!wanted.empty() || !stores.empty()) return std::nullopt;
    const bool reads = std::any_of(model.accesses.begin(), model.accesses.end(),
                                   [&](const affine::Access& a) { return model.isGlobal(a) && a.reads(); });
    if (request.names.empty() && reads)
      return Refusal{"all that it reads in global memory it changes in the same statement"};
    if (request.names.empty()) return Refusal{"it reads no array in global memory"};
    return Refusal{
        fmt::format("`{}` is no array in global memory that is read or stored to", request.names.front())};
  }

  // Where the grid may overshoot it covers the bounds of all ids.
  void findKnown() {
    for (unsigned axis = 0; axis < 3; ++axis) {
      if (!fixed.launch.mayOvershoot[axis]) continue;
      const affine::Poly grid = model.atoms->gridDim(axis);
      for (const affine::Poly& bound : globalIdBounds(model, axis).bounds)
        known.push_back(affine::atLeast0(grid * affine::Poly(int64_t(fixed.block[axis])) - bound));
    }
  }

  // One tile or more, or what last stood in the way of one.
  Result<std::vector<StagedTile>> tilesOf(affine::ArrayId array,
                                          const std::vector<affine::AccessId>& accesses) {
    const affine::Array& what = model.arrays[array];
    if (what.isVolatile) return Refusal{"it is volatile"};
    if (Obstacle no = alias.requireUnchanged(array)) return *no;
    std::vector<StagedTile> made;
    if (request.loop) {
      const affine::LoopId loop = loopNamed(*request.loop);
      if (loop.isNone()) return Refusal{fmt::format("there is no loop {}", *request.loop)};
      std::vector<affine::AccessId> inside = insideOf(accesses, loop);
      if (inside.empty()) return Refusal{fmt::format("it is not read in loop {}", *request.loop)};
      if (Obstacle no = add(made, along(inside, loop))) return *no;
      return made;
    }
    const Result<StagedTile> whole = wholeBlock(accesses);
    if (whole && bytes(*whole) <= mostOfWhole) {
      if (Obstacle no = add(made, whole)) return *no;
      return made;
    }
    Obstacle last;
    if (!whole) last = whole.refusal();
    std::vector<affine::AccessId> rest = accesses;
    while (!rest.empty()) {
      const size_t before = rest.size();
      for (affine::LoopId loop : model.accesses[rest.front()].loops) {
        std::vector<affine::AccessId> inside = insideOf(rest, loop);
        Result<StagedTile> tile = along(inside, loop);
        if (!tile) last = tile.refusal();
        // Rows here and rows there, as in a * transposed(a), are no box together, but each for itself.
        if (const std::vector<affine::AccessId> near = neighboursOf(inside);
            !tile && near.size() < inside.size()) {
          inside = near;
          tile = along(inside, loop);
          if (!tile) last = tile.refusal();
        }
        if (!tile) continue;
        if (Obstacle no = add(made, tile)) {
          last = no;
          break;
        }
        std::erase_if(rest, [&](affine::AccessId a) {
          return std::find(inside.begin(), inside.end(), a) != inside.end();
        });
        break;
      }
      if (rest.size() == before) rest.erase(rest.begin());
    }
    if (made.empty() && whole)
      if (Obstacle no = add(made, whole)) last = no;
    if (made.empty()) return *last;
    return made;
  }

  bool isFarApart(affine::AccessId access) {
    const auto verdict = facts.coalescing(access).verdict;
    return verdict == analysis::CoalescingVerdict::Strided ||
           verdict == analysis::CoalescingVerdict::Scattered;
  }

  // A store whose neighbours lie far apart.
  Result<StagedTile> tileOfStore(affine::AccessId store) {
    const affine::Access& access = model.accesses[store];
    StagedTile staged;
    staged.columns = request.layout == TileLayout::Columns;
    if (!isFarApart(store)) return Refusal{"its stores are coalesced already"};
    if (model.arrays[access.array].isVolatile) return Refusal{"it is volatile"};
    if (!access.loops.empty()) return Refusal{"it is written in a loop"};
    for (const affine::Access& other : model.accesses)
      if (other.array == access.array && &other != &access)
        return Refusal{"it is accessed in more than one place"};
    for (const affine::Access& other : model.accesses)
      if (other.array.isNone())
        return Refusal{fmt::format("memory that is not known is accessed: {}", other.reason)};
    if (Obstacle no = requireApart(alias, access.array)) return *no;
    staged.tile = tileOf({{store}, {}, 1, known, true});
    if (!staged.tile.reason.empty()) return Refusal{staged.tile.reason};
    return staged;
  }

  // Nothing that is written through the array is touched through another.
  Obstacle requireApart(AliasGuard& guard, affine::ArrayId array) const {
    for (const affine::ArrayId other : model.arrays.ids()) {
      const Space space = model.arrays[other].space;
      if (other == array || (space != Space::Global && space != Space::Generic)) continue;
      if (Obstacle no = guard.requireApart(array, other)) return no;
    }
    return std::nullopt;
  }

  // Each question is bounded; after a few that were too complex the rest are not tried, which bounds the
  // pass.
  analysis::Tile tileOf(const analysis::TileRequest& asked) {
    constexpr unsigned patience = 2;
    if (tooComplex >= patience) {
      analysis::Tile none;
      none.what = asked;
      none.reason = "what the block reads is too complex";
      return none;
    }
    analysis::Tile tile = analysis::tileOf(model, asked);
    tooComplex += tile.isTooComplex;
    return tile;
  }

  Result<StagedTile> wholeBlock(const std::vector<affine::AccessId>& accesses) {
    StagedTile staged;
    staged.tile = tileOf({accesses, {}, 1, known});
    if (!staged.tile.reason.empty()) return Refusal{staged.tile.reason};
    return staged;
  }

  Result<StagedTile> along(const std::vector<affine::AccessId>& accesses, affine::LoopId loop) {
    const Obstacle noStrip = notAStrip(loop);
    StagedTile staged;
    if (!noStrip) staged.tile = tileOf({accesses, loop, request.depth, known});
    for (affine::AccessId a : accesses)
      if (model.accesses[a].stmt == model.loops[loop].stmt)
        return Refusal{fmt::format("the header of loop {} reads it", model.loops[loop].handle)};
    if (noStrip) return *noStrip;
    if (!staged.tile.reason.empty()) return Refusal{staged.tile.reason};
    const auto& dims = staged.tile.dimensions;
    if (std::none_of(dims.begin(), dims.end(), [](const TileDimension& d) { return d.followsLoop; }))
      return Refusal{
          fmt::format("what the block reads does not move with loop {}", model.loops[loop].handle)};
    return staged;
  }

  // Whether a loop can be cut into strips with barriers between them.
  Obstacle notAStrip(affine::LoopId index) const {
    const affine::Loop& loop = model.loops[index];
    const auto* stmt = as<For>(loop.stmt);
    const auto count = stmt ? counted(*stmt) : std::nullopt;
    if (!stmt) return Refusal{fmt::format("loop {} is no `for` loop", loop.handle)};
    if (count && !constantValue(count->step))
      return Refusal{fmt::format("the step of loop {} is no constant", loop.handle)};
    if (!count || !loop.step.constant() || *loop.step.constant() == 0 || !count->begin || !loop.var ||
        loop.byDistance || !loop.values.empty() || stmt->init.size() != 1 || stmt->step.size() != 1)
      return Refusal{fmt::format("loop {} does not count one variable in equal steps", loop.handle)};
    // Strips step over the end of the loop by up to a whole one.
    const TypePtr& type = loop.var->type;
    if (!type->is(TypeKind::Int) || type->bits < 32 || (!type->isSigned && count->op == BinaryOp::Sub))
      return Refusal{fmt::format("loop {} counts in numbers that could wrap", loop.handle)};
    if (loop.exactness != affine::Exactness::Exact)
      return Refusal{
          fmt::format("how many iterations loop {} has is not known: {}", loop.handle, loop.inexact)};
    std::vector<affine::LoopId> chain;
    for (affine::LoopId l = index; l.isSome(); l = model.loops[l].parent) chain.insert(chain.begin(), l);
    const analysis::Divergence divergence = analysis::divergenceAt(model, chain, affine::always());
    if (divergence.isDivergent)
      return Refusal{
          fmt::format("the bound of loop {} differs between threads: {}", loop.handle, divergence.reason)};
    return std::nullopt;
  }

  int64_t bytes(const StagedTile& staged) const {
    return staged.tile.size() * int64_t(sizeOf(*model.arrays[staged.tile.array].element));
  }

  // Takes a tile, if there is one, unless nothing would be gained.
  Obstacle add(std::vector<StagedTile>& made, const Result<StagedTile>& tile) {
    if (!tile) return tile.refusal();
    StagedTile staged = *tile;
    if (readsOfElement(staged.tile) < 2 && isCoalesced(staged.tile)) {
      if (request.names.empty()) return Refusal{"no reuse and already coalesced"};
      plan.remarks.push_back(
          {RemarkKind::Note, model.accesses[staged.tile.what.accesses.front()].loc, model.kernel->name,
           fmt::format("`{}` has no reuse and was coalesced already", model.arrays[staged.tile.array].name)});
    }
    for (const TileDimension& d : staged.tile.dimensions)
      if (d.stride > 8 && request.names.empty())
        return Refusal{fmt::format("only one of {} elements is used", d.stride)};
    staged.columns = request.layout == TileLayout::Columns;
    const size_t n = staged.tile.dimensions.size();
    if (staged.tile.dimensions[n - 1].stride == 1 &&
        staged.tile.dimensions[n - 1].count % request.sideBySide == 0)
      staged.sideBySide = request.sideBySide;
    if (n > 1 && request.layout == TileLayout::Auto)
      staged.columns =
          isReadSideBySide(model, staged.tile, n - 2) && !isReadSideBySide(model, staged.tile, n - 1);
    made.push_back(std::move(staged));
    return std::nullopt;
  }

  bool isCoalesced(const Tile& tile) {
    using analysis::CoalescingVerdict;
    // Without a cache what lanes share is no better than what they do not.
    const bool isCached = context.target.l2KiB > 0;
    return std::all_of(tile.what.accesses.begin(), tile.what.accesses.end(), [&](affine::AccessId a) {
      switch (facts.coalescing(a).verdict) {
        case CoalescingVerdict::Coalesced:
        case CoalescingVerdict::Misaligned:
        case CoalescingVerdict::DependsOn: return true;
        case CoalescingVerdict::Broadcast: return isCached;
        default: return false;
      }
    });
  }

  std::vector<affine::AccessId> insideOf(const std::vector<affine::AccessId>& accesses,
                                         affine::LoopId loop) const {
    std::vector<affine::AccessId> inside;
    for (affine::AccessId a : accesses) {
      const auto& loops = model.accesses[a].loops;
      if (std::find(loops.begin(), loops.end(), loop) != loops.end()) inside.push_back(a);
    }
    return inside;
  }

  // Those that touch elements at a fixed distance from what the first touches.
  std::vector<affine::AccessId> neighboursOf(const std::vector<affine::AccessId>& accesses) const {
    std::vector<affine::AccessId> near;
    const affine::Poly& first = model.accesses[accesses.front()].address;
    for (affine::AccessId a : accesses)
      if (model.atoms->isLaunchUniform(model.accesses[a].address - first)) near.push_back(a);
    return near;
  }

  affine::LoopId loopNamed(const std::string& handle) const {
    for (const affine::LoopId l : model.loops.ids())
      if (model.loops[l].handle == handle) return l;
    return {};
  }

  Obstacle fits() {
    const int64_t used = int64_t(analysis::declaredMemory(*model.kernel).staticShared);
    int64_t needed = 0;
    for (const StagedTile& t : plan.tiles) needed += bytes(t);
    const int64_t limit = context.target.sharedPerBlock;
    if (used + needed <= limit) return std::nullopt;
    plan.isTooLarge = true;
    return Refusal{fmt::format("with the tiles a block needs {} bytes of shared memory; {}", used + needed,
                               target::sharedLimitText(context.target))};
  }

  // What the addresses rely on, tested before the launch.
  Obstacle conditions() {
    AliasGuard ofTiles(fixed.launch, model, context);
    for (const StagedTile& t : plan.tiles)
      t.tile.what.isStore ? requireApart(ofTiles, t.tile.array) : ofTiles.requireUnchanged(t.tile.array);
    plan.condition = andAlso(fixed.condition, ofTiles.condition());
    std::set<unsigned> needed;
    for (const StagedTile& t : plan.tiles)
      for (affine::AccessId a : t.tile.what.accesses)
        needed.insert(model.accesses[a].requirements.begin(), model.accesses[a].requirements.end());
    const auto tests = testsFor(fixed.launch, model, needed, WrittenAs::Signed);
    if (!tests) return tests.refusal();
    plan.condition = andAlso(plan.condition, *tests);
    for (const StagedTile& t : plan.tiles)
      if (const ExprPtr condition = startsInRange(t.tile))
        if (!isTrue(condition)) plan.condition = andAlso(plan.condition, condition);
    for (const StagedTile& t : plan.tiles)
      for (const analysis::TileDimension& dimension : t.tile.dimensions) keepInRange(dimension.first);
    if (plan.condition && isTrue(plan.condition)) plan.condition = nullptr;
    return std::nullopt;
  }

  // Tiles are loaded outside of the kernel's own guards, where nothing keeps the sum that a tile begins at
  // from wrapping: numbers of 32 bits in it are tested to be half of what they can be at most.
  void keepInRange(const affine::Poly& first) {
    constexpr int64_t half = int64_t(1) << 30;
    for (const auto& [monomial, factor] : first.terms()) {
      if (monomial.size() != 1 || !(*model.atoms)[monomial.front()].is(affine::SymbolKind::Value)) continue;
      const affine::Poly number = affine::Poly::atom(monomial.front());
      const affine::Range range = model.atoms->range(number);
      if (range.high > UINT32_MAX || range.low < INT32_MIN) continue;  // of 64 bits
      const bool isCovered = std::any_of(known.begin(), known.end(), [&](const affine::CondPtr& covered) {
        const auto less = (number - coveredBound(covered)).constant();
        return less && *less <= 0;
      });
      const ExprPtr value = hostSymbol(fixed.launch, model, (*model.atoms)[monomial.front()]);
      if (!value) continue;
      const auto test = [&](BinaryOp op, int64_t limit) {
        plan.condition = andAlso(plan.condition, binary(op, value, intLit(limit, value->type)));
      };
      if (range.low < -half) test(BinaryOp::Ge, -half);
      if (range.high > half && !isCovered) test(BinaryOp::Le, half);
    }
  }

  // The variable of a strip steps over the last value of the loop; null: it stays in its type for sure, or
  // nobody can say.
  ExprPtr startsInRange(const Tile& tile) const {
    if (tile.what.loop.isNone()) return nullptr;
    const affine::Loop& loop = model.loops[tile.what.loop];
    const int64_t step = *loop.step.constant();
    if (step < 0 || loop.var->type->bits > 32 || !loop.runs || loop.runs->kind != affine::CondKind::AtLeast0)
      return nullptr;
    const int64_t most = loop.var->type->isSigned ? INT32_MAX : UINT32_MAX;
    const affine::Poly last = loop.first + loop.runs->value.without(loop.counter);
    const affine::Poly room = affine::Poly(most - tile.what.depth * step) - last;
    if (loop.runs->value.coefficient(loop.counter) != affine::Poly(-step) ||
        model.atoms->range(room).low >= 0)
      return nullptr;
    // Ids that the grid covers stay far below.
    for (const affine::CondPtr& covered : known)
      if (auto less = (last - coveredBound(covered)).constant(); less && *less <= 0) return nullptr;
    return hostCondition(fixed.launch, model, affine::atLeast0(room));
  }
  // n of 16 * gridDim.x - n >= 0.
  affine::Poly coveredBound(const affine::CondPtr& covered) const {
    affine::Poly bound;
    for (const auto& [monomial, factor] : covered->value.terms()) {
      const bool isGrid =
          monomial.size() == 1 && (*model.atoms)[monomial.front()].is(affine::SymbolKind::GridDim);
      if (!isGrid) bound.add(monomial, -factor);
    }
    return bound;
  }

  const FixedLaunch& fixed;
  const StageRequest& request;
  PassContext& context;
  analysis::Facts& facts;
  const KernelModel& model;
  AliasGuard alias;
  std::vector<std::pair<affine::ArrayId, std::vector<affine::AccessId>>> wanted;
  std::vector<affine::AccessId> stores;
  std::vector<affine::CondPtr> known;  // of the launch
  StagePlan plan;
  Obstacle why;                           // of all that were noted
  size_t mostWeight = 0, weightiest = 0;  // of it, and its place among the remarks
  unsigned tooComplex = 0;                // questions for a tile that cost too much
};

}  // namespace

StagePlan planStaging(const FixedLaunch& fixed, const StageRequest& request, PassContext& context) {
  return Planner(fixed, request, context).run();
}

bool isReadSideBySide(const affine::KernelModel& model, const Tile& tile, size_t dimension) {
  for (size_t i = 0; i < tile.what.accesses.size(); ++i) {
    const std::vector<affine::Poly>& place = tile.places[i];
    const std::vector<affine::LoopId>& loops = model.accesses[tile.what.accesses[i]].loops;
    // The innermost unrolled loop that moves the access says what lies beside what.
    for (auto at = loops.rbegin(); at != loops.rend(); ++at) {
      const affine::Loop& loop = model.loops[*at];
      const auto* node = as<For>(loop.stmt);
      if (!node || node->unroll != -1) continue;
      size_t moved = 0;
      for (const affine::Poly& p : place) moved += !p.coefficient(loop.counter).isZero();
      if (moved == 0) continue;
      if (moved == 1 && place[dimension].coefficient(loop.counter) == affine::Poly(1)) return true;
      break;
    }
  }
  return false;
}

}  // namespace hone::passes
