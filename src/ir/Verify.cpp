// The rules of well-formed IR.
//
// Structure
//    1. Nothing is missing: bodies, branches and loop bodies are Blocks, operands and types are set.
//    2. A variable is used only where it is a parameter, a global, or declared before in an enclosing scope.
//    3. A variable is declared once.
//    4. A reference to a variable has the variable's type.
//    5. A declared variable has a type of its own kind: not void, local storage, references are initialized
//    pointers,
//       shared variables have no initializer and do not stand in the head of a for.
//    6. An initializer has the variable's type.
//    7. The target of an assignment is a place that is not const (nor a swizzle that names a lane twice), and
//    the value has
//       its type. With an operator the value has the type in which C computes; for shifts it is an integer.
// Expressions
//    8. Operands of an operator have one type, promoted where C promotes, that the operator accepts; the
//    result is that type,
//       or bool for comparisons and logic (for vectors a vector of integers).
//    9. A conversion is between arithmetic types, vectors of equal lanes, a scalar and a vector, pointers, or
//    pointers
//       and integers.
//   10. The condition of a selection is bool, its arms have its type.
//   11. A call has one callee, as many arguments as it takes, of its parameters' types, and its type.
//   12. A call with effects is the whole initializer, the whole assigned value, or stands in an Eval; an Eval
//   holds a call.
//   13. The first index of a subscript goes through a pointer or array, each further one through a nested
//   array; indices
//       are integers.
//   14. A member exists in its struct and has the field's type.
//   15. Lanes exist in the vector.
//   16. An address is that of a place and has its type.
//   17. The parts of a constructed value fit it.
//   18. Literals have a type of their kind that holds the value.
//   19. Coordinates are integers on axes 0 to 2.
// Statements
//   20. Conditions are bool.
//   21. break stands in a loop or switch, continue in a loop; neither leaves the head of a for.
//   22. A kernel returns no value; a function returns its type.
//   23. A switch is over an integer; its labels are constants, all different; one default at most.
//   24. A barrier with a mask is one of a warp, and the mask is an integer.
//   25. A function that contains a barrier or exchange says that it synchronizes, one that writes memory says
//   so.
//   26. Parameters have parameter storage, are no arrays, and those of kernels are neither references nor
//   pointers to
//       private memory.
//   27. An unroll factor is -1 or more.
// Plans
//   28. A plan has an original and at least one step; each way through it ends in a launch or choice.
//   29. A launch has a kernel, a grid and a block of integers, and arguments of the kernel's parameter types.
//   30. A buffer is a pointer, has an integer count and is made before it is used.
//   31. A choice has a bool condition and both plans, of the same original.
//   32. A loop counts with an integer of its own under a bool condition and has a plan of the same original.
//   33. A plan that does several iterations has an original that knows its iteration.
#include "ir/Verify.h"

#include <set>

#include "ir/Dump.h"
#include "ir/HostIteration.h"
#include "ir/VerifyExpr.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {

namespace {

std::string firstLine(const StmtPtr& s) {
  std::string text = dump(s);
  return text.substr(0, text.find('\n'));
}

class BodyVerifier {
 public:
  std::vector<std::string> violations;

  BodyVerifier(std::string subject, const Function* within)
      : name(std::move(subject)),
        function(within),
        exprs([this](int rule, const std::string& what, SourceLoc loc) { fail(rule, what, loc); },
              [this](const Variable& var) {
                return var.storage == Storage::Global || visible.contains(&var);
              }) {}

  void run(const std::vector<VarPtr>& params, const StmtPtr& body, SourceLoc loc) {
    for (const VarPtr& param : params) parameter(param, loc);
    if (!as<Block>(body)) return fail(1, "the body is no block", loc);
    statement(body);
  }

  void fail(int rule, const std::string& what, SourceLoc loc) {
    std::string place = loc.valid() ? loc.str() + ": " : "";
    violations.push_back(place + name + ": rule " + std::to_string(rule) + ": " + what);
  }

 private:
  void expect(bool ok, int rule, const std::string& what, SourceLoc loc) {
    if (!ok) fail(rule, what, loc);
  }

  void parameter(const VarPtr& param, SourceLoc loc) {
    if (!param || !param->type) return fail(1, "a parameter is missing", loc);
    visible.insert(param.get());
    expect(everDeclared.insert(param.get()).second, 3, "parameter " + param->name + " stands twice", loc);
    expect(param->storage == Storage::Param, 26, param->name + " has no parameter storage", loc);
    bool legal = !param->type->is(TypeKind::Array) && !param->type->is(TypeKind::Void);
    expect(legal, 26, "parameter " + param->name + " of type " + str(*param->type), loc);
    bool hostMayPass =
        !param->isReference && (!param->type->isPointer() || param->type->space != Space::Private);
    expect(function || hostMayPass, 26, "kernel parameter " + param->name + " of type " + str(*param->type),
           loc);
    expect(!param->isReference || param->type->isPointer(), 5, "reference " + param->name + " is no pointer",
           loc);
  }

  // What is declared inside is forgotten at its end.
  template <class Fn> void scoped(Fn inside) {
    std::set<const Variable*> outer = visible;
    inside();
    visible = std::move(outer);
  }

  void branch(const StmtPtr& s, const char* what, SourceLoc loc) {
    if (!as<Block>(s)) return fail(1, std::string(what) + " is no block", loc);
    statement(s);
  }

  void list(const StmtList& stmts, SourceLoc loc) {
    for (const StmtPtr& s : stmts) s ? statement(s) : fail(1, "a statement is missing", loc);
  }

  void condition(const ExprPtr& cond, SourceLoc loc) {
    exprs.check(cond, loc);
    if (cond && cond->type)
      expect(cond->type->is(TypeKind::Bool), 20, "condition of type " + str(*cond->type), loc);
  }

  void statement(const StmtPtr& s) {
    std::visit([&](const auto& node) { one(s, node); }, s->node);
  }

  void one(const StmtPtr& s, const Declare& n) {
    if (!n.var || !n.var->type) return fail(1, "a declaration has no variable", s->loc);
    const Variable& var = *n.var;
    if (n.init) exprs.check(n.init, s->loc, true);
    expect(everDeclared.insert(&var).second, 3, "variable " + var.name + " is declared twice", s->loc);
    visible.insert(&var);
    expect(var.storage == Storage::Local, 5, var.name + " has no local storage", s->loc);
    expect(!var.type->is(TypeKind::Void), 5, "variable " + var.name + " of type void", s->loc);
    expect(!var.isReference || (var.type->isPointer() && n.init), 5,
           "reference " + var.name + " is no initialized pointer", s->loc);
    expect(var.space != Space::Shared || (!n.init && !inLoopHead), 5,
           "shared variable " + var.name + " with an initializer or in the head of a for", s->loc);
    if (n.init && n.init->type)
      expect(fits(*n.init->type, *var.type), 6,
             "variable " + var.name + " of type " + str(*var.type) + " initialized by " + str(*n.init->type),
             s->loc);
  }

  void one(const StmtPtr& s, const Assign& n) {
    exprs.check(n.place, s->loc);
    exprs.check(n.value, s->loc, true);
    if (!n.place || !n.place->type || !n.value || !n.value->type) return;
    const Type &place = *n.place->type, &value = *n.value->type;
    const std::string what = firstLine(s);
    if (!isPlace(*n.place)) return fail(7, "assignment to no place: " + what, s->loc);
    if (const auto* var = n.place->as<VarRef>())
      expect(!var->var->isConst, 7, "assignment to a constant: " + what, s->loc);
    if (const auto* lanes = n.place->as<Swizzle>()) {
      std::set<uint8_t> distinct(lanes->lanes.begin(), lanes->lanes.end());
      expect(distinct.size() == lanes->lanes.size(), 7, "a lane is assigned twice: " + what, s->loc);
    }
    const std::string types = str(value) + " assigned to " + str(place) + ": " + what;
    if (!n.op) return expect(fits(value, place), 7, types, s->loc);
    bool computes = place.isArithmetic() || place.is(TypeKind::Vector);
    bool isCompound = *n.op <= BinaryOp::BitXor;
    if (isShift(*n.op)) {
      bool integer = value.isInteger() || (value.is(TypeKind::Vector) && value.element->isInteger());
      return expect(computes && integer, 7, types, s->loc);
    }
    bool right =
        isCompound && computes && (value.isArithmetic() || value.is(TypeKind::Vector)) &&
        sameType(usualArithmetic(bitField(*n.place) ? promotedValue(*n.place) : n.place->type, n.value->type),
                 n.value->type);
    expect(right, 7, types, s->loc);
  }

  void one(const StmtPtr& s, const Eval& n) {
    exprs.check(n.call, s->loc, true);
    expect(as<Call>(n.call), 12, "evaluation of no call: " + firstLine(s), s->loc);
  }

  void one(const StmtPtr& s, const If& n) {
    condition(n.cond, s->loc);
    branch(n.then, "a branch", s->loc);
    if (n.otherwise) branch(n.otherwise, "a branch", s->loc);
  }

  template <class Fn> void loop(Fn inside) {
    bool outerBreak = mayBreak, outerContinue = mayContinue;
    mayBreak = mayContinue = true;
    inside();
    mayBreak = outerBreak;
    mayContinue = outerContinue;
  }

  // init and step: no way out of the loop starts there.
  void head(const StmtList& stmts, SourceLoc loc) {
    bool outer = inLoopHead, outerBreak = mayBreak, outerContinue = mayContinue;
    inLoopHead = true;
    mayBreak = mayContinue = false;
    list(stmts, loc);
    inLoopHead = outer;
    mayBreak = outerBreak;
    mayContinue = outerContinue;
  }

  void one(const StmtPtr& s, const For& n) {
    expect(n.unroll >= -1, 27, "unroll factor " + std::to_string(n.unroll), s->loc);
    scoped([&] {
      head(n.init, s->loc);
      if (n.cond) condition(n.cond, s->loc);
      loop([&] { branch(n.body, "a loop body", s->loc); });
      head(n.step, s->loc);
    });
  }

  void one(const StmtPtr& s, const While& n) {
    expect(n.unroll >= -1, 27, "unroll factor " + std::to_string(n.unroll), s->loc);
    condition(n.cond, s->loc);
    loop([&] { branch(n.body, "a loop body", s->loc); });
  }

  void one(const StmtPtr& s, const DoWhile& n) {
    expect(n.unroll >= -1, 27, "unroll factor " + std::to_string(n.unroll), s->loc);
    loop([&] { branch(n.body, "a loop body", s->loc); });
    condition(n.cond, s->loc);
  }

  void one(const StmtPtr& s, const Switch& n) {
    exprs.check(n.value, s->loc);
    if (n.value && n.value->type)
      expect(n.value->type->isInteger(), 23, "switch over " + str(*n.value->type), s->loc);
    unsigned defaults = 0;
    std::set<uint64_t> labels;
    bool outer = mayBreak;
    mayBreak = true;
    scoped([&] {
      for (const SwitchCase& c : n.cases) {
        defaults += c.isDefault;
        for (const ExprPtr& label : c.values) caseLabel(label, labels, s->loc);
        list(c.body, s->loc);
      }
    });
    mayBreak = outer;
    expect(defaults <= 1, 23, "several defaults", s->loc);
  }

  void caseLabel(const ExprPtr& label, std::set<uint64_t>& labels, SourceLoc loc) {
    exprs.check(label, loc);
    std::optional<int64_t> value = constantValue(label);
    const auto* literal = as<IntLiteral>(label);
    if (!value && !literal) return fail(23, "label that is no constant", loc);
    uint64_t key = value ? static_cast<uint64_t>(*value) : literal->value;
    expect(labels.insert(key).second, 23, "label " + std::to_string(key) + " stands twice", loc);
  }

  void one(const StmtPtr& s, const Break&) { expect(mayBreak, 21, "break outside a loop or switch", s->loc); }
  void one(const StmtPtr& s, const Continue&) { expect(mayContinue, 21, "continue outside a loop", s->loc); }

  void one(const StmtPtr& s, const Return& n) {
    expect(!inLoopHead, 21, "return in the head of a for", s->loc);
    if (n.value) exprs.check(n.value, s->loc, false);
    const bool returnsVoid = !function || function->returnType->is(TypeKind::Void);
    if (returnsVoid) return expect(!n.value, 22, "a value is returned", s->loc);
    if (!n.value) return fail(22, "no value is returned", s->loc);
    if (n.value->type)
      expect(fits(*n.value->type, *function->returnType), 22,
             "returns " + str(*n.value->type) + ", not " + str(*function->returnType), s->loc);
  }

  void one(const StmtPtr& s, const Block& n) {
    scoped([&] { list(n.stmts, s->loc); });
  }

  void one(const StmtPtr& s, const Barrier& n) {
    if (!n.mask) return;
    exprs.check(n.mask, s->loc);
    expect(n.scope == SyncScope::Warp && n.mask->type->isInteger(), 24, "mask of a barrier: " + firstLine(s),
           s->loc);
  }

  void one(const StmtPtr&, const Fence&) {}

  void one(const StmtPtr& s, const Printf& n) {
    for (const ExprPtr& arg : n.args) exprs.check(arg, s->loc);
  }

  void one(const StmtPtr& s, const Assert& n) { condition(n.cond, s->loc); }
  void one(const StmtPtr&, const Comment&) {}

  std::string name;
  const Function* function;
  ExprVerifier exprs;
  std::set<const Variable*> visible, everDeclared;
  bool mayBreak = false, mayContinue = false, inLoopHead = false;
};

// Rule 25: what the flags of a function must admit.
void verifyFlags(const Function& f, BodyVerifier& verifier) {
  bool synchronizes = false, writes = false;
  SourceLoc syncLoc, writeLoc;
  auto noteSync = [&](SourceLoc loc) { synchronizes = true, syncLoc = loc; };
  auto noteWrite = [&](SourceLoc loc) { writes = true, writeLoc = loc; };
  walkStmts(f.body, [&](const Stmt& s) {
    if (s.is<Barrier>()) noteSync(s.loc);
    for (const Access& access : accesses(s)) {
      if (access.mode != AccessMode::Write && access.mode != AccessMode::ReadWrite) continue;
      const auto* element = as<Subscript>(access.place);
      bool behindPointer =
          element && element->base->type->isPointer() &&
          (element->base->type->space == Space::Global || element->base->type->space == Space::Shared);
      const auto* var = as<VarRef>(access.place);
      if (behindPointer || (var && var->var->storage == Storage::Global)) noteWrite(s.loc);
    }
  });
  walkExprs(f.body, [&](const Expr& e) {
    const auto* call = e.as<Call>();
    if (!call) return;
    bool sync =
        call->function ? call->function->synchronizes : call->intrinsic && call->intrinsic->synchronizes();
    if (sync) noteSync(e.loc);
  });
  if (synchronizes && !f.synchronizes) verifier.fail(25, "it synchronizes and does not say so", syncLoc);
  if (writes && !f.writesMemory) verifier.fail(25, "it writes memory and does not say so", writeLoc);
}

class PlanVerifier {
 public:
  std::vector<std::string> violations;

  explicit PlanVerifier(const Plan& p)
      : exprs(
            [this](int rule, const std::string& what, SourceLoc) { fail(rule, what); },
            [this](const Variable& var) { return var.storage == Storage::Global || visible.contains(&var); }),
        original(p.original) {
    if (!original) {
      fail(28, "no original kernel");
      return;
    }
    for (const VarPtr& param : original->params) visible.insert(param.get());
    if (original->iteration)
      for (const VarPtr& other : original->iteration->others) visible.insert(other.get());
    plan(p);
  }

 private:
  void fail(int rule, const std::string& what) {
    violations.push_back("plan of " + (original ? original->name : "?") + ": rule " + std::to_string(rule) +
                         ": " + what);
  }

  void plan(const Plan& p) {
    if (p.original != original) fail(31, "a choice has a plan of another kernel");
    if (p.steps.empty()) return fail(28, "no steps");
    if (p.iterations > 1 && !original->iteration)
      fail(33, "several iterations of a launch that stands in no loop");
    if (std::holds_alternative<BufferStep>(p.steps.back())) fail(28, "the last step is a buffer");
    const std::set<const Variable*> outer = visible;
    for (const Step& s : p.steps) std::visit([this](const auto& node) { step(node); }, s);
    visible = outer;
  }

  void extent(const ExprPtr& e, const char* what) {
    if (!e) return fail(29, std::string("a launch without ") + what);
    exprs.check(e, {});
    if (e->type && !e->type->isInteger()) fail(29, std::string(what) + " of type " + str(*e->type));
  }

  void step(const LaunchStep& s) {
    if (!s.kernel) return fail(29, "a launch without a kernel");
    for (const ExprPtr& e : s.grid) extent(e, "grid");
    for (const ExprPtr& e : s.block) extent(e, "block");
    if (s.sharedBytes) extent(s.sharedBytes, "shared memory size");
    if (s.args.size() != s.kernel->params.size())
      return fail(29, s.kernel->name + " launched with " + std::to_string(s.args.size()) + " arguments");
    for (size_t i = 0; i < s.args.size(); ++i) {
      exprs.check(s.args[i], {});
      const VarPtr& param = s.kernel->params[i];
      if (s.args[i] && s.args[i]->type && !fits(*s.args[i]->type, *param->type))
        fail(29, s.kernel->name + " gets " + str(*s.args[i]->type) + " for its parameter " + param->name +
                     " of type " + str(*param->type));
    }
    for (std::string& violation : verify(*s.kernel)) violations.push_back(std::move(violation));
  }

  void step(const BufferStep& s) {
    if (!s.buffer || !s.buffer->type->isPointer()) return fail(30, "a buffer is no pointer");
    exprs.check(s.count, {});
    if (s.count && s.count->type && !s.count->type->isInteger())
      fail(30, "buffer count of type " + str(*s.count->type));
    if (!visible.insert(s.buffer.get()).second) fail(30, "buffer " + s.buffer->name + " is made twice");
  }

  void step(const ChoiceStep& s) {
    exprs.check(s.cond, {});
    if (s.cond && s.cond->type && !s.cond->type->is(TypeKind::Bool))
      fail(31, "condition of type " + str(*s.cond->type));
    if (!s.then || !s.otherwise) return fail(31, "a choice lacks a plan");
    plan(*s.then);
    if (!s.otherwise->steps.empty()) plan(*s.otherwise);  // empty: nothing is done there
  }

  void step(const LoopStep& s) {
    if (!s.var || !s.var->type->is(TypeKind::Int)) return fail(32, "a loop counts with no integer");
    exprs.check(s.begin, {});
    if (!visible.insert(s.var.get()).second)
      return fail(32, "a loop counts with " + s.var->name + ", which is known already");
    for (const ExprPtr& e : {s.cond, s.next}) exprs.check(e, {});
    if (s.cond && s.cond->type && !s.cond->type->is(TypeKind::Bool))
      fail(32, "condition of type " + str(*s.cond->type));
    if (!s.body) return fail(32, "a loop without a plan");
    plan(*s.body);
    visible.erase(s.var.get());
  }

  ExprVerifier exprs;
  KernelPtr original;
  std::set<const Variable*> visible;
};

}  // namespace

std::vector<std::string> verify(const Kernel& kernel) {
  BodyVerifier verifier(kernel.name, nullptr);
  verifier.run(kernel.params, kernel.body, kernel.loc);
  return std::move(verifier.violations);
}

std::vector<std::string> verify(const Function& function) {
  BodyVerifier verifier(function.name, &function);
  if (!function.returnType) {
    verifier.fail(1, "no return type", function.loc);
    return std::move(verifier.violations);
  }
  verifier.run(function.params, function.body, function.loc);
  if (verifier.violations.empty()) verifyFlags(function, verifier);
  return std::move(verifier.violations);
}

std::vector<std::string> verify(const Plan& plan) { return PlanVerifier(plan).violations; }

}  // namespace hone::ir
