// Particles, and sums of many numbers: forces, moves, transforms, scans, reductions, counts.
#define BLOCK 64

__global__ void forcesTiled(const float4* body, float4* force, int n, float soft) {
  __shared__ float4 tile[BLOCK];
  int i = blockIdx.x * BLOCK + threadIdx.x;
  float4 me = i < n ? body[i] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
  float fx = 0.0f, fy = 0.0f, fz = 0.0f;
  for (int base = 0; base < n; base += BLOCK) {
    int j = base + threadIdx.x;
    tile[threadIdx.x] = j < n ? body[j] : make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    __syncthreads();
    for (int k = 0; k < BLOCK; k++) {
      float dx = tile[k].x - me.x;
      float dy = tile[k].y - me.y;
      float dz = tile[k].z - me.z;
      float inverse = rsqrtf(dx * dx + dy * dy + dz * dz + soft);
      float s = tile[k].w * inverse * inverse * inverse;
      fx += dx * s;
      fy += dy * s;
      fz += dz * s;
    }
    __syncthreads();
  }
  if (i < n) force[i] = make_float4(fx, fy, fz, 0.0f);
}

// A block is a cell of a row of cells, a thread one of its particles; cells are full.
__global__ void lennardJones(const float* px, const float* py, float* fx, float* fy, int cells, int perCell) {
  int cell = blockIdx.x;
  int i = cell * perCell + threadIdx.x;
  if (threadIdx.x >= perCell) return;
  float sumX = 0.0f;
  float sumY = 0.0f;
  for (int d = -1; d <= 1; d++) {
    int other = cell + d;
    if (other < 0 || other >= cells) continue;
    for (int k = 0; k < perCell; k++) {
      int j = other * perCell + k;
      if (j == i) continue;
      float dx = px[i] - px[j];
      float dy = py[i] - py[j];
      float r2 = 1.0f / (dx * dx + dy * dy + 0.01f);
      float r6 = r2 * r2 * r2;
      float f = 24.0f * r2 * r6 * (2.0f * r6 - 1.0f);
      sumX += f * dx;
      sumY += f * dy;
    }
  }
  fx[i] = sumX;
  fy[i] = sumY;
}

__global__ void moveVectors(float4* position, float4* velocity, const float4* force, int n, float dt) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float4 v = velocity[i];
  v.x += force[i].x * dt;
  v.y += force[i].y * dt;
  v.z += force[i].z * dt;
  velocity[i] = v;
  position[i].x += v.x * dt;
  position[i].y += v.y * dt;
  position[i].z += v.z * dt;
}

__global__ void moveArrays(float* px, float* py, float* pz, float* vx, float* vy, float* vz, const float* acc,
                           int n, float dt) {
  int stride = gridDim.x * blockDim.x;
  for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += stride) {
    vx[i] += acc[3 * i] * dt;
    vy[i] += acc[3 * i + 1] * dt;
    vz[i] += acc[3 * i + 2] * dt;
    px[i] += vx[i] * dt;
    py[i] += vy[i] * dt;
    pz[i] += vz[i] * dt;
  }
}

__global__ void butterflies(float* re, float* im, const float* wr, const float* wi, int n, int span) {
  int t = blockIdx.x * blockDim.x + threadIdx.x;
  if (t >= n / 2) return;
  int k = t % span;
  int i = t / span * 2 * span + k;
  int j = i + span;
  float xr = re[j] * wr[k] - im[j] * wi[k];
  float xi = re[j] * wi[k] + im[j] * wr[k];
  re[j] = re[i] - xr;
  im[j] = im[i] - xi;
  re[i] += xr;
  im[i] += xi;
}

__global__ void scanDoubling(const int* in, int* out, int n) {
  __shared__ int line[2][BLOCK];
  int t = threadIdx.x;
  int g = blockIdx.x * BLOCK + t;
  int from = 0;
  line[0][t] = g < n ? in[g] : 0;
  __syncthreads();
  for (int step = 1; step < BLOCK; step *= 2) {
    if (t >= step)
      line[1 - from][t] = line[from][t] + line[from][t - step];
    else
      line[1 - from][t] = line[from][t];
    from = 1 - from;
    __syncthreads();
  }
  if (g < n) out[g] = line[from][t];
}

__global__ void scanTree(const int* in, int* out, int* totals, int n) {
  __shared__ int tree[2 * BLOCK];
  int t = threadIdx.x;
  int base = blockIdx.x * 2 * BLOCK;
  tree[2 * t] = base + 2 * t < n ? in[base + 2 * t] : 0;
  tree[2 * t + 1] = base + 2 * t + 1 < n ? in[base + 2 * t + 1] : 0;
  int gap = 1;
  for (int nodes = BLOCK; nodes > 0; nodes /= 2) {
    __syncthreads();
    if (t < nodes) tree[gap * (2 * t + 2) - 1] += tree[gap * (2 * t + 1) - 1];
    gap *= 2;
  }
  if (t == 0) {
    totals[blockIdx.x] = tree[2 * BLOCK - 1];
    tree[2 * BLOCK - 1] = 0;
  }
  for (int nodes = 1; nodes <= BLOCK; nodes *= 2) {
    gap /= 2;
    __syncthreads();
    if (t < nodes) {
      int left = tree[gap * (2 * t + 1) - 1];
      tree[gap * (2 * t + 1) - 1] = tree[gap * (2 * t + 2) - 1];
      tree[gap * (2 * t + 2) - 1] += left;
    }
  }
  __syncthreads();
  if (base + 2 * t < n) out[base + 2 * t] = tree[2 * t];
  if (base + 2 * t + 1 < n) out[base + 2 * t + 1] = tree[2 * t + 1];
}

__global__ void sumHalving(const float* in, float* partial, int n) {
  __shared__ float part[BLOCK];
  int t = threadIdx.x;
  float sum = 0.0f;
  for (int i = blockIdx.x * BLOCK + t; i < n; i += gridDim.x * BLOCK) sum += in[i];
  part[t] = sum;
  __syncthreads();
  for (int half = BLOCK / 2; half > 0; half /= 2) {
    if (t < half) part[t] += part[t + half];
    __syncthreads();
  }
  if (t == 0) partial[blockIdx.x] = part[0];
}

__global__ void sumPartials(const float* partial, float* total, int count) {
  __shared__ float part[32];
  float sum = 0.0f;
  for (int i = threadIdx.x; i < count; i += 32) sum += partial[i];
  part[threadIdx.x] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int k = 1; k < 32; k++) sum += part[k];
    total[0] = sum;
  }
}

// Each warp sums a chunk of its own, lane by lane.
__global__ void sumChunks(const float* in, float* sums, int n, int chunk) {
  __shared__ float lanes[BLOCK];
  int lane = threadIdx.x % 32;
  int warp = threadIdx.x / 32;
  int w = blockIdx.x * (BLOCK / 32) + warp;
  float sum = 0.0f;
  for (int k = lane; k < chunk; k += 32)
    if (w * chunk + k < n) sum += in[w * chunk + k];
  lanes[threadIdx.x] = sum;
  __syncthreads();
  if (lane == 0) {
    float all = 0.0f;
    for (int k = 0; k < 32; k++) all += lanes[warp * 32 + k];
    sums[w] = all;
  }
}

// Bins by place, not by value: bin b gathers the elements b, b + 16, b + 32, ...
__global__ void binByPlace(const int* in, int* bins, int n) {
  __shared__ int count[16][17];
  int b = threadIdx.x;
  int r = threadIdx.y;
  count[r][b] = 0;
  for (int i = r * 16 + b; i < n; i += 256) count[r][b] += in[i];
  __syncthreads();
  if (r == 0) {
    int sum = 0;
    for (int k = 0; k < 16; k++) sum += count[k][b];
    bins[b] = sum;
  }
}
