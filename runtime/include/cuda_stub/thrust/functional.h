// Stands in for thrust's header of this name.
#pragma once
#pragma GCC system_header
#include "../../hone_cuda.h"

namespace thrust {

template <class A, class R> struct unary_function {
  typedef A argument_type;
  typedef R result_type;
};
template <class A, class B, class R> struct binary_function {
  typedef A first_argument_type;
  typedef B second_argument_type;
  typedef R result_type;
};

// For T, and as `name<>` for whatever the operands are.
#define __hone_binary(name, result, voidResult, expression)                                  \
  template <class T = void> struct name {                                                     \
    typedef T first_argument_type;                                                            \
    typedef T second_argument_type;                                                           \
    typedef result result_type;                                                               \
    __hone_both constexpr result operator()(const T& a, const T& b) const { return expression; } \
  };                                                                                          \
  template <> struct name<void> {                                                             \
    template <class T> __hone_both constexpr voidResult operator()(const T& a, const T& b) const { return expression; } \
  };
__hone_binary(plus, T, T, a + b)
__hone_binary(minus, T, T, a - b)
__hone_binary(multiplies, T, T, a * b)
__hone_binary(divides, T, T, a / b)
__hone_binary(modulus, T, T, a % b)
__hone_binary(bit_and, T, T, a & b)
__hone_binary(bit_or, T, T, a | b)
__hone_binary(bit_xor, T, T, a ^ b)
__hone_binary(maximum, T, T, a < b ? b : a)
__hone_binary(minimum, T, T, b < a ? b : a)
__hone_binary(project1st, T, T, a)
__hone_binary(project2nd, T, T, b)
__hone_binary(equal_to, bool, bool, a == b)
__hone_binary(not_equal_to, bool, bool, a != b)
__hone_binary(greater, bool, bool, b < a)
__hone_binary(less, bool, bool, a < b)
__hone_binary(greater_equal, bool, bool, a >= b)
__hone_binary(less_equal, bool, bool, a <= b)
__hone_binary(logical_and, bool, bool, a && b)
__hone_binary(logical_or, bool, bool, a || b)
#undef __hone_binary

#define __hone_unary(name, result, expression)                                   \
  template <class T = void> struct name {                                         \
    typedef T argument_type;                                                      \
    typedef result result_type;                                                   \
    __hone_both constexpr result operator()(const T& a) const { return expression; } \
  };                                                                              \
  template <> struct name<void> {                                                 \
    template <class T> __hone_both constexpr result operator()(const T& a) const { return expression; } \
  };
__hone_unary(identity, T, a)
__hone_unary(negate, T, -a)
__hone_unary(square, T, a * a)
__hone_unary(logical_not, bool, !a)
#undef __hone_unary

template <class F> struct unary_negate {
  F f;
  template <class T> __hone_both bool operator()(const T& x) const { return !f(x); }
};
template <class F> __hone_both unary_negate<F> not1(F f) { return unary_negate<F>{f}; }

}  // namespace thrust
