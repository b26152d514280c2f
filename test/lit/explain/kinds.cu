// What kind of kernel each is, by which elements it names and what its loops carry; none by its name.
// RUN: %hone explain %s | FileCheck %s
// RUN: %hone explain %s --kernel k1 --json - | FileCheck --check-prefix=JSON %s
// JSON: "kind": "elementwise",
// JSON-NEXT: "kind_reason": "each element of `out` comes from those at its place",
// JSON-NEXT: "roof": {
// JSON-NEXT: "bound": "DRAM",
// JSON: "floor_us":
// JSON: "estimated_us":
// JSON: "share":
// RUN: %hone survey %s --facts --json - | FileCheck --check-prefix=SURVEY %s
// SURVEY: "kind": "elementwise",
// SURVEY: "kind": "row reduction",

// CHECK: kernel `k1`
// CHECK-NEXT: kind {{ *}}elementwise: each element of `out` comes from those at its place
// CHECK-NEXT: roof {{.*}} MB at {{[0-9]+}} GB/s; estimated {{.*}} of what the roof
__global__ void k1(const float* a, const float* b, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = a[i] * b[i] + b[i];
}

// CHECK: kernel `k2`
// CHECK-NEXT: kind {{ *}}row reduction: each value of `out` comes from many of `a` that lie next to each other
__global__ void k2(const float* a, float* out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float most = a[row * columns];
  for (int i = 1; i < columns; ++i)
    if (a[row * columns + i] > most) most = a[row * columns + i];
  out[row] = most;
}

// A block a row, whose threads hand their sums to each other.
// CHECK: kernel `k3`
// CHECK-NEXT: kind {{ *}}row reduction
__global__ void k3(const float* a, float* out, int columns) {
  __shared__ float part[256];
  float sum = 0;
  for (int i = threadIdx.x; i < columns; i += 256) sum += a[blockIdx.x * columns + i];
  part[threadIdx.x] = sum;
  __syncthreads();
  for (int s = 128; s > 0; s /= 2) {
    if (threadIdx.x < s) part[threadIdx.x] += part[threadIdx.x + s];
    __syncthreads();
  }
  for (int i = threadIdx.x; i < columns; i += 256) out[blockIdx.x * columns + i] = a[blockIdx.x * columns + i] / part[0];
}
void launch3(const float* a, float* out) { k3<<<1024, 256>>>(a, out, 1000); }

// A warp a row, lanes exchanged; the row is a digit of the thread's number.
// CHECK: kernel `k4`
// CHECK-NEXT: kind {{ *}}row reduction
__global__ void k4(const float* a, float* out, int rows, int columns) {
  int row = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x % 32;
  if (row >= rows) return;
  float sum = 0;
  for (int i = lane; i < columns; i += 32) sum += a[row * columns + i];
  for (int s = 16; s > 0; s /= 2) sum += __shfl_xor_sync(0xffffffff, sum, s);
  if (lane == 0) out[row] = sum;
}

// CHECK: kernel `k5`
// CHECK-NEXT: kind {{ *}}column reduction: each value of `out` comes from many of `a` that lie apart
__global__ void k5(const float* a, float* out, int rows, int columns) {
  int column = blockIdx.x * blockDim.x + threadIdx.x;
  if (column >= columns) return;
  float sum = 0;
  for (int row = 0; row < rows; ++row) sum += a[row * columns + column];
  out[column] = sum;
}

// Columns of a block side by side, its rows added up in shared memory.
// CHECK: kernel `k6`
// CHECK-NEXT: kind {{ *}}column reduction
__global__ void k6(const float* a, float* out, int rows, int columns) {
  __shared__ float part[8][32];
  int column = blockIdx.x * 32 + threadIdx.x;
  float sum = 0;
  for (int row = threadIdx.y; row < rows; row += 8) sum += a[row * columns + column];
  part[threadIdx.y][threadIdx.x] = sum;
  __syncthreads();
  for (int s = 4; s > 0; s /= 2) {
    if (threadIdx.y < s) part[threadIdx.y][threadIdx.x] += part[threadIdx.y + s][threadIdx.x];
    __syncthreads();
  }
  if (threadIdx.y == 0) out[column] = part[0][threadIdx.x];
}
void launch6(const float* a, float* out) { k6<<<32, dim3(32, 8)>>>(a, out, 1000, 1024); }

// CHECK: kernel `k7`
// CHECK-NEXT: kind {{ *}}stencil: elements of `a` are loaded at several distances
__global__ void k7(const float* a, float* out, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1)
    out[y * w + x] = a[(y - 1) * w + x] + a[(y + 1) * w + x] + a[y * w + x - 1] + a[y * w + x + 1];
}

// Neighbours that a loop walks over, kept inside by conditions.
// CHECK: kernel `k8`
// CHECK-NEXT: kind {{ *}}stencil
__global__ void k8(const float* a, const float* weights, float* out, int n, int radius) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float sum = 0;
  for (int j = -radius; j <= radius; ++j) {
    int at = i + j < 0 ? 0 : i + j;
    sum += weights[j + radius] * a[at];
  }
  out[i] = sum;
}

// CHECK: kernel `k9`
// CHECK-NEXT: kind {{ *}}product: sums over `a` and `b`, each of which serves sums that the other does not
__global__ void k9(const float* a, const float* b, float* out, int m, int n, int k) {
  int id = blockIdx.x * blockDim.x + threadIdx.x;
  int row = id / n, column = id % n;
  if (row >= m) return;
  float sum = 0;
  for (int i = 0; i < k; ++i) sum += a[row * k + i] * b[i * n + column];
  out[row * n + column] = sum;
}

// The same from tiles in shared memory.
// CHECK: kernel `k10`
// CHECK-NEXT: kind {{ *}}product
__global__ void k10(const float* a, const float* b, float* out, int n) {
  __shared__ float as[16][16], bs[16][16];
  int x = blockIdx.x * 16 + threadIdx.x, y = blockIdx.y * 16 + threadIdx.y;
  float sum = 0;
  for (int t = 0; t < n; t += 16) {
    as[threadIdx.y][threadIdx.x] = a[y * n + t + threadIdx.x];
    bs[threadIdx.y][threadIdx.x] = b[(t + threadIdx.y) * n + x];
    __syncthreads();
    for (int i = 0; i < 16; ++i) sum += as[threadIdx.y][i] * bs[i][threadIdx.x];
    __syncthreads();
  }
  out[y * n + x] = sum;
}
void launch10(const float* a, const float* b, float* out) { k10<<<dim3(16, 16), dim3(16, 16)>>>(a, b, out, 256); }

// CHECK: kernel `k11`
// CHECK-NEXT: kind {{ *}}scan: each iteration of L1 stores to `out` what it carries on
__global__ void k11(const float* a, float* out, int rows, int columns) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = 0; i < columns; ++i) {
    sum += a[row * columns + i];
    out[row * columns + i] = sum;
  }
}

// CHECK: kernel `k13`
// CHECK-NEXT: kind {{ *}}scatter: loaded values say which element of `bins` is written
__global__ void k13(const int* a, int* bins, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) atomicAdd(&bins[a[i] & 255], 1);
}

// CHECK: kernel `k14`
// CHECK-NEXT: kind {{ *}}gather: loaded values say which element of `table` is read
__global__ void k14(const float* table, const int* list, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = table[list[i]];
}

// A transpose by way of a tile.
// CHECK: kernel `k15`
// CHECK-NEXT: kind {{ *}}permutation: elements of `a` lie in another order in `out`: rows and columns change places
__global__ void k15(const float* a, float* out, int w, int h) {
  __shared__ float tile[32][33];
  int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) tile[threadIdx.y + j][threadIdx.x] = a[(y + j) * w + x];
  __syncthreads();
  x = blockIdx.y * 32 + threadIdx.x, y = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) out[(y + j) * h + x] = tile[threadIdx.x][threadIdx.y + j];
}
void launch15(const float* a, float* out) { k15<<<dim3(32, 32), dim3(32, 8)>>>(a, out, 1024, 1024); }

// Heads before positions, by a flat id taken apart.
// CHECK: kernel `k16`
// CHECK-NEXT: kind {{ *}}permutation
__global__ void k16(const float* a, float* out, int length, int heads, int size, int all) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= all) return;
  int b = i / (heads * length * size), rest = i % (heads * length * size);
  int h = rest / (length * size);
  rest = rest % (length * size);
  int t = rest / size, s = rest % size;
  out[i] = a[((b * length + t) * heads + h) * size + s];
}

// Sums over what loaded indices name, of rows whose length was loaded, are several things at once.
// CHECK: kernel `k17`
// CHECK-NEXT: kind {{ *}}mixed: sums of elements of `{{values|x}}` that loaded values name
__global__ void k17(const int* begin, const int* columns, const float* values, const float* x, float* y, int rows) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= rows) return;
  float sum = 0;
  for (int i = begin[row]; i < begin[row + 1]; ++i) sum += values[i] * x[columns[i]];
  y[row] = sum;
}

// Every thread adds up what all others do.
// CHECK: kernel `k18`
// CHECK-NEXT: kind {{ *}}mixed: each sum of `force` goes over the same elements of `place`
__global__ void k18(const float* place, float* force, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float own = place[i], sum = 0;
  for (int j = 0; j < n; ++j) sum += 1.0f / (1.0f + (place[j] - own) * (place[j] - own));
  force[i] = sum;
}

// An iteration on a value of one's own adds nothing up.
// CHECK: kernel `k19`
// CHECK-NEXT: kind {{ *}}elementwise
__global__ void k19(const float* a, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = a[i];
  for (int j = 0; j < 20; ++j) x = x * x - 0.5f;
  out[i] = x;
}

// CHECK: kernel `k20`
// CHECK-NEXT: kind {{ *}}none: it stores nothing
// CHECK-NEXT: roof {{ *}}not known: the blocks that were looked at touch no global memory
__global__ void k20(int n) {
  __shared__ int part[32];
  part[threadIdx.x & 31] = n;
}

// Sums of what lies before, in steps whose value goes through a condition, and in a tree that is walked up and
// down: not elementwise, whatever else.
// CHECK: kernel `k40`
// CHECK-NEXT: kind {{ *}}none: what `part` holds once its elements were combined is not known
__global__ void k40(const int* a, int* out) {
  __shared__ int part[256];
  int t = threadIdx.x;
  part[t] = a[blockIdx.x * 256 + t];
  __syncthreads();
  for (int s = 1; s < 256; s *= 2) {
    int v = t >= s ? part[t - s] : 0;
    __syncthreads();
    part[t] += v;
    __syncthreads();
  }
  out[blockIdx.x * 256 + t] = part[t];
}

// CHECK: kernel `k41`
// CHECK-NEXT: kind {{ *}}none: what `part` holds once its elements were combined is not known
__global__ void k41(const float* a, float* out, int n) {
  extern __shared__ float part[];
  int t = threadIdx.x, offset = 1;
  part[t] = a[t];
  part[t + n / 2] = a[t + n / 2];
  for (int d = n >> 1; d > 0; d >>= 1) {
    __syncthreads();
    if (t < d) part[offset * (2 * t + 2) - 1] += part[offset * (2 * t + 1) - 1];
    offset *= 2;
  }
  __syncthreads();
  out[t] = part[t];
  out[t + n / 2] = part[t + n / 2];
}
