// Elementwise product.
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
  auto &a = run.input(n), &b = run.input(n), &c = run.output(n);
  run.ready();
  const dim3 block(256), grid((n + 255) / 256);
  run.contend("naive", c, true, [&](size_t s) { naive::ep<<<grid, block>>>(a[s], b[s], c[s], n); });
  run.contend("best", c, true, [&](size_t s) { best_ep(grid, block, a[s], b[s], c[s], n); });
  run.copyOf(12.0 * n);
}
