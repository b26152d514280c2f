#include "ir/SourceOrder.h"

#include <gtest/gtest.h>

#include <array>

namespace hone::ir {
namespace {

// Elements of one array, so that the order of addresses is known, and another than that of the source.
TEST(SourceOrder, ComesBeforeThatOfAddresses) {
  std::array<Variable, 4> all;
  all[0].name = "b", all[0].loc.line = 7, all[0].loc.column = 3;
  all[1].name = "a", all[1].loc.line = 7, all[1].loc.column = 3;
  all[2].name = "y", all[2].loc.line = 7, all[2].loc.column = 1;
  all[3].name = "z", all[3].loc.line = 2, all[3].loc.column = 9;
  std::string names;
  for (const Variable* v : inSourceOrder({&all[0], &all[1], &all[2], &all[3]})) names += v->name;
  EXPECT_EQ(names, "zyab");
}

TEST(SourceOrder, KeepsVariablesApartThatLookAlike) {
  std::array<Variable, 2> twins;
  const OrderedVariables both = inSourceOrder({&twins[0], &twins[1]});
  EXPECT_EQ(both.size(), 2u);
  EXPECT_TRUE(both.contains(&twins[1]));
}

}  // namespace
}  // namespace hone::ir
