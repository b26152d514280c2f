// Names that passes had before are still read.
#include <gtest/gtest.h>

#include "ir/Error.h"
#include "passes/recipe/ParseRecipe.h"

namespace hone::passes {
namespace {

struct Read {
  std::string recipe;
  std::vector<std::string> notes;
};

Read readOld(const char* text) {
  Read out;
  const Recipe read = parseRecipe(text, &out.notes);
  out.recipe = str(read);
  return out;
}

TEST(OldNames, BecomeThoseOfToday) {
  const Read read = readOld(
      "exchange-ids(axes=xy) steps(count=3) join-steps exchange-stores(wide=4) keep(rounds=8, order=push)");
  EXPECT_EQ(read.recipe,
            "swap-axes(axes=xy) unroll-host-loop(count=3) fuse-launches coalesce-stores(wide=4) "
            "forward-stores(iterations=8, order=push)");
  const std::vector<std::string> notes = {"the pass 'exchange-ids' is called 'swap-axes' now",
                                          "the pass 'steps' is called 'unroll-host-loop' now",
                                          "the pass 'join-steps' is called 'fuse-launches' now",
                                          "the pass 'exchange-stores' is called 'coalesce-stores' now",
                                          "the pass 'keep' is called 'forward-stores' now",
                                          "'rounds' of forward-stores is called 'iterations' now"};
  EXPECT_EQ(read.notes, notes);
}

TEST(OldNames, NewNamesHaveNoNotes) {
  const Read read =
      readOld("swap-axes unroll-host-loop fuse-launches coalesce-stores forward-stores(iterations=8)");
  EXPECT_EQ(read.recipe,
            "swap-axes unroll-host-loop fuse-launches coalesce-stores forward-stores(iterations=8)");
  EXPECT_TRUE(read.notes.empty());
}

TEST(OldNames, AreThoseOfTheirPassAlone) {
  EXPECT_THROW(parseRecipe("unroll(rounds=4)"), Error);
  EXPECT_THROW(parseRecipe("forward-stores(turns=4)"), Error);
}

// Without somebody to tell them, as where stores are read.
TEST(OldNames, AreReadWithoutNotesToo) { EXPECT_EQ(str(parseRecipe("keep")), "forward-stores"); }

}  // namespace
}  // namespace hone::passes
