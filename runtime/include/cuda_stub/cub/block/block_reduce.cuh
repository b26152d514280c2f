// Stands in for cub's header of this name. Neighbours are added up first, so that the order of the operands stays; the storage may be used
// again after a barrier, as with cub.
#pragma once
#pragma GCC system_header
#include "../thread/thread_operators.cuh"
#include "../util_ptx.cuh"

namespace cub {

enum BlockReduceAlgorithm {
  BLOCK_REDUCE_RAKING_COMMUTATIVE_ONLY,
  BLOCK_REDUCE_RAKING,
  BLOCK_REDUCE_WARP_REDUCTIONS
};

template <class T, int X, BlockReduceAlgorithm ALGORITHM = BLOCK_REDUCE_WARP_REDUCTIONS, int Y = 1, int Z = 1, int ARCH = 0>
class BlockReduce {
 public:
  struct TempStorage {
    T values[X * Y * Z];
  };
  __hone_device BlockReduce(TempStorage& storage) : temp(storage), thread(RowMajorTid(X, Y, Z)) {}

  // The sum is that of thread 0 alone.
  template <class Op> __hone_device T Reduce(T input, Op op, int valid) {
    temp.values[thread] = input;
    for (int stride = 1; stride < X * Y * Z; stride *= 2) {
      __syncthreads();
      if (thread % (2 * stride) == 0 && thread + stride < valid)
        temp.values[thread] = op(temp.values[thread], temp.values[thread + stride]);
    }
    return temp.values[thread];
  }
  template <class Op> __hone_device T Reduce(T input, Op op) { return Reduce(input, op, X * Y * Z); }
  template <int ITEMS, class Op> __hone_device T Reduce(T (&inputs)[ITEMS], Op op) {
    T sum = inputs[0];
    for (int i = 1; i < ITEMS; ++i) sum = op(sum, inputs[i]);
    return Reduce(sum, op, X * Y * Z);
  }
  __hone_device T Sum(T input) { return Reduce(input, cub::Sum(), X * Y * Z); }
  __hone_device T Sum(T input, int valid) { return Reduce(input, cub::Sum(), valid); }
  template <int ITEMS> __hone_device T Sum(T (&inputs)[ITEMS]) { return Reduce(inputs, cub::Sum()); }

 private:
  TempStorage& temp;
  int thread;
};

}  // namespace cub
