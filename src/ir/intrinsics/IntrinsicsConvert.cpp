// Reinterpretation and conversion.
#include "ir/intrinsics/IntrinsicTable.h"

namespace hone::ir {

std::span<const IntrinsicRow> convertRows() {
  using enum IntrinsicClass;
  // clang-format off
  static constexpr IntrinsicRow rows[] = {
    // Reinterpretation. The OpenCL name follows from the result type.
    {"as", Bits, "__float_as_int(f)i __float_as_uint(f)u __int_as_float(i)f __uint_as_float(u)f "
          "__double_as_longlong(d)l __longlong_as_double(l)d __half_as_short(h)s __half_as_ushort(h)S "
          "__short_as_half(s)h __ushort_as_half(S)h __bfloat16_as_short(B)s __bfloat16_as_ushort(B)S "
          "__short_as_bfloat16(s)B __ushort_as_bfloat16(S)B", "as_$(y)y"},
    {"double_hi", Bits, "__double2hiint(d)i"},
    {"double_lo", Bits, "__double2loint(d)i"},
    {"double_from_hilo", Bits, "__hiloint2double(ii)d"},
    // Plain conversions: as a C cast, also of vectors. An importer makes a Cast of OpenCL's.
    {"convert", Convert, "__half2float(h)f __bfloat162float(B)f", "convert_$(y)y"},
    // Rounded to float: exact in both languages. CUDA's conversions to integers saturate, OpenCL's without
    // _sat need not.
    {"convert_rte", Convert, "__int2float_rn(i)f __uint2float_rn(u)f __ll2float_rn(l)f __ull2float_rn(L)f "
          "__ll2double_rn(l)d __ull2double_rn(L)d __double2float_rn(d)f __float2half_rn(f)h "
          "__int2double_rn(i)d __uint2double_rn(u)d __float2half(f)h __double2half(d)h __float2bfloat16(f)B "
          "__double2bfloat16(d)B __float2bfloat16_rn(f)B __int2half_rn(i)h __int2bfloat16_rn(i)B "
          "__uint2half_rn(u)h __uint2bfloat16_rn(u)B __short2half_rn(s)h __short2bfloat16_rn(s)B "
          "__ushort2half_rn(S)h __ushort2bfloat16_rn(S)B __ll2half_rn(l)h __ll2bfloat16_rn(l)B "
          "__ull2half_rn(L)h __ull2bfloat16_rn(L)B >__float2int_rn(f)i >__float2uint_rn(f)u "
          ">__float2ll_rn(f)l >__float2ull_rn(f)L >__double2int_rn(d)i >__double2uint_rn(d)u "
          ">__double2ll_rn(d)l >__double2ull_rn(d)L >__half2int_rn(h)i >__half2uint_rn(h)u "
          ">__half2short_rn(h)s >__half2ushort_rn(h)S >__half2ll_rn(h)l >__half2ull_rn(h)L "
          ">__bfloat162int_rn(B)i >__bfloat162uint_rn(B)u >__bfloat162short_rn(B)s "
          ">__bfloat162ushort_rn(B)S >__bfloat162ll_rn(B)l >__bfloat162ull_rn(B)L", "convert_$_rte(y)y"},
    {"convert_sat_rte", Convert, "__float2int_rn(f)i __float2uint_rn(f)u __float2ll_rn(f)l "
          "__float2ull_rn(f)L __double2int_rn(d)i __double2uint_rn(d)u __double2ll_rn(d)l "
          "__double2ull_rn(d)L __half2int_rn(h)i __half2uint_rn(h)u __half2short_rn(h)s "
          "__half2ushort_rn(h)S __half2ll_rn(h)l __half2ull_rn(h)L __bfloat162int_rn(B)i "
          "__bfloat162uint_rn(B)u __bfloat162short_rn(B)s __bfloat162ushort_rn(B)S __bfloat162ll_rn(B)l "
          "__bfloat162ull_rn(B)L", "convert_$_sat_rte(y)y"},
    {"convert_rtz", Convert, "__int2float_rz(i)f __uint2float_rz(u)f __ll2float_rz(l)f __ull2float_rz(L)f "
          "__ll2double_rz(l)d __ull2double_rz(L)d __double2float_rz(d)f __float2half_rz(f)h "
          "__float2bfloat16_rz(f)B __int2half_rz(i)h __int2bfloat16_rz(i)B __uint2half_rz(u)h "
          "__uint2bfloat16_rz(u)B __short2half_rz(s)h __short2bfloat16_rz(s)B __ushort2half_rz(S)h "
          "__ushort2bfloat16_rz(S)B __ll2half_rz(l)h __ll2bfloat16_rz(l)B __ull2half_rz(L)h "
          "__ull2bfloat16_rz(L)B >__float2int_rz(f)i >__float2uint_rz(f)u >__float2ll_rz(f)l "
          ">__float2ull_rz(f)L >__double2int_rz(d)i >__double2uint_rz(d)u >__double2ll_rz(d)l "
          ">__double2ull_rz(d)L >__half2int_rz(h)i >__half2uint_rz(h)u >__half2short_rz(h)s "
          ">__half2ushort_rz(h)S >__half2ll_rz(h)l >__half2ull_rz(h)L >__bfloat162int_rz(B)i "
          ">__bfloat162uint_rz(B)u >__bfloat162short_rz(B)s >__bfloat162ushort_rz(B)S >__bfloat162ll_rz(B)l "
          ">__bfloat162ull_rz(B)L", "convert_$_rtz(y)y"},
    {"convert_sat_rtz", Convert, "__half2char_rz(h)c __half2uchar_rz(h)C "
          "__bfloat162char_rz(B)c __bfloat162uchar_rz(B)C "
          "__float2int_rz(f)i __float2uint_rz(f)u __float2ll_rz(f)l "
          "__float2ull_rz(f)L __double2int_rz(d)i __double2uint_rz(d)u __double2ll_rz(d)l "
          "__double2ull_rz(d)L __half2int_rz(h)i __half2uint_rz(h)u __half2short_rz(h)s "
          "__half2ushort_rz(h)S __half2ll_rz(h)l __half2ull_rz(h)L __bfloat162int_rz(B)i "
          "__bfloat162uint_rz(B)u __bfloat162short_rz(B)s __bfloat162ushort_rz(B)S __bfloat162ll_rz(B)l "
          "__bfloat162ull_rz(B)L", "convert_$_sat_rtz(y)y"},
    {"convert_rtp", Convert, "__int2float_ru(i)f __uint2float_ru(u)f __ll2float_ru(l)f __ull2float_ru(L)f "
          "__ll2double_ru(l)d __ull2double_ru(L)d __double2float_ru(d)f __float2half_ru(f)h "
          "__float2bfloat16_ru(f)B __int2half_ru(i)h __int2bfloat16_ru(i)B __uint2half_ru(u)h "
          "__uint2bfloat16_ru(u)B __short2half_ru(s)h __short2bfloat16_ru(s)B __ushort2half_ru(S)h "
          "__ushort2bfloat16_ru(S)B __ll2half_ru(l)h __ll2bfloat16_ru(l)B __ull2half_ru(L)h "
          "__ull2bfloat16_ru(L)B >__float2int_ru(f)i >__float2uint_ru(f)u >__float2ll_ru(f)l "
          ">__float2ull_ru(f)L >__double2int_ru(d)i >__double2uint_ru(d)u >__double2ll_ru(d)l "
          ">__double2ull_ru(d)L >__half2int_ru(h)i >__half2uint_ru(h)u >__half2short_ru(h)s "
          ">__half2ushort_ru(h)S >__half2ll_ru(h)l >__half2ull_ru(h)L >__bfloat162int_ru(B)i "
          ">__bfloat162uint_ru(B)u >__bfloat162short_ru(B)s >__bfloat162ushort_ru(B)S >__bfloat162ll_ru(B)l "
          ">__bfloat162ull_ru(B)L", "convert_$_rtp(y)y"},
    {"convert_sat_rtp", Convert, "__float2int_ru(f)i __float2uint_ru(f)u __float2ll_ru(f)l "
          "__float2ull_ru(f)L __double2int_ru(d)i __double2uint_ru(d)u __double2ll_ru(d)l "
          "__double2ull_ru(d)L __half2int_ru(h)i __half2uint_ru(h)u __half2short_ru(h)s "
          "__half2ushort_ru(h)S __half2ll_ru(h)l __half2ull_ru(h)L __bfloat162int_ru(B)i "
          "__bfloat162uint_ru(B)u __bfloat162short_ru(B)s __bfloat162ushort_ru(B)S __bfloat162ll_ru(B)l "
          "__bfloat162ull_ru(B)L", "convert_$_sat_rtp(y)y"},
    {"convert_rtn", Convert, "__int2float_rd(i)f __uint2float_rd(u)f __ll2float_rd(l)f __ull2float_rd(L)f "
          "__ll2double_rd(l)d __ull2double_rd(L)d __double2float_rd(d)f __float2half_rd(f)h "
          "__float2bfloat16_rd(f)B __int2half_rd(i)h __int2bfloat16_rd(i)B __uint2half_rd(u)h "
          "__uint2bfloat16_rd(u)B __short2half_rd(s)h __short2bfloat16_rd(s)B __ushort2half_rd(S)h "
          "__ushort2bfloat16_rd(S)B __ll2half_rd(l)h __ll2bfloat16_rd(l)B __ull2half_rd(L)h "
          "__ull2bfloat16_rd(L)B >__float2int_rd(f)i >__float2uint_rd(f)u >__float2ll_rd(f)l "
          ">__float2ull_rd(f)L >__double2int_rd(d)i >__double2uint_rd(d)u >__double2ll_rd(d)l "
          ">__double2ull_rd(d)L >__half2int_rd(h)i >__half2uint_rd(h)u >__half2short_rd(h)s "
          ">__half2ushort_rd(h)S >__half2ll_rd(h)l >__half2ull_rd(h)L >__bfloat162int_rd(B)i "
          ">__bfloat162uint_rd(B)u >__bfloat162short_rd(B)s >__bfloat162ushort_rd(B)S >__bfloat162ll_rd(B)l "
          ">__bfloat162ull_rd(B)L", "convert_$_rtn(y)y"},
    {"convert_sat_rtn", Convert, "__float2int_rd(f)i __float2uint_rd(f)u __float2ll_rd(f)l "
          "__float2ull_rd(f)L __double2int_rd(d)i __double2uint_rd(d)u __double2ll_rd(d)l "
          "__double2ull_rd(d)L __half2int_rd(h)i __half2uint_rd(h)u __half2short_rd(h)s "
          "__half2ushort_rd(h)S __half2ll_rd(h)l __half2ull_rd(h)L __bfloat162int_rd(B)i "
          "__bfloat162uint_rd(B)u __bfloat162short_rd(B)s __bfloat162ushort_rd(B)S __bfloat162ll_rd(B)l "
          "__bfloat162ull_rd(B)L", "convert_$_sat_rtn(y)y"},
    {"convert_sat", Convert, ">__float2int_rz(f)i >__float2uint_rz(f)u >__float2ll_rz(f)l "
          ">__float2ull_rz(f)L >__double2int_rz(d)i >__double2uint_rz(d)u >__double2ll_rz(d)l "
          ">__double2ull_rz(d)L", "convert_$_sat(y)y"},
  };
  // clang-format on
  return rows;
}

}  // namespace hone::ir
