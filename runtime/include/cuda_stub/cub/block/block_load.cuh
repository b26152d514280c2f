// Stands in for cub's header of this name. All algorithms put the same items into the same threads.
#pragma once
#pragma GCC system_header
#include "../util_ptx.cuh"

namespace cub {

enum BlockLoadAlgorithm {
  BLOCK_LOAD_DIRECT,
  BLOCK_LOAD_STRIPED,
  BLOCK_LOAD_VECTORIZE,
  BLOCK_LOAD_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE,
  BLOCK_LOAD_WARP_TRANSPOSE_TIMESLICED
};

template <class T, int ITEMS, class In>
__hone_device inline void LoadDirectBlocked(int thread, In in, T (&items)[ITEMS]) {
  for (int i = 0; i < ITEMS; ++i) items[i] = in[thread * ITEMS + i];
}
template <class T, int ITEMS, class In>
__hone_device inline void LoadDirectBlocked(int thread, In in, T (&items)[ITEMS], int valid) {
  for (int i = 0; i < ITEMS; ++i)
    if (thread * ITEMS + i < valid) items[i] = in[thread * ITEMS + i];
}
template <int THREADS, class T, int ITEMS, class In>
__hone_device inline void LoadDirectStriped(int thread, In in, T (&items)[ITEMS]) {
  for (int i = 0; i < ITEMS; ++i) items[i] = in[i * THREADS + thread];
}
template <int THREADS, class T, int ITEMS, class In>
__hone_device inline void LoadDirectStriped(int thread, In in, T (&items)[ITEMS], int valid) {
  for (int i = 0; i < ITEMS; ++i)
    if (i * THREADS + thread < valid) items[i] = in[i * THREADS + thread];
}

template <class T, int X, int ITEMS, BlockLoadAlgorithm ALGORITHM = BLOCK_LOAD_DIRECT, int Y = 1, int Z = 1, int ARCH = 0>
class BlockLoad {
 public:
  struct TempStorage {
    int unused;
  };
  __hone_device BlockLoad() : thread(RowMajorTid(X, Y, Z)) {}
  __hone_device BlockLoad(TempStorage&) : thread(RowMajorTid(X, Y, Z)) {}

  template <class In> __hone_device void Load(In in, T (&items)[ITEMS]) {
    for (int i = 0; i < ITEMS; ++i) items[i] = in[place(i)];
  }
  template <class In> __hone_device void Load(In in, T (&items)[ITEMS], int valid) {
    for (int i = 0; i < ITEMS; ++i)
      if (place(i) < valid) items[i] = in[place(i)];
  }
  template <class In, class Other> __hone_device void Load(In in, T (&items)[ITEMS], int valid, Other other) {
    for (int i = 0; i < ITEMS; ++i)
      if (place(i) < valid)
        items[i] = in[place(i)];
      else
        items[i] = other;
  }

 private:
  int thread;
  __hone_device int place(int i) {
    return ALGORITHM == BLOCK_LOAD_STRIPED ? i * X * Y * Z + thread : thread * ITEMS + i;
  }
};

}  // namespace cub
