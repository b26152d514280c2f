// Prefix sums over iterators of the device: each thread sums up a run of elements, one adds up the runs, each goes through its run again.
#pragma once
#pragma GCC system_header
#include "each.h"

namespace hone_parallel {

template <class In, class T, class Op> struct ScanSums {
  In in;
  long long n, length;
  T* sums;
  Op op;
  __device__ void operator()(long long t) {
    long long first = t * length, end = first + length < n ? first + length : n;
    T sum = in[first];
    for (long long i = first + 1; i < end; ++i) sum = op(sum, in[i]);
    sums[t] = sum;
  }
};

// Sums of all runs before each.
template <class T, class Op> struct ScanRuns {
  T* sums;
  long long runs;
  T start;
  bool hasStart;
  Op op;
  __device__ void operator()(long long) {
    T before = start;
    for (long long t = 0; t < runs; ++t) {
      T own = sums[t];
      sums[t] = before;
      before = hasStart || t > 0 ? op(before, own) : own;
    }
  }
};

template <class In, class Out, class T, class Op> struct ScanWrite {
  In in;
  Out out;
  long long n, length;
  const T* before;
  bool hasStart, inclusive;
  Op op;
  __device__ void operator()(long long t) {
    long long first = t * length, end = first + length < n ? first + length : n;
    T sum = before[t];
    bool isSum = hasStart || t > 0;
    for (long long i = first; i < end; ++i) {
      T own = in[i];
      T next = isSum ? op(sum, own) : own;
      out[i] = inclusive ? next : sum;
      sum = next;
      isSum = true;
    }
  }
};

// in and out may be the same. Exclusive scans have a start.
template <class In, class Out, class T, class Op>
void scan(In in, Out out, long long n, T start, bool hasStart, bool inclusive, Op op, cudaStream_t stream = 0) {
  if (n <= 0) return;
  const long long length = (n + kMostParts - 1) / kMostParts, runs = (n + length - 1) / length;
  Scratch<T> sums(runs);
  each(runs, ScanSums<In, T, Op>{in, n, length, sums.data, op}, stream);
  each(1, ScanRuns<T, Op>{sums.data, runs, start, hasStart, op}, stream);
  each(runs, ScanWrite<In, Out, T, Op>{in, out, n, length, sums.data, hasStart, inclusive, op}, stream);
}

}  // namespace hone_parallel
