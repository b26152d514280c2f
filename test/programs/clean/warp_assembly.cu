// PTX by which lanes exchange values, that updates memory at once, or that copies to shared memory on the side.
#include <cstdint>
#include <cstdio>

__device__ uint32_t shiftedDown(uint32_t v, uint32_t by, uint32_t bounds) {
  uint32_t r;
  asm volatile("shfl.sync.down.b32 %0, %1, %2, %3, 0xffffffff;" : "=r"(r) : "r"(v), "r"(by), "r"(bounds));
  return r;
}

__global__ void exchange(uint32_t* out) {
  const uint32_t lane = threadIdx.x;
  uint32_t r, sum = 0;
  auto add = [&](uint32_t v) { sum = sum * 31 + v; };
  add(shiftedDown(lane, 3, 31));           // the whole warp
  add(shiftedDown(lane, 3, 0x18 << 8 | 31));  // segments of eight lanes
  asm volatile("shfl.sync.up.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(lane), "r"(2), "r"(0x1c << 8), "r"(~0u));
  add(r);
  asm volatile("shfl.sync.idx.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(lane), "r"(5), "r"(0x10 << 8 | 31), "r"(~0u));
  add(r);
  asm volatile("shfl.sync.bfly.b32 %0, %1, %2, %3, %4;" : "=r"(r) : "r"(lane), "r"(9), "r"(31), "r"(~0u));
  add(r);
  // Added only where the other lane is of the segment.
  asm volatile(
      "{ .reg .u32 r0; .reg .pred p; shfl.sync.down.b32 r0|p, %1, %2, %3, %4; @p add.u32 r0, r0, %1; mov.u32 %0, r0; }"
      : "=r"(r)
      : "r"(lane), "r"(4), "r"(31), "r"(~0u));
  add(r);
  asm volatile("match.any.sync.b32 %0, %1, %2;" : "=r"(r) : "r"(lane % 5), "r"(~0u));
  add(r);
  asm volatile("redux.sync.max.u32 %0, %1, %2;" : "=r"(r) : "r"(lane ^ 21), "r"(~0u));
  add(r);
  asm volatile("{ .reg .pred p; setp.lt.u32 p, %1, 11; vote.sync.ballot.b32 %0, p, %2; }" : "=r"(r) : "r"(lane), "r"(~0u));
  add(r);
  out[lane] = sum;
}

__global__ void update(uint32_t* counts) {
  uint32_t old;
  asm volatile("atom.global.add.u32 %0, [%1], %2;" : "=r"(old) : "l"(counts), "r"(2u) : "memory");
  asm volatile("red.global.max.u32 [%0], %1;" : : "l"(counts + 1), "r"(old) : "memory");
}

__global__ void copyAside(const uint4* in, uint4* out, int n) {
  __shared__ uint4 tile[64];
  const int i = blockIdx.x * 64 + threadIdx.x;
  const uint32_t to = uint32_t(__cvta_generic_to_shared(&tile[threadIdx.x]));
  const int bytes = i < n ? 16 : 0;
  asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" : : "r"(to), "l"(in + i), "r"(bytes) : "memory");
  asm volatile("cp.async.commit_group;");
  asm volatile("cp.async.wait_group 0;" : : : "memory");
  __syncthreads();
  uint32_t first;
  asm volatile("ld.shared.u32 %0, [%1];" : "=r"(first) : "r"(to));
  uint4 v = tile[63 - threadIdx.x];
  v.y += first;
  out[i] = v;
}

int main() {
  uint32_t lanes[32], counts[2] = {0, 0}, *dlanes, *dcounts;
  cudaMalloc(&dlanes, sizeof lanes);
  cudaMalloc(&dcounts, sizeof counts);
  cudaMemcpy(dcounts, counts, sizeof counts, cudaMemcpyHostToDevice);
  exchange<<<1, 32>>>(dlanes);
  update<<<3, 50>>>(dcounts);
  cudaMemcpy(lanes, dlanes, sizeof lanes, cudaMemcpyDeviceToHost);
  cudaMemcpy(counts, dcounts, sizeof counts, cudaMemcpyDeviceToHost);
  for (int i = 0; i < 32; i += 5) printf("%u ", lanes[i]);
  printf("%u %u\n", counts[0], counts[1]);
  const int n = 100, all = 128;
  static uint4 in[all], out[all], *din, *dout;
  for (int i = 0; i < all; ++i) in[i] = {uint32_t(i), uint32_t(2 * i), uint32_t(3 * i), uint32_t(4 * i)};
  cudaMalloc(&din, sizeof in);
  cudaMalloc(&dout, sizeof out);
  cudaMemcpy(din, in, sizeof in, cudaMemcpyHostToDevice);
  copyAside<<<all / 64, 64>>>(din, dout, n);
  cudaMemcpy(out, dout, sizeof out, cudaMemcpyDeviceToHost);
  uint64_t total = 0;
  for (int i = 0; i < all; ++i) total = total * 7 + out[i].x + 3 * out[i].y + 5 * out[i].z + 11 * out[i].w;
  printf("%llu\n", (unsigned long long)total);
  cudaFree(din);
  cudaFree(dout);
  cudaFree(dlanes);
  cudaFree(dcounts);
  return cudaGetLastError() == cudaSuccess ? 0 : 1;
}
