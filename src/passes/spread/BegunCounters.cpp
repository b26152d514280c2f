#include "passes/spread/BegunCounters.h"

#include "ir/CallEffects.h"
#include "ir/Walk.h"

namespace hone::passes {

using namespace ir;

namespace {

class BegunCounters : public Rewriter {
 public:
  explicit BegunCounters(const StmtPtr& all) : whole(all), changing(assignedVariables(all)) {
    changing.merge(addressTaken(all));
  }

 protected:
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* node = as<Block>(s);
    if (!node) return {s};
    StmtList out = node->stmts;
    bool changed = false;
    for (size_t at = 0; at < out.size(); ++at) {
      const auto* loop = as<For>(out[at]);
      const auto count = loop && loop->init.empty() ? counted(*loop) : std::nullopt;
      if (!count || count->declares || count->begin) continue;
      for (size_t before = 0; before < at; ++before) {
        const auto* d = as<Declare>(out[before]);
        if (!d || d->var != count->var || !d->init || !keepsItsValue(d->init)) continue;
        if (countMentions(whole, count->var.get()) != countMentions(out[at], count->var.get())) break;
        For begun = *loop;
        begun.init = {out[before]};
        out[at] = makeStmt(begun, out[at]->loc);
        out.erase(out.begin() + static_cast<std::ptrdiff_t>(before));
        --at;
        changed = true;
        break;
      }
    }
    if (!changed) return {s};
    return {makeStmt(Block{out}, s->loc)};
  }

 private:
  const StmtPtr& whole;
  std::set<const Variable*> changing;

  bool keepsItsValue(const ExprPtr& e) const {
    bool keeps = isPure(e);
    walkExprs(e, [&](const Expr& x) {
      const auto* var = x.as<VarRef>();
      keeps = keeps && !x.is<Subscript>() && !x.is<Call>() && !(var && changing.contains(var->var.get()));
    });
    return keeps;
  }
};

}  // namespace

KernelPtr withBegunCounters(const KernelPtr& kernel) {
  const StmtPtr body = BegunCounters(kernel->body).rewriteBlock(kernel->body);
  if (body == kernel->body) return kernel;
  auto copy = std::make_shared<Kernel>(*kernel);
  copy->body = body;
  return copy;
}

}  // namespace hone::passes
