#include "acc/KernelMaker.h"

#include "acc/DeviceObjects.h"
#include "acc/LowerBody.h"
#include "acc/OwnSections.h"
#include "acc/Privatize.h"
#include "acc/ReductionValues.h"
#include "ir/Build.h"
#include "ir/Verify.h"

namespace hone::acc {

using namespace ir;
using frontend::AccConstruct;
using frontend::AccSeen;

Notes notesOf(const frontend::AccNotes& notes, const frontend::AccRegion* region) {
  Notes result;
  for (const auto& [s, loop] : notes.loops) {
    LoopPlan plan;
    plan.asked = loop;
    result.loops[s] = std::move(plan);
  }
  for (const auto& [s, kind] : notes.atomics) result.atomics[s] = kind;
  if (!region) return result;
  int next = HostValues::firstTrips;
  for (const Stmt* s : loopsOf(*region, notes)) {
    LoopPlan& plan = result.loops[s];
    if (plan.asked.hostTrips.empty()) continue;
    plan.trips = next++;
    if (plan.asked.innerTrips.empty()) continue;
    plan.innerTrips = next;
    next += static_cast<int>(plan.asked.innerTrips.size());
  }
  return result;
}

namespace {

constexpr int64_t mostGangsByStride = 65535, gangsForReductions = 1024, gangsWithoutCount = 256,
                  finishingThreads = 256, mostBlocksAcross = 65535;

class KernelMaker {
 public:
  KernelMaker(const frontend::AccRegion& theRegion, const frontend::AccUnit& unit, const RegionPart& thePart,
              LoweredRegion& theResult, bool mayRelyOnApart)
      : region(theRegion), part(thePart), result(theResult) {
    work.unit = &unit;
    work.region = &theRegion;
    work.mayRelyOnApart = mayRelyOnApart;
    work.construct = part.construct;
    work.loc = region.loc;
    work.body = part.body;
    work.notes = notesOf(unit.notes, &region);
    work.body = withAtomicsApart(work.notes, work.body);
  }

  void make() {
    takeNames();
    objectsToVariables(work, region, part.carried);
    declarePrivates();
    std::vector<GangResult> results = reductionsOfConstruct();
    MappingLimits asked;
    asked.lanes = region.vectorLength ? region.vectorLength->constant : std::nullopt;
    asked.workers = region.numWorkers ? region.numWorkers->constant : std::nullopt;
    asked.hasGangCount = region.numGangs[0].has_value();
    asked.mayUseGrid = results.empty() && !hasOwnSections(work);
    const BlockShape shape = mapLoops(work, asked);
    gangExtents(shape);
    if (part.isWhole) giveGangsSections(work, shape.count() > 1);
    std::vector<LoopReduction> running;
    for (const GangResult& one : results) running.push_back({one.op, one.object, one.running, region.loc});
    giveOwnVariables(work, running);
    std::vector<VarPtr> ofGang;
    for (const frontend::AccCaptured& captured : region.captured)
      if (captured.seen == AccSeen::Value) ofGang.push_back(captured.var);
    BodyLowerer lowerer(work, shape, gangNumber());
    LoweredBody body = lowerer.lower(Mode::Block, ofGang, std::move(results));
    for (const MissingReduction& one : work.missing)
      if (std::string array = arrayOf(*one.var, lowerer); !array.empty())
        kernel.hints.emplace_back(std::move(array), one.words);
    finish(std::move(body), lowerer, shape);
  }

  /// What kernels of loops that rely on it are right for.
  const std::set<std::pair<int, int>>& reliesOn() const { return work.reliesOn; }

 private:
  void takeNames() {
    work.names.take(region.body);
    for (const frontend::AccCaptured& captured : region.captured) work.names.take(captured.var->name);
    for (const VarPtr& global : work.unit->module.globals) work.names.take(global->name);
    for (const FunctionPtr& f : work.unit->module.functions) work.names.take(f->name);
    work.names.take(region.name);
  }

  void declarePrivates() {
    if (!part.isWhole) return;
    StmtList body;
    for (const frontend::AccCaptured& captured : region.captured)
      if (captured.section)
        work.sectionsOfGang.push_back(captured.var);
      else if (captured.seen == AccSeen::Private)
        body.push_back(makeStmt(Declare{captured.var, nullptr}, region.loc));
    if (body.empty()) return;
    for (const StmtPtr& s : listOf(work.body)) body.push_back(s);
    work.body = block(std::move(body), work.body->loc);
  }

  // Each gang has a value of its own, which begins with what changes nothing.
  std::vector<GangResult> reductionsOfConstruct() {
    std::vector<GangResult> results;
    if (!part.isWhole || work.construct == AccConstruct::Serial) return results;
    for (const frontend::AccReduction& asked : region.reductions) {
      work.ofConstruct.insert(asked.var.get());
      const DeviceObject* object = nullptr;
      for (const DeviceObject& one : work.objects)
        if (one.param == asked.var) object = &one;
      if (!object) continue;  // a variable of the gang's own has nobody to be combined with
      if (std::string why = whyNotReducible(asked.op, *object->var->type); !why.empty())
        throw Refused{
            "reduction(" + std::string(str(asked.op)) + ":" + object->var->name + ") is over " + why,
            asked.loc};
      VarPtr running = work.names.local(object->var->name + "_of_gang", object->var->type);
      work.body = withVariable(work.notes, work.body, object->var, running);
      work.ofConstruct.insert(running.get());
      results.push_back({asked.op, object->var, running});
    }
    return results;
  }

  // The memory that a variable lives in or leads to, as findings call it.
  std::string arrayOf(const Variable& var, const BodyLowerer& lowerer) const {
    if (const Variable* home = lowerer.homeOf(var)) return home->name;
    const Variable* seen = &var;
    for (const DeviceObject& object : work.objects)
      if (object.var.get() == seen) seen = object.param.get();
    for (const frontend::AccCaptured& one : region.captured)
      if (one.var.get() == seen && one.data >= 0) return "`" + region.data[size_t(one.data)].name + "`";
    return "";
  }

  // --- how many gangs

  void gangExtents(const BlockShape& shape) {
    for (int axis = 0; axis < 3; ++axis) {
      kernel.block[axis] = shape.threads[axis];
      const bool mayHaveGangs = work.construct == AccConstruct::Parallel || shape.hasGangs;
      if (region.numGangs[axis] && mayHaveGangs) kernel.grid[axis].fromClause = HostValues::numGangs + axis;
    }
    const bool isFew = !region.reductions.empty() || hasOwnSections(work);
    std::set<unsigned> seen;
    walkStmts(work.body, [&](const Stmt& s) {
      const LoopPlan* plan = work.notes.planOf(s);
      if (!plan || !plan->isSpread()) return;
      if (plan->axis >= 0) {
        Extent& extent = kernel.grid[plan->axis];
        extent = {.fromTrips = plan->trips, .per = shape.threads[plan->axis]};
        if (plan->axis > 0) limits.push_back({plan->trips, mostBlocksAcross * shape.threads[plan->axis]});
        kernel.isCovering = true;
        return;
      }
      if (!plan->gang || !seen.insert(plan->gangDim).second) return;
      Extent& extent = kernel.grid[plan->gangDim];
      extent.fromTrips = plan->trips;
      extent.tripsCount = plan->tripsCount;
      extent.per = plan->inner == Inner::Lanes    ? shape.count()
                   : plan->inner == Inner::Worker ? shape.threads[1]
                                                  : 1;
      extent.otherwise = gangsWithoutCount;
      extent.most = isFew || !plan->asked.reductions.empty() ? gangsForReductions : mostGangsByStride;
      const auto wanted = plan->asked.gangNum ? constantValue(plan->asked.gangNum) : std::nullopt;
      if (wanted && *wanted > 0) extent.fromTrips = -1, extent.otherwise = *wanted;
    });
  }

  // --- the end of a kernel, and the kernel behind it

  struct Parameter {
    VarPtr var;
    KernelArgument argument;
  };

  ExprPtr gangNumber() const {
    auto block = [](unsigned axis) { return coord(CoordKind::BlockIdx, axis); };
    ExprPtr number = block(0);
    const bool usesZ = usesAxis(2), usesY = usesAxis(1) || usesZ;
    if (usesY) {
      ExprPtr row = usesZ ? plus(times(block(2), coord(CoordKind::GridDim, 1)), block(1)) : block(1);
      number = plus(times(row, coord(CoordKind::GridDim, 0)), number);
    }
    return number;
  }
  bool usesAxis(int axis) const {
    const Extent& extent = kernel.grid[axis];
    return extent.fromClause >= 0 || extent.fromTrips >= 0 || extent.otherwise > 1;
  }

  void finish(LoweredBody body, BodyLowerer& lowerer, const BlockShape& shape) {
    const int number = static_cast<int>(result.kernels.size());
    std::vector<Parameter> parts;
    StmtList stores;
    for (const GangResult& one : body.results) {
      const TypePtr& type = one.object->type;
      VarPtr values = work.names.parameter(one.object->name + "_of_gangs", pointerType(type, Space::Generic));
      const int scratch = static_cast<int>(result.scratch.size());
      result.scratch.push_back({sizeOf(*type), number});
      parts.push_back({values, {KernelArgument::From::Scratch, scratch}});
      const ExprPtr place = subscript(ref(values), {gangNumber()});
      for (StmtPtr& s :
           overNumbers({place, ref(one.running)}, work.names,
                       [](const std::vector<ExprPtr>& two) { return StmtList{assign(two[0], two[1])}; }))
        stores.push_back(std::move(s));
    }
    std::vector<Parameter> all = parts;
    for (const VarPtr& var : body.ofGangs) {
      all.push_back({var, {KernelArgument::From::Scratch, static_cast<int>(result.scratch.size())}});
      result.scratch.push_back({sizeOf(*var->type->element), number});
    }
    for (const OwnMemory& own : work.ownMemory) {
      all.push_back({own.memory, {KernelArgument::From::Scratch, static_cast<int>(result.scratch.size())}});
      const int64_t units = own.by == OwnedBy::Gang     ? 1
                            : own.by == OwnedBy::Worker ? shape.threads[1]
                                                        : shape.count();
      Scratch scratch{sizeOf(*own.memory->type->element) * static_cast<uint64_t>(units), number};
      for (size_t i = 0; i < region.captured.size(); ++i)
        if (region.captured[i].var == own.count) scratch.elements = static_cast<int>(i);
      result.scratch.push_back(scratch);
    }
    if (!stores.empty()) lowerer.once(body.stmts, Mode::Block, std::move(stores));
    const std::string name = nameFor(result.kernels.size());
    push(name, std::move(body.stmts), all, kernel);
    for (const TripLimit& limit : body.limits) limits.push_back(limit);
    result.limits.insert(result.limits.end(), limits.begin(), limits.end());
    if (!body.results.empty()) finishResults(body.results, parts, number, name);
    result.loops.insert(result.loops.end(), work.said.begin(), work.said.end());
  }

  std::string nameFor(size_t number) const {
    // Regions end with their numbers, so none of another function is called so.
    if (!part.isWhole) return region.name + "_part" + std::to_string(number + 1);
    return number == 0 ? region.name : region.name + "_in_order";
  }

  // One block adds up what the gangs have left, and what was there before.
  void finishResults(const std::vector<GangResult>& results, const std::vector<Parameter>& parts, int gangsOf,
                     const std::string& name) {
    BlockShape shape;
    shape.threads[0] = finishingThreads;
    BodyLowerer lowerer(work, shape, nullptr);
    VarPtr gangs = work.names.parameter("gangs", int32());
    StmtList stmts;
    std::vector<Parameter> parameters = parts;
    parameters.push_back({gangs, {KernelArgument::From::Gangs, gangsOf}});
    for (size_t i = 0; i < results.size(); ++i)
      for (StmtPtr& s : lowerer.finishGangs(results[i], parts[i].var, gangs)) stmts.push_back(std::move(s));
    StmtList all;
    for (const VarPtr& var : lowerer.sharedVariables())
      all.push_back(makeStmt(Declare{var, nullptr}, region.loc));
    all.insert(all.end(), stmts.begin(), stmts.end());
    LoweredKernel made;
    made.block[0] = finishingThreads;
    push(name + "_results", std::move(all), parameters, made);
  }

  void push(const std::string& name, StmtList stmts, const std::vector<Parameter>& extra,
            LoweredKernel shape) {
    auto made = std::make_shared<Kernel>();
    made->name = made->qualifiedName = name;
    made->loc = region.loc;
    made->body = variablesToObjects(work, block(std::move(stmts), region.loc));
    made->body = withoutUnusedVariables(made->body);
    auto add = [&](const VarPtr& var, KernelArgument argument) {
      if (!mentions(made->body, var.get())) return;
      made->params.push_back(var);
      shape.arguments.push_back(argument);
    };
    for (size_t i = 0; i < region.captured.size(); ++i)
      if (region.captured[i].seen != AccSeen::Private)
        add(region.captured[i].var, {KernelArgument::From::Captured, static_cast<int>(i)});
    for (const DeviceObject& object : work.objects)
      if (object.argument.from != KernelArgument::From::Captured) add(object.param, object.argument);
    for (const Parameter& one : extra) add(one.var, one.argument);
    // Each kernel has variables of its own.
    freshParameters(*made);
    if (auto violations = verify(*made); !violations.empty())
      throw Refused{"internal: " + violations.front(), region.loc};
    shape.kernel = made;
    result.kernels.push_back(std::move(shape));
  }

  const frontend::AccRegion& region;
  const RegionPart& part;
  LoweredRegion& result;
  WorkRegion work;
  LoweredKernel kernel;
  std::vector<TripLimit> limits;
};

}  // namespace

void makeKernels(const frontend::AccRegion& region, const frontend::AccUnit& unit, const RegionPart& part,
                 LoweredRegion& into) {
  LoweredRegion apart = into;
  KernelMaker relying(region, unit, part, apart, true);
  bool isMade = true;
  try {
    relying.make();
  } catch (const Refused&) {
    if (relying.reliesOn().empty()) throw;
    isMade = false;
  }
  if (relying.reliesOn().empty()) {
    into = std::move(apart);
    return;
  }
  // Another kernel does it where the variables lead to the same memory.
  const int test = static_cast<int>(into.apart.size());
  const auto mark = [](LoweredRegion& made, size_t firstKernel, size_t firstScratch, When when) {
    for (size_t k = firstKernel; k < made.kernels.size(); ++k) made.kernels[k].when = when;
    for (size_t k = firstScratch; k < made.scratch.size(); ++k) made.scratch[k].when = when;
  };
  if (isMade) {
    apart.apart.emplace_back(relying.reliesOn().begin(), relying.reliesOn().end());
    mark(apart, into.kernels.size(), into.scratch.size(), {test, true});
    into = std::move(apart);
  }
  const size_t kernels = into.kernels.size(), scratch = into.scratch.size(), loops = into.loops.size();
  KernelMaker(region, unit, part, into, false).make();
  if (!isMade) return;
  mark(into, kernels, scratch, {test, false});
  into.loops.resize(loops);
}

}  // namespace hone::acc
