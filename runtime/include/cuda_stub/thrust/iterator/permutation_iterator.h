// Stands in for thrust's header of this name.
#pragma once
#pragma GCC system_header
#include "../detail/iterator_traits.h"

namespace thrust {

template <class It, class Index> struct permutation_iterator : detail::steps<permutation_iterator<It, Index>> {
  static constexpr bool reachesDevice = detail::is_of_device<It>::value || detail::is_of_device<Index>::value;
  typedef iterator_value_t<It> value_type;
  typedef typename std::iterator_traits<It>::reference reference;
  typedef value_type* pointer;
  typedef ptrdiff_t difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  typedef void hasDeviceReference;
  typedef typename detail::device_reference_of<It>::type deviceReference;
  It it;
  Index index;
  __hone_both permutation_iterator(It it, Index index) : it(it), index(index) {}
  __device__ deviceReference operator*() const { return it[index[0]]; }
  __device__ deviceReference operator[](ptrdiff_t n) const { return it[index[n]]; }
#ifdef __CUDA__
  __host__ reference operator*() const { return it[index[0]]; }
  __host__ reference operator[](ptrdiff_t n) const { return it[index[n]]; }
#endif
  __hone_both permutation_iterator advanced(ptrdiff_t n) const { return permutation_iterator(it, index + n); }
  __hone_both ptrdiff_t distance(const permutation_iterator& from) const { return index - from.index; }
};
template <class It, class Index> __hone_both permutation_iterator<It, Index> make_permutation_iterator(It it, Index index) {
  return permutation_iterator<It, Index>(it, index);
}

}  // namespace thrust
