// Steps of flow solvers: line sweeps, lattice Boltzmann, advection, shallow water.

__global__ void adiRows(float* x, const float* a, float* b, int n) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= n) return;
  for (int j = 1; j < n; j++) {
    x[row * n + j] = x[row * n + j] - x[row * n + j - 1] * a[row * n + j] / b[row * n + j - 1];
    b[row * n + j] = b[row * n + j] + 0.125f * a[row * n + j] * a[row * n + j];
  }
  x[row * n + n - 1] = x[row * n + n - 1] / b[row * n + n - 1];
}

__global__ void adiColumns(float* x, const float* a, const float* b, int n) {
  int col = blockIdx.x * blockDim.x + threadIdx.x;
  if (col < n) {
    for (int i = 1; i < n; i++)
      x[i * n + col] -= x[(i - 1) * n + col] * a[i * n + col] / b[(i - 1) * n + col];
    for (int i = n - 2; i >= 0; i--)
      x[i * n + col] = (x[i * n + col] - x[(i + 1) * n + col] * a[i * n + col]) / b[i * n + col];
  }
}

// The nine populations are planes of w * h: rest, east, north, west, south, and the four diagonals.
__global__ void lbmCollide(float* f, int w, int h, float omega) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int i = y * w + x;
  int s = w * h;
  float rho = 0.0f;
  for (int q = 0; q < 9; q++) rho += f[q * s + i];
  float ux = (f[s + i] - f[3 * s + i] + f[5 * s + i] - f[6 * s + i] - f[7 * s + i] + f[8 * s + i]) / rho;
  float uy = (f[2 * s + i] - f[4 * s + i] + f[5 * s + i] + f[6 * s + i] - f[7 * s + i] - f[8 * s + i]) / rho;
  float rest = 1.0f - 1.5f * (ux * ux + uy * uy);
  float axis = rho / 9.0f;
  float diagonal = rho / 36.0f;
  float sum = ux + uy;
  float difference = ux - uy;
  f[i] += omega * (4.0f * axis * rest - f[i]);
  f[s + i] += omega * (axis * (rest + 3.0f * ux + 4.5f * ux * ux) - f[s + i]);
  f[2 * s + i] += omega * (axis * (rest + 3.0f * uy + 4.5f * uy * uy) - f[2 * s + i]);
  f[3 * s + i] += omega * (axis * (rest - 3.0f * ux + 4.5f * ux * ux) - f[3 * s + i]);
  f[4 * s + i] += omega * (axis * (rest - 3.0f * uy + 4.5f * uy * uy) - f[4 * s + i]);
  f[5 * s + i] += omega * (diagonal * (rest + 3.0f * sum + 4.5f * sum * sum) - f[5 * s + i]);
  f[6 * s + i] +=
      omega * (diagonal * (rest - 3.0f * difference + 4.5f * difference * difference) - f[6 * s + i]);
  f[7 * s + i] += omega * (diagonal * (rest - 3.0f * sum + 4.5f * sum * sum) - f[7 * s + i]);
  f[8 * s + i] +=
      omega * (diagonal * (rest + 3.0f * difference + 4.5f * difference * difference) - f[8 * s + i]);
}

__global__ void lbmStream(const float* from, float* to, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  int s = w * h;
  int west = x > 0 ? x - 1 : w - 1;
  int east = x < w - 1 ? x + 1 : 0;
  int south = y > 0 ? y - 1 : h - 1;
  int north = y < h - 1 ? y + 1 : 0;
  to[y * w + x] = from[y * w + x];
  to[s + y * w + x] = from[s + y * w + west];
  to[2 * s + y * w + x] = from[2 * s + south * w + x];
  to[3 * s + y * w + x] = from[3 * s + y * w + east];
  to[4 * s + y * w + x] = from[4 * s + north * w + x];
  to[5 * s + y * w + x] = from[5 * s + south * w + west];
  to[6 * s + y * w + x] = from[6 * s + south * w + east];
  to[7 * s + y * w + x] = from[7 * s + north * w + east];
  to[8 * s + y * w + x] = from[8 * s + north * w + west];
}

__global__ void upwind(const float* q, float* out, int w, int h, float u, float v, float dt) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= w - 1 || y >= h - 1) return;
  float gx = u > 0.0f ? q[y * w + x] - q[y * w + x - 1] : q[y * w + x + 1] - q[y * w + x];
  float gy = v > 0.0f ? q[y * w + x] - q[(y - 1) * w + x] : q[(y + 1) * w + x] - q[y * w + x];
  out[y * w + x] = q[y * w + x] - dt * (u * gx + v * gy);
}

__global__ void burgers(const double* u, double* next, int n, double dx, double dt, double viscosity) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    if (i == 0 || i == n - 1)
      next[i] = u[i];
    else
      next[i] = u[i] - dt * u[i] * (u[i + 1] - u[i - 1]) / (2.0 * dx) +
                viscosity * dt * (u[i + 1] - 2.0 * u[i] + u[i - 1]) / (dx * dx);
  }
}

__global__ void shallowWater(const float* depth, const float* mx, const float* my, float* nextDepth,
                             float* nextMx, float* nextMy, int w, int h, float r) {
  int x = blockIdx.x * blockDim.x + threadIdx.x + 1;
  int y = blockIdx.y * blockDim.y + threadIdx.y + 1;
  if (x >= w - 1 || y >= h - 1) return;
  int i = y * w + x;
  int e = i + 1;
  int o = i - 1;
  int n = i + w;
  int s = i - w;
  nextDepth[i] = 0.25f * (depth[e] + depth[o] + depth[n] + depth[s]) - r * (mx[e] - mx[o] + my[n] - my[s]);
  float pe = mx[e] * mx[e] / depth[e] + 4.905f * depth[e] * depth[e];
  float po = mx[o] * mx[o] / depth[o] + 4.905f * depth[o] * depth[o];
  float pn = my[n] * my[n] / depth[n] + 4.905f * depth[n] * depth[n];
  float ps = my[s] * my[s] / depth[s] + 4.905f * depth[s] * depth[s];
  nextMx[i] = 0.25f * (mx[e] + mx[o] + mx[n] + mx[s]) -
              r * (pe - po + mx[n] * my[n] / depth[n] - mx[s] * my[s] / depth[s]);
  nextMy[i] = 0.25f * (my[e] + my[o] + my[n] + my[s]) -
              r * (pn - ps + mx[e] * my[e] / depth[e] - mx[o] * my[o] / depth[o]);
}
