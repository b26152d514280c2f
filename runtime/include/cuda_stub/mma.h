// Stands in for the toolkit's header of this name: matrix fragments held by a warp.
#pragma once
#pragma GCC system_header
#include "cuda_bf16.h"
#include "cuda_fp16.h"

namespace nvcuda {
namespace wmma {

struct row_major {};
struct col_major {};
struct matrix_a {};
struct matrix_b {};
struct accumulator {};
enum layout_t { mem_row_major, mem_col_major };
namespace precision {
struct u4 {};
struct s4 {};
struct b1 {};
struct tf32 {};
} // namespace precision
namespace experimental {
namespace precision {
using namespace nvcuda::wmma::precision;
}
enum bmmaBitOp { bmmaBitOpXOR = 1, bmmaBitOpAND = 2 };
enum bmmaAccumulateOp { bmmaAccumulateOpPOPC = 1 };
} // namespace experimental

template <class T> struct __hone_element { typedef T type; };
template <> struct __hone_element<precision::tf32> { typedef float type; };
template <> struct __hone_element<precision::u4> { typedef unsigned type; };
template <> struct __hone_element<precision::s4> { typedef int type; };
template <> struct __hone_element<precision::b1> { typedef unsigned type; };

template <class Use, int m, int n, int k> struct __hone_extent {};
template <int m, int n, int k> struct __hone_extent<matrix_a, m, n, k> { enum { count = m * k / 32 }; };
template <int m, int n, int k> struct __hone_extent<matrix_b, m, n, k> { enum { count = k * n / 32 }; };
template <int m, int n, int k> struct __hone_extent<accumulator, m, n, k> { enum { count = m * n / 32 }; };

template <class Use, int m, int n, int k, class T, class Layout = void> class fragment {
public:
  enum { num_elements = __hone_extent<Use, m, n, k>::count, num_storage_elements = num_elements };
  typedef typename __hone_element<T>::type element_type;
  element_type x[num_elements];
};

template <class Fragment, class T> __hone_device void fill_fragment(Fragment&, const T&);
template <class Fragment, class T> __hone_device void load_matrix_sync(Fragment&, const T*, unsigned int);
template <class Fragment, class T> __hone_device void load_matrix_sync(Fragment&, const T*, unsigned int, layout_t);
template <class Fragment, class T> __hone_device void store_matrix_sync(T*, const Fragment&, unsigned int, layout_t);
template <class D, class A, class B, class C>
__hone_device void mma_sync(D&, const A&, const B&, const C&, bool = false);
template <class D, class A, class B, class C>
__hone_device void bmma_sync(D&, const A&, const B&, const C&, experimental::bmmaBitOp = experimental::bmmaBitOpXOR,
                             experimental::bmmaAccumulateOp = experimental::bmmaAccumulateOpPOPC);
__hone_device float __float_to_tf32(float);

} // namespace wmma
} // namespace nvcuda
