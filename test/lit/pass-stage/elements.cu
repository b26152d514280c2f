// Structs, vectors, declared dimensions, loads through functions, in-place sums, kernels with tiles of their own, aliasing.
// RUN: %hone verify %s --kernel bodies --recipe 'block(x=64) stage' | FileCheck --check-prefix=BODIES %s
// RUN: %hone verify %s --kernel vectors --recipe 'block(x=64) stage(depth=32)' | FileCheck --check-prefix=VECTORS %s
// RUN: %hone verify %s --kernel declared --recipe 'block(x=16, y=16) stage' | FileCheck --check-prefix=DECLARED %s
// RUN: %hone verify %s --kernel cached --recipe 'block(x=64) stage' | FileCheck --check-prefix=CACHED %s
// RUN: %hone verify %s --kernel gemm --recipe 'block(x=16, y=16) stage' | FileCheck --check-prefix=GEMM %s
// RUN: %hone verify %s --kernel gemm --alias c=a+0 --set ni=20 --set nj=20 --set nk=20 --exact --recipe 'block(x=16, y=16) stage' | FileCheck --check-prefix=ALIAS %s
// RUN: %hone verify %s --kernel tiled --block 32 --recipe 'stage(v)' | FileCheck --check-prefix=TILED %s
// RUN: %hone verify %s --kernel tiled --block 64 --recipe 'stage(v)' | FileCheck --check-prefix=OTHER %s
// RUN: %hone verify %s --kernel nested --recipe 'block(x=32) stage' | FileCheck --check-prefix=NESTED %s

struct Body {
  float x, y, z, m;
};

// BODIES: kernel `bodies`: equal in {{[0-9]+}} runs
// BODIES-NOT: the original ran
__global__ void bodies(const Body* __restrict__ p, float* __restrict__ o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float s = 0;
  if (i < n) {
    Body me = p[i];
    for (int j = 0; j < n; ++j) {
      Body q = p[j];
      float d = me.x - q.x;
      s += q.m * d * d;
    }
    o[i] = s;
  }
}

// VECTORS: kernel `vectors`: equal in {{[0-9]+}} runs
// VECTORS-NOT: the original ran
__global__ void vectors(const float4* __restrict__ p, float* __restrict__ o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float s = 0;
    for (int j = 0; j < n; ++j) {
      float4 q = p[j];
      s += q.w * (q.x - i);
    }
    o[i] = s;
  }
}

// DECLARED: kernel `declared`: equal in {{[0-9]+}} runs
// DECLARED-NOT: the original ran
__global__ void declared(const int (*__restrict__ a)[40], int* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < n && y < n) {
    int s = 0;
    for (int i = 0; i < 40; ++i) s += a[y][i] * x;
    o[y * n + x] = s;
  }
}

// CACHED: kernel `cached`: equal in {{[0-9]+}} runs
// CACHED-NOT: the original ran
__global__ void cached(const float* __restrict__ a, float* __restrict__ o, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n) {
    float s = 0;
    for (int i = 0; i < n; ++i) s += __ldg(&a[i]) + x;
    o[x] = s;
  }
}

// Without restrict: a test on the host decides.
// GEMM: kernel `gemm`: equal in {{[0-9]+}} runs
// GEMM-NOT: the original ran
// ALIAS: equal (conditions of the fast version do not hold here: the original ran)
__global__ void gemm(float* a, float* b, float* c, float alpha, float beta, int ni, int nj, int nk) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if ((i < ni) && (j < nj)) {
    c[i * nj + j] *= beta;
    int k;
    for (k = 0; k < nk; k++) c[i * nj + j] += alpha * a[i * nk + k] * b[k * nj + j];
  }
}

// A tile and barriers of its own; the block is that of the launch, and the original runs under any other.
// TILED: kernel `tiled`: equal in {{[0-9]+}} runs
// OTHER: kernel `tiled`: equal in {{[0-9]+}} runs
__global__ void tiled(const float* __restrict__ u, const float* __restrict__ v, float* __restrict__ o, int n) {
  __shared__ float t[64];
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  t[threadIdx.x] = x < n ? u[x] : 0;
  __syncthreads();
  float s = 0;
  for (int i = 0; i < n; ++i) s += v[i] * t[(threadIdx.x + i) % 32];
  if (x < n) o[x] = s;
}

// A strip inside another loop: the next outer iteration must not overwrite what slow threads still read.
// NESTED: kernel `nested`: equal in {{[0-9]+}} runs
// NESTED-NOT: the original ran
__global__ void nested(const int* __restrict__ a, int* __restrict__ o, int n, int iterations) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  if (x < n)
    for (int r = 0; r < iterations; ++r) {
      int s = 0;
      for (int i = r; i <= n + r; ++i) s += a[i] * (x + r);
      o[r * n + x] = s;
    }
}
