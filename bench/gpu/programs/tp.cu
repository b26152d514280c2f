// Transpose.
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
  auto &a = run.input(size_t(w) * h), &b = run.output(size_t(w) * h);
  run.ready();
  const dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  run.contend("naive", b, true, [&](size_t s) { naive::tp<<<grid, block>>>(a[s], b[s], w, h); });
  run.contend("best", b, true, [&](size_t s) { best_tp(grid, block, a[s], b[s], w, h); });
  const float one = 1, zero = 0;
  run.contend("vendor", b, true, [&](size_t s) {
    bench::check(
        cublasSgeam(run.blas, CUBLAS_OP_T, CUBLAS_OP_N, h, w, &one, a[s], w, &zero, nullptr, h, b[s], h));
  });
  run.copyOf(8.0 * w * h);
}
