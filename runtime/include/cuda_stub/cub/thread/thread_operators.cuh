// Stands in for cub's header of this name.
#pragma once
#pragma GCC system_header
#include "../util_type.cuh"

namespace cub {

struct Sum {
  template <class T, class U> __hone_both auto operator()(const T& a, const U& b) const -> decltype(a + b) { return a + b; }
};
struct Difference {
  template <class T, class U> __hone_both auto operator()(const T& a, const U& b) const -> decltype(a - b) { return a - b; }
};
struct Max {
  template <class T> __hone_both T operator()(const T& a, const T& b) const { return a < b ? b : a; }
};
struct Min {
  template <class T> __hone_both T operator()(const T& a, const T& b) const { return b < a ? b : a; }
};
struct Equality {
  template <class T, class U> __hone_both bool operator()(const T& a, const U& b) const { return a == b; }
};
struct Inequality {
  template <class T, class U> __hone_both bool operator()(const T& a, const U& b) const { return a != b; }
};
// Of equal values the one with the smaller key.
struct ArgMax {
  template <class T> __hone_both T operator()(const T& a, const T& b) const {
    return b.value > a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};
struct ArgMin {
  template <class T> __hone_both T operator()(const T& a, const T& b) const {
    return b.value < a.value || (a.value == b.value && b.key < a.key) ? b : a;
  }
};

}  // namespace cub
