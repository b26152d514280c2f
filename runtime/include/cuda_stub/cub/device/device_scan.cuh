// Stands in for cub's header of this name.
#pragma once
#pragma GCC system_header
#include <iterator>

#include "../../../hone_cuda/parallel/scan.h"
#include "two_phase.cuh"

namespace cub {

struct DeviceScan {
  template <class In, class Out, class N>
  static cudaError_t ExclusiveSum(void* storage, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false) {
    typedef typename std::iterator_traits<In>::value_type V;
    typedef decltype(V() + V()) T;
    return scan(storage, bytes, in, out, n, T(0), true, false, cub::Sum(), stream);
  }
  template <class In, class Out, class Op, class T, class N>
  static cudaError_t ExclusiveScan(void* storage, size_t& bytes, In in, Out out, Op op, T start, N n,
                                   cudaStream_t stream = 0, bool = false) {
    return scan(storage, bytes, in, out, n, start, true, false, op, stream);
  }
  template <class In, class Out, class N>
  static cudaError_t InclusiveSum(void* storage, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false) {
    typedef typename std::iterator_traits<In>::value_type V;
    typedef decltype(V() + V()) T;
    return scan(storage, bytes, in, out, n, T(), false, true, cub::Sum(), stream);
  }
  template <class In, class Out, class Op, class N>
  static cudaError_t InclusiveScan(void* storage, size_t& bytes, In in, Out out, Op op, N n, cudaStream_t stream = 0,
                                   bool = false) {
    typedef typename std::iterator_traits<In>::value_type T;
    return scan(storage, bytes, in, out, n, T(), false, true, op, stream);
  }

 private:
  template <class In, class Out, class N, class T, class Op>
  static cudaError_t scan(void* storage, size_t& bytes, In in, Out out, N n, T start, bool hasStart, bool inclusive, Op op,
                          cudaStream_t stream) {
    if (asksForStorage(storage, bytes)) return cudaSuccess;
    hone_parallel::scan(in, out, static_cast<long long>(n), start, hasStart, inclusive, op, stream);
    return cudaPeekAtLastError();
  }
};

}  // namespace cub
