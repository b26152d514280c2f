// Runs the kernels of mm.cl and checks what they give.
//   mm_host [-k KERNELS.cl] [-p PLATFORM] [-I FOLDER] [rows [columns [inner]]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "opencl.h"
#ifdef HONE
#include "mm.hone.h"
#endif

int main(int argc, char** argv) {
  OpenCL cl(argc, argv, "mm.cl");
  int m = argc > 1 ? std::atoi(argv[1]) : 150;
  int n = argc > 2 ? std::atoi(argv[2]) : 170;
  int k = argc > 3 ? std::atoi(argv[3]) : 131;
  std::vector<float> a(size_t(m) * k), b(size_t(k) * n), c(size_t(m) * n);
  for (size_t i = 0; i < a.size(); ++i) a[i] = (float(i * 7 % 17) - 8) / 8;
  for (size_t i = 0; i < b.size(); ++i) b[i] = (float(i * 5 % 19) - 9) / 8;

  cl_mem dc = cl.allocate(c.size() * sizeof(float));
  cl.launch(KERNEL(cl, mm), {n, m}, {16, 16}, cl.upload(a), cl.upload(b), dc, m, n, k);
  cl.download(dc, c);

  double total = 0;
  int wrong = 0;
  for (int y = 0; y < m; ++y) {
    for (int x = 0; x < n; ++x) {
      double sum = 0;
      for (int i = 0; i < k; ++i) sum += double(a[size_t(y) * k + i]) * b[size_t(i) * n + x];
      double got = c[size_t(y) * n + x];
      wrong += !(std::fabs(got - sum) <= 1e-5 * k);
      total += got * (1 + x % 3 + y % 2);
    }
  }
  std::printf("mm %d x %d x %d: checksum %.4f, %s\n", m, n, k, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
