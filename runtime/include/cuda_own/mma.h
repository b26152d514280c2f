// Stands in for the toolkit's header of this name, also where there is a toolkit: matrix fragments held by a warp.
// The bodies are what the embedded device runs. CUDA does not say which elements a lane holds; here lane l of m rows
// has row l % m of a, and every (32 / m)th of its elements, and of b and the accumulator column l % n likewise. The
// numbers of elements are the toolkit's, which for __half holds some of them several times.
#pragma once
#pragma GCC system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"

#define __hone_wmma __hone_device static __inline__ __attribute__((annotate("hone_run_only")))

namespace nvcuda {
namespace wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct tf32 {};
} // namespace precision
namespace experimental {
namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
} // namespace precision
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

template <class T> struct __hone_element { typedef T type; enum { packed = 1 }; };
template <> struct __hone_element<precision::tf32> { typedef float type; enum { packed = 1 }; };
template <> struct __hone_element<experimental::precision::u4> { typedef unsigned type; enum { packed = 8 }; };
template <> struct __hone_element<experimental::precision::s4> { typedef int type; enum { packed = 8 }; };
template <> struct __hone_element<experimental::precision::b1> { typedef unsigned type; enum { packed = 32 }; };

template <class Use, int m, int n, int k, class T> struct __hone_extent {};
template <int m, int n, int k, class T> struct __hone_extent<matrix_a, m, n, k, T> {
  enum { count = m * k / 32, held = count };
};
template <int m, int n, int k, class T> struct __hone_extent<matrix_b, m, n, k, T> {
  enum { count = k * n / 32, held = count };
};
template <int m, int n, int k, class T> struct __hone_extent<accumulator, m, n, k, T> {
  enum { count = m * n / 32, held = count };
};
template <int m, int n, int k> struct __hone_extent<matrix_a, m, n, k, __half> {
  enum { count = m * k / 32, held = 16 };
};
template <int m, int n, int k> struct __hone_extent<matrix_b, m, n, k, __half> {
  enum { count = k * n / 32, held = 16 };
};

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment {
public:
  enum {
    num_elements = __hone_extent<Use, m, n, k, T>::held,
    num_storage_elements = num_elements / __hone_element<T>::packed
  };
  typedef T element_type;
  typedef typename __hone_element<T>::type storage_element_type;
  storage_element_type x[num_storage_elements];
};

// What elements are multiplied and summed as.
__hone_wmma float __hone_wide(float v) { return v; }
__hone_wmma float __hone_wide(__half v) { return __half2float(v); }
__hone_wmma float __hone_wide(__nv_bfloat16 v) { return __bfloat162float(v); }
__hone_wmma double __hone_wide(double v) { return v; }
__hone_wmma int __hone_wide(int v) { return v; }
__hone_wmma int __hone_wide(signed char v) { return v; }
__hone_wmma int __hone_wide(unsigned char v) { return v; }
__hone_wmma void __hone_put(float& to, float v, bool) { to = v; }
__hone_wmma void __hone_put(__half& to, float v, bool) { to = __float2half(v); }
__hone_wmma void __hone_put(double& to, double v, bool) { to = v; }
__hone_wmma void __hone_put(int& to, long long v, bool saturates) {
  to = int(!saturates ? v : v > 2147483647LL ? 2147483647LL : v < -2147483647LL - 1 ? -2147483647LL - 1 : v);
}
template <class T> struct __hone_sum { typedef float type; };
template <> struct __hone_sum<double> { typedef double type; };
template <> struct __hone_sum<int> { typedef long long type; };

__hone_wmma int __hone_wmma_lane() {
  return int((threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z)) % 32);
}
__hone_wmma constexpr bool __hone_is_row(row_major) { return true; }
__hone_wmma constexpr bool __hone_is_row(col_major) { return false; }

template <class Use, int m, int n, int k, class T, class Layout>
__hone_wmma void fill_fragment(fragment<Use, m, n, k, T, Layout>& f, const typename __hone_element<T>::type& v) {
  static_assert(__hone_element<T>::packed == 1, "fragments of packed elements are not known");
  for (int i = 0; i < f.num_elements; ++i) f.x[i] = v;
}

template <int m, int n, int k, class T, class Layout>
__hone_wmma void load_matrix_sync(fragment<matrix_a, m, n, k, T, Layout>& f,
                                  const typename __hone_element<T>::type* p, unsigned ldm) {
  const int lane = __hone_wmma_lane(), row = lane % m;
  constexpr int count = __hone_extent<matrix_a, m, n, k, T>::count;
  for (int i = 0; i < f.num_elements; ++i) {
    const int column = i % count * (32 / m) + lane / m;
    f.x[i] = p[__hone_is_row(Layout()) ? row * ldm + column : row + column * ldm];
  }
}

template <int m, int n, int k, class T, class Layout>
__hone_wmma void load_matrix_sync(fragment<matrix_b, m, n, k, T, Layout>& f,
                                  const typename __hone_element<T>::type* p, unsigned ldm) {
  const int lane = __hone_wmma_lane(), column = lane % n;
  constexpr int count = __hone_extent<matrix_b, m, n, k, T>::count;
  for (int i = 0; i < f.num_elements; ++i) {
    const int row = i % count * (32 / n) + lane / n;
    f.x[i] = p[__hone_is_row(Layout()) ? row * ldm + column : row + column * ldm];
  }
}

template <int m, int n, int k, class T>
__hone_wmma void load_matrix_sync(fragment<accumulator, m, n, k, T>& f, const T* p, unsigned ldm, layout_t layout) {
  const int lane = __hone_wmma_lane(), column = lane % n;
  for (int i = 0; i < f.num_elements; ++i) {
    const int row = i * (32 / n) + lane / n;
    f.x[i] = p[layout == mem_row_major ? row * ldm + column : row + column * ldm];
  }
}

template <int m, int n, int k, class T>
__hone_wmma void store_matrix_sync(T* p, const fragment<accumulator, m, n, k, T>& f, unsigned ldm, layout_t layout) {
  const int lane = __hone_wmma_lane(), column = lane % n;
  for (int i = 0; i < f.num_elements; ++i) {
    const int row = i * (32 / n) + lane / n;
    p[layout == mem_row_major ? row * ldm + column : row + column * ldm] = f.x[i];
  }
}

template <int m, int n, int k, class D, class A, class LayoutA, class B, class LayoutB, class C>
__hone_wmma void mma_sync(fragment<accumulator, m, n, k, D>& d, const fragment<matrix_a, m, n, k, A, LayoutA>& a,
                          const fragment<matrix_b, m, n, k, B, LayoutB>& b,
                          const fragment<accumulator, m, n, k, C>& c, bool saturates) {
  static_assert(__hone_element<A>::packed == 1, "fragments of packed elements are not known");
  const int lane = __hone_wmma_lane(), column = lane % n;
  for (int i = 0; i < d.num_elements; ++i) {
    const int row = i * (32 / n) + lane / n;
    typename __hone_sum<D>::type sum = __hone_wide(c.x[i]);
    for (int step = 0; step < k; ++step)
      sum += __shfl_sync(0xffffffffu, __hone_wide(a.x[step / (32 / m)]), row + m * (step % (32 / m))) *
             __shfl_sync(0xffffffffu, __hone_wide(b.x[step / (32 / n)]), column + n * (step % (32 / n)));
    __hone_put(d.x[i], sum, saturates);
  }
}

// Apart, since the toolkit gives the last argument to whole numbers only, and calls are printed as they are.
template <int m, int n, int k, class D, class A, class LayoutA, class B, class LayoutB, class C>
__hone_wmma void mma_sync(fragment<accumulator, m, n, k, D>& d, const fragment<matrix_a, m, n, k, A, LayoutA>& a,
                          const fragment<matrix_b, m, n, k, B, LayoutB>& b,
                          const fragment<accumulator, m, n, k, C>& c) {
  mma_sync(d, a, b, c, false);
}

// To the nearest with 10 bits behind the point, halves away from zero.
__hone_wmma float __float_to_tf32(float v) {
  const unsigned bits = __float_as_uint(v);
  return (bits & 0x7f800000u) == 0x7f800000u ? v : __uint_as_float((bits + 0x1000u) & 0xffffe000u);
}

} // namespace wmma
} // namespace nvcuda
