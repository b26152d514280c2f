// One step of the heat equation on a grid with a fixed border: five points, double precision.
__device__ double laplacian(double up, double left, double mid, double right, double down) {
  return up + left + right + down - 4.0 * mid;
}

__global__ void heat(const double* __restrict__ now, double* __restrict__ next, int nx, int ny, double rate) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < 1 || x >= nx - 1 || y < 1 || y >= ny - 1) return;
  int at = y * nx + x;
  next[at] = now[at] + rate * laplacian(now[at - nx], now[at - 1], now[at], now[at + 1], now[at + nx]);
}

void step(const double* now, double* next, int nx, int ny, double rate) {
  dim3 block(32, 8), grid((nx + 31) / 32, (ny + 7) / 8);
  heat<<<grid, block>>>(now, next, nx, ny, rate);
}
