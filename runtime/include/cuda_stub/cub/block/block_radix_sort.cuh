// Stands in for cub's header of this name: each item counts those that stand before it.
#pragma once
#pragma GCC system_header
#include "../util_ptx.cuh"

namespace cub {

template <class K, int X, int ITEMS, class V = NullType> class BlockRadixSort {
  static constexpr int ALL = X * ITEMS;

 public:
  struct TempStorage {
    K keys[ALL];
    V values[ALL];
  };
  __hone_device BlockRadixSort(TempStorage& storage) : temp(storage), thread(threadIdx.x) {}

  __hone_device void Sort(K (&keys)[ITEMS]) { sort(keys, false, false); }
  __hone_device void SortDescending(K (&keys)[ITEMS]) { sort(keys, true, false); }
  __hone_device void SortBlockedToStriped(K (&keys)[ITEMS]) { sort(keys, false, true); }
  __hone_device void SortDescendingBlockedToStriped(K (&keys)[ITEMS]) { sort(keys, true, true); }
  __hone_device void Sort(K (&keys)[ITEMS], V (&values)[ITEMS]) { sort(keys, values, false, false); }
  __hone_device void SortDescending(K (&keys)[ITEMS], V (&values)[ITEMS]) { sort(keys, values, true, false); }
  __hone_device void SortBlockedToStriped(K (&keys)[ITEMS], V (&values)[ITEMS]) { sort(keys, values, false, true); }
  __hone_device void SortDescendingBlockedToStriped(K (&keys)[ITEMS], V (&values)[ITEMS]) {
    sort(keys, values, true, true);
  }

 private:
  TempStorage& temp;
  int thread;
  __hone_device int rankOf(int at, K key, bool descends) {
    int rank = 0;
    for (int other = 0; other < ALL; ++other) {
      K its = temp.keys[other];
      bool before = descends ? key < its : its < key;
      bool equal = !(its < key) && !(key < its);
      rank += before || (equal && other < at) ? 1 : 0;
    }
    return rank;
  }
  __hone_device int place(int i, bool striped) { return striped ? i * X + thread : thread * ITEMS + i; }
  __hone_device void sort(K (&keys)[ITEMS], bool descends, bool striped) {
    int ranks[ITEMS];
    for (int i = 0; i < ITEMS; ++i) temp.keys[thread * ITEMS + i] = keys[i];
    __syncthreads();
    for (int i = 0; i < ITEMS; ++i) ranks[i] = rankOf(thread * ITEMS + i, keys[i], descends);
    __syncthreads();
    for (int i = 0; i < ITEMS; ++i) temp.keys[ranks[i]] = keys[i];
    __syncthreads();
    for (int i = 0; i < ITEMS; ++i) keys[i] = temp.keys[place(i, striped)];
  }
  __hone_device void sort(K (&keys)[ITEMS], V (&values)[ITEMS], bool descends, bool striped) {
    int ranks[ITEMS];
    for (int i = 0; i < ITEMS; ++i) temp.keys[thread * ITEMS + i] = keys[i];
    __syncthreads();
    for (int i = 0; i < ITEMS; ++i) ranks[i] = rankOf(thread * ITEMS + i, keys[i], descends);
    __syncthreads();
    for (int i = 0; i < ITEMS; ++i) {
      temp.keys[ranks[i]] = keys[i];
      temp.values[ranks[i]] = values[i];
    }
    __syncthreads();
    for (int i = 0; i < ITEMS; ++i) {
      keys[i] = temp.keys[place(i, striped)];
      values[i] = temp.values[place(i, striped)];
    }
  }
};

}  // namespace cub
