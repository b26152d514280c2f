// Reductions over iterators of the device by an operator that may be reordered.
#pragma once
#pragma GCC system_header
#include "each.h"

namespace hone_parallel {

// Thread t takes t, t + threads, t + 2 * threads, …; there is an element for each thread.
template <class In, class T, class Op> struct ReducePart {
  In in;
  long long n, threads;
  T* parts;
  Op op;
  __device__ void operator()(long long t) {
    T sum = in[t];
    for (long long i = t + threads; i < n; i += threads) sum = op(sum, in[i]);
    parts[t] = sum;
  }
};

template <class T, class Op> struct ReduceRest {
  const T* parts;
  long long n;
  T start;
  T* out;
  Op op;
  __device__ void operator()(long long) {
    T sum = start;
    for (long long i = 0; i < n; ++i) sum = op(sum, parts[i]);
    *out = sum;
  }
};

// Writes start + in[0] + … + in[n - 1] to *out, which is the device's.
template <class In, class T, class Op>
void reduceTo(In in, long long n, T start, Op op, T* out, cudaStream_t stream = 0) {
  const long long threads = n < kMostParts ? n : kMostParts;
  Scratch<T> parts(threads);
  each(threads, ReducePart<In, T, Op>{in, n, threads, parts.data, op}, stream);
  each(1, ReduceRest<T, Op>{parts.data, threads, start, out, op}, stream);
}

template <class In, class T, class Op> T reduce(In in, long long n, T start, Op op, cudaStream_t stream = 0) {
  if (n <= 0) return start;
  Scratch<T> out(1);
  reduceTo(in, n, start, op, out.data, stream);
  return fetch(out.data);
}

}  // namespace hone_parallel
