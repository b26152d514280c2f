// What only a program that is run can have: structs declared in functions, string literals as data, members that are references,
// statements as expressions, limits of the standard library.
#include <cstdio>
#include <limits>

#include <cuda_runtime.h>

__device__ float fromBits(unsigned bits) {
  union {
    float f;
    unsigned u;
  } both;
  both.u = bits;
  return both.f;
}

template <class T> __device__ T twice(T v) {
  struct Pair {
    T first, second;
    __device__ T sum() const { return first + second; }
  };
  Pair p{v, v};
  return p.sum();
}

__device__ char digit(int v) { return "0123456789abcdef"[v & 15]; }
__device__ const char* word(bool yes) { return yes ? "yes" : "no"; }

struct Counter {
  int& held;
  int step;
  __device__ Counter(int& h, int s) : held(h), step(s) {}
  __device__ void next() { held += step; }
};
struct Guard {
  int held = 1;
  __host__ __device__ Guard() {}
  __host__ __device__ ~Guard() {}
};
struct Both {
  int& a;
  const int b;
};

__global__ void work(float* floats, int* ints, char* text) {
  int i = threadIdx.x;
  struct Local {
    int x, y;
  } mine = {i, 2 * i};
  floats[i] = fromBits(0x3f800000u + (unsigned(i) << 20)) + twice(0.5f * i);
  int total = twice(mine.x) + mine.y;
  Counter count(total, 100);
  count.next();
  Guard guard;
  Both both{total, 4 + guard.held};
  both.a += both.b;
  total += ({
    int half = i / 2;
    half * 1000;
  });
  ints[i] = total + (i == 3 ? std::numeric_limits<int>::max() - 5000 : 0);
  char label[6] = "t-";
  label[2] = digit(i);
  const char* w = word(i % 2);
  for (int k = 0; k < 3; ++k) text[8 * i + k] = label[k];
  int k = 3;
  for (; *w; ++w) text[8 * i + k++] = *w;
  text[8 * i + k] = 0;
}

int main() {
  const int n = 16;
  float* floats;
  int* ints;
  char* text;
  cudaMallocManaged(&floats, n * sizeof(float));
  cudaMallocManaged(&ints, n * sizeof(int));
  cudaMallocManaged(&text, 8 * n);
  work<<<1, n>>>(floats, ints, text);
  cudaDeviceSynchronize();
  for (int i = 0; i < n; i += 3) printf("%g %d %s\n", floats[i], ints[i], text + 8 * i);
  return 0;
}
