#include "sim/model/WholeMoves.h"

#include "ir/Build.h"
#include "ir/Substitute.h"
#include "ir/Walk.h"

namespace hone::sim {

using namespace ir;

namespace {

constexpr uint64_t mostBytes = 16;  // that one access moves

// Elements of an array of the thread's own, seen as one value of another type.
struct ElementRun {
  VarPtr array;
  int64_t first = 0;
  unsigned count = 0;
};

// What `*(T*)pointer` points through: the pointer before the cast; null where it is written otherwise.
ExprPtr viewedPointer(const ExprPtr& e) {
  const auto* view = as<Subscript>(e);
  const auto* cast = view && view->indices.size() == 1 ? as<Cast>(view->base) : nullptr;
  if (!cast || constantValue(view->indices.front()) != 0 || !cast->operand->type->isPointer()) return nullptr;
  if (view->base->type->isVolatile || cast->operand->type->isVolatile) return nullptr;
  return cast->operand;
}

std::optional<ElementRun> ownElements(const ExprPtr& e) {
  const ExprPtr pointer = viewedPointer(e);
  const auto* address = as<AddressOf>(pointer);
  const auto* element = address ? as<Subscript>(address->place) : nullptr;
  const auto* base = element && element->indices.size() == 1 ? as<VarRef>(element->base) : nullptr;
  if (!base || base->var->storage != Storage::Local || base->var->space != Space::Private ||
      base->var->isVolatile || !base->var->type->is(TypeKind::Array))
    return std::nullopt;
  const Type& array = *base->var->type;
  const auto first = constantValue(element->indices.front());
  const uint64_t bytes = sizeOf(*e->type), each = sizeOf(*array.element);
  const bool isOfNumbers = array.element->isArithmetic() || array.element->is(TypeKind::Vector);
  if (!first || *first < 0 || !isOfNumbers || bytes == 0 || bytes > mostBytes || bytes % each ||
      bytes == each)
    return std::nullopt;
  const int64_t count = int64_t(bytes / each);
  if (*first + count > array.extent) return std::nullopt;
  return ElementRun{base->var, *first, unsigned(count)};
}

class MovesByElement : public Rewriter {
 protected:
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* move = as<Assign>(s);
    if (!move || move->op || !sameType(move->place->type, move->value->type)) return {s};
    const auto to = ownElements(move->place), from = ownElements(move->value);
    if (to && from && sameType(to->array->type->element, from->array->type->element))
      return to->array == from->array ? StmtList{s} : copied(*to, *from, s->loc);
    if (to && !from && viewedPointer(move->value)) return loaded(*to, move->value, s->loc);
    if (from && !to && viewedPointer(move->place)) return stored(move->place, *from, s->loc);
    return {s};
  }

 private:
  static ExprPtr element(const ElementRun& run, unsigned i) {
    return subscript(ref(run.array), {intLit(run.first + int64_t(i))});
  }
  // Of the numbers that an element of the array holds.
  static unsigned lanesOf(const ElementRun& run) {
    const Type& type = *run.array->type->element;
    return type.is(TypeKind::Vector) ? type.lanes : 1;
  }
  static TypePtr numberOf(const ElementRun& run) {
    const TypePtr& type = run.array->type->element;
    return type->is(TypeKind::Vector) ? type->element : type;
  }
  static ExprPtr lane(const ExprPtr& vector, unsigned number) {
    return makeExpr(vector->type->element, Swizzle{vector, {uint8_t(number)}}, vector->loc);
  }
  // What a view shows, as a vector of the array's numbers.
  static ExprPtr asVector(const ExprPtr& view, const ElementRun& run) {
    const Type& pointer = *as<Subscript>(view)->base->type;
    const TypePtr vector = vectorType(numberOf(run), run.count * lanesOf(run));
    return makeExpr(
        vector,
        Subscript{convert(viewedPointer(view), pointerType(vector, pointer.space, pointer.isConst), true),
                  {intLit(0)},
                  true},
        view->loc);
  }

  static StmtList copied(const ElementRun& to, const ElementRun& from, const SourceLoc& loc) {
    StmtList out;
    for (unsigned i = 0; i < to.count; ++i) out.push_back(assign(element(to, i), element(from, i), loc));
    return out;
  }
  static StmtList loaded(const ElementRun& to, const ExprPtr& view, const SourceLoc& loc) {
    auto all = std::make_shared<Variable>();
    all->name = to.array->name + "_all";
    all->type = vectorType(numberOf(to), to.count * lanesOf(to));
    all->isConst = true;
    StmtList out{makeStmt(Declare{all, asVector(view, to)}, loc)};
    for (unsigned i = 0; i < to.count; ++i) {
      const TypePtr& type = to.array->type->element;
      const unsigned lanes = lanesOf(to);
      Construct parts;
      for (unsigned l = 0; l < lanes; ++l) parts.parts.push_back(lane(ref(all), i * lanes + l));
      const ExprPtr value =
          type->is(TypeKind::Vector) ? makeExpr(type, std::move(parts), loc) : parts.parts.front();
      out.push_back(assign(element(to, i), value, loc));
    }
    return out;
  }
  static StmtList stored(const ExprPtr& view, const ElementRun& from, const SourceLoc& loc) {
    Construct values;
    const bool isOfVectors = from.array->type->element->is(TypeKind::Vector);
    for (unsigned i = 0; i < from.count; ++i)
      for (unsigned l = 0; l < lanesOf(from); ++l)
        values.parts.push_back(isOfVectors ? lane(element(from, i), l) : element(from, i));
    const ExprPtr place = asVector(view, from);
    return {assign(place, makeExpr(place->type, std::move(values), loc), loc)};
  }
};

}  // namespace

StmtPtr withMovesByElement(const StmtPtr& body) { return MovesByElement().rewriteBlock(body); }

}  // namespace hone::sim
