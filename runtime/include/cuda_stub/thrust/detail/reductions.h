// Algorithms that make one value, or a place, out of many.
#pragma once
#pragma GCC system_header
#include "copies.h"

namespace thrust {

namespace detail {
template <class In, class F> struct results {
  In in;
  F f;
  __hone_both auto operator[](long long i) const { return f(in[i]); }
};
template <class A, class B, class F> struct results2 {
  A a;
  B b;
  F f;
  __hone_both auto operator[](long long i) const { return f(a[i], b[i]); }
};
template <class In, class P> struct ones {
  In in;
  P p;
  __hone_both long long operator[](long long i) const { return p(in[i]) ? 1 : 0; }
};
// The index of what fulfils the condition, n otherwise.
template <class In, class P> struct places {
  In in;
  P p;
  long long n;
  __hone_both long long operator[](long long i) const { return p(in[i]) ? i : n; }
};
template <class A, class B, class P> struct differences {
  A a;
  B b;
  P p;
  long long n;
  __hone_both long long operator[](long long i) const { return p(a[i], b[i]) ? n : i; }
};
// Where an element comes before its predecessor.
template <class In, class Less> struct descents {
  In in;
  Less less;
  long long n;
  __hone_both long long operator[](long long i) const { return less(in[i + 1], in[i]) ? i + 1 : n; }
};
struct indices {
  __hone_both long long operator[](long long i) const { return i; }
};
// Of two places the one of the smaller element; of equal ones the first.
template <class In, class Less> struct smaller_place {
  In in;
  Less less;
  __hone_both long long operator()(long long a, long long b) const {
    if (b < a) {
      long long kept = a;
      a = b;
      b = kept;
    }
    return less(in[b], in[a]) ? b : a;
  }
};
// The same for the larger one.
template <class In, class Less> struct larger_place {
  In in;
  Less less;
  __hone_both long long operator()(long long a, long long b) const {
    if (b < a) {
      long long kept = a;
      a = b;
      b = kept;
    }
    return less(in[a], in[b]) ? b : a;
  }
};
}  // namespace detail

template <class S, class In, class T, class Op>
__hone_both T reduce(const execution_policy<S>& p, In first, In last, T start, Op op) {
  return hone_parallel::reduce(p.system, first, last - first, start, op);
}
template <class S, class In, class T> __hone_both T reduce(const execution_policy<S>& p, In first, In last, T start) {
  return thrust::reduce(p, first, last, start, thrust::plus<T>());
}
template <class S, class In> __hone_both iterator_value_t<In> reduce(const execution_policy<S>& p, In first, In last) {
  return thrust::reduce(p, first, last, iterator_value_t<In>(0));
}
template <class S, class In, class F, class T, class Op>
__hone_both T transform_reduce(const execution_policy<S>& p, In first, In last, F f, T start, Op op) {
  return hone_parallel::reduce(p.system, detail::results<In, F>{first, f}, last - first, start, op);
}
template <class S, class A, class B, class T, class Op, class F>
__hone_both T inner_product(const execution_policy<S>& p, A first, A last, B second, T start, Op op, F f) {
  return hone_parallel::reduce(p.system, detail::results2<A, B, F>{first, second, f}, last - first, start, op);
}
template <class S, class A, class B, class T>
__hone_both T inner_product(const execution_policy<S>& p, A first, A last, B second, T start) {
  return thrust::inner_product(p, first, last, second, start, thrust::plus<T>(), thrust::multiplies<T>());
}
template <class S, class In, class P>
__hone_both ptrdiff_t count_if(const execution_policy<S>& p, In first, In last, P where) {
  return hone_parallel::reduce(p.system, detail::ones<In, P>{first, where}, last - first, 0ll, thrust::plus<long long>());
}
template <class S, class In, class T>
__hone_both ptrdiff_t count(const execution_policy<S>& p, In first, In last, T value) {
  return thrust::count_if(p, first, last, detail::is_value<T>{value});
}
template <class S, class In, class P> __hone_both In find_if(const execution_policy<S>& p, In first, In last, P where) {
  const long long n = last - first;
  return first + hone_parallel::reduce(p.system, detail::places<In, P>{first, where, n}, n, n, thrust::minimum<long long>());
}
template <class S, class In, class T> __hone_both In find(const execution_policy<S>& p, In first, In last, T value) {
  return thrust::find_if(p, first, last, detail::is_value<T>{value});
}
template <class S, class In, class P> __hone_both bool any_of(const execution_policy<S>& p, In first, In last, P where) {
  return thrust::count_if(p, first, last, where) > 0;
}
template <class S, class In, class P> __hone_both bool all_of(const execution_policy<S>& p, In first, In last, P where) {
  return thrust::count_if(p, first, last, where) == last - first;
}
template <class S, class In, class P> __hone_both bool none_of(const execution_policy<S>& p, In first, In last, P where) {
  return thrust::count_if(p, first, last, where) == 0;
}
template <class S, class A, class B, class P>
__hone_both bool equal(const execution_policy<S>& p, A first, A last, B second, P same) {
  const long long n = last - first;
  return hone_parallel::reduce(p.system, detail::differences<A, B, P>{first, second, same, n}, n, n,
                               thrust::minimum<long long>()) == n;
}
template <class S, class A, class B> __hone_both bool equal(const execution_policy<S>& p, A first, A last, B second) {
  return thrust::equal(p, first, last, second, thrust::equal_to<>());
}
template <class S, class In, class Less>
__hone_both In is_sorted_until(const execution_policy<S>& p, In first, In last, Less less) {
  const long long n = last - first;
  return n < 2 ? last
               : first + hone_parallel::reduce(p.system, detail::descents<In, Less>{first, less, n}, n - 1, n,
                                               thrust::minimum<long long>());
}
template <class S, class In, class Less> __hone_both bool is_sorted(const execution_policy<S>& p, In first, In last, Less less) {
  return thrust::is_sorted_until(p, first, last, less) == last;
}
template <class S, class In> __hone_both bool is_sorted(const execution_policy<S>& p, In first, In last) {
  return thrust::is_sorted(p, first, last, thrust::less<iterator_value_t<In>>());
}
template <class S, class In, class Less>
__hone_both In min_element(const execution_policy<S>& p, In first, In last, Less less) {
  return last - first < 2 ? first
                          : first + hone_parallel::reduce(p.system, detail::indices(), last - first, 0ll,
                                                          detail::smaller_place<In, Less>{first, less});
}
template <class S, class In, class Less>
__hone_both In max_element(const execution_policy<S>& p, In first, In last, Less less) {
  return last - first < 2 ? first
                          : first + hone_parallel::reduce(p.system, detail::indices(), last - first, 0ll,
                                                          detail::larger_place<In, Less>{first, less});
}
template <class S, class In> __hone_both In min_element(const execution_policy<S>& p, In first, In last) {
  return thrust::min_element(p, first, last, thrust::less<iterator_value_t<In>>());
}
template <class S, class In> __hone_both In max_element(const execution_policy<S>& p, In first, In last) {
  return thrust::max_element(p, first, last, thrust::less<iterator_value_t<In>>());
}
template <class S, class In, class Less>
__hone_both pair<In, In> minmax_element(const execution_policy<S>& p, In first, In last, Less less) {
  return pair<In, In>(thrust::min_element(p, first, last, less), thrust::max_element(p, first, last, less));
}
template <class S, class In> __hone_both pair<In, In> minmax_element(const execution_policy<S>& p, In first, In last) {
  return thrust::minmax_element(p, first, last, thrust::less<iterator_value_t<In>>());
}

__hone_default_policy(reduce)
__hone_default_policy(transform_reduce)
__hone_default_policy(inner_product)
__hone_default_policy(count_if)
__hone_default_policy(count)
__hone_default_policy(find_if)
__hone_default_policy(find)
__hone_default_policy(any_of)
__hone_default_policy(all_of)
__hone_default_policy(none_of)
__hone_default_policy(equal)
__hone_default_policy(is_sorted_until)
__hone_default_policy(is_sorted)
__hone_default_policy(min_element)
__hone_default_policy(max_element)
__hone_default_policy(minmax_element)

}  // namespace thrust
