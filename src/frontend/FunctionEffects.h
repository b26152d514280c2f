// What functions can change, by their text: whether a const reference may be passed as a value. Only
// src/frontend includes this.
#pragma once

#include <cstdint>
#include <functional>
#include <map>

#include "clang/AST/Decl.h"

namespace hone::frontend {

/// From the least to the most. `Given`: through references and pointers that it is given, its object
/// included.
enum class Changes : uint8_t { OwnVariables, Given, Anything };

class FunctionEffects {
 public:
  explicit FunctionEffects(std::function<bool(clang::SourceLocation)> isUserCode)
      : isUserCode(std::move(isUserCode)) {}

  /// Addresses taken, objects seen as another class, barriers and what is not known count as changes of
  /// anything.
  Changes of(const clang::FunctionDecl& fn);

  /// Whether what its const references refer to stays as it is while the function runs, and is not told apart
  /// from a copy.
  bool takesCopies(const clang::FunctionDecl& fn);

 private:
  Changes byText(const clang::FunctionDecl& definition);
  const std::function<bool(clang::SourceLocation)> isUserCode;
  std::map<const clang::FunctionDecl*, Changes> known;
};

}  // namespace hone::frontend
