// Stands in for thrust's header of this name.
#pragma once
#pragma GCC system_header
#include <utility>

#include "../detail/iterator_traits.h"

namespace thrust {

namespace detail {
template <class F, class It, class R> struct transformed { typedef R type; };
template <class F, class It> struct transformed<F, It, use_default> {
  typedef typename std::decay<decltype(std::declval<const F&>()(std::declval<iterator_value_t<It>>()))>::type type;
};
}  // namespace detail

template <class F, class It, class Reference = use_default, class Value = use_default>
struct transform_iterator : detail::steps<transform_iterator<F, It, Reference, Value>> {
  static constexpr bool reachesDevice = detail::is_of_device<It>::value;
  typedef typename detail::transformed<F, It, Reference>::type value_type;
  typedef value_type reference;
  typedef value_type* pointer;
  typedef ptrdiff_t difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  It it;
  F f;
  __hone_both transform_iterator(It it, F f) : it(it), f(f) {}
  __hone_both explicit transform_iterator(It it) : it(it), f() {}
  __hone_both value_type operator*() const { return f(*it); }
  __hone_both value_type operator[](ptrdiff_t n) const { return f(it[n]); }
  __hone_both transform_iterator advanced(ptrdiff_t n) const { return transform_iterator(it + n, f); }
  __hone_both ptrdiff_t distance(const transform_iterator& from) const { return it - from.it; }
  __hone_both It base() const { return it; }
};
template <class F, class It> __hone_both transform_iterator<F, It> make_transform_iterator(It it, F f) {
  return transform_iterator<F, It>(it, f);
}

}  // namespace thrust
