// Plain stencils in two and three dimensions from global memory, with run-time and constant pitches.
#define PITCH 64

__global__ void fivePoint(const float* in, float* out, int w, int h, float c0, float c1) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && y > 0 && x < w - 1 && y < h - 1)
    out[y * w + x] = c0 * in[y * w + x] +
                     c1 * (in[y * w + x - 1] + in[y * w + x + 1] + in[(y - 1) * w + x] + in[(y + 1) * w + x]);
}

__global__ void ninePoint(const float* in, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= w - 1 || y >= h - 1) return;
  float corners = in[(y - 1) * PITCH + x - 1] + in[(y - 1) * PITCH + x + 1] + in[(y + 1) * PITCH + x - 1] +
                  in[(y + 1) * PITCH + x + 1];
  float sides =
      in[(y - 1) * PITCH + x] + in[(y + 1) * PITCH + x] + in[y * PITCH + x - 1] + in[y * PITCH + x + 1];
  out[y * PITCH + x] = 0.25f * in[y * PITCH + x] + 0.125f * sides + 0.0625f * corners;
}

__global__ void sevenPoint(const float* in, float* out, int nx, int ny, int nz, float k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  int plane = nx * ny;
  for (int z = 1; z < nz - 1; z++) {
    int i = z * plane + y * nx + x;
    out[i] = in[i] + k * (in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - plane] + in[i + plane] -
                          6.0f * in[i]);
  }
}

__global__ void twentySevenPoint(const float* in, const float* weight, float* out, int nx, int ny, int nz) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  int z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x < 1 || y < 1 || z < 1 || x >= nx - 1 || y >= ny - 1 || z >= nz - 1) return;
  float sum = 0.0f;
  for (int dz = -1; dz <= 1; dz++)
    for (int dy = -1; dy <= 1; dy++)
      for (int dx = -1; dx <= 1; dx++)
        sum += weight[(dz + 1) * 9 + (dy + 1) * 3 + dx + 1] * in[((z + dz) * ny + y + dy) * nx + x + dx];
  out[(z * ny + y) * nx + x] = sum;
}

__global__ void waveStep(const float* now, const float* before, float* next, int w, int h, float courant2) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int i = y * w + x;
  if (x == 0 || y == 0 || x == w - 1 || y == h - 1) {
    next[i] = 0.0f;
  } else {
    float laplacian = now[i - 1] + now[i + 1] + now[i - w] + now[i + w] - 4.0f * now[i];
    next[i] = 2.0f * now[i] - before[i] + courant2 * laplacian;
  }
}

__global__ void redBlack(float* u, const float* f, int w, int h, float h2, int colour) {
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  if (x < w - 1 && y < h - 1 && (x + y) % 2 == colour)
    u[y * w + x] = 0.25f * (u[y * w + x - 1] + u[y * w + x + 1] + u[(y - 1) * w + x] + u[(y + 1) * w + x] -
                            h2 * f[y * w + x]);
}

__global__ void fdtdEy(float* ey, const float* hz, const float* pulse, int nx, int ny, int t) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny) {
    if (i == 0)
      ey[i * ny + j] = pulse[t];
    else
      ey[i * ny + j] = ey[i * ny + j] - 0.5f * (hz[i * ny + j] - hz[(i - 1) * ny + j]);
  }
}

__global__ void fdtdEx(float* ex, const float* hz, int nx, int ny) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j > 0 && j < ny) ex[i * (ny + 1) + j] -= 0.5f * (hz[i * ny + j] - hz[i * ny + j - 1]);
}

__global__ void fdtdHz(const float* ex, const float* ey, float* hz, int nx, int ny) {
  int j = blockIdx.x * blockDim.x + threadIdx.x;
  int i = blockIdx.y * blockDim.y + threadIdx.y;
  if (i < nx && j < ny)
    hz[i * ny + j] -=
        0.7f * (ex[i * (ny + 1) + j + 1] - ex[i * (ny + 1) + j] + ey[(i + 1) * ny + j] - ey[i * ny + j]);
}
