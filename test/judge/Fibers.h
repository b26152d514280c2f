// One stack a thread of a block, and the order in which they run. Knows nothing of arrays.
#pragma once

#include <csetjmp>
#include <cstdint>
#include <string>

#include "cuda/judge_cuda.h"

namespace judge {

enum class Order { Forward, Backward, Shuffled };

// What holds while one side, the original or the result, runs at one launch.
struct RunState {
  Order order = Order::Forward;
  uint64_t seed = 1;
  char *sharedBegin = nullptr, *sharedEnd = nullptr;
  std::string originalName;
  bool watchesRaces = false;  // a thread that reads what another has written, in no order, fails
  // What came of it.
  bool leftBarrierEarly = false;  // threads had ended where others waited at a barrier
  bool ranOther = false;          // a kernel that is not the original was launched
  size_t threads = 0;
  // The thread that runs; what has ordered threads of all blocks so far (fences, atomics, barriers of the
  // grid), and threads of a block.
  uint32_t block = 0, thread = 0, epoch = 0, barriers = 0;
};
extern RunState run;

// Ends the run of this side from anywhere in it: signals, callbacks, functions of threads.
[[noreturn]] void fail(const std::string& what);
extern sigjmp_buf failed;
extern std::string failure;

std::string whereNow();

}  // namespace judge
