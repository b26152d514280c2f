// Arrays that no GPU has room for are named, and nothing is written.
// RUN: %hone check %s > %t.out || true
// RUN: FileCheck %s < %t.out
// RUN: %hone opt %s --offer --diff 2> %t.err && FileCheck --check-prefix=OPT %s < %t.err
// CHECK: kernel `block_of_gigabytes`: not run: {{.*}}huge_arrays.cu:10: the embedded device cannot run this: more shared memory than a block can have on any GPU ('s')
// CHECK: kernel `thread_of_gigabytes`: not run: {{.*}}huge_arrays.cu:15: the embedded device cannot run this: arrays of its own larger than a thread can have on any GPU ('b')
// OPT: kernel `block_of_gigabytes`: left as it is
// OPT: kernel `thread_of_gigabytes`: left as it is
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
