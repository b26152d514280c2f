// Runs the kernels of tmv.cl and checks what they give.
//   tmv_host [-k KERNELS.cl] [-p PLATFORM] [-I FOLDER] [width [height]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "opencl.h"
#ifdef HONE
#include "tmv.hone.h"
#endif

int main(int argc, char** argv) {
  OpenCL cl(argc, argv, "tmv.cl");
  int w = argc > 1 ? std::atoi(argv[1]) : 1003;
  int h = argc > 2 ? std::atoi(argv[2]) : 701;
  std::vector<float> a(size_t(w) * h), v(h), y(w), result(w);
  for (size_t i = 0; i < a.size(); ++i) a[i] = (float(i * 7 % 17) - 8) / 8;
  for (size_t i = 0; i < v.size(); ++i) v[i] = (float(i * 5 % 19) - 9) / 8;
  for (size_t i = 0; i < y.size(); ++i) y[i] = float(i % 11) / 8;

  cl_mem dy = cl.upload(y);
  cl.launch(KERNEL(cl, tmv), {w}, {256}, cl.upload(a), cl.upload(v), dy, w, h);
  cl.download(dy, result);

  double total = 0;
  int wrong = 0;
  for (int x = 0; x < w; ++x) {
    double sum = y[x];
    for (int i = 0; i < h; ++i) sum += double(a[size_t(i) * w + x]) * v[i];
    wrong += !(std::fabs(result[x] - sum) <= 1e-5 * h);
    total += double(result[x]) * (1 + x % 3);
  }
  std::printf("tmv %d x %d: checksum %.4f, %s\n", w, h, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
