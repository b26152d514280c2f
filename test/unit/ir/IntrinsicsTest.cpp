// The table of intrinsics: lookup in both directions, names by type, classes, and rules every row keeps.
#include "ir/intrinsics/Intrinsics.h"

#include <gtest/gtest.h>

#include <chrono>
#include <map>
#include <set>

#include "ir/intrinsics/IntrinsicSignatures.h"

namespace hone::ir {
namespace {

const TypePtr f16 = floatType(16), f32 = floatType(32), f64 = floatType(64);
const TypePtr i8 = intType(8, true), i32 = int32(), u32 = uint32(), i64 = int64(), u64 = uint64();
const TypePtr float4 = vectorType(f32, 4), half2 = vectorType(f16, 2);

TypePtr ptr(const TypePtr& to) { return pointerType(to, Space::Global); }

std::string idOf(Language language, std::string_view name) {
  const Intrinsic* fn = findIntrinsic(language, name);
  return fn ? std::string(fn->id) : "";
}
std::string cudaId(std::string_view name) { return idOf(Language::Cuda, name); }
std::string clId(std::string_view name) { return idOf(Language::OpenCL, name); }

std::string nameOf(std::string_view id, Language language, std::vector<TypePtr> args, const TypePtr& result) {
  return nameFor(intrinsic(id), language, args, result);
}
std::string cudaName(std::string_view id, std::vector<TypePtr> args, const TypePtr& result) {
  return nameOf(id, Language::Cuda, std::move(args), result);
}
std::string clName(std::string_view id, std::vector<TypePtr> args, const TypePtr& result) {
  return nameOf(id, Language::OpenCL, std::move(args), result);
}

// Every type a signature's T may be.
std::vector<TypePtr> allTypes() {
  std::vector<TypePtr> out;
  for (unsigned bits : {8u, 16u, 32u, 64u})
    for (bool isSigned : {true, false}) out.push_back(intType(bits, isSigned));
  for (unsigned bits : {16u, 32u, 64u}) out.push_back(floatType(bits));
  out.push_back(bfloatType());
  size_t scalars = out.size();
  for (unsigned lanes : {2u, 3u, 4u, 8u, 16u})
    for (size_t i = 0; i < scalars; ++i) out.push_back(vectorType(out[i], lanes));
  return out;
}

// Calls fn for each signature of each name, with T bound to every type it may be.
template <class Fn>
void forEachSignature(Language language, Fn fn) {
  const std::vector<TypePtr> types = allTypes();
  for (const Intrinsic& entry : allIntrinsics()) {
    for (const IntrinsicName& name : entry.names(language)) {
      if (!name.hasSignature || name.name.find('$') != std::string_view::npos) continue;
      if (name.set.empty()) {
        fn(entry, instantiate(name, nullptr, Space::Global));
        continue;
      }
      for (const TypePtr& type : types)
        if (IntrinsicSignature s = instantiate(name, type, Space::Global); s.name) fn(entry, s);
    }
  }
}

TEST(Intrinsics, FindsAllSpellings) {
  EXPECT_EQ(cudaId("sqrt"), "sqrt");
  EXPECT_EQ(cudaId("sqrtf"), "sqrt");
  EXPECT_EQ(cudaId("std::sqrt"), "sqrt");
  EXPECT_EQ(cudaId("::sqrtf"), "sqrt");
  EXPECT_EQ(cudaId("cuda::std::sqrt"), "sqrt");
  EXPECT_EQ(cudaId("__builtin_fabsf"), "fabs");
  EXPECT_EQ(clId("sqrt"), "sqrt");
  EXPECT_EQ(cudaId("__fmaf_rn"), "fma");
  EXPECT_EQ(cudaId("__popcll"), "popcount");
  EXPECT_EQ(clId("popcount"), "popcount");
}

TEST(Intrinsics, UnknownNamesAreNull) {
  EXPECT_EQ(findIntrinsic(Language::Cuda, "my_function"), nullptr);
  EXPECT_EQ(findIntrinsic(Language::Cuda, ""), nullptr);
  EXPECT_EQ(findIntrinsic(Language::OpenCL, "sqrtf"), nullptr);
  EXPECT_EQ(findIntrinsic(Language::Cuda, "native_sin"), nullptr);
  EXPECT_EQ(findIntrinsic(Language::OpenCL, "std::sqrt"), nullptr);
  EXPECT_EQ(findIntrinsic(Language::OpenCL, "as_$"), nullptr);
  EXPECT_EQ(findIntrinsic(Language::OpenCL, "as_float5"), nullptr);
  EXPECT_EQ(findIntrinsic(Language::OpenCL, "convert_bool"), nullptr);
  EXPECT_EQ(findIntrinsic(Language::OpenCL, "convert_int4_rtx"), nullptr);
}

TEST(Intrinsics, NamesOfOpenCLConversionsComeFromTypes) {
  EXPECT_EQ(clId("as_float4"), "as");
  EXPECT_EQ(clId("as_ulong"), "as");
  EXPECT_EQ(clId("convert_int4"), "convert");
  EXPECT_EQ(clId("convert_uchar_sat"), "convert_sat");
  EXPECT_EQ(clId("convert_short16_sat_rte"), "convert_sat_rte");
  EXPECT_EQ(clId("convert_float_rtp"), "convert_rtp");
  EXPECT_EQ(clName("as", {f32}, i32), "as_int");
  EXPECT_EQ(clName("as", {vectorType(u32, 4)}, float4), "as_float4");
  EXPECT_EQ(clName("convert_sat_rte", {float4}, vectorType(intType(8, false), 4)), "convert_uchar4_sat_rte");
  EXPECT_EQ(clName("as", {i32}, ptr(i32)), "");
}

TEST(Intrinsics, ReinterpretationByTypePair) {
  EXPECT_EQ(cudaName("as", {f32}, i32), "__float_as_int");
  EXPECT_EQ(cudaName("as", {f32}, u32), "__float_as_uint");
  EXPECT_EQ(cudaName("as", {u32}, f32), "__uint_as_float");
  EXPECT_EQ(cudaName("as", {f64}, i64), "__double_as_longlong");
  EXPECT_EQ(cudaName("as", {f64}, u64), "");
  EXPECT_EQ(cudaName("as", {float4}, vectorType(i32, 4)), "");
  EXPECT_EQ(cudaId("__float_as_int"), "as");
}

TEST(Intrinsics, CudaConversionsSaturate) {
  EXPECT_EQ(cudaId("__float2int_rz"), "convert_sat_rtz");
  EXPECT_EQ(clName("convert_sat_rtz", {f32}, i32), "convert_int_sat_rtz");
  EXPECT_EQ(cudaName("convert_sat_rtz", {f32}, i32), "__float2int_rz");
  EXPECT_EQ(cudaName("convert_rtz", {f32}, i32), "__float2int_rz");  // what OpenCL leaves open may saturate
  EXPECT_EQ(cudaId("__int2float_rn"), "convert_rte");
  EXPECT_EQ(clName("convert_rte", {i32}, f32), "convert_float_rte");
  EXPECT_EQ(cudaName("convert_sat", {f32}, intType(8, false)), "");
}

TEST(Intrinsics, NamesFollowTheOperandType) {
  EXPECT_EQ(cudaName("sqrt", {f32}, f32), "sqrtf");
  EXPECT_EQ(cudaName("sqrt", {f64}, f64), "sqrt");
  EXPECT_EQ(cudaName("sqrt", {f16}, f16), "hsqrt");
  EXPECT_EQ(cudaName("sqrt", {half2}, half2), "h2sqrt");
  EXPECT_EQ(cudaName("sqrt", {float4}, float4), "");
  EXPECT_EQ(clName("sqrt", {float4}, float4), "sqrt");
  EXPECT_EQ(cudaName("mul_hi", {i32, i32}, i32), "__mulhi");
  EXPECT_EQ(cudaName("mul_hi", {u64, u64}, u64), "__umul64hi");
  EXPECT_EQ(cudaName("popcount", {u64}, i32), "__popcll");
  EXPECT_EQ(cudaName("min", {u32, u32}, u32), "min");
  EXPECT_EQ(nameFor(intrinsic("sin"), Language::Cuda, *f32), "sinf");
  EXPECT_EQ(nameFor(intrinsic("sin"), Language::Cuda, *f64), "sin");
  EXPECT_EQ(nameFor(intrinsic("clz"), Language::Cuda, *i64), "__clzll");
  EXPECT_EQ(nameFor(intrinsic("atomic_add"), Language::Cuda, *ptr(f32)), "atomicAdd");
}

TEST(Intrinsics, BitCountsOfNarrowIntegersHaveNoCudaName) {
  EXPECT_EQ(cudaName("popcount", {i8}, i8), "");
  EXPECT_EQ(cudaName("clz", {intType(16, false)}, intType(16, false)), "");
}

TEST(Intrinsics, MinOfFloatsIsFmin) {
  EXPECT_EQ(findIntrinsic(Language::Cuda, "min", std::vector{f32, f32})->id, "fmin");
  EXPECT_EQ(findIntrinsic(Language::Cuda, "min", std::vector{f64, f32})->id, "fmin");
  EXPECT_EQ(findIntrinsic(Language::Cuda, "max", std::vector{i32, u32})->id, "max");
  EXPECT_EQ(findIntrinsic(Language::Cuda, "abs", std::vector{f32})->id, "fabs");
  EXPECT_EQ(findIntrinsic(Language::Cuda, "abs", std::vector{i64})->id, "abs");
  // OpenCL's min of floats says nothing of NaN, so fmin may stand for it but not the other way.
  EXPECT_EQ(findIntrinsic(Language::OpenCL, "min", std::vector{f32, f32})->id, "fmin_common");
  EXPECT_EQ(cudaName("fmin_common", {f32, f32}, f32), "fminf");
  EXPECT_EQ(clName("fmin", {f32, f32}, f32), "fmin");
  EXPECT_EQ(findIntrinsic(Language::Cuda, "__hadd", std::vector{i32, i32})->id, "hadd");
  EXPECT_EQ(findIntrinsic(Language::Cuda, "__hadd", std::vector{f16, f16})->id, "h_add");
}

TEST(Intrinsics, Atomics) {
  EXPECT_EQ(cudaId("atomicAdd"), "atomic_add");
  EXPECT_EQ(clId("atomic_add"), "atomic_add");
  EXPECT_EQ(clId("atom_add"), "atomic_add");
  EXPECT_EQ(clName("atomic_add", {ptr(i32), i32}, i32), "atomic_add");
  EXPECT_EQ(clName("atomic_add", {ptr(u64), u64}, u64), "atom_add");
  EXPECT_EQ(clName("atomic_add", {ptr(f32), f32}, f32), "");
  EXPECT_EQ(clName("atomic_xchg", {ptr(f32), f32}, f32), "atomic_xchg");
  EXPECT_EQ(cudaName("atomic_add", {ptr(i64), i64}, i64), "");
  EXPECT_EQ(cudaName("atomic_cmpxchg", {ptr(i32), i32, i32}, i32), "atomicCAS");
  // CUDA's atomicInc wraps, OpenCL's does not.
  EXPECT_NE(cudaId("atomicInc"), clId("atomic_inc"));
  EXPECT_EQ(intrinsic(cudaId("atomicInc")).opencl, "");
  EXPECT_EQ(intrinsic(clId("atomic_inc")).cuda, "");
  // A block's atomic may be widened to the device's; the device's must not shrink.
  EXPECT_EQ(clName("atomic_add_block", {ptr(i32), i32}, i32), "atomic_add");
  EXPECT_EQ(clName("atomic_add_system", {ptr(i32), i32}, i32), "");
}

TEST(Intrinsics, WarpAndGroups) {
  EXPECT_EQ(cudaId("__shfl_down_sync"), "shfl_down_sync");
  EXPECT_NE(cudaId("__shfl_down"), cudaId("__shfl_down_sync"));
  EXPECT_EQ(cudaId(".sync"), cudaId("cooperative_groups::sync"));
  EXPECT_EQ(cudaId(".size"), cudaId(".num_threads"));
  EXPECT_EQ(cudaId("cooperative_groups::this_thread_block"), "this_thread_block");
  EXPECT_EQ(intrinsic("shfl_sync").minArgs, 3u);
  EXPECT_EQ(intrinsic("shfl_sync").maxArgs, 4u);
}

TEST(Intrinsics, Purity) {
  for (std::string_view name :
       {"sqrtf", "min", "__popc", "__float_as_int", "__float2int_rz", "__ldg", "tex2D", "__clz",
        "cooperative_groups::this_grid", ".thread_rank", ".size", "isnan", "__byte_perm"})
    EXPECT_TRUE(findIntrinsic(Language::Cuda, name)->isPure()) << name;
  for (std::string_view name :
       {"atomicAdd", "__shfl_sync", "__ballot_sync", "__syncthreads_count", "__activemask", "clock64",
        "sincosf", "frexp", "modff", "remquo", "__stcs", "surf2Dwrite", "__trap", ".sync", ".shfl_down",
        "cooperative_groups::reduce", "cooperative_groups::coalesced_threads", "__nanosleep"})
    EXPECT_FALSE(findIntrinsic(Language::Cuda, name)->isPure()) << name;
  for (std::string_view name :
       {"vload4", "native_sin", "select", "dot", "get_sub_group_local_id", "convert_int4_sat"})
    EXPECT_TRUE(findIntrinsic(Language::OpenCL, name)->isPure()) << name;
  for (std::string_view name :
       {"vstore4", "sincos", "fract", "atomic_inc", "sub_group_reduce_add", "work_group_any"})
    EXPECT_FALSE(findIntrinsic(Language::OpenCL, name)->isPure()) << name;
}

TEST(Intrinsics, WritesAndSynchronizes) {
  for (std::string_view id : {"atomic_add", "vstore4", "sincos", "frexp", "stcg", "surf2Dwrite", "memcpy"})
    EXPECT_TRUE(intrinsic(id).writesMemory()) << id;
  for (std::string_view id : {"ldg", "vload4", "sqrt", "shfl_sync", "norm", "tex2D"})
    EXPECT_FALSE(intrinsic(id).writesMemory()) << id;
  for (std::string_view id :
       {"shfl_sync", "ballot_sync", "syncthreads_or", "group_sync", "work_group_reduce_add"})
    EXPECT_TRUE(intrinsic(id).synchronizes()) << id;
  for (std::string_view id : {"atomic_add", "sqrt", "this_grid", "activemask"})
    EXPECT_FALSE(intrinsic(id).synchronizes()) << id;
}

TEST(Intrinsics, SignaturesGiveResultTypes) {
  auto resultOf = [](std::string_view id, Language language, std::vector<TypePtr> args,
                     const TypePtr& result) {
    IntrinsicSignature s = signatureFor(intrinsic(id), language, args, result);
    return s.result ? str(*s.result) : "";
  };
  EXPECT_EQ(resultOf("popcount", Language::OpenCL, {u32}, i32), str(*u32));
  EXPECT_EQ(resultOf("popcount", Language::Cuda, {u32}, u32), str(*i32));
  EXPECT_EQ(resultOf("abs", Language::OpenCL, {i32}, i32), str(*u32));
  EXPECT_EQ(resultOf("isnan", Language::Cuda, {f32}, i32), str(*boolType()));
  EXPECT_EQ(resultOf("isnan_int", Language::Cuda, {f32}, i32), str(*i32));
  EXPECT_EQ(resultOf("isnan", Language::Cuda, {f32}, boolType()), str(*boolType()));
  EXPECT_EQ(resultOf("isnan", Language::OpenCL, {f32}, boolType()), str(*i32));
  EXPECT_EQ(resultOf("isless", Language::OpenCL, {vectorType(f64, 2), vectorType(f64, 2)}, nullptr),
            str(*vectorType(i64, 2)));
  EXPECT_EQ(resultOf("dot", Language::OpenCL, {float4, float4}, f32), str(*f32));
  EXPECT_EQ(resultOf("upsample", Language::OpenCL, {i8, intType(8, false)}, nullptr),
            str(*intType(16, true)));
  EXPECT_EQ(resultOf("atomic_add", Language::Cuda, {ptr(f64), f64}, f64), str(*f64));
}

TEST(Intrinsics, SignaturesConvertArguments) {
  // CUDA's min of int and unsigned is min of unsigned.
  IntrinsicSignature s = signatureFor(intrinsic("min"), Language::Cuda, std::vector{i32, u32}, u32);
  ASSERT_EQ(s.params.size(), 2u);
  EXPECT_TRUE(sameType(s.params[0], u32));
  EXPECT_TRUE(sameType(s.params[1], u32));
  // sqrt of an int is sqrt of double.
  s = signatureFor(intrinsic("sqrt"), Language::Cuda, std::vector{i32}, f64);
  ASSERT_EQ(s.params.size(), 1u);
  EXPECT_TRUE(sameType(s.params[0], f64));
  // What a pointer points to never converts.
  EXPECT_EQ(signatureFor(intrinsic("atomic_add"), Language::Cuda, std::vector{ptr(i64), i32}, i32).name,
            nullptr);
  EXPECT_EQ(signatureFor(intrinsic("frexp"), Language::Cuda, std::vector{f32, ptr(u32)}, f32).name, nullptr);
  // A narrower result is another function.
  EXPECT_EQ(signatureFor(intrinsic("popcount"), Language::Cuda, std::vector{i8}, i8).name, nullptr);
}

TEST(Intrinsics, FixedNamesConvertTheirArguments) {
  auto isFixed = [](std::string_view id, std::vector<TypePtr> args, const TypePtr& result,
                    Language language) {
    return signatureFor(intrinsic(id), language, args, result).name->isFixed();
  };
  EXPECT_TRUE(isFixed("sqrt", {f32}, f32, Language::Cuda));   // sqrtf
  EXPECT_FALSE(isFixed("sqrt", {f64}, f64, Language::Cuda));  // sqrt has a float twin
  EXPECT_TRUE(isFixed("popcount", {u32}, i32, Language::Cuda));
  EXPECT_FALSE(isFixed("min", {i32, i32}, i32, Language::Cuda));
  EXPECT_FALSE(isFixed("hadd", {i32, i32}, i32, Language::Cuda));  // __hadd of halves
  EXPECT_FALSE(isFixed("sqrt", {f32}, f32, Language::OpenCL));
  EXPECT_FALSE(isFixed("fmin_common", {f64, f64}, f64, Language::Cuda));
}

TEST(Intrinsics, NoNameMeansTwoThingsForOneArgumentList) {
  for (Language language : {Language::Cuda, Language::OpenCL}) {
    std::map<std::string, std::string_view> meaning;
    forEachSignature(language, [&](const Intrinsic& fn, const IntrinsicSignature& s) {
      if (s.name->emitOnly) return;
      std::string key(s.name->name);
      for (const TypePtr& param : s.params) key += " " + str(*param);
      auto [at, isNew] = meaning.emplace(key, fn.id);
      EXPECT_EQ(at->second, fn.id) << key;
    });
    std::map<std::string_view, std::set<std::string_view>> unsigned_;
    for (const Intrinsic& fn : allIntrinsics())
      for (const IntrinsicName& name : fn.names(language))
        if (!name.hasSignature && !name.emitOnly) unsigned_[name.name].insert(fn.id);
    for (const auto& [name, ids] : unsigned_) {
      EXPECT_EQ(ids.size(), 1u) << name;
      EXPECT_EQ(findIntrinsic(language, name)->id, *ids.begin()) << name << " also has a signature elsewhere";
    }
  }
}

// Written by nameFor, a call is read back as the same entry; only names marked for writing alone may lead
// elsewhere.
TEST(Intrinsics, NamesReadBackAsTheSameEntry) {
  for (Language language : {Language::Cuda, Language::OpenCL}) {
    size_t count = 0;
    forEachSignature(language, [&](const Intrinsic& fn, const IntrinsicSignature& s) {
      ++count;
      std::string name = nameFor(fn, language, s.params, s.result);
      ASSERT_FALSE(name.empty()) << fn.id << " " << s.name->name;
      const Intrinsic* back = findIntrinsic(language, name, s.params);
      ASSERT_NE(back, nullptr) << name;
      IntrinsicSignature chosen = signatureFor(fn, language, s.params, s.result);
      if (!chosen.name->emitOnly) EXPECT_EQ(back->id, fn.id) << name;
      if (s.result && chosen.result) EXPECT_TRUE(sameType(s.result, chosen.result)) << fn.id << " " << name;
    });
    EXPECT_GT(count, 1000u);
  }
}

TEST(Intrinsics, RowsAreWellFormed) {
  std::set<std::string_view> ids;
  for (const Intrinsic& fn : allIntrinsics()) {
    EXPECT_TRUE(ids.insert(fn.id).second) << fn.id;
    EXPECT_EQ(&intrinsic(fn.id), &fn);
    EXPECT_FALSE(fn.cudaNames.empty() && fn.openclNames.empty()) << fn.id;
    EXPECT_LE(fn.minArgs, fn.maxArgs) << fn.id;
    for (Language language : {Language::Cuda, Language::OpenCL}) {
      for (const IntrinsicName& name : fn.names(language)) {
        EXPECT_EQ(name.name.find_first_of("{}()>? "), std::string_view::npos) << name.name;
        EXPECT_EQ(name.params.find_first_not_of("vbcCsSiulLhfdBHNDGty*TEUZIRWP"), std::string_view::npos)
            << name.name;
        EXPECT_EQ(name.set.find_first_not_of("cCsSiulLhfdBHNAF+<="), std::string_view::npos) << name.name;
        EXPECT_EQ(name.set.empty(), name.params.find_first_of("TEUZIRWP") == std::string_view::npos)
            << name.name;
        if (name.hasSignature) EXPECT_EQ(name.result.size(), 1u) << name.name;
        if (name.emitOnly)
          EXPECT_NE(findIntrinsic(language, name.name), nullptr) << name.name << " is no function";
      }
    }
  }
  EXPECT_GT(ids.size(), 600u);
}

// The table is built on first use, so start-up pays only for a run that looks something up.
TEST(Intrinsics, LookupIsFast) {
  allIntrinsics();
  auto start = std::chrono::steady_clock::now();
  size_t found = 0;
  for (int round = 0; round < 100; ++round)
    for (const Intrinsic& fn : allIntrinsics())
      if (!fn.cuda.empty()) found += findIntrinsic(Language::Cuda, fn.cuda) != nullptr;
  auto took = std::chrono::steady_clock::now() - start;
  EXPECT_GT(found, 40000u);
  EXPECT_LT(took / found, std::chrono::microseconds(20));
}

TEST(Intrinsics, PropertiesGoWithTheirClass) {
  for (const Intrinsic& fn : allIntrinsics()) {
    const IntrinsicTraits& is = fn.traits;
    EXPECT_EQ(fn.cls == IntrinsicClass::Atomic, is.atomic != AtomicKind::None) << fn.id;
    const bool isAccess = fn.cls == IntrinsicClass::Load || fn.cls == IntrinsicClass::Store;
    EXPECT_TRUE(isAccess || (is.hint == CacheHint::None && is.vector.lanes == 0)) << fn.id;
    EXPECT_TRUE(isAccess || is.texture.kind == TextureKind::NoTexture) << fn.id;
    EXPECT_EQ(fn.cls == IntrinsicClass::Store && is.texture.kind != TextureKind::NoTexture,
              is.texture.kind == TextureKind::SurfaceWrite)
        << fn.id;
    EXPECT_TRUE(fn.cls == IntrinsicClass::Exchange || !is.isShuffle) << fn.id;
    EXPECT_TRUE(!is.needsOpenCL2 || fn.cudaNames.empty()) << fn.id;
  }
}

TEST(Intrinsics, PropertiesOfSome) {
  const auto is = [](std::string_view id) { return intrinsic(id).traits; };
  EXPECT_EQ(is("atomic_add_system").atomic, AtomicKind::Add);
  EXPECT_EQ(is("atomic_add_system").scope, AtomicScope::System);
  EXPECT_EQ(is("atomic_fetch_xor_explicit").atomic, AtomicKind::Xor);
  EXPECT_TRUE(is("atomic_cmpxchg").isAtomicSwap() && is("atomic_compare_exchange_weak").isAtomicSwap());
  EXPECT_FALSE(is("atomic_store").isAtomicSwap() || is("atomic_or").isAtomicSwap());
  EXPECT_TRUE(is("atomic_fetch_min").isAtomicExtreme() && is("atomic_max_block").isAtomicExtreme());
  EXPECT_EQ(is("ldcv").hint, CacheHint::Volatile);
  EXPECT_EQ(is("vstorea_half3_rtz").vector.stride(), 4u);
  EXPECT_EQ(is("vstorea_half3_rtz").vector.rounding, Rounding::Zero);
  EXPECT_EQ(is("vload3").vector.stride(), 3u);
  EXPECT_EQ(is("tex2DLayeredLod").texture.dimensions, 2u);
  EXPECT_TRUE(is("tex2DLayeredLod").texture.isLayered);
  EXPECT_EQ(is("shfl_down_sync").over, Participants::Mask);
  EXPECT_EQ(is("group_reduce").over, Participants::GroupHandle);
  EXPECT_EQ(is("work_group_scan_inclusive_add").over, Participants::WorkGroup);
  EXPECT_TRUE(intrinsic("convert_sat_rte").isNamedByResult() && intrinsic("as").isNamedByResult());
  EXPECT_FALSE(intrinsic("sqrt").isNamedByResult());
}

}  // namespace
}  // namespace hone::ir
