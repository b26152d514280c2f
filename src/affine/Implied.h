// Conditions taken apart, and what their comparisons make sure of, as far as ranges can tell.
#pragma once

#include "affine/Atoms.h"

namespace hone::affine {

// What must hold one by one for all of a condition to hold: the parts of an And, else the condition itself;
// none for always() and null.
std::vector<CondPtr> conjuncts(const CondPtr& cond);

// Whether a value is at least 0 wherever a condition holds: it says v >= 0, and the value is never less than
// v.
bool makesSure(const Atoms& atoms, const CondPtr& known, const Poly& value);
// The same of one among several that all hold.
bool makesSure(const Atoms& atoms, const std::vector<CondPtr>& known, const Poly& value);

// The same condition without comparisons that another of its comparisons makes sure of.
CondPtr withoutImplied(const Atoms& atoms, const CondPtr& cond);

}  // namespace hone::affine
