// Conditions on which threads differ, moved past what all threads must come to and left around what only some
// of them may do. SinkGuards does it for the threads of a block, ReplicaGuards for threads that become one.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "ir/Kernel.h"
#include "passes/edit/Names.h"

namespace hone::passes {

using RefCounts = std::map<const ir::Variable*, size_t>;
void countRefs(const ir::StmtPtr& s, RefCounts& into);

// What stands under a condition that differs between threads.
struct GuardedRegion {
  ir::ExprPtr guard;
  std::vector<ir::ExprPtr> conditions = {};  // as they are written, those around it included
  RefCounts inside = {};                     // references in the branch
  std::set<const ir::Variable*> declared = {};
  bool inLoop = false;
  std::set<const ir::Variable*> unset = {};    // hold no value in threads for which the guard does not hold
  std::set<const ir::Variable*> stale = {};    // hold an older value in these threads than in the others
  std::set<const ir::Variable*> headers = {};  // what loops that stand outside of the guard count by
  // What loops of known iterations around a statement count by, and through which values.
  std::map<const ir::Variable*, std::pair<int64_t, int64_t>> counters = {};
};

// To be run inside refusing(…). "Outside" are threads for which a guard does not hold.
class GuardSinker {
 public:
  explicit GuardSinker(Names& taken) : names(taken) {}
  virtual ~GuardSinker() = default;

  // Statements under no guard.
  ir::StmtList open(const ir::StmtList& list);

 protected:
  // Under no guard: whether something in the statement may be split.
  virtual bool concerns(const ir::StmtPtr& s) const = 0;
  // Under a guard: whether the statement cannot stay there as it is.
  virtual bool concerns(const ir::StmtPtr& s, const GuardedRegion& region) const = 0;
  // Done by all threads as it stands, whatever the guards around it say.
  virtual bool isForAll(const ir::StmtPtr& s) const = 0;
  // An If under no guard that concerns us is split, else its branches are looked into.
  virtual bool splits(const ir::StmtPtr& choice) const = 0;
  // An If that threads inside and outside take alike.
  virtual bool isTakenAlike(const ir::If& choice, const ir::StmtPtr& s,
                            const GuardedRegion& region) const = 0;
  // Threads outside may do it too.
  virtual bool isFree(const ir::StmtPtr& s, const GuardedRegion& region) const = 0;
  // Refuse where a statement, or a loop that is to stand outside of the guard, does not permit it.
  virtual void check(const ir::StmtPtr& s) const = 0;
  virtual void checkLoop(const ir::For& loop, const ir::StmtPtr& s, GuardedRegion& region) const = 0;
  virtual void checkSunkLoop(const ir::StmtPtr&, const GuardedRegion&) const {}
  // A declaration that is not free, in a form that is; null: it stays under the guard.
  virtual ir::StmtPtr declaredForAll(const ir::StmtPtr&, const GuardedRegion&) const { return nullptr; }
  // Statements that go under the guard, what is declared among them and used behind put into `out`.
  virtual ir::StmtList underGuard(const ir::StmtList& group, ir::StmtList&) { return group; }
  // The guard as it is written around statements.
  virtual ir::ExprPtr guardOf(const GuardedRegion& region) const { return region.guard; }
  // The condition in a form that may be asked again later, its declaration put into `out`.
  virtual ir::ExprPtr named(const ir::ExprPtr& condition, const char* name, const ir::StmtPtr& s,
                            ir::StmtList& out) = 0;
  // Puts together what an If became: out[first…] declares its conditions, `under` follows.
  virtual void finish(const ir::If& choice, const ir::StmtPtr& s, const GuardedRegion& then, bool isOutermost,
                      size_t first, ir::StmtList under, ir::StmtList& out) const = 0;

  // A declaration of a free value may go before statements that stay under the guard.
  virtual bool mayPass(const ir::Declare&, const ir::StmtList&) const { return false; }

  Names& names;
  unsigned depth = 0;           // loops around
  bool leavesComments = false;  // comments keep their place, instead of going with the statement behind
  bool leavesAlone = false;     // an If that cannot be split stays, instead of a refusal

 private:
  ir::StmtPtr opened(const ir::StmtPtr& s);
  ir::StmtPtr openedInLoop(const ir::StmtPtr& body);
  void openIf(const ir::If& choice, const ir::StmtPtr& s, ir::StmtList& out);
  void split(const ir::If& choice, const ir::StmtPtr& s, GuardedRegion* outer, ir::StmtList& out);
  GuardedRegion regionOf(const ir::If& choice, const ir::StmtPtr& branch, const GuardedRegion* outer) const;
  ir::StmtList guarded(const ir::StmtList& list, GuardedRegion& region);
  void finishGroup(const ir::StmtList& group, const GuardedRegion& region, ir::StmtList& out);
  void into(const ir::StmtPtr& s, GuardedRegion& region, ir::StmtList& out);
};

}  // namespace hone::passes
