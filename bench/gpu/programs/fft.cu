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
  // The first step reads the input, the others go to and fro. `step` returns p of the last step that it did.
  auto transform = [&](size_t s, auto&& step) {
    const float* from = in[s];
    int launches = 0;
    for (int p = 1; p < n; p *= 2) {
      float* to = ++launches % 2 ? odd[s] : even[s];
      p = step(from, to, p);
      from = to;
    }
    return launches;
  };
  auto naiveStep = [&](const float* from, float* to, int p) {
    naive::fft_step<<<grid, block>>>(from, to, n, p);
    return p;
  };
  auto bestStep = [&](const float* from, float* to, int p) {
    return best_last_fft_step(p, grid, block, from, to, n, p);
  };
  // Where the result lies depends on the number of launches.
  const bench::Array& result = transform(0, naiveStep) % 2 ? odd : even;
  const bench::Array& bestResult = transform(0, bestStep) % 2 ? odd : even;
  run.contend("naive", result, false, [&](size_t s) { transform(s, naiveStep); });
  run.contend("best", bestResult, false, [&](size_t s) { transform(s, bestStep); });
  // The kernel alone, as hone-worker times it, which does not know of several steps at once.
  const int p = 1024;
  run.time("naive fft_step", [&](size_t s) { naiveStep(in[s], odd[s], p); });
  if (bestStep(in[0], odd[0], p) == p)
    run.time("best fft_step", [&](size_t s) { bestStep(in[s], odd[s], p); });
  cufftHandle plan;
  if (cufftPlan1d(&plan, n, CUFFT_C2C, 1) != CUFFT_SUCCESS) return 2;
  run.contend("vendor", result, false, [&](size_t s) {
    if (cufftExecC2C(plan, (cufftComplex*)in[s], (cufftComplex*)result[s], CUFFT_FORWARD) != CUFFT_SUCCESS)
      std::exit(2);
  });
  run.copyOf(16.0 * n);
}
