#include "acc/LoopCount.h"

#include <gtest/gtest.h>

#include "ir/Build.h"
#include "ir/Integers.h"

namespace hone::acc {
namespace {

using namespace ir;

VarPtr local(const std::string& name, const TypePtr& type) {
  auto var = std::make_shared<Variable>();
  var->name = name;
  var->type = type;
  return var;
}

struct CountCase {
  TypePtr type;
  int64_t begin, end;
  BinaryOp compare;
  int64_t step;  // added
};

// The values that C gives the counter; more than `most`: nothing.
std::optional<std::vector<int64_t>> walked(const CountCase& c, size_t most) {
  std::vector<int64_t> values;
  const TypePtr compared = promoted(c.type);
  for (int64_t at = c.begin;;) {
    if (!*integerResult(c.compare, at, c.end, *compared, *boolType())) return values;
    values.push_back(at);
    if (values.size() > most) return std::nullopt;
    const auto next = exactly(BinaryOp::Add, at, c.step);
    if (!next) return std::nullopt;
    // Unsigned counters may reach what they are compared with by wrapping, one by one.
    const bool mayWrap = !c.type->isSigned && c.compare == BinaryOp::Ne && (c.step == 1 || c.step == -1);
    if (!fits(*next, *c.type) && !mayWrap) return std::nullopt;
    at = wrapped(static_cast<uint64_t>(*next), *c.type);
  }
}

For loopOf(const CountCase& c, const VarPtr& var, const VarPtr& begin, const VarPtr& end, bool isLiteral) {
  const TypePtr compared = promoted(c.type);
  For loop;
  loop.init = {makeStmt(Declare{var, isLiteral ? intLit(c.begin, c.type) : ref(begin)})};
  loop.cond = makeExpr(boolType(), Binary{c.compare, convert(ref(var), compared),
                                          isLiteral ? intLit(c.end, compared) : ref(end)});
  const bool subtracts = c.step < 0;
  loop.step = {makeStmt(Assign{ref(var), subtracts ? BinaryOp::Sub : BinaryOp::Add,
                               intLit(subtracts ? -c.step : c.step, compared)})};
  loop.body = block({});
  return loop;
}

void expectCounts(const CountCase& c) {
  const auto values = walked(c, 300);
  if (!values) return;  // endless, or what C says nothing of
  for (bool isLiteral : {false, true}) {
    SCOPED_TRACE(testing::Message() << str(*c.type) << " from " << c.begin << " " << spelling(c.compare)
                                    << " " << c.end << " by " << c.step << (isLiteral ? " literal" : ""));
    VarPtr var = local("i", c.type), begin = local("b", c.type), end = local("e", promoted(c.type));
    const auto count = loopCount(loopOf(c, var, begin, end, isLiteral));
    if (!count) {
      const bool up = c.compare == BinaryOp::Lt || c.compare == BinaryOp::Le;
      EXPECT_TRUE(c.compare != BinaryOp::Ne && up != (c.step > 0));
      continue;
    }
    std::optional<int64_t> number;
    VarPtr trip = local("k", tripsOf(*count)->type);
    const KnownIntegers known = [&](const ExprPtr& e) -> std::optional<int64_t> {
      const auto* v = as<VarRef>(e);
      if (!v) return std::nullopt;
      if (v->var == begin) return c.begin;
      if (v->var == end) return c.end;
      if (v->var == trip) return number;
      return std::nullopt;
    };
    const auto trips = integerValue(tripsOf(*count), known);
    ASSERT_TRUE(trips);
    EXPECT_EQ(static_cast<size_t>(std::max<int64_t>(*trips, 0)), values->size());
    for (size_t k = 0; k < values->size(); ++k) {
      number = static_cast<int64_t>(k);
      EXPECT_EQ(integerValue(counterIn(*count, count->begin, ref(trip)), known), std::optional((*values)[k]));
    }
  }
}

TEST(LoopCount, SmallBoundsOfAllTypes) {
  for (unsigned bits : {8u, 16u, 32u, 64u})
    for (bool isSigned : {false, true})
      for (BinaryOp compare : {BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge, BinaryOp::Ne})
        for (int64_t step : {1, 2, 3, 7, -1, -2, -5})
          for (int64_t begin : {0, 1, 3, 10})
            for (int64_t end : {0, 1, 2, 9, 10, 17})
              expectCounts({intType(bits, isSigned), begin, end, compare, step});
}

TEST(LoopCount, EndsOfTheTypes) {
  for (unsigned bits : {8u, 16u, 32u, 64u}) {
    const int64_t most = bits == 64 ? INT64_MAX : (int64_t{1} << (bits - 1)) - 1;
    const TypePtr type = intType(bits, true);
    for (int64_t step : {1, 2, 3, -1, -2, -3})
      for (int64_t distance : {0, 1, 2, 5, 9})
        for (BinaryOp compare : {BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge, BinaryOp::Ne}) {
          expectCounts({type, most - distance, most, compare, step});
          expectCounts({type, most, most - distance, compare, step});
          expectCounts({type, -most - 1, -most - 1 + distance, compare, step});
          expectCounts({type, -most - 1 + distance, -most - 1, compare, step});
        }
  }
  const TypePtr type = uint32();
  for (int64_t distance : {0, 1, 2, 5, 9})
    for (BinaryOp compare : {BinaryOp::Lt, BinaryOp::Le, BinaryOp::Gt, BinaryOp::Ge, BinaryOp::Ne})
      for (int64_t step : {1, 2, -1, -2}) {
        expectCounts({type, UINT32_MAX - distance, UINT32_MAX, compare, step});
        expectCounts({type, UINT32_MAX, UINT32_MAX - distance, compare, step});
      }
}

TEST(LoopCount, SaysWhatStandsAgainst) {
  VarPtr var = local("i", int32()), n = local("n", int32());
  std::string why;
  For loop;
  loop.init = {makeStmt(Declare{var, intLit(0)})};
  loop.cond = binary(BinaryOp::Lt, ref(var), ref(n));
  loop.step = {makeStmt(Assign{ref(var), BinaryOp::Mul, intLit(2)})};
  loop.body = block({});
  EXPECT_FALSE(loopCount(loop, &why));
  EXPECT_EQ(why, "the loop does not add to its counter at the end of an iteration");
  loop.step = {makeStmt(Assign{ref(var), BinaryOp::Sub, intLit(1)})};
  EXPECT_FALSE(loopCount(loop, &why));
  EXPECT_EQ(why, "the loop's counter moves away from its bound");
  loop.step = {makeStmt(Assign{ref(var), BinaryOp::Add, intLit(0)})};
  EXPECT_FALSE(loopCount(loop, &why));
  EXPECT_EQ(why, "the loop's counter does not move");
  loop.step = {makeStmt(Assign{ref(var), BinaryOp::Add, ref(var)})};
  EXPECT_FALSE(loopCount(loop, &why));
  EXPECT_EQ(why, "the loop's step hangs on its counter");
  loop.step = {makeStmt(Assign{ref(var), BinaryOp::Add, intLit(1)})};
  loop.cond = binary(BinaryOp::Eq, ref(var), ref(n));
  EXPECT_FALSE(loopCount(loop, &why));
  EXPECT_EQ(why, "the loop's condition does not compare its counter");
  loop.cond = nullptr;
  EXPECT_FALSE(loopCount(loop, &why));
  EXPECT_EQ(why, "the loop has no condition");
}

}  // namespace
}  // namespace hone::acc
