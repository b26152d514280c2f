// What the built-in header declares for the device compiles to PTX, and means the same to nvcc.
// RUN: %clang_cuda_ptx %s
// RUN: %if nvcc %{ %nvcc -arch=sm_90 -ptx -o /dev/null %s %}

__device__ int counter;
__constant__ float weights[16];

__global__ void __launch_bounds__(256, 2) bits(unsigned* a, int* b, unsigned long long* c) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  a[i] = __popc(a[i]) + __clz(b[i]) + __ffs(b[i]) + __brev(a[i]) + __byte_perm(a[i], a[i + 1], 0x3210);
  a[i] += __umul24(a[i], 3u) + __umulhi(a[i], 7u) + __funnelshift_l(a[i], a[i + 1], 5) + __vadd4(a[i], 1u);
  b[i] = __mul24(b[i], 3) + __mulhi(b[i], 5) + __dp4a(b[i], b[i + 1], 0) + __float_as_int(1.5f) + __sad(b[i], 2, 1u);
  c[i] = __popcll(c[i]) + __clzll((long long)c[i]) + __brevll(c[i]) + __umul64hi(c[i], c[i + 1]) + clock64();
}

__global__ void rounding(float* f, double* d, int* n) {
  int i = threadIdx.x;
  f[i] = __fadd_rn(f[i], 1.0f) + __fmul_rz(f[i], 2.0f) + __fmaf_rn(f[i], f[i], 1.0f) + __fdividef(f[i], 3.0f);
  f[i] += __expf(f[i]) + __logf(f[i]) + __sinf(f[i]) + __cosf(f[i]) + __powf(f[i], 2.0f) + __saturatef(f[i]);
  f[i] += __frcp_rn(f[i]) + __fsqrt_rn(f[i]) + __int_as_float(n[i]) + __int2float_rn(n[i]) + __double2float_rn(d[i]);
  d[i] = __dadd_rn(d[i], 1.0) + __fma_rn(d[i], d[i], 2.0) + __hiloint2double(n[i], 0) + __longlong_as_double(3ll);
  n[i] = __float2int_rz(f[i]) + __double2int_rn(d[i]) + __double2hiint(d[i]);
}

__global__ void math(float* f, double* d, int* n) {
  int i = threadIdx.x;
  f[i] = sinf(f[i]) + cosf(f[i]) + sqrtf(f[i]) + rsqrtf(f[i]) + expf(f[i]) + powf(f[i], 2.0f) + fmaf(f[i], 2.0f, 1.0f);
  f[i] += fabsf(f[i]) + fminf(f[i], 1.0f) + fmaxf(f[i], 0.0f) + floorf(f[i]) + tanhf(f[i]) + erff(f[i]) + cbrtf(f[i]);
  f[i] += sin(f[i]) + sqrt(f[i]) + pow(f[i], 2) + fabs(f[i]) + abs(f[i]) + max(f[i], 0.0f) + fmodf(f[i], 2.0f);
  d[i] = sin(d[i]) + pow(d[i], 2.0) + exp(d[i]) + log(d[i]) + fma(d[i], 2.0, 1.0) + atan2(d[i], 1.0) + rsqrt(d[i]);
  n[i] = min(n[i], 3) + max(n[i], 0) + abs(n[i]) + lroundf(f[i]) + isnan(f[i]) + isinf(d[i]) + (int)min(3u, 4u);
  float s, c;
  sincosf(f[i], &s, &c);
  f[i] += s * c + weights[i & 15];
}

__global__ void warp(int* n, float* f, double* d, unsigned* u, long long* l) {
  int i = threadIdx.x;
  unsigned mask = __activemask();
  n[i] = __shfl_sync(mask, n[i], 0) + __shfl_up_sync(mask, n[i], 1) + __all_sync(mask, n[i]) + __any_sync(mask, n[i]);
  f[i] = __shfl_down_sync(mask, f[i], 1) + __shfl_xor_sync(mask, f[i], 1, 16);
  d[i] = __shfl_sync(mask, d[i], 3);
  l[i] = __shfl_sync(mask, l[i], 3);
  u[i] = __ballot_sync(mask, n[i]) + __match_any_sync(mask, n[i]) + __reduce_add_sync(mask, u[i]);
  __syncwarp();
  __syncthreads();
  n[i] += __syncthreads_count(n[i]) + __syncthreads_and(n[i]) + __syncthreads_or(n[i]) + warpSize;
  __threadfence();
  __threadfence_block();
  __threadfence_system();
}

__global__ void atomics(int* n, unsigned* u, unsigned long long* q, float* f, double* d, const float* __restrict__ r) {
  int i = threadIdx.x;
  atomicAdd(n, 1), atomicAdd(u, 1u), atomicAdd(q, 1ull), atomicAdd(f, 1.0f), atomicAdd(d, 1.0);
  atomicSub(n, 1), atomicMin(n, 1), atomicMax(u, 1u), atomicInc(u, 7u), atomicDec(u, 7u);
  atomicAnd(n, 1), atomicOr(u, 1u), atomicXor(q, 1ull), atomicExch(f, 2.0f), atomicCAS(q, 1ull, 2ull);
  atomicAdd_block(n, 1), atomicAdd_system(f, 1.0f), atomicAdd(&counter, 1);
  f[i] = __ldg(r + i) + __ldcg(r + i) + __ldcs(r + i);
  __stcs(f + i, 1.0f);
  printf("%d %f\n", n[i], f[i]);
  assert(n[i] > 0);
  if (n[i] < 0) __trap();
}

__global__ void vectors(float4* a, int2* b, uchar4* c, double2* d, dim3 e) {
  int i = threadIdx.x;
  static_assert(sizeof(float3) == 12 && alignof(float4) == 16 && alignof(float3) == 4, "");
  static_assert(alignof(int2) == 8 && alignof(uchar4) == 4 && alignof(double2) == 16 && sizeof(char3) == 3, "");
  static_assert(alignof(short2) == 4 && alignof(short4) == 8 && alignof(longlong2) == 16 && sizeof(long3) == 24, "");
  a[i] = make_float4(1.0f, a[i].y, b[i].x, (float)d[i].x);
  b[i] = make_int2(c[i].x + e.x, blockDim.y);
  c[i] = make_uchar4(1, 2, 3, 4);
  d[i] = make_double2(1.0, 2.0);
}
