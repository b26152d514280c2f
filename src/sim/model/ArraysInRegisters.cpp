#include "sim/model/ArraysInRegisters.h"

#include <map>

#include "ir/Build.h"
#include "ir/Substitute.h"
#include "ir/TripCount.h"
#include "sim/model/WholeMoves.h"

namespace hone::sim {

using namespace ir;

namespace {

constexpr size_t mostStatements = 20'000;  // that unrolled loops become: more take too long here
// Compilers unroll loops of so many times the usual size where arrays come to registers by it.
constexpr size_t ownArraysAreWorth = 4;

bool isOwnArray(const Variable& var) {
  return var.storage == Storage::Local && var.space == Space::Private && var.type->is(TypeKind::Array);
}

size_t statementsIn(const StmtPtr& s) {
  size_t count = 0;
  walkStmts(s, [&](const Stmt&) { ++count; });
  return count;
}

// Operations of a loop's body that its iterations do not have in common.
size_t operationsIn(const StmtPtr& body, const Variable* counter) {
  std::set<const Variable*> changing = assignedVariables(body);
  changing.merge(declaredVariables(body));
  changing.insert(counter);
  size_t count = 0;
  // A choice and a step of `&&` are a jump and what the ways bring together.
  walkStmts(body, [&](const Stmt& one) { count += one.is<If>() ? 2 : 0; });
  walkExprs(body, [&](const Expr& e) {
    const auto* op = e.as<Binary>();
    const bool isJump = op && (op->op == BinaryOp::LogicalAnd || op->op == BinaryOp::LogicalOr);
    if (!op && !e.is<Call>() && !e.is<Select>() && !e.is<Subscript>()) return;
    bool changes = e.is<Subscript>();
    forEachChild(e, [&](const ExprPtr& child) {
      walkExprs(child, [&](const Expr& part) {
        const auto* var = part.as<VarRef>();
        changes = changes || part.is<Subscript>() || (var && changing.contains(var->var.get()));
      });
    });
    if (changes) count += isJump || e.is<Subscript>() ? 2 : 1;
  });
  return count;
}

class Unroller : public Rewriter {
 public:
  std::map<std::string, uint64_t> doubtful;  // bytes, by name: copies of a body have arrays of their own

  Unroller(const StmtPtr& body, const target::CompilerModel& c) : taken(addressTaken(body)), compiler(c) {}

 protected:
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* loop = s->as<For>();
    if (!loop || (loop->unroll != -1 && loop->unroll != 0)) return {s};
    const bool isAsked = loop->unroll == -1 || !subscriptedBy(*loop).empty();
    auto count = counted(*loop, &taken);
    if (!count || !count->declares || !count->begin ||
        (count->op != BinaryOp::Add && count->op != BinaryOp::Sub))
      return {s};
    const auto step = constantValue(count->step);
    if (!step || *step <= 0 || loop->init.size() != 1 || loop->step.size() != 1) return {s};
    bool leaves = false;
    walkStmts(loop->body, [&](const Stmt& one) { leaves = leaves || one.is<Break>() || one.is<Continue>(); });
    if (leaves) return {s};
    const auto values = iterationValues(*loop, *count, compiler.wholeLoopIterations);
    if (!values) return {s};
    const size_t operations = operationsIn(loop->body, count->var.get()) * values->size();
    if (!isAsked && operations > compiler.wholeLoopOperations) return {s};
    if (loop->unroll == 0 && operations > ownArraysAreWorth * compiler.wholeLoopOperations)
      for (const VarPtr& array : subscriptedBy(*loop)) doubtful[array->name] = sizeOf(*array->type);
    const size_t size = statementsIn(loop->body) * values->size();
    if (made + size > mostStatements) return {s};
    made += size;
    StmtList out;
    bool hasLoops = false;
    walkStmts(loop->body, [&](const Stmt& one) { hasLoops = hasLoops || one.is<For>(); });
    for (int64_t v : *values) {
      const StmtPtr copy = freshCopy(loop->body, {{count->var, intLit(v, count->var->type)}});
      // Loops that run up to this one's counter have a number of iterations now.
      out.push_back(hasLoops ? rewriteBlock(copy) : copy);
    }
    return out;
  }

 private:
  // The thread's own arrays that have the loop's counter in a subscript.
  static std::set<VarPtr> subscriptedBy(const For& loop) {
    const auto* declared = loop.init.size() == 1 ? loop.init[0]->as<Declare>() : nullptr;
    std::set<VarPtr> found;
    if (declared)
      walkExprs(loop.body, [&](const Expr& e) {
        const auto* s = e.as<Subscript>();
        const auto* base = s ? ir::as<VarRef>(s->base) : nullptr;
        if (!base || !isOwnArray(*base->var)) return;
        for (const ExprPtr& index : s->indices)
          if (mentions(index, declared->var.get())) found.insert(base->var);
      });
    return found;
  }

  std::set<const Variable*> taken;
  const target::CompilerModel& compiler;
  size_t made = 0;
};

// The innermost element type of an array, and its extents.
TypePtr elementOf(TypePtr type, std::vector<int64_t>& extents) {
  while (type->is(TypeKind::Array)) {
    extents.push_back(type->extent);
    type = type->element;
  }
  return type;
}

// The number of the element that constant subscripts name; nothing when they are not, or leave the array.
std::optional<int64_t> elementNumber(const Subscript& s, const std::vector<int64_t>& extents) {
  if (s.indices.size() != extents.size()) return std::nullopt;
  int64_t at = 0;
  for (size_t i = 0; i < extents.size(); ++i) {
    auto index = constantValue(s.indices[i]);
    if (!index || *index < 0 || *index >= extents[i]) return std::nullopt;
    at = at * extents[i] + *index;
  }
  return at;
}

class Scalars : public Rewriter {
 public:
  explicit Scalars(const StmtPtr& body) {
    std::map<const Variable*, size_t> named, subscripted;
    std::map<const Variable*, bool> plain;
    walkStmts(body, [&](const Stmt& s) {
      const auto* d = s.as<Declare>();
      if (!d || !isOwnArray(*d->var)) return;
      std::vector<int64_t> extents;
      TypePtr element = elementOf(d->var->type, extents);
      int64_t size = 1;
      for (int64_t e : extents) size = e > 0 && size < 4096 ? size * e : 1 << 20;
      const auto* list = ir::as<Construct>(d->init);
      const bool initFits = !d->init || (list && list->parts.empty()) || (list && extents.size() == 1);
      plain[d->var.get()] =
          initFits && size <= 1024 && (element->isArithmetic() || element->is(TypeKind::Vector));
    });
    walkExprs(body, [&](const Expr& e) {
      if (const auto* var = e.as<VarRef>(); var && isOwnArray(*var->var)) ++named[var->var.get()];
      const auto* s = e.as<Subscript>();
      const auto* base = s ? ir::as<VarRef>(s->base) : nullptr;
      if (!base || !isOwnArray(*base->var)) return;
      std::vector<int64_t> extents;
      elementOf(base->var->type, extents);
      if (elementNumber(*s, extents)) ++subscripted[base->var.get()];
    });
    for (const Variable* var : addressTaken(body)) plain[var] = false;
    for (const auto& [var, isPlain] : plain)
      if (isPlain && named[var] == subscripted[var]) parts[var];
  }
  bool isNeeded() const { return !parts.empty(); }

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* s = ir::as<Subscript>(e);
    const auto* base = s ? ir::as<VarRef>(s->base) : nullptr;
    if (!base || !parts.contains(base->var.get())) return e;
    std::vector<int64_t> extents;
    elementOf(base->var->type, extents);
    return ref(partOf(base->var, *elementNumber(*s, extents)), e->loc);
  }
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* d = s->as<Declare>();
    if (!d || !parts.contains(d->var.get())) return {s};
    std::vector<int64_t> extents;
    TypePtr element = elementOf(d->var->type, extents);
    int64_t size = 1;
    for (int64_t extent : extents) size *= extent;
    const auto* list = ir::as<Construct>(d->init);
    StmtList out;
    for (int64_t i = 0; i < size; ++i) {
      ExprPtr init;
      if (list) init = i < int64_t(list->parts.size()) ? list->parts[i] : zeroOf(element);
      out.push_back(makeStmt(Declare{partOf(d->var, i), init}, s->loc));
    }
    return out;
  }

 private:
  VarPtr partOf(const VarPtr& array, int64_t number) {
    VarPtr& part = parts[array.get()][number];
    if (!part) {
      auto made = std::make_shared<Variable>(*array);
      std::vector<int64_t> extents;
      made->type = elementOf(array->type, extents);
      made->name = array->name + "_" + std::to_string(number);
      part = made;
    }
    return part;
  }

  std::map<const Variable*, std::map<int64_t, VarPtr>> parts;
};

}  // namespace

KernelPtr arraysInRegisters(const KernelPtr& kernel, const target::CompilerModel& compiler,
                            uint64_t* doubtful) {
  bool hasWork = false;
  walkStmts(kernel->body, [&](const Stmt& s) {
    const auto* d = s.as<Declare>();
    hasWork = hasWork || (d && isOwnArray(*d->var)) || s.is<For>();
  });
  if (!hasWork) return kernel;
  auto copy = std::make_shared<Kernel>(*kernel);
  Unroller unroller(kernel->body, compiler);
  copy->body = unroller.rewriteBlock(kernel->body);
  if (doubtful)
    for (const auto& [array, bytes] : unroller.doubtful) *doubtful += bytes;
  copy->body = withMovesByElement(copy->body);
  Scalars scalars(copy->body);
  if (scalars.isNeeded()) copy->body = scalars.rewriteBlock(copy->body);
  return copy;
}

}  // namespace hone::sim
