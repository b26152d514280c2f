// Stands in for cub's header of this name.
#pragma once
#pragma GCC system_header
#include "../util_ptx.cuh"

namespace cub {

enum WarpExchangeAlgorithm { WARP_EXCHANGE_SMEM, WARP_EXCHANGE_SHUFFLE };

template <class T, int ITEMS, int THREADS = 32, int ARCH = 0, WarpExchangeAlgorithm ALGORITHM = WARP_EXCHANGE_SMEM>
class WarpExchange {
 public:
  struct TempStorage {
    T values[ITEMS * THREADS];
  };
  __hone_device explicit WarpExchange(TempStorage& storage) : temp(storage), lane(LaneId() % THREADS) {}

  template <class U> __hone_device void BlockedToStriped(const T (&input)[ITEMS], U (&output)[ITEMS]) {
    for (int i = 0; i < ITEMS; ++i) temp.values[lane * ITEMS + i] = input[i];
    __syncwarp(lanes());
    for (int i = 0; i < ITEMS; ++i) output[i] = temp.values[i * THREADS + lane];
  }
  template <class U> __hone_device void StripedToBlocked(const T (&input)[ITEMS], U (&output)[ITEMS]) {
    for (int i = 0; i < ITEMS; ++i) temp.values[i * THREADS + lane] = input[i];
    __syncwarp(lanes());
    for (int i = 0; i < ITEMS; ++i) output[i] = temp.values[lane * ITEMS + i];
  }
  template <class Offset> __hone_device void ScatterToStriped(T (&items)[ITEMS], Offset (&ranks)[ITEMS]) {
    ScatterToStriped(items, items, ranks);
  }
  template <class U, class Offset>
  __hone_device void ScatterToStriped(const T (&input)[ITEMS], U (&output)[ITEMS], Offset (&ranks)[ITEMS]) {
    for (int i = 0; i < ITEMS; ++i) temp.values[ranks[i]] = input[i];
    __syncwarp(lanes());
    for (int i = 0; i < ITEMS; ++i) output[i] = temp.values[i * THREADS + lane];
  }

 private:
  TempStorage& temp;
  int lane;
  __hone_device unsigned int lanes() {
    return THREADS == 32 ? 0xffffffffu : ((1u << (THREADS % 32)) - 1) << (LaneId() / THREADS * THREADS);
  }
};

}  // namespace cub
