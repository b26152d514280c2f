// Elements of one and two bytes, and short vectors: as many of them in one access as 16 bytes hold, whatever
// the others are; the edge and arrays that are not aligned element by element.
// RUN: %hone opt %s --recipe 'vectorize(threads=8)' --offer -o %t.8.cu 2>/dev/null
// RUN: %hone opt %s --recipe 'vectorize(threads=16)' --offer -o %t.16.cu 2>/dev/null
// RUN: %hone opt %s --recipe 'vectorize(threads=4)' --offer -o %t.4.cu 2>/dev/null
// RUN: FileCheck %s --check-prefix=EIGHT < %t.8.cu
// RUN: FileCheck %s --check-prefix=SIXTEEN < %t.16.cu
// RUN: FileCheck %s --check-prefix=FOUR < %t.4.cu
// RUN: %hone verify %s --recipe 'vectorize(threads=2)' | FileCheck %s --check-prefix=EQUAL
// RUN: %hone verify %s --recipe 'vectorize(threads=4)' | FileCheck %s --check-prefix=EQUAL
// RUN: %hone verify %s --recipe 'vectorize(threads=8)' | FileCheck %s --check-prefix=EQUAL
// RUN: %hone verify %s --recipe 'vectorize(threads=16)' | FileCheck %s --check-prefix=EQUAL
// RUN: %hone verify %s --kernel twice --recipe 'vectorize(threads=8)' --set n=1000 --grid 4 --block 256 --alias b=a+1003 --exact | FileCheck %s --check-prefix=ODD
// RUN: %hone opt %s --kernel twice --target h200 --set n=16777216 --grid 65536 --block 256 --candidates 1 2>&1 | FileCheck %s --check-prefix=CHOSEN
// EQUAL-NOT: NOT EQUAL
// EQUAL: kernel `twice`: equal in
// EQUAL: kernel `gelu`: equal in
// EQUAL: kernel `sum`: equal in
// EQUAL: kernel `brighter`: equal in
// EQUAL: kernel `scaled`: equal in
// EQUAL: kernel `signs`: equal in
// EQUAL: kernel `gray`: equal in
// ODD: kernel `twice`: equal in
// CHOSEN: vectorize(threads=8)
#include <cuda_bf16.h>
#include <cuda_fp16.h>

// EIGHT: namespace twice_hone
// EIGHT: if (aligned && (int)(blockIdx.x * kTileX + threadIdx.x * kPerX + 7u) < n) {
// EIGHT: __align__(16) __half b_part[8];
// EIGHT: __align__(16) __half a_part[8];
// EIGHT-NEXT: *(uint4*)a_part = *(const uint4*)(a + first);
// EIGHT: b_part[rx] = __hadd(a_part[rx], a_part[rx]);
// EIGHT: *(uint4*)(b + first) = *(const uint4*)b_part;
// EIGHT: } else {
// EIGHT: b[i] = __hadd(a[i], a[i]);
// EIGHT: (size_t)b % 16 == 0
// SIXTEEN: namespace twice_hone
// SIXTEEN: *(uint4*)a_part = *(const uint4*)(a + first);
// SIXTEEN: *(uint4*)&a_part[8] =
// FOUR: namespace twice_hone
// FOUR: __align__(8) __half a_part[4];
// FOUR: *(uint2*)a_part = *(const uint2*)(a + first);
__global__ void twice(const __half* a, __half* b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = __hadd(a[i], a[i]);
}

// EIGHT: namespace gelu_hone
// EIGHT: *(uint4*)x_part = *(const uint4*)(x + first);
__global__ void gelu(const __half* __restrict__ x, __half* __restrict__ y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float v = __half2float(x[i]);
  y[i] = __float2half(0.5f * v * (1.0f + tanhf(0.8f * (v + 0.045f * v * v * v))));
}

// EIGHT: namespace sum_hone
// EIGHT: *(uint4*)a_part = *(const uint4*)(a + first);
// EIGHT: *(uint4*)c_part = *(const uint4*)(c + first);
__global__ void sum(__nv_bfloat16* a, const __nv_bfloat16* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = __float2bfloat16(__bfloat162float(a[i]) + __bfloat162float(c[i]));
}

// Loaded in an arm of ?:, and before it.
// SIXTEEN: namespace brighter_hone
// SIXTEEN: __align__(16) unsigned char a_part[16];
// SIXTEEN-NEXT: *(uint4*)a_part = *(const uint4*)(a + first);
// SIXTEEN: b_part[rx] = a_part[rx] > 200 ? 255 : a_part[rx] + 55;
__global__ void brighter(const unsigned char* __restrict__ a, unsigned char* __restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] > 200 ? 255 : a[i] + 55;
}

// SIXTEEN: namespace scaled_hone
// SIXTEEN: *(uint4*)a_part = *(const uint4*)(a + first);
// SIXTEEN-COUNT-4: *(float4*)(b +
// FOUR: namespace scaled_hone
// FOUR: const char4 a_four = *(const char4*)(a + first);
__global__ void scaled(const signed char* __restrict__ a, float* __restrict__ b, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] * s;
}

// EIGHT: namespace signs_hone
// EIGHT: *(uint4*)a_part = *(const uint4*)(a + first);
// EIGHT: *(uint2*)(b + first) = *(const uint2*)b_part;
__global__ void signs(const short* __restrict__ a, char* __restrict__ b, long long n) {
  long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) b[i] = a[i] < 0;
}

// FOUR: namespace gray_hone
// FOUR: __align__(16) uchar4 in_part[4];
// FOUR-NEXT: *(uint4*)in_part = *(const uint4*)(in + first);
// FOUR: *(uint4*)(out + first) = *(const uint4*)out_part;
__global__ void gray(const uchar4* __restrict__ in, uchar4* __restrict__ out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    uchar4 p = in[i];
    unsigned char g = (p.x * 77 + p.y * 150 + p.z * 29) >> 8;
    out[i] = make_uchar4(g, g, g, p.w);
  }
}
