// What a kernel's text says about the launch and the data it expects: which numbers are sizes, which axes it
// uses, which integer arrays hold subscripts of others. Found by following values through variables, without
// regard to order.
#pragma once

#include <array>
#include <map>
#include <set>

#include "device/Parameters.h"

namespace hone::device {

// Coordinates a value depends on, one bit per axis.
struct CoordUse {
  unsigned thread = 0, block = 0;  // a global id sets both
  CoordUse& operator|=(const CoordUse& o) {
    thread |= o.thread, block |= o.block;
    return *this;
  }
  bool any() const { return (thread | block) != 0; }
};

// A comparison between something that varies with the thread and something that does not: `i < n`, `x >= w -
// 1`.
struct Guard {
  CoordUse coords;
  ir::ExprPtr bound;             // the side without coordinates
  std::set<std::string> params;  // paths in it
};

enum class IndexUse : uint8_t {
  None,
  Range,        // a load is subscripted by it
  Permutation,  // a store is: no two entries may be the same
  Offsets,      // rises: one entry begins a loop, another ends it
  OffsetEnds    // the same, where loops begin at entries of another array
};

struct ArrayFacts {
  bool isRead = false, isWritten = false;
  bool isAtomic = false, isFloatAtomic = false;
  bool isExtreme = false;  // its atomics are minima, maxima or bit operations
  bool isVolatile = false;
  bool isAppended = false;  // stored through a subscript that an atomic gave
  IndexUse use = IndexUse::None;
  std::set<std::string> indexes;  // arrays subscripted by its values
  int64_t limit = -1;             // values must be below, where an indexed array has a fixed extent
  bool isDivisor = false;         // its values divide
  bool steers = false;            // its values decide what is executed or touched
  bool steersAccesses = false;    // its values decide which memory is touched, or how often
  bool boundsLoops = false;       // they decide how often a loop runs
  bool isOfBits = false;          // they are shifted, masked or joined bit by bit
};

enum class ScalarRole : uint8_t { Plain, Bound, Pitch, Offset };

struct KernelFacts {
  ir::KernelPtr inlined;  // the kernel with every call replaced by the body
  CoordUse used;          // coordinates in the kernel at all
  unsigned gridAxes = 0;  // along which it asks how many blocks there are, as loops over a whole grid do
  std::vector<Guard> guards;
  std::map<std::string, ScalarRole> roles;  // whole-number parameters by path
  std::set<std::string> ofLoops;            // of them, those that decide how often a loop runs
  std::map<std::string, ArrayFacts>
      arrays;  // pointer parameters by path and variables outside of functions by name
  std::map<std::string, ir::VarPtr> globals;  // variables outside of functions that it uses
  std::array<int64_t, 3> blockHint{};  // block extents that fixed shared arrays or constants ask for, 0: none
  int64_t threadsHint = 0;             // threads of a block all together, 0: none
  std::set<int64_t> constants;         // whole numbers in its text that extents of a block or tile may be
  std::map<const ir::Variable*, ir::ExprPtr> definitions;  // of variables set once
  // Whole numbers and flags among the parameters, by path: what they are compared with, and its neighbours.
  std::map<std::string, std::set<int64_t>> decidingValues;
};

KernelFacts kernelFacts(const ir::KernelPtr& kernel);

}  // namespace hone::device
