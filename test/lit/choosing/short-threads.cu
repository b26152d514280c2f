// Threads that share nothing and do so little that starting them takes longest: fewer do the work of several.
// RUN: %hone opt %s --target h200 -v -o %t.cu 2>&1 | FileCheck %s
// CHECK: kernel `grey`: estimated {{1\.[2-9]}} times faster
// CHECK: recipe: {{.*}}merge-threads(x=
// What is said of a kernel as a whole has its place.
// CHECK-NOT: {{^ +: }}
struct Pixel {
  unsigned char r, g, b, a;
};
__global__ void grey(Pixel* pixel) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  const float v = (0.3f * pixel[i].r + 0.59f * pixel[i].g + 0.11f * pixel[i].b) / 255.f;
  const unsigned char w = static_cast<unsigned char>(255.f * v * v);
  pixel[i].r = w;
  pixel[i].g = w;
  pixel[i].b = w;
  pixel[i].a = w;
}
void launch(Pixel* pixel) { grey<<<65536, 256>>>(pixel); }
