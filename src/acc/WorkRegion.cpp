#include "acc/WorkRegion.h"

#include <algorithm>

namespace hone::acc {

using namespace ir;
using frontend::AccLevel;

const frontend::AccRoutine* routineOf(const frontend::AccUnit& unit, const Call& call) {
  auto found = unit.routines.find(call.function.get());
  return found == unit.routines.end() || found->second.level == AccLevel::Seq ? nullptr : &found->second;
}

namespace {

class LevelOfCalls : public Walker {
 public:
  LevelOfCalls(const frontend::AccUnit& theUnit, const Notes* theNotes) : unit(theUnit), notes(theNotes) {}
  AccLevel level = AccLevel::Seq;

 protected:
  bool enter(const Expr& e) override {
    const auto* call = e.as<Call>();
    if (const frontend::AccRoutine* routine = call && call->function ? routineOf(unit, *call) : nullptr)
      level = std::max(level, routine->level);
    return true;
  }
  bool enter(const Stmt& s) override { return !notes || !notes->planOf(s); }

 private:
  const frontend::AccUnit& unit;
  const Notes* notes;
};

class OneStatement : public NotedRewriter {
 public:
  OneStatement(Notes& theNotes, const Stmt& what, const StmtList& by)
      : NotedRewriter(theNotes), from(what), to(by) {}
  using NotedRewriter::rewrite;
  StmtList rewrite(const StmtPtr& s) override {
    if (s.get() == &from) return to;
    // Only what lies around it changes.
    bool holds = false;
    if (s) walkStmts(s, [&](const Stmt& one) { holds |= &one == &from; });
    return holds ? NotedRewriter::rewrite(s) : StmtList{s};
  }
  ExprPtr rewrite(const ExprPtr& e) override { return e; }

 private:
  const Stmt& from;
  const StmtList& to;
};

}  // namespace

AccLevel calledLevel(const frontend::AccUnit& unit, const StmtPtr& s, const Notes* notes) {
  LevelOfCalls walker(unit, notes);
  walker.walk(s);
  return walker.level;
}

StmtPtr withStatement(Notes& notes, const StmtPtr& root, const Stmt& from, const StmtList& to) {
  return OneStatement(notes, from, to).rewriteBlock(root);
}

}  // namespace hone::acc
