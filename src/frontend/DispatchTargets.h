// What a call may lead to that names no function: overriders of virtual functions, and functions whose
// address is taken. Only src/frontend includes this.
#pragma once

#include <functional>
#include <vector>

#include "clang/AST/DeclCXX.h"

namespace hone::frontend {

/// What stands for a function or a class in memory of the device: the same number in every build of the file.
uint64_t dispatchId(const clang::NamedDecl& decl);

/// Whether objects of the class begin with a number that tells their class, which no base has.
bool hasOwnClassId(const clang::RecordDecl& record);

/// Why the classes of objects of this class cannot be told apart; empty where they can.
std::string obstacleToDispatch(const clang::CXXRecordDecl& record);

class DispatchTargets {
 public:
  DispatchTargets(clang::ASTContext& ast, const std::function<bool(clang::SourceLocation)>& isUserCode);

  /// Classes that objects behind a pointer to this one may have, in order of the text.
  std::vector<const clang::CXXRecordDecl*> objectsOf(const clang::CXXRecordDecl& base) const;
  /// Functions of this type whose address some code of the file takes, in order of the text.
  std::vector<const clang::FunctionDecl*> functionsOf(clang::QualType type) const;

 private:
  clang::ASTContext& ast;
  std::vector<const clang::CXXRecordDecl*> classes;
  std::vector<const clang::FunctionDecl*> functions;
};

}  // namespace hone::frontend
