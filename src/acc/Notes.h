// The statements of a region with what directives and the mapping say of its loops, kept together while the
// region is rewritten.
#pragma once

#include <functional>
#include <set>
#include <string>
#include <unordered_map>
#include <vector>

#include "frontend/AccUnit.h"
#include "ir/Walk.h"

namespace hone::acc {

/// Over which threads the iterations of a loop are spread.
enum class Inner : uint8_t {
  None,    ///< every thread of the block does each of the block's iterations
  Worker,  ///< a worker (a warp) does an iteration
  Lanes    ///< a thread does an iteration
};

/// A reduction of a loop: the loop's body names `copy`, its result goes to `original`.
struct LoopReduction {
  frontend::AccReductionOp op = frontend::AccReductionOp::Add;
  ir::VarPtr original, copy;
  ir::SourceLoc loc;
};

/// A sum or the like that the iterations of a parallel loop make together without a clause that says so.
struct MissingReduction {
  ir::VarPtr var;    ///< the variable, or the array or pointer of the element
  std::string what;  ///< as text
  std::string words;
};

/// A loop with a directive and what was decided about it.
struct LoopPlan {
  frontend::AccLoop asked;
  bool isParallel = false;  ///< its iterations may be done at once
  bool gang = false;
  unsigned gangDim = 0;  ///< axis of the grid
  Inner inner = Inner::None;
  int axis = -1;   ///< one thread an iteration along this axis of a grid of threads; -1: not so
  int trips = -1;  ///< index of its trip count among the host's values; -1: the host does not know it
  std::string reason;
  int tripsCount = 1;   ///< values from there on whose product it is
  int innerTrips = -1;  ///< likewise of the first of its innerTrips
  bool isFlat = false;  ///< what collapse and tile ask for is done
  std::vector<LoopReduction> reductions;
  std::vector<MissingReduction> missing;
  bool isReady = false;  ///< its private variables and reductions have copies

  bool isSpread() const { return gang || inner != Inner::None || axis >= 0; }
};

struct Notes {
  std::unordered_map<const ir::Stmt*, LoopPlan> loops;  ///< of ir::For
  std::unordered_map<const ir::Stmt*, frontend::AccAtomicKind> atomics;
  /// What has a note stays, so that no other statement gets its address.
  std::vector<ir::StmtPtr> kept;

  LoopPlan* planOf(const ir::Stmt& s) {
    auto found = loops.find(&s);
    return found == loops.end() ? nullptr : &found->second;
  }
  const LoopPlan* planOf(const ir::Stmt& s) const {
    auto found = loops.find(&s);
    return found == loops.end() ? nullptr : &found->second;
  }
  void note(const ir::StmtPtr& s, LoopPlan plan);
  /// What is known of `from` holds of `to`, which takes its place.
  void move(const ir::StmtPtr& from, const ir::StmtPtr& to);
};

/// Rewrites statements, and notes go with them.
class NotedRewriter : public ir::Rewriter {
 public:
  explicit NotedRewriter(Notes& notesOfRegion) : notes(notesOfRegion) {}
  using ir::Rewriter::rewrite;
  ir::StmtList rewrite(const ir::StmtPtr& s) override;
  ir::StmtList rewriteList(const ir::StmtList& stmts);

 protected:
  /// Plans name variables and hold expressions as well.
  virtual void mapPlan(LoopPlan& plan);
  Notes& notes;
};

/// With one variable in the place of another, in notes too.
ir::StmtPtr withVariable(Notes& notes, const ir::StmtPtr& s, const ir::VarPtr& from, const ir::VarPtr& to);

/// The block of an atomic construct inside of another block, so that it is a statement of it and not the body
/// of a loop or a branch.
ir::StmtPtr withAtomicsApart(Notes& notes, const ir::StmtPtr& s);

/// The statements of a block, or the one.
ir::StmtList listOf(const ir::StmtPtr& s);
/// Without comments and the braces around a single statement.
ir::StmtList meantOf(const ir::StmtPtr& s);

/// Names that nothing in a region has.
class RegionNames {
 public:
  void take(const ir::StmtPtr& s);
  void take(const std::string& name) { taken.insert(name); }
  std::string fresh(const std::string& wanted);
  ir::VarPtr local(const std::string& wanted, const ir::TypePtr& type, bool isConst = false);
  ir::VarPtr shared(const std::string& wanted, const ir::TypePtr& type);
  ir::VarPtr parameter(const std::string& wanted, const ir::TypePtr& type);

 private:
  std::set<std::string> taken;
};

}  // namespace hone::acc
