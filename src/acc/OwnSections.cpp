#include "acc/OwnSections.h"

#include "ir/Build.h"

namespace hone::acc {

using namespace ir;

namespace {

ExprPtr wide(CoordKind kind, unsigned axis) { return convert(coord(kind, axis), int64()); }

// The number of a block or thread among all of its grid or block, whatever axes that has.
ExprPtr numberIn(CoordKind at, CoordKind of) {
  const ExprPtr row = plus(times(wide(at, 2), wide(of, 1)), wide(at, 1));
  return plus(times(row, wide(of, 0)), wide(at, 0));
}

ExprPtr numberOf(OwnedBy by) {
  const ExprPtr gang = numberIn(CoordKind::BlockIdx, CoordKind::GridDim);
  if (by == OwnedBy::Gang) return gang;
  if (by == OwnedBy::Worker)
    return plus(times(gang, wide(CoordKind::BlockDim, 1)), wide(CoordKind::ThreadIdx, 1));
  const ExprPtr rows = times(wide(CoordKind::BlockDim, 2), wide(CoordKind::BlockDim, 1));
  return plus(times(gang, times(rows, wide(CoordKind::BlockDim, 0))),
              numberIn(CoordKind::ThreadIdx, CoordKind::BlockDim));
}

}  // namespace

ExprPtr ownPlace(WorkRegion& work, const VarPtr& pointer, const frontend::AccOwnSection& section,
                 OwnedBy by) {
  const char* const whose = by == OwnedBy::Gang     ? "_of_gangs"
                            : by == OwnedBy::Worker ? "_of_workers"
                                                    : "_of_threads";
  const VarPtr memory = work.names.parameter(pointer->name + whose, pointer->type);
  work.ownMemory.push_back({memory, section.count, by});
  ExprPtr at = times(numberOf(by), ref(section.count));
  if (section.lower) at = minus(at, ref(section.lower));
  return addressOf(subscript(ref(memory), {at}), Space::Global);
}

void giveGangsSections(WorkRegion& work, bool hasThreads) {
  StmtList body;
  for (const frontend::AccCaptured& captured : work.region->captured) {
    if (!captured.section) continue;
    const frontend::AccOwnSection& section = *captured.section;
    body.push_back(
        makeStmt(Declare{captured.var, ownPlace(work, captured.var, section, OwnedBy::Gang)}, work.loc));
    if (!section.first) continue;
    const VarPtr at = work.names.local("e", int64());
    const ExprPtr to = section.lower ? plus(ref(at), ref(section.lower)) : ref(at);
    const StmtPtr copy =
        countingLoop({.var = at,
                      .begin = intLit(0, int64()),
                      .end = ref(section.count),
                      .body = block({assign(subscript(ref(captured.var), {to}),
                                            subscript(ref(section.first), {ref(at)}), work.loc)})},
                     work.loc);
    if (hasThreads) {
      LoopPlan plan;
      plan.isParallel = true;
      plan.inner = Inner::Lanes;
      work.notes.note(copy, std::move(plan));
    }
    body.push_back(copy);
  }
  if (body.empty()) return;
  for (const StmtPtr& s : listOf(work.body)) body.push_back(s);
  work.body = block(std::move(body), work.body->loc);
}

bool hasOwnSections(const WorkRegion& work) {
  bool found = !work.sectionsOfGang.empty();
  walkStmts(work.body, [&](const Stmt& s) {
    const LoopPlan* plan = work.notes.planOf(s);
    found |= plan && !plan->asked.ownSections.empty();
  });
  return found;
}

}  // namespace hone::acc
