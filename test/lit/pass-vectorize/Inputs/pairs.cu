// Interleaved complex numbers: two loads side by side.
__global__ void magnitude(const float* z, float* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float re = z[2 * i], im = z[2 * i + 1];
    o[i] = re * re + im * im;
  }
}

// The second comes first, and one of them twice.
__global__ void turned(const double* z, double* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) o[i] = z[2 * i + 1] - z[2 * i] * z[2 * i + 1];
}

// Loads and stores in place.
__global__ void rotate(float* z, float c, float s, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float re = z[2 * i], im = z[2 * i + 1];
    z[2 * i] = c * re - s * im;
    z[2 * i + 1] = s * re + c * im;
  }
}

// Four bytes; rows as long as the launch says.
__global__ void brighten(const unsigned char* a, unsigned char* b, int w, int h) {
  int x = 4 * (blockIdx.x * blockDim.x + threadIdx.x), y = blockIdx.y;
  if (x + 3 < w && y < h) {
    unsigned char p = a[y * w + x], q = a[y * w + x + 1], r = a[y * w + x + 2], s = a[y * w + x + 3];
    b[y * w + x] = p + 1;
    b[y * w + x + 1] = q + 1;
    b[y * w + x + 2] = r + 1;
    b[y * w + x + 3] = s + 1;
  }
}

// Stores with other work between them.
__global__ void spread(const int* __restrict__ a, int* __restrict__ b, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  b[2 * i] = a[i];
  int more = a[i] * 3;
  b[2 * i + 1] = more;
}

// A loop of four iterations, guarded by the element: a wide access where all four exist.
__global__ void scale(const float* __restrict__ a, float* __restrict__ b, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < 4; ++r) {
    int x = 4 * t + r;
    if (x < n) b[x] = 2.0f * a[x];
  }
}

// The same, arrays that may overlap, more iterations than one access holds, and both ends of the guard.
__global__ void inner(const double* a, double* b, int first, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  for (int r = 0; r < 8; ++r) {
    int x = 8 * t + r;
    if (x >= first && x < n) b[x] += a[x] * a[x];
  }
}

// A condition as a selection; sums in order.
__global__ void sums(const float* __restrict__ a, float* o, int n) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  float sum = 0.0f;
  for (int r = 0; r < 4; ++r) sum += 4 * t + r < n ? a[4 * t + r] : 0.0f;
  if (4 * t < n) o[t] = sum;
}

// Shared memory: the tile must begin at a multiple of 16 bytes.
__global__ void reversed(const float* a, float* b) {
  __shared__ float pad[3];
  __shared__ float t[256];
  pad[threadIdx.x % 3] = 0.0f;
  t[threadIdx.x] = a[blockIdx.x * 256 + threadIdx.x];
  __syncthreads();
  if (threadIdx.x < 64) {
    float sum = pad[threadIdx.x % 3];
    for (int k = 0; k < 4; ++k) sum += t[4 * (63 - threadIdx.x) + k];
    b[blockIdx.x * 64 + threadIdx.x] = sum;
  }
}

// A grid-stride loop: the stride takes part in where accesses begin.
__global__ void strided(const float* z, float* o, int n) {
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    o[i] = z[2 * i] + z[2 * i + 1];
}
