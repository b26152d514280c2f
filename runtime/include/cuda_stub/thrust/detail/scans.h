// Prefix sums, whole and by key, and sums by key.
#pragma once
#pragma GCC system_header
#include "reductions.h"

namespace thrust {

namespace detail {
// True where a run of equal keys begins.
template <class Keys, class Same> struct run_begins {
  Keys keys;
  Same same;
  __hone_both bool operator()(long long i) { return i == 0 || !same(keys[i - 1], keys[i]); }
};
// The thread of a run's first element goes through the run.
template <class Keys, class In, class Out, class T, class Same, class Op> struct scan_run {
  Keys keys;
  In in;
  Out out;
  long long n;
  T start;
  bool inclusive;
  Same same;
  Op op;
  __hone_both void operator()(long long first) {
    if (first > 0 && same(keys[first - 1], keys[first])) return;
    T sum = in[first];
    if (!inclusive) {
      out[first] = start;
      sum = op(start, sum);
    } else {
      out[first] = sum;
    }
    for (long long i = first + 1; i < n && same(keys[i - 1], keys[i]); ++i) {
      T own = in[i];
      T next = op(sum, own);
      out[i] = inclusive ? next : sum;
      sum = next;
    }
  }
};
template <class Keys, class In, class KeysOut, class Out, class T, class Op> struct reduce_run {
  Keys keys;
  In in;
  KeysOut keysOut;
  Out out;
  const long long* begins;
  long long runs, n;
  Op op;
  __hone_both void operator()(long long r) {
    long long i = begins[r], end = r + 1 < runs ? begins[r + 1] : n;
    keysOut[r] = keys[i];
    T sum = in[i];
    for (++i; i < end; ++i) sum = op(sum, in[i]);
    out[r] = sum;
  }
};
}  // namespace detail

template <class S, class In, class Out, class Op>
__hone_both Out inclusive_scan(const execution_policy<S>& p, In first, In last, Out out, Op op) {
  typedef iterator_value_t<In> T;
  hone_parallel::scan(p.system, first, out, last - first, T(), false, true, op);
  return out + (last - first);
}
template <class S, class In, class Out>
__hone_both Out inclusive_scan(const execution_policy<S>& p, In first, In last, Out out) {
  return thrust::inclusive_scan(p, first, last, out, thrust::plus<>());
}
template <class S, class In, class Out, class T, class Op>
__hone_both Out exclusive_scan(const execution_policy<S>& p, In first, In last, Out out, T start, Op op) {
  hone_parallel::scan(p.system, first, out, last - first, start, true, false, op);
  return out + (last - first);
}
template <class S, class In, class Out, class T>
__hone_both Out exclusive_scan(const execution_policy<S>& p, In first, In last, Out out, T start) {
  return thrust::exclusive_scan(p, first, last, out, start, thrust::plus<>());
}
template <class S, class In, class Out>
__hone_both Out exclusive_scan(const execution_policy<S>& p, In first, In last, Out out) {
  return thrust::exclusive_scan(p, first, last, out, iterator_value_t<In>(0));
}
template <class S, class In, class Out, class F, class Op>
__hone_both Out transform_inclusive_scan(const execution_policy<S>& p, In first, In last, Out out, F f, Op op) {
  typedef iterator_value_t<Out> T;
  hone_parallel::scan(p.system, detail::results<In, F>{first, f}, out, last - first, T(), false, true, op);
  return out + (last - first);
}
template <class S, class In, class Out, class F, class T, class Op>
__hone_both Out transform_exclusive_scan(const execution_policy<S>& p, In first, In last, Out out, F f, T start, Op op) {
  hone_parallel::scan(p.system, detail::results<In, F>{first, f}, out, last - first, start, true, false, op);
  return out + (last - first);
}
// Keys and values are read again after sums are written, so these are not done in place.
template <class S, class Keys, class In, class Out, class Same, class Op>
__hone_both Out inclusive_scan_by_key(const execution_policy<S>& p, Keys first, Keys last, In in, Out out, Same same, Op op) {
  typedef iterator_value_t<In> T;
  hone_parallel::each(p.system, last - first,
                      detail::scan_run<Keys, In, Out, T, Same, Op>{first, in, out, last - first, T(), true, same, op});
  return out + (last - first);
}
template <class S, class Keys, class In, class Out>
__hone_both Out inclusive_scan_by_key(const execution_policy<S>& p, Keys first, Keys last, In in, Out out) {
  return thrust::inclusive_scan_by_key(p, first, last, in, out, thrust::equal_to<>(), thrust::plus<>());
}
template <class S, class Keys, class In, class Out, class T, class Same, class Op>
__hone_both Out exclusive_scan_by_key(const execution_policy<S>& p, Keys first, Keys last, In in, Out out, T start, Same same,
                                      Op op) {
  hone_parallel::each(p.system, last - first,
                      detail::scan_run<Keys, In, Out, T, Same, Op>{first, in, out, last - first, start, false, same, op});
  return out + (last - first);
}
template <class S, class Keys, class In, class Out, class T>
__hone_both Out exclusive_scan_by_key(const execution_policy<S>& p, Keys first, Keys last, In in, Out out, T start) {
  return thrust::exclusive_scan_by_key(p, first, last, in, out, start, thrust::equal_to<>(), thrust::plus<>());
}
template <class S, class Keys, class In, class Out>
__hone_both Out exclusive_scan_by_key(const execution_policy<S>& p, Keys first, Keys last, In in, Out out) {
  return thrust::exclusive_scan_by_key(p, first, last, in, out, iterator_value_t<In>(0));
}
template <class S, class Keys, class In, class KeysOut, class Out, class Same, class Op>
pair<KeysOut, Out> reduce_by_key(const execution_policy<S>& p, Keys first, Keys last, In in, KeysOut keysOut, Out out,
                                 Same same, Op op) {
  typedef iterator_value_t<In> T;
  const long long n = last - first;
  hone_parallel::Temporary<S, long long> begins(p.system, n);
  const long long runs =
      hone_parallel::select(p.system, n, detail::run_begins<Keys, Same>{first, same}, detail::indices(), begins.data);
  hone_parallel::each(p.system, runs, detail::reduce_run<Keys, In, KeysOut, Out, T, Op>{first, in, keysOut, out, begins.data,
                                                                                         runs, n, op});
  return pair<KeysOut, Out>(keysOut + runs, out + runs);
}
template <class S, class Keys, class In, class KeysOut, class Out, class Same>
pair<KeysOut, Out> reduce_by_key(const execution_policy<S>& p, Keys first, Keys last, In in, KeysOut keysOut, Out out,
                                 Same same) {
  return thrust::reduce_by_key(p, first, last, in, keysOut, out, same, thrust::plus<>());
}
template <class S, class Keys, class In, class KeysOut, class Out>
pair<KeysOut, Out> reduce_by_key(const execution_policy<S>& p, Keys first, Keys last, In in, KeysOut keysOut, Out out) {
  return thrust::reduce_by_key(p, first, last, in, keysOut, out, thrust::equal_to<>(), thrust::plus<>());
}

__hone_default_policy(inclusive_scan)
__hone_default_policy(exclusive_scan)
__hone_default_policy(transform_inclusive_scan)
__hone_default_policy(transform_exclusive_scan)
__hone_default_policy(inclusive_scan_by_key)
__hone_default_policy(exclusive_scan_by_key)
__hone_default_policy(reduce_by_key)

}  // namespace thrust
