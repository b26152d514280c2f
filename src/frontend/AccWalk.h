// Walks over statements with OpenACC in them; for the files behind AccReader.
#pragma once

#include <functional>

#include "clang/AST/StmtOpenACC.h"

namespace hone::frontend {

/// The statement that a construct applies to; null: it is a directive by itself.
const clang::Stmt* statementOf(const clang::OpenACCConstructStmt& construct);

/// Calls `visit` with the statement and all below it, lambdas' bodies and constructs' statements included, in
/// source order.
void forEachStatement(const clang::Stmt* s, const std::function<void(const clang::Stmt&)>& visit);

/// All functions with a body and all OpenACC declarations of user files, those in classes, namespaces,
/// templates (the pattern and what is instantiated) and function bodies included.
void forEachAccDecl(const clang::DeclContext& context, const std::function<void(const clang::Decl&)>& visit);

/// Whether a function, or one around it, is an instantiation of a template, so that its text is others', too.
bool isInstance(const clang::FunctionDecl& fn);

}  // namespace hone::frontend
