#include "acc/VariableUse.h"

#include <gtest/gtest.h>

#include "ir/Build.h"

namespace hone::acc {
namespace {

using namespace ir;

class VariableUseTest : public testing::Test {
 protected:
  static VarPtr make(const std::string& name) {
    auto var = std::make_shared<Variable>();
    var->name = name;
    var->type = int32();
    return var;
  }
  StmtPtr set() const { return assign(ref(t), intLit(1)); }
  StmtPtr use() const { return assign(ref(x), ref(t)); }
  StmtPtr loop(StmtList body) const {
    return countingLoop({.var = make("i"), .end = intLit(8), .body = block(std::move(body))});
  }
  static StmtPtr when(const ExprPtr& cond, StmtList then, StmtPtr otherwise = nullptr) {
    return makeStmt(If{cond, block(std::move(then)), std::move(otherwise)});
  }
  bool exposed(const StmtPtr& s) const { return useOf(s, *t).exposed; }
  bool definite(const StmtPtr& s) const { return useOf(s, *t).definite; }

  VarPtr t = make("t"), x = make("x"), c = make("c");
  ExprPtr cond = binary(BinaryOp::Gt, ref(c), intLit(0));
};

TEST_F(VariableUseTest, ValueBeforeItIsRead) {
  EXPECT_FALSE(exposed(block({set(), use()})));
  EXPECT_TRUE(exposed(block({use(), set()})));
  EXPECT_TRUE(exposed(block({when(cond, {set()}), use()})));
  EXPECT_FALSE(exposed(block({when(cond, {set()}, block({set()})), use()})));
  EXPECT_TRUE(exposed(block({loop({set()}), use()})));  // it may have no iteration
  EXPECT_TRUE(exposed(makeStmt(Assign{ref(t), BinaryOp::Add, intLit(1)})));
  EXPECT_TRUE(definite(block({set()})));
  EXPECT_FALSE(definite(block({when(cond, {makeStmt(Continue{})}), set()})));
}

TEST_F(VariableUseTest, ReadBehindALoop) {
  const StmtPtr inner = loop({set()});
  EXPECT_FALSE(isReadBehind(block({inner}), *inner, *t));
  EXPECT_TRUE(isReadBehind(block({inner, use()}), *inner, *t));
  EXPECT_FALSE(isReadBehind(block({inner, set(), use()}), *inner, *t));
  EXPECT_FALSE(isReadBehind(block({use(), inner}), *inner, *t));
  // The next iteration of a loop around it reads it.
  EXPECT_TRUE(isReadBehind(block({loop({use(), inner})}), *inner, *t));
  EXPECT_FALSE(isReadBehind(block({loop({set(), use(), inner})}), *inner, *t));
  EXPECT_TRUE(
      isReadBehind(block({loop({inner, when(cond, {makeStmt(Break{})}), set()}), use()}), *inner, *t));
}

}  // namespace
}  // namespace hone::acc
