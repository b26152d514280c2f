#pragma once
#define GLOBAL_ID (blockIdx.x * blockDim.x + threadIdx.x)
static const int kDotBlock = 128;

__host__ __device__ inline float dot3(const float3& a, const float3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__host__ __device__ inline float3 scaled(float3 v, float s) { return make_float3(v.x * s, v.y * s, v.z * s); }
