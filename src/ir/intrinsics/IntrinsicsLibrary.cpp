// Device functions of headers beside the core, and words to the compiler.
#include "ir/intrinsics/IntrinsicTable.h"

namespace hone::ir {

std::span<const IntrinsicRow> libraryRows() {
  using enum IntrinsicClass;
  // clang-format off
  static constexpr IntrinsicRow rows[] = {
    // cuComplex.h: complex numbers are float2 and double2.
    {"complex_real", Math, "cuCrealf(D)f cuCreal(G)d"},
    {"complex_imag", Math, "cuCimagf(D)f cuCimag(G)d"},
    {"complex_abs", Math, "cuCabsf(D)f cuCabs(G)d"},
    {"complex_add", Math, "cuCaddf(DD)D cuCadd(GG)G"},
    {"complex_sub", Math, "cuCsubf(DD)D cuCsub(GG)G"},
    {"complex_mul", Math, "cuCmulf(DD)D cuCmul(GG)G"},
    {"complex_div", Math, "cuCdivf(DD)D cuCdiv(GG)G"},
    {"complex_fma", Math, "cuCfmaf(DDD)D cuCfma(GGG)G"},
    {"complex_conj", Math, "cuConjf(D)D cuConj(G)G"},
    {"complex_make", Math, "make_cuFloatComplex(ff)D make_cuComplex(ff)D make_cuDoubleComplex(dd)G"},
    {"complex_convert", Convert, "cuComplexFloatToDouble(D)G cuComplexDoubleToFloat(G)D"},
    // curand_kernel.h: each call steps the state its argument points to.
    {"curand_init", Store, "?curand_init/3-4"},
    {"skipahead", Store, "?skipahead/2"},
    {"skipahead_sequence", Store, "?skipahead_sequence/2"},
    {"curand", Store, "?curand/1"},
    {"curand4", Store, "?curand4/1"},
    {"curand_uniform", Store, "?curand_uniform/1"},
    {"curand_uniform2_double", Store, "?curand_uniform2_double/1"},
    {"curand_uniform4", Store, "?curand_uniform4/1"},
    {"curand_uniform4_double", Store, "?curand_uniform4_double/1"},
    {"curand_uniform_double", Store, "?curand_uniform_double/1"},
    {"curand_normal", Store, "?curand_normal/1"},
    {"curand_normal2", Store, "?curand_normal2/1"},
    {"curand_normal4", Store, "?curand_normal4/1"},
    {"curand_normal_double", Store, "?curand_normal_double/1"},
    {"curand_normal2_double", Store, "?curand_normal2_double/1"},
    {"curand_normal4_double", Store, "?curand_normal4_double/1"},
    {"curand_log_normal", Store, "?curand_log_normal/2-3"},
    {"curand_log_normal2", Store, "?curand_log_normal2/2-3"},
    {"curand_log_normal4", Store, "?curand_log_normal4/2-3"},
    {"curand_log_normal_double", Store, "?curand_log_normal_double/2-3"},
    {"curand_log_normal2_double", Store, "?curand_log_normal2_double/2-3"},
    {"curand_poisson", Store, "?curand_poisson/2-3"},
    {"curand_poisson4", Store, "?curand_poisson4/2-3"},
    {"curand_discrete", Store, "?curand_discrete/2-3"},
    // mma.h: a warp works on a fragment, which the call writes.
    {"wmma_fill", Store, "?nvcuda::wmma::fill_fragment/2"},
    {"wmma_load", Store, "?nvcuda::wmma::load_matrix_sync/3-4"},
    {"wmma_store", Store, "?nvcuda::wmma::store_matrix_sync/4"},
    {"wmma_mma", Store, "?nvcuda::wmma::mma_sync/4-5"},
    {"wmma_float_to_tf32", Convert, "nvcuda::wmma::__float_to_tf32(f)f"},
    {"cudaGraphSetConditional", Store, "?cudaGraphSetConditional/2"},
    // Words to the compiler.
    {"expect", Math, "__builtin_expect(ll)l", "__builtin_expect(ll)l"},
    {"unreachable", Control, "?__builtin_unreachable/0", "?__builtin_unreachable/0"},
    {"device_malloc", Control, "?malloc/1"},
    {"device_free", Control, "?free/1"},
    {"bad_call", Control, "?__hone_bad_call/1"},
    {"assume", Control, "?__builtin_assume/1", "?__builtin_assume/1"},
    {"assume_aligned", Bits, "?__builtin_assume_aligned/2-3", "?__builtin_assume_aligned/2-3"},
  };
  // clang-format on
  return rows;
}

}  // namespace hone::ir
