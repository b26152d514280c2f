// Stencils that load a tile with its halo into shared memory first.
#define TILE 16
#define RADIUS 3
#define SEGMENT 64

__global__ void heatHalo(const float* in, float* out, int w, int h, float k) {
  __shared__ float tile[TILE + 2][TILE + 2];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int x = blockIdx.x * TILE + tx;
  int y = blockIdx.y * TILE + ty;
  bool inside = x < w && y < h;
  tile[ty + 1][tx + 1] = inside ? in[y * w + x] : 0.0f;
  if (tx == 0) tile[ty + 1][0] = x > 0 && inside ? in[y * w + x - 1] : 0.0f;
  if (tx == TILE - 1) tile[ty + 1][TILE + 1] = x + 1 < w && y < h ? in[y * w + x + 1] : 0.0f;
  if (ty == 0) tile[0][tx + 1] = y > 0 && inside ? in[(y - 1) * w + x] : 0.0f;
  if (ty == TILE - 1) tile[TILE + 1][tx + 1] = x < w && y + 1 < h ? in[(y + 1) * w + x] : 0.0f;
  __syncthreads();
  if (inside) {
    float here = tile[ty + 1][tx + 1];
    out[y * w + x] = here + k * (tile[ty + 1][tx] + tile[ty + 1][tx + 2] + tile[ty][tx + 1] +
                                 tile[ty + 2][tx + 1] - 4.0f * here);
  }
}

__global__ void jacobiTile(const float* a, const float* rhs, float* b, int w, int h) {
  __shared__ float tile[(8 + 2) * (8 + 2)];
  int x0 = blockIdx.x * 8 - 1;
  int y0 = blockIdx.y * 8 - 1;
  for (int k = threadIdx.y * 8 + threadIdx.x; k < 100; k += 64) {
    int gx = x0 + k % 10;
    int gy = y0 + k / 10;
    tile[k] = gx >= 0 && gy >= 0 && gx < w && gy < h ? a[gy * w + gx] : 0.0f;
  }
  __syncthreads();
  int x = blockIdx.x * 8 + threadIdx.x;
  int y = blockIdx.y * 8 + threadIdx.y;
  int t = (threadIdx.y + 1) * 10 + threadIdx.x + 1;
  if (x < w && y < h)
    b[y * w + x] = 0.25f * (tile[t - 1] + tile[t + 1] + tile[t - 10] + tile[t + 10] - rhs[y * w + x]);
}

__global__ void lineStencil(const float* in, float* out, int n) {
  __shared__ float line[SEGMENT + 2 * RADIUS];
  int g = blockIdx.x * SEGMENT + threadIdx.x;
  int l = threadIdx.x + RADIUS;
  line[l] = g < n ? in[g] : 0.0f;
  if (threadIdx.x < RADIUS) {
    line[l - RADIUS] = g >= RADIUS && g - RADIUS < n ? in[g - RADIUS] : 0.0f;
    line[l + SEGMENT] = g + SEGMENT < n ? in[g + SEGMENT] : 0.0f;
  }
  __syncthreads();
  if (g >= n) return;
  float sum = 0.0f;
  for (int o = -RADIUS; o <= RADIUS; o++) sum += line[l + o];
  out[g] = sum / (2 * RADIUS + 1);
}

// The tile holds one plane; the neighbours above and below travel in registers.
__global__ void marchPlanes(const float* in, float* out, int nx, int ny, int nz) {
  __shared__ float plane[8][8];
  int tx = threadIdx.x;
  int ty = threadIdx.y;
  int x = blockIdx.x * 6 + tx;
  int y = blockIdx.y * 6 + ty;
  bool inside = x < nx && y < ny;
  bool centre = tx > 0 && ty > 0 && tx < 7 && ty < 7 && x < nx - 1 && y < ny - 1;
  float below = inside ? in[y * nx + x] : 0.0f;
  float here = inside ? in[(ny + y) * nx + x] : 0.0f;
  for (int z = 1; z < nz - 1; z++) {
    float above = inside ? in[((z + 1) * ny + y) * nx + x] : 0.0f;
    plane[ty][tx] = here;
    __syncthreads();
    if (centre)
      out[(z * ny + y) * nx + x] =
          0.4f * here + 0.1f * (below + above + plane[ty][tx - 1] + plane[ty][tx + 1] + plane[ty - 1][tx] +
                                plane[ty + 1][tx]);
    __syncthreads();
    below = here;
    here = above;
  }
}
