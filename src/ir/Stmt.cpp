#include "ir/Stmt.h"

namespace hone::ir {

StmtPtr makeStmt(Stmt::Node node, SourceLoc loc) { return std::make_shared<Stmt>(Stmt{std::move(node), loc}); }

StmtPtr block(StmtList stmts, SourceLoc loc) { return makeStmt(Block{std::move(stmts)}, loc); }

StmtPtr assign(ExprPtr place, ExprPtr value, SourceLoc loc) {
  value = convert(std::move(value), place->type);
  return makeStmt(Assign{std::move(place), std::nullopt, std::move(value), false}, loc);
}

}  // namespace hone::ir
