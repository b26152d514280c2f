#include "passes/vector/TidyParts.h"

#include "ir/Build.h"
#include "ir/Substitute.h"
#include "ir/Walk.h"

namespace hone::passes {

using namespace ir;

namespace {

// for (r = 0; r < iterations; ++r) to[r] = value;
struct CopyLoop {
  VarPtr counter, to;
  ExprPtr value;
  int64_t iterations = 0;
};

std::optional<CopyLoop> copyLoop(const StmtPtr& s) {
  const auto* loop = as<For>(s);
  const auto count = loop ? counted(*loop) : std::nullopt;
  if (!count || !count->declares || constantValue(count->begin) != 0 || count->compare != BinaryOp::Lt)
    return std::nullopt;
  if (count->op != BinaryOp::Add || constantValue(count->step) != 1) return std::nullopt;
  const auto* body = as<Block>(loop->body);
  const auto* copy = body && body->stmts.size() == 1 ? as<Assign>(body->stmts.front()) : nullptr;
  const auto* element = copy && !copy->op ? as<Subscript>(copy->place) : nullptr;
  const auto* array = element && element->indices.size() == 1 ? as<VarRef>(element->base) : nullptr;
  const auto* index = array ? as<VarRef>(withoutCasts(element->indices.front())) : nullptr;
  const auto iterations = constantValue(count->end);
  if (!index || index->var != count->var || !iterations || !array->var->type->is(TypeKind::Array))
    return std::nullopt;
  if (array->var->space != Space::Private || array->var->storage != Storage::Local) return std::nullopt;
  if (array->var->type->extent != *iterations) return std::nullopt;
  return CopyLoop{count->var, array->var, copy->value, *iterations};
}

class Tidy : public Rewriter {
 public:
  explicit Tidy(const StmtPtr& body) {
    walkStmts(body, [&](const Stmt& s) {
      const auto* a = s.as<Assign>();
      if (const Variable* var = a ? storageOf(*a->place) : nullptr) ++sets[var];
    });
    walkExprs(body, [&](const Expr& e) {
      if (const auto* r = e.as<VarRef>()) ++refs[r->var.get()];
    });
    pointedTo = addressTaken(body);
  }

 protected:
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* list = as<Block>(s);
    if (!list) return {s};
    StmtList stmts = list->stmts;
    bool changed = false;
    for (size_t i = 0; i < stmts.size(); ++i) {
      const auto copy = copyLoop(stmts[i]);
      if (copy && (takesOver(stmts, i, *copy) || spreads(stmts, i, *copy))) changed = true, i = size_t(-1);
    }
    for (size_t i = 0; i < stmts.size(); ++i)
      if (handsOn(stmts, i)) changed = true, --i;
    return {changed ? block(std::move(stmts), s->loc) : s};
  }

 private:
  std::map<const Variable*, size_t> sets, refs;
  std::set<const Variable*> pointedTo;

  static std::optional<size_t> declaration(const StmtList& stmts, size_t before, const Variable* var) {
    for (size_t i = before; i-- > 0;)
      if (const auto* d = as<Declare>(stmts[i]); d && d->var.get() == var) return i;
    return std::nullopt;
  }
  // The loaded parts are the variable.
  bool takesOver(StmtList& stmts, size_t at, const CopyLoop& copy) {
    const auto* element = as<Subscript>(copy.value);
    const auto* part = element && element->indices.size() == 1 ? as<VarRef>(element->base) : nullptr;
    const auto* index = part ? as<VarRef>(withoutCasts(element->indices.front())) : nullptr;
    if (!index || index->var != copy.counter || refs[part->var.get()] != 1 || sets[copy.to.get()] != 1)
      return false;
    const auto made = declaration(stmts, at, part->var.get()), before = declaration(stmts, at, copy.to.get());
    if (!made || !before || *made < *before || as<Declare>(stmts[*before])->init ||
        !as<Declare>(stmts[*made])->init)
      return false;
    if (!sameType(part->var->type, copy.to->type) || pointedTo.contains(copy.to.get())) return false;
    for (size_t i = *before; i < at; ++i)
      if (countMentions(stmts[i], copy.to.get())) return false;
    const ExprPtr& init = as<Declare>(stmts[*made])->init;
    auto typed = std::make_shared<Expr>(*init);
    typed->type = copy.to->type;
    stmts[*made] = makeStmt(Declare{copy.to, typed}, stmts[*made]->loc);
    stmts.erase(stmts.begin() + std::ptrdiff_t(at));
    stmts.erase(stmts.begin() + std::ptrdiff_t(*before));
    --sets[copy.to.get()], --refs[copy.to.get()];
    return true;
  }

  // The number of the lane where the expression is one of a vector that keeps its value.
  static std::optional<unsigned> laneOf(const ExprPtr& e, VarPtr& vector) {
    const auto* lanes = as<Swizzle>(e);
    const auto* base = lanes && lanes->lanes.size() == 1 ? as<VarRef>(lanes->base) : nullptr;
    if (!base || !base->var->isConst || base->var->space != Space::Private) return std::nullopt;
    vector = base->var;
    return lanes->lanes.front();
  }

  // Lanes that were loaded are stored as they are: nothing else needs the array.
  bool handsOn(StmtList& stmts, size_t at) {
    const auto* made = as<Declare>(stmts[at]);
    const auto* init =
        made && made->init && made->var->type->is(TypeKind::Array) ? as<Construct>(made->init) : nullptr;
    const Variable* array = init ? made->var.get() : nullptr;
    if (!array || array->space != Space::Private || sets[array] != 0 || pointedTo.contains(array))
      return false;
    size_t uses = 0;
    StmtList after;
    for (size_t i = at + 1; i < stmts.size() && countMentions(stmts[i], array); ++i) {
      const auto* store = as<Assign>(stmts[i]);
      const auto* wide = store && !store->op ? as<Construct>(store->value) : nullptr;
      if (!wide || wide->parts.empty()) return false;
      VarPtr source;
      for (size_t k = 0; k < wide->parts.size(); ++k) {
        const auto* element = as<Subscript>(wide->parts[k]);
        const auto* base = element && element->indices.size() == 1 ? as<VarRef>(element->base) : nullptr;
        const auto number =
            base && base->var.get() == array ? constantValue(element->indices.front()) : std::nullopt;
        if (!number || *number < 0 || size_t(*number) >= init->parts.size()) return false;
        VarPtr vector;
        if (laneOf(init->parts[size_t(*number)], vector) != k || (source && source != vector)) return false;
        source = vector;
      }
      if (!sameType(source->type, store->value->type)) return false;
      uses += wide->parts.size();
      after.push_back(assign(store->place, ref(source), stmts[i]->loc));
    }
    if (uses == 0 || uses != refs[array]) return false;
    std::copy(after.begin(), after.end(), stmts.begin() + std::ptrdiff_t(at) + 1);
    stmts.erase(stmts.begin() + std::ptrdiff_t(at));
    return true;
  }

  // What is stored is named where it is stored.
  bool spreads(StmtList& stmts, size_t at, const CopyLoop& copy) {
    const Variable* part = copy.to.get();
    const auto made = declaration(stmts, at, part);
    if (!made || as<Declare>(stmts[*made])->init || sets[part] != 1 || pointedTo.contains(part)) return false;
    const Variable* source = storageOf(*copy.value);
    if (!source || source->space != Space::Private || source->storage != Storage::Local ||
        pointedTo.contains(source))
      return false;
    // All its uses are elements by number in the statements that follow.
    size_t uses = 0, end = at + 1;
    for (; end < stmts.size(); ++end) {
      const size_t here = countMentions(stmts[end], part);
      if (!here) break;
      const auto* store = as<Assign>(stmts[end]);
      if (!store || storageOf(*store->place) == source) return false;
      uses += here;
    }
    if (uses + 1 != refs[part]) return false;
    bool isPlain = true;
    class Elements : public Rewriter {
     public:
      using Rewriter::rewrite;
      Elements(const CopyLoop& of, bool& plain) : copy(of), isPlain(plain) {}
      ExprPtr rewrite(const ExprPtr& e) override {
        const auto* element = e ? as<Subscript>(e) : nullptr;
        const auto* base = element ? as<VarRef>(element->base) : nullptr;
        if (!base || base->var != copy.to) {
          const auto* whole = e ? as<VarRef>(e) : nullptr;
          isPlain = isPlain && !(whole && whole->var == copy.to);
          return Rewriter::rewrite(e);
        }
        const auto number = constantValue(element->indices.front());
        if (!number) {
          isPlain = false;
          return e;
        }
        return substituted(copy.value, {{copy.counter, intLit(*number, copy.counter->type)}});
      }

     private:
      const CopyLoop& copy;
      bool& isPlain;
    };
    StmtList after;
    for (size_t i = at + 1; i < end; ++i)
      for (StmtPtr& one : Elements(copy, isPlain).rewrite(stmts[i])) after.push_back(std::move(one));
    if (!isPlain || after.size() != end - at - 1) return false;
    std::copy(after.begin(), after.end(), stmts.begin() + std::ptrdiff_t(at) + 1);
    stmts.erase(stmts.begin() + std::ptrdiff_t(at));
    stmts.erase(stmts.begin() + std::ptrdiff_t(*made));
    return true;
  }
};

}  // namespace

StmtPtr withoutPartCopies(const StmtPtr& body) { return Tidy(body).rewriteBlock(body); }

}  // namespace hone::passes
