// Sorting, and what goes by the order of elements.
#pragma once
#pragma GCC system_header
#include "scans.h"

namespace thrust {

namespace detail {
// Numbers in their own order, which the host may sort.
template <class T, class Less> struct sorts_on_host : std::false_type {};
template <class T> struct sorts_on_host<T, thrust::less<T>> : std::is_arithmetic<T> {};
template <class T> struct sorts_on_host<T, thrust::greater<T>> : std::is_arithmetic<T> {};

template <class K, class Less> void sort_keys(OnDevice on, K* keys, long long* order, long long n, Less less) {
  if constexpr (sorts_on_host<K, Less>::value)
    hone_parallel::sortOnHost(keys, order, n, less);
  else
    hone_parallel::sortOnDevice(keys, order, n, less, on.stream);
}
template <class K, class Less> void sort_keys(InOrder, K* keys, long long* order, long long n, Less less) {
  std::vector<long long> places(n);
  std::vector<K> copy(keys, keys + n);
  for (long long i = 0; i < n; ++i) places[i] = i;
  std::stable_sort(places.begin(), places.end(), [&](long long a, long long b) { return less(keys[a], keys[b]); });
  for (long long i = 0; i < n; ++i) keys[i] = copy[places[i]];
  if (order) std::copy(places.begin(), places.end(), order);
}

template <class S, class It, class Less> void sort_range(S system, It first, long long n, Less less) {
  typedef iterator_value_t<It> K;
  hone_parallel::Temporary<S, K> keys(system, n);
  hone_parallel::each(system, n, hone_parallel::CopyElement<It, K*>{first, keys.data});
  sort_keys(system, keys.data, nullptr, n, less);
  hone_parallel::each(system, n, hone_parallel::CopyElement<const K*, It>{keys.data, first});
}
#ifdef __CUDA__
// By one thread of the device.
template <class It, class Less> __device__ void sort_range(InOrder, It first, long long n, Less less) {
  for (long long i = 1; i < n; ++i) {
    iterator_value_t<It> own = first[i];
    long long at = i;
    for (; at > 0 && less(own, first[at - 1]); --at) first[at] = first[at - 1];
    first[at] = own;
  }
}
#endif
template <class S, class Keys, class Values, class Less>
void sort_pairs(S system, Keys first, long long n, Values values, Less less) {
  typedef iterator_value_t<Keys> K;
  typedef iterator_value_t<Values> V;
  hone_parallel::Temporary<S, K> keys(system, n);
  hone_parallel::Temporary<S, V> copy(system, n);
  hone_parallel::Temporary<S, long long> order(system, n);
  hone_parallel::each(system, n, hone_parallel::CopyElement<Keys, K*>{first, keys.data});
  hone_parallel::each(system, n, hone_parallel::CopyElement<Values, V*>{values, copy.data});
  sort_keys(system, keys.data, order.data, n, less);
  hone_parallel::each(system, n, hone_parallel::CopyElement<const K*, Keys>{keys.data, first});
  hone_parallel::each(system, n, write_gathered<const V*, const long long*, Values>{copy.data, order.data, values});
}

// Copies what is kept to the front; gives how many.
template <class S, class Keep, class It> long long keep_in_front(S system, long long n, Keep keep, It first) {
  typedef iterator_value_t<It> T;
  hone_parallel::Temporary<S, T> kept(system, n);
  const long long count = hone_parallel::select(system, n, keep, first, kept.data);
  hone_parallel::each(system, count, hone_parallel::CopyElement<const T*, It>{kept.data, first});
  return count;
}

// The first place whose element is not less than the value (upper: that the value is less than).
template <class In, class T, class Less>
__hone_both long long bound_of(In in, long long n, const T& value, Less less, bool upper) {
  long long low = 0, high = n;
  while (low < high) {
    long long middle = low + (high - low) / 2;
    bool goesOn = upper ? !less(value, in[middle]) : less(in[middle], value);
    if (goesOn)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}
template <class In, class Values, class Out, class Less> struct write_bound {
  In in;
  long long n;
  Values values;
  Out out;
  Less less;
  bool upper;
  __hone_both void operator()(long long i) {
    iterator_value_t<Values> value = values[i];
    out[i] = bound_of(in, n, value, less, upper);
  }
};
template <class In, class Values, class Out, class Less> struct write_found {
  In in;
  long long n;
  Values values;
  Out out;
  Less less;
  __hone_both void operator()(long long i) {
    iterator_value_t<Values> value = values[i];
    long long at = bound_of(in, n, value, less, false);
    out[i] = at < n && !less(value, in[at < n ? at : 0]);
  }
};
// One side of a merge: each element stands behind its own predecessors and those of the other side.
template <class A, class B, class Out, class Less> struct merge_into {
  A a;
  B b;
  long long others;
  Out out;
  Less less;
  bool isSecond;
  __hone_both void operator()(long long i) {
    iterator_value_t<A> value = a[i];
    out[i + bound_of(b, others, value, less, isSecond)] = value;
  }
};
template <class T> using less_of = thrust::less<iterator_value_t<T>>;
}  // namespace detail

template <class S, class It, class Less>
__hone_both void stable_sort(const execution_policy<S>& p, It first, It last, Less less) {
  detail::sort_range(p.system, first, last - first, less);
}
template <class S, class It> __hone_both void stable_sort(const execution_policy<S>& p, It first, It last) {
  detail::sort_range(p.system, first, last - first, detail::less_of<It>());
}
template <class S, class It, class Less> __hone_both void sort(const execution_policy<S>& p, It first, It last, Less less) {
  detail::sort_range(p.system, first, last - first, less);
}
template <class S, class It> __hone_both void sort(const execution_policy<S>& p, It first, It last) {
  detail::sort_range(p.system, first, last - first, detail::less_of<It>());
}
template <class S, class K, class V, class Less>
void stable_sort_by_key(const execution_policy<S>& p, K first, K last, V values, Less less) {
  detail::sort_pairs(p.system, first, last - first, values, less);
}
template <class S, class K, class V> void stable_sort_by_key(const execution_policy<S>& p, K first, K last, V values) {
  detail::sort_pairs(p.system, first, last - first, values, detail::less_of<K>());
}
template <class S, class K, class V, class Less>
void sort_by_key(const execution_policy<S>& p, K first, K last, V values, Less less) {
  detail::sort_pairs(p.system, first, last - first, values, less);
}
template <class S, class K, class V> void sort_by_key(const execution_policy<S>& p, K first, K last, V values) {
  detail::sort_pairs(p.system, first, last - first, values, detail::less_of<K>());
}

template <class S, class It, class Stencil, class P>
It remove_if(const execution_policy<S>& p, It first, It last, Stencil stencil, P where) {
  typedef hone_parallel::KeepOthers<detail::where_holds<Stencil, P>> Keep;
  return first + detail::keep_in_front(p.system, last - first, Keep{{stencil, where}}, first);
}
template <class S, class It, class P> It remove_if(const execution_policy<S>& p, It first, It last, P where) {
  return thrust::remove_if(p, first, last, first, where);
}
template <class S, class It, class T> It remove(const execution_policy<S>& p, It first, It last, T value) {
  return thrust::remove_if(p, first, last, first, detail::is_value<T>{value});
}
template <class S, class In, class Out, class P>
Out remove_copy_if(const execution_policy<S>& p, In first, In last, Out out, P where) {
  typedef hone_parallel::KeepOthers<detail::where_holds<In, P>> Keep;
  return out + hone_parallel::select(p.system, last - first, Keep{{first, where}}, first, out);
}
template <class S, class It, class Same> It unique(const execution_policy<S>& p, It first, It last, Same same) {
  return first + detail::keep_in_front(p.system, last - first, detail::run_begins<It, Same>{first, same}, first);
}
template <class S, class It> It unique(const execution_policy<S>& p, It first, It last) {
  return thrust::unique(p, first, last, thrust::equal_to<>());
}
template <class S, class In, class Out> Out unique_copy(const execution_policy<S>& p, In first, In last, Out out) {
  typedef detail::run_begins<In, thrust::equal_to<>> Keep;
  return out + hone_parallel::select(p.system, last - first, Keep{first, thrust::equal_to<>()}, first, out);
}
template <class S, class K, class V>
pair<K, V> unique_by_key(const execution_policy<S>& p, K first, K last, V values) {
  typedef detail::run_begins<K, thrust::equal_to<>> Keep;
  const Keep keep{first, thrust::equal_to<>()};
  const long long count = detail::keep_in_front(p.system, last - first, keep, values);
  detail::keep_in_front(p.system, last - first, keep, first);
  return pair<K, V>(first + count, values + count);
}
template <class S, class K, class V, class KOut, class VOut>
pair<KOut, VOut> unique_by_key_copy(const execution_policy<S>& p, K first, K last, V values, KOut keysOut, VOut out) {
  typedef detail::run_begins<K, thrust::equal_to<>> Keep;
  const Keep keep{first, thrust::equal_to<>()};
  const long long count = hone_parallel::select(p.system, last - first, keep, values, out);
  hone_parallel::select(p.system, last - first, keep, first, keysOut);
  return pair<KOut, VOut>(keysOut + count, out + count);
}
template <class S, class It, class Stencil, class P>
It stable_partition(const execution_policy<S>& p, It first, It last, Stencil stencil, P where) {
  typedef iterator_value_t<It> T;
  typedef detail::where_holds<Stencil, P> Keep;
  const long long n = last - first;
  hone_parallel::Temporary<S, T> parts(p.system, n);
  const long long count = hone_parallel::select(p.system, n, Keep{stencil, where}, first, parts.data);
  hone_parallel::select(p.system, n, hone_parallel::KeepOthers<Keep>{{stencil, where}}, first, parts.data + count);
  hone_parallel::each(p.system, n, hone_parallel::CopyElement<const T*, It>{parts.data, first});
  return first + count;
}
template <class S, class It, class P> It stable_partition(const execution_policy<S>& p, It first, It last, P where) {
  return thrust::stable_partition(p, first, last, first, where);
}
template <class S, class It, class... More> It partition(const execution_policy<S>& p, It first, It last, More... more) {
  return thrust::stable_partition(p, first, last, more...);
}

template <class S, class In, class Values, class Out>
Out lower_bound(const execution_policy<S>& p, In first, In last, Values from, Values to, Out out) {
  typedef detail::less_of<In> Less;
  hone_parallel::each(p.system, to - from,
                      detail::write_bound<In, Values, Out, Less>{first, last - first, from, out, Less(), false});
  return out + (to - from);
}
template <class S, class In, class Values, class Out>
Out upper_bound(const execution_policy<S>& p, In first, In last, Values from, Values to, Out out) {
  typedef detail::less_of<In> Less;
  hone_parallel::each(p.system, to - from,
                      detail::write_bound<In, Values, Out, Less>{first, last - first, from, out, Less(), true});
  return out + (to - from);
}
template <class S, class In, class Values, class Out>
Out binary_search(const execution_policy<S>& p, In first, In last, Values from, Values to, Out out) {
  typedef detail::less_of<In> Less;
  hone_parallel::each(p.system, to - from, detail::write_found<In, Values, Out, Less>{first, last - first, from, out, Less()});
  return out + (to - from);
}
template <class In, class T> __hone_both In lower_bound(const execution_policy<detail::InOrder>&, In first, In last, T value) {
  return first + detail::bound_of(first, last - first, value, detail::less_of<In>(), false);
}
template <class In, class T> __hone_both In upper_bound(const execution_policy<detail::InOrder>&, In first, In last, T value) {
  return first + detail::bound_of(first, last - first, value, detail::less_of<In>(), true);
}
template <class In, class T> In lower_bound(const execution_policy<detail::OnDevice>&, In first, In last, T value) {
  return first + detail::bound_of(first, last - first, value, detail::less_of<In>(), false);
}
template <class In, class T> In upper_bound(const execution_policy<detail::OnDevice>&, In first, In last, T value) {
  return first + detail::bound_of(first, last - first, value, detail::less_of<In>(), true);
}
template <class S, class A, class B, class Out, class Less>
Out merge(const execution_policy<S>& p, A first, A last, B first2, B last2, Out out, Less less) {
  const long long n = last - first, m = last2 - first2;
  hone_parallel::each(p.system, n, detail::merge_into<A, B, Out, Less>{first, first2, m, out, less, false});
  hone_parallel::each(p.system, m, detail::merge_into<B, A, Out, Less>{first2, first, n, out, less, true});
  return out + n + m;
}
template <class S, class A, class B, class Out>
Out merge(const execution_policy<S>& p, A first, A last, B first2, B last2, Out out) {
  return thrust::merge(p, first, last, first2, last2, out, detail::less_of<A>());
}

__hone_default_policy(stable_sort)
__hone_default_policy(sort)
__hone_default_policy(stable_sort_by_key)
__hone_default_policy(sort_by_key)
__hone_default_policy(remove_if)
__hone_default_policy(remove)
__hone_default_policy(remove_copy_if)
__hone_default_policy(unique)
__hone_default_policy(unique_copy)
__hone_default_policy(unique_by_key)
__hone_default_policy(unique_by_key_copy)
__hone_default_policy(stable_partition)
__hone_default_policy(partition)
__hone_default_policy(lower_bound)
__hone_default_policy(upper_bound)
__hone_default_policy(binary_search)
__hone_default_policy(merge)

}  // namespace thrust
