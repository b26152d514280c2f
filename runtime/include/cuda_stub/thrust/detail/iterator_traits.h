// What algorithms ask about iterators.
#pragma once
#pragma GCC system_header
#include <chrono>
#include <iostream>
#include <iterator>
#include <type_traits>

#include "../../../hone_cuda/parallel/system.h"
#include "../system_error.h"
#include "../version.h"

namespace thrust {

template <class It> using iterator_value_t = typename std::iterator_traits<It>::value_type;
template <class It> struct iterator_value { typedef iterator_value_t<It> type; };
template <class It> struct iterator_difference { typedef typename std::iterator_traits<It>::difference_type type; };
template <class It> struct iterator_reference { typedef typename std::iterator_traits<It>::reference type; };
template <class It> using iterator_traits = std::iterator_traits<It>;
struct random_access_traversal_tag {};
struct use_default {};

namespace detail {

// Iterators that reach memory of the device say so by a member of this name.
template <class It, class = void> struct is_of_device : std::false_type {};
template <class It> struct is_of_device<It, typename std::enable_if<It::reachesDevice>::type> : std::true_type {};

// What an iterator gives in code of the device, where pointers to its memory can be followed.
template <class It, class = void> struct device_reference_of { typedef typename std::iterator_traits<It>::reference type; };
template <class It> struct device_reference_of<It, typename It::hasDeviceReference> {
  typedef typename It::deviceReference type;
};

// The common operators of iterators that are a place and a number of steps: D has `advanced(n)` and `distance(from)`.
template <class D> struct steps {
  __hone_both const D& self() const { return static_cast<const D&>(*this); }
  __hone_both D& self() { return static_cast<D&>(*this); }
  __hone_both D operator+(ptrdiff_t n) const { return self().advanced(n); }
  __hone_both D operator-(ptrdiff_t n) const { return self().advanced(-n); }
  __hone_both D& operator+=(ptrdiff_t n) { return self() = self().advanced(n); }
  __hone_both D& operator-=(ptrdiff_t n) { return self() = self().advanced(-n); }
  __hone_both D& operator++() { return self() = self().advanced(1); }
  __hone_both D& operator--() { return self() = self().advanced(-1); }
  __hone_both D operator++(int) {
    D before = self();
    self() = self().advanced(1);
    return before;
  }
  __hone_both D operator--(int) {
    D before = self();
    self() = self().advanced(-1);
    return before;
  }
  __hone_both ptrdiff_t operator-(const D& other) const { return self().distance(other); }
  __hone_both bool operator==(const D& other) const { return self().distance(other) == 0; }
  __hone_both bool operator!=(const D& other) const { return self().distance(other) != 0; }
  __hone_both bool operator<(const D& other) const { return self().distance(other) < 0; }
  __hone_both bool operator>(const D& other) const { return self().distance(other) > 0; }
  __hone_both bool operator<=(const D& other) const { return self().distance(other) <= 0; }
  __hone_both bool operator>=(const D& other) const { return self().distance(other) >= 0; }
};

}  // namespace detail

template <class It> __hone_both ptrdiff_t distance(It first, It last) { return last - first; }
template <class It, class N> __hone_both void advance(It& it, N n) { it += n; }
template <class It> __hone_both It next(It it) { return it + 1; }

}  // namespace thrust
