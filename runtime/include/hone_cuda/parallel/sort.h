// Stable sorting in memory of the device: on the host where keys are numbers in their own order, by merging otherwise.
#pragma once
#pragma GCC system_header
#include <algorithm>
#include <numeric>
#include <vector>

#include "each.h"

namespace hone_parallel {

// One element finds its place in the run that its own and its neighbour become.
template <class K, class Less> struct MergeRuns {
  const K* keys;
  K* keysOut;
  const long long* order;
  long long* orderOut;
  long long n, width;
  Less less;
  __device__ void operator()(long long i) {
    long long run = i / width, pair = run / 2 * 2 * width;
    bool isLeft = run % 2 == 0;
    long long low = isLeft ? pair + width : pair, high = low + width;
    if (low > n) low = n;
    if (high > n) high = n;
    long long first = low;
    K own = keys[i];
    while (low < high) {  // equal elements of the left run stand before those of the right one
      long long middle = low + (high - low) / 2;
      K other = keys[middle];
      if (isLeft ? less(other, own) : !less(own, other))
        low = middle + 1;
      else
        high = middle;
    }
    long long place = pair + (i - run * width) + (low - first);
    keysOut[place] = own;
    orderOut[place] = order[i];
  }
};

struct WriteIndex {
  long long* out;
  __device__ void operator()(long long i) { out[i] = i; }
};
template <class T> struct TakeByIndex {
  const T* in;
  T* out;
  const long long* order;
  __device__ void operator()(long long i) { out[i] = in[order[i]]; }
};

// Keys in order, and in `order`, if it is given, where each came from.
template <class K, class Less>
void sortOnDevice(K* keys, long long* order, long long n, Less less, cudaStream_t stream) {
  Scratch<K> other(n);
  Scratch<long long> places(n), otherPlaces(n);
  each(n, WriteIndex{places.data}, stream);
  K *from = keys, *to = other.data;
  long long *fromPlaces = places.data, *toPlaces = otherPlaces.data;
  for (long long width = 1; width < n; width *= 2) {
    each(n, MergeRuns<K, Less>{from, to, fromPlaces, toPlaces, n, width, less}, stream);
    std::swap(from, to);
    std::swap(fromPlaces, toPlaces);
  }
  if (from != keys) cudaMemcpyAsync(keys, from, n * sizeof(K), cudaMemcpyDefault, stream);
  if (order) cudaMemcpyAsync(order, fromPlaces, n * sizeof(long long), cudaMemcpyDefault, stream);
}

// `less` is called on the host.
template <class K, class Less> void sortOnHost(K* keys, long long* order, long long n, Less less) {
  std::vector<K> copy(n), sorted(n);
  std::vector<long long> places(n);
  cudaMemcpy(copy.data(), keys, n * sizeof(K), cudaMemcpyDefault);
  std::iota(places.begin(), places.end(), 0ll);
  std::stable_sort(places.begin(), places.end(), [&](long long a, long long b) { return less(copy[a], copy[b]); });
  for (long long i = 0; i < n; ++i) sorted[i] = copy[places[i]];
  cudaMemcpy(keys, sorted.data(), n * sizeof(K), cudaMemcpyDefault);
  if (order) cudaMemcpy(order, places.data(), n * sizeof(long long), cudaMemcpyDefault);
}

template <class T> void takeByIndex(T* values, const long long* order, long long n, cudaStream_t stream) {
  Scratch<T> sorted(n);
  each(n, TakeByIndex<T>{values, sorted.data, order}, stream);
  cudaMemcpyAsync(values, sorted.data, n * sizeof(T), cudaMemcpyDefault, stream);
}

}  // namespace hone_parallel
