// Stands in for thrust's header of this name: a first element and the rest.
#pragma once
#pragma GCC system_header
#include "../../hone_cuda.h"

#include <type_traits>

#include "pair.h"

namespace thrust {

struct null_type {};

template <class... Ts> struct tuple;
template <> struct tuple<> {
  __hone_both bool operator==(const tuple&) const { return true; }
  __hone_both bool operator<(const tuple&) const { return false; }
};
template <class T, class... Rest> struct tuple<T, Rest...> {
  T head;
  tuple<Rest...> tail;

  tuple() = default;
  tuple(const tuple&) = default;
  __hone_both tuple(const T& first, const Rest&... rest) : head(first), tail(rest...) {}
  template <class U, class... More, class = typename std::enable_if<sizeof...(More) == sizeof...(Rest)>::type>
  __hone_both tuple(const tuple<U, More...>& other) : head(other.head), tail(other.tail) {}
  __hone_both tuple& operator=(const tuple& other) {
    head = other.head;
    tail = other.tail;
    return *this;
  }
  template <class U, class... More> __hone_both tuple& operator=(const tuple<U, More...>& other) {
    head = other.head;
    tail = other.tail;
    return *this;
  }
  template <class A, class B> __hone_both tuple& operator=(const pair<A, B>& other) {
    head = other.first;
    tail.head = other.second;
    return *this;
  }
  template <class U, class... More> __hone_both bool operator==(const tuple<U, More...>& other) const {
    return head == other.head && tail == other.tail;
  }
  template <class U, class... More> __hone_both bool operator!=(const tuple<U, More...>& other) const {
    return !(*this == other);
  }
  template <class U, class... More> __hone_both bool operator<(const tuple<U, More...>& other) const {
    return head < other.head || (!(other.head < head) && tail < other.tail);
  }
  template <class U, class... More> __hone_both bool operator>(const tuple<U, More...>& other) const {
    return other < *this;
  }
};

template <size_t N, class Tuple> struct tuple_element;
template <class T, class... Rest> struct tuple_element<0, tuple<T, Rest...>> { typedef T type; };
template <size_t N, class T, class... Rest> struct tuple_element<N, tuple<T, Rest...>> {
  typedef typename tuple_element<N - 1, tuple<Rest...>>::type type;
};
template <size_t N, class Tuple> struct tuple_element<N, const Tuple> : tuple_element<N, Tuple> {};
template <class Tuple> struct tuple_size;
template <class... Ts> struct tuple_size<tuple<Ts...>> { static constexpr size_t value = sizeof...(Ts); };

namespace detail {
template <size_t N> struct tuple_get {
  template <class Tuple> static __hone_both auto& from(Tuple& t) { return tuple_get<N - 1>::from(t.tail); }
};
template <> struct tuple_get<0> {
  template <class Tuple> static __hone_both auto& from(Tuple& t) { return t.head; }
};
}  // namespace detail

template <size_t N, class... Ts> __hone_both typename tuple_element<N, tuple<Ts...>>::type& get(tuple<Ts...>& t) {
  return detail::tuple_get<N>::from(t);
}
template <size_t N, class... Ts>
__hone_both const typename tuple_element<N, tuple<Ts...>>::type& get(const tuple<Ts...>& t) {
  return detail::tuple_get<N>::from(t);
}
template <class... Ts> __hone_both tuple<Ts...> make_tuple(Ts... values) { return tuple<Ts...>(values...); }
template <class... Ts> __hone_both tuple<Ts&...> tie(Ts&... values) { return tuple<Ts&...>(values...); }

}  // namespace thrust
