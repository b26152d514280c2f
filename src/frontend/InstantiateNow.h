// Asks Sema for the body of a template's instantiation that the file refers to but that Clang had no need to
// make.
#pragma once

#include "clang/AST/Decl.h"

namespace clang {
class Sema;
}

namespace hone::frontend {

void instantiateNow(clang::Sema& sema, const clang::FunctionDecl& decl, clang::SourceLocation at);

}  // namespace hone::frontend
