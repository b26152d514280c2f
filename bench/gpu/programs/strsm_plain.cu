// Triangular solve by forward substitution.
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
  const int n = run.size(0), sides = run.size(1);
  auto &l = run.input(size_t(n) * n, 1.0f / float(n), n + 1), &b = run.updated(size_t(n) * sides);
  auto& x = run.output(size_t(n) * sides);
  run.ready();
  const dim3 block(64), grid((sides + 63) / 64);
  run.contend("naive", x, false,
              [&](size_t s) { naive::strsm_plain<<<grid, block>>>(l[s], b[s], x[s], n, sides); });
  run.contend("best", x, false, [&](size_t s) { best_strsm_plain(grid, block, l[s], b[s], x[s], n, sides); });
  const float one = 1;
  // In place.
  run.contend("vendor", b, false, [&](size_t s) {
    bench::check(cublasStrsm(run.blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                             CUBLAS_DIAG_NON_UNIT, sides, n, &one, l[s], n, b[s], sides));
  });
  run.copyOf(4.0 * (double(n) * n / 2 + 2.0 * n * sides));
}
