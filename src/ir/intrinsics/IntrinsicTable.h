// The rows of the intrinsic table, by subject; private to Intrinsics*.cpp.
//
// A row's names are separated by blanks, the preferred one first. A name may carry its signature:
//   sqrtf(f)f               parameters in parentheses, then the result
//   min{iulL}(TT)T          T ranges over the types in braces; '+' among them: OpenCL vectors of them too,
//                           '<': those of up to 4, '=': CUDA vectors of 2 and 4 up to 16 bytes
//   >convert_int_rtz(f)i    written, never looked up
//   ?tex2D/3-4              no signature: only the number of arguments is known ("?name" alone: any number)
//   as_$                    $ stands for the OpenCL name of the result type
// Type codes:
//   v void  b bool  c/C i8/u8  s/S i16/u16  i/u i32/u32  l/L i64/u64  h half  f float  d double  B bfloat16
//   H half2  N bfloat162  D float2  G double2  *x pointer to x  t a handle  y any type
//   in sets: A all integers of 8 to 64 bits  F half, float and double
//   T the type bound by the set, and from it: E its scalar  I int32 with its lanes  W integer twice as wide
//   U, Z, P its unsigned integer, signed integer, float of the same width and lanes
//   R result of a comparison: int, or a vector of signed integers as wide as T's
#pragma once

#include <span>

#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {

struct IntrinsicRow {
  const char* id;
  IntrinsicClass cls;
  const char* cuda;
  const char* opencl = "";
  bool isPureQuery = false;
};

std::span<const IntrinsicRow> mathRows();
std::span<const IntrinsicRow> fastRows();
std::span<const IntrinsicRow> integerRows();
std::span<const IntrinsicRow> packedRows();
std::span<const IntrinsicRow> convertRows();
std::span<const IntrinsicRow> halfRows();
std::span<const IntrinsicRow> atomicRows();
std::span<const IntrinsicRow> warpRows();
std::span<const IntrinsicRow> groupRows();
std::span<const IntrinsicRow> memoryRows();
std::span<const IntrinsicRow> openclRows();
std::span<const IntrinsicRow> libraryRows();

}  // namespace hone::ir
