// Tests before a launch as a person would write them.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "ir/Kernel.h"

namespace hone::emit {

// What they are about: that the launch has a thread for all there is to do, in the shape that is wanted; that
// arrays share no memory; that they begin at multiples of something; that numbers are neither too large nor
// too small; that the sizes are such that the fast code is faster.
constexpr std::array<const char*, 5> kTestNames = {"covered", "apart", "aligned", "in_range", "pays"};
constexpr size_t kInRange = 3, kPays = 4;

// The tests that && joins, each once.
std::vector<ir::ExprPtr> distinctTests(const ir::ExprPtr& condition);

// Which of these one test is; an index.
size_t kindOfTest(const ir::ExprPtr& test);

// The same test without the widening that C does by itself, and with numbers on the right.
ir::ExprPtr shortTest(const ir::ExprPtr& test);

// For people: "`n >= 4` (in_range)", with the name that the launch function gives to tests of the kind.
std::string testText(const ir::ExprPtr& test, ir::Language language);

}  // namespace hone::emit
