// Sum over complex numbers.
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
  const dim3 block(128), grid(128);
  auto &z = run.input(size_t(2) * n), &part = run.output(block.x * grid.x), &total = run.output(1);
  run.ready();
  run.contend("naive", total, false, [&](size_t s) {
    bench::cooperative(naive::crd, grid, block, (const float*)z[s], part[s], total[s], n);
  });
  run.contend("best", total, false,
              [&](size_t s) { best_crd(grid, block, (const float*)z[s], part[s], total[s], n); });
  bench::check(cublasSetPointerMode(run.blas, CUBLAS_POINTER_MODE_DEVICE));
  run.contend("vendor", total, false, [&](size_t s) {
    bench::check(cublasScasum(run.blas, n, (const cuComplex*)z[s], 1, total[s]));
  });
  run.copyOf(8.0 * n);
}
