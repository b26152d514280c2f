// Where the values that a kernel computes come from: the loads behind them, the sums over iterations and the
// exchanges between threads on the way. Followed through variables and arrays without regard to order.
#pragma once

#include <set>

#include "affine/KernelModel.h"

namespace hone::analysis {

// A statement that makes a value out of what it was in an iteration before and of what this one loads: a sum,
// an extremum, by operators or by comparison.
struct CarriedUpdate {
  ir::StmtPtr stmt;
  uint64_t loops = 0;                  // that carry it: a bit each (affine::loopBit)
  affine::AccessId place;              // it is an element of an array; none: a variable
  std::set<affine::AccessId> nearest;  // loads whose values it takes, those behind shared memory left out
  std::set<affine::AccessId> reads;    // all of them
};

struct ValueOrigin {
  std::set<affine::AccessId> reads;    // loads whose values it is made of
  std::set<affine::AccessId> nearest;  // of them, those that come without a store to shared memory between
  std::set<size_t> updates;            // into ValueSources::updates
  bool isShuffled = false;             // lanes exchanged it
  bool isShuffledUp = false;           // each lane took from those below it
  std::set<affine::ArrayId> trees;     // in shared memory, whose elements were combined with each other
  bool add(const ValueOrigin& other, bool throughShared = false);
};

class ValueSources {
 public:
  explicit ValueSources(const affine::KernelModel& kernelModel);
  ~ValueSources();

  // Of what a store or an atomic writes.
  const ValueOrigin& written(affine::AccessId store) const;
  // Of what the address of an access is made of.
  const ValueOrigin& address(affine::AccessId access) const;
  const std::vector<CarriedUpdate>& updates() const { return found; }
  // Stores that fill a shared array in which elements are combined with each other.
  const std::set<affine::AccessId>& treeStores() const { return combining; }

 private:
  struct Assignment;
  class Collector;

  void propagate();
  ValueOrigin of(const ir::ExprPtr& value) const;
  bool dependsOn(const ir::Variable* from, const ir::Variable* on) const;
  std::set<const ir::Variable*> variablesIn(const ir::ExprPtr& value) const;
  void findUpdates();
  void findTrees();

  const affine::KernelModel& model;
  std::vector<Assignment> assignments;
  std::map<const ir::Variable*, std::vector<affine::LoopId>> declared;  // loops around a declaration
  std::map<const ir::Expr*, std::vector<affine::AccessId>> loads;
  std::map<const ir::Variable*, ValueOrigin> origins;
  std::map<const ir::Variable*, std::set<const ir::Variable*>> closure;  // what a variable is made of
  std::vector<CarriedUpdate> found;
  std::map<size_t, size_t> updateOf;  // by assignment
  std::set<affine::AccessId> combining;
  std::map<affine::AccessId, ValueOrigin> stored, addresses;
};

}  // namespace hone::analysis
