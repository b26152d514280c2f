// Stands in for cub's header of this name.
#pragma once
#pragma GCC system_header
#include "device_select.cuh"

namespace cub {

// Where each run begins; places has n + 1 elements.
template <class Lengths> struct RunLengths {
  const long long* begins;
  long long runs, n;
  Lengths lengths;
  __device__ void operator()(long long r) { lengths[r] = (r + 1 < runs ? begins[r + 1] : n) - begins[r]; }
};
struct IndexItself {
  __hone_both long long operator[](long long i) const { return i; }
};

struct DeviceRunLengthEncode {
  template <class In, class Out, class Lengths, class Count>
  static cudaError_t Encode(void* storage, size_t& bytes, In in, Out out, Lengths lengths, Count count, int n,
                            cudaStream_t stream = 0, bool = false) {
    if (asksForStorage(storage, bytes)) return cudaSuccess;
    hone_parallel::KeptPlaces kept(n, DiffersFromLast<In>{in}, stream);
    hone_parallel::Scratch<long long> begins(kept.count);
    kept.write(in, out);
    kept.write(IndexItself(), begins.data);
    hone_parallel::each(kept.count, RunLengths<Lengths>{begins.data, kept.count, n, lengths}, stream);
    hone_parallel::each(1, WriteCount<Count>{count, kept.count}, stream);
    return cudaPeekAtLastError();
  }
};

}  // namespace cub
