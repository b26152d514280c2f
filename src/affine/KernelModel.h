// What a kernel does to memory, symbolically, for one block shape: each access as a polynomial address under
// a condition inside loops, in program order. The analyses ask it; docs/facts.md describes it.
#pragma once

#include <array>
#include <memory>
#include <set>

#include "affine/Atoms.h"
#include "ir/Walk.h"

namespace hone::affine {

enum class Exactness : uint8_t { Exact, Over, Unknown };  // Over: a superset of what happens

// `low <= value <= high` must hold for the fact that lists it (integers that could wrap at their width,
// divisors).
struct Requirement {
  Poly value;
  int64_t low = INT64_MIN, high = INT64_MAX;
  std::string why;  // "32-bit unsigned arithmetic must not wrap"
  ir::SourceLoc loc;
};

// A comparison of signed integers in the kernel. What it relies on holds by the language for every thread
// that makes it; threads that a pass adds may make it where none of the original did.
struct SignedComparison {
  CondPtr cond;
  std::vector<Requirement> relyOn;  // none where every thread works both sides out
};

// A loop, entered once per outer iteration. Its counter is an atom that counts iterations from 0; where the
// step is known at run time only it is the distance from the first value instead, a multiple of `stride`.
struct Loop {
  std::string handle;  // "L1.2"
  ir::StmtPtr stmt;
  LoopId parent;
  AtomId counter = 0;
  ir::VarPtr var;  // the counting variable, when there is one
  Poly first;      // its value in the first iteration
  Poly step;       // added each iteration; a number unless byDistance
  bool byDistance =
      false;  // value = first + counter, counter = 0, step, 2*step, …; else value = first + step*counter
  std::vector<int64_t>
      values;    // not empty: the counter is the value of var itself and takes these, in order (s >>= 1)
  CondPtr runs;  // holds in each iteration that runs (also for the first); over counter and outer atoms
  Exactness exactness =
      Exactness::Exact;  // Over: iterations may be fewer (break, return); Unknown: the count is not known
  std::string inexact;   // why not exact
  std::vector<unsigned> requirements;  // into KernelModel::requirements: what `runs` relies on
};

// Memory that accesses name: a pointer parameter, a shared or global variable, an array of the thread's own.
struct Array {
  ir::VarPtr var;
  std::string name;  // "a", "s.data"
  ir::Space space = ir::Space::Global;
  ir::TypePtr element;           // of the flat array, innermost
  std::vector<int64_t> extents;  // declared dimensions, outermost first; -1 unknown; empty: a pointer
  bool isConst = false, isRestrict = false, isVolatile = false;
};

struct Access {
  std::string handle;  // "a#2", as ir::handles names it
  ArrayId array;       // none: which memory is not known
  ir::AccessMode mode = ir::AccessMode::Read;
  bool atomic = false;
  ir::StmtPtr stmt;
  ir::ExprPtr place, whole;
  ir::SourceLoc loc;
  unsigned bytes = 0;  // one thread moves at once
  unsigned unit =
      16;        // of them by one instruction at most: fewer where no more is aligned (vload4 of floats)
  Poly address;  // bytes from the start of the array
  std::vector<Poly> subscripts;        // of an array with declared dimensions, as written
  std::vector<LoopId> loops;           // enclosing, outermost first
  CondPtr guard;                       // when it happens, loop conditions (Loop::runs) left aside
  std::vector<unsigned> requirements;  // into KernelModel::requirements
  std::vector<unsigned>
      guardRequirements;  // of them, what the guard and the loops rely on, where they do not hold as well
  std::vector<unsigned> conditionRequirements;  // of these, what the guard alone relies on
  std::vector<unsigned> addressRequirements;    // of them, what the address relies on
  // Exact: happens exactly where guard and loops say, at `address`. Over: perhaps not everywhere there.
  // Unknown: the address is not resolved; what `address` still says (its opaque atoms, its strides in loops)
  // is true.
  Exactness exactness = Exactness::Exact;
  std::string reason;  // why not exact
  // Whether `address` is all of it, values that are not known among its atoms.
  bool isSpelledOut = false;
  bool isResolved() const { return array.isSome() && exactness != Exactness::Unknown; }
  bool reads() const { return mode == ir::AccessMode::Read || mode == ir::AccessMode::ReadWrite; }
  bool writes() const { return mode == ir::AccessMode::Write || mode == ir::AccessMode::ReadWrite; }
};

struct BarrierPoint {
  ir::StmtPtr stmt;
  ir::SourceLoc loc;
  ir::SyncScope scope = ir::SyncScope::Block;
  bool orderLocal = true, orderGlobal = true;
  std::vector<LoopId> loops;
  CondPtr guard;
};

// Program order, flat: what stands between Enter and Leave of a loop is done once per iteration.
enum class EventKind : uint8_t { Access, Barrier, Enter, Leave, Then, Else, EndIf };
struct Event {
  EventKind kind = EventKind::Access;
  AccessId access = {};  // Access
  LoopId loop = {};      // Enter, Leave
  int number = 0;        // of the barrier; of the branch for Then, Else, EndIf
};
// Bytes of two arrays, each from where its pointer points, all of [low, high).
struct BytesApart {
  struct Of {
    ArrayId array;
    Poly low, high;
  } first, second;
  std::set<unsigned> requirements;  // into KernelModel::requirements
};
// Of one If: whether which way it goes can differ between threads of a block.
struct Branch {
  ir::StmtPtr stmt;
  CondPtr cond;
  std::vector<BytesApart> apart;  // where the condition holds, they share no byte
};

struct KernelModel {
  ir::KernelPtr kernel;  // with calls of the user's functions that touch memory inlined
  std::array<unsigned, 3> block{1, 1, 1};
  std::shared_ptr<Atoms> atoms;
  ById<LoopId, Loop> loops;  // in the order of ir::handles
  ById<ArrayId, Array> arrays;
  ById<AccessId, Access> accesses;  // in the order of ir::handles
  std::vector<BarrierPoint> barriers;
  std::vector<Branch> branches;
  std::vector<Event> events;
  std::vector<Requirement> requirements;
  std::vector<SignedComparison> signedComparisons;

  unsigned threads() const { return block[0] * block[1] * block[2]; }
  const Access* find(const std::string& handle) const;
  bool isGlobal(const Access& access) const;  // global memory, or memory that is not known
};

// The kernel whose accesses a model lists: calls inlined that touch memory or give what an address may be
// made of. Functions of floating-point numbers stay calls, so that accesses keep the order of the source.
ir::KernelPtr withCallsInlined(const ir::KernelPtr& kernel);

// Builds it. Never throws for a kernel that ir::verify accepts: what is not understood becomes an opaque atom
// with its reason.
KernelModel buildModel(const ir::KernelPtr& kernel, const std::array<unsigned, 3>& block);

}  // namespace hone::affine
