// Functions that gangs, workers or lanes call together. They know nothing of the kernels that call them: a
// worker is a warp there, and workers are counted by the block's size along y.
#include <algorithm>

#include "acc/KernelMaker.h"
#include "acc/LowerBody.h"
#include "acc/LowerRegion.h"
#include "acc/Privatize.h"
#include "ir/Verify.h"

namespace hone::acc {

using namespace ir;
using frontend::AccLevel;

namespace {

constexpr int64_t lanesOfWorker = 32, mostWorkersOfBlock = 32;

bool hasNotes(const frontend::AccNotes& notes, const StmtPtr& s) {
  bool found = false;
  walkStmts(s, [&](const Stmt& one) { found |= notes.loops.contains(&one) || notes.atomics.contains(&one); });
  return found;
}

void lowerRoutine(frontend::AccUnit& unit, Function& f, AccLevel level) {
  WorkRegion work;
  work.unit = &unit;
  work.loc = f.loc;
  work.body = f.body;
  work.notes = notesOf(unit.notes, nullptr);
  work.body = withAtomicsApart(work.notes, work.body);
  work.names.take(f.body);
  for (const VarPtr& param : f.params) work.names.take(param->name);
  for (const VarPtr& global : unit.module.globals) work.names.take(global->name);
  for (const FunctionPtr& other : unit.module.functions) work.names.take(other->name);
  MappingLimits limits;
  limits.mayUseGrid = false;
  limits.outer = level;
  mapLoops(work, limits);
  BlockShape shape;
  if (level > AccLevel::Seq) {
    shape.hasWorkers = true;
    shape.threads[0] = lanesOfWorker;
    shape.threads[1] = mostWorkersOfBlock;
  }
  giveOwnVariables(work, {});
  const Mode start = level == AccLevel::Vector ? Mode::Worker : Mode::Block;
  LoweredBody lowered = BodyLowerer(work, shape, nullptr).lower(start, f.params, {});
  auto changed = std::make_shared<Function>(f);
  changed->body = block(std::move(lowered.stmts), f.body->loc);
  if (level > AccLevel::Seq) changed->synchronizes = changed->usesCoords = changed->writesMemory = true;
  if (auto violations = verify(*changed); !violations.empty())
    throw Refused{"internal: " + violations.front(), f.loc};
  f = *changed;
}

}  // namespace

std::vector<frontend::AccMessage> lowerRoutines(frontend::AccUnit& unit) {
  std::vector<frontend::AccMessage> messages;
  for (const FunctionPtr& f : unit.module.functions) {
    auto routine = unit.routines.find(f.get());
    const AccLevel level = routine == unit.routines.end() ? AccLevel::Seq : routine->second.level;
    if (!f->body || (level == AccLevel::Seq && !hasNotes(unit.notes, f->body))) continue;
    try {
      lowerRoutine(unit, *f, level);
    } catch (const Refused& refused) {
      if (routine != unit.routines.end()) routine->second.refused = refused.reason;
      messages.push_back(
          {refused.loc.valid() ? refused.loc : f->loc, f->name + ": " + refused.reason, refused.isError});
    }
  }
  return messages;
}

}  // namespace hone::acc
