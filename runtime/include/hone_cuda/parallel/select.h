// Elements of the device that a flag keeps, in their order.
#pragma once
#pragma GCC system_header
#include "scan.h"

namespace hone_parallel {

struct AddCounts {
  __hone_both long long operator()(long long a, long long b) const { return a + b; }
};

template <class Keep> struct MarkKept {
  Keep keep;
  long long* places;
  __device__ void operator()(long long i) { places[i] = keep(i) ? 1 : 0; }
};

// places[i] is how many are kept before i; the last one is kept when the total is larger.
template <class In, class Out> struct WriteKept {
  In in;
  Out out;
  const long long* places;  // n + 1 of them
  __device__ void operator()(long long i) {
    if (places[i] != places[i + 1]) out[places[i]] = in[i];
  }
};
template <class In, class Out> struct WriteLeft {
  In in;
  Out out;
  const long long* places;
  __device__ void operator()(long long i) {
    if (places[i] == places[i + 1]) out[i - places[i]] = in[i];
  }
};

// How many of n are kept, and where each would stand.
struct KeptPlaces {
  Scratch<long long> places;
  long long n, count = 0;
  cudaStream_t stream;
  template <class Keep> KeptPlaces(long long n, Keep keep, cudaStream_t stream = 0) : places(n + 1), n(n), stream(stream) {
    cudaMemsetAsync(places.data + n, 0, sizeof(long long), stream);
    each(n, MarkKept<Keep>{keep, places.data}, stream);
    scan(places.data, places.data, n + 1, 0ll, true, false, AddCounts(), stream);
    count = fetch(places.data + n);
  }
  template <class In, class Out> void write(In in, Out out) {
    each(n, WriteKept<In, Out>{in, out, places.data}, stream);
  }
  template <class In, class Out> void writeLeft(In in, Out out) {
    each(n, WriteLeft<In, Out>{in, out, places.data}, stream);
  }
};

}  // namespace hone_parallel
