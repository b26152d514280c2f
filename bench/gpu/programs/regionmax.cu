// Maxima of neighbourhoods of 3 x 3.
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
  auto &image = run.input(size_t(w) * h), &isMax = run.output(size_t(w) * h);
  run.ready();
  const dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  run.contend("naive", isMax, true,
              [&](size_t s) { naive::regionmax<<<grid, block>>>(image[s], (int*)isMax[s], w, h); });
  const dim3 wide(32, 8), wideGrid((w + 31) / 32, (h + 7) / 8);
  run.contend("naive 32x8", isMax, true,
              [&](size_t s) { naive::regionmax<<<wideGrid, wide>>>(image[s], (int*)isMax[s], w, h); });
  run.contend("best", isMax, true,
              [&](size_t s) { best_regionmax(grid, block, image[s], (int*)isMax[s], w, h); });
  run.copyOf(8.0 * w * h);
}
