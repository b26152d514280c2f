// How often z*z + c can be taken before it leaves the disc: threads of a warp, and those that a pass would merge, go different
// numbers of times round a loop that only the data end.
__global__ void escape(const float2* points, int* counts, int w, int h, int most) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x < w && y < h) {
    float2 c = points[y * w + x];
    float re = 0, im = 0;
    int n = 0;
    while (n < most && re * re + im * im < 4.0f) {
      float next = re * re - im * im + c.x;
      im = 2 * re * im + c.y;
      re = next;
      ++n;
    }
    counts[y * w + x] = n;
  }
}
