// Bodies as structs, forces in tiles of shared memory, positions swapped between steps.
#include <cmath>
#include <cstdio>
#include <vector>

struct Body {
  float4 place;  // w: mass
  float3 speed;
  int id;
};

__device__ float3 pull(float4 a, float4 b, float3 sum) {
  const float dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
  const float r2 = dx * dx + dy * dy + dz * dz + 0.25f;
  const float s = b.w / (r2 * sqrtf(r2));
  sum.x += dx * s;
  sum.y += dy * s;
  sum.z += dz * s;
  return sum;
}

template <int THREADS>
__global__ void step(const Body* in, Body* out, int n, float dt) {
  __shared__ float4 tile[THREADS];
  const int i = blockIdx.x * THREADS + threadIdx.x;
  const Body mine = in[min(i, n - 1)];
  float3 force = make_float3(0, 0, 0);
  for (int base = 0; base < n; base += THREADS) {
    if (base + threadIdx.x < n) tile[threadIdx.x] = in[base + threadIdx.x].place;
    __syncthreads();
    for (int j = 0; j < min(THREADS, n - base); ++j) force = pull(mine.place, tile[j], force);
    __syncthreads();
  }
  if (i >= n) return;
  Body next = mine;
  next.speed.x += force.x * dt;
  next.speed.y += force.y * dt;
  next.speed.z += force.z * dt;
  next.place.x += next.speed.x * dt;
  next.place.y += next.speed.y * dt;
  next.place.z += next.speed.z * dt;
  out[i] = next;
}

int main() {
  const int n = 100;
  std::vector<Body> bodies(n);
  for (int i = 0; i < n; ++i) bodies[i] = {make_float4(i % 10, i / 10, (i * 7) % 5, 1 + i % 3), make_float3(0, 0, 0), i};
  Body *a, *b;
  cudaMalloc(&a, n * sizeof(Body));
  cudaMalloc(&b, n * sizeof(Body));
  cudaMemcpy(a, bodies.data(), n * sizeof(Body), cudaMemcpyHostToDevice);
  for (int i = 0; i < 4; ++i) {
    step<64><<<(n + 63) / 64, 64>>>(a, b, n, 0.01f);
    Body* t = a;
    a = b;
    b = t;
  }
  cudaMemcpy(bodies.data(), a, n * sizeof(Body), cudaMemcpyDeviceToHost);
  double momentum = 0, ids = 0;
  for (const Body& body : bodies) momentum += double(body.place.w) * body.speed.x, ids += body.id;
  std::printf("momentum %s, ids %g, body 42 at %.4f %.4f %.4f\n", std::fabs(momentum) < 1e-3 ? "kept" : "lost", ids, bodies[42].place.x, bodies[42].place.y,
              bodies[42].place.z);
  cudaFree(a);
  cudaFree(b);
}
