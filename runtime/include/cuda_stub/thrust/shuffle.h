// Stands in for thrust's header of this name: the order comes from the engine and is not that of the toolkit's version.
#pragma once
#pragma GCC system_header
#include "detail/orders.h"
#include "random.h"

namespace thrust {

template <class S, class It, class Engine> void shuffle(const execution_policy<S>& p, It first, It last, Engine&& engine) {
  typedef iterator_value_t<It> T;
  const long long n = last - first;
  std::vector<long long> order(n);
  for (long long i = 0; i < n; ++i) order[i] = i;
  for (long long i = n - 1; i > 0; --i) std::swap(order[i], order[engine() % (i + 1)]);
  hone_parallel::Temporary<S, T> copy(p.system, n);
  hone_parallel::Temporary<S, long long> places(p.system, n);
  cudaMemcpy(places.data, order.data(), n * sizeof(long long), cudaMemcpyDefault);
  hone_parallel::each(p.system, n, hone_parallel::CopyElement<It, T*>{first, copy.data});
  hone_parallel::each(p.system, n, detail::write_gathered<const T*, const long long*, It>{copy.data, places.data, first});
}
template <class It, class Engine, class = typename std::enable_if<!detail::is_policy<It>::value>::type>
void shuffle(It first, It last, Engine&& engine) {
  thrust::shuffle(detail::policy_of<It>(), first, last, engine);
}

}  // namespace thrust
