// Random numbers made by the host: distributions, offsets, Sobol's first numbers, and what is refused.
// RUN: not %hone run %s 2>&1 | FileCheck %s
// CHECK: at most 10 dimensions here, and the program asks for 11
// CHECK-NEXT: uniform 1 1, in (0, 1]
// CHECK-NEXT: normal 1 1
// CHECK-NEXT: poisson 1 1
// CHECK-NEXT: the same again 1, from the middle 1, with another seed 0, on the host 1
// CHECK-NEXT: sobol 0.5 0.75 0.25 0.375, second 0.5 0.25 0.75 0.375, third 0.5 0.25 0.75 0.625
// CHECK-NEXT: pi 1
// CHECK-NEXT: odd count 105, too many dimensions 104, host pointer 201
// CHECK: error: wild pointer: a generator of the device is handed an address that is not the device's
#include <curand.h>

#include <cmath>
#include <cstdio>
#include <vector>

static const int n = 40000;

template <class T> std::vector<T> back(const T* p, int count = n) {
  std::vector<T> v(count);
  cudaMemcpy(v.data(), p, count * sizeof(T), cudaMemcpyDeviceToHost);
  return v;
}
template <class T> void moments(const std::vector<T>& v, double& mean, double& variance) {
  double sum = 0, squares = 0;
  for (T x : v) sum += x, squares += double(x) * x;
  mean = sum / v.size();
  variance = squares / v.size() - mean * mean;
}
static int near(double x, double y, double tolerance) { return std::abs(x - y) < tolerance; }

int main() {
  float *f, *g;
  unsigned* u;
  cudaMalloc(&f, n * sizeof(float));
  cudaMalloc(&g, n * sizeof(float));
  cudaMalloc(&u, n * sizeof(unsigned));
  curandGenerator_t random, other, sobol;
  curandCreateGenerator(&random, CURAND_RNG_PSEUDO_DEFAULT);
  curandSetPseudoRandomGeneratorSeed(random, 1234);
  curandCreateGenerator(&sobol, CURAND_RNG_QUASI_SOBOL32);
  const int tooMany = curandSetQuasiRandomGeneratorDimensions(sobol, 11);
  fflush(stderr);

  double mean, variance;
  curandGenerateUniform(random, f, n);
  auto first = back(f);
  moments(first, mean, variance);
  bool inside = true;
  for (float x : first) inside &= x > 0 && x <= 1;
  printf("uniform %d %d, %s\n", near(mean, 0.5, 0.01), near(variance, 1 / 12.0, 0.005), inside ? "in (0, 1]" : "outside");
  curandGenerateNormal(random, f, n, 3, 2);
  moments(back(f), mean, variance);
  printf("normal %d %d\n", near(mean, 3, 0.05), near(variance, 4, 0.15));
  curandGeneratePoisson(random, u, n, 6);
  moments(back(u), mean, variance);
  printf("poisson %d %d\n", near(mean, 6, 0.1), near(variance, 6, 0.3));

  curandSetGeneratorOffset(random, 0);
  curandGenerateUniform(random, f, n);
  const int same = back(f) == first;
  curandSetGeneratorOffset(random, 1001);
  curandGenerateUniform(random, g, 8);
  const int middle = back(g, 8) == std::vector<float>(first.begin() + 1001, first.begin() + 1009);
  curandCreateGeneratorHost(&other, CURAND_RNG_PSEUDO_DEFAULT);
  curandSetPseudoRandomGeneratorSeed(other, 1235);
  std::vector<float> here(n);
  curandGenerateUniform(other, here.data(), n);
  const int different = here == first;
  curandSetPseudoRandomGeneratorSeed(other, 1234);
  curandSetGeneratorOffset(other, 0);
  curandGenerateUniform(other, here.data(), n);
  printf("the same again %d, from the middle %d, with another seed %d, on the host %d\n", same, middle, different, here == first);

  curandSetQuasiRandomGeneratorDimensions(sobol, 3);
  curandSetGeneratorOffset(sobol, 1);
  curandGenerateUniform(sobol, f, 12);
  auto s = back(f, 12);
  printf("sobol %g %g %g %g, second %g %g %g %g, third %g %g %g %g\n", s[0], s[1], s[2], s[3], s[4], s[5], s[6], s[7], s[8], s[9],
         s[10], s[11]);
  curandSetQuasiRandomGeneratorDimensions(sobol, 2);
  curandSetGeneratorOffset(sobol, 0);
  curandGenerateUniform(sobol, f, n);
  auto points = back(f);
  int hits = 0;
  for (int i = 0; i < n / 2; ++i) hits += points[i] * points[i] + points[n / 2 + i] * points[n / 2 + i] < 1;
  printf("pi %d\n", near(4.0 * hits / (n / 2), 3.14159, 0.003));
  const int odd = curandGenerateNormal(random, f, 7, 0, 1), wild = curandGenerateUniform(random, here.data(), 8);
  printf("odd count %d, too many dimensions %d, host pointer %d\n", odd, tooMany, wild);
}
