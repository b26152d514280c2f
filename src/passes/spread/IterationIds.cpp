#include "passes/spread/IterationIds.h"

#include <set>

#include "ir/Build.h"
#include "ir/Walk.h"
#include "passes/edit/Coordinates.h"
#include "passes/edit/SeededMistakes.h"

namespace hone::passes {

using namespace ir;

namespace {

constexpr unsigned deepestVariable = 32;       // of variables that stand for others
constexpr int64_t largest = int64_t{1} << 40;  // of a factor

bool isIdType(const Type& type) { return type.is(TypeKind::Int) && type.bits >= 32; }

ExprPtr added(const ExprPtr& a, const ExprPtr& b) { return !a ? b : !b ? a : plus(a, b); }

}  // namespace

class IterationIdsRewriter : public Rewriter {
 public:
  explicit IterationIdsRewriter(const IterationIds& all) : ids(all) {}
  unsigned found = 0;  // sums that hold all digits

  ExprPtr rewrite(const ExprPtr& e) override {
    if (!e) return e;
    if (isIdType(*e->type) && joinsIds(e))
      if (auto sum = ids.sumOf(e, e->type); sum && !sum->isPlain()) {
        if (sum->rest) sum->rest = rewrite(sum->rest);
        if (const ExprPtr made = ids.flat(*sum, e->type)) {
          if (sum->count) ++found;
          return made;
        }
      }
    return Rewriter::rewrite(e);
  }

  StmtList rewrite(const StmtPtr& s) override {
    const auto* d = as<Declare>(s);
    if (!d || d->var.get() != ids.counter.var) return Rewriter::rewrite(s);
    const TypePtr& type = d->var->type;
    ExprPtr value = ids.counterValue(type);
    if (!value)
      value = plus(convert(rewrite(d->init), type),
                   times(convert(ids.iteration(), type), intLit(ids.counter.step, type)));
    return {makeStmt(Declare{d->var, convert(simplified(value), type)}, s->loc)};
  }

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* c = as<Coord>(e);
    if (!c || c->axis != ids.place.axis) return e;
    if (c->kind == CoordKind::BlockIdx) return ids.block(e->type);
    if (c->kind == CoordKind::ThreadIdx && ids.place.digit == IterationDigit::Last)
      return convert(remainder(over(ref(ids.id), intLit(ids.place.iterations, ids.id->type)),
                               intLit(ids.place.threads, ids.id->type)),
                     e->type);
    return e;
  }

 private:
  const IterationIds& ids;

  // Whether parts of ids come together here, below conversions; else what is below is asked for itself, and
  // the expression keeps its order.
  bool joinsIds(ExprPtr e) const {
    for (const auto* cast = as<Cast>(e); cast && isIdType(*cast->operand->type); cast = as<Cast>(e))
      e = cast->operand;
    if (e->is<Coord>()) return true;
    const auto* b = as<Binary>(e);
    if (!b || (b->op != BinaryOp::Add && b->op != BinaryOp::Sub)) return false;
    const auto left = ids.sumOf(b->lhs, e->type), right = ids.sumOf(b->rhs, e->type);
    return left && right && !left->isPlain() && !right->isPlain();
  }
};

IterationIds::IterationIds(const Kernel& ofKernel, Counter itsCounter, IterationPlace itsPlace)
    : kernel(ofKernel), counter(std::move(itsCounter)), place(itsPlace) {
  std::set<const Variable*> changing = assignedVariables(kernel.body);
  changing.merge(addressTaken(kernel.body));
  walkStmts(kernel.body, [&](const Stmt& s) {
    const auto* d = s.as<Declare>();
    if (d && d->init && d->var->storage == Storage::Local && d->var->space == Space::Private &&
        !d->var->isVolatile && !d->var->isReference && isIdType(*d->var->type) &&
        !changing.contains(d->var.get()))
      values[d->var.get()] = d->init;
  });
  values.erase(counter.var);
}

std::optional<int64_t> IterationIds::numberOf(const ExprPtr& e) const {
  const ExprPtr inner = withoutIdCasts(e);
  if (const auto* c = as<Coord>(inner); c && c->kind == CoordKind::BlockDim && c->axis == place.axis)
    return place.threads;
  if (const auto* var = as<VarRef>(inner))
    if (const auto known = values.find(var->var.get()); known != values.end()) return numberOf(known->second);
  const auto number = constantValue(e);
  return number && *number > -largest && *number < largest ? number : std::nullopt;
}

std::optional<IterationIds::Sum> IterationIds::sumOf(const ExprPtr& e, const TypePtr& type,
                                                     unsigned depth) const {
  if (depth > deepestVariable) return std::nullopt;
  const Sum whole{0, 0, 0, convert(e, type)};
  if (const auto* c = as<Coord>(e); c && c->axis == place.axis) {
    if (c->kind == CoordKind::BlockIdx) return Sum{1, 0, 0, nullptr};
    if (c->kind == CoordKind::ThreadIdx) return Sum{0, 1, 0, nullptr};
    if (c->kind == CoordKind::GlobalId) return Sum{place.threads, 1, 0, nullptr};
    return whole;
  }
  if (const auto* var = as<VarRef>(e)) {
    if (var->var.get() == counter.var) {
      auto sum = counter.first ? sumOf(counter.first, type, depth + 1) : std::nullopt;
      if (sum) sum->count += counter.step;
      return sum;
    }
    const auto known = values.find(var->var.get());
    if (known == values.end() || known->second->type->bits > e->type->bits) return whole;
    auto sum = sumOf(convert(known->second, e->type), type, depth + 1);
    // A variable stays what it is where no id is in it.
    return sum && !sum->isPlain() ? sum : whole;
  }
  if (const auto* cast = as<Cast>(e)) {
    if (!isIdType(*cast->operand->type)) return whole;
    if (cast->operand->type->bits >= e->type->bits) return sumOf(cast->operand, type, depth + 1);
    // Wider: what does not wrap. The new ids do not, nor do parts of them.
    const auto sum = sumOf(cast->operand, cast->operand->type, depth + 1);
    const bool isPart = sum && !sum->rest && sum->block >= 0 && sum->thread >= 0 && sum->count >= 0 &&
                        sum->block <= place.iterations * place.threads &&
                        sum->thread <= place.iterations * place.threads && sum->count <= place.threads &&
                        flat(*sum, type);
    return isPart ? sum : whole;
  }
  const auto* b = as<Binary>(e);
  if (!b || !isIdType(*e->type)) return whole;
  if (b->op == BinaryOp::Add || b->op == BinaryOp::Sub) {
    const auto left = sumOf(b->lhs, type, depth + 1), right = sumOf(b->rhs, type, depth + 1);
    if (!left || !right) return std::nullopt;
    const int64_t sign = b->op == BinaryOp::Add ? 1 : -1;
    Sum sum{left->block + sign * right->block, left->thread + sign * right->thread,
            left->count + sign * right->count, nullptr};
    if (sum.isPlain()) return whole;
    for (const int64_t factor : {sum.block, sum.thread, sum.count})
      if (factor > largest || factor < -largest) return std::nullopt;
    if (sign > 0)
      sum.rest = added(left->rest, right->rest);
    else
      sum.rest = right->rest ? minus(left->rest ? left->rest : intLit(0, type), right->rest) : left->rest;
    return sum;
  }
  if (b->op == BinaryOp::Mul || b->op == BinaryOp::Shl) {
    const bool isShift = b->op == BinaryOp::Shl;
    std::optional<int64_t> factor = numberOf(b->rhs);
    ExprPtr other = b->lhs;
    if (isShift) {
      if (factor && (*factor < 0 || *factor >= 31)) return whole;
      if (factor) factor = int64_t{1} << *factor;
    } else if (!factor) {
      factor = numberOf(b->lhs);
      other = b->rhs;
    }
    if (!factor || *factor == 0) return whole;
    auto sum = sumOf(other, type, depth + 1);
    if (!sum) return std::nullopt;
    if (sum->isPlain()) return whole;
    for (int64_t* part : {&sum->block, &sum->thread, &sum->count}) {
      if (*part > largest / std::abs(*factor) || *part < -largest / std::abs(*factor)) return std::nullopt;
      *part *= *factor;
    }
    if (sum->rest) sum->rest = times(sum->rest, intLit(*factor, type));
    return sum;
  }
  return whole;
}

ExprPtr IterationIds::newId(const TypePtr& type) const {
  if (id) return convert(ref(id), type);
  ExprPtr flatId = coordOf(kernel, CoordKind::GlobalId, place.axis);
  if (kernel.language != Language::OpenCL)
    flatId = plus(times(coordOf(kernel, CoordKind::BlockIdx, place.axis),
                        coordOf(kernel, CoordKind::BlockDim, place.axis)),
                  coordOf(kernel, CoordKind::ThreadIdx, place.axis));
  return convert(flatId, type);
}

ExprPtr IterationIds::block(const TypePtr& type) const {
  if (place.digit == IterationDigit::Last)
    return convert(over(ref(id), intLit(place.iterations * place.threads, id->type)), type);
  const ExprPtr now = coordOf(kernel, CoordKind::BlockIdx, place.axis);
  return convert(over(now, intLit(place.iterations, now->type)), type);
}

ExprPtr IterationIds::iteration() const {
  if (place.digit == IterationDigit::Last)
    return HONE_SEED(SpreadWrongDigit, remainder(ref(id), intLit(place.iterations, id->type)),
                     over(ref(id), intLit(place.iterations, id->type)));
  const ExprPtr now = coordOf(kernel, CoordKind::BlockIdx, place.axis);
  return remainder(now, intLit(place.iterations, now->type));
}

ExprPtr IterationIds::flat(const Sum& sum, const TypePtr& type) const {
  auto scaled = [&](const ExprPtr& e, int64_t factor) {
    if (factor == -1 && sum.rest) return minus(sum.rest, e);
    return added(factor == 1 ? e : times(e, intLit(factor, type)), sum.rest);
  };
  if (place.digit == IterationDigit::Last) {
    if (!sum.thread || sum.block != sum.thread * place.threads) return nullptr;
    if (!sum.count) {
      const ExprPtr old = over(ref(id), intLit(place.iterations, id->type));
      return scaled(convert(old, type), sum.thread);
    }
    if (sum.thread != sum.count * place.iterations) return nullptr;
    return scaled(newId(type), sum.count);
  }
  if (!sum.count || sum.block != sum.count * place.iterations || sum.count != sum.thread * place.threads)
    return nullptr;
  return scaled(newId(type), sum.thread);
}

ExprPtr IterationIds::counterValue(const TypePtr& type) const {
  auto sum = counter.first ? sumOf(counter.first, type) : std::nullopt;
  if (!sum || sum->isPlain()) return nullptr;
  sum->count += counter.step;
  return flat(*sum, type);
}

StmtPtr IterationIds::rewritten(const StmtPtr& s) const {
  return IterationIdsRewriter(*this).rewriteBlock(s);
}

unsigned IterationIds::flatSums(const StmtPtr& s) const {
  IterationIdsRewriter rewriter(*this);
  rewriter.rewriteBlock(s);
  return rewriter.found + (counterValue(counter.var->type) ? 1 : 0);
}

}  // namespace hone::passes
