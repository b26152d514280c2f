// Kernels and device functions that are templates over types, instantiated by launches in host code.
template <typename T>
__device__ T square(T x) {
  return x * x;
}

template <typename T>
__device__ T zero() {
  return T(0);
}

template <typename T>
__global__ void sumOfSquares(const T* x, T* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  T s = zero<T>();
  for (; i < n; i += gridDim.x * blockDim.x) s += square(x[i]);
  out[blockIdx.x * blockDim.x + threadIdx.x] = s;
}

template <typename T, typename U>
__global__ void convertScale(const T* in, U* out, U scale, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = static_cast<U>(in[i]) * scale;
}

void launchAll(const float* f, float* fo, const int* k, int* ko, double* d, int n) {
  sumOfSquares<<<64, 256>>>(f, fo, n);
  sumOfSquares<int><<<64, 256>>>(k, ko, n);
  convertScale<float, double><<<(n + 127) / 128, 128>>>(f, d, 0.5, n);
  convertScale<<<(n + 127) / 128, 128>>>(k, fo, 2.0f, n);
}
