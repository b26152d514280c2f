// Triangular solve by block rows.
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
  const int n = run.size(0), sides = run.size(1), step = run.size(2);
  auto &l = run.input(size_t(n) * n, 1.0f / float(n), n + 1), &b = run.updated(size_t(n) * sides);
  auto& x = run.output(size_t(n) * sides);
  run.ready();
  const dim3 block(16, 16), solveBlock(64), solveGrid((sides + 63) / 64);
  auto solve = [&](auto&& diagonal, auto&& update) {
    for (int first = 0; first < n; first += step) {
      const int last = std::min(first + step, n);
      diagonal(first, last);
      if (last < n) update(dim3((sides + 15) / 16, (n - last + 15) / 16), first, last);
    }
  };
  run.contend("naive", x, false, [&](size_t s) {
    solve(
        [&](int first, int last) {
          naive::strsm_solve<<<solveGrid, solveBlock>>>(l[s], b[s], x[s], n, sides, first, last);
        },
        [&](dim3 grid, int first, int last) {
          naive::strsm_update<<<grid, block>>>(l[s], x[s], b[s], n, sides, first, last);
        });
  });
  run.contend("best", x, false, [&](size_t s) {
    solve([&](int first,
              int last) { best_strsm_solve(solveGrid, solveBlock, l[s], b[s], x[s], n, sides, first, last); },
          [&](dim3 grid, int first, int last) {
            best_strsm_update(grid, block, l[s], x[s], b[s], n, sides, first, last);
          });
  });
  // The kernels alone, as hone-worker times them.
  const int first = n / 4, last = first + step;
  const dim3 grid((sides + 15) / 16, (n - last + 15) / 16);
  run.time("naive strsm_update",
           [&](size_t s) { naive::strsm_update<<<grid, block>>>(l[s], x[s], b[s], n, sides, first, last); });
  run.time("best strsm_update",
           [&](size_t s) { best_strsm_update(grid, block, l[s], x[s], b[s], n, sides, first, last); });
  run.time("naive strsm_solve", [&](size_t s) {
    naive::strsm_solve<<<solveGrid, solveBlock>>>(l[s], b[s], x[s], n, sides, first, last);
  });
  run.time("best strsm_solve", [&](size_t s) {
    best_strsm_solve(solveGrid, solveBlock, l[s], b[s], x[s], n, sides, first, last);
  });
  const float one = 1;
  // In place.
  run.contend("vendor", b, false, [&](size_t s) {
    bench::check(cublasStrsm(run.blas, CUBLAS_SIDE_RIGHT, CUBLAS_FILL_MODE_UPPER, CUBLAS_OP_N,
                             CUBLAS_DIAG_NON_UNIT, sides, n, &one, l[s], n, b[s], sides));
  });
  run.copyOf(4.0 * (double(n) * n / 2 + 2.0 * n * sides));
}
