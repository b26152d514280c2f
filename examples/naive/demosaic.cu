// Colours from the raw picture of a camera whose pixels see red, green and blue in squares of RG over GB: what a pixel
// did not see is the mean of the neighbours that did. One thread per pixel; those at the border keep what they saw as grey.
//   demosaic [width [height]]
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

__global__ void demosaic(const float* raw, float* rgb, int w, int h) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  float seen = raw[y * w + x];
  float red = seen, green = seen, blue = seen;
  if (x > 0 && x < w - 1 && y > 0 && y < h - 1) {
    float sides = (raw[y * w + x - 1] + raw[y * w + x + 1]) / 2;
    float above = (raw[(y - 1) * w + x] + raw[(y + 1) * w + x]) / 2;
    float corners = (raw[(y - 1) * w + x - 1] + raw[(y - 1) * w + x + 1]) / 4 +
                    (raw[(y + 1) * w + x - 1] + raw[(y + 1) * w + x + 1]) / 4;
    if (y % 2 == 0) {
      if (x % 2 == 0) {
        green = (sides + above) / 2;
        blue = corners;
      } else {
        red = sides;
        blue = above;
      }
    } else {
      if (x % 2 == 0) {
        red = above;
        blue = sides;
      } else {
        red = corners;
        green = (sides + above) / 2;
      }
    }
  }
  rgb[3 * (y * w + x)] = red;
  rgb[3 * (y * w + x) + 1] = green;
  rgb[3 * (y * w + x) + 2] = blue;
}

static void check(cudaError_t status) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "demosaic: %s\n", cudaGetErrorString(status));
  std::exit(2);
}

int main(int argc, char** argv) {
  int w = argc > 1 ? std::atoi(argv[1]) : 403;
  int h = argc > 2 ? std::atoi(argv[2]) : 301;
  std::vector<float> raw(size_t(w) * h), rgb(3 * raw.size());
  for (size_t i = 0; i < raw.size(); ++i) raw[i] = float(i * 2654435761u >> 8 & 255);

  float *draw, *drgb;
  check(cudaMalloc(&draw, raw.size() * sizeof(float)));
  check(cudaMalloc(&drgb, rgb.size() * sizeof(float)));
  check(cudaMemcpy(draw, raw.data(), raw.size() * sizeof(float), cudaMemcpyHostToDevice));
  dim3 block(16, 16), grid((w + 15) / 16, (h + 15) / 16);
  demosaic<<<grid, block>>>(draw, drgb, w, h);
  check(cudaGetLastError());
  check(cudaMemcpy(rgb.data(), drgb, rgb.size() * sizeof(float), cudaMemcpyDeviceToHost));
  check(cudaFree(draw));
  check(cudaFree(drgb));

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
