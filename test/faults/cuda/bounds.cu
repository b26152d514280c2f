// Accesses outside of an array, misaligned, through null and wild pointers, into constant memory.

// run: --grid 4 --block 64 --set n=250 --length in=n --length out=n
__global__ void bad_no_guard(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? in[i] : 0.0f;
  out[i] = v;  // fault: out-of-bounds
}
__global__ void good_no_guard(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float v = i < n ? in[i] : 0.0f;
  if (i < n) out[i] = v;
}

__global__ void bad_off_by_one(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i <= n) out[i] = 1.0f;  // fault: out-of-bounds
  if (i < n && in[i] > 1e30f) out[i] = 0.0f;
}
__global__ void good_off_by_one(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = 1.0f;
  if (i < n && in[i] > 1e30f) out[i] = 0.0f;
}

__global__ void bad_halo(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = in[i - 1] + in[i];  // fault: out-of-bounds
}
__global__ void good_halo(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = (i > 0 ? in[i - 1] : 0.0f) + in[i];
}

// Reads past the end in the last iteration of an unrolled loop.
__global__ void bad_unrolled(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = i; k < n; k += 256)
    for (int u = 0; u < 2; ++u) sum += in[k + u];  // fault: out-of-bounds
  if (i < n) out[i] = sum;
}
__global__ void good_unrolled(const float* in, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int k = i; k < n; k += 256)
    for (int u = 0; u < 2; ++u)
      if (k + u < n) sum += in[k + u];
  if (i < n) out[i] = sum;
}

// A shared tile without room for the halo.
__global__ void bad_shared_halo(const float* in, float* out, int n) {
  __shared__ float tile[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0.0f;
  if (threadIdx.x == 0) tile[blockDim.x] = i + 64 < n ? in[i + 64] : 0.0f;  // fault: out-of-bounds
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x] + 1.0f;
}
__global__ void good_shared_halo(const float* in, float* out, int n) {
  __shared__ float tile[65];
  int i = blockIdx.x * 64 + threadIdx.x;
  tile[threadIdx.x] = i < n ? in[i] : 0.0f;
  if (threadIdx.x == 0) tile[blockDim.x] = i + 64 < n ? in[i + 64] : 0.0f;
  __syncthreads();
  if (i < n) out[i] = tile[threadIdx.x] + 1.0f;
}

// The end of one row of a two-dimensional array in shared memory and the array after it.
__global__ void bad_next_array(const float* in, float* out, int n) {
  __shared__ float a[32];
  __shared__ float b[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  b[threadIdx.x] = i < n ? in[i] : 0.0f;
  a[threadIdx.x] = 2.0f;  // fault: out-of-bounds
  __syncthreads();
  if (i < n) out[i] = a[threadIdx.x % 32] * b[threadIdx.x];
}
__global__ void good_next_array(const float* in, float* out, int n) {
  __shared__ float a[32];
  __shared__ float b[64];
  int i = blockIdx.x * 64 + threadIdx.x;
  b[threadIdx.x] = i < n ? in[i] : 0.0f;
  if (threadIdx.x < 32) a[threadIdx.x] = 2.0f;
  __syncthreads();
  if (i < n) out[i] = a[threadIdx.x % 32] * b[threadIdx.x];
}

// A local array.
__global__ void bad_local_array(const float* in, float* out, int n) {
  float window[4];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k <= 4; ++k) window[k] = in[i] * k;  // fault: out-of-bounds
  out[i] = window[i & 3];
}
__global__ void good_local_array(const float* in, float* out, int n) {
  float window[4];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  for (int k = 0; k < 4; ++k) window[k] = in[i] * k;
  out[i] = window[i & 3];
}

// Four floats at an address that is no multiple of 16.
// run: --grid 1 --block 64 --length in=260 --length out=64
__global__ void bad_misaligned(const float* in, float* out) {
  const float4* wide = (const float4*)(in + 1);
  float4 v = wide[threadIdx.x];  // fault: misaligned
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}
__global__ void good_misaligned(const float* in, float* out) {
  const float4* wide = (const float4*)(in + 4);
  float4 v = wide[threadIdx.x];
  out[threadIdx.x] = v.x + v.y + v.z + v.w;
}

// run: --grid 1 --block 64 --length in=64 --length out=64
__global__ void bad_null(const float* in, float* out) {
  const float* p = in[0] > 1e30f ? in : nullptr;
  out[threadIdx.x] = p[threadIdx.x];  // fault: null-pointer
}
__global__ void good_null(const float* in, float* out) {
  const float* p = in[0] > 1e30f ? in : nullptr;
  if (p) out[threadIdx.x] = p[threadIdx.x];
}

__global__ void bad_wild(const float* in, float* out) {
  const float* p = in + threadIdx.x;
  p = (const float*)((unsigned long long)p ^ 0x0000700000000000ull);
  out[threadIdx.x] = *p;  // fault: wild-pointer
}
__global__ void good_wild(const float* in, float* out) {
  const float* p = in + threadIdx.x;
  p = (const float*)((unsigned long long)p ^ 0x0000700000000000ull);
  p = (const float*)((unsigned long long)p ^ 0x0000700000000000ull);
  out[threadIdx.x] = *p;
}

__constant__ float weights[8] = {1, 2, 3, 4, 5, 6, 7, 8};
__global__ void bad_constant_write(const float* in, float* out) {
  float* w = (float*)weights;
  if (threadIdx.x == 0) w[0] = in[0];  // fault: write-to-constant
  out[threadIdx.x] = in[threadIdx.x];
}
__global__ void good_constant_write(const float* in, float* out) {
  float* w = (float*)weights;
  out[threadIdx.x] = in[threadIdx.x] * w[threadIdx.x & 7];
}

__global__ void bad_constant_index(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x] * weights[threadIdx.x & 15];  // fault: out-of-bounds
}
__global__ void good_constant_index(const float* in, float* out) {
  out[threadIdx.x] = in[threadIdx.x] * weights[threadIdx.x & 7];
}
