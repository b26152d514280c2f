#include "frontend/NameExpressions.h"

#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/Mangle.h"

namespace hone::frontend {

using namespace clang;

namespace {

constexpr const char* prefix = "hone_name_expression_";

/// What stands under casts, parentheses and `&`.
const NamedDecl* namedBy(const Expr* e) {
  while (e) {
    e = e->IgnoreParenCasts();
    if (const auto* cleanups = dyn_cast<ExprWithCleanups>(e))
      e = cleanups->getSubExpr();
    else if (const auto* held = dyn_cast<MaterializeTemporaryExpr>(e))
      e = held->getSubExpr();
    else if (const auto* unary = dyn_cast<UnaryOperator>(e); unary && unary->getOpcode() == UO_AddrOf)
      e = unary->getSubExpr();
    else
      break;
  }
  const auto* named = dyn_cast_or_null<DeclRefExpr>(e);
  return named && isa<FunctionDecl, VarDecl>(named->getDecl()) ? named->getDecl() : nullptr;
}

}  // namespace

std::string nameExpressionText(const std::vector<std::string>& expressions) {
  std::string out;
  for (size_t k = 0; k < expressions.size(); ++k) {
    std::string text = expressions[k];
    std::replace(text.begin(), text.end(), '\n', ' ');
    // A reference takes functions, their addresses and variables of any type alike.
    out += "[[maybe_unused]] static auto&& " + (prefix + std::to_string(k)) + " = (" + text + ");\n";
  }
  return out;
}

std::vector<std::string> namedInObjects(const ParsedSource& source, size_t expressions) {
  std::vector<std::string> out(expressions);
  if (source.hasErrors()) return out;
  ASTNameGenerator names(source.ast());
  for (const Decl* d : source.declarations()) {
    const auto* var = dyn_cast<VarDecl>(d);
    if (!var || !var->getName().starts_with(prefix) || !var->getInit()) continue;
    size_t k = 0;
    if (var->getName().substr(StringRef(prefix).size()).getAsInteger(10, k) || k >= expressions) continue;
    if (const NamedDecl* named = namedBy(var->getInit())) out[k] = names.getName(named);
  }
  return out;
}

}  // namespace hone::frontend
