// Runs the kernels of tp.cl and checks what they give.
//   tp_host [-k KERNELS.cl] [-p PLATFORM] [-I FOLDER] [width [height]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "opencl.h"
#ifdef HONE
#include "tp.hone.h"
#endif

int main(int argc, char** argv) {
  OpenCL cl(argc, argv, "tp.cl");
  int w = argc > 1 ? std::atoi(argv[1]) : 1003;
  int h = argc > 2 ? std::atoi(argv[2]) : 701;
  std::vector<float> a(size_t(w) * h), b(a.size());
  for (size_t i = 0; i < a.size(); ++i) a[i] = float(i % 9973);

  cl_mem db = cl.allocate(b.size() * sizeof(float));
  cl.launch(KERNEL(cl, tp), {w, h}, {16, 16}, cl.upload(a), db, w, h);
  cl.download(db, b);

  double total = 0;
  int wrong = 0;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      float got = b[size_t(x) * h + y];
      wrong += got != a[size_t(y) * w + x];
      total += double(got) * (1 + x % 3 + y % 2);
    }
  }
  std::printf("tp %d x %d: checksum %.4f, %s\n", w, h, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
