// Runs the kernels of fft.cl and checks what they give.
//   fft_host [-k KERNELS.cl] [-p PLATFORM] [-I FOLDER] [length]
#include <cmath>
#include <complex>
#include <cstdio>
#include <cstdlib>
#include <utility>
#include <vector>

#include "opencl.h"
#ifdef HONE
#include "fft.hone.h"
#endif

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
  OpenCL cl(argc, argv, "fft.cl");
  int n = argc > 1 ? std::atoi(argv[1]) : 16384;
  if (n < 1 || (n & (n - 1)) != 0) {
    std::fprintf(stderr, "fft: the length must be a power of two\n");
    return 2;
  }
  std::vector<float> z(size_t(2) * n), result(z.size());
  for (size_t i = 0; i < z.size(); ++i) z[i] = (float(i * 2654435761u >> 8 & 255) - 127) / 128;

  auto step = KERNEL(cl, fft_step);
  cl_mem in = cl.upload(z), out = cl.allocate(z.size() * sizeof(float));
  for (int p = 1; p < n; p *= 2) {
    cl.launch(step, {n / 2}, {128}, in, out, n, p);
    std::swap(in, out);
  }
  cl.download(in, result);

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
