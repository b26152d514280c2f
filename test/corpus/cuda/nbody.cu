// All-pairs forces with float4 bodies in shared memory, nested device functions and operators on vectors.
__device__ inline float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ inline float3 operator*(float3 a, float s) { return make_float3(a.x * s, a.y * s, a.z * s); }
__device__ inline float3& operator+=(float3& a, const float3& b) {
  a.x += b.x;
  a.y += b.y;
  a.z += b.z;
  return a;
}

__device__ float3 interact(float4 bi, float4 bj, float eps2) {
  float3 r = make_float3(bj.x - bi.x, bj.y - bi.y, bj.z - bi.z);
  float d2 = r.x * r.x + r.y * r.y + r.z * r.z + eps2;
  float inv = rsqrtf(d2);
  return r * (bj.w * inv * inv * inv);
}

__global__ void forces(const float4* __restrict__ bodies, float4* __restrict__ acc, int n, float eps2) {
  extern __shared__ float4 sh[];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 me = bodies[i < n ? i : n - 1];
  float3 a = {0.0f, 0.0f, 0.0f};
  for (int t = 0; t < n; t += blockDim.x) {
    int j = t + threadIdx.x;
    sh[threadIdx.x] = j < n ? bodies[j] : make_float4(0, 0, 0, 0);
    __syncthreads();
#pragma unroll 8
    for (int k = 0; k < blockDim.x; k++) a += interact(me, sh[k], eps2);
    __syncthreads();
  }
  if (i < n) acc[i] = make_float4(a.x, a.y, a.z, 0.f);
}

__global__ void advance(float4* pos, float4* vel, const float4* acc, float dt, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = vel[i], a = acc[i];
  float3 v3 = make_float3(v.x, v.y, v.z) + make_float3(a.x, a.y, a.z) * dt;
  vel[i] = make_float4(v3.x, v3.y, v3.z, v.w);
  pos[i].x += v3.x * dt;
  pos[i].y += v3.y * dt;
  pos[i].z += v3.z * dt;
}
