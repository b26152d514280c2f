// A launch inside a template: the template's parameters have the values of each instantiation.
// RUN: %hone check %s --cuda-path none | FileCheck %s

// CHECK: kernel `halve<float, 64>`: clean
// CHECK-NEXT: n=500, grid 16, block 32
// CHECK-NOT: guessed
// CHECK: kernel `halve<float, 128>`: clean
// CHECK-NEXT: n=500, grid 8, block 64
// CHECK-NOT: guessed
template <typename T, int N>
__global__ void halve(T* out, const T* in, int n) {
  __shared__ T tile[N];
  int i = threadIdx.x, at = 2 * (blockIdx.x * blockDim.x + i);
  tile[2 * i] = at < n ? in[at] : T(0);
  tile[2 * i + 1] = at + 1 < n ? in[at + 1] : T(0);
  __syncthreads();
  if (at < n) out[at / 2] = tile[i] + tile[N / 2 + i];
}

template <typename Element, int Tile>
void run(Element* out, const Element* in) {
  const int count = 1000 / 2, threads = Tile / 2;
  halve<Element, Tile><<<count / threads + (count % threads != 0), threads>>>(out, in, count);
}

void runAll(float* out, const float* in) {
  run<float, 64>(out, in);
  run<float, 128>(out, in);
}
