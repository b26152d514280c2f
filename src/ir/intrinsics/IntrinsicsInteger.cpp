// Functions of integers and bits.
#include "ir/intrinsics/IntrinsicTable.h"

namespace hone::ir {

std::span<const IntrinsicRow> integerRows() {
  using enum IntrinsicClass;
  // clang-format off
  static constexpr IntrinsicRow rows[] = {
    // Integers.
    {"min", Math, "min{iulL}(TT)T umin(uu)u llmin(ll)l ullmin(LL)L", "min{A+}(TT)T min{A+}(TE)T"},
    {"max", Math, "max{iulL}(TT)T umax(uu)u llmax(ll)l ullmax(LL)L", "max{A+}(TT)T max{A+}(TE)T"},
    {"abs", Math, "abs{il}(T)T labs(l)l llabs(l)l", "abs{A+}(T)U"},
    {"clamp", Math, "", "clamp{A+}(TTT)T clamp{A+}(TEE)T"},
    {"mul_hi", Math, "__mulhi(ii)i __umulhi(uu)u __mul64hi(ll)l __umul64hi(LL)L", "mul_hi{A+}(TT)T"},
    {"mul24", Math, "__mul24(ii)i __umul24(uu)u", "mul24{iu+}(TT)T"},
    {"mad24", Math, "", "mad24{iu+}(TTT)T"},
    {"hadd", Math, "__hadd(ii)i __uhadd(uu)u", "hadd{A+}(TT)T"},
    {"rhadd", Math, "__rhadd(ii)i __urhadd(uu)u", "rhadd{A+}(TT)T"},
    {"sad", Math, "__sad(iiu)u __usad(uuu)u"},
    {"add_sat", Math, "", "add_sat{A+}(TT)T"},
    {"sub_sat", Math, "", "sub_sat{A+}(TT)T"},
    {"mad_hi", Math, "", "mad_hi{A+}(TTT)T"},
    {"mad_sat", Math, "", "mad_sat{A+}(TTT)T"},
    {"abs_diff", Math, "", "abs_diff{A+}(TT)U"},
    {"upsample", Bits, "", "upsample{CSu+}(TT)W upsample{csi+}(TU)W"},
    // Bits.
    {"popcount", Math, "__popc(u)i __popcll(L)i", "popcount{A+}(T)T"},
    {"clz", Math, "__clz(i)i __clzll(l)i", "clz{A+}(T)T"},
    {"ctz", Math, "", "ctz{A+}(T)T"},
    {"ffs", Math, "__ffs(i)i __ffsll(l)i"},
    {"fns", Math, "__fns(uui)u"},
    {"brev", Bits, "__brev(u)u __brevll(L)L"},
    {"bit_reverse", Bits, ">__brev(u)u >__brevll(L)L", "bit_reverse{A+}(T)T"},
    {"rotate", Bits, "", "rotate{A+}(TT)T"},
    {"byte_perm", Bits, "__byte_perm(uuu)u"},
    {"funnelshift_l", Bits, "__funnelshift_l(uuu)u"},
    {"funnelshift_lc", Bits, "__funnelshift_lc(uuu)u"},
    {"funnelshift_r", Bits, "__funnelshift_r(uuu)u"},
    {"funnelshift_rc", Bits, "__funnelshift_rc(uuu)u"},
    {"bitfield_insert", Bits, "", "bitfield_insert{A+}(TTuu)T"},
    {"bitfield_extract_signed", Bits, "", "bitfield_extract_signed{A+}(Tuu)Z"},
    {"bitfield_extract_unsigned", Bits, "", "bitfield_extract_unsigned{A+}(Tuu)U"},
    {"bitselect", Bits, "", "bitselect{AF+}(TTT)T"},
    {"select", Bits, "", "select{AF+}(TTZ)T select{AF+}(TTU)T"},
    {"any", Math, "", "any{csil+}(T)i"},
    {"all", Math, "", "all{csil+}(T)i"},
    {"shuffle", Bits, "", "?shuffle/2"},
    {"shuffle2", Bits, "", "?shuffle2/3"},
  };
  // clang-format on
  return rows;
}

}  // namespace hone::ir
