// Product of a matrix and a vector.
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
  auto &a = run.input(size_t(w) * h), &v = run.input(w), &y = run.output(h);
  run.ready();
  const dim3 block(256), grid((h + 255) / 256);
  run.contend("naive", y, false, [&](size_t s) { naive::mv<<<grid, block>>>(a[s], v[s], y[s], w, h); });
  run.contend("best", y, false, [&](size_t s) { best_mv(grid, block, a[s], v[s], y[s], w, h); });
  const float one = 1, zero = 0;
  run.contend("vendor", y, false, [&](size_t s) {
    bench::check(cublasSgemv(run.blas, CUBLAS_OP_T, w, h, &one, a[s], w, v[s], 1, &zero, y[s], 1));
  });
  run.copyOf(4.0 * (double(w) * h + w + h));
}
