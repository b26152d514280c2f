// Stands in for thrust's header of this name.
#pragma once
#pragma GCC system_header
#include "../../hone_cuda.h"

namespace thrust {

template <class A, class B> struct pair {
  typedef A first_type;
  typedef B second_type;
  A first;
  B second;
  pair() = default;
  __hone_both pair(const A& a, const B& b) : first(a), second(b) {}
  template <class C, class D> __hone_both pair(const pair<C, D>& other) : first(other.first), second(other.second) {}
  __hone_both bool operator==(const pair& other) const { return first == other.first && second == other.second; }
  __hone_both bool operator!=(const pair& other) const { return !(*this == other); }
  __hone_both bool operator<(const pair& other) const {
    return first < other.first || (!(other.first < first) && second < other.second);
  }
};
template <class A, class B> __hone_both pair<A, B> make_pair(A a, B b) { return pair<A, B>(a, b); }

}  // namespace thrust
