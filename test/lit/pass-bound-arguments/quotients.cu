// Angles that are quotients: the numerator is a remainder, or made of remainders, by what the denominator is a multiple of.
// RUN: %hone opt %s --recipe bound-arguments -o %t.cu 2>&1 | FileCheck --check-prefix=SAID %s
// RUN: FileCheck %s < %t.cu
// RUN: %clang_cuda_ptx %t.cu
// RUN: %hone verify %s --recipe bound-arguments --set p=8

// SAID: kernel `turn`: said of 2 calls of sine, cosine or tangent that the argument is small, 3.17 at most
// CHECK: float angle = -3.14159265f * k / p;
// CHECK-NEXT: __builtin_assume(__builtin_fabsf(angle) < 100000.0f);
// CHECK-NEXT: float c = cosf(angle);
// CHECK-NOT: __builtin_assume
__global__ void turn(float* out, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int k = i % p;
  float angle = -3.14159265f * k / p;
  float c = cosf(angle), s = sinf(angle);
  out[i] = c * s;
}

// Sums and multiples of what the remainder is taken by; the numerator passes the denominator.
// SAID: kernel `further`: said of 1 call of sine, cosine or tangent that the argument is small, 2.76 at most
// CHECK: __global__ void further
// CHECK: __builtin_assume(__builtin_fabsf(angle) < 100000.0f);
__global__ void further(float* out, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int low = i % p;
  int k = low + 6 * p;
  int whole = p * 8;
  float angle = 3.125f * k / whole;
  out[i] = cosf(angle);
}

// What stands in the call gets a name; twice the same, one name.
// SAID: kernel `within`: said of 3 calls
// CHECK: __global__ void within
// CHECK: const float angle = 6.28f / p * (i % p);
// CHECK-NEXT: __builtin_assume(__builtin_fabsf(angle) < 100000.0f);
// CHECK-NEXT: out[i] = cosf(angle) * sinf(angle);
// CHECK: const float angle2 = 0.5f * (i & 255);
// CHECK-NEXT: __builtin_assume(__builtin_fabsf(angle2) < 100000.0f);
// CHECK-NEXT: out[i] += tanf(angle2);
__global__ void within(float* out, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    out[i] = cosf(6.28f / p * (i % p)) * sinf(6.28f / p * (i % p));
    out[i] += tanf(0.5f * (i & 255));
  }
}

// Double, sincos, and numbers of a small range: bytes of memory, threads of a block, iterations of a loop.
// SAID: kernel `ranges`: said of 4 calls
// CHECK: __global__ void ranges
// CHECK: const double angle = 0.1 * m;
// CHECK-NEXT: __builtin_assume(__builtin_fabs(angle) < 100000.0);
// CHECK-NEXT: sum += cos(angle);
// CHECK: float x = bytes[i] - 0.5f * threadIdx.x;
// CHECK-NEXT: __builtin_assume(__builtin_fabsf(x) < 100000.0f);
// CHECK: sincosf(x, &s, &c);
// CHECK: const float angle2 = 3.0f * sinf(x);
// CHECK-NEXT: __builtin_assume(__builtin_fabsf(angle2) < 100000.0f);
// CHECK-NEXT: out[i] = s + c + cosf(angle2) + sum;
__global__ void ranges(float* out, const unsigned char* bytes, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  double sum = 0;
  for (int m = 0; m < 16; ++m) sum += cos(0.1 * m);
  float x = bytes[i] - 0.5f * threadIdx.x;
  float s, c;
  sincosf(x, &s, &c);
  out[i] = s + c + cosf(3.0f * sinf(x)) + sum;
}

// The variable of a loop has one value in an iteration.
// SAID: kernel `iterations`: said of 2 calls of sine, cosine or tangent that the argument is small, 15.9 at most
// CHECK: __global__ void iterations
// CHECK: const float angle2 = r * angle;
// CHECK-NEXT: __builtin_assume(__builtin_fabsf(angle2) < 100000.0f);
__global__ void iterations(float2* v, int n) {
  int j = threadIdx.x;
  for (int s = 1; s < n; s *= 4) {
    float angle = -6.28f * (j % s) / (s * 2);
    for (int r = 0; r < 6; ++r) {
      v[j].x += cosf(r * angle);
      v[j].y += sinf(r * angle);
    }
  }
}

// Numbers that an array lists, and a denominator that is a sum.
// SAID: kernel `listed`: said of 2 calls of sine, cosine or tangent that the argument is small, 43.6 at most
// CHECK: __global__ void listed
// CHECK: __builtin_assume(__builtin_fabsf(angle) < 100000.0f);
// CHECK: __builtin_assume(__builtin_fabsf(angle2) < 100000.0f);
__global__ void listed(float* out, int n) {
  const int order[] = {0, 4, 2, 6, 1, 5, 3, 7};
  const float parts[2][2] = {{0.5f, -1.25f}, {2.0f}};
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = sinf(6.1f * order[i % 8]) + cosf(parts[i % 2][i & 1]);
}
// SAID: kernel `bySum`: said of 1 call of sine, cosine or tangent that the argument is small, 6.34 at most
__global__ void bySum(float* out, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int m = p + n + 1;
  if (i < n) out[i] = sinf(6.28f * (i % m) / m);
}
