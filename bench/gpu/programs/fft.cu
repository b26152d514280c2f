// Fourier transform, a launch per step.
#include <cufft.h>

#include "harness.h"
namespace naive {
#include "naive.cu"
}
namespace best {
#include "best.cu"
}
#include "launch.h"

int main(int argc, char** argv) {
  bench::Run run(argc, argv);
  const int n = run.size(0);
  auto &in = run.input(size_t(2) * n), &even = run.output(size_t(2) * n), &odd = run.output(size_t(2) * n);
  run.ready();
  const dim3 block(128), grid((n / 2 + 127) / 128);
  int steps = 0;
  for (int p = 1; p < n; p *= 2) ++steps;
  const bench::Array& result = steps % 2 ? odd : even;
  // The first step reads the input, the others go to and fro.
  auto transform = [&](size_t s, auto&& step) {
    const float* from = in[s];
    int count = 0;
    for (int p = 1; p < n; p *= 2) {
      float* to = ++count % 2 ? odd[s] : even[s];
      step(from, to, p);
      from = to;
    }
  };
  run.contend("naive", result, false, [&](size_t s) {
    transform(s,
              [&](const float* from, float* to, int p) { naive::fft_step<<<grid, block>>>(from, to, n, p); });
  });
  run.contend("best", result, false, [&](size_t s) {
    transform(s, [&](const float* from, float* to, int p) { best_fft_step(grid, block, from, to, n, p); });
  });
  // The kernel alone, as hone-worker times it.
  run.time("naive fft_step", [&](size_t s) { naive::fft_step<<<grid, block>>>(in[s], odd[s], n, 1024); });
  run.time("best fft_step",
           [&](size_t s) { best_fft_step(grid, block, (const float*)in[s], odd[s], n, 1024); });
  cufftHandle plan;
  if (cufftPlan1d(&plan, n, CUFFT_C2C, 1) != CUFFT_SUCCESS) return 2;
  run.contend("vendor", result, false, [&](size_t s) {
    if (cufftExecC2C(plan, (cufftComplex*)in[s], (cufftComplex*)result[s], CUFFT_FORWARD) != CUFFT_SUCCESS)
      std::exit(2);
  });
  run.copyOf(16.0 * n);
}
