// Runs the kernels of conv.cl and checks what they give.
//   conv_host [-k KERNELS.cl] [-p PLATFORM] [-I FOLDER] [width [height]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "opencl.h"
#ifdef HONE
#include "conv.hone.h"
#endif

#define FILTER 32

int main(int argc, char** argv) {
  OpenCL cl(argc, argv, "conv.cl");
  int w = argc > 1 ? std::atoi(argv[1]) : 101;
  int h = argc > 2 ? std::atoi(argv[2]) : 75;
  int pitch = w + FILTER - 1;
  std::vector<float> image(size_t(pitch) * (h + FILTER - 1)), filter(FILTER * FILTER), result(size_t(w) * h);
  for (size_t i = 0; i < image.size(); ++i) image[i] = float(i * 7 % 61);
  for (size_t i = 0; i < filter.size(); ++i) filter[i] = (float(i * 5 % 19) - 9) / 8;

  cl_mem dresult = cl.allocate(result.size() * sizeof(float));
  cl.launch(KERNEL(cl, conv), {w, h}, {16, 16}, cl.upload(image), cl.upload(filter), dresult, w, h);
  cl.download(dresult, result);

  double total = 0;
  int wrong = 0;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      double sum = 0;
      for (int i = 0; i < FILTER; ++i)
        for (int j = 0; j < FILTER; ++j)
          sum += double(image[size_t(y + i) * pitch + x + j]) * filter[i * FILTER + j];
      wrong += !(std::fabs(result[size_t(y) * w + x] - sum) <= 1e-2);
      total += result[size_t(y) * w + x];
    }
  }
  std::printf("conv %d x %d: checksum %.4f, %s\n", w, h, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
