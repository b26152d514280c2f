// Runs the kernels of mv.cl and checks what they give.
//   mv_host [-k KERNELS.cl] [-p PLATFORM] [-I FOLDER] [width [height]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "opencl.h"
#ifdef HONE
#include "mv.hone.h"
#endif

int main(int argc, char** argv) {
  OpenCL cl(argc, argv, "mv.cl");
  int w = argc > 1 ? std::atoi(argv[1]) : 701;
  int h = argc > 2 ? std::atoi(argv[2]) : 1003;
  std::vector<float> a(size_t(w) * h), v(w), y(h);
  for (size_t i = 0; i < a.size(); ++i) a[i] = (float(i * 7 % 17) - 8) / 8;
  for (size_t i = 0; i < v.size(); ++i) v[i] = (float(i * 5 % 19) - 9) / 8;

  cl_mem dy = cl.allocate(y.size() * sizeof(float));
  cl.launch(KERNEL(cl, mv), {h}, {256}, cl.upload(a), cl.upload(v), dy, w, h);
  cl.download(dy, y);

  double total = 0;
  int wrong = 0;
  for (int x = 0; x < h; ++x) {
    double sum = 0;
    for (int i = 0; i < w; ++i) sum += double(a[size_t(x) * w + i]) * v[i];
    wrong += !(std::fabs(y[x] - sum) <= 1e-5 * w);
    total += double(y[x]) * (1 + x % 3);
  }
  std::printf("mv %d x %d: checksum %.4f, %s\n", w, h, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
