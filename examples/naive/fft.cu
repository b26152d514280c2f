// Fourier transform of complex numbers that lie interleaved, in steps over pairs (Stockham's order, so that nothing need
// be put in place afterwards): one launch per step, one thread per pair. The length must be a power of two.
//   fft [length]
#include <cuda_runtime.h>

#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

// Joins transforms of p numbers each to transforms of 2 * p.
#pragma hone set(p=4)
__global__ void fft_step(const float* in, float* out, int n, int p) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n / 2) return;
  int k = i % p;
  float angle = -3.14159265f * k / p;
  float c = cosf(angle), s = sinf(angle);
  float re = in[2 * i], im = in[2 * i + 1];
  float otherRe = in[2 * (i + n / 2)], otherIm = in[2 * (i + n / 2) + 1];
  float turnedRe = c * otherRe - s * otherIm, turnedIm = c * otherIm + s * otherRe;
  int j = 2 * i - k;
  out[2 * j] = re + turnedRe;
  out[2 * j + 1] = im + turnedIm;
  out[2 * (j + p)] = re - turnedRe;
  out[2 * (j + p) + 1] = im - turnedIm;
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "fft: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

// The same in double precision, halves first.
static void transform(std::vector<std::complex<double>>& z) {
  size_t half = z.size() / 2;
  if (half == 0) return;
  std::vector<std::complex<double>> even(half), odd(half);
  for (size_t i = 0; i < half; ++i) even[i] = z[2 * i], odd[i] = z[2 * i + 1];
  transform(even);
  transform(odd);
  for (size_t i = 0; i < half; ++i) {
    std::complex<double> turned = std::polar(1.0, -M_PI * double(i) / double(half)) * odd[i];
    z[i] = even[i] + turned;
    z[i + half] = even[i] - turned;
  }
}

int main(int argc, char** argv) {
  int n = argc > 1 ? std::atoi(argv[1]) : 16384;
  if (n < 1 || (n & (n - 1)) != 0) {
    std::fprintf(stderr, "fft: the length must be a power of two\n");
    return 2;
  }
  std::vector<float> z(size_t(2) * n), result(z.size());
  for (size_t i = 0; i < z.size(); ++i) z[i] = (float(i * 2654435761u >> 8 & 255) - 127) / 128;

  float *in, *out;
  check(cudaMalloc(&in, z.size() * sizeof(float)));
  check(cudaMalloc(&out, z.size() * sizeof(float)));
  check(cudaMemcpy(in, z.data(), z.size() * sizeof(float), cudaMemcpyHostToDevice));
  for (int p = 1; p < n; p *= 2) {
    fft_step<<<(n / 2 + 127) / 128, 128>>>(in, out, n, p);
    check(cudaGetLastError());
    std::swap(in, out);
  }
  check(cudaMemcpy(result.data(), in, result.size() * sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaFree(in));
  check(cudaFree(out));

  std::vector<std::complex<double>> expected(n);
  for (int i = 0; i < n; ++i) expected[i] = {z[2 * i], z[2 * i + 1]};
  transform(expected);
  double total = 0;
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    std::complex<double> got(result[2 * i], result[2 * i + 1]);
    wrong += !(std::abs(got - expected[i]) <= 1e-5 * std::sqrt(double(n)) * (1 + std::log2(double(n))));
    total += std::abs(got);
  }
  std::printf("fft %d: checksum %.3g, %s\n", n, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
