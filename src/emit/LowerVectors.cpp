// OpenCL's vector arithmetic for CUDA: every vector that is computed is built of its computed lanes,
// make_float4(a.x + b.x, …), and stores to several lanes are taken apart.
#include "emit/Lowering.h"
#include "ir/Walk.h"

namespace hone::emit {

using namespace ir;

namespace {

bool isVector(const ExprPtr& e) { return e->type->is(TypeKind::Vector); }

class Lanes : public Rewriter {
 public:
  explicit Lanes(Translation& translation) : t(translation) {}

  ExprPtr rewrite(const ExprPtr& e) override {
    if (!e) return e;
    if (isVector(e) && isComputed(*e)) {
      Construct parts;
      for (unsigned i = 0; i < e->type->lanes; ++i) parts.parts.push_back(rewrite(lane(e, i)));
      check(*e->type, e->loc);
      return makeExpr(e->type, parts, e->loc);
    }
    const auto* s = e->as<Swizzle>();
    if (s && s->lanes.size() == 1 && isComputed(*s->base)) return rewrite(lane(s->base, s->lanes[0]));
    return Rewriter::rewrite(e);
  }
  StmtList rewrite(const StmtPtr& s) override {
    if (const auto* a = as<Assign>(s); a && isVector(a->place) && !a->place->is<Swizzle>() && a->op) {
      ExprPtr sum = makeExpr(a->place->type, Binary{*a->op, a->place, a->value}, s->loc);
      return {makeStmt(Assign{rewrite(a->place), std::nullopt, rewrite(sum), false}, s->loc)};
    }
    if (const auto* a = as<Assign>(s); a && isVector(a->place) && a->place->is<Swizzle>())
      return laneStores(*a, s->loc);
    if (const auto* p = as<Printf>(s))
      for (const auto& arg : p->args)
        if (isVector(arg)) t.errors.push_back({"CUDA's printf takes no vectors", s->loc});
    if (const auto* d = as<Declare>(s)) check(*d->var->type, s->loc);
    return Rewriter::rewrite(s);
  }

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const auto* c = e->as<Call>();
    if (!c || !c->intrinsic) return e;
    if (c->intrinsic->id == "printf")
      t.errors.push_back({"the value of printf, which OpenCL and CUDA count differently", e->loc});
    bool vectors = isVector(e);
    for (const auto& a : c->args) vectors |= isVector(a);
    return vectors ? adaptedCall(e, Language::Cuda, t) : e;
  }

 private:
  static bool isComputed(const Expr& e) {
    if (!e.type->is(TypeKind::Vector)) return false;
    if (e.is<Binary>() || e.is<Unary>() || e.is<Cast>() || e.is<Select>()) return true;
    if (const auto* s = e.as<Swizzle>()) return s->lanes.size() > 1;
    const auto* c = e.as<Construct>();
    if (!c) return false;
    if (c->parts.size() != e.type->lanes) return true;
    for (const auto& p : c->parts)
      if (isVector(p)) return true;
    return false;
  }

  ExprPtr part(const ExprPtr& e, unsigned i) const { return isVector(e) ? lane(e, i) : e; }

  ExprPtr lane(const ExprPtr& e, unsigned i) const {
    const TypePtr& element = e->type->element;
    if (const auto* b = e->as<Binary>()) return laneOf(*b, element, i, e->loc);
    if (const auto* u = e->as<Unary>()) {
      ExprPtr x = lane(u->operand, i);
      if (u->op != UnaryOp::Not) return convert(unary(u->op, x, e->loc), element);
      return mask(binary(BinaryOp::Eq, x, convert(intLit(0), x->type), e->loc), element);
    }
    if (const auto* c = e->as<Cast>())
      return convert(part(c->operand, i), element, c->isExplicit && isVector(c->operand));
    if (const auto* s = e->as<Select>())
      return makeExpr(element, Select{s->cond, lane(s->yes, i), lane(s->no, i)}, e->loc);
    if (const auto* s = e->as<Swizzle>(); s && s->lanes.size() > 1) return lane(s->base, s->lanes[i]);
    if (const auto* c = e->as<Construct>()) {
      if (c->parts.size() == 1 && !isVector(c->parts[0])) return convert(c->parts[0], element);
      unsigned at = 0;
      for (const auto& p : c->parts) {
        const unsigned width = isVector(p) ? p->type->lanes : 1;
        if (i < at + width) return convert(part(p, i - at), element);
        at += width;
      }
      return convert(intLit(0), element);
    }
    return makeExpr(element, Swizzle{e, {static_cast<uint8_t>(i)}}, e->loc);
  }

  // True is all ones in a vector comparison.
  static ExprPtr mask(const ExprPtr& truth, const TypePtr& element) {
    return convert(unary(UnaryOp::Neg, convert(truth, int32()), truth->loc), element);
  }

  ExprPtr laneOf(const Binary& b, const TypePtr& element, unsigned i, SourceLoc loc) const {
    ExprPtr l = part(b.lhs, i), r = part(b.rhs, i);
    if (isComparison(b.op)) return mask(binary(b.op, l, r, loc), element);
    if (b.op == BinaryOp::LogicalAnd || b.op == BinaryOp::LogicalOr)
      return mask(binary(b.op, l, r, loc), element);
    if (isShift(b.op)) {
      auto known = constantValue(r);
      if (!known || *known < 0 || *known >= element->bits)
        r = binary(BinaryOp::BitAnd, r, intLit(element->bits - 1, r->type), loc);
    }
    return convert(binary(b.op, l, r, loc), element);
  }

  // v.xy = w: through a copy, since w may name lanes of v.
  StmtList laneStores(const Assign& a, SourceLoc loc) {
    const auto& target = *a.place->as<Swizzle>();
    ExprPtr value = a.op ? makeExpr(a.place->type, Binary{*a.op, a.place, a.value}, loc) : a.value;
    auto copy = std::make_shared<Variable>();
    copy->name = "lanes";
    copy->type = a.place->type;
    copy->isConst = true;
    check(*copy->type, loc);
    StmtList stmts{makeStmt(Declare{copy, rewrite(value)}, loc)};
    ExprPtr base = target.base;
    std::vector<uint8_t> lanes = target.lanes;
    while (const auto* outer = base->as<Swizzle>()) {  // v.hi.xy
      for (uint8_t& lane : lanes) lane = outer->lanes[lane];
      base = outer->base;
    }
    base = rewrite(base);
    for (size_t i = 0; i < lanes.size(); ++i) {
      const TypePtr& element = base->type->element;
      stmts.push_back(makeStmt(
          Assign{makeExpr(element, Swizzle{base, {lanes[i]}}, loc), std::nullopt,
                 makeExpr(element, Swizzle{ir::ref(VarPtr(copy)), {static_cast<uint8_t>(i)}}, loc), false},
          loc));
    }
    return {block(std::move(stmts), loc)};
  }

  void check(const Type& type, SourceLoc loc) {
    const Type* x = &type;
    while (x->element && !x->is(TypeKind::Vector)) x = x->element.get();
    if (x->is(TypeKind::Vector) && x->lanes > 4)
      t.errors.push_back({"CUDA has no vectors of " + std::to_string(x->lanes) + " elements", loc});
  }

  Translation& t;
};

}  // namespace

void lowerVectors(Translation& t) {
  for (const auto& f : t.module.functions) f->body = Lanes(t).rewriteBlock(f->body);
  for (auto& k : t.module.kernels) {
    auto copy = std::make_shared<Kernel>(*k);
    copy->body = Lanes(t).rewriteBlock(k->body);
    k = copy;
  }
}

}  // namespace hone::emit
