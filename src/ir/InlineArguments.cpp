#include "ir/InlineArguments.h"

#include "ir/Literals.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {

namespace {

Space spaceOf(const Expr& place, Space otherwise) {
  if (const auto* var = place.as<VarRef>()) return var->var->space;
  if (const auto* element = place.as<Subscript>()) {
    const Type& base = *element->base->type;
    return base.isPointer() ? base.space : spaceOf(*element->base, otherwise);
  }
  if (const auto* field = place.as<Member>()) return spaceOf(*field->base, otherwise);
  if (const auto* lanes = place.as<Swizzle>()) return spaceOf(*lanes->base, otherwise);
  return otherwise;
}

}  // namespace

ExprPtr canonical(const ExprPtr& e) {
  if (const auto* element = e->as<Subscript>()) {
    const auto* address = element->base->as<AddressOf>();
    const auto* row = address ? address->place->as<Subscript>() : nullptr;
    bool cancels =
        address && (isZeroLiteral(element->indices.front()) || (row && isZeroLiteral(row->indices.back())));
    bool merges = element->base->is<Subscript>() && element->base->type->is(TypeKind::Array);
    return cancels || merges ? subscript(element->base, element->indices, e->loc) : e;
  }
  if (const auto* address = e->as<AddressOf>()) {
    const auto* element = address->place->as<Subscript>();
    if (element && element->base->type->isPointer() && element->indices.size() == 1 &&
        isZeroLiteral(element->indices.front()))
      return element->base;
    Space space = spaceOf(*address->place, e->type->space);
    return space == e->type->space ? e : makeExpr(withSpace(e->type, space), e->node, e->loc);
  }
  if (const auto* cast = e->as<Cast>(); cast && !cast->isExplicit && sameType(e->type, cast->operand->type))
    return cast->operand;
  return e;
}

VarPtr Cloner::mapVar(const VarPtr& v) {
  auto it = fresh.find(v.get());
  return it == fresh.end() ? v : it->second;
}

ExprPtr Cloner::mapExpr(const ExprPtr& e) {
  const auto* var = e->as<VarRef>();
  if (!var) return canonical(e);
  auto it = arguments.find(var->var.get());
  return it == arguments.end() ? e : it->second;
}

ParamUse useOf(const Variable& param, const StmtPtr& body) {
  ParamUse use;
  use.changes = assignedVariables(body).contains(&param) || addressTaken(body).contains(&param);
  size_t behind = 0;
  walkExprs(body, [&](const Expr& e) {
    const auto* element = e.as<Subscript>();
    const auto* base = element ? as<VarRef>(element->base) : nullptr;
    behind += base && base->var.get() == &param && isZeroLiteral(element->indices.front());
  });
  use.onlyBehind = countMentions(body, &param) == behind;
  return use;
}

// The callee may write what is not its own.
bool ArgumentRules::mayWrite(const Function& f) {
  if (f.writesMemory || f.synchronizes) return true;
  auto known = writers.emplace(&f, false);  // a recursive call adds nothing
  if (!known.second) return known.first->second;
  bool found = false;
  walkStmts(f.body, [&](const Stmt& s) {
    const auto* n = s.as<Assign>();
    if (!n) return;
    for (const Access& access : accesses(n->place, AccessMode::Write))
      found |= access.mode == AccessMode::Write;
  });
  walkExprs(f.body, [&](const Expr& e) {
    const auto* call = e.as<Call>();
    if (call && !found) found = call->function ? mayWrite(*call->function) : call->intrinsic->writesMemory();
  });
  return writers[&f] = found;
}

// The value of the variable is the same all through the callee.
bool ArgumentRules::isUnchangedBy(const Variable& var, const Function& f) {
  if (var.isVolatile) return false;
  if (var.isConst && var.storage != Storage::Global) return true;
  if (var.storage != Storage::Global && var.space != Space::Shared && !taken.contains(&var)) return true;
  return !mayWrite(f);
}

bool ArgumentRules::isSimple(const ExprPtr& e, const Function& f) {
  if (e->is<IntLiteral>() || e->is<FloatLiteral>() || e->is<NullPointer>() || e->is<Coord>()) return true;
  if (const auto* cast = e->as<Cast>()) return isSimple(cast->operand, f);
  const auto* var = e->as<VarRef>();
  return var && isUnchangedBy(*var->var, f);
}

// Naming the place again later names the same memory.
bool ArgumentRules::isSimplePlace(const ExprPtr& e, const Function& f) {
  if (e->is<VarRef>()) return true;
  if (const auto* field = e->as<Member>()) return isSimplePlace(field->base, f);
  const auto* element = e->as<Subscript>();
  if (!element) return false;
  for (const ExprPtr& index : element->indices)
    if (!isSimple(index, f)) return false;
  if (element->base->type->isPointer()) return isSimple(element->base, f);
  return isSimplePlace(element->base, f);
}

bool ArgumentRules::mayReplace(const ExprPtr& arg, const ParamUse& use, const Function& f) {
  if (use.changes) return false;
  if (isSimple(arg, f)) return true;
  const auto* address = arg->as<AddressOf>();
  if (!address || !isSimplePlace(address->place, f)) return false;
  // Indices into the middle of an array read better through a pointer of their own.
  const auto* element = address->place->as<Subscript>();
  const bool isDecay = element && isZeroLiteral(element->indices.back());
  return use.onlyBehind || isDecay;
}

StmtPtr SharedOfCallees::takenOut(const StmtPtr& body) {
  class Remover : public Rewriter {
   public:
    StmtList removed;

   protected:
    StmtList mapStmt(const StmtPtr& s) override {
      const auto* n = as<Declare>(s);
      if (!n || n->var->space != Space::Shared) return {s};
      removed.push_back(s);
      return {};
    }
  } remover;
  StmtPtr result = remover.rewriteBlock(body);
  for (const StmtPtr& s : remover.removed)
    if (known.insert(s->as<Declare>()->var.get()).second) declarations.push_back(s);
  return result;
}

StmtPtr SharedOfCallees::declaredOnTop(
    const StmtPtr& body, const std::function<std::string(const std::string&)>& uniqueName) const {
  if (declarations.empty()) return body;
  Cloner renamed;
  StmtList stmts;
  for (const StmtPtr& s : declarations) {
    const VarPtr& var = s->as<Declare>()->var;
    auto copy = std::make_shared<Variable>(*var);
    copy->name = uniqueName(copy->name);
    renamed.fresh[var.get()] = copy;
    stmts.push_back(makeStmt(Declare{copy, nullptr}, s->loc));
  }
  StmtPtr rest = renamed.rewriteBlock(body);
  const StmtList& list = rest->as<Block>()->stmts;
  stmts.insert(stmts.end(), list.begin(), list.end());
  return block(std::move(stmts), body->loc);
}

}  // namespace hone::ir
