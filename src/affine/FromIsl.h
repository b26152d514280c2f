// What isl answers, as polynomials and in words.
#pragma once

#include "affine/Relation.h"

namespace hone::affine {

// A function of parameters as a polynomial over the atoms behind them; a minimum or maximum of two becomes a
// choice. `tuple` says what the dimensions of its domain stand for, if it has any. Nothing when it has more
// pieces than that or a parameter without a meaning.
std::optional<Poly> polyOf(const isl::pw_aff& f, const Relations& relations,
                           const std::vector<Poly>& tuple = {});
// A set as a condition on its parameters and on its tuple, whose dimensions stand for the polynomials given.
// Nothing when it has more than `most` pieces or a parameter without a meaning.
std::optional<CondPtr> condOf(const isl::set& s, const Relations& relations, const std::vector<Poly>& tuple,
                              size_t most = 4);
// As a person would write it, "min(16*blockIdx.x + 15, w - 1)" included.
std::string textOf(const isl::pw_aff& f, const Relations& relations);

// The least and greatest value of one dimension of a set, as a function of its parameters; nothing when
// unbounded.
std::optional<isl::pw_aff> leastOf(const isl::set& s, unsigned dimension);
std::optional<isl::pw_aff> greatestOf(const isl::set& s, unsigned dimension);

// The number that a set's dimension has or all values it takes, when there are at most `most` of them
// whatever the parameters are.
std::optional<std::vector<int64_t>> valuesOf(const isl::set& s, unsigned dimension, size_t most);

}  // namespace hone::affine
