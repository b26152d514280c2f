#include "sim/compile/UnsetVariables.h"

#include <algorithm>
#include <unordered_map>
#include <vector>

namespace hone::sim {
namespace {

using Vars = std::set<const ir::Variable*>;

class Analysis {
 public:
  Vars suspects;

  void run(const ir::StmtPtr& s) {
    if (!s) return;
    std::visit([&](const auto& node) { visit(node); }, s->node);
  }

 private:
  std::unordered_map<const ir::Variable*, size_t> declared;  // without a value, numbered
  std::vector<bool> assigned;                                // surely, on the way to here; by number
  bool reachable = true;

  bool isAssigned(size_t number) const { return number < assigned.size() && assigned[number]; }
  void assign(const ir::Variable* var, bool value) {
    const auto found = declared.find(var);
    if (found == declared.end()) return;
    if (assigned.size() < declared.size()) assigned.resize(declared.size());
    assigned[found->second] = value;
  }

  void use(const ir::ExprPtr& e) {
    if (!e || !reachable) return;
    ir::walkExprs(e, [&](const ir::Expr& x) {
      if (const auto* v = x.as<ir::VarRef>())
        if (const auto found = declared.find(v->var.get());
            found != declared.end() && !isAssigned(found->second))
          suspects.insert(v->var.get());
    });
  }
  // A place assigned: its subscripts are used, its root is set. Arrays are memory and followed there.
  void set(const ir::ExprPtr& place) {
    if (const auto* v = ir::as<ir::VarRef>(place)) {
      assign(v->var.get(), true);
    } else if (const auto* m = ir::as<ir::Member>(place)) {
      set(m->base);
    } else if (const auto* w = ir::as<ir::Swizzle>(place)) {
      set(w->base);
    } else if (const auto* sub = ir::as<ir::Subscript>(place)) {
      for (const ir::ExprPtr& i : sub->indices) use(i);
      if (sub->base->type->is(ir::TypeKind::Array))
        set(sub->base);
      else
        use(sub->base);
    } else {
      use(place);
    }
  }
  void unreachable() { reachable = false; }

  struct Snapshot {
    std::vector<bool> assigned;
    bool reachable;
  };
  Snapshot snapshot() const { return {assigned, reachable}; }
  void restore(const Snapshot& s) {
    assigned = s.assigned;
    reachable = s.reachable;
  }
  void meet(const Snapshot& other) {
    if (!other.reachable) return;
    if (!reachable) {
      restore(other);
      return;
    }
    assigned.resize(std::min(assigned.size(), other.assigned.size()));
    for (size_t i = 0; i < assigned.size(); ++i) assigned[i] = assigned[i] && other.assigned[i];
  }

  void visit(const ir::Declare& d) {
    use(d.init);
    if (d.init || d.var->space == ir::Space::Shared) return;
    declared.emplace(d.var.get(), declared.size());
    assign(d.var.get(), false);  // a new one in each iteration of a loop
  }
  void visit(const ir::Assign& a) {
    use(a.value);
    if (a.op) use(a.place);
    set(a.place);
  }
  void visit(const ir::Eval& e) { use(e.call); }
  void visit(const ir::If& s) {
    use(s.cond);
    const Snapshot before = snapshot();
    run(s.then);
    const Snapshot afterThen = snapshot();
    restore(before);
    run(s.otherwise);
    meet(afterThen);
  }
  void loop(const ir::ExprPtr& cond, const ir::StmtPtr& body, const ir::StmtList& step, bool testFirst) {
    if (testFirst) use(cond);
    const Snapshot before = snapshot();
    run(body);
    for (const ir::StmtPtr& s : step) run(s);
    if (!testFirst) use(cond);
    restore(before);
  }
  void visit(const ir::For& s) {
    for (const ir::StmtPtr& i : s.init) run(i);
    loop(s.cond, s.body, s.step, true);
  }
  void visit(const ir::While& s) { loop(s.cond, s.body, {}, true); }
  void visit(const ir::DoWhile& s) { loop(s.cond, s.body, {}, false); }
  void visit(const ir::Switch& s) {
    use(s.value);
    const Snapshot before = snapshot();
    for (const ir::SwitchCase& c : s.cases) {
      restore(before);  // falling through may only add
      for (const ir::StmtPtr& b : c.body) run(b);
    }
    restore(before);
  }
  void visit(const ir::Break&) { unreachable(); }
  void visit(const ir::Continue&) { unreachable(); }
  void visit(const ir::Return& r) {
    use(r.value);
    unreachable();
  }
  void visit(const ir::Block& b) {
    for (const ir::StmtPtr& s : b.stmts) run(s);
  }
  void visit(const ir::Barrier& b) { use(b.mask); }
  void visit(const ir::Fence&) {}
  void visit(const ir::Printf& p) {
    for (const ir::ExprPtr& a : p.args) use(a);
  }
  void visit(const ir::Assert& a) { use(a.cond); }
  void visit(const ir::Comment&) {}
};

}  // namespace

Vars maybeUnset(const ir::StmtPtr& body) {
  Analysis analysis;
  analysis.run(body);
  return analysis.suspects;
}

}  // namespace hone::sim
