// The table of pure functions, and what is known of them by id.
#include "sim/functions/PureFunctions.h"

#include <algorithm>
#include <unordered_set>
#include <vector>

#include "sim/functions/MathLane.h"

namespace hone::sim {
namespace math {
namespace {

char codeOf(Scalar s) {
  static constexpr char codes[] = {'b', 'c', 'C', 's', 'S', 'i', 'u', 'l', 'L', 'h', 'B', 'f', 'd'};
  return codes[static_cast<size_t>(s)];
}

PureTable makeTable() {
  PureTable table;
  addFloat(table);
  addTranscendental(table);
  addSpecial(table);
  addParts(table);
  addDirected(table);
  addInteger(table);
  addBits(table);
  addPacked(table);
  addHalf(table);
  addVector(table);
  return table;
}
const PureTable& table() {
  static const PureTable instance = makeTable();
  return instance;
}

// Integers of one width and either sign share a register layout from 32 bits on.
Scalar otherSign(Scalar s) {
  switch (s) {
    case Scalar::I32: return Scalar::U32;
    case Scalar::U32: return Scalar::I32;
    case Scalar::I64: return Scalar::U64;
    case Scalar::U64: return Scalar::I64;
    default: return s;
  }
}

void copyFirst(void* const* results, const void* const* args) {
  const auto* in = static_cast<const uint64_t*>(args[0]);
  std::copy(in, in + warpLanes, static_cast<uint64_t*>(results[0]));
}
void floatNan(void* const* results, const void* const*) {
  std::fill_n(static_cast<float*>(results[0]), warpLanes, NAN);
}
void doubleNan(void* const* results, const void* const*) {
  std::fill_n(static_cast<double*>(results[0]), warpLanes, static_cast<double>(NAN));
}

// What no signature describes.
PureFunction findShaped(std::string_view id, std::span<const Scalar> args, std::span<const Scalar> results) {
  if (id == "as") return findReinterpretation(args, results);
  if (id.starts_with("shuffle")) return findShuffle(id, args, results);
  if (id == "assume_aligned" && !args.empty() && isWide(args[0])) return &copyFirst;
  if (id == "nan_tag" && results.size() == 1) return results[0] == Scalar::F64 ? &doubleNan : &floatNan;
  if (args.size() == 1 && results.size() == 1) return findConversion(id, args[0], results[0]);
  return nullptr;
}

using Ids = std::unordered_set<std::string_view>;

const Ids& wholeVectors() {
  static const Ids ids = {"as",
                          "shuffle",
                          "shuffle2",
                          "any",
                          "all",
                          "dot",
                          "cross",
                          "length",
                          "distance",
                          "normalize",
                          "fast_length",
                          "fast_distance",
                          "fast_normalize",
                          "h_cmadd",
                          "h_make_pair",
                          "h_to_pair",
                          "float_to_half_pair",
                          "floats_to_half_pair",
                          "float2_to_half_pair"};
  return ids;
}

// One instruction of the special function unit in single precision.
const Ids& specials() {
  static const Ids ids = {"rsqrt", "h_rcp", "h_tanh_approx", "rsqrt_rn", "exp2", "fdivide"};
  return ids;
}

const Ids& subroutines() {
  static const Ids ids = {"sin",
                          "cos",
                          "tan",
                          "asin",
                          "acos",
                          "atan",
                          "sinh",
                          "cosh",
                          "tanh",
                          "asinh",
                          "acosh",
                          "atanh",
                          "exp",
                          "exp10",
                          "expm1",
                          "log",
                          "log2",
                          "log10",
                          "log1p",
                          "sqrt",
                          "cbrt",
                          "erf",
                          "erfc",
                          "tgamma",
                          "lgamma",
                          "logb",
                          "sinpi",
                          "cospi",
                          "tanpi",
                          "asinpi",
                          "acospi",
                          "atanpi",
                          "atan2",
                          "atan2pi",
                          "pow",
                          "powr",
                          "pown",
                          "rootn",
                          "hypot",
                          "fmod",
                          "remainder",
                          "ldexp",
                          "scalbln",
                          "ilogb",
                          "sincos",
                          "sincospi",
                          "sincos_value",
                          "frexp",
                          "remquo",
                          "lgamma_r",
                          "rcbrt",
                          "erfinv",
                          "erfcinv",
                          "erfcx",
                          "normcdf",
                          "normcdfinv",
                          "j0",
                          "j1",
                          "y0",
                          "y1",
                          "jn",
                          "yn",
                          "cyl_bessel_i0",
                          "cyl_bessel_i1",
                          "rhypot",
                          "norm3d",
                          "rnorm3d",
                          "norm4d",
                          "rnorm4d",
                          "length",
                          "distance",
                          "normalize",
                          "smoothstep",
                          "nextafter",
                          "complex_abs",
                          "complex_div",
                          "h_div"};
  return ids;
}

}  // namespace

std::string keyOf(std::string_view id, std::span<const Scalar> args, std::span<const Scalar> results) {
  std::string key(id);
  key += '(';
  for (Scalar s : args) key += codeOf(s);
  key += ')';
  for (Scalar s : results) key += codeOf(s);
  return key;
}

}  // namespace math

PureFunction findPureFunction(std::string_view id, std::span<const Scalar> args,
                              std::span<const Scalar> results) {
  if (PureFunction found = math::table().find(math::keyOf(id, args, results))) return found;
  if (PureFunction found = math::findShaped(id, args, results)) return found;
  // A call may carry integers of the other sign than the function's own: the bits are the same.
  std::vector<Scalar> types(args.begin(), args.end());
  types.insert(types.end(), results.begin(), results.end());
  if (types.size() > 6) return nullptr;
  for (unsigned flips = 1; flips < 1u << types.size(); ++flips) {
    std::vector<Scalar> other = types;
    for (size_t i = 0; i < other.size(); ++i)
      if (flips >> i & 1) other[i] = math::otherSign(other[i]);
    const std::span<const Scalar> all(other);
    if (PureFunction found =
            math::table().find(math::keyOf(id, all.first(args.size()), all.subspan(args.size()))))
      return found;
  }
  return nullptr;
}

bool isLanewise(std::string_view id) {
  if (math::wholeVectors().contains(id) || id.starts_with("pair_") || id.starts_with("complex_"))
    return false;
  // Comparisons of pairs as one truth or one mask.
  return !(id.starts_with("h_") && (id.ends_with("2_mask") || (id.starts_with("h_b") && id.ends_with("2"))));
}

bool isRelational(std::string_view id) {
  return (id.starts_with("is") || id == "signbit") && !id.ends_with("_std") && !id.ends_with("_int");
}

MathCost costOf(std::string_view id, Scalar type) {
  if (math::subroutines().contains(id)) return MathCost::Long;
  if (id.starts_with("div_") || id.starts_with("rcp_") || id.starts_with("sqrt_")) return MathCost::Long;
  const bool isSpecial = math::specials().contains(id) || id.starts_with("native_") ||
                         id.starts_with("half_") || id.starts_with("fast_");
  if (!isSpecial) return MathCost::Simple;
  return type == Scalar::F64 ? MathCost::Long : MathCost::Special;
}

}  // namespace hone::sim
