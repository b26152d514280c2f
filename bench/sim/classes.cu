// Small launches, one for each kind of work that whole programs spend their time on; prints the seconds on the clock and the
// seconds of all cores by kind.
//   classes [KIND]
#include <chrono>
#include <cstdio>
#include <cstring>
#include <ctime>
#include <vector>

#include <cuda_runtime.h>

__global__ void saxpy(const float* x, float* y, float a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];
}

__global__ void scale4(const float4* x, float4* y, float a) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 v = x[i];
  y[i] = make_float4(a * v.x, a * v.y, a * v.z, a * v.w);
}

__global__ void gridStride(double* y, int n, int iterations) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double v = y[i];
    for (int r = 0; r < iterations; ++r) v = v * 0.5 + 1.0;
    y[i] = v;
  }
}

__global__ void blur(const unsigned char* in, unsigned char* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int sum = 0, count = 0;
  for (int dy = -1; dy <= 1; ++dy)
    for (int dx = -1; dx <= 1; ++dx) {
      int u = x + dx, v = y + dy;
      if (u >= 0 && u < w && v >= 0 && v < h) {
        sum += in[v * w + u];
        ++count;
      }
    }
  out[y * w + x] = (unsigned char)(sum / count);
}

__global__ void heat(const float* in, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < n - 1 && y < n - 1) {
    const float* p = in + y * n + x;
    out[y * n + x] = p[0] + 0.1f * (p[-1] + p[1] + p[-n] + p[n] - 4.0f * p[0]);
  }
}

__global__ void transpose(const float* in, float* out, int n) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) tile[threadIdx.y + k][threadIdx.x] = in[(y + k) * n + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x;
  y = blockIdx.x * 32 + threadIdx.y;
  for (int k = 0; k < 32; k += 8) out[(y + k) * n + x] = tile[threadIdx.x][threadIdx.y + k];
}

__global__ void scatter(const float* in, float* out, int n) {  // each lane in a row of its own
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  out[x * n + y] = in[y * n + x];
}

__global__ void product(const float* a, const float* b, float* c, int n) {
  __shared__ float as[16][16], bs[16][16];
  int tx = threadIdx.x, ty = threadIdx.y, row = blockIdx.y * 16 + ty, col = blockIdx.x * 16 + tx;
  float sum = 0;
  for (int t = 0; t < n / 16; ++t) {
    as[ty][tx] = a[row * n + t * 16 + tx];
    bs[ty][tx] = b[(t * 16 + ty) * n + col];
    __syncthreads();
#pragma unroll
    for (int k = 0; k < 16; ++k) sum += as[ty][k] * bs[k][tx];
    __syncthreads();
  }
  c[row * n + col] = sum;
}

__global__ void reduce(const float* in, float* out, int n) {
  extern __shared__ float part[];
  float sum = 0;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) sum += in[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = blockDim.x / 2; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  if (threadIdx.x == 0) out[blockIdx.x] = part[0];
}

__global__ void histogram(const unsigned* in, unsigned* bins, int n) {
  __shared__ unsigned mine[256];
  mine[threadIdx.x] = 0;
  __syncthreads();
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    unsigned v = in[i];
    atomicAdd(&mine[v & 255], 1u);
    atomicAdd(&mine[(v >> 8) & 255], 1u);
  }
  __syncthreads();
  atomicAdd(&bins[threadIdx.x], mine[threadIdx.x]);
}

__global__ void byteCounts(const unsigned* in, unsigned* out, int n) {
  __shared__ unsigned char mine[64 * 64];
  for (int k = 0; k < 64; ++k) mine[k * 64 + threadIdx.x] = 0;
  __syncthreads();
  for (int i = threadIdx.x; i < n; i += blockDim.x) mine[(in[blockIdx.x * n + i] & 63) * 64 + threadIdx.x]++;
  __syncthreads();
  unsigned sum = 0;
  for (int k = 0; k < 64; ++k) sum += mine[threadIdx.x * 64 + k];
  out[blockIdx.x * 64 + threadIdx.x] = sum;
}

__global__ void sortBlocks(unsigned* keys) {
  __shared__ unsigned s[512];
  unsigned* k = keys + blockIdx.x * 512;
  s[threadIdx.x] = k[threadIdx.x];
  s[threadIdx.x + 256] = k[threadIdx.x + 256];
  for (unsigned size = 2; size <= 512; size <<= 1)
    for (unsigned stride = size / 2; stride > 0; stride >>= 1) {
      __syncthreads();
      unsigned pos = 2 * threadIdx.x - (threadIdx.x & (stride - 1));
      bool up = (threadIdx.x & (size / 2)) == 0;
      unsigned p = s[pos], q = s[pos + stride];
      if ((p > q) == up) {
        s[pos] = q;
        s[pos + stride] = p;
      }
    }
  __syncthreads();
  k[threadIdx.x] = s[threadIdx.x];
  k[threadIdx.x + 256] = s[threadIdx.x + 256];
}

__global__ void options(const float* price, const float* strike, const float* years, float* call, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float s = price[i], x = strike[i], t = years[i], root = sqrtf(t);
  float d1 = (logf(s / x) + (0.02f + 0.5f * 0.09f) * t) / (0.3f * root), d2 = d1 - 0.3f * root;
  float n1 = 0.5f * erfcf(-d1 * 0.70710678f), n2 = 0.5f * erfcf(-d2 * 0.70710678f);
  call[i] = s * n1 - x * expf(-0.02f * t) * n2;
}

__global__ void bodies(const float4* in, float4* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float4 p = in[i];
  float ax = 0, ay = 0, az = 0;
  for (int j = 0; j < n; ++j) {
    float4 q = in[j];
    float dx = q.x - p.x, dy = q.y - p.y, dz = q.z - p.z;
    float r = rsqrtf(dx * dx + dy * dy + dz * dz + 0.01f), f = q.w * r * r * r;
    ax += dx * f;
    ay += dy * f;
    az += dz * f;
  }
  out[i] = make_float4(ax, ay, az, 0);
}

__global__ void locals(const int* in, int* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  int counts[16];
  for (int k = 0; k < 16; ++k) counts[k] = 0;
  for (int k = 0; k < 64; ++k) counts[(in[i] >> (k & 15)) & 15] += k;
  int best = 0;
  for (int k = 0; k < 16; ++k) best = max(best, counts[k]);
  out[i] = best;
}

__global__ void sampled(cudaTextureObject_t image, float* out, int n) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  float sum = 0;
  for (int k = -4; k <= 4; ++k) sum += tex2D<float>(image, x + k + 0.5f, y + 0.5f);
  out[y * n + x] = sum;
}

__device__ unsigned turn(unsigned x, int by) { return (x << by) | (x >> (32 - by)); }

__global__ void digests(unsigned* out, int rounds) {
  unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
  unsigned a = i, b = 0xefcdab89u, c = 0x98badcfeu, d = 0x10325476u;
  for (int r = 0; r < rounds; ++r) {
    a = b + turn(a + ((b & c) | (~b & d)) + i + 0xd76aa478u, 7);
    d = a + turn(d + ((a & b) | (~a & c)) + r + 0xe8c7b756u, 12);
    c = d + turn(c + (d ^ a ^ b) + i + 0x242070dbu, 17);
    b = c + turn(b + (d ^ (c | ~a)) + r + 0xc1bdceeeu, 22);
  }
  out[i] = a ^ b ^ c ^ d;
}

__global__ void quotients(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x, by = (in[i] & 1023) + 1, sum = 0;
  for (int k = 1; k <= n; ++k) sum += (i * k) / by + (i + k) % by;
  out[i] = sum;
}

__global__ void collatz(int* out, int n) {  // lanes leave the loop at different times
  int i = blockIdx.x * blockDim.x + threadIdx.x, steps = 0;
  unsigned v = i + 1;
  while (v != 1 && steps < n) {
    if (v & 1)
      v = 3 * v + 1;
    else
      v /= 2;
    ++steps;
  }
  out[i] = steps;
}

struct Sample {
  float x, y, z;
};

__global__ void gather(const Sample* samples, const int* where, float* out, int n, int most) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0;
  for (int k = 0; k < n; ++k) {
    const Sample& s = samples[(where[i] + k * 97) & (most - 1)];
    sum += s.x * s.y + s.z;
  }
  out[i] = sum;
}

__global__ void strided(double* a, int n) {  // each thread its own record, read and written
  double* mine = a + (blockIdx.x * blockDim.x + threadIdx.x) * 8;
  for (int k = 0; k < n; ++k)
    for (int j = 0; j < 7; ++j) mine[j] = mine[j] * 0.5 + mine[j + 1];
}

__global__ void smallMatrices(const float* in, float* out) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  float m[4][4], r[4][4];
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 4; ++x) m[y][x] = in[(y * 4 + x) * 256 + (i & 255)];
  for (int step = 0; step < 4; ++step) {
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 4; ++x) {
        float sum = 0;
        for (int k = 0; k < 4; ++k) sum += m[y][k] * m[k][x];
        r[y][x] = sum;
      }
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 4; ++x) m[y][x] = r[y][x] * 0.25f;
  }
  out[i] = m[0][0] + m[3][3];
}

__global__ void cyclic(float* x, int n) {  // strides of shared memory double
  __shared__ float a[512];
  a[threadIdx.x] = x[blockIdx.x * 512 + threadIdx.x];
  a[threadIdx.x + 256] = x[blockIdx.x * 512 + threadIdx.x + 256];
  for (int r = 0; r < n; ++r)
    for (int stride = 1; stride < 512; stride *= 2) {
      __syncthreads();
      int at = (threadIdx.x * stride * 2) & 511;
      float v = a[at] * 0.5f + a[(at + stride) & 511];
      __syncthreads();
      if (threadIdx.x < 256 / stride) a[at] = v;
    }
  __syncthreads();
  x[blockIdx.x * 512 + threadIdx.x] = a[threadIdx.x];
}

namespace {

template <class T> T* device(size_t n, int fill = 1) {
  T* p;
  cudaMalloc(&p, n * sizeof(T));
  std::vector<unsigned> bits(n * sizeof(T) / 4);
  unsigned state = 12345;
  for (unsigned& b : bits) {
    state = state * 1664525u + 1013904223u;
    b = fill == 1 ? 0x3f000000u | (state >> 9) : fill == 2 ? state : 0;
  }
  cudaMemcpy(p, bits.data(), n * sizeof(T), cudaMemcpyHostToDevice);
  return p;
}

const char* wanted = nullptr;

template <class F> void time(const char* name, F&& work) {
  if (wanted && std::strcmp(name, wanted)) return;
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t busy = std::clock();
  work();
  cudaDeviceSynchronize();
  const std::chrono::duration<double> s = std::chrono::steady_clock::now() - start;
  std::printf("%-12s %8.3f %8.3f\n", name, s.count(), double(std::clock() - busy) / CLOCKS_PER_SEC);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1) wanted = argv[1];
  const int n = 1 << 22;
  float *x = device<float>(n), *y = device<float>(n), *z = device<float>(n), *made;
  cudaMalloc(&made, n * 4);
  time("saxpy", [&] { for (int k = 0; k < 4; ++k) saxpy<<<n / 256, 256>>>(x, y, 0.5f, n); });
  time("vectors", [&] { for (int k = 0; k < 8; ++k) scale4<<<n / 1024, 256>>>((float4*)x, (float4*)y, 0.5f); });
  time("arithmetic", [&] { gridStride<<<256, 256>>>((double*)y, n / 2, 50); });
  time("bytes", [&] { blur<<<dim3(32, 128), dim3(32, 8)>>>((unsigned char*)x, (unsigned char*)made, 1024, 1024); });
  time("stencil", [&] { for (int k = 0; k < 2; ++k) heat<<<dim3(128, 128), dim3(16, 16)>>>(k ? z : x, k ? x : z, 2048); });
  time("transpose", [&] { for (int k = 0; k < 2; ++k) transpose<<<dim3(64, 64), dim3(32, 8)>>>(x, made, 2048); });
  time("scatter", [&] { scatter<<<dim3(64, 256), dim3(32, 8)>>>(x, z, 2048); });
  time("product", [&] { product<<<dim3(24, 24), dim3(16, 16)>>>(x, y, z, 384); });
  time("reduce", [&] { for (int k = 0; k < 8; ++k) reduce<<<256, 256, 1024>>>(x, z, n); });
  unsigned *words = device<unsigned>(n, 2), *bins = device<unsigned>(n / 64, 0);
  time("histogram", [&] { histogram<<<64, 256>>>(words, bins, n / 2); });
  time("subword", [&] { byteCounts<<<256, 64>>>(words, bins, 2048); });
  time("sort", [&] { sortBlocks<<<512, 256>>>(words); });
  time("functions", [&] { options<<<n / 256, 256>>>(x, y, z, made, n); });
  time("bodies", [&] { bodies<<<16, 256>>>((float4*)x, (float4*)made, 4096); });
  time("locals", [&] { locals<<<512, 256>>>((int*)words, (int*)made); });
  time("launches", [&] { for (int k = 0; k < 1000; ++k) saxpy<<<4, 256>>>(x, y, 0.5f, 1024); });
  time("digests", [&] { digests<<<64, 256>>>((unsigned*)made, 200); });
  time("quotients", [&] { quotients<<<64, 256>>>((int*)words, (int*)made, 200); });
  time("collatz", [&] { collatz<<<64, 256>>>((int*)made, 300); });
  time("gather", [&] { gather<<<128, 256>>>((Sample*)x, (int*)words, (float*)made, 64, 1 << 18); });
  time("strided", [&] { strided<<<64, 256>>>((double*)y, 8); });
  time("matrices", [&] { smallMatrices<<<64, 256>>>(x, (float*)made); });
  time("cyclic", [&] { cyclic<<<64, 256>>>(x, 16); });
  cudaArray_t image;
  const cudaChannelFormatDesc format = cudaCreateChannelDesc<float>();
  cudaMallocArray(&image, &format, 1024, 1024);
  cudaMemcpy2DToArray(image, 0, 0, x, 4096, 4096, 1024, cudaMemcpyDeviceToDevice);
  cudaResourceDesc resource{};
  resource.resType = cudaResourceTypeArray;
  resource.res.array.array = image;
  cudaTextureDesc how{};
  how.addressMode[0] = how.addressMode[1] = cudaAddressModeClamp;
  cudaTextureObject_t texture;
  cudaCreateTextureObject(&texture, &resource, &how, nullptr);
  time("textures", [&] { sampled<<<dim3(32, 32), dim3(32, 8)>>>(texture, z, 1024); });
  time("copies", [&] {
    std::vector<float> host(n);
    float* fresh;
    for (int k = 0; k < 4; ++k) {
      cudaMalloc(&fresh, n * 4);
      cudaMemcpy(fresh, host.data(), n * 4, cudaMemcpyHostToDevice);
      cudaMemcpy(host.data(), fresh, n * 4, cudaMemcpyDeviceToHost);
      cudaFree(fresh);
    }
  });
  return cudaGetLastError() != cudaSuccess;
}
