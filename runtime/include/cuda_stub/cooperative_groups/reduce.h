// Stands in for the toolkit's header of this name.
#pragma once
#pragma GCC system_header
#include "../cooperative_groups.h"

namespace cooperative_groups {

// clang-format off
namespace details {
template <class T> struct plus { __hone_both T operator()(T a, T b) const { return a + b; } };
} // namespace details
template <class T = void> struct plus : details::plus<T> {};
template <class T = void> struct less { __hone_both T operator()(T a, T b) const { return b < a ? b : a; } };
template <class T = void> struct greater { __hone_both T operator()(T a, T b) const { return a < b ? b : a; } };
template <class T = void> struct bit_and { __hone_both T operator()(T a, T b) const { return a & b; } };
template <class T = void> struct bit_or { __hone_both T operator()(T a, T b) const { return a | b; } };
template <class T = void> struct bit_xor { __hone_both T operator()(T a, T b) const { return a ^ b; } };
// clang-format on

// The value by reference, as in the toolkit.
template <class Group, class T, class Op>
__hone_device auto reduce(const Group&, T&& value, Op&& op) -> decltype(op(value, value));
template <class Group, class T, class Op> __hone_device void reduce_update_async(const Group&, T*, T, Op&&);
template <class Group, class T, class Op> __hone_device void reduce_store_async(const Group&, T*, T, Op&&);

} // namespace cooperative_groups
