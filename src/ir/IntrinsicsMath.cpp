// Functions of floating-point numbers.
#include "ir/IntrinsicTable.h"

namespace hone::ir {
namespace {

constexpr IntrinsicClass Load = IntrinsicClass::Load;
constexpr IntrinsicClass Math = IntrinsicClass::Math;

// clang-format off
const IntrinsicRow rows[] = {
    // C math with the accuracy of the platform's library.
    {"sin", Math, "sinf(f)f sin{fd}(T)T hsin{hB}(T)T h2sin{HN}(T)T", "sin{F+}(T)T"},
    {"cos", Math, "cosf(f)f cos{fd}(T)T hcos{hB}(T)T h2cos{HN}(T)T", "cos{F+}(T)T"},
    {"tan", Math, "tanf(f)f tan{fd}(T)T", "tan{F+}(T)T"},
    {"asin", Math, "asinf(f)f asin{fd}(T)T", "asin{F+}(T)T"},
    {"acos", Math, "acosf(f)f acos{fd}(T)T", "acos{F+}(T)T"},
    {"atan", Math, "atanf(f)f atan{fd}(T)T", "atan{F+}(T)T"},
    {"sinh", Math, "sinhf(f)f sinh{fd}(T)T", "sinh{F+}(T)T"},
    {"cosh", Math, "coshf(f)f cosh{fd}(T)T", "cosh{F+}(T)T"},
    {"tanh", Math, "tanhf(f)f tanh{fd}(T)T htanh{hB}(T)T h2tanh{HN}(T)T", "tanh{F+}(T)T"},
    {"asinh", Math, "asinhf(f)f asinh{fd}(T)T", "asinh{F+}(T)T"},
    {"acosh", Math, "acoshf(f)f acosh{fd}(T)T", "acosh{F+}(T)T"},
    {"atanh", Math, "atanhf(f)f atanh{fd}(T)T", "atanh{F+}(T)T"},
    {"exp", Math, "expf(f)f exp{fd}(T)T hexp{hB}(T)T h2exp{HN}(T)T", "exp{F+}(T)T"},
    {"exp2", Math, "exp2f(f)f exp2{fd}(T)T hexp2{hB}(T)T h2exp2{HN}(T)T", "exp2{F+}(T)T"},
    {"exp10", Math, "exp10f(f)f exp10{fd}(T)T hexp10{hB}(T)T h2exp10{HN}(T)T", "exp10{F+}(T)T"},
    {"expm1", Math, "expm1f(f)f expm1{fd}(T)T", "expm1{F+}(T)T"},
    {"log", Math, "logf(f)f log{fd}(T)T hlog{hB}(T)T h2log{HN}(T)T", "log{F+}(T)T"},
    {"log2", Math, "log2f(f)f log2{fd}(T)T hlog2{hB}(T)T h2log2{HN}(T)T", "log2{F+}(T)T"},
    {"log10", Math, "log10f(f)f log10{fd}(T)T hlog10{hB}(T)T h2log10{HN}(T)T", "log10{F+}(T)T"},
    {"log1p", Math, "log1pf(f)f log1p{fd}(T)T", "log1p{F+}(T)T"},
    {"sqrt", Math, "sqrtf(f)f sqrt{fd}(T)T hsqrt{hB}(T)T h2sqrt{HN}(T)T", "sqrt{F+}(T)T"},
    {"cbrt", Math, "cbrtf(f)f cbrt{fd}(T)T", "cbrt{F+}(T)T"},
    {"ceil", Math, "ceilf(f)f ceil{fd}(T)T hceil{hB}(T)T h2ceil{HN}(T)T", "ceil{F+}(T)T"},
    {"floor", Math, "floorf(f)f floor{fd}(T)T hfloor{hB}(T)T h2floor{HN}(T)T", "floor{F+}(T)T"},
    {"trunc", Math, "truncf(f)f trunc{fd}(T)T htrunc{hB}(T)T h2trunc{HN}(T)T", "trunc{F+}(T)T"},
    {"round", Math, "roundf(f)f round{fd}(T)T", "round{F+}(T)T"},
    {"rint", Math, "rintf(f)f rint{fd}(T)T hrint{hB}(T)T h2rint{HN}(T)T", "rint{F+}(T)T"},
    {"erf", Math, "erff(f)f erf{fd}(T)T", "erf{F+}(T)T"},
    {"erfc", Math, "erfcf(f)f erfc{fd}(T)T", "erfc{F+}(T)T"},
    {"tgamma", Math, "tgammaf(f)f tgamma{fd}(T)T", "tgamma{F+}(T)T"},
    {"lgamma", Math, "lgammaf(f)f lgamma{fd}(T)T", "lgamma{F+}(T)T"},
    {"logb", Math, "logbf(f)f logb{fd}(T)T", "logb{F+}(T)T"},
    {"rsqrt", Math, "rsqrtf(f)f rsqrt{fd}(T)T hrsqrt{hB}(T)T h2rsqrt{HN}(T)T", "rsqrt{F+}(T)T"},
    {"sinpi", Math, "sinpif(f)f sinpi{fd}(T)T", "sinpi{F+}(T)T"},
    {"cospi", Math, "cospif(f)f cospi{fd}(T)T", "cospi{F+}(T)T"},
    {"fabs", Math, "fabsf(f)f fabs{fd}(T)T abs{fd}(T)T __habs{hB}(T)T __habs2{HN}(T)T", "fabs{F+}(T)T"},
    {"nearbyint", Math, "nearbyintf(f)f nearbyint{fd}(T)T", ">rint{F+}(T)T"},
    {"atan2", Math, "atan2f(ff)f atan2{fd}(TT)T", "atan2{F+}(TT)T"},
    {"pow", Math, "powf(ff)f pow{fd}(TT)T", "pow{F+}(TT)T"},
    {"hypot", Math, "hypotf(ff)f hypot{fd}(TT)T", "hypot{F+}(TT)T"},
    {"fmod", Math, "fmodf(ff)f fmod{fd}(TT)T", "fmod{F+}(TT)T"},
    {"remainder", Math, "remainderf(ff)f remainder{fd}(TT)T", "remainder{F+}(TT)T"},
    {"copysign", Math, "copysignf(ff)f copysign{fd}(TT)T", "copysign{F+}(TT)T"},
    {"fdim", Math, "fdimf(ff)f fdim{fd}(TT)T", "fdim{F+}(TT)T"},
    {"nextafter", Math, "nextafterf(ff)f nextafter{fd}(TT)T", "nextafter{F+}(TT)T"},
    // CUDA's min and max of floats are fmin and fmax: a NaN gives way to the other operand. OpenCL's min
    // leaves NaN open.
    {"fmin", Math, "fminf(ff)f fmin{fd}(TT)T min{fd}(TT)T __hmin{hB}(TT)T __hmin2{HN}(TT)T",
          "fmin{F+}(TT)T fmin{F+}(TE)T"},
    {"fmin_common", Math, ">fminf(ff)f >fmin(dd)d", "min{F+}(TT)T min{F+}(TE)T"},
    {"fmax", Math, "fmaxf(ff)f fmax{fd}(TT)T max{fd}(TT)T __hmax{hB}(TT)T __hmax2{HN}(TT)T",
          "fmax{F+}(TT)T fmax{F+}(TE)T"},
    {"fmax_common", Math, ">fmaxf(ff)f >fmax(dd)d", "max{F+}(TT)T max{F+}(TE)T"},
    {"fma", Math, "fmaf(fff)f fma{fd}(TTT)T __fmaf_rn(fff)f __fma_rn(ddd)d __hfma{hB}(TTT)T "
          "__hfma2{HN}(TTT)T", "fma{F+}(TTT)T"},
    {"pown", Math, "", "pown{F+}(TI)T"},
    {"ldexp", Math, "ldexpf(fi)f ldexp{fd}(Ti)T scalbnf(fi)f scalbn{fd}(Ti)T",
          "ldexp{F+}(TI)T ldexp{F+}(Ti)T"},
    {"scalbln", Math, "scalblnf(fl)f scalbln{fd}(Tl)T"},
    {"ilogb", Math, "ilogbf(f)i ilogb{fd}(T)i", "ilogb{F+}(T)I"},
    {"lrint", Math, "lrintf(f)l lrint{fd}(T)l llrintf(f)l llrint{fd}(T)l"},
    {"lround", Math, "lroundf(f)l lround{fd}(T)l llroundf(f)l llround{fd}(T)l"},
    // Results behind pointers.
    {"sincos", Math, "sincosf(f*f*f)v sincos{fd}(T*T*T)v"},
    {"sincospi", Math, "sincospif(f*f*f)v sincospi{fd}(T*T*T)v"},
    {"sincos_value", Math, "", "sincos{F+}(T*T)T"},
    {"frexp", Math, "frexpf(f*i)f frexp{fd}(T*i)T", "frexp{F+}(T*I)T"},
    {"modf", Math, "modff(f*f)f modf{fd}(T*T)T", "modf{F+}(T*T)T"},
    {"remquo", Math, "remquof(ff*i)f remquo{fd}(TT*i)T", "remquo{F+}(TT*I)T"},
    {"lgamma_r", Math, "", "lgamma_r{F+}(T*I)T"},
    {"fract", Math, "", "fract{F+}(T*T)T"},
    // Special functions of CUDA alone.
    {"rcbrt", Math, "rcbrtf(f)f rcbrt{fd}(T)T"},
    {"erfinv", Math, "erfinvf(f)f erfinv{fd}(T)T"},
    {"erfcinv", Math, "erfcinvf(f)f erfcinv{fd}(T)T"},
    {"erfcx", Math, "erfcxf(f)f erfcx{fd}(T)T"},
    {"normcdf", Math, "normcdff(f)f normcdf{fd}(T)T"},
    {"normcdfinv", Math, "normcdfinvf(f)f normcdfinv{fd}(T)T"},
    {"j0", Math, "j0f(f)f j0{fd}(T)T"},
    {"j1", Math, "j1f(f)f j1{fd}(T)T"},
    {"y0", Math, "y0f(f)f y0{fd}(T)T"},
    {"y1", Math, "y1f(f)f y1{fd}(T)T"},
    {"cyl_bessel_i0", Math, "cyl_bessel_i0f(f)f cyl_bessel_i0{fd}(T)T"},
    {"cyl_bessel_i1", Math, "cyl_bessel_i1f(f)f cyl_bessel_i1{fd}(T)T"},
    {"jn", Math, "jnf(if)f jn(id)d"},
    {"yn", Math, "ynf(if)f yn(id)d"},
    {"rhypot", Math, "rhypotf(ff)f rhypot(dd)d"},
    {"norm3d", Math, "norm3df(fff)f norm3d(ddd)d"},
    {"rnorm3d", Math, "rnorm3df(fff)f rnorm3d(ddd)d"},
    {"norm4d", Math, "norm4df(ffff)f norm4d(dddd)d"},
    {"rnorm4d", Math, "rnorm4df(ffff)f rnorm4d(dddd)d"},
    {"norm", Load, "normf(i*f)f norm(i*d)d"},
    {"rnorm", Load, "rnormf(i*f)f rnorm(i*d)d"},
    // Tests of floats: bool in CUDA, int or a vector of -1 and 0 in OpenCL.
    {"isnan", Math, "isnan{fd}(T)b __hisnan{hB}(T)b", "isnan{F+}(T)R"},
    {"isinf", Math, "isinf{fd}(T)b", "isinf{F+}(T)R"},
    {"isfinite", Math, "isfinite{fd}(T)b", "isfinite{F+}(T)R"},
    {"signbit", Math, "signbit{fd}(T)b", "signbit{F+}(T)R"},
    {"isnan_int", Math, "__isnanf(f)i __isnan(d)i", ">isnan{fd}(T)i"},
    {"isinf_int", Math, "__isinff(f)i __isinf(d)i", ">isinf{fd}(T)i"},
    {"isfinite_int", Math, "__finitef(f)i __finite(d)i __isfinited(d)i", ">isfinite{fd}(T)i"},
    {"signbit_int", Math, "__signbitf(f)i __signbitd(d)i", ">signbit{fd}(T)i"},
    // CUDA has these only where constexpr host functions are allowed in device code, so they are not what to
    // write for OpenCL's.
    {"isnormal_std", Math, "isnormal{fd}(T)b", ">isnormal{fd}(T)i"},
    {"isgreater_std", Math, "isgreater{fd}(TT)b", ">isgreater{fd}(TT)i"},
    {"isgreaterequal_std", Math, "isgreaterequal{fd}(TT)b", ">isgreaterequal{fd}(TT)i"},
    {"isless_std", Math, "isless{fd}(TT)b", ">isless{fd}(TT)i"},
    {"islessequal_std", Math, "islessequal{fd}(TT)b", ">islessequal{fd}(TT)i"},
    {"islessgreater_std", Math, "islessgreater{fd}(TT)b", ">islessgreater{fd}(TT)i"},
    {"isunordered_std", Math, "isunordered{fd}(TT)b", ">isunordered{fd}(TT)i"},
    {"isnormal", Math, "", "isnormal{F+}(T)R"},
    {"isgreater", Math, "", "isgreater{F+}(TT)R"},
    {"isgreaterequal", Math, "", "isgreaterequal{F+}(TT)R"},
    {"isless", Math, "", "isless{F+}(TT)R"},
    {"islessequal", Math, "", "islessequal{F+}(TT)R"},
    {"islessgreater", Math, "", "islessgreater{F+}(TT)R"},
    {"isunordered", Math, "", "isunordered{F+}(TT)R"},
    {"isequal", Math, "", "isequal{F+}(TT)R"},
    {"isnotequal", Math, "", "isnotequal{F+}(TT)R"},
    {"isordered", Math, "", "isordered{F+}(TT)R"},
};
// clang-format on

}  // namespace

std::span<const IntrinsicRow> mathRows() { return rows; }

}  // namespace hone::ir
