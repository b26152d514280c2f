// Namespaces: nested, anonymous, reopened, with aliases, using-declarations and kernels of one name.
namespace geo {
struct Point {
  float x, y;
};
namespace detail {
__device__ float dot(Point a, Point b) { return a.x * b.x + a.y * b.y; }
}  // namespace detail
__global__ void lengths(const Point* p, float* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = sqrtf(detail::dot(p[i], p[i]));
}
}  // namespace geo

namespace {
constexpr float kScale = 2.5f;
__global__ void scaleAll(geo::Point* p, int n) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) {
    p[i].x *= kScale;
    p[i].y *= ::kScale;
  }
}
}  // namespace

namespace other {
namespace g = geo;
using geo::Point;
__global__ void lengths(const Point* p, double* out, int n) {
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < n) out[i] = g::detail::dot(p[i], Point{1.0f, 2.0f});
}
}  // namespace other

void runAll(geo::Point* p, float* f, double* d, int n) {
  scaleAll<<<n / 256 + 1, 256>>>(p, n);
  geo::lengths<<<n / 256 + 1, 256>>>(p, f, n);
  other::lengths<<<n / 256 + 1, 256>>>(p, d, n);
}
