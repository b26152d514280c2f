// Runs the kernels of vv.cl and checks what they give.
//   vv_host [-k KERNELS.cl] [-p PLATFORM] [-I FOLDER] [width [height]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "opencl.h"
#ifdef HONE
#include "vv.hone.h"
#endif

int main(int argc, char** argv) {
  OpenCL cl(argc, argv, "vv.cl");
  int w = argc > 1 ? std::atoi(argv[1]) : 1003;
  int h = argc > 2 ? std::atoi(argv[2]) : 701;
  std::vector<float> a(h), b(w), c(size_t(w) * h), result(c.size());
  for (size_t i = 0; i < a.size(); ++i) a[i] = (float(i * 7 % 17) - 8) / 8;
  for (size_t i = 0; i < b.size(); ++i) b[i] = (float(i * 5 % 19) - 9) / 8;
  for (size_t i = 0; i < c.size(); ++i) c[i] = float(i % 11) / 8;

  cl_mem dc = cl.upload(c);
  cl.launch(KERNEL(cl, vv), {w, h}, {16, 16}, cl.upload(a), cl.upload(b), dc, w, h);
  cl.download(dc, result);

  double total = 0;
  int wrong = 0;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      size_t at = size_t(y) * w + x;
      wrong += !(std::fabs(result[at] - (c[at] + double(a[y]) * b[x])) <= 1e-5);
      total += result[at];
    }
  }
  std::printf("vv %d x %d: checksum %.4f, %s\n", w, h, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
