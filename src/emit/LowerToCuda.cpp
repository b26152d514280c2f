// OpenCL to CUDA, in this order:
// 1. Calls that CUDA cannot name are said with those it can; coordinates get CUDA's type, global ids are
// computed.
// 2. Shifts take their amount modulo the width, as OpenCL defines it.
// 3. __local arguments become parts of the dynamic shared memory.
// 4. Barriers and fences order all memory.
#include <map>

#include "emit/Lowering.h"
#include "ir/Substitute.h"
#include "ir/Walk.h"
#include "ir/intrinsics/LowerIntrinsic.h"

namespace hone::emit {

using namespace ir;

namespace {

bool holdsTriple(const Type& t, int depth = 0) {
  if (depth > 8) return false;
  if (t.is(TypeKind::Vector)) return t.lanes == 3;
  if (t.element) return holdsTriple(*t.element, depth + 1);
  if (t.record)
    for (const Field& f : t.record->fields)
      if (holdsTriple(*f.type, depth + 1)) return true;
  return false;
}

class CudaWords : public Rewriter {
 public:
  explicit CudaWords(Translation& translation) : t(translation) {}

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    if (const auto* c = e->as<Coord>()) return coordinate(e, *c);
    if (const auto* b = e->as<Binary>(); b && isShift(b->op)) return shift(e, *b);
    if (const auto* c = e->as<Call>(); c && c->intrinsic) {
      // Element-wise calls on vectors are taken apart later.
      for (const auto& a : c->args)
        if (a->type->is(TypeKind::Vector)) return e;
      return e->type->is(TypeKind::Vector) ? e : adaptedCall(e, Language::Cuda, t);
    }
    return e;
  }
  StmtList mapStmt(const StmtPtr& s) override {
    if (const auto* b = s->as<Barrier>()) return {makeStmt(Barrier{b->scope, b->mask, true, true}, s->loc)};
    if (const auto* f = s->as<Fence>()) return {makeStmt(Fence{f->scope, true, true}, s->loc)};
    if (const auto* a = s->as<Assign>();
        a && a->op && isShift(*a->op) && !a->place->type->is(TypeKind::Vector)) {
      Assign copy = *a;
      copy.value = amount(a->value, promoted(a->place->type));
      return {makeStmt(copy, s->loc)};
    }
    return {s};
  }

 private:
  ExprPtr coordinate(const ExprPtr& e, const Coord& c) {
    const TypePtr size = withSpelling(uint64(), "size_t");
    auto part = [&](CoordKind kind) { return coord(kind, c.axis, uint32(), e->loc); };
    auto wide = [&](CoordKind kind) { return convert(part(kind), size, true); };
    switch (c.kind) {
      case CoordKind::ThreadIdx:
      case CoordKind::BlockIdx:
      case CoordKind::BlockDim:
      case CoordKind::GridDim: return convert(part(c.kind), e->type);
      case CoordKind::GlobalId:
        return binary(BinaryOp::Add,
                      binary(BinaryOp::Mul, wide(CoordKind::BlockIdx), part(CoordKind::BlockDim), e->loc),
                      part(CoordKind::ThreadIdx), e->loc);
      case CoordKind::GlobalSize:
        return binary(BinaryOp::Mul, wide(CoordKind::GridDim), part(CoordKind::BlockDim), e->loc);
      case CoordKind::GlobalOffset: return intLit(0, e->type, e->loc);  // a CUDA launch has none
      case CoordKind::WorkDim: t.errors.push_back({"CUDA has no get_work_dim", e->loc}); return e;
      default: return e;
    }
  }

  static ExprPtr amount(const ExprPtr& n, const TypePtr& shifted) {
    const int64_t width = shifted->bits;
    auto known = constantValue(n);
    if (known && *known >= 0 && *known < width) return n;
    if (n->type->is(TypeKind::Vector)) return n;
    return binary(BinaryOp::BitAnd, n, intLit(width - 1, n->type), n->loc);
  }
  static ExprPtr shift(const ExprPtr& e, const Binary& b) {
    if (e->type->is(TypeKind::Vector)) return e;
    return makeExpr(e->type, Binary{b.op, b.lhs, amount(b.rhs, b.lhs->type)}, e->loc);
  }

  Translation& t;
};

// One __local argument is the dynamic shared memory. With several, each but the first is replaced by its
// offset in it.
void localArguments(Kernel& k, Translation& t) {
  std::vector<VarPtr> params, locals;
  for (const auto& p : k.params)
    if (p->type->isPointer() && p->type->space == Space::Shared) locals.push_back(p);
  if (locals.empty()) return;
  auto memory = std::make_shared<Variable>();
  StmtList head;
  const bool single = locals.size() == 1;
  memory->name = single ? locals[0]->name : "shared_memory";
  memory->type = arrayType(single ? locals[0]->type->element : intType(8, false), -1);
  memory->space = Space::Shared;
  memory->isDynamicShared = true;
  memory->isVolatile = single && locals[0]->type->isVolatile;
  memory->alignment = single ? 0 : 16;
  head.push_back(makeStmt(Declare{memory, nullptr}));
  class Replace : public Rewriter {
   public:
    std::map<const Variable*, VarPtr> to;
    VarPtr array;

   protected:
    ExprPtr mapExpr(const ExprPtr& e) override {
      const auto* v = e->as<VarRef>();
      if (v && to.contains(v->var.get())) {
        const VarPtr& with = to.at(v->var.get());
        if (with != array) return ir::ref(with, e->loc);
        return ir::addressOf(ir::subscript(ir::ref(array), {intLit(0)}), Space::Shared, e->loc);
      }
      const auto* s = e->as<Subscript>();
      if (s && s->base->is<AddressOf>()) {
        ExprPtr merged = ir::subscript(s->base, s->indices, e->loc);
        return merged;
      }
      return e;
    }
  } replace;
  replace.array = memory;
  bool first = true;
  for (const auto& p : k.params) {
    if (!p->type->isPointer() || p->type->space != Space::Shared) {
      params.push_back(p);
      continue;
    }
    if (single) {
      replace.to[p.get()] = memory;
      t.notes.push_back(k.name + ": the __local argument '" + p->name +
                        "' is the dynamic shared memory of the launch.");
      continue;
    }
    auto view = std::make_shared<Variable>(*p);
    view->storage = Storage::Local;
    replace.to[p.get()] = view;
    ExprPtr begin = ir::addressOf(ir::subscript(ir::ref(memory), {intLit(0)}), Space::Shared);
    if (!first) {
      auto offset = std::make_shared<Variable>();
      offset->name = p->name + "_offset";
      offset->type = uint32();
      offset->storage = Storage::Param;
      params.push_back(offset);
      begin = ir::addressOf(ir::subscript(ir::ref(memory), {ir::ref(VarPtr(offset))}), Space::Shared);
    }
    head.push_back(makeStmt(Declare{view, convert(begin, view->type, true)}));
    t.notes.push_back(k.name + ": '" + p->name + "' lies in the dynamic shared memory, " +
                      (first ? "at its beginning." : "at the byte given as '" + p->name + "_offset'."));
    first = false;
  }
  StmtPtr body = replace.rewriteBlock(k.body);
  StmtList stmts = body->as<Block>()->stmts;
  stmts.insert(stmts.begin(), head.begin(), head.end());
  k.body = block(std::move(stmts), body->loc);
  k.params = params;
}

// Spaces of the original, which translate() took out of the types for inferSpaces to find again.
Space spaceOf(const Kernel& original, size_t i) { return original.params[i]->type->space; }

}  // namespace

void lowerToCuda(Translation& t, const Module& original) {
  auto body = [&](const StmtPtr& s) { return CudaWords(t).rewriteBlock(lowerIntrinsics(s, Language::Cuda)); };
  for (const auto& f : t.module.functions) f->body = body(f->body);
  for (size_t n = 0; n < t.module.kernels.size(); ++n) {
    auto copy = std::make_shared<Kernel>(*t.module.kernels[n]);
    for (const VarPtr& p : copy->params) {
      if (!p->type->isPointer()) continue;
      if (holdsTriple(*p->type->element))
        t.errors.push_back(
            {"vectors of three take the room of four in OpenCL and of three in CUDA ('" + p->name + "')",
             p->loc});
    }
    // The types lost their spaces; which arguments are __local is known from the original.
    Renaming respace;
    for (size_t i = 0; i < copy->params.size(); ++i) {
      VarPtr& p = copy->params[i];
      if (!p->type->isPointer()) continue;
      auto q = std::make_shared<Variable>(*p);
      q->type = withSpace(p->type,
                          spaceOf(*original.kernels[n], i) == Space::Shared ? Space::Shared : Space::Global);
      respace.by[p.get()] = q;
      p = q;
    }
    copy->body = body(respace.rewriteBlock(copy->body));
    localArguments(*copy, t);
    if (copy->requiredBlock) {
      const auto& b = *copy->requiredBlock;
      LaunchBounds bounds;
      bounds.maxThreads = static_cast<int>(b[0] * b[1] * b[2]);
      copy->launchBounds = bounds;
      t.notes.push_back(copy->name + ": launch with blocks of " + std::to_string(b[0]) + " x " +
                        std::to_string(b[1]) + " x " + std::to_string(b[2]) + " threads.");
      copy->requiredBlock.reset();
    }
    t.module.kernels[n] = copy;
  }
}

}  // namespace hone::emit
