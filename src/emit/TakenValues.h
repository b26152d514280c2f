// What must hold of a build for a result to be what it was made from.
#pragma once

#include <set>

#include "emit/Emit.h"

namespace hone::emit {

// Values of macros, constants and types that a result relies on beyond the places where their names still
// stand: other builds, or an edit, may give them others.
struct TakenValues {
  std::string directive;  // for #if: "NX == 512"; empty: nothing
  std::string code;       // a constant expression for the rest; empty: nothing
  bool mayVary = false;   // builds of the same text may differ in what `code` says

  // "static_assert(W == 64, …);" for `code`.
  std::string assertion(ir::Language language) const;
};

// `macros` are those in force there. Extents of arrays are asked for by their text, where names are kept.
TakenValues takenValues(const ir::Kernel& original, const std::set<std::string>& macros,
                        const EmitOptions& options);

// emitBody with `opening` printed first, as it is.
EmitResult emitBodyAfter(const std::string& opening, const ir::Kernel& kernel, const EmitOptions& options);

}  // namespace hone::emit
