#include "passes/reduce/KeptElements.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/StmtsOf.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"
#include "passes/host/HostConditions.h"
#include "passes/registers/MustAccess.h"

namespace hone::passes {

using namespace ir;
using affine::AccessId;
using affine::LoopId;
using affine::Poly;

namespace {

bool holdsStatement(const StmtPtr& s, const StmtPtr& what) {
  bool holds = false;
  walkStmts(s, [&](const Stmt& one) { holds |= &one == what.get(); });
  return holds;
}

// Whether `later` is come to behind `earlier` only, which has run by then; `always`: and always behind it.
bool comesBehind(const StmtPtr& body, const StmtPtr& earlier, const StmtPtr& later, bool always) {
  const Position at = positionOf(body, earlier);
  if (!at.block) return false;
  for (size_t i = at.index + 1; i < at.list().size(); ++i)
    if (always ? at.list()[i] == later : holdsStatement(at.list()[i], later)) return true;
  return false;
}

bool isMember(const KeptElement& element, AccessId access) {
  return std::find(element.accesses.begin(), element.accesses.end(), access) != element.accesses.end();
}

bool holdsForm(const std::vector<ExprPtr>& forms, const ExprPtr& e) {
  return std::any_of(forms.begin(), forms.end(), [&](const ExprPtr& form) { return equal(form, e); });
}

}  // namespace

KeptElements::KeptElements(const LaunchStep& step, const affine::KernelModel& kernelModel,
                           const PassContext& context, const RowLoops& rowLoops, int64_t mostIterations,
                           int64_t sideBySide)
    : launch(step),
      model(kernelModel),
      row(rowLoops),
      most(mostIterations),
      each(sideBySide),
      apart(step, kernelModel, context) {}

Obstacle KeptElements::decide() {
  for (const ReductionKernel* loop : row.loops()) {
    for (const AccessId a : row.workOf(loop->loop.loop, RowWork::By::Dealt).accesses) {
      const bool isTaken =
          std::any_of(kept.begin(), kept.end(), [&](const KeptElement& one) { return isMember(one, a); });
      if (isTaken || !isCandidate(a, *loop)) continue;
      std::optional<KeptElement> element = from(a, *loop);
      if (!element) continue;
      if (Obstacle no = limit(*loop)) {
        if (!notCounted) notCounted = no;
        continue;
      }
      findUnseen(*element);
      rely(*element);
      kept.push_back(*std::move(element));
    }
  }
  if (kept.empty() && notCounted) return notCounted;
  if (kept.empty()) return Refusal{"no loop reads elements again that an earlier one touched"};
  return close();
}

void KeptElements::rely(const KeptElement& element) {
  for (const AccessId one : element.accesses) {
    const affine::Access& access = model.accesses[one];
    needed.insert(access.requirements.begin(), access.requirements.end());
    if (!isCountedAlike(element))
      needed.insert(access.guardRequirements.begin(), access.guardRequirements.end());
  }
}

Obstacle KeptElements::close() {
  const auto holds = testsFor(launch, model, needed);
  if (!holds) return holds.refusal();
  tests = andAlso(andAlso(tests, *holds), apart.condition());
  return std::nullopt;
}

std::optional<KeptElements::Replaced> KeptElements::replacedLater(AccessId store) {
  for (const ReductionKernel* loop : row.loops()) {
    for (const AccessId a : row.workOf(loop->loop.loop, RowWork::By::Dealt).accesses) {
      if (!isCandidate(a, *loop) || model.accesses[a].array != model.accesses[store].array) continue;
      std::optional<KeptElement> element = from(a, *loop);
      if (!element || !isMember(*element, store)) continue;
      const auto next = std::ranges::find_if(element->accesses, [&](AccessId one) {
        return one > store && model.accesses[one].writes() && loopOf(one) != loopOf(store);
      });
      const bool isOnly = std::ranges::none_of(element->accesses, [&](AccessId one) {
        return one != store && model.accesses[one].writes() && loopOf(one) == loopOf(store);
      });
      if (next == element->accesses.end() || !isOnly || !replaces(*element, store, *next))
        return std::nullopt;
      rely(*element);
      element->unseen = {model.accesses[store].stmt.get()};
      return Replaced{*element, model.accesses[*next].loops.front()};
    }
  }
  return std::nullopt;
}

bool KeptElements::staysReadable(AccessId read, const Replaced& until) {
  const affine::Access& first = model.accesses[read];
  if (first.array.isNone()) return false;
  const KeptElement& element = until.element;
  const auto last = std::ranges::find_if(
      element.accesses, [&](AccessId a) { return model.accesses[a].loops.front() == until.in; });
  for (const AccessId w : around(read, *last)) {
    const affine::Access& write = model.accesses[w];
    if ((!write.writes() && !write.atomic) || (isMember(element, w) && isMember(element, read))) continue;
    if (write.array.isNone()) return false;
    const bool isOwn = model.arrays[write.array].space == Space::Private;
    if (write.array == first.array ? !neverMeet(read, w)
                                   : !isOwn && apart.requireApart(first.array, write.array).has_value())
      return false;
  }
  return true;
}

bool KeptElements::touches(LoopId loop) const {
  return std::any_of(kept.begin(), kept.end(),
                     [&](const KeptElement& one) { return one.loops.contains(loop); });
}

bool KeptElements::isCandidate(AccessId id, const ReductionKernel& loop) const {
  const affine::Access& a = model.accesses[id];
  const affine::Loop& known = model.loops[loop.loop.index];
  if (a.array.isNone() || a.atomic || !a.isResolved() || (!a.reads() && !a.writes())) return false;
  const affine::Array& array = model.arrays[a.array];
  const bool isNumber = a.place->type->isArithmetic() || a.place->type->is(TypeKind::Vector);
  if (array.space == Space::Private || array.isVolatile || !isNumber || !equal(a.place, a.whole) ||
      !standsInText(a))
    return false;
  const bool isCounted = !known.byDistance && known.values.empty() && known.runs &&
                         known.runs->kind == affine::CondKind::AtLeast0;
  const bool isInside = std::find(a.loops.begin(), a.loops.end(), loop.loop.index) != a.loops.end();
  const Poly rest = a.address.without(known.counter);
  if (!isCounted || !isInside || a.address == rest || model.atoms->variation(rest).loops ||
      model.atoms->variation(a.address.coefficient(known.counter)).loops)
    return false;
  // What names it means the same wherever the loop's body does.
  const auto changed = assignedVariables(loop.loop.node.body);
  for (const Variable* v : variablesOf(a.place))
    if (changed.contains(v)) return false;
  return true;
}

bool KeptElements::isSameElement(AccessId a, LoopId ofA, AccessId b, LoopId ofB) const {
  const affine::Access &x = model.accesses[a], &y = model.accesses[b];
  if (x.array != y.array || x.bytes != y.bytes || !sameType(*x.place->type, *y.place->type)) return false;
  const affine::AtomId ofX = model.loops[ofA].counter, ofY = model.loops[ofB].counter;
  return x.address.coefficient(ofX) == y.address.coefficient(ofY) &&
         x.address.without(ofX) == y.address.without(ofY);
}

bool KeptElements::hasSameIterations(LoopId a, LoopId b) const {
  const affine::Loop &x = model.loops[a], &y = model.loops[b];
  const Poly &ofX = x.runs->value, &ofY = y.runs->value;
  return ofX.coefficient(x.counter) == ofY.coefficient(y.counter) &&
         HONE_SEED(KeptOtherLengths, ofX.without(x.counter) == ofY.without(y.counter), true);
}

bool KeptElements::isCountedAlike(const KeptElement& element) const {
  const auto changed = assignedVariables(model.kernel->body);
  const Counted* first = nullptr;
  for (const ReductionKernel* one : row.loops()) {
    const Counted& c = one->loop.count;
    if (!element.loops.contains(one->loop.index)) continue;
    for (const ExprPtr& bound : {c.begin, c.end}) {
      if (!accesses(bound).empty()) return false;
      for (const Variable* v : variablesOf(bound))
        if (changed.contains(v)) return false;
    }
    if (!first) first = &c;
    if (!equal(first->begin, c.begin) || !equal(first->end, c.end) || first->compare != c.compare ||
        signedStep(*first) != signedStep(c) || !sameType(first->var->type, c.var->type))
      return false;
  }
  return true;
}

bool KeptElements::neverMeet(AccessId a, AccessId b) {
  const affine::Access &x = model.accesses[a], &y = model.accesses[b];
  auto dealtLoop = [&](const affine::Access& one) {
    return one.loops.empty() ? LoopId::none() : one.loops.front();
  };
  const LoopId ofX = dealtLoop(x), ofY = dealtLoop(y);
  if (ofX.isNone() || ofY.isNone() || !x.isResolved() || !y.isResolved()) return false;
  const affine::AtomId counterX = model.loops[ofX].counter, counterY = model.loops[ofY].counter;
  const auto stride = x.address.coefficient(counterX).constant(),
             other = y.address.coefficient(counterY).constant();
  const Poly rest = x.address.without(counterX);
  const auto distance = (rest - y.address.without(counterY)).constant();
  if (!stride || !other || !distance || *stride != *other || model.atoms->variation(rest).loops ||
      std::abs(*stride) > INT32_MAX || std::abs(*distance) > INT32_MAX)
    return false;
  needed.insert(y.requirements.begin(), y.requirements.end());
  const int64_t bytes = std::max(x.bytes, y.bytes), gap = std::abs(*distance);
  return bytes <= gap && gap + bytes <= std::abs(*stride);
}

std::optional<KeptElement> KeptElements::from(AccessId access, const ReductionKernel& loop) {
  const LoopId first = loop.loop.index;
  KeptElement out;
  out.first = first;
  bool isRead = false, isBehind = false;
  for (const ReductionKernel* one : row.loops()) {
    const LoopId index = one->loop.index;
    if (index != first && !isBehind) continue;
    isBehind = true;
    if (index != first && (!hasSameIterations(first, index) ||
                           !comesBehind(model.kernel->body, loop.loop.loop, one->loop.loop, false)))
      continue;
    for (const AccessId a : row.workOf(one->loop.loop, RowWork::By::Dealt).accesses) {
      if (!isCandidate(a, *one) || !isSameElement(access, first, a, index)) continue;
      const affine::Access& found = model.accesses[a];
      out.accesses.push_back(a);
      out.loops.insert(index);
      isRead |= index != first && found.reads();
      if (!holdsForm(out.forms[index], found.place)) out.forms[index].push_back(found.place);
    }
  }
  if (!isRead) return std::nullopt;
  const affine::Access& begin = model.accesses[out.accesses.front()];
  out.type = begin.place->type;
  const auto* place = as<Subscript>(begin.place);
  const auto* base = place ? as<VarRef>(place->base) : nullptr;
  out.name = base ? base->var->name : model.arrays[begin.array].name;
  // A form that names it where its address is taken stays what it is.
  for (const affine::Access& a : model.accesses)
    if (a.mode == AccessMode::Address)
      for (const auto& [index, forms] : out.forms)
        if (holdsForm(forms, a.place)) return std::nullopt;
  if (!isFilled(out, loop) || !staysAsItIs(out)) return std::nullopt;
  // Behind which assignments the element is read.
  for (const AccessId w : out.accesses) {
    const affine::Access& write = model.accesses[w];
    if (!write.writes()) continue;
    const bool isNested = write.loops.size() > 1;
    const bool isReadBehind = std::any_of(out.accesses.begin(), out.accesses.end(), [&](AccessId r) {
      // A statement reads before it stores.
      return ((r > w && model.accesses[r].stmt != write.stmt) ||
              (isNested && model.accesses[r].loops.front() == write.loops.front())) &&
             model.accesses[r].reads();
    });
    if (isReadBehind) out.readLater.insert(write.stmt.get());
  }
  return out;
}

bool KeptElements::isFilled(KeptElement& element, const ReductionKernel& loop) const {
  const affine::Access& first = model.accesses[element.accesses.front()];
  const StmtList stmts = stmtsOf(as<For>(loop.loop.loop)->body);
  const std::vector<ExprPtr>& forms = element.forms.at(element.first);
  for (size_t i = 0; i < stmts.size(); ++i) {
    if (!holdsStatement(stmts[i], first.stmt)) {
      if (exitsOf(stmts[i]).continues) return false;
      continue;
    }
    const auto* set = as<Assign>(stmts[i]);
    const bool isReadHere = std::any_of(element.accesses.begin(), element.accesses.end(), [&](AccessId a) {
      return model.accesses[a].stmt == stmts[i] && model.accesses[a].reads();
    });
    if (set && !set->op && !isReadHere && holdsForm(forms, set->place)) return true;
    // Each iteration touches it from here on, so that it may be loaded here.
    const StmtPtr rest = block(StmtList(stmts.begin() + static_cast<std::ptrdiff_t>(i), stmts.end()));
    const ExprPtr isCertain =
        mustAccess(rest, [&](const ir::Access& a) { return holdsForm(forms, a.place); });
    const auto declared = declaredVariables(rest);
    const auto named = variablesOf(first.place);
    const bool isKnown =
        std::none_of(named.begin(), named.end(), [&](const Variable* v) { return declared.contains(v); });
    if (!isCertain || !isTrue(isCertain) || !isKnown) return false;
    element.loadBefore = stmts[i];
    element.loaded = first.place;
    return true;
  }
  return false;
}

std::vector<AccessId> KeptElements::around(AccessId first, AccessId last) const {
  const LoopId begin = model.accesses[first].loops.front(), end = model.accesses[last].loops.front();
  auto isIn = [&](AccessId a, LoopId loop) {
    const std::vector<LoopId>& loops = model.accesses[a].loops;
    return !loops.empty() && loops.front() == loop;
  };
  while (first.number() > 0 && isIn(AccessId(first.number() - 1), begin))
    first = AccessId(first.number() - 1);
  std::vector<AccessId> out;
  for (const AccessId a : model.accesses.ids())
    if (a >= first && (a <= last || isIn(a, end))) out.push_back(a);
  return out;
}

bool KeptElements::staysAsItIs(const KeptElement& element) {
  const AccessId first = element.accesses.front();
  std::set<affine::ArrayId> others;
  for (const AccessId w : around(first, element.accesses.back())) {
    const affine::Access& write = model.accesses[w];
    const bool isOwn = write.array.isSome() && model.arrays[write.array].space == Space::Private;
    if (isOwn || isMember(element, w) || (!write.writes() && !write.atomic)) continue;
    if (write.array.isNone()) return false;
    if (write.array != model.accesses[first].array)
      others.insert(write.array);
    else if (HONE_SEED(KeptWrittenBetween, !neverMeet(first, w), false))
      return false;
  }
  for (const affine::ArrayId other : others)
    if (apart.requireApart(model.accesses[first].array, other)) return false;
  return true;
}

const ReductionKernel* KeptElements::loopOf(AccessId access) const {
  for (const ReductionKernel* one : row.loops())
    if (one->loop.index == model.accesses[access].loops.front()) return one;
  return nullptr;
}

bool KeptElements::replaces(const KeptElement& element, AccessId first, AccessId second) {
  const affine::ArrayId array = model.accesses[element.accesses.front()].array;
  // Whether nobody but the element's own accesses reads what is stored from one access to another.
  auto isUnread = [&] {
    std::set<affine::ArrayId> others;
    for (const AccessId r : around(first, second)) {
      const affine::Access& read = model.accesses[r];
      if (isMember(element, r)) continue;
      if (read.array.isNone()) return false;
      if (model.arrays[read.array].space == Space::Private) continue;
      if (read.array != array)
        others.insert(read.array);
      else if (!neverMeet(element.accesses.front(), r))
        return false;
    }
    return std::all_of(others.begin(), others.end(),
                       [&](affine::ArrayId other) { return !apart.requireApart(array, other); });
  };
  const ReductionKernel *here = loopOf(first), *there = loopOf(second);
  if (second < first || !model.accesses[second].writes() || !here || !there || there == here) return false;
  const std::vector<ExprPtr>& forms = element.forms.at(there->loop.index);
  const ExprPtr isCertain = mustAccess(as<For>(there->loop.loop)->body, [&](const ir::Access& a) {
    return (a.mode == AccessMode::Write || a.mode == AccessMode::ReadWrite) && holdsForm(forms, a.place);
  });
  return isCertain && isTrue(isCertain) &&
         comesBehind(model.kernel->body, here->loop.loop, there->loop.loop, true) && isUnread();
}

void KeptElements::findUnseen(KeptElement& element) {
  for (const AccessId w : element.accesses) {
    const affine::Access& write = model.accesses[w];
    if (!write.writes() || !element.readLater.contains(write.stmt.get())) continue;
    for (const AccessId next : element.accesses) {
      const bool isAnother = next >= w && model.accesses[next].writes() && loopOf(w) != loopOf(next);
      if (isAnother && HONE_SEED(KeptStoreDroppedAlways, replaces(element, w, next), true)) {
        element.unseen.insert(write.stmt.get());
        break;
      }
    }
  }
}

Obstacle KeptElements::limit(const ReductionKernel& loop) {
  const auto step = signedStep(loop.loop.count);
  const ExprPtr count = iterationsOf(model, loop.loop), value = count ? onHost(launch, count).value : nullptr;
  if (!value || !step || std::abs(*step) > (int64_t{1} << 30) / most)
    return Refusal{fmt::format("how often {} runs is not known before the launch", loop.loop.handle),
                   loop.loop.loop->loc};
  const ExprPtr isFew = simplified(binary(BinaryOp::Le, value, intLit(most, value->type)));
  const ExprPtr left = remainder(value, intLit(each, value->type));
  const ExprPtr isWhole = simplified(binary(BinaryOp::Eq, left, intLit(0, value->type)));
  const ExprPtr all = andAlso(isFew, each > 1 && HONE_SEED(KeptPartOfGroup, true, false) ? isWhole : nullptr);
  for (const ExprPtr& part : conjuncts(all)) {
    const auto before = conjuncts(tests);
    if (!holdsForm(before, part)) tests = andAlso(tests, part);
  }
  return std::nullopt;
}

}  // namespace hone::passes
