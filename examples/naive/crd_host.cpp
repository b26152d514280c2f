// Runs the kernel of crd.cl and checks what it gives. -I names the folder of hone.clh.
//   crd_host [-k KERNELS.cl] [-p PLATFORM] [-I FOLDER] [elements [threads]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "opencl.h"
#ifdef HONE
#include "crd.hone.h"
#endif

int main(int argc, char** argv) {
  OpenCL cl(argc, argv, "crd.cl");
  int n = argc > 1 ? std::atoi(argv[1]) : 500009;
  int threads = argc > 2 ? std::atoi(argv[2]) : 256;
  if (threads < 1 || (threads & (threads - 1)) != 0) {
    std::fprintf(stderr, "crd: the number of threads must be a power of two\n");
    return 2;
  }
  std::vector<float> z(size_t(2) * n);
  for (size_t i = 0; i < z.size(); ++i) z[i] = (float(i * 7 % 17) - 8) / 8;

  // One work-group, as the barrier in hone.clh wants it.
  std::vector<float> sum(1);
  cl_mem part = cl.allocate(threads * sizeof(float)), total = cl.allocate(sizeof(float));
  cl.launch(KERNEL(cl, crd), {threads}, {size_t(threads)}, cl.upload(z), part, total, n);
  cl.download(total, sum);

  double expected = 0;
  for (int i = 0; i < n; ++i) expected += std::fabs(z[2 * i]) + std::fabs(z[2 * i + 1]);
  bool wrong = !(std::fabs(sum[0] - expected) <= 1e-6 * n);
  std::printf("crd %d: checksum %.4f, %s\n", n, double(sum[0]), wrong ? "wrong" : "ok");
  return wrong;
}
