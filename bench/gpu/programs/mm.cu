// Matrix product.
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
  const int m = run.size(0), n = run.size(1), k = run.size(2);
  auto &a = run.input(size_t(m) * k), &b = run.input(size_t(k) * n), &c = run.output(size_t(m) * n);
  run.ready();
  const dim3 block(16, 16), grid((n + 15) / 16, (m + 15) / 16);
  run.contend("naive", c, false, [&](size_t s) { naive::mm<<<grid, block>>>(a[s], b[s], c[s], m, n, k); });
  run.contend("best", c, false, [&](size_t s) { best_mm(grid, block, a[s], b[s], c[s], m, n, k); });
  const float one = 1, zero = 0;
  auto vendor = [&](size_t s) {
    bench::check(
        cublasSgemm(run.blas, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, b[s], n, a[s], k, &zero, c[s], n));
  };
  run.contend("vendor", c, false, vendor);
  // Single precision without tensor cores as well; whichever is faster counts.
  bench::check(cublasSetMathMode(run.blas, CUBLAS_DEFAULT_MATH));
  run.contend("vendor-default", c, false, vendor);
  run.copyOf(4.0 * (double(m) * k + double(k) * n + double(m) * n));
}
