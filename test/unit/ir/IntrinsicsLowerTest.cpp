// Lowered calls are computed by a small evaluator and compared with what the intrinsic is defined to give.
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>
#include <map>

#include "ir/Dump.h"
#include "ir/EvaluateExpr.h"
#include "ir/Walk.h"
#include "ir/intrinsics/LowerIntrinsic.h"

namespace hone::ir {
namespace {

const TypePtr f16 = floatType(16), f32 = floatType(32), f64 = floatType(64);
const TypePtr i8 = intType(8, true), u8 = intType(8, false), i16 = intType(16, true),
              u16 = intType(16, false);
const TypePtr i32 = int32(), u32 = uint32(), i64 = int64(), u64 = uint64();

VarPtr variable(const char* name, const TypePtr& type) {
  auto var = std::make_shared<Variable>();
  var->name = name;
  var->type = type;
  return var;
}

ExprPtr makeCall(std::string_view id, std::vector<ExprPtr> args, const TypePtr& result) {
  Call call;
  call.intrinsic = &intrinsic(id);
  call.args = std::move(args);
  return makeExpr(result, std::move(call));
}

// Every call below the expression has a name in the language.
void expectNamed(const ExprPtr& e, Language language) {
  if (e->is<Call>()) EXPECT_TRUE(isNamed(e, language)) << dump(e);
  if (const auto* x = as<Call>(e))
    for (const ExprPtr& arg : x->args) expectNamed(arg, language);
  if (const auto* x = as<Binary>(e)) expectNamed(x->lhs, language), expectNamed(x->rhs, language);
  if (const auto* x = as<Unary>(e)) expectNamed(x->operand, language);
  if (const auto* x = as<Cast>(e)) expectNamed(x->operand, language);
  if (const auto* x = as<Select>(e))
    expectNamed(x->cond, language), expectNamed(x->yes, language), expectNamed(x->no, language);
  if (const auto* x = as<Construct>(e))
    for (const ExprPtr& part : x->parts) expectNamed(part, language);
}

struct Operand {
  TypePtr type;
  Value value;
};
Operand in(const TypePtr& type, int64_t x) { return {type, ofInt(x, *type)}; }
Operand fl(const TypePtr& type, double x) { return {type, ofFloat(x, *type)}; }
Operand vec(const TypePtr& scalar, std::vector<double> lanes) {
  return {vectorType(scalar, static_cast<unsigned>(lanes.size())), {{}, lanes}};
}

Value lowered(std::string_view id, Language language, const std::vector<Operand>& operands,
              const TypePtr& result) {
  Evaluator evaluator;
  std::vector<ExprPtr> args;
  for (const Operand& operand : operands) {
    VarPtr var = variable("a", operand.type);
    evaluator.values[var.get()] = operand.value;
    args.push_back(ir::ref(var));
  }
  ExprPtr call = makeCall(id, args, result);
  EXPECT_FALSE(isNamed(call, language)) << id << " needs no lowering";
  std::optional<LoweredCall> out = lowerCall(call, language);
  if (!out || !out->value) {
    ADD_FAILURE() << id << " was not lowered";
    return {{0}, {0}};
  }
  EXPECT_TRUE(out->before.empty());
  EXPECT_TRUE(sameType(out->value->type, result)) << id << ": " << dump(out->value);
  expectNamed(out->value, language);
  return evaluator.eval(out->value);
}

int64_t toCuda(std::string_view id, const std::vector<Operand>& operands, const TypePtr& result) {
  return lowered(id, Language::Cuda, operands, result).i.at(0);
}
double toCudaF(std::string_view id, const std::vector<Operand>& operands, const TypePtr& result) {
  return lowered(id, Language::Cuda, operands, result).f.at(0);
}
int64_t toOpenCL(std::string_view id, const std::vector<Operand>& operands, const TypePtr& result) {
  return lowered(id, Language::OpenCL, operands, result).i.at(0);
}

TEST(LowerIntrinsic, NarrowIntegers) {
  EXPECT_EQ(toCuda("min", {in(u8, 200), in(u8, 3)}, u8), 3);
  EXPECT_EQ(toCuda("max", {in(i8, -5), in(i8, 3)}, i8), 3);
  EXPECT_EQ(toCuda("abs", {in(i16, -300)}, u16), 300);
  EXPECT_EQ(toCuda("abs", {in(u32, 7)}, u32), 7);
  EXPECT_EQ(toCuda("popcount", {in(i8, -1)}, i8), 8);
  EXPECT_EQ(toCuda("clz", {in(u8, 1)}, u8), 7);
  EXPECT_EQ(toCuda("clz", {in(i16, -1)}, i16), 0);
  EXPECT_EQ(toCuda("clz", {in(u16, 0)}, u16), 16);
  EXPECT_EQ(toCuda("mul_hi", {in(u16, 60000), in(u16, 60000)}, u16), (60000ll * 60000) >> 16);
}

TEST(LowerIntrinsic, Clamp) {
  EXPECT_EQ(toCuda("clamp", {in(i32, 12), in(i32, 0), in(i32, 9)}, i32), 9);
  EXPECT_EQ(toCuda("clamp", {in(u8, 2), in(u8, 5), in(u8, 9)}, u8), 5);
  EXPECT_EQ(toCudaF("fclamp", {fl(f32, -1), fl(f32, 0), fl(f32, 1)}, f32), 0);
}

TEST(LowerIntrinsic, SaturatingArithmetic) {
  EXPECT_EQ(toCuda("add_sat", {in(i32, INT32_MAX), in(i32, 5)}, i32), INT32_MAX);
  EXPECT_EQ(toCuda("add_sat", {in(u32, UINT32_MAX), in(u32, 5)}, u32), UINT32_MAX);
  EXPECT_EQ(toCuda("sub_sat", {in(u32, 3), in(u32, 5)}, u32), 0);
  EXPECT_EQ(toCuda("sub_sat", {in(i8, -100), in(i8, 100)}, i8), -128);
  EXPECT_EQ(toCuda("mad_sat", {in(i32, 70000), in(i32, 70000), in(i32, 1)}, i32), INT32_MAX);
  EXPECT_EQ(toCuda("hadd", {in(i8, -3), in(i8, 2)}, i8), -1);
  EXPECT_EQ(toCuda("rhadd", {in(u8, 255), in(u8, 254)}, u8), 255);
  EXPECT_EQ(toCuda("abs_diff", {in(i32, INT32_MIN), in(i32, INT32_MAX)}, u32), UINT32_MAX);
  EXPECT_EQ(toCuda("abs_diff", {in(i8, 100), in(i8, -100)}, u8), 200);
  EXPECT_EQ(toOpenCL("sad", {in(i32, -2), in(i32, 5), in(u32, 10)}, u32), 17);
}

TEST(LowerIntrinsic, Bits) {
  EXPECT_EQ(toCuda("rotate", {in(u32, 0x80000001), in(u32, 4)}, u32), 0x18);
  EXPECT_EQ(toCuda("rotate", {in(u8, 0x81), in(u8, 1)}, u8), 0x03);
  EXPECT_EQ(toCuda("rotate", {in(u8, 0x81), in(u8, 0)}, u8), 0x81);
  EXPECT_EQ(toCuda("rotate", {in(u64, 1), in(u64, 63)}, u64), INT64_MIN);
  EXPECT_EQ(toCuda("rotate", {in(u64, 5), in(u64, 0)}, u64), 5);
  EXPECT_EQ(toCuda("ctz", {in(u32, 8)}, u32), 3);
  EXPECT_EQ(toCuda("ctz", {in(u32, 0)}, u32), 32);
  EXPECT_EQ(toCuda("upsample", {in(u8, 0x12), in(u8, 0x34)}, u16), 0x1234);
  EXPECT_EQ(toCuda("upsample", {in(i16, -1), in(u16, 0x8000)}, i32), static_cast<int32_t>(0xffff8000));
  EXPECT_EQ(toCuda("bitselect", {in(i32, 0xf0), in(i32, 0x0f), in(i32, 0xff)}, i32), 0x0f);
  EXPECT_EQ(toCuda("select", {in(i32, 1), in(i32, 2), in(i32, 0)}, i32), 1);
  EXPECT_EQ(toCuda("select", {in(i32, 1), in(i32, 2), in(i32, 4)}, i32), 2);
  EXPECT_EQ(toOpenCL("ffs", {in(i32, 0)}, i32), 0);
  EXPECT_EQ(toOpenCL("ffs", {in(i32, 0x50)}, i32), 5);
  EXPECT_EQ(toOpenCL("ffs", {in(i32, INT32_MIN)}, i32), 32);
  EXPECT_EQ(toOpenCL("ffs", {in(i64, int64_t{1} << 40)}, i32), 41);
}

TEST(LowerIntrinsic, BytesOfWords) {
  EXPECT_EQ(toOpenCL("brev", {in(u32, 0x00000001)}, u32), 0x80000000);
  EXPECT_EQ(toOpenCL("brev", {in(u32, 0x12345678)}, u32), 0x1e6a2c48);
  EXPECT_EQ(toOpenCL("brev", {in(u64, 1)}, u64), INT64_MIN);
  EXPECT_EQ(toOpenCL("byte_perm", {in(u32, 0x33221100), in(u32, 0x77665544), in(u32, 0x7531)}, u32),
            0x77553311);
  EXPECT_EQ(toOpenCL("byte_perm", {in(u32, 0x33221100), in(u32, 0x77665544), in(u32, 0xfedc)}, u32),
            0x77665544);
  EXPECT_EQ(toOpenCL("dp4a", {in(i32, 0x01ff02fe), in(i32, 0x03030303), in(i32, 100)}, i32),
            100 + 3 * (1 - 1 + 2 - 2));
  EXPECT_EQ(toOpenCL("dp4a", {in(u32, 0xff000000), in(u32, 0xff000000), in(u32, 1)}, u32), 255 * 255 + 1);
}

// Every rule for integers against a plain computation, over random numbers of all widths.
TEST(LowerIntrinsic, RandomIntegers) {
  struct Case {
    const char* id;
    int args;
    bool givesUnsigned;
    __int128 (*expected)(const __int128* a, const Type& type);
  };
  auto low = [](const Type& t) -> __int128 { return t.isSigned ? -(__int128{1} << (t.bits - 1)) : 0; };
  static auto lowest = low;
  static auto clampTo = [](__int128 x, const Type& t) {
    __int128 high = (__int128{1} << (t.bits - t.isSigned)) - 1;
    return x < lowest(t) ? lowest(t) : x > high ? high : x;
  };
  static auto bitsOf = [](__int128 x, const Type& t) {
    return static_cast<uint64_t>(x) << (64 - t.bits) >> (64 - t.bits);
  };
  const Case cases[] = {
      {"add_sat", 2, false, [](const __int128* a, const Type& t) { return clampTo(a[0] + a[1], t); }},
      {"sub_sat", 2, false, [](const __int128* a, const Type& t) { return clampTo(a[0] - a[1], t); }},
      {"mad_sat", 3, false, [](const __int128* a, const Type& t) { return clampTo(a[0] * a[1] + a[2], t); }},
      {"hadd", 2, false, [](const __int128* a, const Type&) { return (a[0] + a[1]) >> 1; }},
      {"rhadd", 2, false, [](const __int128* a, const Type&) { return (a[0] + a[1] + 1) >> 1; }},
      {"mul_hi", 2, false, [](const __int128* a, const Type& t) { return (a[0] * a[1]) >> t.bits; }},
      {"abs_diff", 2, true,
       [](const __int128* a, const Type&) { return a[0] > a[1] ? a[0] - a[1] : a[1] - a[0]; }},
      {"abs", 1, true, [](const __int128* a, const Type&) { return a[0] < 0 ? -a[0] : a[0]; }},
      {"min", 2, false, [](const __int128* a, const Type&) { return a[0] < a[1] ? a[0] : a[1]; }},
      {"max", 2, false, [](const __int128* a, const Type&) { return a[0] < a[1] ? a[1] : a[0]; }},
      {"bitselect", 3, false, [](const __int128* a, const Type&) { return (a[0] & ~a[2]) | (a[1] & a[2]); }},
      {"popcount", 1, false,
       [](const __int128* a, const Type& t) -> __int128 { return std::popcount(bitsOf(a[0], t)); }},
      {"clz", 1, false,
       [](const __int128* a, const Type& t) -> __int128 {
         return std::countl_zero(bitsOf(a[0], t)) - (64 - t.bits);
       }},
      {"rotate", 2, false,
       [](const __int128* a, const Type& t) -> __int128 {
         uint64_t x = bitsOf(a[0], t), n = bitsOf(a[1], t) % t.bits;
         return n ? static_cast<int64_t>(x << n | x >> (t.bits - n)) : static_cast<int64_t>(x);
       }},
  };
  uint64_t state = 12345;
  auto random = [&] {
    return state = state * 6364136223846793005u + 1442695040888963407u, state >> 16 ^ state << 48;
  };
  size_t checked = 0;
  for (const Case& c : cases) {
    for (const TypePtr& type : {i8, u8, i16, u16, i32, u32, i64, u64}) {
      TypePtr result = c.givesUnsigned ? intType(type->bits, false) : type;
      std::vector<VarPtr> vars;
      std::vector<ExprPtr> args;
      for (int k = 0; k < c.args; ++k)
        vars.push_back(variable("a", type)), args.push_back(ir::ref(vars.back()));
      ExprPtr call = makeCall(c.id, args, result);
      if (isNamed(call, Language::Cuda)) continue;
      auto out = lowerCall(call, Language::Cuda);
      if (!out) continue;  // some need more than 64 bits on the way
      ++checked;
      for (int round = 0; round < 200; ++round) {
        Evaluator evaluator;
        __int128 a[3] = {};
        for (int k = 0; k < c.args; ++k) {
          int64_t x = wrap(static_cast<int64_t>(random() >> (random() % 64)), *type);
          if (round % 16 == k) x = wrap(round % 32 < 16 ? -1 : static_cast<int64_t>(lowest(*type)), *type);
          evaluator.values[vars[k].get()] = ofInt(x, *type);
          a[k] = type->isSigned || type->bits < 64 ? static_cast<__int128>(x)
                                                   : static_cast<__int128>(static_cast<uint64_t>(x));
        }
        int64_t want = wrap(static_cast<int64_t>(c.expected(a, *type)), *result);
        ASSERT_EQ(evaluator.eval(out->value).i.at(0), want)
            << c.id << " of " << str(*type) << " " << static_cast<int64_t>(a[0]) << " "
            << static_cast<int64_t>(a[1]);
      }
    }
  }
  EXPECT_GT(checked, 50u);
}

TEST(LowerIntrinsic, FunnelShifts) {
  const int64_t lo = 0x89abcdef, hi = 0x01234567;
  EXPECT_EQ(toOpenCL("funnelshift_l", {in(u32, lo), in(u32, hi), in(u32, 4)}, u32), 0x12345678);
  EXPECT_EQ(toOpenCL("funnelshift_l", {in(u32, lo), in(u32, hi), in(u32, 32)}, u32), hi);
  EXPECT_EQ(toOpenCL("funnelshift_lc", {in(u32, lo), in(u32, hi), in(u32, 99)}, u32), lo);
  EXPECT_EQ(toOpenCL("funnelshift_r", {in(u32, lo), in(u32, hi), in(u32, 8)}, u32), 0x6789abcd);
  EXPECT_EQ(toOpenCL("funnelshift_r", {in(u32, lo), in(u32, hi), in(u32, 0)}, u32), lo);
  EXPECT_EQ(toOpenCL("funnelshift_rc", {in(u32, lo), in(u32, hi), in(u32, 32)}, u32), hi);
}

TEST(LowerIntrinsic, FloatTests) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_EQ(toCuda("isgreater", {fl(f32, 2), fl(f32, 1)}, i32), 1);
  EXPECT_EQ(toCuda("isless", {fl(f32, nan), fl(f32, 1)}, i32), 0);
  EXPECT_EQ(toCuda("isnotequal", {fl(f32, nan), fl(f32, 1)}, i32), 1);
  EXPECT_EQ(toCuda("islessgreater", {fl(f32, nan), fl(f32, 1)}, i32), 0);
  EXPECT_EQ(toCuda("isunordered", {fl(f64, nan), fl(f64, 1)}, i32), 1);
  EXPECT_EQ(toCuda("isordered", {fl(f64, 2), fl(f64, 1)}, i32), 1);
  EXPECT_EQ(toCuda("isnormal", {fl(f32, 1e-40)}, i32), 0);
  EXPECT_EQ(toCuda("isnormal", {fl(f32, 1e-30)}, i32), 1);
  EXPECT_EQ(toCuda("isnormal", {fl(f32, INFINITY)}, i32), 0);
  EXPECT_EQ(toCudaF("sign", {fl(f32, nan)}, f32), 0);
  EXPECT_TRUE(std::signbit(toCudaF("sign", {fl(f32, -0.0)}, f32)));
  EXPECT_EQ(toCudaF("sign", {fl(f32, -7)}, f32), -1);
}

TEST(LowerIntrinsic, FloatFunctions) {
  EXPECT_EQ(toCudaF("mix", {fl(f32, 2), fl(f32, 4), fl(f32, 0.25)}, f32), 2.5);
  EXPECT_EQ(toCudaF("step", {fl(f32, 2), fl(f32, 1)}, f32), 0);
  EXPECT_EQ(toCudaF("smoothstep", {fl(f32, 0), fl(f32, 2), fl(f32, 1)}, f32), 0.5);
  EXPECT_NEAR(toCudaF("degrees", {fl(f64, M_PI)}, f64), 180, 1e-12);
  EXPECT_EQ(toCudaF("pown", {fl(f32, 3), in(i32, 4)}, f32), 81);
  EXPECT_EQ(toCudaF("maxmag", {fl(f32, -3), fl(f32, 2)}, f32), -3);
  EXPECT_EQ(toCudaF("minmag", {fl(f32, -3), fl(f32, 3)}, f32), -3);
  EXPECT_EQ(lowered("saturate", Language::OpenCL, {fl(f32, NAN)}, f32).f.at(0), 0);
}

TEST(LowerIntrinsic, Geometry) {
  const TypePtr f32x3 = vectorType(f32, 3);
  EXPECT_EQ(toCudaF("dot", {vec(f32, {1, 2, 3}), vec(f32, {4, 5, 6})}, f32), 32);
  EXPECT_NEAR(toCudaF("length", {vec(f32, {2, 3, 6})}, f32), 7, 1e-6);
  EXPECT_NEAR(toCudaF("distance", {vec(f32, {1, 1}), vec(f32, {4, 5})}, f32), 5, 1e-6);
  Value cross = lowered("cross", Language::Cuda, {vec(f32, {1, 0, 0}), vec(f32, {0, 1, 0})}, f32x3);
  EXPECT_EQ(cross.f, (std::vector<double>{0, 0, 1}));
  EXPECT_EQ(lowered("normalize", Language::Cuda, {vec(f32, {0, 0, 0})}, f32x3).f,
            (std::vector<double>{0, 0, 0}));
  EXPECT_EQ(lowered("normalize", Language::Cuda, {vec(f32, {3, 4})}, vectorType(f32, 2)).f.size(), 2u);
}

TEST(LowerIntrinsic, VectorsGoLaneByLane) {
  EXPECT_EQ(lowered("sqrt", Language::Cuda, {vec(f32, {4, 9})}, vectorType(f32, 2)).f,
            (std::vector<double>{2, 3}));
  EXPECT_EQ(lowered("fmin", Language::Cuda, {vec(f32, {4, 9}), fl(f32, 5)}, vectorType(f32, 2)).f,
            (std::vector<double>{4, 5}));
  // True is -1 in a lane.
  EXPECT_EQ(lowered("isgreater", Language::Cuda, {vec(f32, {4, 9}), vec(f32, {5, 5})}, vectorType(i32, 2)).i,
            (std::vector<int64_t>{0, -1}));
  EXPECT_EQ(lowered("isnan", Language::Cuda, {vec(f32, {NAN, 1})}, vectorType(i32, 2)).i,
            (std::vector<int64_t>{-1, 0}));
  ExprPtr eight = ir::ref(variable("v", vectorType(f32, 8)));
  EXPECT_FALSE(lowerCall(makeCall("sqrt", {eight}, eight->type), Language::Cuda))
      << "CUDA has no vectors of 8";
}

TEST(LowerIntrinsic, Conversions) {
  EXPECT_EQ(toCuda("convert_sat", {fl(f32, 300)}, u8), 255);
  EXPECT_EQ(toCuda("convert_sat", {fl(f32, -3)}, u8), 0);
  EXPECT_EQ(toCuda("convert_sat_rte", {fl(f32, 2.5)}, i8), 2);
  EXPECT_EQ(toCuda("convert_sat", {in(i32, -5)}, u32), 0);
  EXPECT_EQ(toCuda("convert_sat", {in(u32, UINT32_MAX)}, i32), INT32_MAX);
  EXPECT_EQ(toCuda("convert_sat", {in(u64, -1)}, i64), INT64_MAX);
  EXPECT_EQ(toCuda("convert_sat", {in(i64, -1)}, u64), 0);
  EXPECT_EQ(toCuda("convert_sat", {in(i64, INT64_MIN)}, i8), -128);
  EXPECT_EQ(toCuda("convert_sat", {in(i16, 300)}, u8), 255);
  EXPECT_EQ(toCuda("convert_rtp", {fl(f32, 2.25)}, u16), 3);
  EXPECT_EQ(toCudaF("convert_rtz", {in(i16, 7)}, f32), 7);
  EXPECT_EQ(toCuda("as", {fl(f64, -0.0)}, u64), INT64_MIN);
  EXPECT_EQ(toCuda("as", {in(u32, UINT32_MAX)}, i32), -1);
  EXPECT_EQ(toOpenCL("double_hi", {fl(f64, 1.0)}, i32), 0x3ff00000);
  EXPECT_EQ(lowered("double_from_hilo", Language::OpenCL, {in(i32, 0x3ff00000), in(i32, 0)}, f64).f.at(0),
            1.0);
}

TEST(LowerIntrinsic, WordsAndTheirParts) {
  Value bytes = lowered("as", Language::Cuda, {in(u32, 0x84030201)}, vectorType(i8, 4));
  EXPECT_EQ(bytes.i, (std::vector<int64_t>{1, 2, 3, -124}));
  Operand parts{vectorType(i16, 2), {{-1, 2}, {}}};
  EXPECT_EQ(lowered("as", Language::Cuda, {parts}, u32).i.at(0), 0x2ffff);
  Operand halves{vectorType(u32, 2), {{0, 0x3ff00000}, {}}};
  EXPECT_EQ(lowered("as", Language::Cuda, {halves}, f64).f.at(0), 1.0);
  EXPECT_EQ(toCudaF("bitselect", {fl(f64, 1.0), fl(f64, -2.0), fl(f64, -0.0)}, f64), -1.0)
      << "the sign of the second";
  EXPECT_EQ(toCuda("mad_sat", {in(u32, UINT32_MAX), in(u32, UINT32_MAX), in(u32, UINT32_MAX)}, u32),
            UINT32_MAX);
}

TEST(LowerIntrinsic, GroupsOfALaunchBecomeCoordinates) {
  TypePtr blockType = handleType("cooperative_groups::thread_block"),
          tileType = handleType("cooperative_groups::thread_block_tile<32U>");
  VarPtr group = variable("block", blockType), tile = variable("tile", tileType), rank = variable("r", u32),
         size = variable("n", u32);
  ExprPtr make = makeCall("this_thread_block", {}, blockType);
  StmtPtr body = block({makeStmt(Declare{group, make}),
                        makeStmt(Declare{rank, makeCall("group_thread_rank", {ir::ref(group)}, u32)}),
                        makeStmt(Declare{size, makeCall("group_size", {ir::ref(group)}, u32)})});
  StmtPtr out = lowerIntrinsics(body, Language::OpenCL);
  EXPECT_EQ(as<Block>(out)->stmts.size(), 2u) << "the handle is gone";
  size_t coords = 0;
  walkExprs(out, [&](const Expr& e) { coords += e.is<Coord>(); });
  EXPECT_EQ(coords, 8u);
  // A handle that something still needs stays, for the emitter to name as the reason.
  ExprPtr part = makeCall("tiled_partition", {ir::ref(group)}, tileType);
  out = lowerIntrinsics(block({makeStmt(Declare{group, make}), makeStmt(Declare{tile, part}),
                               makeStmt(Declare{rank, makeCall("group_thread_rank", {ir::ref(tile)}, u32)})}),
                        Language::OpenCL);
  EXPECT_EQ(as<Block>(out)->stmts.size(), 3u);
}

TEST(LowerIntrinsic, LoadsAndStores) {
  VarPtr p = variable("p", pointerType(f32, Space::Global)), v = variable("v", f32);
  auto load = lowerCall(makeCall("ldg", {ir::ref(p)}, f32), Language::OpenCL);
  ASSERT_TRUE(load);
  ASSERT_TRUE(load->value->is<Subscript>());
  auto store = lowerCall(makeCall("stcs", {ir::ref(p), ir::ref(v)}, voidType()), Language::OpenCL);
  ASSERT_TRUE(store);
  EXPECT_EQ(store->value, nullptr);
  ASSERT_EQ(store->before.size(), 1u);
  EXPECT_TRUE(store->before[0]->is<Assign>());
}

TEST(LowerIntrinsic, SincosBecomesTwoStores) {
  VarPtr x = variable("x", f32), s = variable("s", f32), c = variable("c", f32);
  auto address = [](const VarPtr& var) { return addressOf(ir::ref(var), Space::Private); };
  auto out =
      lowerCall(makeCall("sincos", {ir::ref(x), address(s), address(c)}, voidType()), Language::OpenCL);
  ASSERT_TRUE(out);
  ASSERT_EQ(out->before.size(), 2u);
  EXPECT_EQ(as<VarRef>(as<Assign>(out->before[0])->place)->var, s);
  EXPECT_EQ(as<Call>(as<Assign>(out->before[1])->value)->intrinsic->id, "cos");
  // sincos(x, &x, &c): the second store must not read what the first has written.
  out = lowerCall(makeCall("sincos", {ir::ref(x), address(x), address(c)}, voidType()), Language::OpenCL);
  ASSERT_TRUE(out);
  ASSERT_EQ(out->before.size(), 3u);
  EXPECT_TRUE(out->before[0]->is<Declare>());
  // OpenCL's form gives the sine.
  out = lowerCall(makeCall("sincos_value", {ir::ref(x), address(c)}, f32), Language::Cuda);
  ASSERT_TRUE(out);
  EXPECT_EQ(out->before.size(), 1u);
  EXPECT_EQ(as<Call>(out->value)->intrinsic->id, "sin");
}

TEST(LowerIntrinsic, Atomics) {
  VarPtr p = variable("p", pointerType(u32, Space::Global)),
         q = variable("q", pointerType(i64, Space::Global));
  auto inc = lowerCall(makeCall("atomic_inc", {ir::ref(p)}, u32), Language::Cuda);
  ASSERT_TRUE(inc);
  EXPECT_TRUE(inc->before.empty());
  EXPECT_EQ(as<Call>(inc->value)->intrinsic->id, "atomic_add");
  // A call with effects stays a whole value.
  auto add = lowerCall(makeCall("atomic_add", {ir::ref(q), intLit(1, i64)}, i64), Language::Cuda);
  ASSERT_TRUE(add);
  ASSERT_EQ(add->before.size(), 1u);
  ASSERT_TRUE(add->before[0]->is<Declare>());
  EXPECT_TRUE(as<Declare>(add->before[0])->init->is<Call>());
}

TEST(LowerIntrinsic, AtomicsWithoutNameLoop) {
  VarPtr f = variable("f", pointerType(f32, Space::Global)),
         d = variable("d", pointerType(f64, Space::Shared));
  auto sum = lowerCall(makeCall("atomic_add", {ir::ref(f), floatLit(1)}, f32), Language::OpenCL);
  ASSERT_TRUE(sum);
  ASSERT_EQ(sum->before.size(), 4u);  // cell, old, assumed, loop
  const auto* loop = as<DoWhile>(sum->before.back());
  ASSERT_NE(loop, nullptr);
  const auto* exchange = as<Assign>(as<Block>(loop->body)->stmts.back());
  EXPECT_EQ(as<Call>(exchange->value)->intrinsic->id, "atomic_cmpxchg");
  expectNamed(exchange->value, Language::OpenCL);
  EXPECT_TRUE(sameType(sum->value->type, f32));
  EXPECT_TRUE(lowerCall(makeCall("atomic_add", {ir::ref(d), floatLit(1, f64)}, f64), Language::OpenCL));
  VarPtr u = variable("u", pointerType(u32, Space::Global));
  auto wrapped = lowerCall(makeCall("atomic_inc_wrap", {ir::ref(u), intLit(9, u32)}, u32), Language::OpenCL);
  ASSERT_TRUE(wrapped);
  EXPECT_EQ(wrapped->before.size(), 3u);
  VarPtr h = variable("h", pointerType(f16, Space::Global));
  EXPECT_FALSE(lowerCall(makeCall("atomic_add", {ir::ref(h), floatLit(1, f16)}, f16), Language::OpenCL));
}

TEST(LowerIntrinsic, VectorLoadsNumberElements) {
  VarPtr p = variable("p", pointerType(f32, Space::Global)), i = variable("i", u64),
         v = variable("v", vectorType(f32, 4));
  auto load = lowerCall(makeCall("vload4", {ir::ref(i), ir::ref(p)}, v->type), Language::Cuda);
  ASSERT_TRUE(load);
  EXPECT_EQ(as<Construct>(load->value)->parts.size(), 4u);
  auto store =
      lowerCall(makeCall("vstore4", {ir::ref(v), intLit(2, u64), ir::ref(p)}, voidType()), Language::Cuda);
  ASSERT_TRUE(store);
  ASSERT_EQ(store->before.size(), 4u);
  const auto* last = as<Subscript>(as<Assign>(store->before[3])->place);
  EXPECT_EQ(constantValue(last->indices[0]), 11);
}

TEST(LowerIntrinsic, WholeBodies) {
  VarPtr x = variable("x", f32), y = variable("y", f32), p = variable("p", pointerType(f32, Space::Global));
  VarPtr s = variable("s", f32), old = variable("o", f32);
  ExprPtr load = makeCall("ldg", {ir::ref(p)}, f32);
  ExprPtr root = makeCall("sqrt", {makeCall("saturate", {load}, f32)}, f32);
  ExprPtr sum = makeCall("atomic_add", {ir::ref(p), ir::ref(x)}, f32);
  ExprPtr both = makeCall(
      "sincos", {ir::ref(x), addressOf(ir::ref(s), Space::Private), addressOf(ir::ref(y), Space::Private)},
      voidType());
  StmtPtr body =
      block({assign(ir::ref(y), root), makeStmt(Eval{sum}), makeStmt(Declare{old, sum}), makeStmt(Eval{both}),
             makeStmt(If{boolLit(true), block({makeStmt(Eval{sum})}), nullptr})});
  StmtPtr out = lowerIntrinsics(body, Language::OpenCL);
  size_t loops = 0;
  walkStmts(out, [&](const Stmt& stmt) { loops += stmt.is<DoWhile>(); });
  EXPECT_EQ(loops, 3u);
  walkExprs(out, [&](const Expr& e) {
    if (e.is<Call>())
      EXPECT_TRUE(isNamed(std::make_shared<Expr>(e), Language::OpenCL))
          << as<Call>(std::make_shared<const Expr>(e))->intrinsic->id;
  });
  // The head of a for has no place for a loop.
  StmtPtr loop = makeStmt(For{{}, boolLit(true), {assign(ir::ref(y), sum)}, block({makeStmt(Eval{sum})}), 0});
  StmtPtr lowerLoop = lowerIntrinsics(block({loop}), Language::OpenCL);
  const auto* kept = as<For>(as<Block>(lowerLoop)->stmts.at(0));
  ASSERT_NE(kept, nullptr);
  EXPECT_EQ(kept->step.size(), 1u);
  size_t inBody = 0;
  walkStmts(kept->body, [&](const Stmt& stmt) { inBody += stmt.is<DoWhile>(); });
  EXPECT_EQ(inBody, 1u);
  EXPECT_EQ(lowerIntrinsics(body, Language::Cuda), body) << "CUDA has a name for all of them";
}

}  // namespace
}  // namespace hone::ir
