// Functions in the text of host code (HostScan): whose parameter a name is, and what calls hand over.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace hone::device {

// A name as a parameter of the function around a place.
struct ParameterText {
  std::string function;  // without its class; empty: a lambda
  size_t head = 0;       // where its parameters begin
  size_t nth = 0, count = 0;
  std::string otherwise = {};  // the value it has where a call gives none; empty: every call does
};

std::optional<ParameterText> parameterAt(const std::string& text, size_t at, const std::string& name);

struct CallText {
  size_t at = 0;
  std::vector<std::string> args = {};
};

// Calls of a function by this name, of members too; declarations and launches are none.
std::vector<CallText> callsOf(const std::string& text, const std::string& function);

// Like splitArguments, but what stands between < and > of templates is not split: for declarations.
std::vector<std::string> splitDeclared(const std::string& text);
// The name that a declarator such as `const int* a[4] = {}` declares; empty: none.
std::string declaredName(const std::string& declarator);
// What stands behind `=`, or in braces, of a declarator; empty: nothing.
std::string declaredValue(const std::string& declarator);
// The place of the bracket that the one at `close` closes; npos when there is none.
size_t opening(const std::string& text, size_t close);
// The place behind the > of template arguments that begin at `open`; `open` when there are none.
size_t skipTemplateArguments(const std::string& text, size_t open);
// A name or members of one: `p`, `p.n`, `p->n`, with blanks at most around.
bool isPath(const std::string& text);

}  // namespace hone::device
