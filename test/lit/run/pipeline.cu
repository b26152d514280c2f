// Pipelines and asynchronous copies of libcu++ and of cuda_pipeline.h, by threads alone, by whole blocks and by roles.
// RUN: %hone run %s 2>&1 | FileCheck %s
// RUN: not %hone run -DFORGET %s 2>&1 | FileCheck %s --check-prefix=FORGET
#include <cooperative_groups.h>
#include <cuda/barrier>
#include <cuda/pipeline>
#include <cuda_pipeline.h>

#include <cstdio>

namespace cg = cooperative_groups;
constexpr int kThreads = 64, kTiles = 8, kCount = kThreads * kTiles;

__global__ void alone(const float* in, float* out) {  // each thread its own element of each tile
  __shared__ float tile[2][kThreads];
  auto pipe = cuda::make_pipeline();
  const int t = threadIdx.x;
  pipe.producer_acquire();
  cuda::memcpy_async(&tile[0][t], &in[t], cuda::aligned_size_t<4>(4), pipe);
  pipe.producer_commit();
  float sum = 0;
  for (int k = 0; k < kTiles; ++k) {
    if (k + 1 < kTiles) {
      pipe.producer_acquire();
      cuda::memcpy_async(&tile[(k + 1) % 2][t], &in[(k + 1) * kThreads + t], sizeof(float), pipe);
      pipe.producer_commit();
    }
    pipe.consumer_wait();
    sum += tile[k % 2][t];
    pipe.consumer_release();
  }
  out[t] = sum;
}

__global__ void together(const float* in, float* out) {  // the block copies, each thread reads its neighbour's
  __shared__ float tile[2][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  auto pipe = cuda::make_pipeline(block, &state);
  const int t = threadIdx.x;
  float sum = 0;
  for (int k = -1; k < kTiles; ++k) {
    if (k + 1 < kTiles) {
      pipe.producer_acquire();
      cuda::memcpy_async(block, tile[(k + 1) % 2], in + (k + 1) * kThreads, sizeof(tile[0]), pipe);
      pipe.producer_commit();
    }
    if (k < 0) continue;
#ifndef FORGET
    pipe.consumer_wait();
#endif
    sum += tile[k % 2][(t + 33) % kThreads];
    pipe.consumer_release();
  }
  out[t] = sum;
}

__global__ void roles(const float* in, float* out) {  // the first warp copies for the second
  __shared__ float tile[2][kThreads];
  __shared__ cuda::pipeline_shared_state<cuda::thread_scope_block, 2> state;
  auto block = cg::this_thread_block();
  const bool copies = threadIdx.x < 32;
  auto pipe = cuda::make_pipeline(block, &state, copies ? cuda::pipeline_role::producer : cuda::pipeline_role::consumer);
  float sum = 0;
  for (int k = 0; k < kTiles; ++k) {
    if (copies) {
      pipe.producer_acquire();
      for (int i = threadIdx.x; i < kThreads; i += 32)
        cuda::memcpy_async(&tile[k % 2][i], &in[k * kThreads + i], sizeof(float), pipe);
      pipe.producer_commit();
    } else {
      pipe.consumer_wait();
      for (int i = threadIdx.x - 32; i < kThreads; i += 32) sum += tile[k % 2][i];
      pipe.consumer_release();
    }
  }
  if (!copies) out[threadIdx.x - 32] = sum;
}

__global__ void byBarrier(const char* in, char* out) {  // lengths and addresses that are no multiple of four
  __shared__ char text[100];
  __shared__ cuda::barrier<cuda::thread_scope_block> ready;
  auto block = cg::this_thread_block();
  if (block.thread_rank() == 0) init(&ready, block.size());
  block.sync();
  cuda::memcpy_async(block, text + 1, in, 99, ready);
  ready.arrive_and_wait();
  for (int i = threadIdx.x; i < 99; i += blockDim.x) out[i] = text[99 - i];
}

__global__ void experimental(const float4* in, float4* out) {
  __shared__ float4 tile[kThreads];
  nvcuda::experimental::pipeline pipe;
  nvcuda::experimental::memcpy_async(tile[threadIdx.x], in[threadIdx.x], pipe);
  pipe.commit_and_wait();
  out[threadIdx.x] = tile[threadIdx.x];
}

template <class T> T* filled(int count) {
  T* made;
  cudaMallocManaged(&made, count * sizeof(T));
  for (int i = 0; i < count; ++i) made[i] = T(i % 50);
  return made;
}

int main() {
  float *in = filled<float>(kCount), *out = filled<float>(kThreads * 4);
  auto expected = [&](int t) {
    float sum = 0;
    for (int k = 0; k < kTiles; ++k) sum += in[k * kThreads + t];
    return sum;
  };
  bool right = true;
  together<<<1, kThreads>>>(in, out);
  cudaDeviceSynchronize();
  for (int t = 0; t < kThreads; ++t) right &= out[t] == expected((t + 33) % kThreads);
  printf("together: %s\n", right ? "right" : "wrong");
  alone<<<1, kThreads>>>(in, out);
  cudaDeviceSynchronize();
  right = true;
  for (int t = 0; t < kThreads; ++t) right &= out[t] == expected(t);
  printf("alone: %s\n", right ? "right" : "wrong");
  roles<<<1, 64>>>(in, out);
  cudaDeviceSynchronize();
  right = true;
  for (int t = 0; t < 32; ++t) right &= out[t] == expected(t) + expected(t + 32);
  printf("roles: %s\n", right ? "right" : "wrong");
  char *letters = filled<char>(99), *turned = filled<char>(99);
  byBarrier<<<1, 32>>>(letters, turned);
  cudaDeviceSynchronize();
  right = true;
  for (int i = 0; i < 99; ++i) right &= turned[i] == letters[98 - i];
  printf("barrier: %s\n", right ? "right" : "wrong");
  experimental<<<1, kThreads>>>((float4*)in, (float4*)out);
  cudaDeviceSynchronize();
  right = true;
  for (int i = 0; i < kThreads * 4; ++i) right &= out[i] == in[i];
  printf("experimental: %s\n", right ? "right" : "wrong");
  cudaFree(in), cudaFree(out), cudaFree(letters), cudaFree(turned);
}
// CHECK: together: right
// CHECK-NEXT: alone: right
// CHECK-NEXT: roles: right
// CHECK-NEXT: barrier: right
// CHECK-NEXT: experimental: right
// CHECK-NOT: race
// FORGET: race
