// Stands in for thrust's header of this name.
#pragma once
#pragma GCC system_header
#include <utility>

#include "../detail/iterator_traits.h"
#include "../execution_policy.h"
#include "../tuple.h"

namespace thrust {

namespace detail {
// References to the elements n steps from iterators, in code of the device and of the host.
template <class... Its> struct zipped;
template <> struct zipped<> {
  static __hone_both tuple<> moved(const tuple<>&, ptrdiff_t) { return tuple<>(); }
};
template <class It, class... Its> struct zipped<It, Its...> {
  typedef tuple<It, Its...> Iterators;
  static __hone_both Iterators moved(const Iterators& its, ptrdiff_t n) {
    Iterators out = its;
    step(out, n);
    return out;
  }
  static __hone_both void step(tuple<>&, ptrdiff_t) {}
  template <class One, class... More> static __hone_both void step(tuple<One, More...>& its, ptrdiff_t n) {
    its.head += n;
    step(its.tail, n);
  }
};
}  // namespace detail

template <class Tuple> struct zip_iterator;
template <class... Its> struct zip_iterator<tuple<Its...>> : detail::steps<zip_iterator<tuple<Its...>>> {
  static constexpr bool reachesDevice = detail::any_of_device<Its...>::value;
  typedef tuple<iterator_value_t<Its>...> value_type;
  typedef tuple<typename std::iterator_traits<Its>::reference...> reference;
  typedef value_type* pointer;
  typedef ptrdiff_t difference_type;
  typedef std::random_access_iterator_tag iterator_category;
  typedef void hasDeviceReference;
  typedef tuple<typename detail::device_reference_of<Its>::type...> deviceReference;
  tuple<Its...> its;
  zip_iterator() = default;
  __hone_both zip_iterator(const tuple<Its...>& its) : its(its) {}
  __device__ deviceReference operator*() const { return at<deviceReference>(0); }
  __device__ deviceReference operator[](ptrdiff_t n) const { return at<deviceReference>(n); }
#ifdef __CUDA__
  __host__ reference operator*() const { return at<reference>(0); }
  __host__ reference operator[](ptrdiff_t n) const { return at<reference>(n); }
#endif
  __hone_both zip_iterator advanced(ptrdiff_t n) const { return zip_iterator(detail::zipped<Its...>::moved(its, n)); }
  __hone_both ptrdiff_t distance(const zip_iterator& from) const { return its.head - from.its.head; }
  __hone_both const tuple<Its...>& get_iterator_tuple() const { return its; }

 private:
  template <class Reference> __hone_both Reference at(ptrdiff_t n) const {
    return fill<Reference>(n, std::make_index_sequence<sizeof...(Its)>());
  }
  template <class Reference, size_t... I> __hone_both Reference fill(ptrdiff_t n, std::index_sequence<I...>) const {
    return Reference(detail::tuple_get<I>::from(its)[n]...);
  }
};
template <class... Its> __hone_both zip_iterator<tuple<Its...>> make_zip_iterator(const tuple<Its...>& its) {
  return zip_iterator<tuple<Its...>>(its);
}
template <class... Its> __hone_both zip_iterator<tuple<Its...>> make_zip_iterator(Its... its) {
  return zip_iterator<tuple<Its...>>(tuple<Its...>(its...));
}

}  // namespace thrust
