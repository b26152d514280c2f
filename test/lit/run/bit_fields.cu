// The device reads and writes bit-fields where the host does: every struct below goes through the same steps on both. Where
// single fields are written all bytes are compared, of copies the fields alone.
// RUN: %hone run %s 2>&1 | FileCheck %s
// CHECK-NOT: race
// CHECK-NOT: nothing wrote
// CHECK: words 0
// CHECK-NEXT: beside 0
// CHECK-NEXT: wide 0
// CHECK-NEXT: padded 0
// CHECK-NEXT: packed 0
// CHECK-NEXT: derived 0
// CHECK-NEXT: overlaid 0
// CHECK-NEXT: numbers 0
#include <cstdio>
#include <cstring>

enum Kind : unsigned { None, First, Second, Third };

struct Words { unsigned a : 3, b : 5; int c : 7; };
struct Beside { char before; unsigned a : 20; char after; unsigned short b : 9; bool c : 1; Kind d : 2; };
struct Wide { unsigned long long a : 40, b : 24; long long c : 61; unsigned d : 32; signed char e : 4; };
struct Padded { unsigned a : 3; unsigned : 7; unsigned b : 9; unsigned : 0; unsigned c : 5; int d : 1; };
#pragma pack(push, 1)
struct Packed { char before; unsigned a : 28, b : 28; unsigned short c : 3; signed char after; };
#pragma pack(pop)
struct Derived : Words { unsigned d : 6; unsigned char e; };
union Overlaid { unsigned raw; struct { unsigned low : 12, high : 20; } parts; unsigned first : 9; };

__host__ __device__ void step(Words& x, int i) {
  x.a = i; x.b += i * 3; x.c = -i;
  x.c -= 2; ++x.a; x.b = x.a - 9 < 0 ? x.b : 1;
}
__host__ __device__ void step(Beside& x, int i) {
  x.before = char(i); x.after = char(-i); x.a = i * 77777u; x.b = 300 + i; x.c = i & 2; x.d = Kind(i & 3);
  if (x.d == Third) x.a ^= 0x55;
}
__host__ __device__ void step(Wide& x, int i) {
  x.a = 0x123456789abull * i; x.b = i; x.c = -(long long)i << 40; x.d = ~0u - i; x.e = i;
  x.a = x.a + x.c * x.e; x.b <<= 3; x.c >>= 5;
}
__host__ __device__ void step(Padded& x, int i) { x.a = i; x.b = x.a * 60 + i; x.c = x.b % 31; x.d = i; }
__host__ __device__ void step(Packed& x, int i) {
  x.before = 7; x.a = i * 0x1234567u; x.b = x.a ^ 0xfffffff; x.c = i; x.after = (signed char)x.b;
}
__host__ __device__ void step(Derived& x, int i) { step(static_cast<Words&>(x), i); x.d = x.b + x.c; x.e = x.d; }
__host__ __device__ void step(Overlaid& x, int i) {
  x.raw = i * 0x9e3779b9u; x.parts.low += 5; x.first |= 0x101; x.parts.high = x.raw >> 7;
}

bool same(const Words& x, const Words& y) { return x.a == y.a && x.b == y.b && x.c == y.c; }
bool same(const Beside& x, const Beside& y) {
  return x.before == y.before && x.a == y.a && x.after == y.after && x.b == y.b && x.c == y.c && x.d == y.d;
}
bool same(const Wide& x, const Wide& y) {
  return x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d && x.e == y.e;
}
bool same(const Padded& x, const Padded& y) { return x.a == y.a && x.b == y.b && x.c == y.c && x.d == y.d; }
bool same(const Packed& x, const Packed& y) {
  return x.before == y.before && x.a == y.a && x.b == y.b && x.c == y.c && x.after == y.after;
}
bool same(const Derived& x, const Derived& y) {
  return same(static_cast<const Words&>(x), static_cast<const Words&>(y)) && x.d == y.d && x.e == y.e;
}
bool same(const Overlaid& x, const Overlaid& y) { return x.raw == y.raw; }

template <class T> __host__ __device__ T changed(T byValue, int i) {
  T copy = byValue;
  step(copy, i);
  return copy;
}
template <class T> __global__ void all(T* in, T* out, T byValue, int n) {
  __shared__ T tile[64];
  int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= n) return;
  tile[threadIdx.x] = in[i];
  step(tile[threadIdx.x], i);
  step(in[i], i + 1);
  out[2 * i] = changed(tile[threadIdx.x], 3);
  out[2 * i + 1] = changed(byValue, i);
}

template <class T> int differences() {
  constexpr int n = 100;
  T *in, *out, byValue, onHost[n];
  cudaMallocManaged(&in, n * sizeof(T));
  cudaMallocManaged(&out, 2 * n * sizeof(T));
  std::memset(&byValue, 0x5a, sizeof(T));
  for (int i = 0; i < n; ++i) std::memset(&in[i], 17 * i, sizeof(T));
  std::memcpy(onHost, in, sizeof onHost);
  all<<<2, 64>>>(in, out, byValue, n);
  if (cudaDeviceSynchronize()) return -1;
  int wrong = 0;
  for (int i = 0; i < n; ++i) {
    T first = onHost[i];
    step(first, i);
    wrong += !same(out[2 * i], changed(first, 3));
    wrong += !same(out[2 * i + 1], changed(byValue, i));
    step(onHost[i], i + 1);
    wrong += std::memcmp(&onHost[i], &in[i], sizeof(T)) != 0;
  }
  return wrong;
}

__constant__ Words table[3] = {{1, 2, -3}, {7, 31, 63}, {}};
__global__ void numbers(int* x) {
  Words w = {5, 17, -20};
  Words v{9u & 7u};
  x[0] = w.a - 6 < 0;         // an int, not unsigned
  x[1] = w.b * 2 + w.c;
  x[2] = v.a + v.b;
  x[3] = (w.a = 12) + (w.c = 100);  // what the fields then hold: 4 and -28
  x[4] = table[0].c + table[1].b - table[2].a;
  x[5] = w.b++ + --w.c;
  x[6] = -w.a;
  x[7] = ~w.a;
  unsigned u = 1;
  x[8] = w.a - 5 - (int)u < 0;
  x[9] = w.a - u > 1000;      // 3
  x[10] = (x[9] ? w.a : w.b) - 20 < 0;  // a choice of two is no bit-field: unsigned
  switch (w.a) {
    case 4: x[11] = 44; break;
    default: x[11] = 1;
  }
  Words fresh;
  fresh.b = 3;
  x[12] = fresh.b;
}
int main() {
  std::printf("words %d\n", differences<Words>());
  std::printf("beside %d\n", differences<Beside>());
  std::printf("wide %d\n", differences<Wide>());
  std::printf("padded %d\n", differences<Padded>());
  std::printf("packed %d\n", differences<Packed>());
  std::printf("derived %d\n", differences<Derived>());
  std::printf("overlaid %d\n", differences<Overlaid>());
  int* x;
  cudaMallocManaged(&x, 13 * sizeof(int));
  numbers<<<1, 1>>>(x);
  cudaDeviceSynchronize();
  const int expected[13] = {1, 14, 1, -24, 28, 17 - 29, -4, -5, 1, 0, 0, 44, 3};
  int wrong = 0;
  for (int i = 0; i < 13; ++i) {
    if (x[i] != expected[i]) std::printf("number %d is %d\n", i, x[i]);
    wrong += x[i] != expected[i];
  }
  std::printf("numbers %d\n", wrong);
}
