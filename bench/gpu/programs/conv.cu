// Convolution with a filter of 32 x 32.
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
  const int w = run.size(0), h = run.size(1);
  auto &image = run.input(size_t(w + 31) * (h + 31)), &filter = run.input(1024);
  auto& result = run.output(size_t(w) * h);
  run.ready();
  const dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  run.contend("naive", result, false,
              [&](size_t s) { naive::conv<<<grid, block>>>(image[s], filter[s], result[s], w, h); });
  const dim3 wide(32, 8), wideGrid((w + 31) / 32, (h + 7) / 8);
  run.contend("naive 32x8", result, false,
              [&](size_t s) { naive::conv<<<wideGrid, wide>>>(image[s], filter[s], result[s], w, h); });
  run.contend("best", result, false,
              [&](size_t s) { best_conv(grid, block, image[s], filter[s], result[s], w, h); });
  run.copyOf(4.0 * (double(w + 31) * (h + 31) + 1024 + double(w) * h));
}
