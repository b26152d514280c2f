// Structs passed by value, nested structs, struct assignment and struct-returning device functions.
struct Range {
  float lo, hi;
};

struct Params {
  int width, height;
  Range range;
  float weights[3];
};

struct Sample {
  float value;
  int index;
};

__device__ Sample better(Sample a, Sample b) {
  return a.value > b.value ? a : b;
}

__global__ void normalize(Params p, const float* in, float* out) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= p.width || y >= p.height) return;
  float v = in[y * p.width + x];
  v = (v - p.range.lo) / (p.range.hi - p.range.lo);
  out[y * p.width + x] = p.weights[0] + p.weights[1] * v + p.weights[2] * v * v;
}

__global__ void argmaxRows(const float* m, Sample* best, const Params p) {
  int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row < p.height) {
    Sample s;
    s.value = m[row * p.width];
    s.index = 0;
    for (int c = 1; c < p.width; ++c) {
      Sample t = {m[row * p.width + c], c};
      s = better(s, t);
    }
    best[row] = s;
  }
}
