// A program of several files: kernels here, in other .cu files and in headers; prints every result bit for bit.
#include "check.h"
#include "lanes.cuh"

struct Particle {
  float3 position;
  float3 velocity;
  int cell;
};

__device__ float3 operator+(float3 a, float3 b) { return make_float3(a.x + b.x, a.y + b.y, a.z + b.z); }
__device__ float3 operator*(float s, float3 a) { return make_float3(s * a.x, s * a.y, s * a.z); }

// Keeps one coordinate inside the unit interval and turns its velocity round at the walls.
__device__ void bounce(float& x, float& v) {
  if (x < 0.0f || x > 1.0f) {
    v = -v;
    x = fminf(fmaxf(x, 0.0f), 1.0f);
  }
}

/* Moves each particle one step inside the unit cube
   and files it under a cell of an 8 x 8 x 8 lattice. */
__global__ void advance(Particle* particles, int count, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= count) return;
  Particle p = particles[i];
  p.position = p.position + dt * p.velocity;
  bounce(p.position.x, p.velocity.x);
  bounce(p.position.y, p.velocity.y);
  bounce(p.position.z, p.velocity.z);
  int cx = min((int)(p.position.x * 8), 7), cy = min((int)(p.position.y * 8), 7), cz = min((int)(p.position.z * 8), 7);
  p.cell = (cz * 8 + cy) * 8 + cx;
  particles[i] = p;
}

__global__ void countCells(const Particle* particles, int count, int* cells) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += gridDim.x * blockDim.x)
    atomicAdd(&cells[particles[i].cell], 1);
}

static int particlePart() {
  const int count = 777;
  std::vector<Particle> particles(count);
  unsigned state = 1;
  auto unit = [&state] { return nextRandom(state) / 16777216.0f; };
  for (Particle& p : particles) {
    p.position.x = unit(), p.position.y = unit(), p.position.z = unit();
    p.velocity.x = unit() - 0.5f, p.velocity.y = unit() - 0.5f, p.velocity.z = unit() - 0.5f;
    p.cell = -1;
  }
  DeviceArray<Particle> data(particles);
  DeviceArray<int> cells(512);
  cells.clear();
  for (int step = 0; step < 10; ++step) advance<<<(count + 63) / 64, 64>>>(data, count, 0.25f);
  LAUNCH_1D(countCells, count / 3, 64, data, count, cells);
  CHECK(cudaDeviceSynchronize());

  std::vector<float> positions;
  for (const Particle& p : data.read()) {
    positions.push_back(p.position.x);
    positions.push_back(p.position.y);
    positions.push_back(p.position.z);
  }
  print("positions", positions);
  print("cells", cells.read());
  int total = 0;
  for (int n : cells.read()) total += n;
  return total == count ? 0 : 1;
}

int main() {
  int wrong = particlePart() + imagePart() + seriesPart();
  std::printf("%s\n", wrong ? "WRONG" : "done");
  return wrong;
}
