// Arrays that no GPU has room for are named, and nothing is written.
// RUN: %hone check %s > %t.out || true
// RUN: FileCheck %s < %t.out
// RUN: %hone opt %s --offer --diff 2> %t.err && FileCheck --check-prefix=OPT %s < %t.err
// CHECK-DAG: kernel `block_of_gigabytes`: not run: {{.*}}huge_arrays.cu:13: the embedded device cannot run this: more shared memory than a block can have on any GPU ('s')
// CHECK-DAG: kernel `thread_of_gigabytes`: not run: {{.*}}huge_arrays.cu:18: the embedded device cannot run this: arrays of its own larger than a thread can have on any GPU ('b')
// OPT: kernel `block_of_gigabytes`: left as it is
// OPT: kernel `thread_of_gigabytes`: left as it is
// CHECK-DAG: kernel `rows_of_gigabytes`: not run: left alone: 'a' has elements of more than 1048576 numbers each
// CHECK-DAG: kernel `objects_of_gigabytes`: not run: left alone: 'big' has elements of more than 1048576 numbers each
// CHECK-DAG: kernel `member_of_gigabytes`: not run: left alone: 'm' has elements of more than 1048576 numbers each
__global__ void block_of_gigabytes(int* a) {
  __shared__ int s[2147483647];
  s[threadIdx.x] = 1;
  a[0] = s[0];
}
__global__ void thread_of_gigabytes(int* a) {
  int b[1000000000];
  b[threadIdx.x] = 1;
  a[threadIdx.x] = b[a[0]];
}
__global__ void rows_of_gigabytes(float a[][2147483647], int n) {
  if (threadIdx.x < n) a[threadIdx.x][0] = 1;
}
struct Big {
  float a[100000][3000];
};
__device__ Big big;
__global__ void objects_of_gigabytes(float* a, int n) {
  if (threadIdx.x < n) a[threadIdx.x] = big.a[threadIdx.x][0];
}
struct Holder {
  Big* b;
};
__global__ void member_of_gigabytes(float* a, Holder m, int n) {
  if (threadIdx.x < n) a[threadIdx.x] = m.b->a[threadIdx.x][0];
}
