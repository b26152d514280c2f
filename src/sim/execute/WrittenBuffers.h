// Which buffers a program may write, told from the pointers its stores use.
//
// Memory that a launch only reads needs no record of who read it, and no copy to start again from. The answer
// holds unless a pointer runs out of its buffer into another one.
#pragma once

#include "sim/bytecode/Program.h"

namespace hone::sim {

struct WrittenPointers {
  bool known = false;        // else it may write anything
  std::vector<Reg> sources;  // uniform registers whose pointers lead to all it writes
};

WrittenPointers findWritten(const Program& program);

}  // namespace hone::sim
