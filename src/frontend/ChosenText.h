// Conditions of #if that chose what a kernel is in this build. New text stands behind the kernel or in its
// place, asks for the same conditions there, and leaves other builds the original.
#pragma once

#include <string>
#include <vector>

#include "frontend/Directives.h"
#include "frontend/Importer.h"

namespace hone::frontend {

class ChosenText {
 public:
  /// For a kernel with this body: new text asks behind its `{` or its `}`.
  ChosenText(UnitImporter& unit, Directives& directives, clang::SourceRange body);

  /// Adds to `around` and to terms() what these choices rely on beyond it. Throws a Refusal where a test at
  /// the kernel may answer otherwise. `where`: what the #if stands in, or what it chooses.
  void require(const std::vector<Choice>& choices, const std::string& where, std::set<std::string>& around);

  /// Operands of && in a #if.
  const std::vector<std::string>& terms() const { return found; }

 private:
  UnitImporter& unit;
  Directives& directives;
  clang::SourceRange body;
  std::vector<std::string> found;
};

}  // namespace hone::frontend
