// Pointers to functions as values: in tables, in structs, given by the host, and passed on.
// RUN: %hone run %s | FileCheck %s
// CHECK: tables 0
// CHECK-NEXT: given 0
// CHECK-NEXT: passed 0
// RUN: not %hone run %s -- host 2>&1 | FileCheck --check-prefix=HOST %s
// HOST: function_pointers.cu:[[#@LINE+18]]: {{.*}}bad call{{.*}}was its address taken on the host?
#include <cstdio>

#define BOTH __host__ __device__

typedef float (*Operation)(float, int);

BOTH float add(float x, int n) { return x + n; }
BOTH float scale(float x, int n) { return x * n; }
BOTH float power(float x, int n) { return n <= 0 ? 1 : x * power(x, n - 1); }
BOTH double other(float x, int n) { return x - n; }

__device__ Operation table[] = {add, &scale, power};
__device__ Operation chosen = scale;
__device__ Operation none;
__device__ double (*unlike)(float, int) = other;

__global__ void given(Operation op, float* x) {
  x[threadIdx.x] = (*op)(x[threadIdx.x], threadIdx.x % 4);
}

__global__ void tables(float* x) {
  const int t = threadIdx.x;
  x[t] = table[t % 3](x[t], t % 5);
  if (none == nullptr && unlike && chosen) x[t] += float(unlike(x[t], t));
}

struct Step {
  Operation op;
  int n;
};
BOTH float apply(const Step* steps, int count, float x) {
  for (int i = 0; i < count; ++i)
    if (steps[i].op) x = steps[i].op(x, steps[i].n);
  return x;
}
__global__ void passed(float* x) {
  const int t = threadIdx.x;
  Step steps[3] = {{add, t}, {t % 2 ? scale : nullptr, 3}, {power, t % 3}};
  if (t == 7) steps[1].op = add;
  x[t] = apply(steps, 3, x[t]);
}

constexpr int threads = 64;
int wrong(const float* device, float (*expected)(int)) {
  float x[threads];
  cudaMemcpy(x, device, sizeof x, cudaMemcpyDeviceToHost);
  int count = 0;
  for (int t = 0; t < threads; ++t) count += x[t] != expected(t);
  return count;
}

float start(int t) { return 1 + 0.5f * t; }

int main(int argc, char**) {
  float *x, initial[threads];
  cudaMalloc(&x, sizeof initial);
  for (int t = 0; t < threads; ++t) initial[t] = start(t);
  cudaMemcpy(x, initial, sizeof initial, cudaMemcpyHostToDevice);
  if (argc > 1) {
    given<<<1, threads>>>(add, x);
    return cudaDeviceSynchronize() != cudaSuccess;
  }
  tables<<<1, threads>>>(x);
  std::printf("tables %d\n", wrong(x, [](int t) {
    const Operation ops[] = {add, scale, power};
    const float y = ops[t % 3](start(t), t % 5);
    return y + float(other(y, t));
  }));
  Operation op;
  cudaMemcpyFromSymbol(&op, chosen, sizeof op);
  cudaMemcpy(x, initial, sizeof initial, cudaMemcpyHostToDevice);
  given<<<1, threads>>>(op, x);
  std::printf("given %d\n", wrong(x, [](int t) { return scale(start(t), t % 4); }));
  cudaMemcpy(x, initial, sizeof initial, cudaMemcpyHostToDevice);
  passed<<<1, threads>>>(x);
  std::printf("passed %d\n", wrong(x, [](int t) {
    float y = add(start(t), t);
    if (t == 7) y = add(y, 3);
    else if (t % 2) y = scale(y, 3);
    return power(y, t % 3);
  }));
  cudaFree(x);
}
