// Stands in for cub's header of this name.
#pragma once
#pragma GCC system_header
#include "../thread/thread_operators.cuh"
#include "../util_ptx.cuh"

namespace cub {

enum BlockScanAlgorithm { BLOCK_SCAN_RAKING, BLOCK_SCAN_RAKING_MEMOIZE, BLOCK_SCAN_WARP_SCANS };

template <class T, int X, BlockScanAlgorithm ALGORITHM = BLOCK_SCAN_RAKING, int Y = 1, int Z = 1, int ARCH = 0>
class BlockScan {
  static constexpr int THREADS = X * Y * Z;

 public:
  struct TempStorage {
    T values[THREADS];
    T prefix;
  };
  __hone_device BlockScan(TempStorage& storage) : temp(storage), thread(RowMajorTid(X, Y, Z)) {}

  template <class Op> __hone_device void InclusiveScan(T input, T& output, Op op) {
    scan(input, op);
    output = temp.values[thread];
  }
  template <class Op> __hone_device void InclusiveScan(T input, T& output, Op op, T& aggregate) {
    scan(input, op);
    output = temp.values[thread];
    aggregate = temp.values[THREADS - 1];
  }
  // Without a start the first thread's output has no meaning, and is its input here.
  template <class Op> __hone_device void ExclusiveScan(T input, T& output, Op op) {
    scan(input, op);
    output = thread ? temp.values[thread ? thread - 1 : 0] : input;
  }
  template <class Op> __hone_device void ExclusiveScan(T input, T& output, T start, Op op) {
    scan(input, op);
    output = thread ? op(start, temp.values[thread ? thread - 1 : 0]) : start;
  }
  template <class Op> __hone_device void ExclusiveScan(T input, T& output, T start, Op op, T& aggregate) {
    scan(input, op);
    output = thread ? op(start, temp.values[thread ? thread - 1 : 0]) : start;
    aggregate = temp.values[THREADS - 1];
  }
  template <int ITEMS, class Op>
  __hone_device void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op) {
    T sum = sumOf(input, op);
    scan(sum, op);
    walk(input, output, op, thread ? temp.values[thread ? thread - 1 : 0] : sum, thread != 0, true);
  }
  template <int ITEMS, class Op>
  __hone_device void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op, T& aggregate) {
    T sum = sumOf(input, op);
    scan(sum, op);
    aggregate = temp.values[THREADS - 1];
    walk(input, output, op, thread ? temp.values[thread ? thread - 1 : 0] : sum, thread != 0, true);
  }
  template <int ITEMS, class Op, class Prefix>
  __hone_device void InclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], Op op, Prefix& prefix) {
    T sum = sumOf(input, op);
    scan(sum, op);
    T own = thread ? temp.values[thread ? thread - 1 : 0] : sum;
    before(prefix);
    walk(input, output, op, thread ? op(temp.prefix, own) : temp.prefix, true, true);
  }
  template <int ITEMS, class Op>
  __hone_device void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], T start, Op op) {
    T sum = sumOf(input, op);
    scan(sum, op);
    walk(input, output, op, thread ? op(start, temp.values[thread ? thread - 1 : 0]) : start, true, false);
  }
  template <int ITEMS, class Op>
  __hone_device void ExclusiveScan(T (&input)[ITEMS], T (&output)[ITEMS], T start, Op op, T& aggregate) {
    T sum = sumOf(input, op);
    scan(sum, op);
    aggregate = temp.values[THREADS - 1];
    walk(input, output, op, thread ? op(start, temp.values[thread ? thread - 1 : 0]) : start, true, false);
  }

  __hone_device void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
  __hone_device void InclusiveSum(T input, T& output, T& aggregate) { InclusiveScan(input, output, cub::Sum(), aggregate); }
  __hone_device void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(0), cub::Sum()); }
  __hone_device void ExclusiveSum(T input, T& output, T& aggregate) {
    ExclusiveScan(input, output, T(0), cub::Sum(), aggregate);
  }
  template <int ITEMS> __hone_device void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS]) {
    InclusiveScan(input, output, cub::Sum());
  }
  template <int ITEMS> __hone_device void InclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], T& aggregate) {
    InclusiveScan(input, output, cub::Sum(), aggregate);
  }
  template <int ITEMS> __hone_device void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS]) {
    ExclusiveScan(input, output, T(0), cub::Sum());
  }
  template <int ITEMS> __hone_device void ExclusiveSum(T (&input)[ITEMS], T (&output)[ITEMS], T& aggregate) {
    ExclusiveScan(input, output, T(0), cub::Sum(), aggregate);
  }

 private:
  TempStorage& temp;
  int thread;

  template <int ITEMS, class Op> __hone_device T sumOf(T (&input)[ITEMS], Op op) {
    T sum = input[0];
    for (int i = 1; i < ITEMS; ++i) sum = op(sum, input[i]);
    return sum;
  }
  template <int ITEMS, class Op>
  __hone_device void walk(T (&input)[ITEMS], T (&output)[ITEMS], Op op, T sum, bool isSum, bool inclusive) {
    for (int i = 0; i < ITEMS; ++i) {
      T own = input[i];
      T next = isSum ? op(sum, own) : own;
      output[i] = inclusive ? next : sum;
      sum = next;
      isSum = true;
    }
  }
  template <class Op> __hone_device void scan(T input, Op op) {
    temp.values[thread] = input;
    __syncthreads();
    for (int stride = 1; stride < THREADS; stride *= 2) {
      T sum = temp.values[thread];
      if (thread >= stride) sum = op(temp.values[thread - stride], sum);
      __syncthreads();
      temp.values[thread] = sum;
      __syncthreads();
    }
  }
  // What the caller's function gives for the whole block's sum: called by the first warp, its first lane's counts.
  template <class Prefix> __hone_device void before(Prefix& prefix) {
    if (thread < 32) {
      T value = prefix(temp.values[THREADS - 1]);
      if (thread == 0) temp.prefix = value;
    }
    __syncthreads();
  }
};

}  // namespace cub
