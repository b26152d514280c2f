// Which numbers two plans are compared with besides those of the case.
#pragma once

#include "device/Case.h"
#include "ir/Plan.h"

namespace hone::device {

using NumberSet = std::map<std::string, int64_t>;  // by path

// Sizes to try besides those of the case: one, many where there is one size, multiples of the block, the same
// for all and different ones, and one more, primes, each different for each name and in the order of the
// case, and one dimension at a time as small as can be. Sizes that the user gave are not exceeded.
std::vector<NumberSet> sizeSets(const CaseMaker& maker, const Case& base);

// Values of parameters for which a plan has launches of their own: `if (p == 1)` without an else.
std::vector<NumberSet> specialValues(const ir::Plan& plan);

// Values at the ends of what the types of whole numbers hold, one parameter at a time, then all of a type.
std::vector<NumberSet> extremeSets(const Case& c);

// Temporaries as long as extreme numbers say would fill the memory.
bool hasBuffers(const ir::Plan& plan);

using ArrayPair = std::pair<std::string, std::string>;  // in the order of their names

// Pairs of arrays of which the plan tests before a launch whether they overlap.
std::vector<ArrayPair> pairsTold(const ir::Plan& plan);
// Pairs that the caller may let overlap: one at least is written, nothing is promised of either, and their
// elements are of one type.
std::vector<ArrayPair> pairsOfOriginal(const Case& c);

// Values of parameters that are no sizes, where the kernel compares them with constants or branches on them.
std::vector<NumberSet> decidingSets(const CaseMaker& maker, const Case& base);

// Sizes that nobody gave, several times as large as those of the case: all of them, then one at a time.
// `special` are numbers that a plan has launches for; all sizes are tried with these too.
std::vector<NumberSet> largerSets(const CaseMaker& maker, const Case& base,
                                  const std::vector<NumberSet>& special);

}  // namespace hone::device
