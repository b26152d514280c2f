// For each statement with a wanted call:
//   1. The expressions around the call are lowered: its arguments first, the right side of && and || and the
//      arms of ?: into ifs when they hold wanted calls, so that nothing runs that did not run before.
//   2. Parameters are bound: replaced by the argument where that cannot change what is read, else copied to a
//      local.
//   3. The callee's body, in which calls were inlined already, is cloned with fresh variables and its returns
//      structured.
//   4. The statement follows, with the result in place of the call.
// Loop conditions move into the body (while (true) { …; if (!cond) break; … }). A call where none of this can
// be done soundly stays a call.
#include "ir/InlineCalls.h"

#include <cctype>
#include <utility>

#include "ir/Inliner.h"
#include "ir/StmtsOf.h"
#include "ir/StructureReturns.h"
#include "ir/Walk.h"

namespace hone::ir {

namespace {

// "ns::pick<3>" gives pick.
std::string plainName(const std::string& name) {
  std::string result = name.substr(0, name.find('<'));
  size_t colon = result.rfind(':');
  if (colon != std::string::npos) result = result.substr(colon + 1);
  for (char& c : result)
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') c = '_';
  return result.empty() ? "call" : result;
}

}  // namespace

KernelPtr Inliner::run(const KernelPtr& kernel) {
  if (!containsWanted(kernel->body)) return kernel;
  for (const VarPtr& param : kernel->params) names.insert(param->name);
  collectNames(kernel->body);
  taken = addressTaken(kernel->body);
  StmtList stmts = list(stmtsOf(kernel->body));
  auto copy = std::make_shared<Kernel>(*kernel);
  copy->body = block(std::move(stmts), kernel->body->loc);
  copy->body = shared.declaredOnTop(copy->body, [this](const std::string& name) { return uniqueName(name); });
  return copy;
}

bool Inliner::reaches(const Function& from, const Function& to, std::set<const Function*>& seen) const {
  bool found = false;
  walkExprs(from.body, [&](const Expr& e) {
    const auto* call = e.as<Call>();
    if (found || !call || !call->function) return;
    found = call->function.get() == &to ||
            (seen.insert(call->function.get()).second && reaches(*call->function, to, seen));
  });
  return found;
}

bool Inliner::isWanted(const Call& call) {
  if (!call.function || !call.function->body || leftAlone.contains(&call)) return false;
  const Function* f = call.function.get();
  auto known = decisions.find(f);
  if (known != decisions.end()) return known->second;
  std::set<const Function*> seen;
  return decisions[f] = chosen(*f) && !reaches(*f, *f, seen);
}

bool Inliner::containsWanted(const ExprPtr& e) {
  bool found = false;
  walkExprs(e, [&](const Expr& node) {
    const auto* call = node.as<Call>();
    found = found || (call && isWanted(*call));
  });
  return found;
}

bool Inliner::containsWanted(const StmtPtr& s) {
  bool found = false;
  walkExprs(s, [&](const Expr& node) {
    const auto* call = node.as<Call>();
    found = found || (call && isWanted(*call));
  });
  return found;
}

bool Inliner::containsWanted(const StmtList& stmts) {
  for (const StmtPtr& s : stmts)
    if (containsWanted(s)) return true;
  return false;
}

void Inliner::leaveAlone(const StmtPtr& s) {
  walkExprs(s, [&](const Expr& e) {
    if (const auto* call = e.as<Call>()) leftAlone.insert(call);
  });
}

void Inliner::collectNames(const StmtPtr& s) {
  for (const Variable* var : declaredVariables(s)) names.insert(var->name);
  walkExprs(s, [this](const Expr& e) {
    if (const auto* var = e.as<VarRef>()) names.insert(var->var->name);
  });
}

std::string Inliner::uniqueName(const std::string& base) {
  std::string name = base;
  for (int n = 2; !names.insert(name).second; ++n) name = base + "_" + std::to_string(n);
  return name;
}

VarPtr Inliner::newVariable(const std::string& name, const TypePtr& type, bool isConst, SourceLoc loc) {
  auto var = std::make_shared<Variable>();
  var->name = uniqueName(name);
  var->type = type;
  var->isConst = isConst;
  var->loc = loc;
  return var;
}

const StmtPtr& Inliner::inlinedBody(const FunctionPtr& f) {
  auto known = bodies.find(f.get());
  if (known != bodies.end()) return known->second;
  std::set<const Variable*> outerTaken = std::exchange(taken, addressTaken(f->body));
  std::set<std::string> outerNames = std::exchange(names, {});
  for (const VarPtr& param : f->params) names.insert(param->name);
  collectNames(f->body);
  StmtPtr result = containsWanted(f->body) ? block(list(stmtsOf(f->body)), f->body->loc) : f->body;
  taken = std::move(outerTaken);
  names = std::move(outerNames);
  return bodies[f.get()] = result;
}

ExprPtr Inliner::withoutSpaceCast(const ExprPtr& arg) {
  const auto* cast = arg->as<Cast>();
  if (!cast || cast->isExplicit || !arg->type->isPointer() || !cast->operand->type->isPointer()) return arg;
  return sameType(arg->type->element, cast->operand->type->element) ? cast->operand : arg;
}

void Inliner::bind(Cloner& cloner, const Function& f, const StmtPtr& callee, const std::vector<ExprPtr>& args,
                   StmtList& out) {
  for (size_t i = 0; i < f.params.size(); ++i) {
    const VarPtr& param = f.params[i];
    ParamUse use = useOf(*param, callee);
    ExprPtr arg = withoutSpaceCast(args[i]);
    // Accesses that are volatile by the parameter's type alone stay so.
    const bool isMadeVolatile = param->type->isPointer() && param->type->isVolatile && !arg->type->isVolatile;
    if (!isMadeVolatile && arguments.mayReplace(arg, use, f)) {
      cloner.arguments[param.get()] = arg;
      continue;
    }
    auto copy = std::make_shared<Variable>(*param);
    copy->name = uniqueName(param->name == "this" ? "self" : param->name);
    copy->storage = Storage::Local;
    copy->isConst = !use.changes && !param->type->isPointer();
    if (param->type->isPointer()) {
      copy->type = pointerType(param->type->element, use.changes ? param->type->space : arg->type->space,
                               param->type->isConst, param->type->isVolatile);
    }
    if (use.changes) arg = args[i];
    if (isMadeVolatile) arg = convert(arg, copy->type);
    cloner.fresh[param.get()] = copy;
    out.push_back(makeStmt(Declare{copy, arg}, args[i]->loc));
    if (addressTaken(callee).contains(param.get())) taken.insert(copy.get());
  }
}

ExprPtr Inliner::expand(const ExprPtr& e, StmtList& out, const ExprPtr& place, bool onlyAtEnd, bool isUsed) {
  const auto& call = *e->as<Call>();
  const FunctionPtr f = call.function;
  std::vector<ExprPtr> args;
  args.reserve(call.args.size());
  for (const ExprPtr& arg : call.args) args.push_back(lower(arg, out));
  const StmtPtr callee = inlinedBody(f);
  ExprPtr object;  // what a constructor makes: the place itself when it is new, else a variable
  if (f->kind == FunctionKind::Constructor) {
    object = place && !onlyAtEnd ? place : newObject(*f, e, out);
    args.insert(args.begin(), addressOf(object, Space::Private, e->loc));
  }
  ExprPtr made = object == place ? nullptr : object;

  Cloner cloner;
  const StmtPtr prepared = shared.takenOut(callee);
  bind(cloner, *f, prepared, args, out);
  // In order of declaration, so that names do not depend on addresses.
  walkStmts(prepared, [&](const Stmt& s) {
    const auto* n = s.as<Declare>();
    if (!n) return;
    auto copy = std::make_shared<Variable>(*n->var);
    copy->name = uniqueName(n->var->name);
    cloner.fresh[n->var.get()] = copy;
  });
  StmtList stmts = stmtsOf(cloner.rewriteBlock(prepared));
  for (const Variable* var : addressTaken(block(stmts))) taken.insert(var);

  const bool returnsValue = !f->returnType->is(TypeKind::Void);
  LastReturn last = lastReturn(stmts);
  if (last.found) {
    if (!stmts.empty() && stmts.back()->is<Return>()) stmts.pop_back();
    out.insert(out.end(), stmts.begin(), stmts.end());
    if (!returnsValue || !last.value) return returnsValue ? undefined(*f, out) : made;
    return last.value;
  }
  const bool atEnd = hasTailReturns(stmts);
  ExprPtr result, given = made;
  if (returnsValue && isUsed) {
    if (place && (atEnd || !onlyAtEnd)) {
      result = place;
    } else {
      VarPtr var = newVariable(plainName(f->name) + "_result", f->returnType, false, e->loc);
      out.push_back(makeStmt(Declare{var, nullptr}, e->loc));
      result = given = ref(var, e->loc);
    }
  }
  if (atEnd) {
    StmtList structured = assignTailReturns(stmts, result);
    out.insert(out.end(), structured.begin(), structured.end());
    return given;
  }
  ExprPtr flag;
  if (needsFlag(stmts)) {
    VarPtr var = newVariable("returned", boolType(), false, e->loc);
    out.push_back(makeStmt(Declare{var, boolLit(false)}, e->loc));
    flag = ref(var);
  }
  out.push_back(breakOnReturns(stmts, result, flag));
  return given;
}

ExprPtr Inliner::newObject(const Function& constructor, const ExprPtr& call, StmtList& out) {
  std::string name = plainName(constructor.name);
  name[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(name[0])));
  VarPtr var = newVariable(name, call->type, false, call->loc);
  out.push_back(makeStmt(Declare{var, nullptr}, call->loc));
  return ref(var, call->loc);
}

ExprPtr Inliner::undefined(const Function& f, StmtList& out) {
  VarPtr var = newVariable(plainName(f.name) + "_result", f.returnType, false, f.loc);
  out.push_back(makeStmt(Declare{var, nullptr}, f.loc));
  return ref(var);
}

class Lowerer : public Rewriter {
 public:
  Lowerer(Inliner& owner, StmtList& statements) : inliner(owner), out(&statements) {}

  ExprPtr rewrite(const ExprPtr& e) override {
    if (!e || !inliner.containsWanted(e)) return e;
    if (const auto* call = e->as<Call>(); call && inliner.isWanted(*call))
      return inliner.expand(e, *out, nullptr, false);
    if (const auto* node = e->as<Binary>()) {
      bool shortCircuit = node->op == BinaryOp::LogicalAnd || node->op == BinaryOp::LogicalOr;
      if (shortCircuit && e->type->is(TypeKind::Bool) && inliner.containsWanted(node->rhs))
        return logical(e, *node);
    }
    if (const auto* select = e->as<Select>(); select && !select->cond->type->is(TypeKind::Vector)) {
      if (inliner.containsWanted(select->yes) || inliner.containsWanted(select->no))
        return choice(e, *select);
    }
    return Rewriter::rewrite(e);
  }
  using Rewriter::rewrite;

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override { return canonical(e); }

 private:
  StmtList inside(const ExprPtr& e, const ExprPtr& place) {
    StmtList stmts;
    StmtList* outer = out;
    out = &stmts;
    ExprPtr value = rewrite(e);
    out = outer;
    stmts.push_back(assign(place, value, e->loc));
    return stmts;
  }

  // t = a; if (t) t = b;
  ExprPtr logical(const ExprPtr& e, const Binary& node) {
    ExprPtr lhs = rewrite(node.lhs);
    VarPtr test = inliner.newVariable("test", boolType(), false, e->loc);
    out->push_back(makeStmt(Declare{test, lhs}, e->loc));
    ExprPtr cond = node.op == BinaryOp::LogicalAnd ? ref(test) : unary(UnaryOp::Not, ref(test), e->loc);
    StmtList then = inside(node.rhs, ref(test));
    out->push_back(makeStmt(If{cond, block(std::move(then), e->loc), nullptr}, e->loc));
    return ref(test, e->loc);
  }

  ExprPtr choice(const ExprPtr& e, const Select& node) {
    ExprPtr cond = rewrite(node.cond);
    VarPtr value = inliner.newVariable("value", e->type, false, e->loc);
    out->push_back(makeStmt(Declare{value, nullptr}, e->loc));
    StmtList yes = inside(node.yes, ref(value)), no = inside(node.no, ref(value));
    out->push_back(makeStmt(If{cond, block(std::move(yes), e->loc), block(std::move(no), e->loc)}, e->loc));
    return ref(value, e->loc);
  }

  Inliner& inliner;
  StmtList* out;
};

ExprPtr Inliner::lower(const ExprPtr& e, StmtList& out) { return Lowerer(*this, out).rewrite(e); }

KernelPtr inlineCalls(const KernelPtr& kernel, const std::function<bool(const Function&)>& wanted) {
  return Inliner(wanted).run(kernel);
}

}  // namespace hone::ir
