#include "passes/shared/StageArrays.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "affine/Implied.h"
#include "analysis/ConflictRemedy.h"
#include "ir/Build.h"
#include "ir/Handles.h"
#include "ir/Substitute.h"
#include "passes/edit/DeadCode.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/guards/SinkGuards.h"
#include "passes/host/HostConditions.h"
#include "passes/host/PlanEdit.h"
#include "passes/shared/NoOpIterations.h"
#include "passes/shared/StagePlan.h"
#include "passes/shared/StageStrips.h"

namespace hone::passes {

using namespace ir;
using affine::CondPtr;
using affine::KernelModel;

namespace {

using Replacements = std::map<std::pair<const Stmt*, const Expr*>, ExprPtr>;

bool contains(const StmtPtr& s, const std::set<const Stmt*>& wanted) {
  bool found = false;
  walkStmts(s, [&](const Stmt& one) { found = found || wanted.contains(&one); });
  return found;
}

bool isZeroNumber(const ExprPtr& e) {
  const ExprPtr number = withoutCasts(e);
  const auto* floating = as<FloatLiteral>(number);
  return floating ? floating->value == 0 && !std::signbit(floating->value) : constantValue(number) == 0;
}

// Accesses replaced by the statement they stand in, loops by strips.
class StageRewriter : public Rewriter {
 public:
  Replacements places;
  std::set<std::pair<const Stmt*, const Expr*>>
      zeroElsewhere;  // of these, which are 0 where they are not wanted
  std::map<const Stmt*, Strip> strips;
  std::map<const Stmt*, StmtList> writes;  // of tiles, behind the statement that fills them
  std::map<const Stmt*, bool> isUsedAfter;
  std::set<const Stmt*> forAll, inner;
  Language language = Language::Cuda;

  ExprPtr rewrite(const ExprPtr& e) override {
    if (!e) return e;
    auto found = places.find({current, e.get()});
    if (found != places.end()) return found->second;
    if (const auto* choice = as<Select>(e))
      if (isZeroNumber(choice->no) && zeroElsewhere.contains({current, withoutCasts(choice->yes).get()}))
        return rewrite(choice->yes);
    // A load through a function is a load of the tile.
    if (const auto* call = as<Call>(e); call && call->args.size() == 1)
      if (const auto* address = as<AddressOf>(call->args.front())) {
        found = places.find({current, address->place.get()});
        if (found != places.end()) return convert(found->second, e->type);
      }
    return Rewriter::rewrite(e);
  }
  StmtList rewrite(const StmtPtr& s) override {
    const Stmt* before = current;
    current = s.get();
    auto strip = strips.find(s.get());
    if (strip != strips.end() && strip->second.mayAddZeros)
      strip->second.mayAddZeros = addsNothingBeyond(s, strip->second);
    StmtList out = Rewriter::rewrite(s);
    current = before;
    if (auto after = writes.find(s.get()); after != writes.end()) {
      out.push_back(HONE_SEED(StageDroppedBarrierOfStore, tileBarrier(language), makeStmt(Comment{""})));
      for (const StmtPtr& write : after->second) {
        forAll.insert(write.get());
        out.push_back(write);
      }
    }
    if (strip == strips.end()) return out;
    return makeStrips(out.front(), strip->second, isUsedAfter[s.get()], forAll, inner);
  }

 private:
  const Stmt* current = nullptr;

  bool addsNothingBeyond(const StmtPtr& loop, const Strip& strip) const {
    const StmtPtr& body = as<For>(loop)->body;
    std::set<const Expr*> zeros;
    for (const auto& [stmt, place] : strip.zeroBeyond) zeros.insert(place);
    return addsNothing(body, [&](const ExprPtr& e) { return zeros.contains(e.get()); });
  }
};

std::string sizeText(const Tile& tile) {
  std::string text;
  for (const TileDimension& d : tile.dimensions)
    text += (text.empty() ? "" : " x ") + std::to_string(d.count);
  return text;
}

// "16 x 16 elements of a, each read 16 times by the block"
std::string describe(const KernelModel& model, const Tile& tile) {
  const int64_t reads = readsOfElement(tile);
  const std::string& name = model.arrays[tile.array].name;
  if (tile.what.isStore)
    return fmt::format("{} elements of {}, which threads write far apart from each other", sizeText(tile),
                       name);
  if (reads < 2)
    return fmt::format("{} elements of {}, which threads read far apart from each other", sizeText(tile),
                       name);
  return fmt::format("{} elements of {}, each read {} times by the block", sizeText(tile), name, reads);
}

struct Built {
  KernelPtr kernel;
  std::vector<VarPtr> tiles;
  std::vector<ExprPtr> tests;  // of parameters, to be made before the launch
};

class StageBuilder {
 public:
  // `hasTest`: there is a test before the launch already, to which others may be added.
  StageBuilder(const KernelModel& m, const std::vector<StagedTile>& planned, bool hasTest, bool reassociate)
      : mayReassociate(reassociate),
        model(m),
        tiles(planned),
        kernel(std::make_shared<Kernel>(*m.kernel)),
        names(*kernel),
        hasChoice(hasTest) {}

  Result<Built> run() {
    // 1. Where things go: strips at their loops, whole tiles before the first statement that reads them.
    const auto& top = as<Block>(kernel->body)->stmts;
    size_t wholeAt = top.size(), scope = top.size();
    for (const StagedTile& t : tiles) {
      std::set<const Stmt*> uses;
      for (affine::AccessId a : t.tile.what.accesses) uses.insert(model.accesses[a].stmt.get());
      for (size_t i = 0; i < top.size(); ++i) {
        if (!contains(top[i], uses)) continue;
        scope = std::min(scope, i);
        if (t.tile.what.loop.isNone() && !t.tile.what.isStore) wholeAt = std::min(wholeAt, i);
        break;
      }
    }
    // 2. The code of the tiles.
    TileWriter writer(*kernel, model, names, scope);
    writer.leavesTestsToPlan = hasChoice;
    StageRewriter rewriter;
    rewriter.language = kernel->language;
    StmtList wholeLoads;
    std::string wholeComment;
    for (StagedTile& t : tiles) {
      if (t.tile.what.loop.isSome()) {
        const Strip& strip = stripOf(t, rewriter);
        t.loopStart = ref(strip.start);
        t.depthRole = strip.depthRole;
      }
      if (Obstacle no = writer.declare(t)) return Refusal{no->reason, placeOf(t)};
      const auto loads = writer.load(t);
      if (!loads) return Refusal{loads.refusal().reason, placeOf(t)};
      std::string text = describe(model, t.tile);
      if (t.pad)
        text += fmt::format("; rows are {} longer {}", t.pad,
                            t.againstConflicts ? "to keep clear of bank conflicts"
                                               : "so that each begins where a wide access may");
      if (t.tile.what.isStore) {
        StmtList& after = rewriter.writes[model.accesses[t.tile.what.accesses.front()].stmt.get()];
        after.push_back(makeStmt(Comment{fmt::format("Written to {} in the order of its rows: {}.",
                                                     model.arrays[t.tile.array].name, text)}));
        after.insert(after.end(), loads->begin(), loads->end());
      } else if (t.tile.what.loop.isSome()) {
        Strip& strip = stripOf(t, rewriter);
        strip.loads.insert(strip.loads.end(), loads->begin(), loads->end());
        strip.comment += strip.comment.empty() ? text : ",\nand " + text;
      } else {
        wholeLoads.insert(wholeLoads.end(), loads->begin(), loads->end());
        wholeComment += wholeComment.empty() ? text : ",\nand " + text;
      }
      for (size_t i = 0; i < t.tile.what.accesses.size(); ++i) {
        const affine::Access& access = model.accesses[t.tile.what.accesses[i]];
        auto read = writer.read(t, i);
        if (!read) return Refusal{read.refusal().reason, placeOf(t)};
        if (!rewriter.places.emplace(std::pair(access.stmt.get(), access.place.get()), *read).second)
          return Refusal{"internal: one expression stands for two reads; please report", placeOf(t)};
        if (!t.isFilled || !t.tile.isForAll || t.tile.what.isStore) continue;
        const std::pair place(access.stmt.get(), access.place.get());
        if (HONE_SEED(StageChoiceDropped, isZeroWhereNotWanted(t.tile, i), true))
          rewriter.zeroElsewhere.insert(place);
        if (t.tile.what.loop.isSome() && HONE_SEED(StageIterationsBeyond, isZeroBeyond(t.tile, i), true))
          stripOf(t, rewriter).zeroBeyond.insert(place);
      }
    }
    for (auto& [loop, strip] : rewriter.strips)
      strip.comment = fmt::format("Staged in shared memory, {{}} steps of {} at a time: {}.",
                                  variableOf[loop]->name, strip.comment);
    // 3. The new body.
    StmtList body;
    for (size_t i = 0; i < top.size(); ++i) {
      if (i == wholeAt && !wholeLoads.empty()) {
        body.push_back(makeStmt(Comment{"Staged in shared memory: " + wholeComment + "."}));
        body.insert(body.end(), wholeLoads.begin(), wholeLoads.end());
        body.push_back(
            HONE_SEED(StageDroppedBarrierOfWhole, tileBarrier(kernel->language), makeStmt(Comment{""})));
      }
      StmtList made = rewriter.rewrite(top[i]);
      body.insert(body.end(), made.begin(), made.end());
    }
    StmtList all = withDeclarations(writer.declarations(), body);
    kernel->body = block(std::move(all), kernel->body->loc);
    Result<Built> built = sink(rewriter);
    if (built) built->tests = writer.leftToPlan();
    return built;
  }

 private:
  // Tiles first, then what something refers to, once the variables are declared that it is computed from.
  static StmtList withDeclarations(const StmtList& declarations, const StmtList& body) {
    StmtList tilesFirst, others;
    std::set<const Variable*> named;
    auto look = [&](const StmtPtr& s) {
      walkExprs(s, [&](const Expr& e) {
        if (const auto* r = e.as<VarRef>()) named.insert(r->var.get());
      });
    };
    for (const StmtPtr& s : body) look(s);
    for (auto it = declarations.rbegin(); it != declarations.rend(); ++it) {
      const VarPtr& var = as<Declare>(*it)->var;
      if (!named.contains(var.get())) continue;
      look(*it);
      StmtList& into = var->space == Space::Shared ? tilesFirst : others;
      into.insert(into.begin(), *it);
    }
    std::set<const Variable*> needed;
    for (const StmtPtr& s : others)
      walkExprs(s, [&](const Expr& e) {
        if (const auto* r = e.as<VarRef>()) needed.insert(r->var.get());
      });
    auto at = body.begin();
    for (auto it = body.begin(); it != body.end(); ++it)
      if (const auto* d = as<Declare>(*it); d && needed.contains(d->var.get())) at = it + 1;
    StmtList all = std::move(tilesFirst);
    all.insert(all.end(), body.begin(), at);
    all.insert(all.end(), others.begin(), others.end());
    all.insert(all.end(), at, body.end());
    return all;
  }

  // Whether the slot that an access would read holds 0 where a choice inside its statement keeps it from
  // reading: what the choice asks for, the element's existence implies.
  bool isZeroWhereNotWanted(const Tile& tile, size_t number) const {
    const affine::Access& access = model.accesses[tile.what.accesses[number]];
    if (access.exactness != affine::Exactness::Exact) return false;
    std::vector<CondPtr> known = existence(tile, number);
    // What stands around the statement holds when it runs.
    for (const affine::Branch& branch : model.branches)
      if (const auto* choice = as<If>(branch.stmt); choice && contains(choice->then, {access.stmt.get()}))
        for (const CondPtr& one : affine::conjuncts(branch.cond)) known.push_back(one);
    return isPartOf(access.guard, known);
  }
  // Whether it holds 0 in iterations beyond the end of the tile's loop: elements that exist are those of its
  // iterations.
  bool isZeroBeyond(const Tile& tile, size_t number) const {
    const affine::Loop& loop = model.loops[tile.what.loop];
    return loop.runs && loop.exactness == affine::Exactness::Exact &&
           isPartOf(loop.runs, existence(tile, number));
  }
  // What must hold for the element of an access to exist.
  std::vector<CondPtr> existence(const Tile& tile, size_t number) const {
    affine::Atoms::Substitution values;
    for (size_t d = 0; d < tile.elements.size(); ++d)
      values[tile.elements[d].atoms().front()] =
          tile.dimensions[d].first + tile.places[number][d] * affine::Poly(tile.dimensions[d].stride);
    return affine::conjuncts(model.atoms->substitute(tile.exists, values));
  }
  static bool isPartOf(const CondPtr& cond, const std::vector<CondPtr>& known) {
    const std::vector<CondPtr> wanted = affine::conjuncts(cond);
    return std::all_of(wanted.begin(), wanted.end(), [&](const CondPtr& one) {
      return std::any_of(known.begin(), known.end(), [&](const CondPtr& k) { return isSame(*k, *one); });
    });
  }
  static bool isSame(const affine::Cond& a, const affine::Cond& b) {
    return a.kind == b.kind && (a.kind == affine::CondKind::AtLeast0 || a.kind == affine::CondKind::Zero) &&
           a.value == b.value;
  }

  const SourceLoc& placeOf(const StagedTile& t) const {
    return model.accesses[t.tile.what.accesses.front()].loc;
  }

  Strip& stripOf(const StagedTile& t, StageRewriter& rewriter) {
    const affine::Loop& loop = model.loops[t.tile.what.loop];
    auto [at, isNew] = rewriter.strips.try_emplace(loop.stmt.get());
    Strip& strip = at->second;
    if (!isNew) return strip;
    const Counted count = *counted(*as<For>(loop.stmt));
    strip.start = makeLocal(names, count.var->name + "0", count.var->type);
    strip.iteration = makeLocal(names, "step", count.var->type);
    strip.depth = t.tile.what.depth;
    strip.language = kernel->language;
    strip.mayAddZeros = mayReassociate;
    strip.depthRole = addConstant(*kernel, {RoleKind::TileDepth}, strip.depth,
                                  fmt::format("steps of a loop for one tile in shared memory"));
    variableOf[loop.stmt.get()] = count.var;
    size_t inside = 0, all = 0;
    auto counting = [&](size_t& n) {
      return [&](const Expr& e) {
        const auto* r = e.as<VarRef>();
        n += r && r->var == count.var;
      };
    };
    walkExprs(loop.stmt, counting(inside));
    walkExprs(kernel->body, counting(all));
    rewriter.isUsedAfter[loop.stmt.get()] = inside != all;
    return strip;
  }

  // Guards that differ between threads must not stand around the barriers.
  Result<Built> sink(const StageRewriter& rewriter) {
    std::set<const Expr*> uniformConds, uniformLoops;
    for (const affine::Branch& b : model.branches)
      if (model.atoms->variation(b.cond).isUniform())
        if (const auto* choice = as<If>(b.stmt)) uniformConds.insert(choice->cond.get());
    for (const affine::Loop& l : model.loops)
      if (const auto* loop = as<For>(l.stmt); loop && l.runs && model.atoms->variation(l.runs).isUniform())
        uniformLoops.insert(loop->cond.get());
    SinkOptions options;
    options.isForAll = [&](const StmtPtr& s) {
      const auto* b = as<Barrier>(s);
      return rewriter.forAll.contains(s.get()) || (b && b->scope == SyncScope::Block);
    };
    options.isUniform = [&](const StmtPtr& s) { return uniformConds.contains(as<If>(s)->cond.get()); };
    options.opensIfFree = [&](const StmtPtr& s) {
      return rewriter.inner.contains(s.get()) || uniformLoops.contains(as<For>(s)->cond.get());
    };
    Built built;
    for (const StagedTile& t : tiles) {
      built.tiles.push_back(t.var);
      if (t.isFilled && t.tile.isForAll) options.readable.insert(t.var.get());
    }
    const auto sunk = sinkGuards(*kernel, options);
    if (!sunk)
      return Refusal{
          fmt::format("barriers are needed inside a condition that differs between threads, and {}",
                      sunk.refusal().reason),
          sunk.refusal().place};
    kernel->body = *sunk;
    built.kernel = kernel;
    return built;
  }

  const bool mayReassociate;
  const KernelModel& model;
  std::vector<StagedTile> tiles;
  std::shared_ptr<Kernel> kernel;
  Names names;
  bool hasChoice;
  std::map<const Stmt*, VarPtr> variableOf;
};

// Padding or a swizzle where the tiles as they are have bank conflicts.
bool avoidConflicts(const KernelModel& model, std::vector<StagedTile>& tiles, const Built& built, TilePad pad,
                    const std::array<unsigned, 3>& block, PassContext& context) {
  analysis::Facts& facts = context.facts.of(built.kernel, block);
  bool changed = false;
  for (size_t i = 0; i < tiles.size(); ++i) {
    affine::ArrayId array;
    for (const affine::ArrayId a : facts.model().arrays.ids())
      if (facts.model().arrays[a].var == built.tiles[i]) array = a;
    if (array.isNone()) continue;
    if (pad == TilePad::Swizzle) {
      tiles[i].swizzle = facts.conflictSwizzle(array).mask.value_or(tiles[i].swizzle);
    } else {
      const analysis::ConflictRemedy& remedy = facts.conflictRemedy(array);
      if (remedy.hasConflicts)
        tiles[i].pad = remedy.padding ? *remedy.padding : remedy.lessPadding.value_or(0);
      tiles[i].againstConflicts = tiles[i].pad;
      // Rows that are read side by side begin where a wide access may.
      const size_t n = tiles[i].tile.dimensions.size(), last = tiles[i].columns && n > 1 ? n - 2 : n - 1;
      if (isReadSideBySide(model, tiles[i].tile, last)) {
        const int64_t wide =
            std::max<int64_t>(1, 16 / int64_t(sizeOf(*model.arrays[tiles[i].tile.array].element)));
        const int64_t count = tiles[i].tile.dimensions[last].count;
        if (count >= wide) tiles[i].pad = (count + tiles[i].pad + wide - 1) / wide * wide - count;
      }
    }
    changed = changed || tiles[i].swizzle || tiles[i].pad;
  }
  return changed;
}

bool fits(const Kernel& kernel, const PassContext& context) {
  return analysis::declaredMemory(kernel).staticShared <= context.target.sharedPerBlock;
}

// A second time where the tiles need another layout; where that takes too much memory and `mustFit`, the
// first stays.
Result<Built> buildTiles(const KernelModel& model, std::vector<StagedTile>& tiles, TilePad pad,
                         const std::array<unsigned, 3>& block, bool mustFit, bool hasChoice,
                         PassContext& context) {
  if (pad == TilePad::One)
    for (StagedTile& t : tiles) t.pad = t.againstConflicts = 1;
  Result<Built> first = StageBuilder(model, tiles, hasChoice, context.reassociate).run();
  if (!first || pad == TilePad::None || pad == TilePad::One) return first;
  const std::vector<StagedTile> plain = tiles;
  if (!avoidConflicts(model, tiles, *first, pad, block, context)) return first;
  Result<Built> second = StageBuilder(model, tiles, hasChoice, context.reassociate).run();
  if (second && mustFit && !fits(*second->kernel, context)) {
    tiles = plain;
    return first;
  }
  return second;
}

}  // namespace

LaunchResult stageArrays(const LaunchStep& launch, const StageOptions& options, PassContext& context) {
  StageRequest request;
  request.names = options.names;
  request.loop = options.loop;
  request.depth = options.depth.value_or(16);
  request.layout = options.layout.value_or(TileLayout::Auto);
  request.sideBySide = options.wide.value_or(1);
  const TilePad pad = options.pad.value_or(TilePad::Auto);

  // 1. Decide what is staged, and where. 2. Rewrite. Again with smaller tiles where they do not fit and
  // nobody asked for their depth.
  const FixedLaunch fixed = withFixedBlock(launch, context);
  const KernelModel& model = context.facts.of(fixed.launch.kernel, fixed.block).model();
  StagePlan plan;
  Result<Built> built = Built{};
  for (bool isDone = false; !isDone; request.depth /= 2) {
    const bool isLast = options.depth || request.depth <= 4;
    plan = planStaging(fixed, request, context);
    const bool hasChoice = plan.condition || fixedBlock(launch);
    if (!plan.tiles.empty())
      built = buildTiles(model, plan.tiles, pad, fixed.block, isLast, hasChoice, context);
    isDone = isLast || !(plan.isTooLarge || (built && built->kernel && !fits(*built->kernel, context)));
  }
  if (plan.refusal) return {*plan.refusal, plan.remarks};
  if (!built) return {built.refusal(), plan.remarks};
  LaunchResult result{fixed.launch, plan.condition, plan.remarks};
  auto kernel = std::make_shared<Kernel>(*built->kernel);
  // What only the old subscripts used goes with them.
  kernel->body = withoutDeadCode(kernel->body, deadVariables(model.kernel->body));
  std::string list, written;
  for (const StagedTile& t : plan.tiles) {
    const std::string loop = t.tile.what.loop.isNone()
                                 ? ""
                                 : fmt::format(", {} iterations of {} at a time", t.tile.what.depth,
                                               model.loops[t.tile.what.loop].handle);
    result.remarks.push_back(
        {RemarkKind::Done, model.accesses[t.tile.what.accesses.front()].loc, model.kernel->name,
         fmt::format("staged through shared memory: {}{}", describe(model, t.tile), loop)});
    std::string& names = t.tile.what.isStore ? written : list;
    names += (names.empty() ? "" : ", ") + model.arrays[t.tile.array].name;
  }
  if (!list.empty())
    kernel->story.push_back(
        fmt::format("A block loads what it reads of {} into shared memory, each element once.", list));
  if (!written.empty())
    kernel->story.push_back(fmt::format(
        "A block collects what it writes of {} in shared memory and writes it in order.", written));
  result.launch->kernel = kernel;
  for (const ExprPtr& test : built->tests) {
    const ExprPtr value = onHost(fixed.launch, test).value;
    if (!value) return unexpected("test of a launch");
    result.condition = andAlso(result.condition, value);
  }
  return result;
}

}  // namespace hone::passes
