// A launch by a kernel cannot call the launch function, which is one of the host: no advice to do so.
// RUN: %hone opt %s --recipe 'block(x=64)' --kernel child -o %t.cu 2>&1 | FileCheck %s
// CHECK: launch left as it is: it stands in device code{{$}}
__global__ void child(int* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] += 1;
}
__global__ void parent(int* a, int n) {
  if (threadIdx.x == 0) child<<<(n + 127) / 128, 128>>>(a, n);
}
int main() { child<<<4, 128>>>(nullptr, 500); }
