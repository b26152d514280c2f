// Rebuilding trees bottom-up: a node is made anew only when something below it changed.
#include "ir/Walk.h"

namespace hone::ir {

namespace {

ExprPtr withLoc(ExprPtr e, const SourceLoc& loc) {
  if (!e || e->loc.valid() || !loc.valid()) return e;
  return makeExpr(e->type, e->node, loc);
}

StmtPtr withLoc(StmtPtr s, const SourceLoc& loc) {
  if (!s || s->loc.valid() || !loc.valid()) return s;
  return makeStmt(s->node, loc);
}

// A list that is copied only when one of its elements changes.
template <class T> class Sharing {
 public:
  explicit Sharing(const std::vector<T>& from) : original(from) {}
  void add(T element) {
    if (changed || count >= original.size() || original[count] != element) diverge();
    if (changed) result.push_back(std::move(element));
    ++count;
  }
  bool hasChanged() const { return changed || count != original.size(); }
  std::vector<T> take() {
    if (!changed) diverge();
    return std::move(result);
  }

 private:
  void diverge() {
    if (changed) return;
    changed = true;
    result.assign(original.begin(), original.begin() + static_cast<std::ptrdiff_t>(count));
  }
  const std::vector<T>& original;
  std::vector<T> result;
  size_t count = 0;
  bool changed = false;
};

class ExprRebuilder {
 public:
  ExprRebuilder(const ExprPtr& from, const std::function<ExprPtr(const ExprPtr&)>& child)
      : e(from), map(child) {}

  ExprPtr rebuild() {
    return std::visit([this](const auto& node) { return one(node); }, e->node);
  }

 private:
  ExprPtr make(Expr::Node node) const { return makeExpr(e->type, std::move(node), e->loc); }
  bool mapList(const std::vector<ExprPtr>& from, std::vector<ExprPtr>& to) const {
    Sharing<ExprPtr> list(from);
    for (const ExprPtr& element : from) list.add(map(element));
    if (!list.hasChanged()) return false;
    to = list.take();
    return true;
  }

  template <class Leaf> ExprPtr one(const Leaf&) { return e; }
  ExprPtr one(const Unary& n) {
    ExprPtr operand = map(n.operand);
    return operand == n.operand ? e : make(Unary{n.op, operand});
  }
  ExprPtr one(const Binary& n) {
    ExprPtr lhs = map(n.lhs), rhs = map(n.rhs);
    return lhs == n.lhs && rhs == n.rhs ? e : make(Binary{n.op, lhs, rhs});
  }
  ExprPtr one(const Cast& n) {
    ExprPtr operand = map(n.operand);
    return operand == n.operand ? e : make(Cast{operand, n.isExplicit});
  }
  ExprPtr one(const Select& n) {
    ExprPtr cond = map(n.cond), yes = map(n.yes), no = map(n.no);
    return cond == n.cond && yes == n.yes && no == n.no ? e : make(Select{cond, yes, no});
  }
  ExprPtr one(const Call& n) {
    std::vector<ExprPtr> args;
    if (!mapList(n.args, args)) return e;
    Call call = n;
    call.args = std::move(args);
    return make(std::move(call));
  }
  ExprPtr one(const Subscript& n) {
    ExprPtr base = map(n.base);
    std::vector<ExprPtr> indices;
    bool changed = mapList(n.indices, indices);
    if (!changed && base == n.base) return e;
    return make(Subscript{base, changed ? indices : n.indices, n.starStyle});
  }
  ExprPtr one(const Member& n) {
    ExprPtr base = map(n.base);
    return base == n.base ? e : make(Member{base, n.field, n.baseClass});
  }
  ExprPtr one(const Swizzle& n) {
    ExprPtr base = map(n.base);
    return base == n.base ? e : make(Swizzle{base, n.lanes});
  }
  ExprPtr one(const AddressOf& n) {
    ExprPtr place = map(n.place);
    return place == n.place ? e : make(AddressOf{place});
  }
  ExprPtr one(const Construct& n) {
    std::vector<ExprPtr> parts;
    return mapList(n.parts, parts) ? make(Construct{std::move(parts)}) : e;
  }

  const ExprPtr& e;
  const std::function<ExprPtr(const ExprPtr&)>& map;
};

struct StmtMaps {
  std::function<ExprPtr(const ExprPtr&)> expr;  // null stays null
  std::function<StmtList(const StmtPtr&)> stmt;
  std::function<StmtPtr(const StmtPtr&)> block;  // null stays null
  std::function<VarPtr(const VarPtr&)> var;
};

class StmtRebuilder {
 public:
  StmtRebuilder(const StmtPtr& from, const StmtMaps& hooks) : s(from), maps(hooks) {}

  StmtPtr rebuild() {
    return std::visit([this](const auto& node) { return one(node); }, s->node);
  }

 private:
  StmtPtr make(Stmt::Node node) const { return makeStmt(std::move(node), s->loc); }
  bool mapList(const StmtList& from, StmtList& to) const {
    Sharing<StmtPtr> list(from);
    for (const StmtPtr& element : from)
      for (StmtPtr& result : maps.stmt(element)) list.add(std::move(result));
    if (!list.hasChanged()) return false;
    to = list.take();
    return true;
  }

  template <class Leaf> StmtPtr one(const Leaf&) { return s; }
  StmtPtr one(const Declare& n) {
    ExprPtr init = maps.expr(n.init);
    VarPtr var = maps.var(n.var);
    return init == n.init && var == n.var ? s : make(Declare{var, init});
  }
  StmtPtr one(const Assign& n) {
    ExprPtr place = maps.expr(n.place), value = maps.expr(n.value);
    if (place == n.place && value == n.value) return s;
    return make(Assign{place, n.op, value, n.incrementStyle});
  }
  StmtPtr one(const Eval& n) {
    ExprPtr call = maps.expr(n.call);
    return call == n.call ? s : make(Eval{call});
  }
  StmtPtr one(const If& n) {
    ExprPtr cond = maps.expr(n.cond);
    StmtPtr then = maps.block(n.then), otherwise = maps.block(n.otherwise);
    if (cond == n.cond && then == n.then && otherwise == n.otherwise) return s;
    return make(If{cond, then, otherwise});
  }
  StmtPtr one(const For& n) {
    For loop = n;
    bool changed = mapList(n.init, loop.init);
    loop.cond = maps.expr(n.cond);
    loop.body = maps.block(n.body);
    changed |= mapList(n.step, loop.step);
    return changed || loop.cond != n.cond || loop.body != n.body ? make(std::move(loop)) : s;
  }
  StmtPtr one(const While& n) {
    ExprPtr cond = maps.expr(n.cond);
    StmtPtr body = maps.block(n.body);
    return cond == n.cond && body == n.body ? s : make(While{cond, body, n.unroll});
  }
  StmtPtr one(const DoWhile& n) {
    StmtPtr body = maps.block(n.body);
    ExprPtr cond = maps.expr(n.cond);
    return cond == n.cond && body == n.body ? s : make(DoWhile{body, cond, n.unroll});
  }
  StmtPtr one(const Switch& n) {
    Switch result = n;
    result.value = maps.expr(n.value);
    bool changed = result.value != n.value;
    for (SwitchCase& c : result.cases) {
      for (ExprPtr& value : c.values) {
        ExprPtr mapped = maps.expr(value);
        changed |= mapped != value;
        value = std::move(mapped);
      }
      StmtList original = c.body;
      changed |= mapList(original, c.body);
    }
    return changed ? make(std::move(result)) : s;
  }
  StmtPtr one(const Return& n) {
    ExprPtr value = maps.expr(n.value);
    return value == n.value ? s : make(Return{value});
  }
  StmtPtr one(const Block& n) {
    StmtList stmts;
    return mapList(n.stmts, stmts) ? make(Block{std::move(stmts)}) : s;
  }
  StmtPtr one(const Barrier& n) {
    ExprPtr mask = maps.expr(n.mask);
    return mask == n.mask ? s : make(Barrier{n.scope, mask, n.orderLocal, n.orderGlobal});
  }
  StmtPtr one(const Printf& n) {
    Sharing<ExprPtr> args(n.args);
    for (const ExprPtr& arg : n.args) args.add(maps.expr(arg));
    return args.hasChanged() ? make(Printf{n.format, args.take()}) : s;
  }
  StmtPtr one(const Assert& n) {
    ExprPtr cond = maps.expr(n.cond);
    return cond == n.cond ? s : make(Assert{cond, n.text});
  }

  const StmtPtr& s;
  const StmtMaps& maps;
};

}  // namespace

ExprPtr Rewriter::rewrite(const ExprPtr& e) {
  if (!e) return nullptr;
  if (const auto* var = e->as<VarRef>()) {
    VarPtr mapped = mapVar(var->var);
    if (mapped == var->var) return withLoc(mapExpr(e), e->loc);
    const TypePtr type = mapped->type;
    return withLoc(mapExpr(makeExpr(type, VarRef{std::move(mapped)}, e->loc)), e->loc);
  }
  const std::function<ExprPtr(const ExprPtr&)> child = [this](const ExprPtr& c) { return rewrite(c); };
  return withLoc(mapExpr(ExprRebuilder(e, child).rebuild()), e->loc);
}

StmtList Rewriter::rewrite(const StmtPtr& s) {
  if (!s) return {};
  const StmtMaps maps{[this](const ExprPtr& e) { return rewrite(e); },
                      [this](const StmtPtr& c) { return rewrite(c); },
                      [this](const StmtPtr& c) { return c ? rewriteBlock(c) : nullptr; },
                      [this](const VarPtr& v) { return mapVar(v); }};
  StmtList result = mapStmt(StmtRebuilder(s, maps).rebuild());
  for (StmtPtr& stmt : result) stmt = withLoc(std::move(stmt), s->loc);
  return result;
}

StmtPtr Rewriter::rewriteBlock(const StmtPtr& s) {
  if (!s) return nullptr;
  StmtList result = rewrite(s);
  if (result.size() == 1 && result.front()->is<Block>()) return result.front();
  return block(std::move(result), s->loc);
}

}  // namespace hone::ir
