// auto, decltype, using aliases, nullptr, static_assert, attributes, digit separators and binary literals.
using Index = unsigned int;
using Scalar = float;

template <typename T>
__device__ auto twice(T v) -> decltype(v + v) {
  return v + v;
}

__global__ void autos(Scalar* __restrict__ x, const Scalar* mask, int n) {
  static_assert(sizeof(Scalar) == 4, "single precision");
  const auto i = Index{blockIdx.x * blockDim.x + threadIdx.x};
  auto* p = x + i;
  decltype(n) limit = 1'000'000;
  [[maybe_unused]] auto unused = 0b1010;
  if (i < n && n < limit) {
    if (auto v = *p; v > 0 || mask == nullptr) *p = twice(v);
    const auto& first = x[0];
    p[0] += first;
  }
}
