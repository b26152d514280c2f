// 1. Every pointer variable, array of pointers of a thread's own and every function that returns a pointer
// starts with no known space;
//    kernel parameters start global, pointers held in other memory (fields, globals, variables whose address
//    is taken) stay generic.
// 2. Each initializer, assignment, argument and returned value joins its space into what receives it, until
// nothing
//    changes; two different spaces join to generic.
// 3. Variables are replaced by retyped ones, the types of expressions follow bottom-up, and where a pointer
// meets a
//    generic one it is converted.
#include "ir/InferSpaces.h"

#include <map>
#include <set>

#include "ir/Walk.h"

namespace hone::ir {

namespace {

using Known = std::optional<Space>;  // nothing yet

Known joined(Known a, Known b) {
  if (!a) return b;
  if (!b || *a == *b) return a;
  return Space::Generic;
}

// The pointer type that an array holds, or the type itself.
const TypePtr& heldBy(const TypePtr& type) {
  return type->is(TypeKind::Array) ? heldBy(type->element) : type;
}

TypePtr withHeldSpace(const TypePtr& type, Space space) {
  if (!type->is(TypeKind::Array)) return withSpace(type, space);
  auto copy = std::make_shared<Type>(*type);
  copy->element = withHeldSpace(type->element, space);
  return copy;
}

// The array of pointers of a thread's own that a place is an element of; null: it is none.
const Variable* arrayOfPointers(const Expr& place) {
  const auto* element = place.as<Subscript>();
  const auto* var = element ? element->base->as<VarRef>() : nullptr;
  const bool isOwn = var && var->var->type->is(TypeKind::Array) && var->var->space == Space::Private &&
                     var->var->storage != Storage::Global;
  return isOwn && place.type->isPointer() ? var->var.get() : nullptr;
}

class SpaceSolver {
 public:
  explicit SpaceSolver(const Module& m) : module(m) {
    for (const FunctionPtr& f : module.functions) addFunction(*f);
    for (const KernelPtr& k : module.kernels) {
      for (const VarPtr& param : k->params) {
        track(*param);
        if (param->type->isPointer() && param->type->space == Space::Generic)
          spaces[param.get()] = Space::Global;
      }
      pinAddressTaken(k->body);
    }
  }

  void solve() {
    do {
      changed = false;
      for (const Function* f : functions) body(f->body, f);
      for (const KernelPtr& k : module.kernels) body(k->body, nullptr);
    } while (changed);
  }

  // The space to give a variable: what was found, or what it has.
  Space of(const Variable& var) const {
    auto known = spaces.find(&var);
    return known != spaces.end() && known->second && !pinned.contains(&var) ? *known->second
                                                                            : heldBy(var.type)->space;
  }
  Space of(const Function& f) const {
    auto known = results.find(&f);
    return known != results.end() && known->second ? *known->second : f.returnType->space;
  }

 private:
  void track(const Variable& var) {
    const TypePtr& type = heldBy(var.type);
    if (!type->isPointer()) return;
    Known start;
    if (type->space != Space::Generic) start = type->space;
    spaces.emplace(&var, start);
  }

  void addFunction(const Function& f) {
    if (!functions.insert(&f).second) return;
    for (const VarPtr& param : f.params) track(*param);
    if (f.returnType->isPointer()) {
      Known start;
      if (f.returnType->space != Space::Generic) start = f.returnType->space;
      results[&f] = start;
    }
    pinAddressTaken(f.body);
    walkExprs(f.body, [this](const Expr& e) {
      if (const auto* call = e.as<Call>(); call && call->function) addFunction(*call->function);
    });
  }

  // A pointer behind whose back another pointer may write keeps the type that the other one points to.
  void pinAddressTaken(const StmtPtr& s) {
    for (const Variable* var : addressTaken(s)) pinned.insert(var);
    walkExprs(s, [this](const Expr& e) {
      if (const auto* call = e.as<Call>(); call && call->function) addFunction(*call->function);
    });
  }

  void pin(const Variable& var) { changed |= pinned.insert(&var).second; }

  void join(Known& into, Known space) {
    Known result = joined(into, space);
    if (result == into) return;
    into = result;
    changed = true;
  }
  void flow(const Variable& var, const ExprPtr& value) {
    if (!heldBy(var.type)->isPointer() || var.storage == Storage::Global || !value->type->isPointer()) return;
    join(spaces[&var], pointer(value));
  }

  // Where a pointer value points, as far as it is known.
  Known pointer(const ExprPtr& e) const {
    if (e->is<NullPointer>()) return std::nullopt;
    if (const auto* var = e->as<VarRef>()) {
      if (pinned.contains(var->var.get())) return e->type->space;
      auto known = spaces.find(var->var.get());
      if (known != spaces.end()) return known->second;
      return var->var->storage == Storage::Global ? Known(e->type->space) : std::nullopt;
    }
    if (const Variable* array = arrayOfPointers(*e)) {
      auto known = spaces.find(array);
      return known != spaces.end() && !pinned.contains(array) ? known->second : Known(e->type->space);
    }
    if (const auto* address = e->as<AddressOf>()) return place(address->place);
    if (const auto* cast = e->as<Cast>(); cast && cast->operand->type->isPointer())
      return pointer(cast->operand);
    if (const auto* select = e->as<Select>()) return joined(pointer(select->yes), pointer(select->no));
    if (const auto* call = e->as<Call>(); call && call->function) {
      auto known = results.find(call->function.get());
      if (known != results.end()) return known->second;
    }
    return e->type->space;
  }

  Known place(const ExprPtr& e) const {
    if (const auto* var = e->as<VarRef>()) return var->var->space;
    if (const auto* element = e->as<Subscript>())
      return element->base->type->isPointer() ? pointer(element->base) : place(element->base);
    if (const auto* field = e->as<Member>()) return place(field->base);
    if (const auto* lanes = e->as<Swizzle>()) return place(lanes->base);
    return Space::Private;  // a temporary value
  }

  void body(const StmtPtr& s, const Function* within) {
    walkStmts(s, [&](const Stmt& stmt) {
      if (const auto* declaration = stmt.as<Declare>()) {
        track(*declaration->var);
        // Arrays that get their pointers otherwise than one by one keep their type.
        if (declaration->init && declaration->var->type->is(TypeKind::Array)) pin(*declaration->var);
        if (declaration->init) flow(*declaration->var, declaration->init);
      } else if (const auto* assignment = stmt.as<Assign>()) {
        if (const auto* var = assignment->place->as<VarRef>(); var && !assignment->op)
          flow(*var->var, assignment->value);
        if (const Variable* array = arrayOfPointers(*assignment->place); array && !assignment->op)
          flow(*array, assignment->value);
      } else if (const auto* ret = stmt.as<Return>()) {
        if (within && ret->value && within->returnType->isPointer())
          join(results[within], pointer(ret->value));
      }
    });
    walkExprs(s, [&](const Expr& e) {
      const auto* call = e.as<Call>();
      if (!call || !call->function) return;
      const Function& f = *call->function;
      for (size_t i = 0; i < call->args.size(); ++i) flow(*f.paramOf(i), call->args[i]);
      if (f.kind == FunctionKind::Constructor) join(spaces[f.params[0].get()], Space::Private);
    });
  }

  const Module& module;
  std::set<const Function*> functions;
  std::map<const Variable*, Known> spaces;
  std::map<const Function*, Known> results;
  std::set<const Variable*> pinned;
  bool changed = false;
};

class Retyper : public Rewriter {
 public:
  explicit Retyper(const SpaceSolver& solved) : spaces(solved) {}
  const Function* within = nullptr;

  VarPtr mapVar(const VarPtr& v) override {
    if (!heldBy(v->type)->isPointer() || v->storage == Storage::Global) return v;
    auto known = retyped.find(v);
    if (known != retyped.end()) return known->second;
    Space space = spaces.of(*v);
    VarPtr result = v;
    if (space != heldBy(v->type)->space) {
      auto copy = std::make_shared<Variable>(*v);
      copy->type = withHeldSpace(v->type, space);
      result = copy;
    }
    retyped[v] = retyped[result] = result;
    return result;
  }

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    if (const Variable* array = arrayOfPointers(*e)) return retype(e, heldBy(array->type)->space);
    if (const auto* address = e->as<AddressOf>())
      return retype(e, placeSpace(*address->place, e->type->space));
    if (const auto* cast = e->as<Cast>()) {
      if (!e->type->isPointer() || !cast->operand->type->isPointer()) return e;
      TypePtr type = withSpace(e->type, cast->operand->type->space);
      if (cast->isExplicit || !sameType(type, cast->operand->type)) return retype(e, type->space);
      return cast->operand;
    }
    if (const auto* select = e->as<Select>(); select && e->type->isPointer()) return mapSelect(e, *select);
    if (const auto* call = e->as<Call>()) return call->function ? mapCall(e, *call) : e;
    if (const auto* parts = e->as<Construct>()) return mapConstruct(e, *parts);
    return e;
  }

  StmtList mapStmt(const StmtPtr& s) override {
    if (const auto* n = as<Declare>(s)) {
      if (!n->init) return {s};
      ExprPtr init = received(n->init, n->var->type);
      return {init == n->init ? s : makeStmt(Declare{n->var, init}, s->loc)};
    }
    if (const auto* n = as<Assign>(s)) {
      if (n->op) return {s};
      ExprPtr value = received(n->value, n->place->type);
      return {value == n->value ? s : makeStmt(Assign{n->place, n->op, value, n->incrementStyle}, s->loc)};
    }
    if (const auto* n = as<Return>(s)) {
      if (!n->value || !within) return {s};
      ExprPtr value = received(n->value, within->returnType);
      return {value == n->value ? s : makeStmt(Return{value}, s->loc)};
    }
    return {s};
  }

 private:
  static ExprPtr retype(const ExprPtr& e, Space space) {
    return e->type->space == space ? e : makeExpr(withSpace(e->type, space), e->node, e->loc);
  }

  // A pointer where one of another space is wanted.
  static ExprPtr received(const ExprPtr& value, const TypePtr& type) {
    return value->type->isPointer() && type->isPointer() ? convert(value, type) : value;
  }

  static Space placeSpace(const Expr& e, Space otherwise) {
    if (const auto* var = e.as<VarRef>()) return var->var->space;
    if (const auto* element = e.as<Subscript>()) {
      const Type& base = *element->base->type;
      return base.isPointer() ? base.space : placeSpace(*element->base, otherwise);
    }
    if (const auto* field = e.as<Member>()) return placeSpace(*field->base, otherwise);
    if (const auto* lanes = e.as<Swizzle>()) return placeSpace(*lanes->base, otherwise);
    return otherwise;
  }

  static ExprPtr mapSelect(const ExprPtr& e, const Select& n) {
    const bool yesNull = n.yes->is<NullPointer>(), noNull = n.no->is<NullPointer>();
    Space yes = n.yes->type->space, no = n.no->type->space;
    Space space = noNull || yes == no ? yes : yesNull ? no : Space::Generic;
    TypePtr type = withSpace(e->type, space);
    ExprPtr first = received(n.yes, type), second = received(n.no, type);
    if (sameType(type, e->type) && first == n.yes && second == n.no) return e;
    return makeExpr(type, Select{n.cond, first, second}, e->loc);
  }

  ExprPtr mapCall(const ExprPtr& e, const Call& n) {
    Call call = n;
    bool changed = false;
    for (size_t i = 0; i < call.args.size(); ++i) {
      ExprPtr arg = received(call.args[i], mapVar(n.function->paramOf(i))->type);
      changed |= arg != call.args[i];
      call.args[i] = std::move(arg);
    }
    TypePtr type = e->type->isPointer() ? withSpace(e->type, spaces.of(*n.function)) : e->type;
    return changed || !sameType(type, e->type) ? makeExpr(type, std::move(call), e->loc) : e;
  }

  static ExprPtr mapConstruct(const ExprPtr& e, const Construct& n) {
    Construct result = n;
    bool changed = false;
    for (size_t i = 0; i < result.parts.size(); ++i) {
      TypePtr wanted;
      if (e->type->is(TypeKind::Array)) wanted = e->type->element;
      if (e->type->is(TypeKind::Struct) && e->type->record->bases.empty() &&
          i < e->type->record->fields.size())
        wanted = e->type->record->fields[i].type;
      if (!wanted) continue;
      ExprPtr part = received(result.parts[i], wanted);
      changed |= part != result.parts[i];
      result.parts[i] = std::move(part);
    }
    return changed ? makeExpr(e->type, std::move(result), e->loc) : e;
  }

  const SpaceSolver& spaces;
  std::map<VarPtr, VarPtr> retyped;
};

}  // namespace

void inferSpaces(Module& module) {
  SpaceSolver solver(module);
  solver.solve();
  Retyper retyper(solver);

  // Return types before all bodies and parameters after them, so that every call sees the same signature.
  std::vector<FunctionPtr> functions;
  std::set<const Function*> seen;
  auto collect = [&](const StmtPtr& s, const auto& self) -> void {
    walkExprs(s, [&](const Expr& e) {
      const auto* call = e.as<Call>();
      if (!call || !call->function || !seen.insert(call->function.get()).second) return;
      functions.push_back(call->function);
      self(call->function->body, self);
    });
  };
  for (const FunctionPtr& f : module.functions)
    if (seen.insert(f.get()).second) functions.push_back(f);
  const std::vector<FunctionPtr> declared = functions;
  for (const FunctionPtr& f : declared) collect(f->body, collect);
  for (const KernelPtr& k : module.kernels) collect(k->body, collect);

  for (const FunctionPtr& f : functions)
    if (f->returnType->isPointer()) f->returnType = withSpace(f->returnType, solver.of(*f));
  for (const FunctionPtr& f : functions) {
    retyper.within = f.get();
    f->body = retyper.rewriteBlock(f->body);
  }
  retyper.within = nullptr;
  for (KernelPtr& k : module.kernels) {
    auto copy = std::make_shared<Kernel>(*k);
    for (VarPtr& param : copy->params) param = retyper.mapVar(param);
    copy->body = retyper.rewriteBlock(k->body);
    k = std::move(copy);
  }
  for (const FunctionPtr& f : functions)
    for (VarPtr& param : f->params) param = retyper.mapVar(param);
}

}  // namespace hone::ir
