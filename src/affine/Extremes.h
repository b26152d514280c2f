// The ends of sets. Variants of a kernel ask for the same ones again and again, each in a context of its own,
// so answers are kept for the whole process, by what was asked.
#pragma once

#include <isl/cpp.h>

#include <cstdint>
#include <optional>

namespace hone::affine {

// The least and greatest value of one dimension of a set, as a function of its parameters; nothing when
// unbounded, or when it takes more work than one question may.
std::optional<isl::pw_aff> leastOf(const isl::set& s, unsigned dimension);
std::optional<isl::pw_aff> greatestOf(const isl::set& s, unsigned dimension);

// What a function of several pieces is of the functions of its pieces, everywhere in its domain.
enum class PieceChoice : uint8_t { Minimum, Maximum, Neither };
PieceChoice choiceOf(const isl::pw_aff& f);

// For tests: how many answers are kept.
size_t keptExtremes();

}  // namespace hone::affine
