// Operands and arguments whose effects change what stands to their left: from left to right, as nvcc and Clang do it.

struct Counter {
  int n;
  __device__ int next() { return ++n; }
};
__device__ int inc(int& x) { return ++x; }
__device__ int both(int a, int b) { return a * 100 + b; }
__device__ int three(int a, const int& b, int c) { return a * 10000 + b * 100 + c; }

// grid: 2
// block: 64
// set: n=100
// recipe: block(x=32)
__global__ void operands(int* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = i;
  Counter c;
  c.n = i % 7;
  int s = x * 100 + inc(x);
  s += (c.n * 3 - c.next()) * 7;
  s ^= (x < inc(x)) << 5;
  o[i] = s + x * 11 + c.n;
}

// grid: 2
// block: 64
// set: n=100
// recipe: block(x=32)
__global__ void arguments(int* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = i % 9, y = 2;
  int* p = &y;
  int s = both(x, inc(x));
  s += max(x + 1, inc(x)) * 3;
  s += three(x, y, inc(x)) * 5;
  s -= y * 2 + inc(*p);
  o[i] = s + x * 11 + y;
}

// grid: 2
// block: 64
// set: n=100
// recipe: block(x=32)
__global__ void memory(int* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  o[i] = i;
  int s = o[i] * 10 + inc(o[i]);
  s += o[i] * 10 + atomicAdd(&o[i], 5);
  o[i] = s + o[i];
}

// Variables of the thread's own, assigned and stepped in the expression itself.
// grid: 2
// block: 64
// set: n=100
// recipe: block(x=32)
__global__ void stepped(int* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  int x = i;
  int s = both(x, x++) + both(x++, x) * 3;
  s += max(x, x--) * 5 - three(x, ++x, x) * 7;
  s ^= both(x, x = 7) + both(x -= 3, x);
  int t[4] = {1, 2, 3, 4}, k = 0;
  s += t[k] * 100 + t[++k] + both(t[k], t[1] = 9);
  o[i] = s + x * 11 + k;
}

// grid: 2
// block: 64
// set: n=100
// recipe: block(x=32)
__global__ void floats(float* o, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  float x = i;
  o[i] = fmaf(x, x++, x) + fmaxf(x, --x);
}
