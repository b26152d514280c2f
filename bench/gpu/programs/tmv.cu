// Product of a transposed matrix and a vector, added.
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
  auto &a = run.input(size_t(w) * h), &v = run.input(h), &y = run.updated(w);
  run.ready();
  const dim3 block(256), grid((w + 255) / 256);
  run.contend("naive", y, false, [&](size_t s) { naive::tmv<<<grid, block>>>(a[s], v[s], y[s], w, h); });
  run.contend("best", y, false, [&](size_t s) { best_tmv(grid, block, a[s], v[s], y[s], w, h); });
  const float one = 1;
  run.contend("vendor", y, false, [&](size_t s) {
    bench::check(cublasSgemv(run.blas, CUBLAS_OP_N, w, h, &one, a[s], w, v[s], 1, &one, y[s], 1));
  });
  run.copyOf(4.0 * (double(w) * h + h + 2.0 * w));
}
