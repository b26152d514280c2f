// Constants as Clang evaluates them, and small helpers on values shared by the importer's files.
#pragma once

#include <optional>
#include <string>

#include "clang/AST/Expr.h"
#include "clang/AST/OperationKinds.h"
#include "ir/Expr.h"

namespace hone::frontend {

/// A literal of the expression's value with the given name, or null when it is no arithmetic constant.
ir::ExprPtr constantLiteral(const clang::Expr& e, clang::ASTContext& ast, ir::TypePtr type, ir::SourceLoc loc,
                            std::string name);
/// A value Clang evaluated, as literals and their lists; null when it holds an address or something else the
/// IR has no constant for.
ir::ExprPtr constantFrom(const clang::APValue& value, const ir::TypePtr& type, ir::SourceLoc loc);
std::optional<int64_t> constantInt(const clang::Expr& e, clang::ASTContext& ast);
double toDouble(llvm::APFloat value);
int64_t asInt64(const llvm::APSInt& value);  ///< the low 64 bits, so that 2^63 and above become negative
uint64_t truncated(int64_t value, const ir::Type& type);  ///< to the type's width, as IntLiteral keeps it
/// -n as a pointer offset, right for unsigned n too.
ir::ExprPtr negatedIndex(const ir::ExprPtr& n);
inline bool isScalarNumber(clang::QualType t) { return t->isArithmeticType() || t->isEnumeralType(); }
std::optional<ir::BinaryOp> binaryOp(clang::BinaryOperatorKind kind);
ir::Space spaceOfPlace(const ir::ExprPtr& place);

}  // namespace hone::frontend
