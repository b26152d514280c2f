// A seven-point stencil that walks z with a register queue, and a generic one with a macro index.
#define IDX(x, y, z) ((x) + nx * ((y) + ny * (z)))

__global__ void stencil7(const float* __restrict__ in, float* __restrict__ out, int nx, int ny, int nz, float c0, float c1) {
  const int x = blockIdx.x * blockDim.x + threadIdx.x;
  const int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || y < 1 || x >= nx - 1 || y >= ny - 1) return;
  const int plane = nx * ny;
  int p = IDX(x, y, 0);
  float below, here = in[p], above = in[p + plane];
  for (int z = 1; z < nz - 1; ++z) {
    p += plane;
    below = here;
    here = above;
    above = in[p + plane];
    out[p] = c0 * here + c1 * (below + above + in[p - 1] + in[p + 1] + in[p - nx] + in[p + nx]);
  }
}

__global__ void heat(const double* T, double* Tn, int nx, int ny, int nz, double k) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, z = blockIdx.z * blockDim.z + threadIdx.z;
  if (x > 0 && x < nx - 1 && y > 0 && y < ny - 1 && z > 0 && z < nz - 1)
    Tn[IDX(x, y, z)] = T[IDX(x, y, z)] + k * (T[IDX(x - 1, y, z)] + T[IDX(x + 1, y, z)] + T[IDX(x, y - 1, z)] + T[IDX(x, y + 1, z)] +
                                              T[IDX(x, y, z - 1)] + T[IDX(x, y, z + 1)] - 6 * T[IDX(x, y, z)]);
}
