// Stands in for cub's header of this name.
#pragma once
#pragma GCC system_header
#include "../util_ptx.cuh"

namespace cub {

template <class T, int X, int ITEMS, bool TIME_SLICING = false, int Y = 1, int Z = 1, int ARCH = 0> class BlockExchange {
  static constexpr int THREADS = X * Y * Z;
  static constexpr int WARP = THREADS < 32 ? THREADS : 32;

 public:
  struct TempStorage {
    T values[THREADS * ITEMS];
  };
  __hone_device explicit BlockExchange(TempStorage& storage) : temp(storage), thread(RowMajorTid(X, Y, Z)) {}

  template <class U> __hone_device void StripedToBlocked(const T (&input)[ITEMS], U (&output)[ITEMS]) {
    for (int i = 0; i < ITEMS; ++i) temp.values[i * THREADS + thread] = input[i];
    __syncthreads();
    for (int i = 0; i < ITEMS; ++i) output[i] = temp.values[thread * ITEMS + i];
  }
  template <class U> __hone_device void BlockedToStriped(const T (&input)[ITEMS], U (&output)[ITEMS]) {
    for (int i = 0; i < ITEMS; ++i) temp.values[thread * ITEMS + i] = input[i];
    __syncthreads();
    for (int i = 0; i < ITEMS; ++i) output[i] = temp.values[i * THREADS + thread];
  }
  template <class U> __hone_device void WarpStripedToBlocked(const T (&input)[ITEMS], U (&output)[ITEMS]) {
    for (int i = 0; i < ITEMS; ++i) temp.values[warpStriped(i)] = input[i];
    __syncthreads();
    for (int i = 0; i < ITEMS; ++i) output[i] = temp.values[thread * ITEMS + i];
  }
  template <class U> __hone_device void BlockedToWarpStriped(const T (&input)[ITEMS], U (&output)[ITEMS]) {
    for (int i = 0; i < ITEMS; ++i) temp.values[thread * ITEMS + i] = input[i];
    __syncthreads();
    for (int i = 0; i < ITEMS; ++i) output[i] = temp.values[warpStriped(i)];
  }
  template <class U, class Offset>
  __hone_device void ScatterToBlocked(const T (&input)[ITEMS], U (&output)[ITEMS], Offset (&ranks)[ITEMS]) {
    for (int i = 0; i < ITEMS; ++i) temp.values[ranks[i]] = input[i];
    __syncthreads();
    for (int i = 0; i < ITEMS; ++i) output[i] = temp.values[thread * ITEMS + i];
  }
  template <class U, class Offset>
  __hone_device void ScatterToStriped(const T (&input)[ITEMS], U (&output)[ITEMS], Offset (&ranks)[ITEMS]) {
    for (int i = 0; i < ITEMS; ++i) temp.values[ranks[i]] = input[i];
    __syncthreads();
    for (int i = 0; i < ITEMS; ++i) output[i] = temp.values[i * THREADS + thread];
  }
  // In place.
  __hone_device void StripedToBlocked(T (&items)[ITEMS]) { StripedToBlocked(items, items); }
  __hone_device void BlockedToStriped(T (&items)[ITEMS]) { BlockedToStriped(items, items); }
  __hone_device void WarpStripedToBlocked(T (&items)[ITEMS]) { WarpStripedToBlocked(items, items); }
  __hone_device void BlockedToWarpStriped(T (&items)[ITEMS]) { BlockedToWarpStriped(items, items); }
  template <class Offset> __hone_device void ScatterToBlocked(T (&items)[ITEMS], Offset (&ranks)[ITEMS]) {
    ScatterToBlocked(items, items, ranks);
  }
  template <class Offset> __hone_device void ScatterToStriped(T (&items)[ITEMS], Offset (&ranks)[ITEMS]) {
    ScatterToStriped(items, items, ranks);
  }

 private:
  TempStorage& temp;
  int thread;
  __hone_device int warpStriped(int i) { return thread / WARP * WARP * ITEMS + i * WARP + thread % WARP; }
};

}  // namespace cub
