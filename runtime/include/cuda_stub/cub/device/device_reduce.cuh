// Stands in for cub's header of this name.
#pragma once
#pragma GCC system_header
#include "../../../hone_cuda/parallel/reduce.h"
#include "../iterator/input_iterators.cuh"
#include "two_phase.cuh"

namespace cub {

template <class T, class Out> struct WriteOne {
  const T* value;
  Out out;
  __device__ void operator()(long long) { out[0] = *value; }
};

struct DeviceReduce {
  template <class In, class Out, class N, class Op, class T>
  static cudaError_t Reduce(void* storage, size_t& bytes, In in, Out out, N n, Op op, T start, cudaStream_t stream = 0,
                            bool = false) {
    if (asksForStorage(storage, bytes)) return cudaSuccess;
    hone_parallel::Scratch<T> sum(1);
    hone_parallel::reduceTo(in, static_cast<long long>(n), start, op, sum.data, stream);
    hone_parallel::each(1, WriteOne<T, Out>{sum.data, out}, stream);
    return cudaPeekAtLastError();
  }
  template <class In, class Out, class N>
  static cudaError_t Sum(void* storage, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false) {
    typedef typename std::iterator_traits<Out>::value_type T;  // so that counts of bools are added up as the result is
    return Reduce(storage, bytes, in, out, n, cub::Sum(), T(0), stream);
  }
  template <class In, class Out, class N>
  static cudaError_t Min(void* storage, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false) {
    typedef typename std::iterator_traits<In>::value_type T;
    return Reduce(storage, bytes, in, out, n, cub::Min(), std::numeric_limits<T>::max(), stream);
  }
  template <class In, class Out, class N>
  static cudaError_t Max(void* storage, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false) {
    typedef typename std::iterator_traits<In>::value_type T;
    return Reduce(storage, bytes, in, out, n, cub::Max(), std::numeric_limits<T>::lowest(), stream);
  }
  // An empty range has key 1 and the largest, or lowest, value.
  template <class In, class Out, class N>
  static cudaError_t ArgMin(void* storage, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false) {
    typedef typename std::iterator_traits<In>::value_type T;
    return arg(storage, bytes, in, out, n, cub::ArgMin(), std::numeric_limits<T>::max(), stream);
  }
  template <class In, class Out, class N>
  static cudaError_t ArgMax(void* storage, size_t& bytes, In in, Out out, N n, cudaStream_t stream = 0, bool = false) {
    typedef typename std::iterator_traits<In>::value_type T;
    return arg(storage, bytes, in, out, n, cub::ArgMax(), std::numeric_limits<T>::lowest(), stream);
  }

 private:
  template <class In, class Out, class N, class Op, class T>
  static cudaError_t arg(void* storage, size_t& bytes, In in, Out out, N n, Op op, T worst, cudaStream_t stream) {
    const KeyValuePair<int, T> start(n > 0 ? static_cast<int>(n) : 1, worst);
    return Reduce(storage, bytes, ArgIndexInputIterator<In>(in), out, n, op, start, stream);
  }
};

// Sums of segments [begins[s], ends[s]); one thread goes through each.
template <class In, class Out, class Begin, class End, class Op, class T> struct SegmentSum {
  In in;
  Out out;
  Begin begins;
  End ends;
  Op op;
  T start;
  __device__ void operator()(long long s) {
    T sum = start;
    for (long long i = begins[s]; i < ends[s]; ++i) sum = op(sum, in[i]);
    out[s] = sum;
  }
};

struct DeviceSegmentedReduce {
  template <class In, class Out, class Begin, class End, class Op, class T>
  static cudaError_t Reduce(void* storage, size_t& bytes, In in, Out out, int segments, Begin begins, End ends, Op op,
                            T start, cudaStream_t stream = 0, bool = false) {
    if (asksForStorage(storage, bytes)) return cudaSuccess;
    hone_parallel::each(segments, SegmentSum<In, Out, Begin, End, Op, T>{in, out, begins, ends, op, start}, stream);
    return cudaPeekAtLastError();
  }
  template <class In, class Out, class Begin, class End>
  static cudaError_t Sum(void* storage, size_t& bytes, In in, Out out, int segments, Begin begins, End ends,
                         cudaStream_t stream = 0, bool = false) {
    typedef typename std::iterator_traits<In>::value_type T;
    return Reduce(storage, bytes, in, out, segments, begins, ends, cub::Sum(), T(0), stream);
  }
};

}  // namespace cub
