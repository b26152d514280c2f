// Sum of an array.
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
  auto &a = run.input(n), &part = run.output(block.x * grid.x), &total = run.output(1);
  run.ready();
  run.contend("naive", total, false, [&](size_t s) {
    bench::cooperative(naive::rd, grid, block, (const float*)a[s], part[s], total[s], n);
  });
  run.contend("best", total, false,
              [&](size_t s) { best_rd(grid, block, (const float*)a[s], part[s], total[s], n); });
  // Sums absolute values: another result, as many bytes.
  bench::check(cublasSetPointerMode(run.blas, CUBLAS_POINTER_MODE_DEVICE));
  run.time("vendor", [&](size_t s) { bench::check(cublasSasum(run.blas, n, a[s], 1, total[s])); });
  run.copyOf(4.0 * n);
}
