// Functions that OpenCL C has and CUDA has not.
#include "ir/intrinsics/IntrinsicTable.h"

namespace hone::ir {

std::span<const IntrinsicRow> openclRows() {
  using enum IntrinsicClass;
  // clang-format off
  static constexpr IntrinsicRow rows[] = {
    // Float functions of OpenCL alone, and those CUDA has under another name.
    {"tanpi", Math, "", "tanpi{F+}(T)T"},
    {"asinpi", Math, "", "asinpi{F+}(T)T"},
    {"acospi", Math, "", "acospi{F+}(T)T"},
    {"atanpi", Math, "", "atanpi{F+}(T)T"},
    {"atan2pi", Math, "", "atan2pi{F+}(TT)T"},
    {"powr", ofPositive(), ">powf(ff)f >pow(dd)d", "powr{F+}(TT)T"},
    {"rootn", Math, "", "rootn{F+}(TI)T"},
    {"mad", Math, ">fmaf(fff)f >fma(ddd)d", "mad{F+}(TTT)T"},
    {"maxmag", Math, "", "maxmag{F+}(TT)T"},
    {"minmag", Math, "", "minmag{F+}(TT)T"},
    {"nan", Bits, "", "nan{uLS+}(T)P"},
    {"nan_tag", Bits, "?nanf/1 ?nan/1"},
    {"fclamp", Math, "", "clamp{F+}(TTT)T clamp{F+}(TEE)T"},
    {"degrees", Math, "", "degrees{F+}(T)T"},
    {"radians", Math, "", "radians{F+}(T)T"},
    {"sign", Math, "", "sign{F+}(T)T"},
    {"mix", Math, "", "mix{F+}(TTT)T mix{F+}(TTE)T"},
    {"step", Math, "", "step{F+}(TT)T step{F+}(ET)T"},
    {"smoothstep", Math, "", "smoothstep{F+}(TTT)T smoothstep{F+}(EET)T"},
    // Geometry, over the lanes of one vector.
    {"dot", Math, "", "dot{F<}(TT)E"},
    {"cross", Math, "", "cross{fd<}(TT)T"},
    {"length", Math, "", "length{F<}(T)E"},
    {"distance", Math, "", "distance{F<}(TT)E"},
    {"normalize", Math, "", "normalize{F<}(T)T"},
    {"fast_length", Math, "", "fast_length{f<}(T)E"},
    {"fast_distance", Math, "", "fast_distance{f<}(TT)E"},
    {"fast_normalize", Math, "", "fast_normalize{f<}(T)T"},
  };
  // clang-format on
  return rows;
}

}  // namespace hone::ir
