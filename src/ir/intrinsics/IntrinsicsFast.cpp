// Approximate functions and single operations with a stated rounding.
#include "ir/intrinsics/IntrinsicTable.h"

namespace hone::ir {

std::span<const IntrinsicRow> fastRows() {
  using enum IntrinsicClass;
  // clang-format off
  static constexpr IntrinsicRow rows[] = {
    // Fast approximations, of accuracy that each implementation defines: allowed to stand for one another.
    {"native_sin", Math, "__sinf(f)f", "native_sin{f+}(T)T"},
    {"native_cos", Math, "__cosf(f)f", "native_cos{f+}(T)T"},
    {"native_tan", Math, "__tanf(f)f", "native_tan{f+}(T)T"},
    {"native_exp", Math, "__expf(f)f", "native_exp{f+}(T)T"},
    {"native_exp10", Math, "__exp10f(f)f", "native_exp10{f+}(T)T"},
    {"native_log", ofPositive(), "__logf(f)f", "native_log{f+}(T)T"},
    {"native_log2", ofPositive(), "__log2f(f)f", "native_log2{f+}(T)T"},
    {"native_log10", ofPositive(), "__log10f(f)f", "native_log10{f+}(T)T"},
    {"native_exp2", Math, ">exp2f(f)f", "native_exp2{f+}(T)T"},
    {"native_tanh", Math, "__tanhf(f)f", ">tanh{f}(T)T"},
    {"native_sqrt", ofPositive(), ">sqrtf(f)f", "native_sqrt{f+}(T)T"},
    {"native_rsqrt", ofPositive(), ">rsqrtf(f)f", "native_rsqrt{f+}(T)T"},
    {"native_recip", Math, ">__frcp_rn(f)f", "native_recip{f+}(T)T"},
    {"native_powr", ofPositive(), "__powf(ff)f", "native_powr{f+}(TT)T"},
    {"native_divide", Math, "__fdividef(ff)f", "native_divide{f+}(TT)T"},
    {"native_sincos", Math, "__sincosf(f*f*f)v"},
    {"fdivide", Math, "fdividef(ff)f"},
    // half_ functions are right to 11 bits at least: CUDA's full functions serve.
    {"half_sin", Math, ">sinf(f)f", "half_sin{f+}(T)T"},
    {"half_cos", Math, ">cosf(f)f", "half_cos{f+}(T)T"},
    {"half_tan", Math, ">tanf(f)f", "half_tan{f+}(T)T"},
    {"half_exp", Math, ">expf(f)f", "half_exp{f+}(T)T"},
    {"half_exp2", Math, ">exp2f(f)f", "half_exp2{f+}(T)T"},
    {"half_exp10", Math, ">exp10f(f)f", "half_exp10{f+}(T)T"},
    {"half_log", ofPositive(), ">logf(f)f", "half_log{f+}(T)T"},
    {"half_log2", ofPositive(), ">log2f(f)f", "half_log2{f+}(T)T"},
    {"half_log10", ofPositive(), ">log10f(f)f", "half_log10{f+}(T)T"},
    {"half_sqrt", ofPositive(), ">sqrtf(f)f", "half_sqrt{f+}(T)T"},
    {"half_rsqrt", ofPositive(), ">rsqrtf(f)f", "half_rsqrt{f+}(T)T"},
    {"half_recip", Math, ">__frcp_rn(f)f", "half_recip{f+}(T)T"},
    {"half_powr", ofPositive(), ">powf(ff)f", "half_powr{f+}(TT)T"},
    {"half_divide", Math, ">__fdiv_rn(ff)f", "half_divide{f+}(TT)T"},
    // Single operations with a stated rounding, never fused. Nearest rounding of doubles is OpenCL's only
    // one.
    {"add_rn", Math, "__fadd_rn(ff)f __dadd_rn(dd)d"},
    {"add_rz", Math, "__fadd_rz(ff)f __dadd_rz(dd)d"},
    {"add_ru", Math, "__fadd_ru(ff)f __dadd_ru(dd)d"},
    {"add_rd", Math, "__fadd_rd(ff)f __dadd_rd(dd)d"},
    {"sub_rn", Math, "__fsub_rn(ff)f __dsub_rn(dd)d"},
    {"sub_rz", Math, "__fsub_rz(ff)f __dsub_rz(dd)d"},
    {"sub_ru", Math, "__fsub_ru(ff)f __dsub_ru(dd)d"},
    {"sub_rd", Math, "__fsub_rd(ff)f __dsub_rd(dd)d"},
    {"mul_rn", Math, "__fmul_rn(ff)f __dmul_rn(dd)d"},
    {"mul_rz", Math, "__fmul_rz(ff)f __dmul_rz(dd)d"},
    {"mul_ru", Math, "__fmul_ru(ff)f __dmul_ru(dd)d"},
    {"mul_rd", Math, "__fmul_rd(ff)f __dmul_rd(dd)d"},
    {"div_rn", Math, "__fdiv_rn(ff)f __ddiv_rn(dd)d"},
    {"div_rz", Math, "__fdiv_rz(ff)f __ddiv_rz(dd)d"},
    {"div_ru", Math, "__fdiv_ru(ff)f __ddiv_ru(dd)d"},
    {"div_rd", Math, "__fdiv_rd(ff)f __ddiv_rd(dd)d"},
    {"fma_rz", Math, "__fmaf_rz(fff)f __fma_rz(ddd)d"},
    {"fma_ru", Math, "__fmaf_ru(fff)f __fma_ru(ddd)d"},
    {"fma_rd", Math, "__fmaf_rd(fff)f __fma_rd(ddd)d"},
    {"fma_ieee_rn", Math, "__fmaf_ieee_rn(fff)f"},
    {"fma_ieee_rz", Math, "__fmaf_ieee_rz(fff)f"},
    {"fma_ieee_ru", Math, "__fmaf_ieee_ru(fff)f"},
    {"fma_ieee_rd", Math, "__fmaf_ieee_rd(fff)f"},
    {"rcp_rn", Math, "__frcp_rn(f)f __drcp_rn(d)d"},
    {"rcp_rz", Math, "__frcp_rz(f)f __drcp_rz(d)d"},
    {"rcp_ru", Math, "__frcp_ru(f)f __drcp_ru(d)d"},
    {"rcp_rd", Math, "__frcp_rd(f)f __drcp_rd(d)d"},
    {"sqrt_rn", ofPositive(), "__fsqrt_rn(f)f __dsqrt_rn(d)d", ">sqrt(d)d"},
    {"sqrt_rz", ofPositive(), "__fsqrt_rz(f)f __dsqrt_rz(d)d"},
    {"sqrt_ru", ofPositive(), "__fsqrt_ru(f)f __dsqrt_ru(d)d"},
    {"sqrt_rd", ofPositive(), "__fsqrt_rd(f)f __dsqrt_rd(d)d"},
    {"rsqrt_rn", ofPositive(), "__frsqrt_rn(f)f"},
    {"saturate", Math, "__saturatef(f)f"},
  };
  // clang-format on
  return rows;
}

}  // namespace hone::ir
