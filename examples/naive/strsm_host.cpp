// Runs the kernels of strsm.cl and checks what they give.
//   strsm_host [-k KERNELS.cl] [-p PLATFORM] [-I FOLDER] [unknowns [sides [block]]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "opencl.h"
#ifdef HONE
#include "strsm.hone.h"
#endif

int main(int argc, char** argv) {
  OpenCL cl(argc, argv, "strsm.cl");
  int n = argc > 1 ? std::atoi(argv[1]) : 200;
  int sides = argc > 2 ? std::atoi(argv[2]) : 150;
  int step = argc > 3 ? std::atoi(argv[3]) : 64;
  // Small integers, so that the solution is exact.
  std::vector<float> l(size_t(n) * n), b(size_t(n) * sides), x(b.size()), expected(b.size());
  for (int i = 0; i < n; ++i)
    for (int k = 0; k <= i; ++k)
      l[size_t(i) * n + k] = k == i ? float(1 + i % 3) : float((i * 7 + k * 3) % 5) - 2;
  for (size_t i = 0; i < x.size(); ++i) expected[i] = float(i * 5 % 7) - 3;
  for (int i = 0; i < n; ++i)
    for (int k = 0; k <= i; ++k)
      for (int j = 0; j < sides; ++j)
        b[size_t(i) * sides + j] += l[size_t(i) * n + k] * expected[size_t(k) * sides + j];

  auto solve = KERNEL(cl, strsm_solve);
  auto update = KERNEL(cl, strsm_update);
  cl_mem dl = cl.upload(l), db = cl.upload(b), dx = cl.allocate(x.size() * sizeof(float));
  for (int first = 0; first < n; first += step) {
    int last = first + step < n ? first + step : n;
    cl.launch(solve, {sides}, {64}, dl, db, dx, n, sides, first, last);
    if (last == n) break;
    cl.launch(update, {sides, n - last}, {16, 16}, dl, dx, db, n, sides, first, last);
  }
  cl.download(dx, x);

  double total = 0;
  int wrong = 0;
  for (size_t i = 0; i < x.size(); ++i) {
    wrong += !(std::fabs(x[i] - expected[i]) <= 1e-4);
    total += double(x[i]) * double(1 + i % 3);
  }
  std::printf("strsm %d x %d: checksum %.4f, %s\n", n, sides, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
