// Loops of a row over the elements that a thread keeps: unrolled, so that each element has a register.
#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/reduce/KeptElements.h"

namespace hone::passes {

using namespace ir;

namespace {

class KeptRewriter : public Rewriter {
 public:
  struct Place {
    const KeptElement* element;
    const std::vector<ExprPtr>* forms;  // of the loop
    ExprPtr slot;
  };
  std::vector<Place> places;

  ExprPtr rewrite(const ExprPtr& e) override {
    const Place* place = e ? placeOf(e) : nullptr;
    return place ? place->slot : Rewriter::rewrite(e);
  }

  StmtList rewrite(const StmtPtr& s) override {
    StmtList out;
    for (const Place& one : places)
      if (s == one.element->loadBefore)
        out.push_back(assign(one.slot, one.element->loaded, one.element->loaded->loc));
    const auto* set = as<Assign>(s);
    const Place* place = set ? placeOf(set->place) : nullptr;
    const StmtList changed = place ? stored(s, *set, *place) : Rewriter::rewrite(s);
    out.insert(out.end(), changed.begin(), changed.end());
    return out;
  }

 private:
  const Place* placeOf(const ExprPtr& e) const {
    const auto at = std::find_if(places.begin(), places.end(), [&](const Place& one) {
      return std::any_of(one.forms->begin(), one.forms->end(),
                         [&](const ExprPtr& form) { return equal(form, e); });
    });
    return at == places.end() ? nullptr : &*at;
  }

  StmtList stored(const StmtPtr& s, const Assign& set, const Place& place) {
    const ExprPtr value = rewrite(set.value);
    const TypePtr& type = set.place->type;
    const bool isReadLater = place.element->readLater.contains(s.get());
    // `a += b` is `a = a + b` where nothing is converted on the way.
    const bool isPlain =
        !set.op || (type->isArithmetic() && sameType(type, value->type) && sameType(promoted(type), type));
    if (!isReadLater && isPlain)
      return {assign(set.place, set.op ? binary(*set.op, place.slot, value) : value, s->loc)};
    StmtList out{makeStmt(Assign{place.slot, set.op, value, set.incrementStyle}, s->loc)};
    if (!place.element->unseen.contains(s.get())) out.push_back(assign(set.place, place.slot, s->loc));
    return out;
  }
};

}  // namespace

StmtPtr withElementsAt(const ReductionLoop& loop, const std::vector<PlacedElement>& elements) {
  KeptRewriter rewriter;
  for (const PlacedElement& one : elements) {
    const auto forms = one.element->forms.find(loop.index);
    if (forms != one.element->forms.end())
      rewriter.places.push_back({one.element, &forms->second, one.place});
  }
  return rewriter.rewriteBlock(as<For>(loop.loop)->body);
}

KeptArrays::KeptArrays(const std::vector<KeptElement>& kept, Names& names, ExprPtr count, ExprPtr sideBySide)
    : elements(kept), slots(std::move(count)), each(std::move(sideBySide)) {
  slot = makeLocal(names, "slot", int32());
  if (each) inner = makeLocal(names, "e", int32());
  for (const KeptElement& one : elements)
    arrays.push_back(
        makeLocal(names, one.name + "_kept", arrayOver(each ? arrayOver(one.type, each) : one.type, slots)));
}

StmtList KeptArrays::declaredFor(const ReductionKernel& loop) const {
  StmtList out;
  std::string list;
  std::set<std::string> said;
  for (size_t i = 0; i < elements.size(); ++i) {
    if (elements[i].first != loop.loop.index) continue;
    if (said.insert(elements[i].name).second) list += (list.empty() ? "" : ", ") + elements[i].name;
    out.push_back(makeStmt(Declare{arrays[i], nullptr}, loop.loop.loop->loc));
  }
  if (!out.empty())
    out.insert(
        out.begin(),
        makeStmt(Comment{fmt::format(
                     "The thread's elements of {} stay in registers for the loops that follow.", list)},
                 loop.loop.loop->loc));
  return out;
}

ReductionKernel KeptArrays::within(const ReductionKernel& loop) const {
  std::vector<ExprPtr> at{ref(slot)};
  if (each) at.push_back(ref(inner));
  std::vector<PlacedElement> placed;
  for (size_t i = 0; i < elements.size(); ++i)
    placed.push_back({&elements[i], subscript(ref(arrays[i]), at)});
  // Statements are known by the loop as it stood; its own variable comes afterwards.
  StmtPtr body = withElementsAt(loop.loop, placed);
  if (loop.loop.outer) body = substituted(body, {{loop.loop.outer, ref(loop.loop.count.var)}});
  ReductionKernel out = loop;
  out.loop.node.body = body;
  return out;
}

StmtList KeptArrays::loop(const ReductionKernel& kernel, Names& names, const ExprPtr& thread,
                          const ExprPtr& ways) const {
  const Counted& c = kernel.loop.count;
  const SourceLoc loc = kernel.loop.loop->loc;
  const ExprPtr turn =
      plus(thread, binary(BinaryOp::Mul, ref(slot), HONE_SEED(KeptWrongStride, ways, intLit(1))));
  const ExprPtr first = each ? binary(BinaryOp::Mul, turn, each) : turn;
  const TypePtr type = c.var->type;
  const int64_t step = signedStep(c).value_or(1);
  auto var = std::make_shared<Variable>(*c.var);
  var->isConst = true;
  StmtList out, ofSlot, body;
  // 1. The first iteration of a slot, and whether there is one.
  VarPtr begin = var;
  ExprPtr runs, value;
  auto steps = [&](const ExprPtr& count) {
    return step == 1 ? count : binary(BinaryOp::Mul, count, intLit(step, count->type));
  };
  // The slot's last one: there are all of a slot or none, and that no access passes the row's end can be
  // seen.
  const ExprPtr last = each ? simplified(minus(each, intLit(1))) : intLit(0);
  if (!kernel.iterations) {
    if (each) begin = makeLocal(names, c.var->name + "_first", type, true);
    ofSlot.push_back(makeStmt(Declare{begin, convert(plus(c.begin, steps(first)), type)}, loc));
    runs = substituted(kernel.loop.node.cond, {{c.var, convert(plus(ref(begin), steps(last)), type)}});
    if (each) value = convert(plus(ref(begin), steps(ref(inner))), type);
  } else {
    // By the number of the iteration.
    const VarPtr count = makeLocal(names, c.var->name + "_iterations", int64(), true);
    out.push_back(makeStmt(Declare{count, kernel.iterations}, loc));
    begin = makeLocal(names, c.var->name + "_iteration", int32(), true);
    ofSlot.push_back(makeStmt(Declare{begin, first}, loc));
    runs = binary(BinaryOp::Lt, convert(plus(ref(begin), last), int64()), ref(count));
    const ExprPtr number = each ? plus(ref(begin), ref(inner)) : ref(begin);
    value = valueOfIteration(c, convert(number, int64()));
  }
  // 2. Its iterations.
  const StmtPtr inside = substituted(kernel.loop.node.body, {{c.var, ref(VarPtr(var))}});
  if (value && mentions(inside, var.get())) body.push_back(makeStmt(Declare{var, value}, loc));
  const StmtList& stmts = as<Block>(inside)->stmts;
  body.insert(body.end(), stmts.begin(), stmts.end());
  StmtPtr then = block(body);
  if (each) then = block({countingLoop({.var = inner, .end = each, .body = then, .unroll = -1}, loc)});
  ofSlot.push_back(makeStmt(If{runs, then, nullptr}, loc));
  // The next loop has variables of its own.
  out.push_back(
      freshCopy(countingLoop({.var = slot, .end = slots, .body = block(ofSlot), .unroll = -1}, loc)));
  return out;
}

}  // namespace hone::passes
