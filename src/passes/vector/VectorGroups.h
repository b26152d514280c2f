// Neighbouring accesses of one thread that one wide access can do.
#pragma once

#include "passes/vector/VectorFacts.h"

namespace hone::passes {

// Loads or stores of one array in one list of statements, all of which happen where one does.
struct StraightGroup {
  affine::ArrayId array;
  bool isStore = false;
  unsigned lanes = 0;
  std::vector<std::pair<affine::AccessId, unsigned>>
      members;              // accesses with their lanes, in program order; loads may name a lane twice
  ir::StmtPtr at;           // loads: the statement before which all are done; stores: the last of them
  bool isAdjacent = false;  // stores: nothing stands between them
  ir::ExprPtr place;        // of lane 0, as it can be written at `at`
  ir::ExprPtr condition;    // on the launch; null: none
};

// Elements of an array that the iterations of a loop touch one after the other: neighbours at least for
// `lanes` iterations at a time.
struct LoopPart {
  affine::ArrayId array;
  std::vector<affine::Poly> addresses;  // by iteration
  bool isLoaded = false, isStored = false;
  unsigned lanes = 0;
  std::vector<affine::AccessId> accesses;
  std::vector<ir::ExprPtr>
      places;  // of iterations 0, lanes, 2 * lanes, …, as they can be written before the loop
};

// A loop of few iterations, their number known, whose accesses are done together: loads before it, stores
// behind it.
struct LoopGroup {
  ir::StmtPtr loop;
  ir::VarPtr var;
  int64_t iterations = 0;
  std::vector<LoopPart> parts;
  // Conditions inside the loop that accesses stand under, which hold for all iterations where `allHold` does:
  // the ifs and the conditions of ?: by identity.
  std::set<const ir::Stmt*> ifs;
  std::set<const ir::Expr*> selections;
  ir::ExprPtr allHold;     // null: there are none
  ir::ExprPtr condition;   // on the launch; null: none
  bool isTested = false;   // `allHold` says whether it holds
  bool isOfBlock = false;  // `allHold` is the same for all threads of the block
};

struct VectorGroups {
  std::vector<StraightGroup> straight;
  std::vector<LoopGroup> loops;
  std::set<std::pair<affine::ArrayId, affine::ArrayId>> apart;  // arrays that must not share memory
  std::set<unsigned> requirements;  // of the model, which are tested before the launch
  std::map<affine::ArrayId, unsigned>
      alignedShared;  // shared arrays that must begin at multiples of so many bytes
  Obstacle leftOut;   // what kept the first of those from it that were left out
  bool empty() const { return straight.empty() && loops.empty(); }
};

VectorGroups vectorGroups(const VectorFacts& facts);

// Of one loop; nothing where none of its accesses can be done together. Adds to `groups` what the group
// relies on.
std::optional<LoopGroup> loopGroup(const VectorFacts& facts, const ir::StmtPtr& loop, VectorGroups& groups);

}  // namespace hone::passes
