// Stands in for thrust's header of this name.
#pragma once
#pragma GCC system_header
#include "../detail/iterator_traits.h"

namespace thrust {

template <class T> struct constant_iterator : detail::steps<constant_iterator<T>> {
  typedef T value_type;
  typedef T reference;
  typedef const T* pointer;
  typedef ptrdiff_t difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  T value;
  ptrdiff_t at;
  __hone_both explicit constant_iterator(T value, ptrdiff_t at = 0) : value(value), at(at) {}
  __hone_both T operator*() const { return value; }
  __hone_both T operator[](ptrdiff_t) const { return value; }
  __hone_both constant_iterator advanced(ptrdiff_t n) const { return constant_iterator(value, at + n); }
  __hone_both ptrdiff_t distance(const constant_iterator& from) const { return at - from.at; }
};
template <class T> __hone_both constant_iterator<T> make_constant_iterator(T value, ptrdiff_t at = 0) {
  return constant_iterator<T>(value, at);
}

}  // namespace thrust
