// Assignments and increments inside expressions, turned into statements before (or after) the one that
// contains them.
#include <set>

#include "clang/AST/ASTContext.h"
#include "frontend/ConstantValues.h"
#include "frontend/Importer.h"
#include "ir/Walk.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

unsigned mentions(const Stmt* s, const ValueDecl* decl) {
  if (!s) return 0;
  unsigned n = 0;
  if (const auto* r = dyn_cast<DeclRefExpr>(s)) n += r->getDecl() == decl;
  for (const Stmt* child : s->children()) n += mentions(child, decl);
  return n;
}

// Whether running `effects` could change what `v` evaluates to.
bool mayChange(const ir::StmtList& effects, const ir::ExprPtr& v) {
  std::set<const ir::Variable*> reads;
  bool readsMemory = false;
  ir::walkExprs(v, [&](const ir::Expr& e) {
    if (const auto* r = e.as<ir::VarRef>(); r && !r->var->isConst) reads.insert(r->var.get());
    readsMemory = readsMemory || e.is<ir::Subscript>() || e.is<ir::Call>();
  });
  bool found = false;
  auto hasCall = [](const ir::ExprPtr& e) {
    bool call = false;
    if (e) ir::walkExprs(e, [&](const ir::Expr& x) { call = call || x.is<ir::Call>(); });
    return call;
  };
  for (const ir::StmtPtr& effect : effects)
    ir::walkStmts(effect, [&](const ir::Stmt& s) {
      if (const auto* a = s.as<ir::Assign>()) {
        const ir::VarPtr root = ir::rootVariable(a->place);
        found = found || (a->place->is<ir::VarRef>() ? reads.contains(root.get()) != 0
                                                     : readsMemory || reads.contains(root.get()));
        found = found || hasCall(a->value);
      } else if (const auto* d = s.as<ir::Declare>()) {
        found = found || hasCall(d->init);
      } else if (!s.is<ir::Block>() && !s.is<ir::If>()) {
        found = true;
      }
    });
  return found && (readsMemory || !reads.empty());
}

bool isSimple(const ir::ExprPtr& v) {
  if (v->is<ir::IntLiteral>() || v->is<ir::FloatLiteral>() || v->is<ir::NullPointer>() || v->is<ir::Coord>())
    return true;
  const auto* r = ir::as<ir::VarRef>(v);
  return r && r->var->isConst && r->var->space == ir::Space::Private;
}

}  // namespace

bool isExposed(const Stmt* s, const ValueDecl* decl) {
  if (!s) return false;
  auto names = [&](const Expr* e) {
    const auto* r = e ? dyn_cast<DeclRefExpr>(e->IgnoreParens()) : nullptr;
    return r && r->getDecl() == decl;
  };
  if (const auto* u = dyn_cast<UnaryOperator>(s); u && u->getOpcode() == UO_AddrOf && names(u->getSubExpr()))
    return true;
  if (const auto* c = dyn_cast<CallExpr>(s))
    for (const Expr* argument : c->arguments())
      if (names(argument)) return true;
  if (const auto* closure = dyn_cast<LambdaExpr>(s))
    for (const Expr* held : closure->capture_inits())
      if (names(held)) return true;
  if (const auto* d = dyn_cast<DeclStmt>(s))
    for (const Decl* one : d->decls())
      if (const auto* v = dyn_cast<VarDecl>(one); v && v->getType()->isReferenceType() && names(v->getInit()))
        return true;
  for (const Stmt* child : s->children())
    if (isExposed(child, decl)) return true;
  return false;
}

ir::ExprPtr BodyImporter::temporary(const std::string& name, ir::ExprPtr init) {
  auto var = std::make_shared<ir::Variable>();
  var->name = name;
  var->type = init->type;
  var->isConst = true;
  var->loc = init->loc;
  const ir::SourceLoc at = init->loc;
  emit(ir::Declare{var, std::move(init)}, at);
  return ir::ref(var, at);
}

ir::ExprPtr BodyImporter::reusable(ir::ExprPtr v, const std::string& name) {
  return isSimple(v) ? v : temporary(name, std::move(v));
}

// A post-increment may wait until its statement is done when nothing else in the statement names the
// variable.
bool BodyImporter::mayDefer(const Expr* target) const {
  const auto* r = dyn_cast<DeclRefExpr>(unwrap(target));
  return fullExpr && r && locals.contains(r->getDecl()) && !r->getDecl()->getType()->isReferenceType() &&
         mentions(fullExpr, r->getDecl()) == 1 && !isExposed(fn.getBody(), r->getDecl());
}

void BodyImporter::flushDeferred() {
  for (ir::StmtPtr& s : deferred) out->push_back(std::move(s));
  deferred.clear();
}

// The place an assignment writes. C++ (since 17) computes the value first: it is saved where finding the
// place would change it.
ir::ExprPtr BodyImporter::placeAfter(const Expr* target, ir::ExprPtr& v) {
  const size_t before = out->size();
  ir::ExprPtr found = place(target);
  if (out->size() == before || !unit.ast.getLangOpts().CPlusPlus) return found;
  ir::StmtList added(out->begin() + long(before), out->end());
  if (!mayChange(added, v)) return found;
  out->resize(before);
  v = temporary("value", v);
  out->insert(out->end(), added.begin(), added.end());
  return found;
}

ir::ExprPtr BodyImporter::assignment(const BinaryOperator& e, bool valueUsed) {
  const ir::SourceLoc at = loc(&e);
  if (const auto* compound = dyn_cast<CompoundAssignOperator>(&e)) {
    ir::ExprPtr rhs = valueUsed ? value(e.getRHS()) : rootValue(e.getRHS());
    ir::ExprPtr target = placeAfter(e.getLHS(), rhs);
    noteAccess(target, true);
    if (target->type->isPointer()) {
      if (e.getOpcode() == BO_SubAssign) rhs = negatedIndex(rhs);
      rhs = scaled(e.getLHS()->getType(), rhs, e.getBeginLoc());
      emit(ir::Assign{target, std::nullopt, addressOf(ir::subscript(target, {rhs}, at)), false}, at);
      return target;
    }
    auto op = binaryOp(e.getOpcode());
    if (!op) refuse("operator " + e.getOpcodeStr().str(), &e);
    ir::TypePtr compute = unit.type(compound->getComputationResultType().getCanonicalType(), e.getBeginLoc());
    if (!ir::isShift(*op) && !ir::sameType(rhs->type, compute)) rhs = ir::convert(rhs, compute);
    emit(ir::Assign{target, op, rhs, false}, at);
    return target;
  }
  ir::ExprPtr v = rootValue(e.getRHS());
  ir::ExprPtr target = placeAfter(e.getLHS(), v);
  noteAccess(target, true);
  const bool readsAgain = target->is<ir::VarRef>() || ir::bitField(*target);  // which keeps some bits alone
  if (valueUsed && !readsAgain) v = reusable(v, "value");
  emit(ir::Assign{target, std::nullopt, v, false}, at);
  return !valueUsed || readsAgain ? target : v;
}

ir::ExprPtr BodyImporter::increment(const UnaryOperator& e, bool valueUsed) {
  const ir::SourceLoc at = loc(&e);
  ir::ExprPtr target = place(e.getSubExpr());
  noteAccess(target, true);
  if (target->type->is(ir::TypeKind::Bool)) refuse("increment of a bool", &e);
  const bool up = e.isIncrementOp();
  ir::StmtPtr update;
  if (target->type->isPointer()) {
    ir::ExprPtr by = scaled(e.getSubExpr()->getType(), ir::intLit(up ? 1 : -1), e.getBeginLoc());
    ir::ExprPtr moved = addressOf(ir::subscript(target, {by}, at));
    update = ir::makeStmt(ir::Assign{target, std::nullopt, moved, true}, at);
  } else {
    ir::TypePtr compute =
        target->type->is(ir::TypeKind::Vector) ? target->type->element : ir::promotedValue(*target);
    ir::ExprPtr one = compute->isFloating() ? ir::floatLit(1, compute, at) : ir::intLit(1, compute, at);
    if (target->type->is(ir::TypeKind::Vector)) one = ir::convert(one, target->type);
    update = ir::makeStmt(ir::Assign{target, up ? ir::BinaryOp::Add : ir::BinaryOp::Sub, one, true}, at);
  }
  if (!valueUsed || e.isPrefix()) {
    out->push_back(update);
    return target;
  }
  if (mayDefer(e.getSubExpr())) {
    deferred.push_back(update);
    return target;
  }
  const auto* r = ir::as<ir::VarRef>(target);
  auto before = std::make_shared<ir::Variable>();
  before->name = (r ? r->var->name : std::string("value")) + "_before";
  before->type = target->type;
  before->isConst = !target->type->isPointer();
  before->loc = at;
  emit(ir::Declare{before, target}, at);
  out->push_back(update);
  return ir::ref(before, at);
}

}  // namespace hone::frontend
