// Algorithms are written for a policy; without one it follows from the iterators.
#pragma once
#pragma GCC system_header
#include "../execution_policy.h"
#include "../functional.h"
#include "../pair.h"

namespace thrust {
namespace detail {
template <class T> std::true_type convertsToPolicy(const execution_policy<T>*);
std::false_type convertsToPolicy(const void*);
template <class T> struct is_policy : decltype(convertsToPolicy(static_cast<const T*>(nullptr))) {};
}  // namespace detail
}  // namespace thrust

#define __hone_default_policy(name)                                                                       \
  template <class It, class... More, class = typename std::enable_if<!detail::is_policy<It>::value>::type> \
  auto name(It first, More... more) {                                                                     \
    return name(detail::policy_of<It, More...>(), first, more...);                                        \
  }
