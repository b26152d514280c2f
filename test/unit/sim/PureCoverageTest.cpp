// Every pure intrinsic of the table has a function for each signature of its row.
#include <gtest/gtest.h>

#include <array>
#include <random>
#include <set>

#include "ir/intrinsics/Intrinsics.h"
#include "sim/TableTypes.h"
#include "sim/functions/PureFunctions.h"

namespace hone::sim {
namespace {

struct Call {
  std::vector<Scalar> args, results;
};
// What the device is asked for: one lane of a lanewise function, else all leaves. Results behind pointers
// follow the value.
Call callOf(const ir::Intrinsic& fn, const ir::IntrinsicSignature& signature) {
  Call out;
  bool onlyOne = isLanewise(fn.id);
  addLeaves(signature.result, onlyOne, out.results);
  for (const TypePtr& param : signature.params) {
    if (fn.writesArguments && param->isPointer())
      addLeaves(param->element, onlyOne, out.results);
    else
      addLeaves(param, onlyOne, out.args);
  }
  return out;
}

std::string describe(const ir::IntrinsicName& name, const Call& call) {
  std::string out(name.name);
  for (Scalar s : call.args) out += " " + std::to_string(static_cast<int>(s));
  out += " ->";
  for (Scalar s : call.results) out += " " + std::to_string(static_cast<int>(s));
  return out;
}

// Lanes that take no part hold whatever was there: nothing may trap, which the sanitizers see.
void callWithAnyBits(PureFunction function, const Call& call, std::mt19937_64& random) {
  using Register = std::array<uint64_t, warpLanes>;
  std::vector<Register> args(call.args.size()), results(call.results.size());
  std::vector<const void*> in;
  std::vector<void*> out;
  for (Register& r : args) {
    for (uint64_t& word : r) word = random();
    in.push_back(r.data());
  }
  for (Register& r : results) out.push_back(r.data());
  function(out.data(), in.data());
}

bool isMath(const ir::Intrinsic& fn) {
  return fn.cls == ir::IntrinsicClass::Math || fn.cls == ir::IntrinsicClass::Bits ||
         fn.cls == ir::IntrinsicClass::Convert;
}

TEST(PureCoverage, EverySignatureHasAFunction) {
  // Names made of a type, and those without a signature, are checked below.
  const std::set<std::string_view> shaped = {"shuffle",
                                             "shuffle2",
                                             "assume_aligned",
                                             "nan_tag",
                                             "cvta_shared_to_generic",
                                             "cvta_global_to_generic",
                                             "cvta_local_to_generic",
                                             "cvta_constant_to_generic"};
  std::vector<TypePtr> types = candidates();
  types.push_back(nullptr);
  unsigned checked = 0;
  std::mt19937_64 random(11);
  for (const ir::Intrinsic& fn : ir::allIntrinsics()) {
    if (!isMath(fn)) continue;
    for (ir::Language language : {ir::Language::Cuda, ir::Language::OpenCL}) {
      for (const ir::IntrinsicName& name : fn.names(language)) {
        if (name.name.find('$') != std::string_view::npos) continue;
        if (!name.hasSignature) {
          EXPECT_TRUE(shaped.contains(fn.id)) << fn.id;
          continue;
        }
        for (const TypePtr& type : types) {
          ir::IntrinsicSignature signature = ir::instantiate(name, type, ir::Space::Private);
          if (!signature.name) continue;
          // The table lets cross be of any length; only three and four lanes exist.
          if (fn.id == "cross" && !(isVector(type) && type->lanes >= 3)) continue;
          Call call = callOf(fn, signature);
          PureFunction function = findPureFunction(fn.id, call.args, call.results);
          EXPECT_NE(function, nullptr) << fn.id << ": " << describe(name, call);
          if (function) callWithAnyBits(function, call, random);
          ++checked;
        }
      }
    }
  }
  EXPECT_GT(checked, 4000u);
}

TEST(PureCoverage, ConversionsBetweenAllScalars) {
  std::mt19937_64 random(12);
  for (const ir::Intrinsic& fn : ir::allIntrinsics()) {
    if (!fn.id.starts_with("convert")) continue;
    for (const TypePtr& from : scalars())
      for (const TypePtr& to : scalars()) {
        const Scalar arg = scalarOf(*from), result = scalarOf(*to);
        PureFunction function = findPureFunction(fn.id, {&arg, 1}, {&result, 1});
        ASSERT_NE(function, nullptr) << fn.id;
        callWithAnyBits(function, {{arg}, {result}}, random);
      }
  }
}

TEST(PureCoverage, ReinterpretationOfEqualSizes) {
  for (const TypePtr& from : candidates())
    for (const TypePtr& to : candidates()) {
      std::vector<Scalar> args, results;
      addLeaves(from, false, args);
      addLeaves(to, false, results);
      bool sameSize = ir::sizeOf(*from, true) == ir::sizeOf(*to, true);
      EXPECT_EQ(findPureFunction("as", args, results) != nullptr, sameSize)
          << ir::str(*from) << " " << ir::str(*to);
    }
}

TEST(PureCoverage, ShufflesOfAllLengths) {
  for (const TypePtr& type : scalars())
    for (unsigned from : {2u, 4u, 8u, 16u})
      for (unsigned to : {2u, 4u, 8u, 16u})
        for (unsigned sources : {1u, 2u}) {
          const Scalar element = scalarOf(*type);
          std::vector<Scalar> args(from * sources, element), results(to, element);
          args.insert(args.end(), to, isWide(element) ? Scalar::U64 : Scalar::U32);
          EXPECT_NE(findPureFunction(sources == 1 ? "shuffle" : "shuffle2", args, results), nullptr);
        }
}

TEST(PureCoverage, UnknownIdsHaveNone) {
  const Scalar f = Scalar::F32;
  EXPECT_EQ(findPureFunction("no_such_function", {&f, 1}, {&f, 1}), nullptr);
  const Scalar b = Scalar::Bool;
  EXPECT_EQ(findPureFunction("sqrt", {&b, 1}, {&b, 1}), nullptr);
}

}  // namespace
}  // namespace hone::sim
