// no-opencl: shiftGrid structs with pointers
// Methods with const, constructors, operator overloads and functor arguments in device code.
struct Complex {
  float re, im;
  __device__ Complex(float r, float i) : re(r), im(i) {}
  __device__ float norm2() const { return re * re + im * im; }
  __device__ Complex operator*(const Complex& o) const {
    return Complex(re * o.re - im * o.im, re * o.im + im * o.re);
  }
  __device__ Complex operator+(const Complex& o) const { return Complex(re + o.re, im + o.im); }
  __device__ void conjugate() { im = -im; }
};

__global__ void julia(unsigned char* img, int w, int h, float cr, float ci) {
  int x = blockIdx.x * blockDim.x + threadIdx.x;
  int y = blockIdx.y * blockDim.y + threadIdx.y;
  if (x >= w || y >= h) return;
  Complex c(cr, ci);
  Complex z(1.5f * (float)(w / 2 - x) / (w / 2), 1.5f * (float)(h / 2 - y) / (h / 2));
  int i;
  for (i = 0; i < 200; i++) {
    z = z * z + c;
    if (z.norm2() > 1000) break;
  }
  z.conjugate();
  img[y * w + x] = (unsigned char)(i == 200 ? 255 : i + (z.im > 0));
}

struct Grid {
  float* data;
  int pitch;
  __device__ float& at(int y, int x) { return data[y * pitch + x]; }
  __device__ const float& at(int y, int x) const { return data[y * pitch + x]; }
};

__global__ void shiftGrid(Grid dst, const Grid src, int h) {
  int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;
  if (y < h && x + 1 < src.pitch) {
    dst.at(y, x) = src.at(y, x + 1);
    dst.at(y, x) += 1.0f;
  }
}

struct AddConst {
  int k;
  __host__ __device__ int operator()(int v) const { return v + k; }
};

template <class F>
__global__ void mapInts(int* a, int n, F f) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) a[i] = f(a[i]);
}

void launchMap(int* a, int n) { mapInts<<<(n + 63) / 64, 64>>>(a, n, AddConst{3}); }
