// Names of variables in printed text: those of the source, with a number added where they would clash, hide
// something that is used in their scope, or mean something else in the target language. What passes add has
// the name it was meant to have wherever nothing else in sight does.
#pragma once

#include <map>
#include <set>
#include <string>

#include "ir/Kernel.h"

namespace hone::emit {

class Names {
 public:
  explicit Names(ir::Language target) : language(target) {}

  // Words that variables must not take: functions, macros, types and globals named in the text around them.
  void reserve(const std::string& text);  // every identifier in it
  bool isReserved(const std::string& name) const;
  bool allReservedIn(const std::set<std::string>& names) const;

  // Chooses names for the parameters and for everything declared in the body. Fixed parameters keep theirs.
  void choose(const std::vector<ir::VarPtr>& params, bool paramsFixed, const ir::StmtPtr& body);

  void set(const ir::Variable& var, std::string name) { chosen[&var] = std::move(name); }
  // The chosen name; a variable nobody declared keeps its own.
  std::string of(const ir::Variable& var) const;
  // A name like `wanted` that nothing in the text has.
  std::string fresh(const std::string& wanted);

 private:
  struct Scope;
  void chooseIn(const ir::StmtList& stmts, Scope& scope);
  void declare(const ir::VarPtr& var, Scope& scope, bool fixed);
  bool mayHaveWanted(const ir::Variable& var, const Scope& scope) const;
  void visit(const ir::StmtPtr& stmt, Scope& scope);

  ir::Language language;
  std::set<std::string> reserved, taken;
  std::set<std::string> mentioned;  // words of comments
  std::map<const ir::Variable*, std::string> chosen;
};

// A keyword, built-in type or macro of the language: never a name for a variable, function or field.
bool isWordOf(ir::Language language, const std::string& name);

// "ns::Pair<int, 4>" as one identifier: "ns_Pair_int_4".
std::string asIdentifier(const std::string& text);

}  // namespace hone::emit
