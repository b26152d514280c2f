// Runs the kernel of rd.cl and checks what it gives. -I names the folder of hone.clh.
//   rd_host [-k KERNELS.cl] [-p PLATFORM] [-I FOLDER] [elements [threads]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "opencl.h"
#ifdef HONE
#include "rd.hone.h"
#endif

int main(int argc, char** argv) {
  OpenCL cl(argc, argv, "rd.cl");
  int n = argc > 1 ? std::atoi(argv[1]) : 1000003;
  int threads = argc > 2 ? std::atoi(argv[2]) : 256;
  if (threads < 1 || (threads & (threads - 1)) != 0) {
    std::fprintf(stderr, "rd: the number of threads must be a power of two\n");
    return 2;
  }
  std::vector<float> a(n);
  for (size_t i = 0; i < a.size(); ++i) a[i] = (float(i * 7 % 17) - 4) / 8;

  // One work-group, as the barrier in hone.clh wants it.
  std::vector<float> sum(1);
  cl_mem part = cl.allocate(threads * sizeof(float)), total = cl.allocate(sizeof(float));
  cl.launch(KERNEL(cl, rd), {threads}, {size_t(threads)}, cl.upload(a), part, total, n);
  cl.download(total, sum);

  double expected = 0;
  for (int i = 0; i < n; ++i) expected += a[i];
  bool wrong = !(std::fabs(sum[0] - expected) <= 1e-6 * n);
  std::printf("rd %d: checksum %.4f, %s\n", n, double(sum[0]), wrong ? "wrong" : "ok");
  return wrong;
}
