#include "frontend/HostLoops.h"

#include <algorithm>

#include "clang/AST/ASTContext.h"
#include "clang/AST/Attr.h"
#include "clang/AST/StmtCXX.h"
#include "frontend/ConstantValues.h"
#include "frontend/HostUses.h"
#include "frontend/QuietStatements.h"
#include "ir/Build.h"
#include "ir/Compare.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

struct NoIteration {};  // thrown where a loop is not of the kind

void require(bool holds) {
  if (!holds) throw NoIteration{};
}

const Expr* bare(const Expr* e) {
  while (e) {
    const Expr* inner = e->IgnoreParenImpCasts();
    if (const auto* cleanups = dyn_cast<ExprWithCleanups>(inner)) inner = cleanups->getSubExpr();
    if (inner == e) break;
    e = inner;
  }
  return e;
}

const VarDecl* namedVariable(const Expr* e) {
  const auto* ref = e ? dyn_cast<DeclRefExpr>(bare(e)) : nullptr;
  return ref ? dyn_cast<VarDecl>(ref->getDecl()) : nullptr;
}

/// The way from a statement down to an expression in it; empty: it is not there.
bool findPath(const Stmt* from, const Stmt* to, std::vector<const Stmt*>& path) {
  if (!from) return false;
  path.push_back(from);
  if (from == to) return true;
  for (const Stmt* child : from->children())
    if (findPath(child, to, path)) return true;
  path.pop_back();
  return false;
}

bool isLoop(const Stmt* s) { return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(s); }

bool isPlainLocal(const VarDecl& var) {
  return var.hasLocalStorage() && !var.getType()->isReferenceType() && !var.getType().isVolatileQualified() &&
         !var.getType().isConstQualified();
}

class IterationMaker {
 public:
  IterationMaker(const CUDAKernelCallExpr& e, const FunctionDecl& fn, UnitImporter& importer)
      : launch(e), inside(fn), unit(importer) {}

  std::shared_ptr<const LaunchIteration> make() {
    require(!inside.isDependentContext() && !inside.hasAttr<CUDAGlobalAttr>() &&
            !inside.hasAttr<CUDADeviceAttr>());
    require(!unit.errorIn(inside));
    const auto* kernel = launch.getDirectCallee();
    require(kernel && kernel->getNumParams() == launch.getNumArgs());
    findLoop();
    readBody();
    checkVariables();
    placeholders(*kernel);
    readHead();
    readArguments(*kernel);
    made.counter = counter->getNameAsString();
    findUnread();
    return std::make_shared<LaunchIteration>(std::move(made));
  }

 private:
  struct Exchange {
    const VarDecl *a, *b;
    bool beforeLaunch;
  };

  void findLoop() {
    require(findPath(inside.getBody(), &launch, path));
    // The launch, its full expression, the body's braces, the loop.
    size_t at = path.size() - 1;
    while (at > 0 && isa<Expr>(path[at - 1])) --at;
    require(at > 0 && bare(cast<Expr>(path[at])) == &launch);
    statement = path[at];
    size_t up = at - 1;
    if (isa<CompoundStmt>(path[up]) && up > 0) --up;
    loop = dyn_cast<ForStmt>(path[up]);
    require(loop && loop->getCond() && loop->getInc() && !loop->getConditionVariable());
    require(loop->getBody() == path[up + 1]);
    for (size_t i = 0; i < up; ++i) isNested = isNested || isLoop(path[i]) || isa<LambdaExpr>(path[i]);
    require(std::none_of(path.begin(), path.end(), [](const Stmt* s) { return isa<LambdaExpr>(s); }));
  }

  void readBody() {
    std::vector<const Stmt*> body;
    if (const auto* compound = dyn_cast<CompoundStmt>(loop->getBody()))
      body.assign(compound->body_begin(), compound->body_end());
    else
      body.push_back(loop->getBody());
    bool launched = false;
    for (size_t i = 0; i < body.size(); ++i) {
      if (body[i] == statement) {
        launched = true;
      } else if (i + 2 < body.size() && threeAssignments(&body[i], !launched)) {
        i += 2;
      } else if (!swapCall(body[i], !launched)) {
        require(isQuiet(*body[i], unit.ast));
        for (const VarDecl* var : variablesSet(*body[i])) perIteration.insert(var);
      }
    }
  }

  // std::swap(a, b);
  bool swapCall(const Stmt* s, bool before) {
    const auto* e = dyn_cast<Expr>(s);
    const auto* call = e ? dyn_cast<CallExpr>(bare(e)) : nullptr;
    const FunctionDecl* callee = call ? call->getDirectCallee() : nullptr;
    const bool named = callee && callee->getDeclName().isIdentifier() && callee->getName() == "swap" &&
                       callee->isInStdNamespace() && call->getNumArgs() == 2;
    return named && exchange(namedVariable(call->getArg(0)), namedVariable(call->getArg(1)), before);
  }

  static std::pair<const VarDecl*, const VarDecl*> assignment(const Stmt* s) {
    const auto* e = dyn_cast<Expr>(s);
    const auto* assigned = e ? dyn_cast<BinaryOperator>(bare(e)) : nullptr;
    if (!assigned || assigned->getOpcode() != BO_Assign) return {};
    return {namedVariable(assigned->getLHS()), namedVariable(assigned->getRHS())};
  }

  // T* t = a; a = b; b = t;
  bool threeAssignments(const Stmt* const* s, bool before) {
    std::pair<const VarDecl*, const VarDecl*> kept;
    if (const auto* declared = dyn_cast<DeclStmt>(s[0]); declared && declared->isSingleDecl()) {
      const auto* var = dyn_cast<VarDecl>(declared->getSingleDecl());
      if (var && var->hasInit()) kept = {var, namedVariable(var->getInit())};
    } else {
      kept = assignment(s[0]);
    }
    const auto first = assignment(s[1]), second = assignment(s[2]);
    if (!kept.first || !kept.second || first.first != kept.second || second.first != first.second ||
        second.second != kept.first)
      return false;
    // It holds a pointer of an earlier iteration afterwards: nobody may ask.
    if (!isPlainLocal(*kept.first) ||
        variableUses(inside, *kept.first).size() != (isa<DeclStmt>(s[0]) ? 1U : 2U))
      return false;
    return exchange(first.first, second.first, before);
  }

  bool exchange(const VarDecl* a, const VarDecl* b, bool before) {
    if (!a || !b || a == b || changed.contains(a) || changed.contains(b)) return false;
    if (!a->getType()->isPointerType() || !unit.ast.hasSameType(a->getType(), b->getType())) return false;
    changed.insert({a, b});
    exchanges.push_back({a, b, before});
    return true;
  }

  void checkVariables() {
    const Expr* step = bare(loop->getInc());
    if (const auto* unary = dyn_cast<UnaryOperator>(step); unary && unary->isIncrementDecrementOp())
      counter = namedVariable(unary->getSubExpr());
    else if (const auto* binary = dyn_cast<BinaryOperator>(step); binary && binary->isAssignmentOp())
      counter = namedVariable(binary->getLHS());
    require(counter && !changed.contains(counter) && counter->getType()->isIntegerType() &&
            !counter->getType()->isBooleanType() && !counter->getType()->isEnumeralType());
    changed.insert(counter);
    for (const VarDecl* var : changed) {
      require(isPlainLocal(*var));
      for (const VariableUse& use : variableUses(inside, *var))
        require(use.kind == VariableUse::Read || use.kind == VariableUse::Written ||
                use.kind == VariableUse::Swapped || (use.kind == VariableUse::Allocated && var != counter));
    }
    // Nothing but the head changes the counter.
    for (const VariableUse& use : variableUses(inside, *counter))
      require(use.kind != VariableUse::Written || !isWithin(*use.ref, *loop->getBody()));
    if (const auto* declared = dyn_cast_or_null<DeclStmt>(loop->getInit()))
      for (const Decl* d : declared->decls()) require(isa<VarDecl>(d));
    // Names at the launch must mean what they mean in the head.
    for (const Stmt* s : loop->getBody()->children())
      if (const auto* declared = dyn_cast_or_null<DeclStmt>(s))
        for (const Decl* d : declared->decls())
          if (const auto* named = dyn_cast<NamedDecl>(d)) shadows.insert(named->getNameAsString());
    require(!shadows.contains(counter->getNameAsString()));
  }

  bool isWithin(const Stmt& s, const Stmt& outer) const {
    std::vector<const Stmt*> ignored;
    return findPath(&outer, &s, ignored);
  }

  void placeholders(const FunctionDecl& kernel) {
    for (unsigned i = 0; i < launch.getNumArgs(); ++i) {
      auto var = std::make_shared<ir::Variable>();
      var->name = kernel.getParamDecl(i)->getNameAsString();
      var->storage = ir::Storage::Param;
      var->type = unit.type(kernel.getParamDecl(i)->getType().getUnqualifiedType(), launch.getBeginLoc());
      made.params.push_back(var);
    }
  }

  /// The parameter that is handed a variable as it is; null: none.
  ir::VarPtr paramOf(const VarDecl* var) const {
    const FunctionDecl* kernel = launch.getDirectCallee();
    for (unsigned i = 0; i < launch.getNumArgs(); ++i)
      if (namedVariable(launch.getArg(i)) == var &&
          unit.ast.hasSameUnqualifiedType(var->getType(), kernel->getParamDecl(i)->getType()))
        return made.params[i];
    return nullptr;
  }

  ir::VarPtr other(const std::string& name, const std::string& text, QualType type) {
    for (size_t i = 0; i < made.others.size(); ++i)
      if (made.others[i] == text) return made.iteration.others[i];
    auto var = std::make_shared<ir::Variable>();
    var->name = name;
    var->storage = ir::Storage::Param;
    var->type = unit.type(type.getUnqualifiedType(), launch.getBeginLoc());
    made.others.push_back(text);
    made.iteration.others.push_back(var);
    return var;
  }

  void readHead() {
    made.iteration.counter = paramOf(counter);
    if (!made.iteration.counter)
      made.iteration.counter =
          other(counter->getNameAsString(), counter->getNameAsString(), counter->getType());
    made.iteration.first = firstValue();
    made.iteration.next = nextValue();
    ir::ExprPtr cond = hostValue(loop->getCond());
    require(cond != nullptr);
    if (!cond->type->is(ir::TypeKind::Bool))
      cond = ir::binary(ir::BinaryOp::Ne, cond, ir::intLit(0, cond->type));
    made.iteration.again = ir::substituted(cond, {{made.iteration.counter, made.iteration.next}});
  }

  /// Null: not known from the parameters.
  ir::ExprPtr firstValue() {
    const Expr* first = nullptr;
    if (const auto* declared = dyn_cast_or_null<DeclStmt>(loop->getInit())) {
      for (const Decl* d : declared->decls())
        if (d == counter) first = counter->getInit();
    } else if (const auto* assigned = dyn_cast_or_null<BinaryOperator>(loop->getInit());
               assigned && assigned->getOpcode() == BO_Assign &&
               namedVariable(assigned->getLHS()) == counter) {
      first = assigned->getRHS();
    }
    return first && !mentionsChanged(*first) ? overParameters(first) : nullptr;
  }

  ir::ExprPtr nextValue() {
    const ir::ExprPtr now = ir::ref(made.iteration.counter);
    const Expr* step = bare(loop->getInc());
    ir::ExprPtr next;
    if (const auto* unary = dyn_cast<UnaryOperator>(step))
      next = ir::binary(unary->isIncrementOp() ? ir::BinaryOp::Add : ir::BinaryOp::Sub, now,
                        ir::intLit(1, now->type));
    const auto* assigned = dyn_cast<BinaryOperator>(step);
    if (const auto* compound = dyn_cast<CompoundAssignOperator>(step)) {
      const auto op = operatorOf(BinaryOperator::getOpForCompoundAssignment(compound->getOpcode()));
      const ir::ExprPtr by = op ? hostValue(compound->getRHS()) : nullptr;
      require(by && by->type->is(ir::TypeKind::Int) && !mentionsChanged(*compound->getRHS()));
      next = ir::binary(*op, now, by);
    } else if (assigned) {
      next = hostValue(assigned->getRHS());
    }
    require(next && next->type->is(ir::TypeKind::Int));
    return ir::convert(next, now->type);
  }

  static std::optional<ir::BinaryOp> operatorOf(BinaryOperatorKind op) {
    switch (op) {
      case BO_Add: return ir::BinaryOp::Add;
      case BO_Sub: return ir::BinaryOp::Sub;
      case BO_Mul: return ir::BinaryOp::Mul;
      case BO_Div: return ir::BinaryOp::Div;
      case BO_Rem: return ir::BinaryOp::Rem;
      case BO_Shl: return ir::BinaryOp::Shl;
      case BO_Shr: return ir::BinaryOp::Shr;
      case BO_LT: return ir::BinaryOp::Lt;
      case BO_LE: return ir::BinaryOp::Le;
      case BO_GT: return ir::BinaryOp::Gt;
      case BO_GE: return ir::BinaryOp::Ge;
      case BO_EQ: return ir::BinaryOp::Eq;
      case BO_NE: return ir::BinaryOp::Ne;
      case BO_LAnd: return ir::BinaryOp::LogicalAnd;
      case BO_LOr: return ir::BinaryOp::LogicalOr;
      default: return std::nullopt;
    }
  }

  bool mentionsChanged(const Stmt& s) const { return mentions(s, changed) || mentions(s, perIteration); }

  /// A whole number or condition of the host over parameters and others; null: it may change, or is no
  /// number.
  ir::ExprPtr hostValue(const Expr* e) {
    if (ir::ExprPtr known = overParameters(e)) return known;
    if (mentionsChanged(*e)) return inParts(e);
    if (!e->getType()->isIntegerType() || e->getType()->isEnumeralType() || !isFixed(*e)) return nullptr;
    const std::string text = unit.text(bare(e)->getSourceRange());
    if (text.empty() || mentionsNames(*e, shadows)) return nullptr;
    const VarDecl* var = namedVariable(e);
    // A conversion around it stays outside, so that the text has the type of the value.
    const QualType type = bare(e)->getType();
    if (!type->isIntegerType() || type->isEnumeralType()) return nullptr;
    const ir::VarPtr value = other(var ? var->getNameAsString() : "bound", text, type);
    return ir::convert(ir::ref(value), unit.type(e->getType().getUnqualifiedType(), e->getBeginLoc()));
  }

  ir::ExprPtr overParameters(const Expr* e) {
    if (Expr::EvalResult result;
        !e->isValueDependent() && e->getType()->isIntegerType() && e->EvaluateAsInt(result, unit.ast))
      return ir::intLit(result.Val.getInt().getExtValue(),
                        unit.type(e->getType().getUnqualifiedType(), e->getBeginLoc()));
    if (const VarDecl* var = namedVariable(e);
        var && bareType(e) && !perIteration.contains(var) && (!changed.contains(var) || var == counter)) {
      if (!var->hasLocalStorage() || var->getType()->isReferenceType()) return nullptr;
      const ir::VarPtr param = var == counter ? made.iteration.counter : paramOf(var);
      return param && param->type->is(ir::TypeKind::Int) ? ir::ref(param) : nullptr;
    }
    return parts(e, [this](const Expr* part) { return overParameters(part); });
  }

  ir::ExprPtr inParts(const Expr* e) {
    return parts(e, [this](const Expr* part) { return hostValue(part); });
  }

  /// A variable that is read as it is, without a conversion.
  static bool bareType(const Expr* e) {
    e = e->IgnoreParens();
    if (const auto* read = dyn_cast<ImplicitCastExpr>(e); read && read->getCastKind() == CK_LValueToRValue)
      e = read->getSubExpr()->IgnoreParens();
    return isa<DeclRefExpr>(e);
  }

  template <class Value> ir::ExprPtr parts(const Expr* e, Value value) {
    e = e->IgnoreParens();
    if (const auto* cast = dyn_cast<CastExpr>(e)) {
      if (cast->getCastKind() != CK_IntegralCast && cast->getCastKind() != CK_NoOp &&
          cast->getCastKind() != CK_LValueToRValue)
        return nullptr;
      const ir::ExprPtr inner = value(cast->getSubExpr());
      if (!inner || !e->getType()->isIntegerType() || e->getType()->isEnumeralType()) return nullptr;
      return ir::convert(inner, unit.type(e->getType().getUnqualifiedType(), e->getBeginLoc()));
    }
    const auto* binary = dyn_cast<BinaryOperator>(e);
    const auto op = binary ? operatorOf(binary->getOpcode()) : std::nullopt;
    if (!op || !binary->getLHS()->getType()->isIntegerType() || !binary->getRHS()->getType()->isIntegerType())
      return nullptr;
    const ir::ExprPtr a = value(binary->getLHS());
    const ir::ExprPtr b = a ? value(binary->getRHS()) : nullptr;
    if (!a || !b) return nullptr;
    if (binary->isLogicalOp() && !(a->type->is(ir::TypeKind::Bool) && b->type->is(ir::TypeKind::Bool)))
      return nullptr;
    return ir::binary(*op, a, b);
  }

  void readArguments(const FunctionDecl& kernel) {
    const CallExpr* config = launch.getConfig();
    require(config != nullptr);
    for (const Expr* arg : config->arguments())
      require(!mentionsChanged(*arg) && (isa<CXXDefaultArgExpr>(arg) || isFixed(*arg)));
    for (unsigned i = 0; i < launch.getNumArgs(); ++i) {
      const VarDecl* var = namedVariable(launch.getArg(i));
      ir::ExprPtr next = ir::ref(made.params[i]);
      if (var && var == counter) {
        require(unit.ast.hasSameUnqualifiedType(var->getType(), kernel.getParamDecl(i)->getType()));
        next = made.iteration.next;
      } else if (var && changed.contains(var)) {
        next = partnerOf(var, i, kernel);
      } else {
        require(!mentionsChanged(*launch.getArg(i)) && isFixed(*launch.getArg(i)));
      }
      made.iteration.args.push_back(next);
    }
  }

  ir::ExprPtr partnerOf(const VarDecl* var, unsigned at, const FunctionDecl& kernel) const {
    for (const Exchange& one : exchanges) {
      if (one.a != var && one.b != var) continue;
      const VarDecl* partner = one.a == var ? one.b : one.a;
      const QualType wanted = kernel.getParamDecl(at)->getType()->getPointeeType();
      for (unsigned i = 0; i < launch.getNumArgs(); ++i) {
        const QualType found = kernel.getParamDecl(i)->getType();
        if (namedVariable(launch.getArg(i)) == partner && found->isPointerType() && !wanted.isNull() &&
            unit.ast.hasSameUnqualifiedType(found->getPointeeType(), wanted))
          return ir::ref(made.params[i]);
      }
    }
    throw NoIteration{};
  }

  void findUnread() {
    if (isNested) return;
    for (const Exchange& one : exchanges) {
      if (!isScratch(inside, *one.a, *loop) || !isScratch(inside, *one.b, *loop)) continue;
      for (unsigned i = 0; i < launch.getNumArgs(); ++i) {
        const VarDecl* var = namedVariable(launch.getArg(i));
        if (var != one.a && var != one.b) continue;
        // The array that the launch is handed lies behind the other pointer once they are exchanged.
        const VarDecl* holder = one.beforeLaunch ? var : var == one.a ? one.b : one.a;
        if (onlyFreedAfter(inside, *holder, *loop)) made.iteration.unreadByHost.push_back(made.params[i]);
      }
    }
  }

  const CUDAKernelCallExpr& launch;
  const FunctionDecl& inside;
  UnitImporter& unit;
  std::vector<const Stmt*> path;
  const Stmt* statement = nullptr;  // the launch with what is wrapped around it
  const ForStmt* loop = nullptr;
  bool isNested = false;
  const VarDecl* counter = nullptr;
  std::set<const VarDecl*> changed;       // by the loop: the counter and exchanged pointers
  std::set<const VarDecl*> perIteration;  // declared or assigned by other statements of the body
  std::vector<Exchange> exchanges;
  std::set<std::string> shadows;  // names that the body declares
  LaunchIteration made;
};

}  // namespace

ir::HostIteration iterationOver(const LaunchIteration& found, const std::vector<ir::VarPtr>& params,
                                const std::vector<ir::VarPtr>& others) {
  ir::HostIteration iteration = found.iteration;
  ir::Substitution values;
  for (size_t i = 0; i < params.size(); ++i) values.emplace_back(found.params[i], ir::ref(params[i]));
  if (others.size() == iteration.others.size())
    for (size_t i = 0; i < others.size(); ++i)
      values.emplace_back(found.iteration.others[i], ir::ref(others[i]));
  auto over = [&](const ir::ExprPtr& e) { return ir::substituted(e, values); };
  auto variable = [&](ir::VarPtr& v) { v = ir::as<ir::VarRef>(over(ir::ref(v)))->var; };
  variable(iteration.counter);
  for (ir::VarPtr& other : iteration.others) variable(other);
  for (ir::VarPtr& array : iteration.unreadByHost) variable(array);
  for (ir::ExprPtr& arg : iteration.args) arg = over(arg);
  if (iteration.first) iteration.first = over(iteration.first);
  iteration.next = over(iteration.next);
  iteration.again = over(iteration.again);
  return iteration;
}

bool isIterationOf(const LaunchIteration& found, const ir::Kernel& kernel) {
  if (!kernel.iteration || found.params.size() != kernel.params.size() ||
      found.iteration.others.size() != kernel.iteration->others.size())
    return false;
  const ir::HostIteration& known = *kernel.iteration;
  for (size_t i = 0; i < known.others.size(); ++i)
    if (!ir::sameType(known.others[i]->type, found.iteration.others[i]->type)) return false;
  const ir::HostIteration own = iterationOver(found, kernel.params, known.others);
  return own.counter == known.counter && ir::equal(own.next, known.next) &&
         ir::equal(own.again, known.again) &&
         std::equal(own.args.begin(), own.args.end(), known.args.begin(), known.args.end(),
                    [](const ir::ExprPtr& a, const ir::ExprPtr& b) { return ir::equal(a, b); }) &&
         own.unreadByHost == known.unreadByHost;
}

std::shared_ptr<const LaunchIteration> hostIteration(const CUDAKernelCallExpr& launch,
                                                     const FunctionDecl& inside, UnitImporter& unit) {
  if (launch.getBeginLoc().isMacroID() || launch.getEndLoc().isMacroID() || !inside.hasBody()) return nullptr;
  try {
    return IterationMaker(launch, inside, unit).make();
  } catch (const NoIteration&) {
    return nullptr;
  } catch (const Refusal&) {
    return nullptr;  // a type without a place in the IR
  }
}

}  // namespace hone::frontend
