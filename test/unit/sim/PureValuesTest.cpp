// Values of the pure functions: edge cases, and independent formulas.
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <random>

#include "sim/functions/HalfFloat.h"
#include "sim/functions/PureFunctions.h"

namespace hone::sim {
namespace {

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

template <class T> constexpr Scalar scalarFor() {
  if constexpr (std::is_same_v<T, bool>)
    return Scalar::Bool;
  else if constexpr (std::is_same_v<T, int8_t>)
    return Scalar::I8;
  else if constexpr (std::is_same_v<T, uint8_t>)
    return Scalar::U8;
  else if constexpr (std::is_same_v<T, int16_t>)
    return Scalar::I16;
  else if constexpr (std::is_same_v<T, uint16_t>)
    return Scalar::U16;
  else if constexpr (std::is_same_v<T, int32_t>)
    return Scalar::I32;
  else if constexpr (std::is_same_v<T, uint32_t>)
    return Scalar::U32;
  else if constexpr (std::is_same_v<T, int64_t>)
    return Scalar::I64;
  else if constexpr (std::is_same_v<T, uint64_t>)
    return Scalar::U64;
  else if constexpr (std::is_same_v<T, float>)
    return Scalar::F32;
  else
    return Scalar::F64;
}

// A register of 32 lanes that all hold one value, narrow integers extended.
struct Register {
  alignas(8) std::array<uint8_t, 256> bytes{};
  template <class T> void set(T value) {
    using S = std::conditional_t<std::is_floating_point_v<T> || sizeof(T) >= 4, T,
                                 std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>>;
    for (unsigned l = 0; l < warpLanes; ++l) reinterpret_cast<S*>(bytes.data())[l] = static_cast<S>(value);
  }
  template <class T> T get(unsigned lane = 17) const {
    using S = std::conditional_t<std::is_floating_point_v<T> || sizeof(T) >= 4, T,
                                 std::conditional_t<std::is_signed_v<T>, int32_t, uint32_t>>;
    S word = reinterpret_cast<const S*>(bytes.data())[lane];
    const S again = static_cast<S>(static_cast<T>(word));
    EXPECT_TRUE(word != word || again == word);
    return static_cast<T>(word);
  }
};

template <class R, class... A> std::vector<Register> call(const char* id, const std::vector<Scalar>& results,
                                                          A... args) {
  std::vector<Register> out(results.size());
  const std::array<Scalar, sizeof...(A)> types{scalarFor<A>()...};
  PureFunction fn = findPureFunction(id, types, results);
  EXPECT_NE(fn, nullptr) << id;
  if (!fn) return out;
  std::array<Register, sizeof...(A)> in{};
  size_t at = 0;
  (in[at++].set(args), ...);
  std::vector<const void*> pointers;
  for (Register& r : in) pointers.push_back(r.bytes.data());
  std::vector<void*> targets;
  for (Register& r : out) targets.push_back(r.bytes.data());
  fn(targets.data(), pointers.data());
  return out;
}
template <class R, class... A> R one(const char* id, A... args) {
  return call<R>(id, {scalarFor<R>()}, args...)[0].template get<R>();
}

// Functions of halves take floats in F16 lanes.
float halfOf(const char* id, std::vector<float> args, Scalar type = Scalar::F16) {
  std::vector<Scalar> types(args.size(), type);
  const Scalar result = type;
  PureFunction fn = findPureFunction(id, types, {&result, 1});
  EXPECT_NE(fn, nullptr) << id;
  if (!fn) return nan;
  std::vector<Register> in(args.size());
  std::vector<const void*> pointers;
  for (size_t i = 0; i < args.size(); ++i) {
    in[i].set(args[i]);
    pointers.push_back(in[i].bytes.data());
  }
  Register out;
  void* target = out.bytes.data();
  fn(&target, pointers.data());
  return out.get<float>();
}

TEST(PureValues, MinimumAndMaximumPassOverNaN) {
  const float signalling = std::bit_cast<float>(0x7f800001u);
  for (float bad : {nan, signalling}) {
    EXPECT_EQ(one<float>("fmin", bad, 2.0F), 2.0F);
    EXPECT_EQ(one<float>("fmin", 2.0F, bad), 2.0F);
    EXPECT_EQ(one<float>("fmax", bad, -2.0F), -2.0F);
  }
  EXPECT_TRUE(std::isnan(one<float>("fmin", nan, nan)));
  EXPECT_EQ(one<double>("fmax", -1.0, 3.0), 3.0);
  EXPECT_TRUE(std::isnan(halfOf("h_min_nan", {nan, 1})));
  EXPECT_EQ(one<float>("saturate", nan), 0.0F);
  EXPECT_EQ(one<float>("saturate", 1.5F), 1.0F);
  EXPECT_EQ(one<float>("saturate", -0.5F), 0.0F);
}

TEST(PureValues, RoundingToWholeNumbers) {
  EXPECT_EQ(one<float>("rint", 2.5F), 2.0F);
  EXPECT_EQ(one<float>("rint", 3.5F), 4.0F);
  EXPECT_EQ(one<float>("round", 2.5F), 3.0F);
  EXPECT_EQ(one<float>("round", -2.5F), -3.0F);
  EXPECT_EQ(one<float>("round", 0.49999997F), 0.0F);
  EXPECT_TRUE(std::signbit(one<float>("ceil", -0.5F)));
  EXPECT_EQ(one<int64_t>("lrint", 1e30F), std::numeric_limits<int64_t>::max());
  EXPECT_EQ(one<int64_t>("lround", -2.5), -3);
}

TEST(PureValues, FusedMultiplicationRoundsOnce) {
  const float x = 1 + 0x1p-12F;
  EXPECT_EQ(one<float>("fma", x, x, -1.0F), 0x1p-11F + 0x1p-24F);
  // Half: 0x1p-24 more than a tie, which two roundings would lose.
  EXPECT_EQ(halfOf("fma", {1, 1 + 0x1p-10F, 0x1p-11F}), 1 + 0x1p-9F);
  EXPECT_EQ(halfOf("fma", {1, 1, 0x1p-11F}), 1.0F);
  EXPECT_EQ(halfOf("fma", {1 + 0x1p-10F, 1 + 0x1p-10F, 2048}), 2050.0F);
  EXPECT_EQ(halfOf("fma", {0x1p-14F, 0x1p-10F, 1 + 0x1p-10F}), 1 + 0x1p-10F);
  EXPECT_EQ(halfOf("h_add", {65504, 65504}), inf);
  EXPECT_EQ(halfOf("h_add", {65504, 15}), 65504.0F);
  EXPECT_EQ(halfOf("h_add", {65504, 16}), inf);
  EXPECT_EQ(halfOf("h_add_sat", {0.75F, 0.75F}), 1.0F);
  EXPECT_EQ(halfOf("h_fma_relu", {-1, 2, 1}), 0.0F);
  EXPECT_EQ(halfOf("h_mul", {3, 1 + 0x1p-7F}, Scalar::BF16), 3.03125F);
}

TEST(PureValues, HalfRoundingAgreesWithItsDefinition) {
  std::mt19937_64 random(5);
  for (int i = 0; i < 20000; ++i) {
    const double x =
        std::bit_cast<double>((random() & 0x800fffffffffffff) | (uint64_t{1023 - 30 + random() % 50} << 52));
    const float down = roundToHalf<Rounding::Down>(x), up = roundToHalf<Rounding::Up>(x);
    ASSERT_LE(down, x);
    ASSERT_GE(up, x);
    const float nearest = roundToHalf(x), zero = roundToHalf<Rounding::Zero>(x);
    ASSERT_EQ(zero, x < 0 ? up : down);
    ASSERT_EQ(halfFromBits(halfBits(down)), down);
    if (std::isinf(up) || std::isinf(down)) continue;
    ASSERT_TRUE(nearest == up || nearest == down);
    ASSERT_LE(std::fabs(nearest - x), std::fmin(up - x, x - down));
    const bool isTie = up - x == x - down && up != down;
    if (isTie) {
      ASSERT_EQ(halfBits(nearest) & 1, 0);
    }
  }
  for (uint32_t bits = 0; bits < 0x10000; ++bits) ASSERT_EQ(halfBits(halfFromBits(uint16_t(bits))), bits);
  for (uint32_t bits = 0; bits < 0x10000; ++bits) ASSERT_EQ(bfloatBits(bfloatFromBits(uint16_t(bits))), bits);
  EXPECT_EQ(roundToHalf(65519.99), 65504.0F);
  EXPECT_EQ(roundToHalf(65520.0), inf);
  EXPECT_EQ(roundToHalf<Rounding::Zero>(1e9), 65504.0F);
  EXPECT_EQ(roundToHalf<Rounding::Up>(-1e9), -65504.0F);
  EXPECT_EQ(roundToHalf(0x1p-25), 0.0F);
  EXPECT_EQ(roundToHalf(0x1.8p-25), 0x1p-24F);
}

TEST(PureValues, DirectedRoundingBracketsTheResult) {
  std::mt19937 random(3);
  std::uniform_real_distribution<float> range(-10, 10);
  for (int i = 0; i < 300; ++i) {
    const float x = range(random), y = range(random), z = range(random);
    const auto check = [&](const std::string& op, double exact, auto... args) {
      const float rd = one<float>((op + "_rd").c_str(), args...),
                  ru = one<float>((op + "_ru").c_str(), args...);
      const float rz = one<float>((op + "_rz").c_str(), args...);
      EXPECT_LE(rd, exact) << op;
      EXPECT_GE(ru, exact) << op;
      EXPECT_EQ(rz, exact < 0 ? ru : rd) << op;
      EXPECT_TRUE(rd == ru || std::nextafter(rd, inf) == ru) << op;
      return static_cast<float>(exact);
    };
    EXPECT_EQ(one<float>("add_rn", x, y), check("add", double(x) + y, x, y));
    EXPECT_EQ(one<float>("mul_rn", x, y), check("mul", double(x) * y, x, y));
    EXPECT_EQ(one<float>("sub_rn", x, y), check("sub", double(x) - y, x, y));
    check("fma", double(x) * y + z, x, y, z);
  }
  EXPECT_EQ(one<float>("div_ru", 1.0F, 3.0F), std::nextafter(one<float>("div_rd", 1.0F, 3.0F), 1.0F));
  EXPECT_EQ(one<double>("sqrt_rd", 2.0), 1.4142135623730949);
  EXPECT_EQ(one<double>("sqrt_ru", 2.0), 1.4142135623730951);
  EXPECT_EQ(one<double>("add_ru", 1.0, 1e-300), std::nextafter(1.0, 2.0));
  EXPECT_EQ(1.0 + 1e-300, 1.0) << "the rounding mode was not set back";
}

TEST(PureValues, ConversionsSaturateAndRound) {
  EXPECT_EQ(one<int32_t>("convert_sat_rtz", 3e9F), std::numeric_limits<int32_t>::max());
  EXPECT_EQ(one<int32_t>("convert_sat_rtz", -inf), std::numeric_limits<int32_t>::min());
  EXPECT_EQ(one<int32_t>("convert_sat_rtz", nan), 0);
  EXPECT_EQ(one<uint32_t>("convert_sat_rte", -1.0F), 0u);
  EXPECT_EQ(one<uint8_t>("convert_sat_rte", 254.5F), 254);
  EXPECT_EQ(one<uint8_t>("convert_sat_rte", 255.5F), 255);
  EXPECT_EQ(one<uint8_t>("convert_sat", 300), 255);
  EXPECT_EQ(one<uint8_t>("convert", 300), 44);
  EXPECT_EQ(one<int8_t>("convert_sat", 200u), 127);
  EXPECT_EQ(one<int8_t>("convert_sat", int64_t{-1000}), -128);
  EXPECT_EQ(one<uint64_t>("convert_sat", int32_t{-5}), 0u);
  EXPECT_EQ(one<int32_t>("convert_rte", 2.5F), 2);
  EXPECT_EQ(one<int32_t>("convert_rtp", 2.1F), 3);
  EXPECT_EQ(one<int32_t>("convert_rtn", -2.1F), -3);
  EXPECT_EQ(one<int32_t>("convert", -2.9), -2);
  EXPECT_EQ(one<float>("convert_rtz", 16777219), 16777218.0F);
  EXPECT_EQ(one<float>("convert_rtp", 16777217), 16777218.0F);
  EXPECT_EQ(one<float>("convert_rte", 16777219), 16777220.0F);
  EXPECT_EQ(one<double>("convert_rtn", std::numeric_limits<uint64_t>::max()), 18446744073709549568.0);
  EXPECT_EQ(one<float>("convert_rtz", 1 - 0x1p-40), 1 - 0x1p-24F);
}

TEST(PureValues, IntegersWrapAndSaturate) {
  constexpr int32_t least = std::numeric_limits<int32_t>::min(), most = std::numeric_limits<int32_t>::max();
  EXPECT_EQ(one<int32_t>("abs", least), least);
  EXPECT_EQ(one<uint32_t>("abs", least), 0x80000000u);
  EXPECT_EQ(one<uint8_t>("abs", int8_t{-128}), 128);
  EXPECT_EQ(one<int32_t>("mul_hi", least, least), 0x40000000);
  EXPECT_EQ(one<uint64_t>("mul_hi", ~uint64_t{0}, ~uint64_t{0}), ~uint64_t{1});
  EXPECT_EQ(one<int8_t>("mul_hi", int8_t{-128}, int8_t{127}), -64);
  EXPECT_EQ(one<int32_t>("mul24", 0x01800000, 2), static_cast<int32_t>(0xff000000));
  EXPECT_EQ(one<uint32_t>("mul24", 0xff000003u, 0x05000005u), 15u);
  EXPECT_EQ(one<int32_t>("mad24", 3, -5, 7), -8);
  EXPECT_EQ(one<int32_t>("hadd", most, most - 1), most - 1);
  EXPECT_EQ(one<int32_t>("hadd", -1, -2), -2);
  EXPECT_EQ(one<int32_t>("rhadd", -1, -2), -1);
  EXPECT_EQ(one<uint32_t>("sad", 5, -7, 100u), 112u);
  EXPECT_EQ(one<int32_t>("add_sat", most, 1), most);
  EXPECT_EQ(one<int32_t>("sub_sat", least, 1), least);
  EXPECT_EQ(one<uint8_t>("sub_sat", uint8_t{3}, uint8_t{5}), 0);
  EXPECT_EQ(one<int64_t>("mad_sat", std::numeric_limits<int64_t>::max(), int64_t{2}, int64_t{-5}),
            std::numeric_limits<int64_t>::max());
  EXPECT_EQ(one<uint32_t>("abs_diff", least, most), ~0u);
  EXPECT_EQ(one<int16_t>("clamp", int16_t{-9}, int16_t{-3}, int16_t{4}), -3);
  EXPECT_EQ(one<int16_t>("upsample", int8_t{-1}, uint8_t{2}), -254);
  EXPECT_EQ(one<int64_t>("upsample", -1, 5u), -4294967291);
}

TEST(PureValues, Bits) {
  EXPECT_EQ(one<int32_t>("clz", 0), 32);
  EXPECT_EQ(one<int8_t>("clz", int8_t{1}), 7);
  EXPECT_EQ(one<uint8_t>("ctz", uint8_t{0}), 8);
  EXPECT_EQ(one<int32_t>("ffs", 0), 0);
  EXPECT_EQ(one<int32_t>("ffs", std::numeric_limits<int64_t>::min()), 64);
  EXPECT_EQ(one<int32_t>("popcount", ~uint64_t{0}), 64);
  EXPECT_EQ(one<int8_t>("popcount", int8_t{-1}), 8);
  EXPECT_EQ(one<uint32_t>("brev", 0x00000013u), 0xc8000000u);
  EXPECT_EQ(one<uint32_t>("byte_perm", 0x03020100u, 0x07060504u, 0x7250u), 0x07020500u);
  EXPECT_EQ(one<uint32_t>("funnelshift_l", 0x80000001u, 0x12345678u, 36u), 0x23456788u);
  EXPECT_EQ(one<uint32_t>("funnelshift_lc", 0xabcdef01u, 0x12345678u, 40u), 0xabcdef01u);
  EXPECT_EQ(one<uint32_t>("funnelshift_r", 0x80000001u, 0x12345678u, 4u), 0x88000000u);
  EXPECT_EQ(one<uint32_t>("funnelshift_rc", 0x80000001u, 0x12345678u, 99u), 0x12345678u);
  EXPECT_EQ(one<int8_t>("rotate", int8_t{-127}, int8_t{9}), 3);
  EXPECT_EQ(one<uint32_t>("bitfield_insert", 0xffffffffu, 0u, 4u, 8u), 0xfffff00fu);
  EXPECT_EQ(one<int32_t>("bitfield_extract_signed", 0x0f0, 4u, 4u), -1);
  EXPECT_EQ(one<uint32_t>("bitfield_extract_unsigned", 0x0f0, 4u, 4u), 15u);
  EXPECT_EQ(one<uint32_t>("fns", 0x29u, 0u, 2), 3u);
  EXPECT_EQ(one<uint32_t>("fns", 0x29u, 5u, -3), 0u);
  EXPECT_EQ(one<float>("bitselect", 1.0F, -1.0F, std::bit_cast<float>(0x80000000u)), -1.0F);
  EXPECT_EQ(one<float>("select", 1.0F, 2.0F, 1), 2.0F);
  EXPECT_EQ(one<float>("select_msb", 1.0F, 2.0F, 1), 1.0F);
  EXPECT_EQ(one<float>("select_msb", 1.0F, 2.0F, -1), 2.0F);
  EXPECT_EQ(one<int32_t>("double_hi", -2.0), static_cast<int32_t>(0xc0000000));
  EXPECT_EQ(one<double>("double_from_hilo", 0x40080000, 0), 3.0);
}

TEST(PureValues, PackedWords) {
  EXPECT_EQ(one<uint32_t>("vadd4", 0xff01807fu, 0x02010101u), 0x01028180u);
  EXPECT_EQ(one<uint32_t>("vaddss4", 0x7f808001u, 0x01ff8001u), 0x7f808002u);
  EXPECT_EQ(one<uint32_t>("vaddus2", 0xffff0001u, 0x00010001u), 0xffff0002u);
  EXPECT_EQ(one<uint32_t>("vcmpgts4", 0x01ff7f80u, 0x00000000u), 0xff00ff00u);
  EXPECT_EQ(one<uint32_t>("vsetltu2", 0x0001ffffu, 0x0002fffeu), 0x00010000u);
  EXPECT_EQ(one<uint32_t>("vsadu4", 0x01020304u, 0x04030201u), 8u);
  EXPECT_EQ(one<uint32_t>("vabsss2", 0x8000ffffu), 0x7fff0001u);
  EXPECT_EQ(one<uint32_t>("vavgs2", 0xfffffffeu, 0xfffe0001u), 0xfffeffffu);
  EXPECT_EQ(one<int32_t>("dp4a", 0x01ff02fe, 0x02030405, 10), 2 - 3 + 8 - 10 + 10);
  EXPECT_EQ(one<uint32_t>("dp2a_hi", 0x00020003u, 0x05040000u, 1u), 3u * 4 + 2 * 5 + 1);
  EXPECT_EQ(one<int32_t>("dot_4x8packed_su_int", 0xff000000u, 0xff000000u), -255);
  EXPECT_EQ(one<int32_t>("dot_acc_sat_4x8packed_ss_int", 0x7f7f7f7fu, 0x7f7f7f7fu,
                         std::numeric_limits<int32_t>::max()),
            std::numeric_limits<int32_t>::max());
  EXPECT_EQ(one<int32_t>("vimax3_s32_relu", -5, -9, -2), 0);
  auto flags =
      call<uint32_t>("vibmin_s16x2", {Scalar::U32, Scalar::Bool, Scalar::Bool}, 0x0001fffeu, 0x0002fffdu);
  EXPECT_EQ(flags[0].get<uint32_t>(), 0x0001fffdu);
  EXPECT_TRUE(flags[1].get<bool>());
  EXPECT_FALSE(flags[2].get<bool>());
}

TEST(PureValues, SeveralResults) {
  auto parts = call<float>("frexp", {Scalar::F32, Scalar::I32}, -12.0F);
  EXPECT_EQ(parts[0].get<float>(), -0.75F);
  EXPECT_EQ(parts[1].get<int32_t>(), 4);
  parts = call<double>("modf", {Scalar::F64, Scalar::F64}, -2.75);
  EXPECT_EQ(parts[0].get<double>(), -0.75);
  EXPECT_EQ(parts[1].get<double>(), -2.0);
  parts = call<float>("modf", {Scalar::F32, Scalar::F32}, -inf);
  EXPECT_EQ(parts[0].get<float>(), 0.0F);
  EXPECT_EQ(parts[1].get<float>(), -inf);
  parts = call<float>("fract", {Scalar::F32, Scalar::F32}, -0x1p-40F);
  EXPECT_EQ(parts[0].get<float>(), 0x1.fffffep-1F);
  EXPECT_EQ(parts[1].get<float>(), -1.0F);
  for (auto [x, y] :
       {std::pair{17.0F, 3.0F}, {-17.0F, 3.0F}, {1000.0F, 7.0F}, {5.0F, 2.0F}, {7.0F, 2.0F}, {1e10F, 3.0F}}) {
    parts = call<float>("remquo", {Scalar::F32, Scalar::I32}, x, y);
    const double quotient = std::nearbyint(double(x) / y);
    EXPECT_EQ(parts[0].get<float>(), std::remainder(x, y));
    EXPECT_EQ(parts[1].get<int32_t>(),
              static_cast<int64_t>(std::fabs(quotient)) % 128 * (quotient < 0 ? -1 : 1))
        << x << " " << y;
  }
  parts = call<float>("sincospi", {Scalar::F32, Scalar::F32}, 1e8F + 0.0F);
  EXPECT_EQ(parts[0].get<float>(), 0.0F);
  EXPECT_EQ(parts[1].get<float>(), 1.0F);
}

TEST(PureValues, SpecialFunctionsInvertAndAddUp) {
  for (double p : {1e-300, 1e-20, 0.001, 0.3, 0.5, 0.7, 0.999}) {
    const double x = one<double>("normcdfinv", p);
    EXPECT_NEAR(one<double>("normcdf", x) / p, 1, 2e-13) << p;
    EXPECT_NEAR(std::erfc(one<double>("erfcinv", p)) / p, 1, 5e-13) << p;
    EXPECT_NEAR(std::erf(one<double>("erfinv", p)) / p, 1, 1e-15) << p;
  }
  EXPECT_EQ(one<double>("erfcinv", 1.0), 0.0);
  EXPECT_EQ(one<float>("normcdfinv", 0.5F), 0.0F);
  EXPECT_NEAR(one<double>("erfcx", 30.0), 0.018795888861416751, 1e-17);
  EXPECT_NEAR(one<double>("erfcx", 2.0), 0.25539567631050571, 1e-16);
  // Abramowitz and Stegun, table 9.8.
  EXPECT_NEAR(one<double>("cyl_bessel_i0", 1.0), 1.2660658777520084, 1e-15);
  EXPECT_NEAR(one<double>("cyl_bessel_i1", -1.0), -0.5651591039924850, 1e-15);
  EXPECT_NEAR(one<double>("cyl_bessel_i0", 40.0) / 1.48947747934199e16, 1, 1e-13);
  EXPECT_TRUE(std::isinf(one<double>("cyl_bessel_i0", 1e300)));
  EXPECT_DOUBLE_EQ(one<double>("norm3d", 3e200, 4e200, 0.0), 5e200);
  EXPECT_EQ(one<double>("sinpi", 1e15 + 0.5), 1.0);
  EXPECT_EQ(one<float>("cospi", 0.5F), 0.0F);
  EXPECT_EQ(one<float>("rootn", -27.0F, 3), -3.0F);
  EXPECT_TRUE(std::isnan(one<float>("powr", -1.0F, 2.0F)));
  EXPECT_EQ(one<float>("pown", -2.0F, -3), -0.125F);
}

TEST(PureValues, OpenCLTestsAreOneOrZero) {
  EXPECT_TRUE(isRelational("isnan") && isRelational("isequal") && isRelational("signbit"));
  EXPECT_FALSE(isRelational("isnan_int") || isRelational("isless_std") || isRelational("sign"));
  EXPECT_EQ(one<int32_t>("isnan", nan), 1);
  EXPECT_EQ(one<int64_t>("isnormal", 1e-310), 0);
  EXPECT_EQ(one<int32_t>("islessgreater", nan, 1.0F), 0);
  EXPECT_EQ(one<int32_t>("isnotequal", nan, 1.0F), 1);
  EXPECT_EQ(one<bool>("isinf", -inf), true);
  EXPECT_EQ(one<int32_t>("any", int8_t{-1}, int8_t{0}), 1);
  EXPECT_EQ(one<int32_t>("all", -1, 1), 0);
}

TEST(PureValues, VectorsAsAWhole) {
  EXPECT_EQ(one<float>("dot", 1.0F, 2.0F, 3.0F, 4.0F, 5.0F, 6.0F), 32.0F);
  EXPECT_DOUBLE_EQ(one<double>("length", 3e200, 4e200), 5e200);
  EXPECT_EQ(one<float>("distance", 1.0F, 1.0F, 4.0F, 5.0F), 5.0F);
  auto cross =
      call<float>("cross", {Scalar::F32, Scalar::F32, Scalar::F32}, 1.0F, 0.0F, 0.0F, 0.0F, 1.0F, 0.0F);
  EXPECT_EQ(cross[2].get<float>(), 1.0F);
  auto bytes = call<uint8_t>("as", std::vector<Scalar>(4, Scalar::I8), 0x80ff7f01u);
  EXPECT_EQ(bytes[0].get<int8_t>(), 1);
  EXPECT_EQ(bytes[2].get<int8_t>(), -1);
  EXPECT_EQ(bytes[3].get<int8_t>(), -128);
  auto halves = call<float>("as", {Scalar::F16, Scalar::F16}, 0xbc004200u);
  EXPECT_EQ(halves[0].get<float>(), 3.0F);
  EXPECT_EQ(halves[1].get<float>(), -1.0F);
  auto shuffled = call<int32_t>("shuffle2", {Scalar::I32, Scalar::I32}, 10, 11, 12, 13, 3u, 6u);
  EXPECT_EQ(shuffled[0].get<int32_t>(), 13);
  EXPECT_EQ(shuffled[1].get<int32_t>(), 12);
  auto product = call<float>("complex_mul", {Scalar::F32, Scalar::F32}, 1.0F, 2.0F, 3.0F, 4.0F);
  EXPECT_EQ(product[0].get<float>(), -5.0F);
  EXPECT_EQ(product[1].get<float>(), 10.0F);
}

TEST(PureValues, Costs) {
  EXPECT_EQ(costOf("fma", Scalar::F32), MathCost::Simple);
  EXPECT_EQ(costOf("native_sin", Scalar::F32), MathCost::Special);
  EXPECT_EQ(costOf("rsqrt", Scalar::F64), MathCost::Long);
  EXPECT_EQ(costOf("pow", Scalar::F32), MathCost::Long);
}

}  // namespace
}  // namespace hone::sim
