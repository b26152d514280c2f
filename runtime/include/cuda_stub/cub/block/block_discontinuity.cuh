// Stands in for cub's header of this name.
#pragma once
#pragma GCC system_header
#include "../util_ptx.cuh"

namespace cub {

template <class T, int X, int Y = 1, int Z = 1, int ARCH = 0> class BlockDiscontinuity {
  static constexpr int THREADS = X * Y * Z;

 public:
  struct TempStorage {
    T first[THREADS], last[THREADS];
  };
  __hone_device BlockDiscontinuity(TempStorage& storage) : temp(storage), thread(RowMajorTid(X, Y, Z)) {}

  // The block's first item is always a head.
  template <int ITEMS, class Flag, class Op>
  __hone_device void FlagHeads(Flag (&flags)[ITEMS], T (&input)[ITEMS], Op op) {
    temp.last[thread] = input[ITEMS - 1];
    __syncthreads();
    for (int i = 1; i < ITEMS; ++i) flags[i] = op(input[i - 1], input[i]);
    flags[0] = thread == 0 ? 1 : int(op(temp.last[thread ? thread - 1 : 0], input[0]));
  }
  template <int ITEMS, class Flag, class Op>
  __hone_device void FlagTails(Flag (&flags)[ITEMS], T (&input)[ITEMS], Op op) {
    temp.first[thread] = input[0];
    __syncthreads();
    for (int i = 0; i < ITEMS - 1; ++i) flags[i] = op(input[i], input[i + 1]);
    flags[ITEMS - 1] =
        thread == THREADS - 1 ? 1 : int(op(input[ITEMS - 1], temp.first[thread < THREADS - 1 ? thread + 1 : 0]));
  }

 private:
  TempStorage& temp;
  int thread;
};

}  // namespace cub
