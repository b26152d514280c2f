// Stands in for cub's header of this name.
#pragma once
#pragma GCC system_header
#include "../util_ptx.cuh"

namespace cub {

template <class T, int X, int Y = 1, int Z = 1, int ARCH = 0> class BlockAdjacentDifference {
  static constexpr int THREADS = X * Y * Z;

 public:
  struct TempStorage {
    T first[THREADS], last[THREADS];
  };
  __hone_device BlockAdjacentDifference(TempStorage& storage) : temp(storage), thread(RowMajorTid(X, Y, Z)) {}

  // The block's first item stays as it is.
  template <int ITEMS, class U, class Op>
  __hone_device void SubtractLeft(T (&input)[ITEMS], U (&output)[ITEMS], Op op) {
    temp.last[thread] = input[ITEMS - 1];
    __syncthreads();
    for (int i = ITEMS - 1; i > 0; --i) output[i] = op(input[i], input[i - 1]);
    if (thread == 0)
      output[0] = input[0];
    else
      output[0] = op(input[0], temp.last[thread - 1]);
  }
  template <int ITEMS, class U, class Op>
  __hone_device void SubtractLeft(T (&input)[ITEMS], U (&output)[ITEMS], Op op, T before) {
    temp.last[thread] = input[ITEMS - 1];
    __syncthreads();
    for (int i = ITEMS - 1; i > 0; --i) output[i] = op(input[i], input[i - 1]);
    if (thread == 0)
      output[0] = op(input[0], before);
    else
      output[0] = op(input[0], temp.last[thread - 1]);
  }
  // The block's last item stays as it is.
  template <int ITEMS, class U, class Op>
  __hone_device void SubtractRight(T (&input)[ITEMS], U (&output)[ITEMS], Op op) {
    temp.first[thread] = input[0];
    __syncthreads();
    for (int i = 0; i < ITEMS - 1; ++i) output[i] = op(input[i], input[i + 1]);
    if (thread == THREADS - 1)
      output[ITEMS - 1] = input[ITEMS - 1];
    else
      output[ITEMS - 1] = op(input[ITEMS - 1], temp.first[thread + 1]);
  }

 private:
  TempStorage& temp;
  int thread;
};

}  // namespace cub
