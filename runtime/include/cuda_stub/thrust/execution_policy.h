// Stands in for thrust's header of this name.
#pragma once
#pragma GCC system_header
#include "detail/iterator_traits.h"

namespace thrust {

// What is given as the first argument of an algorithm.
template <class System> struct execution_policy {
  System system;
  constexpr __hone_both execution_policy(System system) : system(system) {}
};

namespace detail {
typedef hone_parallel::OnDevice OnDevice;
typedef hone_parallel::InOrder InOrder;

struct device_policy : execution_policy<OnDevice> {
  constexpr __hone_both device_policy(cudaStream_t stream = 0) : execution_policy<OnDevice>(OnDevice{stream}) {}
  device_policy on(cudaStream_t stream) const { return device_policy(stream); }
  template <class Allocator> device_policy operator()(const Allocator&) const { return *this; }
};
struct order_policy : execution_policy<InOrder> {
  constexpr __hone_both order_policy() : execution_policy<InOrder>(InOrder{}) {}
};

// Where an algorithm without a policy runs: on the device as soon as one of its iterators reaches there.
template <class... Its> struct any_of_device;
template <> struct any_of_device<> : std::false_type {};
template <class It, class... Its>
struct any_of_device<It, Its...>
    : std::integral_constant<bool, is_of_device<It>::value || any_of_device<Its...>::value> {};
template <class... Its> using policy_of =
    typename std::conditional<any_of_device<Its...>::value, device_policy, order_policy>::type;
}  // namespace detail

static constexpr detail::device_policy device{};
static constexpr detail::order_policy host{};
static constexpr detail::order_policy seq{};

namespace cuda {
static constexpr detail::device_policy par{};
static constexpr detail::device_policy par_nosync{};
}  // namespace cuda
namespace cuda_cub {
using cuda::par;
using cuda::par_nosync;
}  // namespace cuda_cub

}  // namespace thrust
