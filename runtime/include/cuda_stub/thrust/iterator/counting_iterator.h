// Stands in for thrust's header of this name.
#pragma once
#pragma GCC system_header
#include "../detail/iterator_traits.h"

namespace thrust {

template <class T> struct counting_iterator : detail::steps<counting_iterator<T>> {
  typedef T value_type;
  typedef T reference;
  typedef const T* pointer;
  typedef ptrdiff_t difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  T first;
  counting_iterator() = default;
  __hone_both explicit counting_iterator(T first) : first(first) {}
  __hone_both T operator*() const { return first; }
  __hone_both T operator[](ptrdiff_t n) const { return first + static_cast<T>(n); }
  __hone_both counting_iterator advanced(ptrdiff_t n) const { return counting_iterator(first + static_cast<T>(n)); }
  __hone_both ptrdiff_t distance(const counting_iterator& from) const {
    return static_cast<ptrdiff_t>(first) - static_cast<ptrdiff_t>(from.first);
  }
};
template <class T> __hone_both counting_iterator<T> make_counting_iterator(T first) { return counting_iterator<T>(first); }

}  // namespace thrust
