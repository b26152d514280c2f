// What a host function does with its local variables, and which expressions of the host keep their values.
#pragma once

#include <set>
#include <string>
#include <vector>

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace hone::frontend {

struct VariableUse {
  enum Kind {
    Read,
    Written,    // assigned, incremented
    Swapped,    // by std::swap
    Allocated,  // its address handed to cudaMalloc or one of its kin
    Other       // its address taken, a reference bound, captured
  };
  Kind kind = Other;
  const clang::DeclRefExpr* ref = nullptr;
  const clang::CallExpr* call = nullptr;  ///< whose argument it is as it stands; null: it is none
};

/// All uses of a variable in a function's body, sizeof and its like left out.
std::vector<VariableUse> variableUses(const clang::FunctionDecl& fn, const clang::VarDecl& var);

/// Whether a pointer is a local variable that one cudaMalloc before the loop sets and that nothing before or
/// in the loop copies: there it is handed to launches and to functions that copy or set memory, and exchanged
/// by the loop.
bool isScratch(const clang::FunctionDecl& fn, const clang::VarDecl& var, const clang::Stmt& loop);
/// Whether all that is done with a variable behind the loop is to free what it points to.
bool onlyFreedAfter(const clang::FunctionDecl& fn, const clang::VarDecl& var, const clang::Stmt& loop);

/// Variables that a statement declares or assigns to.
std::set<const clang::VarDecl*> variablesSet(const clang::Stmt& s);

bool mentions(const clang::Stmt& s, const std::set<const clang::VarDecl*>& variables);
bool mentionsNames(const clang::Stmt& s, const std::set<std::string>& names);

/// Computing it again between launches does nothing and gives the same as long as its variables do not
/// change: arithmetic and a few known functions on values that no launch can write to. Nothing behind a
/// pointer is such a value, nor what is declared __managed__.
bool isFixed(const clang::Expr& e);

}  // namespace hone::frontend
