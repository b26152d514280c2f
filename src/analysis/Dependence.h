// Which execution of an access must stay before which: between iterations of a loop, between statements,
// between threads.
#pragma once

#include "analysis/Conflicts.h"

namespace hone::analysis {

enum class DependenceKind : uint8_t {
  Flow,
  Anti,
  Output
};  // write then read, read then write, write then write
const char* str(DependenceKind kind);

struct Dependence {
  affine::AccessId from, to;  // `from` comes first
  DependenceKind kind = DependenceKind::Flow;
  affine::LoopId
      carrier;  // the loop in whose later iteration `to` stands; none: the same iteration of all around both
  Distances distances;  // in iterations of the carrier
  bool isSure = false;  // false: perhaps
  std::string reason;   // why perhaps
};

// Of one thread: what a change of the order of its statements and iterations must respect. Of two threads of
// a block or of two blocks: what only a barrier, or nothing, orders; `from` then is the one that comes first
// in the text. Atomics on both sides do not depend on each other. Arrays are taken to be apart (Aliasing.h);
// accesses of memory that is not known depend on all that is not the thread's own.
std::vector<Dependence> dependences(const affine::KernelModel& model, Between between,
                                    const affine::Launch* launch = nullptr);

// Whether iterations of a loop may be done in any order, or at once: nothing carried by it.
bool isParallel(const std::vector<Dependence>& ofOneThread, affine::LoopId loop);
// Whether two accesses of one thread may change places within an iteration: no dependence from the one to the
// other there.
bool mayExchange(const std::vector<Dependence>& ofOneThread, affine::AccessId first, affine::AccessId second);

DependenceKind kindOf(const affine::Access& from, const affine::Access& to);
// Whether two accesses can conflict at all: one memory, one of them writes, not both atomic.
bool canConflict(const affine::KernelModel& model, affine::AccessId first, affine::AccessId second);

}  // namespace hone::analysis
