// Runs the kernels of regionmax.cl and checks what they give.
//   regionmax_host [-k KERNELS.cl] [-p PLATFORM] [-I FOLDER] [width [height]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "opencl.h"
#ifdef HONE
#include "regionmax.hone.h"
#endif

int main(int argc, char** argv) {
  OpenCL cl(argc, argv, "regionmax.cl");
  int w = argc > 1 ? std::atoi(argv[1]) : 403;
  int h = argc > 2 ? std::atoi(argv[2]) : 301;
  std::vector<float> image(size_t(w) * h);
  std::vector<int> isMax(image.size());
  for (size_t i = 0; i < image.size(); ++i) image[i] = float(i * 2654435761u >> 8 & 63);

  cl_mem marks = cl.allocate(isMax.size() * sizeof(int));
  cl.launch(KERNEL(cl, regionmax), {w, h}, {16, 16}, cl.upload(image), marks, w, h);
  cl.download(marks, isMax);

  long long total = 0;
  int wrong = 0;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      float most = 0;
      for (int ny = y > 0 ? y - 1 : 0; ny <= y + 1 && ny < h; ++ny)
        for (int nx = x > 0 ? x - 1 : 0; nx <= x + 1 && nx < w; ++nx)
          most = std::fmax(most, image[size_t(ny) * w + nx]);
      int got = isMax[size_t(y) * w + x];
      wrong += got != (image[size_t(y) * w + x] == most);
      total += got * (1 + x % 5 + y % 7);
    }
  }
  std::printf("regionmax %d x %d: checksum %lld, %s\n", w, h, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
