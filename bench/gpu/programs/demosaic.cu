// Colours from the raw picture of a camera.
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
  auto &raw = run.input(size_t(w) * h), &rgb = run.output(size_t(3) * w * h);
  run.ready();
  const dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  run.contend("naive", rgb, false, [&](size_t s) { naive::demosaic<<<grid, block>>>(raw[s], rgb[s], w, h); });
  const dim3 wide(32, 8), wideGrid((w + 31) / 32, (h + 7) / 8);
  run.contend("naive 32x8", rgb, false,
              [&](size_t s) { naive::demosaic<<<wideGrid, wide>>>(raw[s], rgb[s], w, h); });
  run.contend("best", rgb, false, [&](size_t s) { best_demosaic(grid, block, raw[s], rgb[s], w, h); });
  run.copyOf(16.0 * w * h);
}
