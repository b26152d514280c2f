// Rank-one update.
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
  auto &a = run.input(h), &b = run.input(w), &c = run.updated(size_t(w) * h);
  run.ready();
  const dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  run.contend("naive", c, false, [&](size_t s) { naive::vv<<<grid, block>>>(a[s], b[s], c[s], w, h); });
  run.contend("best", c, false, [&](size_t s) { best_vv(grid, block, a[s], b[s], c[s], w, h); });
  const float one = 1;
  run.contend("vendor", c, false,
              [&](size_t s) { bench::check(cublasSger(run.blas, w, h, &one, b[s], 1, a[s], 1, c[s], w)); });
  run.copyOf(4.0 * (2.0 * w * h + w + h));
}
