// Stands in for thrust's header of this name: linear congruential engines and the two plainest distributions.
#pragma once
#pragma GCC system_header
#include <math.h>

#include "../../hone_cuda.h"

namespace thrust {
namespace random {

template <class UInt, UInt a, UInt c, UInt m> class linear_congruential_engine {
  UInt state;

 public:
  typedef UInt result_type;
  static constexpr UInt min = c == 0 ? 1 : 0;
  static constexpr UInt max = m - 1;
  static constexpr UInt default_seed = 1;
  __hone_both explicit linear_congruential_engine(UInt s = 1) { seed(s); }
  __hone_both void seed(UInt s = 1) { state = c % m == 0 && s % m == 0 ? 1 : s % m; }
  __hone_both UInt operator()() {
    state = static_cast<UInt>((static_cast<unsigned long long>(a) * state + c) % m);
    return state;
  }
  __hone_both void discard(unsigned long long n) {  // a to the power of n, by squares; only without an addend
    unsigned long long power = a, product = 1;
    for (; n; n >>= 1, power = power * power % m)
      if (n & 1) product = product * power % m;
    state = static_cast<UInt>(product * state % m);
  }
};
typedef linear_congruential_engine<unsigned int, 48271u, 0u, 2147483647u> minstd_rand;
typedef linear_congruential_engine<unsigned int, 16807u, 0u, 2147483647u> minstd_rand0;
typedef minstd_rand default_random_engine;

template <class T = double> class uniform_real_distribution {
  T first, end;

 public:
  typedef T result_type;
  __hone_both explicit uniform_real_distribution(T first = 0, T end = 1) : first(first), end(end) {}
  template <class Engine> __hone_both T operator()(Engine& engine) {
    T part = static_cast<T>(engine() - Engine::min) / (static_cast<T>(Engine::max - Engine::min) + T(1));
    return part * (end - first) + first;
  }
};
template <class T = int> class uniform_int_distribution {
  T first, last;

 public:
  typedef T result_type;
  __hone_both explicit uniform_int_distribution(T first = 0, T last = 0x7fffffff) : first(first), last(last) {}
  template <class Engine> __hone_both T operator()(Engine& engine) {
    double part = (engine() - Engine::min) / (static_cast<double>(Engine::max - Engine::min) + 1.0);
    return static_cast<T>(part * (static_cast<double>(last) - static_cast<double>(first) + 1.0)) + first;
  }
};
template <class T = double> class normal_distribution {
  T mean, deviation;

 public:
  typedef T result_type;
  __hone_both explicit normal_distribution(T mean = 0, T deviation = 1) : mean(mean), deviation(deviation) {}
  template <class Engine> __hone_both T operator()(Engine& engine) {
    uniform_real_distribution<T> uniform;
    T u = T(1) - uniform(engine), v = uniform(engine);
    return mean + deviation * ::sqrt(T(-2) * ::log(u)) * ::cos(T(6.283185307179586) * v);
  }
};

}  // namespace random
using namespace random;
}  // namespace thrust
