// Stands in for cub's header of this name.
#pragma once
#pragma GCC system_header
#include "../util_ptx.cuh"

namespace cub {

enum BlockStoreAlgorithm {
  BLOCK_STORE_DIRECT,
  BLOCK_STORE_STRIPED,
  BLOCK_STORE_VECTORIZE,
  BLOCK_STORE_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE,
  BLOCK_STORE_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int ITEMS, class Out>
__hone_device inline void StoreDirectBlocked(int thread, Out out, T (&items)[ITEMS]) {
  for (int i = 0; i < ITEMS; ++i) out[thread * ITEMS + i] = items[i];
}
template <int THREADS, class T, int ITEMS, class Out>
__hone_device inline void StoreDirectStriped(int thread, Out out, T (&items)[ITEMS]) {
  for (int i = 0; i < ITEMS; ++i) out[i * THREADS + thread] = items[i];
}
template <int THREADS, class T, int ITEMS, class Out>
__hone_device inline void StoreDirectStriped(int thread, Out out, T (&items)[ITEMS], int valid) {
  for (int i = 0; i < ITEMS; ++i)
    if (i * THREADS + thread < valid) out[i * THREADS + thread] = items[i];
}

template <class T, int X, int ITEMS, BlockStoreAlgorithm ALGORITHM = BLOCK_STORE_DIRECT, int Y = 1, int Z = 1, int ARCH = 0>
class BlockStore {
 public:
  struct TempStorage {
    int unused;
  };
  __hone_device BlockStore() : thread(RowMajorTid(X, Y, Z)) {}
  __hone_device BlockStore(TempStorage&) : thread(RowMajorTid(X, Y, Z)) {}

  template <class Out> __hone_device void Store(Out out, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; ++i) out[place(i)] = items[i];
  }
  template <class Out> __hone_device void Store(Out out, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS; ++i)
      if (place(i) < valid) out[place(i)] = items[i];
  }

 private:
  int thread;
  __hone_device int place(int i) {
    return ALGORITHM == BLOCK_STORE_STRIPED ? i * X * Y * Z + thread : thread * ITEMS + i;
  }
};

}  // namespace cub
