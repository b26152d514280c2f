#include "ir/Compare.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <map>
#include <set>

#include "ir/Dump.h"
#include "ir/NamedValues.h"
#include "ir/Walk.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {

namespace {

// A branch that does nothing is no branch.
bool isEmptyBranch(const StmtPtr& s) {
  if (!s) return true;
  const auto* list = as<Block>(s);
  if (!list) return false;
  for (const StmtPtr& child : list->stmts)
    if (!child->is<Comment>()) return false;
  return true;
}

class Comparer {
 public:
  bool freeByIdentity = false;  // variables that were not bound on both sides must be one object
  bool explains = true;         // wants to know why
  std::string why;

  bool bind(const VarPtr& a, const VarPtr& b, const char* what) {
    if (!declared(*a, *b, what)) return false;
    left[a.get()] = b.get();
    right[b.get()] = a.get();
    return true;
  }

  bool kernels(const Kernel& a, const Kernel& b) {
    if (!parameters(a.params, b.params, a.loc, b.loc)) return false;
    const LaunchBounds x = a.launchBounds.value_or(LaunchBounds{}),
                       y = b.launchBounds.value_or(LaunchBounds{});
    if (x.maxThreads != y.maxThreads || x.minBlocks != y.minBlocks || x.maxCluster != y.maxCluster)
      return differ(a.loc, b.loc, "launch bounds differ");
    if (a.requiredBlock != b.requiredBlock) return differ(a.loc, b.loc, "required block shapes differ");
    return stmts(a.body, b.body);
  }

  bool functions(const Function& a, const Function& b) {
    if (&a == &b) return true;
    if (!assumedFunctions.insert({&a, &b}).second) return true;
    Comparer inner;
    inner.explains = explains;
    inner.assumedFunctions = assumedFunctions;
    inner.assumedRecords = assumedRecords;
    bool same = inner.types(a.returnType, b.returnType) || inner.differ(a.loc, b.loc, "return types differ");
    same = same && inner.parameters(a.params, b.params, a.loc, b.loc);
    same = same && (!a.body == !b.body || inner.differ(a.loc, b.loc, "only one has a body"));
    same = same && (!a.body || inner.stmts(a.body, b.body));
    assumedFunctions = inner.assumedFunctions;
    if (!same) why = "in function " + a.name + ": " + inner.why;
    return same;
  }

  bool types(const TypePtr& a, const TypePtr& b) {
    if (a == b) return true;
    if (!a || !b || a->kind != b->kind) return false;
    switch (a->kind) {
      case TypeKind::Vector: return a->lanes == b->lanes && types(a->element, b->element);
      case TypeKind::Pointer:
        return a->space == b->space && a->isVolatile == b->isVolatile && types(a->element, b->element);
      case TypeKind::Array: return a->extent == b->extent && types(a->element, b->element);
      case TypeKind::Struct: return records(*a->record, *b->record);
      default: return sameType(a, b);
    }
  }

  bool exprs(const ExprPtr& first, const ExprPtr& second) {
    const ExprPtr a = constants.of(first), b = constants.of(second);
    if (!a || !b)
      return !a == !b ||
             differ(a ? a->loc : SourceLoc{}, b ? b->loc : SourceLoc{}, "an expression is missing");
    if (a == b && freeByIdentity && left.empty()) return true;
    if (a->is<NullPointer>() && b->is<NullPointer>()) return true;  // of whatever pointer type
    if (a->node.index() != b->node.index()) return differ(a, b);
    bool same = std::visit(
        [&](const auto& x) { return one(x, std::get<std::decay_t<decltype(x)>>(withoutZeros(b)->node)); },
        withoutZeros(a)->node);
    if (!same) return differ(a, b);
    if (!types(a->type, b->type))
      return explains &&
             differ(a->loc, b->loc, "type " + str(*a->type) + " against " + str(*b->type) + " of " + dump(a));
    return true;
  }

  bool stmts(const StmtPtr& a, const StmtPtr& b) {
    if (!a || !b)
      return !a == !b || differ(a ? a->loc : SourceLoc{}, b ? b->loc : SourceLoc{}, "a statement is missing");
    if (a->node.index() != b->node.index()) return differ(a, b);
    bool same = std::visit(
        [&](const auto& x) { return one(x, std::get<std::decay_t<decltype(x)>>(b->node)); }, a->node);
    return same || differ(a, b);
  }

  bool plans(const Plan& a, const Plan& b) {
    if (!subKernels(a.original, b.original, "original kernel")) return false;
    for (size_t i = 0; i < a.original->params.size(); ++i)
      if (!bind(a.original->params[i], b.original->params[i], "parameter")) return false;
    return steps(a, b);
  }

  bool differ(SourceLoc a, SourceLoc b, const std::string& what) {
    if (!explains || !why.empty()) return false;
    std::string place = a.str();
    if (!b.str().empty() && b.str() != place) place += (place.empty() ? "" : " and ") + b.str();
    why = place.empty() ? what : place + ": " + what;
    return false;
  }

 private:
  static std::string firstLine(std::string text) {
    text = text.substr(0, text.find('\n'));
    return text.size() > 160 ? text.substr(0, 157) + "..." : text;
  }
  template <class Node> bool differ(const std::shared_ptr<const Node>& a,
                                    const std::shared_ptr<const Node>& b) {
    if (!explains || !why.empty()) return false;
    return differ(a->loc, b->loc, "`" + firstLine(dump(a)) + "` against `" + firstLine(dump(b)) + "`");
  }

  bool records(const Record& a, const Record& b) {
    if (&a == &b) return true;
    if (!assumedRecords.insert({&a, &b}).second) return true;
    bool same = a.isUnion == b.isUnion && a.isComplete == b.isComplete &&
                a.fields.size() == b.fields.size() && a.bases.size() == b.bases.size();
    for (size_t i = 0; same && i < a.bases.size(); ++i) same = types(a.bases[i], b.bases[i]);
    for (size_t i = 0; same && i < a.fields.size(); ++i)
      same = a.fields[i].name == b.fields[i].name && a.fields[i].bits == b.fields[i].bits &&
             types(a.fields[i].type, b.fields[i].type);
    if (!same) assumedRecords.erase({&a, &b});
    return same;
  }

  // A type of a declaration: the qualifiers that change meaning count.
  bool declared(const Variable& a, const Variable& b, const char* what) {
    auto fail = [&](const std::string& how) {
      return differ(a.loc, b.loc, std::string(what) + " " + a.name + ": " + how);
    };
    if (!types(a.type, b.type)) return fail("type " + str(*a.type) + " against " + str(*b.type));
    if (a.type->isRestrict != b.type->isRestrict) return fail("restrict on one side only");
    if (a.space != b.space) return fail(std::string("space ") + str(a.space) + " against " + str(b.space));
    if (a.isVolatile != b.isVolatile) return fail("volatile on one side only");
    if (a.isDynamicShared != b.isDynamicShared) return fail("dynamic shared memory on one side only");
    if (a.alignment != b.alignment) return fail("alignments differ");
    return true;
  }

  bool parameters(const std::vector<VarPtr>& a, const std::vector<VarPtr>& b, SourceLoc la, SourceLoc lb) {
    if (a.size() != b.size())
      return differ(la, lb, std::to_string(a.size()) + " parameters against " + std::to_string(b.size()));
    for (size_t i = 0; i < a.size(); ++i)
      if (!bind(a[i], b[i], "parameter")) return false;
    return true;
  }

  bool variables(const VarPtr& a, const VarPtr& b) {
    auto l = left.find(a.get());
    auto r = right.find(b.get());
    if (l != left.end() || r != right.end())
      return l != left.end() && r != right.end() && l->second == b.get() && r->second == a.get();
    if (a == b) return true;
    if (freeByIdentity) return false;
    if (a->storage == Storage::Global || b->storage == Storage::Global)
      return a->storage == b->storage && a->name == b->name && declared(*a, *b, "global");
    return bind(a, b, "variable");  // free on both sides: as if declared here
  }

  bool lists(const std::vector<ExprPtr>& a, const std::vector<ExprPtr>& b) {
    if (a.size() != b.size()) return false;
    for (size_t i = 0; i < a.size(); ++i)
      if (!exprs(a[i], b[i])) return false;
    return true;
  }

  // What counts of a list: comments and the names of constants do not.
  StmtList meant(const StmtList& list) {
    StmtList result;
    for (const StmtPtr& s : list) {
      if (s->is<Comment>()) continue;
      if (!constants.note(*s)) result.push_back(s);
    }
    return result;
  }

  bool lists(const StmtList& first, const StmtList& second) {
    const StmtList a = meant(first), b = meant(second);
    size_t common = std::min(a.size(), b.size());
    for (size_t i = 0; i < common; ++i)
      if (!stmts(a[i], b[i])) return false;
    if (a.size() == b.size()) return true;
    const StmtPtr& extra = a.size() > common ? a[common] : b[common];
    return differ(extra->loc, {},
                  std::string(a.size() > common ? "only the first" : "only the second") + " has `" +
                      firstLine(dump(extra)) + "`");
  }

  // Expressions.
  bool one(const IntLiteral& a, const IntLiteral& b) { return a.value == b.value && a.role == b.role; }
  bool one(const FloatLiteral& a, const FloatLiteral& b) {
    if (std::isnan(a.value) || std::isnan(b.value)) return std::isnan(a.value) && std::isnan(b.value);
    return std::bit_cast<uint64_t>(a.value) == std::bit_cast<uint64_t>(b.value);
  }
  bool one(const NullPointer&, const NullPointer&) { return true; }
  bool one(const VarRef& a, const VarRef& b) { return variables(a.var, b.var); }
  bool one(const Coord& a, const Coord& b) { return a.kind == b.kind && a.axis == b.axis; }
  bool one(const Unary& a, const Unary& b) { return a.op == b.op && exprs(a.operand, b.operand); }
  bool one(const Binary& a, const Binary& b) {
    return a.op == b.op && exprs(a.lhs, b.lhs) && exprs(a.rhs, b.rhs);
  }
  bool one(const Cast& a, const Cast& b) { return exprs(a.operand, b.operand); }
  bool one(const Select& a, const Select& b) {
    return exprs(a.cond, b.cond) && exprs(a.yes, b.yes) && exprs(a.no, b.no);
  }
  bool one(const Call& a, const Call& b) {
    if (a.intrinsic != b.intrinsic || !a.function != !b.function) return false;
    if (a.typeArgs.size() != b.typeArgs.size() || a.format != b.format || a.texts != b.texts) return false;
    for (size_t i = 0; i < a.typeArgs.size(); ++i)
      if (!types(a.typeArgs[i], b.typeArgs[i])) return false;
    return lists(a.args, b.args) && (!a.function || functions(*a.function, *b.function));
  }
  bool one(const Subscript& a, const Subscript& b) {
    return exprs(a.base, b.base) && lists(a.indices, b.indices);
  }
  bool one(const Member& a, const Member& b) {
    return a.baseClass == b.baseClass && (a.baseClass >= 0 || a.field == b.field) && exprs(a.base, b.base);
  }
  bool one(const Swizzle& a, const Swizzle& b) { return a.lanes == b.lanes && exprs(a.base, b.base); }
  bool one(const AddressOf& a, const AddressOf& b) { return exprs(a.place, b.place); }
  bool one(const Construct& a, const Construct& b) { return lists(a.parts, b.parts); }

  // Statements.
  bool one(const Declare& a, const Declare& b) {
    return exprs(a.init, b.init) && bind(a.var, b.var, "variable");
  }
  bool one(const Assign& a, const Assign& b) {
    return a.op == b.op && exprs(a.place, b.place) && exprs(a.value, b.value);
  }
  bool one(const Eval& a, const Eval& b) { return exprs(a.call, b.call); }
  bool one(const If& a, const If& b) {
    if (!exprs(a.cond, b.cond) || !stmts(a.then, b.then)) return false;
    return (isEmptyBranch(a.otherwise) && isEmptyBranch(b.otherwise)) || stmts(a.otherwise, b.otherwise);
  }
  bool one(const For& a, const For& b) {
    return a.unroll == b.unroll && lists(a.init, b.init) && exprs(a.cond, b.cond) && lists(a.step, b.step) &&
           stmts(a.body, b.body);
  }
  bool one(const While& a, const While& b) {
    return a.unroll == b.unroll && exprs(a.cond, b.cond) && stmts(a.body, b.body);
  }
  bool one(const DoWhile& a, const DoWhile& b) {
    return a.unroll == b.unroll && stmts(a.body, b.body) && exprs(a.cond, b.cond);
  }
  bool one(const Switch& a, const Switch& b) {
    if (!exprs(a.value, b.value) || a.cases.size() != b.cases.size()) return false;
    for (size_t i = 0; i < a.cases.size(); ++i) {
      const SwitchCase &x = a.cases[i], &y = b.cases[i];
      if (x.isDefault != y.isDefault || !lists(x.values, y.values) || !lists(x.body, y.body)) return false;
    }
    return true;
  }
  bool one(const Break&, const Break&) { return true; }
  bool one(const Continue&, const Continue&) { return true; }
  bool one(const Return& a, const Return& b) { return exprs(a.value, b.value); }
  bool one(const Block& a, const Block& b) { return lists(a.stmts, b.stmts); }
  bool one(const Barrier& a, const Barrier& b) {
    return a.scope == b.scope && a.orderLocal == b.orderLocal && a.orderGlobal == b.orderGlobal &&
           exprs(a.mask, b.mask);
  }
  bool one(const Fence& a, const Fence& b) {
    return a.scope == b.scope && a.orderLocal == b.orderLocal && a.orderGlobal == b.orderGlobal;
  }
  bool one(const Printf& a, const Printf& b) { return a.format == b.format && lists(a.args, b.args); }
  bool one(const Assert& a, const Assert& b) { return exprs(a.cond, b.cond); }
  bool one(const Comment&, const Comment&) { return true; }

  // Plans.
  bool subKernels(const KernelPtr& a, const KernelPtr& b, const char* what) {
    if (!a || !b) return !a == !b || differ({}, {}, std::string(what) + " is missing on one side");
    Comparer inner;
    inner.explains = explains;
    if (inner.kernels(*a, *b)) return true;
    return differ({}, {}, std::string(what) + " " + a->name + ": " + inner.why);
  }

  bool steps(const Plan& a, const Plan& b) {
    if (a.iterations != b.iterations)
      return differ({}, {},
                    std::to_string(a.iterations) + " iterations against " + std::to_string(b.iterations));
    if (a.steps.size() != b.steps.size())
      return differ({}, {},
                    std::to_string(a.steps.size()) + " steps against " + std::to_string(b.steps.size()));
    for (size_t i = 0; i < a.steps.size(); ++i) {
      if (a.steps[i].index() == b.steps[i].index() &&
          std::visit([&](const auto& x) { return step(x, std::get<std::decay_t<decltype(x)>>(b.steps[i])); },
                     a.steps[i]))
        continue;
      return differ({}, {}, "step " + std::to_string(i + 1) + " differs");
    }
    return true;
  }
  bool step(const LaunchStep& a, const LaunchStep& b) {
    for (size_t i = 0; i < 3; ++i)
      if (!exprs(a.grid[i], b.grid[i]) || !exprs(a.block[i], b.block[i])) return false;
    return a.cooperative == b.cooperative && exprs(a.sharedBytes, b.sharedBytes) && lists(a.args, b.args) &&
           subKernels(a.kernel, b.kernel, "kernel");
  }
  bool step(const BufferStep& a, const BufferStep& b) {
    return exprs(a.count, b.count) && bind(a.buffer, b.buffer, "buffer");
  }
  bool step(const ChoiceStep& a, const ChoiceStep& b) {
    auto same = [&](const PlanPtr& x, const PlanPtr& y) { return !x || !y ? !x == !y : steps(*x, *y); };
    return exprs(a.cond, b.cond) && same(a.then, b.then) && same(a.otherwise, b.otherwise);
  }
  bool step(const LoopStep& a, const LoopStep& b) {
    return exprs(a.begin, b.begin) && bind(a.var, b.var, "counter") && exprs(a.cond, b.cond) &&
           exprs(a.next, b.next) && steps(*a.body, *b.body);
  }

  std::map<const Variable*, const Variable*> left, right;
  NamedValues constants;  // of both sides
  std::set<std::pair<const Function*, const Function*>> assumedFunctions;
  std::set<std::pair<const Record*, const Record*>> assumedRecords;
};

bool report(const Comparer& comparer, bool same, std::string* why) {
  if (why && !same) *why = comparer.why;
  return same;
}

bool isZeroThroughout(const ExprPtr& e) {
  if (const auto* i = as<IntLiteral>(e)) return i->value == 0;
  if (const auto* f = as<FloatLiteral>(e)) return f->value == 0 && !std::signbit(f->value);
  if (const auto* c = as<Cast>(e)) return isZeroThroughout(c->operand);
  const auto* parts = as<Construct>(e);
  return parts && std::all_of(parts->parts.begin(), parts->parts.end(), isZeroThroughout);
}

}  // namespace

ExprPtr withoutZeros(const ExprPtr& e) {
  const auto* whole = as<Construct>(e);
  if (!whole || whole->parts.empty() || !isZeroThroughout(whole->parts.back()) ||
      (!e->type->is(TypeKind::Array) && !e->type->is(TypeKind::Struct)))
    return e;
  std::vector<ExprPtr> parts = whole->parts;
  while (!parts.empty() && isZeroThroughout(parts.back())) parts.pop_back();
  return makeExpr(e->type, Construct{std::move(parts)}, e->loc);
}

bool equal(const Kernel& a, const Kernel& b, std::string* why) {
  Comparer comparer;
  comparer.explains = why != nullptr;
  return report(comparer, comparer.kernels(a, b), why);
}

bool equal(const Function& a, const Function& b, std::string* why) {
  Comparer comparer;
  comparer.explains = why != nullptr;
  return report(comparer, comparer.functions(a, b), why);
}

bool equal(const ExprPtr& a, const ExprPtr& b) {
  Comparer comparer;
  comparer.freeByIdentity = true;
  comparer.explains = false;
  return comparer.exprs(a, b);
}

bool equal(const Plan& a, const Plan& b, std::string* why) {
  Comparer comparer;
  comparer.explains = why != nullptr;
  return report(comparer, comparer.plans(a, b), why);
}

StmtPtr withoutRoles(const StmtPtr& body) {
  struct Plain : Rewriter {
    ExprPtr mapExpr(const ExprPtr& e) override {
      const auto* literal = ir::as<IntLiteral>(e);
      if (!literal || !literal->role) return e;
      IntLiteral plain = *literal;
      plain.role = {};
      return makeExpr(e->type, std::move(plain), e->loc);
    }
  };
  return Plain().rewriteBlock(body);
}

}  // namespace hone::ir
