// Functions of cuda_fp16.h and cuda_bf16.h that have no wider twin.
#include "ir/IntrinsicTable.h"

namespace hone::ir {
namespace {

constexpr IntrinsicClass Bits = IntrinsicClass::Bits;
constexpr IntrinsicClass Convert = IntrinsicClass::Convert;
constexpr IntrinsicClass Math = IntrinsicClass::Math;

// clang-format off
const IntrinsicRow rows[] = {
    // Arithmetic of half and bfloat16, scalar and in pairs, that the operators may fuse; _rn never is.
    {"h_add", Math, "__hadd{hB}(TT)T __hadd2{HN}(TT)T"},
    {"h_add_rn", Math, "__hadd_rn{hB}(TT)T __hadd2_rn{HN}(TT)T"},
    {"h_add_sat", Math, "__hadd_sat{hB}(TT)T __hadd2_sat{HN}(TT)T"},
    {"h_sub", Math, "__hsub{hB}(TT)T __hsub2{HN}(TT)T"},
    {"h_sub_rn", Math, "__hsub_rn{hB}(TT)T __hsub2_rn{HN}(TT)T"},
    {"h_sub_sat", Math, "__hsub_sat{hB}(TT)T __hsub2_sat{HN}(TT)T"},
    {"h_mul", Math, "__hmul{hB}(TT)T __hmul2{HN}(TT)T"},
    {"h_mul_rn", Math, "__hmul_rn{hB}(TT)T __hmul2_rn{HN}(TT)T"},
    {"h_mul_sat", Math, "__hmul_sat{hB}(TT)T __hmul2_sat{HN}(TT)T"},
    {"h_div", Math, "__hdiv{hB}(TT)T __h2div{HN}(TT)T"},
    {"h_neg", Math, "__hneg{hB}(T)T __hneg2{HN}(T)T"},
    {"h_fma_sat", Math, "__hfma_sat{hB}(TTT)T __hfma2_sat{HN}(TTT)T"},
    {"h_fma_relu", Math, "__hfma_relu{hB}(TTT)T __hfma2_relu{HN}(TTT)T"},
    {"h_cmadd", Math, "__hcmadd{HN}(TTT)T"},
    {"h_min_nan", Math, "__hmin_nan{hB}(TT)T __hmin2_nan{HN}(TT)T"},
    {"h_max_nan", Math, "__hmax_nan{hB}(TT)T __hmax2_nan{HN}(TT)T"},
    {"h_rcp", Math, "hrcp{hB}(T)T h2rcp{HN}(T)T"},
    {"h_tanh_approx", Math, "htanh_approx{hB}(T)T h2tanh_approx{HN}(T)T"},
    {"h_isinf", Math, "__hisinf{hB}(T)i"},
    {"h_isnan2", Math, "__hisnan2{HN}(T)T"},
    // Comparisons: ordered, and with u true where an operand is NaN. Of pairs: 1 and 0, both true, or a mask.
    {"h_eq", Math, "__heq{hB}(TT)b", ">isequal{h}(TT)i"},
    {"h_eq2", Math, "__heq2{HN}(TT)T"},
    {"h_beq2", Math, "__hbeq2{HN}(TT)b"},
    {"h_eq2_mask", Math, "__heq2_mask{HN}(TT)u"},
    {"h_ne", Math, "__hne{hB}(TT)b", ">islessgreater{h}(TT)i"},
    {"h_ne2", Math, "__hne2{HN}(TT)T"},
    {"h_bne2", Math, "__hbne2{HN}(TT)b"},
    {"h_ne2_mask", Math, "__hne2_mask{HN}(TT)u"},
    {"h_lt", Math, "__hlt{hB}(TT)b", ">isless{h}(TT)i"},
    {"h_lt2", Math, "__hlt2{HN}(TT)T"},
    {"h_blt2", Math, "__hblt2{HN}(TT)b"},
    {"h_lt2_mask", Math, "__hlt2_mask{HN}(TT)u"},
    {"h_le", Math, "__hle{hB}(TT)b", ">islessequal{h}(TT)i"},
    {"h_le2", Math, "__hle2{HN}(TT)T"},
    {"h_ble2", Math, "__hble2{HN}(TT)b"},
    {"h_le2_mask", Math, "__hle2_mask{HN}(TT)u"},
    {"h_gt", Math, "__hgt{hB}(TT)b", ">isgreater{h}(TT)i"},
    {"h_gt2", Math, "__hgt2{HN}(TT)T"},
    {"h_bgt2", Math, "__hbgt2{HN}(TT)b"},
    {"h_gt2_mask", Math, "__hgt2_mask{HN}(TT)u"},
    {"h_ge", Math, "__hge{hB}(TT)b", ">isgreaterequal{h}(TT)i"},
    {"h_ge2", Math, "__hge2{HN}(TT)T"},
    {"h_bge2", Math, "__hbge2{HN}(TT)b"},
    {"h_ge2_mask", Math, "__hge2_mask{HN}(TT)u"},
    {"h_equ", Math, "__hequ{hB}(TT)b"},
    {"h_equ2", Math, "__hequ2{HN}(TT)T"},
    {"h_bequ2", Math, "__hbequ2{HN}(TT)b"},
    {"h_equ2_mask", Math, "__hequ2_mask{HN}(TT)u"},
    {"h_neu", Math, "__hneu{hB}(TT)b", ">isnotequal{h}(TT)i"},
    {"h_neu2", Math, "__hneu2{HN}(TT)T"},
    {"h_bneu2", Math, "__hbneu2{HN}(TT)b"},
    {"h_neu2_mask", Math, "__hneu2_mask{HN}(TT)u"},
    {"h_ltu", Math, "__hltu{hB}(TT)b"},
    {"h_ltu2", Math, "__hltu2{HN}(TT)T"},
    {"h_bltu2", Math, "__hbltu2{HN}(TT)b"},
    {"h_ltu2_mask", Math, "__hltu2_mask{HN}(TT)u"},
    {"h_leu", Math, "__hleu{hB}(TT)b"},
    {"h_leu2", Math, "__hleu2{HN}(TT)T"},
    {"h_bleu2", Math, "__hbleu2{HN}(TT)b"},
    {"h_leu2_mask", Math, "__hleu2_mask{HN}(TT)u"},
    {"h_gtu", Math, "__hgtu{hB}(TT)b"},
    {"h_gtu2", Math, "__hgtu2{HN}(TT)T"},
    {"h_bgtu2", Math, "__hbgtu2{HN}(TT)b"},
    {"h_gtu2_mask", Math, "__hgtu2_mask{HN}(TT)u"},
    {"h_geu", Math, "__hgeu{hB}(TT)b"},
    {"h_geu2", Math, "__hgeu2{HN}(TT)T"},
    {"h_bgeu2", Math, "__hbgeu2{HN}(TT)b"},
    {"h_geu2_mask", Math, "__hgeu2_mask{HN}(TT)u"},
    // Pairs from and to their parts.
    {"h_make_pair", Convert, "__halves2half2(hh)H make_half2(hh)H __halves2bfloat162(BB)N "
          "make_bfloat162(BB)N"},
    {"h_to_pair", Convert, "__half2half2(h)H __bfloat162bfloat162(B)N"},
    {"float_to_half_pair", Convert, "__float2half2_rn(f)H __float2bfloat162_rn(f)N"},
    {"floats_to_half_pair", Convert, "__floats2half2_rn(ff)H __floats2bfloat162_rn(ff)N"},
    {"float2_to_half_pair", Convert, "__float22half2_rn(D)H __float22bfloat162_rn(D)N"},
    {"pair_to_float2", Convert, "__half22float2(H)D __bfloat1622float2(N)D"},
    {"pair_low", Bits, "__low2half(H)h __low2bfloat16(N)B"},
    {"pair_high", Bits, "__high2half(H)h __high2bfloat16(N)B"},
    {"pair_low_float", Convert, "__low2float{HN}(T)f"},
    {"pair_high_float", Convert, "__high2float{HN}(T)f"},
    {"pair_low_twice", Bits, "__low2half2(H)H __low2bfloat162(N)N"},
    {"pair_high_twice", Bits, "__high2half2(H)H __high2bfloat162(N)N"},
    {"pair_lows", Bits, "__lows2half2(HH)H __lows2bfloat162(NN)N"},
    {"pair_highs", Bits, "__highs2half2(HH)H __highs2bfloat162(NN)N"},
    {"pair_swap", Bits, "__lowhigh2highlow{HN}(T)T"},
};
// clang-format on

}  // namespace

std::span<const IntrinsicRow> halfRows() { return rows; }

}  // namespace hone::ir
