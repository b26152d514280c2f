// Stands in for cub's header of this name.
#pragma once
#pragma GCC system_header
#include "../../../hone_cuda/parallel/select.h"
#include "two_phase.cuh"

namespace cub {

template <class Flags> struct IsFlagged {
  Flags flags;
  __device__ bool operator()(long long i) { return flags[i] ? true : false; }
};
template <class In, class F> struct FulfilsCondition {
  In in;
  F f;
  __device__ bool operator()(long long i) { return f(in[i]); }
};
template <class In> struct DiffersFromLast {
  In in;
  __device__ bool operator()(long long i) { return i == 0 || !(in[i - 1] == in[i]); }
};
template <class Out> struct WriteCount {
  Out out;
  long long count;
  __device__ void operator()(long long) { out[0] = count; }
};

struct DeviceSelect {
  template <class In, class Flags, class Out, class Count, class N>
  static cudaError_t Flagged(void* storage, size_t& bytes, In in, Flags flags, Out out, Count count, N n,
                             cudaStream_t stream = 0, bool = false) {
    return select(storage, bytes, in, out, count, n, IsFlagged<Flags>{flags}, stream);
  }
  template <class In, class Out, class Count, class N, class F>
  static cudaError_t If(void* storage, size_t& bytes, In in, Out out, Count count, N n, F f, cudaStream_t stream = 0,
                        bool = false) {
    return select(storage, bytes, in, out, count, n, FulfilsCondition<In, F>{in, f}, stream);
  }
  template <class In, class Out, class Count, class N>
  static cudaError_t Unique(void* storage, size_t& bytes, In in, Out out, Count count, N n, cudaStream_t stream = 0,
                            bool = false) {
    return select(storage, bytes, in, out, count, n, DiffersFromLast<In>{in}, stream);
  }

 private:
  template <class In, class Out, class Count, class N, class Keep>
  static cudaError_t select(void* storage, size_t& bytes, In in, Out out, Count count, N n, Keep keep, cudaStream_t stream) {
    if (asksForStorage(storage, bytes)) return cudaSuccess;
    hone_parallel::KeptPlaces kept(static_cast<long long>(n), keep, stream);
    kept.write(in, out);
    hone_parallel::each(1, WriteCount<Count>{count, kept.count}, stream);
    return cudaPeekAtLastError();
  }
};

}  // namespace cub
