#include "ir/Stmt.h"

#include "ir/Kernel.h"

namespace hone::ir {

StmtPtr makeStmt(Stmt::Node node, SourceLoc loc) {
  return std::make_shared<Stmt>(Stmt{std::move(node), loc});
}

StmtPtr block(StmtList stmts, SourceLoc loc) { return makeStmt(Block{std::move(stmts)}, loc); }

ExprPtr namedValue(const Stmt& s) {
  const auto* d = s.as<Declare>();
  if (!d || !d->init || !d->var->isConstexpr || d->var->space != Space::Private) return nullptr;
  const TypePtr& type = d->var->type;
  if (type->isInteger()) {
    auto value = constantValue(d->init);
    return value ? intLit(*value, type, s.loc) : nullptr;
  }
  return type->isFloating() && d->init->is<FloatLiteral>() && sameType(d->init->type, type) ? d->init
                                                                                            : nullptr;
}

std::string textOf(const Comment& comment, const std::function<std::string(const ConstantRole&)>& name) {
  std::string text = comment.text;
  size_t at = 0;
  for (const ConstantRole& role : comment.roles) {
    at = text.find("{}", at);
    if (at == std::string::npos) break;
    const std::string printed = name(role);
    text.replace(at, 2, printed);
    at += printed.size();
  }
  return text;
}

StmtPtr assign(ExprPtr place, ExprPtr value, SourceLoc loc) {
  value = convert(std::move(value), place->type);
  return makeStmt(Assign{std::move(place), std::nullopt, std::move(value), false}, loc);
}

}  // namespace hone::ir
