// RUN: %hone explain %s | FileCheck %s
// RUN: %hone explain %s --json %t.json > /dev/null
// RUN: FileCheck --check-prefix=JSON %s < %t.json
// RUN: %hone explain %s --kernel smooth --dump-ir | FileCheck --check-prefix=DUMP %s

constexpr int TILE = 16;
__constant__ float weights[9];

__device__ float weigh(float a, int i) { return a * weights[i]; }

// CHECK: accesses.cu:[[@LINE+2]]: kernel `smooth`
// CHECK: launch {{ *}}as launched
__global__ void __launch_bounds__(256, 2) smooth(const float* __restrict__ in, float* out, int w, int h) {
  __shared__ float tile[TILE][TILE + 1];
  int x = blockIdx.x * TILE + threadIdx.x;
  int y = blockIdx.y * TILE + threadIdx.y;
  if (x < w) tile[threadIdx.y][threadIdx.x] = in[y * w + x];
  __syncthreads();
  float sum = 0;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      sum += weigh(tile[threadIdx.y][j], i);
  out[y * w + x] = sum;
}
// CHECK: at most 256 threads a block, at least 2 blocks a multiprocessor
// CHECK: parameters
// CHECK-NEXT: in {{ *}}const float
// CHECK: arrays
// CHECK-NEXT: in {{ *}}global {{ *}}float {{ *}}[?] {{ *}}parameter
// CHECK-NEXT: out {{ *}}global {{ *}}float {{ *}}[?] {{ *}}parameter
// CHECK-NEXT: tile {{ *}}shared {{ *}}float {{ *}}[16][17] {{ *}}local
// CHECK-NEXT: weights {{ *}}constant {{ *}}float {{ *}}[9] {{ *}}global
// CHECK: loops
// CHECK-NEXT: L1 {{ *}}for (i = 0; i < 3; i += 1)
// CHECK-NEXT: L1.1 {{ *}}for (j = 0; j < 3; j += 1)
// CHECK: accesses
// CHECK-DAG: tile#1 {{ *}}write {{ *}}tile[threadIdx.y][threadIdx.x] {{ *}}line 17, if x < w
// CHECK-DAG: in#1 {{ *}}read {{ *}}in[y * w + x] {{ *}}line 17, if x < w
// CHECK-DAG: tile#2 {{ *}}read {{ *}}tile[threadIdx.y][j] {{ *}}line 22, in L1.1
// CHECK-DAG: out#1 {{ *}}write {{ *}}out[y * w + x] {{ *}}line 23
// CHECK: calls
// CHECK-NEXT: weigh
// CHECK: launches in sight
// CHECK-NEXT: accesses.cu:[[@LINE+1]] {{ *}}<<<grid, dim3(TILE, TILE), 0, stream>>>(a, b, 640, 480)
void run(float* a, float* b, dim3 grid, cudaStream_t stream) { smooth<<<grid, dim3(TILE, TILE), 0, stream>>>(a, b, 640, 480); }

// CHECK: kernel `odd`
// CHECK-NEXT: left alone: inline assembly {{.*}}(
__global__ void odd(int* x) { asm volatile("" ::: "memory"); x[0] = 1; }

// CHECK: kernel `free`
// CHECK: launch {{ *}}free
__global__ void free(int* x) { x[blockIdx.x * blockDim.x + threadIdx.x] = 1; }

// JSON: "kernels": [
// JSON: "name": "smooth"
// JSON: "imported": true
// JSON: "free": false
// JSON: "max_threads": 256
// JSON: "handle": "tile#1"
// JSON: "indices": [
// JSON-NEXT: "threadIdx.y"
// JSON-NEXT: "threadIdx.x"
// JSON: "guards": [
// JSON-NEXT: "x < w"

// DUMP: smooth
// DUMP-NOT: kernel `
