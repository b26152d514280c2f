// Runs the kernels of demosaic.cl and checks what they give.
//   demosaic_host [-k KERNELS.cl] [-p PLATFORM] [-I FOLDER] [width [height]]
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include "opencl.h"
#ifdef HONE
#include "demosaic.hone.h"
#endif

int main(int argc, char** argv) {
  OpenCL cl(argc, argv, "demosaic.cl");
  int w = argc > 1 ? std::atoi(argv[1]) : 403;
  int h = argc > 2 ? std::atoi(argv[2]) : 301;
  std::vector<float> raw(size_t(w) * h), rgb(3 * raw.size());
  for (size_t i = 0; i < raw.size(); ++i) raw[i] = float(i * 2654435761u >> 8 & 255);

  cl_mem drgb = cl.allocate(rgb.size() * sizeof(float));
  cl.launch(KERNEL(cl, demosaic), {w, h}, {16, 16}, cl.upload(raw), drgb, w, h);
  cl.download(drgb, rgb);

  double total = 0;
  int wrong = 0;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      for (int c = 0; c < 3; ++c) {
        // The mean over those of the nine pixels that see this colour, the pixel itself alone where it does.
        double sum = 0;
        int count = 0;
        bool border = x == 0 || x == w - 1 || y == 0 || y == h - 1;
        bool own = border || x % 2 + y % 2 == c;
        for (int ny = own ? y : y - 1; ny <= (own ? y : y + 1); ++ny)
          for (int nx = own ? x : x - 1; nx <= (own ? x : x + 1); ++nx)
            if (own || nx % 2 + ny % 2 == c) sum += raw[size_t(ny) * w + nx], ++count;
        float got = rgb[3 * (size_t(y) * w + x) + c];
        wrong += got != sum / count;
        total += double(got) * (c + 1);
      }
    }
  }
  std::printf("demosaic %d x %d: checksum %.4f, %s\n", w, h, total, wrong ? "wrong" : "ok");
  return wrong != 0;
}
