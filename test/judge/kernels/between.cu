// Stores between loads of neighbouring elements: what is loaded after them must not be loaded before.

// grid: (n + 31) / 32
// block: 32
// set: n=32
// set: n=100
// recipe: vectorize
// recipe: merge-threads(x=2) vectorize
__global__ void perhaps(float* a, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float t = a[4 * i];
    if (t > 0.0f) a[4 * i + 1] = 0.25f;
    float u = a[4 * i + 1], v = a[4 * i + 2], w = a[4 * i + 3];
    a[4 * i] = t + u;
    a[4 * i + 1] = u * 0.5f;
    a[4 * i + 2] = v + w;
    a[4 * i + 3] = w * 0.5f;
  }
}

// grid: (n + 31) / 32
// block: 32
// set: n=32
// set: n=100
// recipe: vectorize
__global__ void always(float* a, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float t = a[2 * i];
    a[2 * i + 1] = t + 1.0f;
    float u = a[2 * i + 1];
    c[i] = t * u;
  }
}

// grid: (n + 31) / 32
// block: 32
// set: n=32
// set: n=100
// recipe: vectorize
__global__ void compound(unsigned* a, unsigned* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    unsigned t = a[2 * i];
    a[2 * i + 1] ^= t;
    c[i] = t + a[2 * i + 1];
  }
}

// grid: (n + 31) / 32
// block: 32
// set: n=32
// set: n=100
// recipe: vectorize
__global__ void inLoop(float* a, float* c, int n, int m) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float t = a[2 * i];
    for (int k = 0; k < m; ++k) a[2 * i + 1] += t;
    c[i] = t * a[2 * i + 1];
  }
}

__device__ void store(float* at, float value) { *at = value; }

// grid: (n + 31) / 32
// block: 32
// set: n=32
// set: n=100
// recipe: vectorize
// recipe: inline(all=1) vectorize
__global__ void called(float* a, float* c, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    float t = a[2 * i];
    store(a + 2 * i + 1, t * 3.0f);
    c[i] = t * a[2 * i + 1];
  }
}

// grid: (n + 31) / 32
// block: 32
// set: n=64
// recipe: vectorize
__global__ void shared(const float* in, float* out, int n) {
  __shared__ float s[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x, at = 2 * threadIdx.x;
  s[at] = i < n ? in[i] : 0.0f;
  s[at + 1] = 1.0f;
  float t = s[at];
  if (t > 0.0f) s[at + 1] = 2.0f;
  float u = s[at + 1];
  if (i < n) out[i] = t * u;
}
