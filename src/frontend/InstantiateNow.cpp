#include "frontend/InstantiateNow.h"

#include "clang/Sema/Sema.h"

namespace hone::frontend {

void instantiateNow(clang::Sema& sema, const clang::FunctionDecl& decl, clang::SourceLocation at) {
  if (!decl.isImplicitlyInstantiable() || decl.isInvalidDecl()) return;
  sema.InstantiateFunctionDefinition(at, const_cast<clang::FunctionDecl*>(&decl), /*Recursive=*/true,
                                     /*DefinitionRequired=*/false,
                                     /*AtEndOfTU=*/true);
}

}  // namespace hone::frontend
