// What the values of a kernel depend on, followed through variables and arrays without regard to order.
#pragma once

#include "device/KernelFacts.h"

namespace hone::device {

// What a value depends on. For a pointer the same of its offset, and the arrays it may point into.
struct Flow {
  CoordUse coords;
  std::set<std::string> params;  // whole-number parameters
  std::set<std::string> loaded;  // arrays that values were loaded from
  std::set<std::string> points;  // arrays
  bool fromAtomic = false;       // what an atomic gave back
  bool add(const Flow& o) {
    auto before = size();
    coords |= o.coords;
    params.insert(o.params.begin(), o.params.end());
    loaded.insert(o.loaded.begin(), o.loaded.end());
    points.insert(o.points.begin(), o.points.end());
    fromAtomic |= o.fromAtomic;
    return size() != before;
  }
  size_t size() const {
    return params.size() + loaded.size() + points.size() + coords.thread * 64 + coords.block * 512 +
           (fromAtomic ? 4096 : 0);
  }
};

class ValueFlow {
 public:
  // Parameters and arrays are those of the facts; `follow` adds the definitions of variables to them.
  explicit ValueFlow(KernelFacts& kernelFacts) : facts(kernelFacts) {}

  void follow();
  Flow of(const ir::ExprPtr& e);
  const Flow& ofVariable(const ir::Variable& var) { return variables[&var]; }
  const std::map<std::string, ir::VarPtr>& memoryVariables() const { return known; }

 private:
  Flow ofAddress(const ir::ExprPtr& place);
  void store(const ir::ExprPtr& place, const Flow& value);
  void propagate(const ir::Stmt& s);
  void collectDefinitions();

  KernelFacts& facts;
  std::map<const ir::Variable*, Flow> variables;
  std::map<std::string, Flow> contents;     // of arrays, by name
  std::map<std::string, ir::VarPtr> known;  // variables that are memory, by name
  bool changed = false;
};

}  // namespace hone::device
