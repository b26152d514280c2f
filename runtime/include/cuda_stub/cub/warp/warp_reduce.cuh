// Stands in for cub's header of this name. The threads of a warp exchange through memory, so that T may be any type.
#pragma once
#pragma GCC system_header
#include "../thread/thread_operators.cuh"
#include "../util_ptx.cuh"

namespace cub {

template <class T, int THREADS = 32, int ARCH = 0> class WarpReduce {
 public:
  struct TempStorage {
    T values[THREADS];
  };
  __hone_device WarpReduce(TempStorage& storage) : temp(storage), lane(LaneId() % THREADS) {}

  template <class Op> __hone_device T Reduce(T input, Op op, int valid) {
    unsigned int lanes = THREADS == 32 ? 0xffffffffu : ((1u << (THREADS % 32)) - 1) << (LaneId() / THREADS * THREADS);
    temp.values[lane] = input;
    for (int stride = 1; stride < THREADS; stride *= 2) {
      __syncwarp(lanes);
      if (lane % (2 * stride) == 0 && lane + stride < valid)
        temp.values[lane] = op(temp.values[lane], temp.values[lane + stride]);
    }
    T result = temp.values[lane];
    __syncwarp(lanes);
    return result;
  }
  template <class Op> __hone_device T Reduce(T input, Op op) { return Reduce(input, op, THREADS); }
  __hone_device T Sum(T input) { return Reduce(input, cub::Sum(), THREADS); }
  __hone_device T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }

 private:
  TempStorage& temp;
  int lane;
};

}  // namespace cub
