// Stands in for thrust's header of this name.
#pragma once
#pragma GCC system_header
#include "../detail/iterator_traits.h"

namespace thrust {

template <class It> struct reverse_iterator : detail::steps<reverse_iterator<It>> {
  static constexpr bool reachesDevice = detail::is_of_device<It>::value;
  typedef iterator_value_t<It> value_type;
  typedef typename std::iterator_traits<It>::reference reference;
  typedef value_type* pointer;
  typedef ptrdiff_t difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  typedef void hasDeviceReference;
  typedef typename detail::device_reference_of<It>::type deviceReference;
  It it;  // one behind the element
  __hone_both explicit reverse_iterator(It it) : it(it) {}
  __device__ deviceReference operator*() const { return it[-1]; }
  __device__ deviceReference operator[](ptrdiff_t n) const { return it[-1 - n]; }
#ifdef __CUDA__
  __host__ reference operator*() const { return it[-1]; }
  __host__ reference operator[](ptrdiff_t n) const { return it[-1 - n]; }
#endif
  __hone_both reverse_iterator advanced(ptrdiff_t n) const { return reverse_iterator(it - n); }
  __hone_both ptrdiff_t distance(const reverse_iterator& from) const { return from.it - it; }
};
template <class It> __hone_both reverse_iterator<It> make_reverse_iterator(It it) { return reverse_iterator<It>(it); }

}  // namespace thrust
