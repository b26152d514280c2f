// Iterators over values that are worked out when they are read.
#pragma once
#pragma GCC system_header
#include <cstddef>
#include <iterator>

#include "../util_type.cuh"

namespace cub {

template <class V, class Offset = ptrdiff_t> struct CountingInputIterator {
  typedef V value_type;
  typedef V reference;
  typedef V* pointer;
  typedef Offset difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  V first;
  __hone_both CountingInputIterator(const V& first) : first(first) {}
  __hone_both V operator*() const { return first; }
  template <class N> __hone_both V operator[](N n) const { return first + V(n); }
  template <class N> __hone_both CountingInputIterator operator+(N n) const { return CountingInputIterator(first + V(n)); }
};

template <class V, class Offset = ptrdiff_t> struct ConstantInputIterator {
  typedef V value_type;
  typedef V reference;
  typedef V* pointer;
  typedef Offset difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  V value;
  __hone_both ConstantInputIterator(V value) : value(value) {}
  __hone_both V operator*() const { return value; }
  template <class N> __hone_both V operator[](N) const { return value; }
  template <class N> __hone_both ConstantInputIterator operator+(N) const { return *this; }
};

template <class V, class F, class In, class Offset = ptrdiff_t> struct TransformInputIterator {
  typedef V value_type;
  typedef V reference;
  typedef V* pointer;
  typedef Offset difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  In in;
  F f;
  __hone_both TransformInputIterator(In in, F f) : in(in), f(f) {}
  __hone_both V operator*() const { return f(in[0]); }
  template <class N> __hone_both V operator[](N n) const { return f(in[n]); }
  template <class N> __hone_both TransformInputIterator operator+(N n) const { return TransformInputIterator(in + n, f); }
};

// Index and value of each element.
template <class In, class Offset = int, class V = typename std::iterator_traits<In>::value_type> struct ArgIndexInputIterator {
  typedef KeyValuePair<Offset, V> value_type;
  typedef value_type reference;
  typedef value_type* pointer;
  typedef Offset difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  In in;
  __hone_both ArgIndexInputIterator(In in) : in(in) {}
  template <class N> __hone_both value_type operator[](N n) const { return value_type(Offset(n), in[n]); }
};

}  // namespace cub
