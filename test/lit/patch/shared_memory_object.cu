// The wrapper around dynamic shared memory that many programs have: a temporary whose conversion is not const.
// RUN: %hone opt %s --recipe '' -o %t.cu 2>&1 | FileCheck --check-prefix=REMARK %s
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone opt %t.cu --recipe '' 2> /dev/null | cmp - %t.cu
template <class T>
struct Scratch {
  __device__ operator T*() {
    extern __shared__ int words[];
    return (T*)words;
  }
  __device__ operator const T*() const {
    extern __shared__ int words[];
    return (T*)words;
  }
};
// REMARK: kernel `first<int>`: re-emitted as an explicit specialization
template <class T>
__global__ void first(const T* in, T* out) {
  T* all = Scratch<T>();
  all[threadIdx.x] = in[threadIdx.x];
  __syncthreads();
  out[threadIdx.x] = all[0];
}
void run(int* x) { first<<<1, 32, 128>>>(x, x); }
