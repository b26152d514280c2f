// Stands in for thrust's header of this name.
#pragma once
#pragma GCC system_header
#include "../detail/iterator_traits.h"

namespace thrust {

struct discarded {
  template <class T> __hone_both const discarded& operator=(const T&) const { return *this; }
};

template <class S = void> struct discard_iterator : detail::steps<discard_iterator<S>> {
  typedef discarded value_type;
  typedef discarded reference;
  typedef void pointer;
  typedef ptrdiff_t difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  ptrdiff_t at;
  __hone_both discard_iterator(ptrdiff_t at = 0) : at(at) {}
  __hone_both discarded operator*() const { return discarded(); }
  __hone_both discarded operator[](ptrdiff_t) const { return discarded(); }
  __hone_both discard_iterator advanced(ptrdiff_t n) const { return discard_iterator(at + n); }
  __hone_both ptrdiff_t distance(const discard_iterator& from) const { return at - from.at; }
};
inline discard_iterator<> make_discard_iterator(ptrdiff_t at = 0) { return discard_iterator<>(at); }

}  // namespace thrust
