// Runs kernels as plain functions, one thread at a time, and compares two versions of each on made-up inputs.
#pragma once

#include <unistd.h>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#define __global__
#define __device__
#define __host__
#define __forceinline__ inline
#define __restrict__
#define __constant__

struct HostCoord {
  unsigned x, y, z;
};
static HostCoord threadIdx, blockIdx, blockDim, gridDim;

inline int atomicAdd(int* p, int v) {
  int old = *p;
  *p += v;
  return old;
}

constexpr unsigned kElements = 4096;
static int failures = 0;

// Small values at every position, so that those used as subscripts stay inside; the kernel gets the middle of
// the buffer.
template <class T>
std::vector<T> filled(unsigned seed) {
  std::vector<T> data(2 * kElements);
  unsigned state = seed * 2654435761u + 12345u;
  for (T& item : data) {
    state = state * 1664525u + 1013904223u;
    item = static_cast<T>((state >> 20) % 9);
  }
  return data;
}

template <class T>
struct Argument {  // a scalar
  T held;
  explicit Argument(unsigned seed) : held(static_cast<T>(seed % 13 + 3)) {}
  T pass() { return held; }
  bool same(const Argument&) const { return true; }
};
template <class T>
struct Argument<T*> {
  using Element = std::remove_const_t<T>;
  std::vector<Element> data;
  explicit Argument(unsigned seed) : data(filled<Element>(seed)) {}
  T* pass() { return data.data() + kElements; }
  bool same(const Argument& other) const {
    return std::memcmp(data.data(), other.data.data(), data.size() * sizeof(Element)) == 0;
  }
};
template <>
struct Argument<bool*> {
  bool data[2 * kElements];
  explicit Argument(unsigned seed) {
    for (unsigned i = 0; i < 2 * kElements; ++i) data[i] = (i * 7 + seed) % 3 == 0;
  }
  bool* pass() { return data + kElements; }
  bool same(const Argument& other) const { return std::memcmp(data, other.data, sizeof data) == 0; }
};
template <>
struct Argument<const bool*> : Argument<bool*> {
  using Argument<bool*>::Argument;
};

template <class... A, size_t... I>
bool sameOnce(void (*before)(A...), void (*after)(A...), unsigned seed, std::index_sequence<I...>) {
  std::tuple<Argument<A>...> left{Argument<A>(seed + unsigned(I))...},
      right{Argument<A>(seed + unsigned(I))...};
  before(std::get<I>(left).pass()...);
  after(std::get<I>(right).pass()...);
  return (std::get<I>(left).same(std::get<I>(right)) && ...);
}

template <class... A>
void same(const char* name, void (*before)(A...), void (*after)(A...)) {
  alarm(20);  // a loop that never ends is a difference too
  blockDim = gridDim = {4, 1, 1};
  for (unsigned seed = 0; seed < 300; ++seed) {
    threadIdx.x = seed % 4;
    blockIdx.x = seed / 4 % 4;
    if (sameOnce(before, after, seed, std::index_sequence_for<A...>())) continue;
    std::fprintf(stderr, "%s computes something else with seed %u\n", name, seed);
    ++failures;
    return;
  }
}
