// Local arrays: initialised, multi-dimensional, passed to functions, of vectors and structs, with computed subscripts.
#define TAPS 7
struct Tap {
  int offset;
  float weight;
};

__device__ float horner(const float c[4], float x) {
  float r = c[3];
  for (int i = 2; i >= 0; --i) r = r * x + c[i];
  return r;
}

__device__ void sort3(int (&v)[3]) {
  for (int i = 0; i < 2; i++)
    for (int j = 0; j < 2 - i; j++)
      if (v[j] > v[j + 1]) {
        int t = v[j];
        v[j] = v[j + 1];
        v[j + 1] = t;
      }
}

__global__ void polynomials(const float* x, float* y, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float coeff[4] = {1.0f, 0.5f, -0.25f, 0.125f};
  float m[2][2] = {{1, 2}, {3, 4}};
  float zeros[8] = {0};
  Tap taps[2] = {{-1, 0.5f}, {1, 0.5f}};
  if (i > 0 && i + 1 < n) {
    float v = horner(coeff, x[i]);
    m[i & 1][1] += v;
    for (int k = 0; k < 2; ++k) zeros[k] = taps[k].weight * x[i + taps[k].offset];
    y[i] = m[0][0] * m[1][1] - m[0][1] * m[1][0] + zeros[0] + zeros[1] + sizeof(zeros) / sizeof(zeros[0]);
  }
}

__global__ void median(const int* in, int* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < 1 || i >= n - 1) return;
  int v[3] = {in[i - 1], in[i], in[i + 1]};
  sort3(v);
  out[i] = v[1];
}

__global__ void registerTile(const float* a, const float* b, float* c, int n) {
  float acc[4][4];
  float ra[4], rb[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
#pragma unroll
    for (int j = 0; j < 4; ++j) acc[i][j] = 0.f;
  int r0 = (blockIdx.y * blockDim.y + threadIdx.y) * 4, c0 = (blockIdx.x * blockDim.x + threadIdx.x) * 4;
  for (int k = 0; k < n; ++k) {
    for (int i = 0; i < 4; ++i) ra[i] = a[(r0 + i) * n + k];
    for (int j = 0; j < 4; ++j) rb[j] = b[k * n + c0 + j];
#pragma unroll 4
    for (int i = 0; i < 4; ++i)
      for (int j = 0; j < 4; ++j) acc[i][j] += ra[i] * rb[j];
  }
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) c[(r0 + i) * n + c0 + j] = acc[i][j];
}
