// no-opencl: invert structs with pointers
// Plain inheritance of data and methods without virtual functions.
struct Extent {
  int w, h;
  __host__ __device__ int area() const { return w * h; }
};

struct Image : Extent {
  float* pixels;
  __device__ float& operator()(int y, int x) { return pixels[y * w + x]; }
  __device__ bool contains(int y, int x) const { return y >= 0 && y < h && x >= 0 && x < w; }
};

__global__ void invert(Image img, float maximum) {
  int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
  if (!img.contains(y, x)) return;
  img(y, x) = maximum - img(y, x);
  if (x + y == 0) img.pixels[0] = img.area();
}
