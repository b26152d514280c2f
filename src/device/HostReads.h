// What host code declares and merely reads, as its text (HostScan) shows beyond doubt.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "device/SizeExpr.h"

namespace hone::device {

// A variable where it is declared, alone or in a list.
struct DeclaredText {
  std::string type;  // "int", "unsigned int", "dim3", without const and the like
  bool isConst = false, isConstexpr = false, isStatic = false;
  bool isOther = false;      // a reference, a pointer, volatile, extern
  bool hasValue = false;     // an initializer
  bool isKnownType = false;  // of a number or a dim3
};

std::optional<DeclaredText> declaredAt(const std::string& text, size_t at, const std::string& name);
// A name in `auto [a, b]`.
bool isBindingAt(const std::string& text, size_t at);
// What is left of a number that is kept in a variable of this type.
Number keptIn(const std::string& type, const Number& number);

// Whether a place is in a lambda that what stands at `from` is not in.
bool isInLambda(const std::string& text, size_t from, size_t at);
// Whether the innermost block around a place is a class, or one of a switch.
bool isInClass(const std::string& text, size_t at);
bool isInSwitch(const std::string& text, size_t at);
// Whether a statement begins there, in a block.
bool isStatementAt(const std::string& text, size_t at);
bool isInDirective(const std::string& text, size_t at);
// Where the innermost block around a place begins; npos: it is in none.
size_t blockAround(const std::string& text, size_t at);

// Whether nothing can happen to the variable in this place. `texts` have the functions that may get it;
// `mayReturn`: what is returned is a copy.
bool isPlainRead(const std::string& text, size_t at, const std::string& name,
                 const std::vector<const std::string*>& texts, bool mayReturn);

}  // namespace hone::device
