// Where the variables of gangs and workers live: in registers of every thread, all with one value, or in
// memory that the threads share.
#pragma once

#include <map>

#include "acc/LoopMapping.h"

namespace hone::acc {

/// Who runs a piece of a region together.
enum class Mode : uint8_t {
  Block,   ///< all threads of a gang, with the same values
  Worker,  ///< the lanes of a worker, with the same values
  Lane     ///< each thread for itself
};

/// The mode inside of a loop.
Mode modeInside(const LoopPlan& plan, Mode around);

struct Home {
  Mode of = Mode::Block;  ///< Block: one for the gang; Worker: one for each worker
  ir::VarPtr shared;      ///< of Worker: an array with one element for each worker
  bool isGlobal = false;  ///< there was no room: `shared` is a parameter, an array of these over the gangs
};

/// Variables that cannot be in registers: those that a loop of threads below assigns without having a copy,
/// those whose address is taken, arrays that are assigned. Where they are too large for shared memory
/// together, the largest lie in global memory.
std::map<const ir::Variable*, Home> sharedHomes(WorkRegion& work, const std::vector<ir::VarPtr>& ofGang,
                                                Mode start, int64_t workers);

}  // namespace hone::acc
