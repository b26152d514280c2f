// Where an algorithm runs, and what algorithms are made of in each place: on the device with one thread for each index, or in order by
// whoever calls, on the host or in a thread of the device.
#pragma once
#pragma GCC system_header
#include "each.h"
#include "reduce.h"
#include "scan.h"
#include "select.h"
#include "sort.h"

namespace hone_parallel {

struct OnDevice {
  cudaStream_t stream;
};
struct InOrder {};

template <class F> void each(OnDevice on, long long n, F f) { each(n, f, on.stream); }
template <class F> __hone_both void each(InOrder, long long n, F f) {
  for (long long i = 0; i < n; ++i) f(i);
}

template <class In, class T, class Op> T reduce(OnDevice on, In in, long long n, T start, Op op) {
  return reduce(in, n, start, op, on.stream);
}
template <class In, class T, class Op> __hone_both T reduce(InOrder, In in, long long n, T start, Op op) {
  T sum = start;
  for (long long i = 0; i < n; ++i) sum = op(sum, in[i]);
  return sum;
}

template <class In, class Out, class T, class Op>
void scan(OnDevice on, In in, Out out, long long n, T start, bool hasStart, bool inclusive, Op op) {
  scan(in, out, n, start, hasStart, inclusive, op, on.stream);
}
template <class In, class Out, class T, class Op>
__hone_both void scan(InOrder, In in, Out out, long long n, T start, bool hasStart, bool inclusive, Op op) {
  T sum = start;
  for (long long i = 0; i < n; ++i) {
    T own = in[i];
    T next = hasStart || i > 0 ? T(op(sum, own)) : own;
    out[i] = inclusive ? next : sum;
    sum = next;
  }
}

// Writes the elements of `in` that are kept to `out`, in their order; gives how many they are.
template <class Keep, class In, class Out> long long select(OnDevice on, long long n, Keep keep, In in, Out out) {
  KeptPlaces kept(n, keep, on.stream);
  kept.write(in, out);
  return kept.count;
}
template <class Keep, class In, class Out>
__hone_both long long select(InOrder, long long n, Keep keep, In in, Out out) {
  long long count = 0;
  for (long long i = 0; i < n; ++i)
    if (keep(i)) out[count++] = in[i];
  return count;
}

template <class Keep> struct KeepOthers {
  Keep keep;
  __hone_both bool operator()(long long i) { return !keep(i); }
};

template <class In, class Out> struct CopyElement {
  In in;
  Out out;
  __hone_both void operator()(long long i) { out[i] = in[i]; }
};

// Memory for n elements where the algorithm runs, for the time of a call on the host.
template <class System, class T> struct Temporary : Scratch<T> {
  Temporary(System, long long n) : Scratch<T>(n) {}
};
template <class T> struct Temporary<InOrder, T> {
  T* data;
  Temporary(InOrder, long long n) : data(new T[n > 0 ? n : 1]) {}
  Temporary(const Temporary&) = delete;
  ~Temporary() { delete[] data; }
};

}  // namespace hone_parallel
