// Stands in for cub's header of this name. A range of bits of the key is sorted by these bits alone.
#pragma once
#pragma GCC system_header
#include <string.h>

#include "../../../hone_cuda/parallel/sort.h"
#include "two_phase.cuh"

namespace cub {

// Compares bits [first, end) of keys, which are in the order of the keys themselves. Both zeros are equal, as in cub.
template <class K> struct ByBits {
  int first, end;
  bool descends;
  bool operator()(const K& a, const K& b) const {
    return descends ? bits(b) < bits(a) : bits(a) < bits(b);
  }
  unsigned long long bits(const K& key) const {
    typename Traits<K>::UnsignedBits raw;
    const K value = key == K(0) ? K(0) : key;
    memcpy(&raw, &value, sizeof raw);
    const unsigned long long all = Traits<K>::TwiddleIn(raw);
    return end - first >= 64 ? all : (all >> first) & ((1ull << (end - first)) - 1);
  }
};

struct DeviceRadixSort {
  template <class K, class N>
  static cudaError_t SortKeys(void* storage, size_t& bytes, const K* in, K* out, N n, int first = 0, int end = sizeof(K) * 8,
                              cudaStream_t stream = 0, bool = false) {
    return keys(storage, bytes, in, out, n, first, end, false, stream);
  }
  template <class K, class N>
  static cudaError_t SortKeysDescending(void* storage, size_t& bytes, const K* in, K* out, N n, int first = 0,
                                        int end = sizeof(K) * 8, cudaStream_t stream = 0, bool = false) {
    return keys(storage, bytes, in, out, n, first, end, true, stream);
  }
  template <class K, class V, class N>
  static cudaError_t SortPairs(void* storage, size_t& bytes, const K* keysIn, K* keysOut, const V* in, V* out, N n,
                               int first = 0, int end = sizeof(K) * 8, cudaStream_t stream = 0, bool = false) {
    return pairs(storage, bytes, keysIn, keysOut, in, out, n, first, end, false, stream);
  }
  template <class K, class V, class N>
  static cudaError_t SortPairsDescending(void* storage, size_t& bytes, const K* keysIn, K* keysOut, const V* in, V* out, N n,
                                         int first = 0, int end = sizeof(K) * 8, cudaStream_t stream = 0, bool = false) {
    return pairs(storage, bytes, keysIn, keysOut, in, out, n, first, end, true, stream);
  }
  template <class K, class N>
  static cudaError_t SortKeys(void* storage, size_t& bytes, DoubleBuffer<K>& b, N n, int first = 0, int end = sizeof(K) * 8,
                              cudaStream_t stream = 0, bool = false) {
    return keys(storage, bytes, b.Current(), b.Current(), n, first, end, false, stream);
  }
  template <class K, class V, class N>
  static cudaError_t SortPairs(void* storage, size_t& bytes, DoubleBuffer<K>& k, DoubleBuffer<V>& v, N n, int first = 0,
                               int end = sizeof(K) * 8, cudaStream_t stream = 0, bool = false) {
    return pairs(storage, bytes, k.Current(), k.Current(), v.Current(), v.Current(), n, first, end, false, stream);
  }

 private:
  template <class K, class N>
  static cudaError_t keys(void* storage, size_t& bytes, const K* in, K* out, N n, int first, int end, bool descends,
                          cudaStream_t stream) {
    if (asksForStorage(storage, bytes)) return cudaSuccess;
    if (in != out) cudaMemcpyAsync(out, in, n * sizeof(K), cudaMemcpyDefault, stream);
    hone_parallel::sortOnHost(out, nullptr, static_cast<long long>(n), ByBits<K>{first, end, descends});
    return cudaPeekAtLastError();
  }
  template <class K, class V, class N>
  static cudaError_t pairs(void* storage, size_t& bytes, const K* keysIn, K* keysOut, const V* in, V* out, N n, int first,
                           int end, bool descends, cudaStream_t stream) {
    if (asksForStorage(storage, bytes)) return cudaSuccess;
    hone_parallel::Scratch<long long> order(n);
    if (keysIn != keysOut) cudaMemcpyAsync(keysOut, keysIn, n * sizeof(K), cudaMemcpyDefault, stream);
    if (in != out) cudaMemcpyAsync(out, in, n * sizeof(V), cudaMemcpyDefault, stream);
    hone_parallel::sortOnHost(keysOut, order.data, static_cast<long long>(n), ByBits<K>{first, end, descends});
    hone_parallel::takeByIndex(out, order.data, static_cast<long long>(n), stream);
    return cudaPeekAtLastError();
  }
};

}  // namespace cub
