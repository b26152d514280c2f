// Algorithms that do something for each element by itself.
#pragma once
#pragma GCC system_header
#include "default_policy.h"

namespace thrust {

namespace detail {
template <class In, class F> struct call_for {
  In in;
  F f;
  __hone_both void operator()(long long i) { f(in[i]); }
};
template <class In, class Out, class F> struct write_result {
  In in;
  Out out;
  F f;
  __hone_both void operator()(long long i) { out[i] = f(in[i]); }
};
template <class A, class B, class Out, class F> struct write_result2 {
  A a;
  B b;
  Out out;
  F f;
  __hone_both void operator()(long long i) { out[i] = f(a[i], b[i]); }
};
template <class In, class Stencil, class Out, class F, class P> struct write_result_if {
  In in;
  Stencil stencil;
  Out out;
  F f;
  P p;
  __hone_both void operator()(long long i) {
    if (p(stencil[i])) out[i] = f(in[i]);
  }
};
template <class Out, class T> struct write_value {
  Out out;
  T value;
  __hone_both void operator()(long long i) { out[i] = value; }
};
template <class Out, class T> struct write_steps {
  Out out;
  T first, step;
  __hone_both void operator()(long long i) { out[i] = first + static_cast<T>(i) * step; }
};
template <class Out, class F> struct write_index_result {
  Out out;
  F f;
  __hone_both void operator()(long long i) { out[i] = f(i); }
};
template <class Out, class F> struct write_generated {
  Out out;
  F f;
  __hone_both void operator()(long long i) { out[i] = f(); }
};
template <class It, class P, class T> struct replace_where {
  It it;
  P p;
  T value;
  __hone_both void operator()(long long i) {
    if (p(it[i])) it[i] = value;
  }
};
template <class T> struct is_value {
  T value;
  template <class U> __hone_both bool operator()(const U& x) const { return x == value; }
};
template <class A, class B> struct swap_elements {
  A a;
  B b;
  __hone_both void operator()(long long i) {
    iterator_value_t<A> kept = a[i];
    a[i] = b[i];
    b[i] = kept;
  }
};
template <class It> struct swap_ends {
  It it;
  long long n;
  __hone_both void operator()(long long i) {
    iterator_value_t<It> kept = it[i];
    it[i] = it[n - 1 - i];
    it[n - 1 - i] = kept;
  }
};
template <class In, class Out> struct write_reversed {
  In in;
  Out out;
  long long n;
  __hone_both void operator()(long long i) { out[i] = in[n - 1 - i]; }
};
template <class In, class Out, class F> struct write_difference {
  In in;
  Out out;
  F f;
  __hone_both void operator()(long long i) {
    if (i == 0)
      out[i] = in[i];
    else
      out[i] = f(in[i], in[i - 1]);
  }
};
}  // namespace detail

template <class S, class In, class N, class F> __hone_both In for_each_n(const execution_policy<S>& p, In first, N n, F f) {
  hone_parallel::each(p.system, n, detail::call_for<In, F>{first, f});
  return first + n;
}
template <class S, class In, class F> __hone_both In for_each(const execution_policy<S>& p, In first, In last, F f) {
  return thrust::for_each_n(p, first, last - first, f);
}
template <class S, class In, class Out, class F>
__hone_both Out transform(const execution_policy<S>& p, In first, In last, Out out, F f) {
  hone_parallel::each(p.system, last - first, detail::write_result<In, Out, F>{first, out, f});
  return out + (last - first);
}
template <class S, class A, class B, class Out, class F>
__hone_both Out transform(const execution_policy<S>& p, A first, A last, B second, Out out, F f) {
  hone_parallel::each(p.system, last - first, detail::write_result2<A, B, Out, F>{first, second, out, f});
  return out + (last - first);
}
template <class S, class In, class Out, class F, class P>
__hone_both Out transform_if(const execution_policy<S>& p, In first, In last, Out out, F f, P where) {
  hone_parallel::each(p.system, last - first, detail::write_result_if<In, In, Out, F, P>{first, first, out, f, where});
  return out + (last - first);
}
template <class S, class In, class Stencil, class Out, class F, class P>
__hone_both Out transform_if(const execution_policy<S>& p, In first, In last, Stencil s, Out out, F f, P where) {
  hone_parallel::each(p.system, last - first, detail::write_result_if<In, Stencil, Out, F, P>{first, s, out, f, where});
  return out + (last - first);
}
template <class S, class Out, class N, class T> __hone_both Out fill_n(const execution_policy<S>& p, Out out, N n, T value) {
  hone_parallel::each(p.system, n, detail::write_value<Out, T>{out, value});
  return out + n;
}
template <class S, class Out, class T> __hone_both void fill(const execution_policy<S>& p, Out first, Out last, T value) {
  thrust::fill_n(p, first, last - first, value);
}
template <class S, class Out, class T>
__hone_both void sequence(const execution_policy<S>& p, Out first, Out last, T start, T step) {
  typedef iterator_value_t<Out> V;
  hone_parallel::each(p.system, last - first, detail::write_steps<Out, V>{first, V(start), V(step)});
}
template <class S, class Out, class T> __hone_both void sequence(const execution_policy<S>& p, Out first, Out last, T start) {
  typedef iterator_value_t<Out> V;
  thrust::sequence(p, first, last, V(start), V(1));
}
template <class S, class Out> __hone_both void sequence(const execution_policy<S>& p, Out first, Out last) {
  typedef iterator_value_t<Out> V;
  thrust::sequence(p, first, last, V(0), V(1));
}
template <class S, class Out, class F> __hone_both void tabulate(const execution_policy<S>& p, Out first, Out last, F f) {
  hone_parallel::each(p.system, last - first, detail::write_index_result<Out, F>{first, f});
}
template <class S, class Out, class F> __hone_both void generate(const execution_policy<S>& p, Out first, Out last, F f) {
  hone_parallel::each(p.system, last - first, detail::write_generated<Out, F>{first, f});
}
template <class S, class It, class P, class T>
__hone_both void replace_if(const execution_policy<S>& p, It first, It last, P where, T value) {
  hone_parallel::each(p.system, last - first, detail::replace_where<It, P, T>{first, where, value});
}
template <class S, class It, class T>
__hone_both void replace(const execution_policy<S>& p, It first, It last, T old, T value) {
  thrust::replace_if(p, first, last, detail::is_value<T>{old}, value);
}
template <class S, class A, class B> __hone_both B swap_ranges(const execution_policy<S>& p, A first, A last, B second) {
  hone_parallel::each(p.system, last - first, detail::swap_elements<A, B>{first, second});
  return second + (last - first);
}
template <class S, class It> __hone_both void reverse(const execution_policy<S>& p, It first, It last) {
  hone_parallel::each(p.system, (last - first) / 2, detail::swap_ends<It>{first, last - first});
}
template <class S, class In, class Out>
__hone_both Out reverse_copy(const execution_policy<S>& p, In first, In last, Out out) {
  hone_parallel::each(p.system, last - first, detail::write_reversed<In, Out>{first, out, last - first});
  return out + (last - first);
}
// Not in place: a neighbour may be overwritten before it is read.
template <class S, class In, class Out, class F>
__hone_both Out adjacent_difference(const execution_policy<S>& p, In first, In last, Out out, F f) {
  hone_parallel::each(p.system, last - first, detail::write_difference<In, Out, F>{first, out, f});
  return out + (last - first);
}
template <class S, class In, class Out>
__hone_both Out adjacent_difference(const execution_policy<S>& p, In first, In last, Out out) {
  return thrust::adjacent_difference(p, first, last, out, thrust::minus<>());
}

__hone_default_policy(for_each_n)
__hone_default_policy(for_each)
__hone_default_policy(transform)
__hone_default_policy(transform_if)
__hone_default_policy(fill_n)
__hone_default_policy(fill)
__hone_default_policy(sequence)
__hone_default_policy(tabulate)
__hone_default_policy(generate)
__hone_default_policy(replace_if)
__hone_default_policy(replace)
__hone_default_policy(swap_ranges)
__hone_default_policy(reverse)
__hone_default_policy(reverse_copy)
__hone_default_policy(adjacent_difference)

}  // namespace thrust
