// Stands in for cub's header of this name.
#pragma once
#pragma GCC system_header
#include "../thread/thread_operators.cuh"
#include "../util_ptx.cuh"

namespace cub {

template <class T, int THREADS = 32, int ARCH = 0> class WarpScan {
 public:
  struct TempStorage {
    T values[THREADS];
  };
  __hone_device WarpScan(TempStorage& storage) : temp(storage), lane(LaneId() % THREADS) {}

  template <class Op> __hone_device void InclusiveScan(T input, T& output, Op op) {
    scan(input, op);
    output = temp.values[lane];
    __syncwarp(lanes());
  }
  template <class Op> __hone_device void InclusiveScan(T input, T& output, Op op, T& aggregate) {
    scan(input, op);
    output = temp.values[lane];
    aggregate = temp.values[THREADS - 1];
    __syncwarp(lanes());
  }
  // Without a start the first thread's output has no meaning, and is its input here.
  template <class Op> __hone_device void ExclusiveScan(T input, T& output, Op op) {
    scan(input, op);
    output = lane ? temp.values[lane ? lane - 1 : 0] : input;
    __syncwarp(lanes());
  }
  template <class Op> __hone_device void ExclusiveScan(T input, T& output, T start, Op op) {
    scan(input, op);
    output = lane ? op(start, temp.values[lane ? lane - 1 : 0]) : start;
    __syncwarp(lanes());
  }
  template <class Op> __hone_device void ExclusiveScan(T input, T& output, T start, Op op, T& aggregate) {
    scan(input, op);
    output = lane ? op(start, temp.values[lane ? lane - 1 : 0]) : start;
    aggregate = temp.values[THREADS - 1];
    __syncwarp(lanes());
  }
  __hone_device void InclusiveSum(T input, T& output) { InclusiveScan(input, output, cub::Sum()); }
  __hone_device void InclusiveSum(T input, T& output, T& aggregate) { InclusiveScan(input, output, cub::Sum(), aggregate); }
  __hone_device void ExclusiveSum(T input, T& output) { ExclusiveScan(input, output, T(0), cub::Sum()); }
  __hone_device void ExclusiveSum(T input, T& output, T& aggregate) {
    ExclusiveScan(input, output, T(0), cub::Sum(), aggregate);
  }
  __hone_device T Broadcast(T input, unsigned int source) {
    if (lane == int(source)) temp.values[0] = input;
    __syncwarp(lanes());
    T result = temp.values[0];
    __syncwarp(lanes());
    return result;
  }

 private:
  TempStorage& temp;
  int lane;
  __hone_device unsigned int lanes() {
    return THREADS == 32 ? 0xffffffffu : ((1u << (THREADS % 32)) - 1) << (LaneId() / THREADS * THREADS);
  }
  template <class Op> __hone_device void scan(T input, Op op) {
    temp.values[lane] = input;
    __syncwarp(lanes());
    for (int stride = 1; stride < THREADS; stride *= 2) {
      T sum = temp.values[lane];
      if (lane >= stride) sum = op(temp.values[lane - stride], sum);
      __syncwarp(lanes());
      temp.values[lane] = sum;
      __syncwarp(lanes());
    }
  }
};

}  // namespace cub
