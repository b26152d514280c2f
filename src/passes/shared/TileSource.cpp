#include "passes/shared/TileSource.h"

#include <fmt/core.h>

#include <algorithm>

#include "affine/Implied.h"
#include "affine/ToExpr.h"
#include "ir/Build.h"
#include "ir/Compare.h"
#include "passes/edit/SeededMistakes.h"

namespace hone::passes {

using namespace ir;
using affine::AccessId;
using affine::CondKind;
using affine::CondPtr;
using affine::KernelModel;
using affine::Poly;
using analysis::TileFill;
using analysis::TileFills;

namespace {

// Replaces places by what `fn` makes of them.
class PlaceSwap : public Rewriter {
 public:
  explicit PlaceSwap(std::function<ExprPtr(const Expr*)> with) : fn(std::move(with)) {}
  ExprPtr rewrite(const ExprPtr& e) override {
    if (!e) return e;
    if (ExprPtr other = fn(e.get())) return other;
    return Rewriter::rewrite(e);
  }
  using Rewriter::rewrite;

 private:
  std::function<ExprPtr(const Expr*)> fn;
};

bool isDimensioned(const affine::Array& array, const affine::Access& access) {
  return array.var && array.var->type->is(TypeKind::Array) && !array.extents.empty() &&
         access.subscripts.size() == array.extents.size();
}

// Writes what is known by the element for the thread that reads it.
class AtReader {
 public:
  AtReader(const KernelModel& m, AccessId load, const TileFills& fills)
      : model(m), atoms(*m.atoms), access(m.accesses[load]), known(affine::conjuncts(access.guard)) {
    const std::vector<Poly>& places = fills.fills.front().inverse.element;
    for (size_t d = 0; d < places.size(); ++d) here[places[d].atoms().front()] = fills.element[d];
  }

  ExprPtr index(const Poly& byElement, const TypePtr& type) {
    const Poly p = atoms.substitute(byElement, here);
    atoms.forEachAtom(p, [&](affine::AtomId id) { checkLoop(id); });
    auto e = affine::ToExpr(model, type).of(p);
    // Before a product is taken away again the sum may be larger than the index ever is.
    if (e && type->bits < 64 && subtractsProduct(*e)) e = affine::ToExpr(model, int64()).of(p);
    if (!e) refuseWords(atoms.str(p));
    return *e;
  }

  // The condition without what holds wherever the load stands; always() where nothing is left.
  CondPtr condition(const CondPtr& byElement) {
    std::vector<CondPtr> left;
    for (const CondPtr& part : affine::conjuncts(decided(atoms.substitute(byElement, here))))
      if (!isKnown(part)) left.push_back(part);
    return affine::withoutImplied(atoms, affine::allOf(std::move(left)));
  }

  ExprPtr test(const CondPtr& cond) {
    atoms.forEachAtom(cond, [&](affine::AtomId id) { checkLoop(id); });
    const auto e = affine::ToExpr(model).of(cond);
    if (!e) refuseWords(atoms.str(cond));
    return *e;
  }

 private:
  static bool subtractsProduct(const ExprPtr& sum) {
    bool found = false;
    walkExprs(sum, [&](const Expr& e) {
      const auto* difference = e.as<Binary>();
      if (!difference || difference->op != BinaryOp::Sub) return;
      walkExprs(difference->rhs, [&](const Expr& inner) {
        const auto* product = inner.as<Binary>();
        found = found || (product && product->op == BinaryOp::Mul && !constantValue(product->lhs) &&
                          !constantValue(product->rhs));
      });
    });
    return found;
  }

  bool isKnown(const CondPtr& part) const {
    if (part->kind == CondKind::AtLeast0 && affine::makesSure(atoms, known, part->value)) return true;
    return std::any_of(known.begin(), known.end(),
                       [&](const CondPtr& one) { return affine::sameCond(one, part); });
  }

  CondPtr decided(const CondPtr& c) const {
    if (c->kind == CondKind::AtLeast0) {
      const affine::Range r = atoms.range(c->value);
      return r.low >= 0 ? affine::always() : r.high < 0 ? affine::never() : c;
    }
    if (c->kind != CondKind::And && c->kind != CondKind::Or) return c;
    std::vector<CondPtr> parts;
    for (const CondPtr& part : c->parts) parts.push_back(decided(part));
    return c->kind == CondKind::And ? affine::allOf(std::move(parts)) : affine::anyOf(std::move(parts));
  }

  // A loop's variable says which iteration it is in its own body, where only the loop changes it.
  void checkLoop(affine::AtomId id) const {
    const affine::Atom& atom = atoms[id];
    if (atom.kind != affine::AtomKind::Loop) return;
    const affine::Loop& loop = model.loops[atom.loop];
    const bool isAround =
        std::find(access.loops.begin(), access.loops.end(), atom.loop) != access.loops.end();
    const auto* node = as<For>(loop.stmt);
    const bool isSteady = node && loop.var && !assignedVariables(node->body).contains(loop.var.get()) &&
                          !addressTaken(model.kernel->body).contains(loop.var.get());
    if (!isAround || !isSteady) refuseWords(atoms.str(Poly::atom(id)));
  }

  [[noreturn]] void refuseWords(const std::string& what) const {
    refuse(fmt::format("what {} came from cannot be written where it is read: {}", access.handle, what),
           access.loc);
  }

  const KernelModel& model;
  affine::Atoms& atoms;
  const affine::Access& access;
  std::vector<CondPtr> known;
  affine::Atoms::Substitution here;
};

// The element of global memory that a load touches, at another index.
ExprPtr movedPlace(const KernelModel& model, AccessId load, const std::vector<Poly>& index, AtReader& reader,
                   const VarPtr& base) {
  const affine::Access& access = model.accesses[load];
  const affine::Array& array = model.arrays[access.array];
  const TypePtr type = affine::indexType(access);
  if (isDimensioned(array, access)) {
    std::vector<ExprPtr> indices;
    for (const Poly& one : index) indices.push_back(reader.index(one, type));
    return subscript(ref(array.var), indices, access.place->loc);
  }
  const TypePtr& element = access.place->type;
  ExprPtr pointer = affine::fieldAt(ref(base), std::string_view(array.name).substr(array.var->name.size()));
  if (!pointer) return nullptr;
  if (pointer->type->is(TypeKind::Array)) pointer = addressOf(subscript(pointer, {intLit(0)}), array.space);
  if (!sameType(*pointer->type->element, *element))
    pointer = convert(pointer, pointerType(element, pointer->type->space, true), true);
  const auto size = static_cast<int64_t>(sizeOf(*element));
  return subscript(pointer, {reader.index(index.front().dividedExactly(size), type)}, access.place->loc);
}

}  // namespace

void TileSource::rely(AccessId access) {
  const auto& list = model.accesses[access].requirements;
  needed.insert(list.begin(), list.end());
}

// Addresses count from where a pointer points at first.
VarPtr TileSource::startOf(AccessId load) {
  const VarPtr& var = model.arrays[model.accesses[load].array].var;
  if (!assignedVariables(model.kernel->body).contains(var.get())) return var;
  VarPtr& start = starts[var];
  if (!start) start = makeLocal(names, var->name + "_start", var->type, true);
  return start;
}

const TileSource::OfElement& TileSource::valueOf(const TileFill& fill) {
  const auto key = std::pair(fill.store, fill.fixed);
  if (const auto found = values.find(key); found != values.end()) return found->second;
  const affine::Access& store = model.accesses[fill.store];
  const std::string& tile = model.arrays[store.array].name;
  const FillValue value = orRefuse(fillValue(model, fill.store));
  rely(fill.store);
  analysis::WriterValues writer(model, fill.inverse);
  OfElement made;
  for (const FillValue::Choice& choice : value.choices) {
    const auto when = writer.of(choice.when);
    if (!when)
      refuse(fmt::format("under which condition an element of {} was filled cannot be told from the element",
                         tile),
             store.loc);
    OfElement::Choice out{*when, choice.leaf.value, {}};
    for (const auto& [place, load] : choice.leaf.loads) {
      const affine::Access& access = model.accesses[load];
      const affine::Array& array = model.arrays[access.array];
      if (!access.isResolved() || !access.isSpelledOut || !array.var ||
          !array.name.starts_with(array.var->name))
        refuse(fmt::format("where {} is filled from is not known{}", tile,
                           access.reason.empty() ? "" : ": " + access.reason),
               access.loc);
      const auto size = static_cast<int64_t>(sizeOf(*access.place->type));
      const bool hasDimensions = isDimensioned(array, access);
      if (access.whole != access.place || size < 1 || (!hasDimensions && !access.address.isDivisible(size)))
        refuse(fmt::format("{} is filled with parts of elements", tile), access.loc);
      OfElement::Load one{place, load, {}};
      for (const Poly& p : hasDimensions ? access.subscripts : std::vector<Poly>{access.address}) {
        const auto index = writer.of(p);
        if (!index)
          refuse(fmt::format(
                     "which element of {} came to an element of {} cannot be told from the element: {}",
                     array.name, tile, fill.inverse.reason.empty() ? "threads differ" : fill.inverse.reason),
                 store.loc);
        one.index.push_back(*index);
      }
      rely(load);
      read.insert(access.array);
      out.loads.push_back(std::move(one));
    }
    made.choices.push_back(std::move(out));
  }
  return values.emplace(key, std::move(made)).first->second;
}

bool TileSource::saysTheSame(const OfElement& a, const OfElement& b, const analysis::Inverse& where) const {
  if (a.choices.size() != b.choices.size()) return false;
  for (size_t i = 0; i < a.choices.size(); ++i) {
    const OfElement::Choice &one = a.choices[i], &other = b.choices[i];
    if (one.loads.size() != other.loads.size()) return false;
    // The same around the places, which are told apart by their arrays.
    auto form = [&](const OfElement::Choice& choice) {
      return PlaceSwap([&](const Expr* e) -> ExprPtr {
               for (const OfElement::Load& load : choice.loads)
                 if (load.place == e) return ref(model.arrays[model.accesses[load.access].array].var);
               return nullptr;
             })
          .rewrite(choice.value);
    };
    if (!equal(form(one), form(other))) return false;
    for (size_t l = 0; l < one.loads.size(); ++l) {
      const OfElement::Load &x = one.loads[l], &y = other.loads[l];
      if (model.accesses[x.access].array != model.accesses[y.access].array ||
          x.index.size() != y.index.size() ||
          !sameType(*model.accesses[x.access].place->type, *model.accesses[y.access].place->type))
        return false;
      for (size_t d = 0; d < x.index.size(); ++d)
        if (!analysis::sameWhereWritten(model, where, x.index[d], y.index[d])) return false;
    }
    if (!analysis::sameWhereWritten(model, where, one.when, other.when)) return false;
  }
  return true;
}

std::vector<TileSource::Group> TileSource::groupsOf(const TileFills& found) {
  std::vector<Group> groups;
  for (size_t f = 0; f < found.fills.size(); ++f) {
    const TileFill& fill = found.fills[f];
    const OfElement& value = valueOf(fill);
    const auto same = std::find_if(groups.begin(), groups.end(), [&](Group& group) {
      if (HONE_SEED(UnstageAnyFill, saysTheSame(group.value, value, fill.inverse), true)) return true;
      const bool isForAll = std::all_of(group.fills.begin(), group.fills.end(), [&](size_t other) {
        return saysTheSame(value, group.value, found.fills[other].inverse);
      });
      if (isForAll) group.value = value;
      return isForAll;
    });
    if (same == groups.end())
      groups.push_back({value, {f}});
    else
      same->fills.push_back(f);
  }
  return groups;
}

// What was written last comes first; the last of all is asked for nothing.
void TileSource::putInOrder(std::vector<Group>& groups, const TileFills& found) const {
  std::reverse(groups.begin(), groups.end());
  for (size_t i = 0; i < groups.size(); ++i)
    for (size_t j = i + 1; j < groups.size(); ++j)
      for (size_t later : groups[i].fills)
        for (size_t earlier : groups[j].fills) {
          const TileFill &x = found.fills[later], &y = found.fills[earlier];
          if (std::find(x.meets.begin(), x.meets.end(), y.store) == x.meets.end()) continue;
          // In a loop around both neither is the last for sure.
          const auto &a = model.accesses[x.store].loops, &b = model.accesses[y.store].loops;
          const bool isInOrder = later > earlier && std::none_of(a.begin(), a.end(), [&](affine::LoopId l) {
                                   return std::find(b.begin(), b.end(), l) != b.end() &&
                                          std::find(x.fixed.begin(), x.fixed.end(), l) == x.fixed.end();
                                 });
          if (!isInOrder)
            refuse(fmt::format("elements of {} are filled twice, and which value is the last is not known",
                               model.arrays[model.accesses[x.store].array].name),
                   model.accesses[x.store].loc);
        }
  // Where none meet, what is loaded reads better before a number.
  const bool areApart = std::none_of(found.fills.begin(), found.fills.end(),
                                     [](const TileFill& fill) { return !fill.meets.empty(); });
  if (!areApart) return;
  std::vector<Group> ordered;
  for (bool isLoaded : {true, false})
    for (const Group& group : groups)
      if (isLoaded == std::any_of(group.value.choices.begin(), group.value.choices.end(),
                                  [](const OfElement::Choice& choice) { return !choice.loads.empty(); }))
        ordered.push_back(group);
  groups = std::move(ordered);
}

Result<ExprPtr> TileSource::insteadOf(AccessId load) {
  return refusing([&]() -> ExprPtr {
    const affine::Access& access = model.accesses[load];
    const std::string& tile = model.arrays[access.array].name;
    const TileFills found = analysis::fillsOf(model, load);
    if (!found.isKnown)
      refuse(fmt::format("what is read of {} is not known to be filled: {}", tile, found.reason), access.loc);
    std::vector<Group> groups = groupsOf(found);
    putInOrder(groups, found);
    for (const affine::Requirement& r : found.conditions) dimensions.push_back(r);
    rely(load);
    AtReader reader(model, load, found);
    ExprPtr whole;
    for (size_t g = groups.size(); g-- > 0;) {
      // 1. The value of one group.
      ExprPtr value;
      for (size_t c = groups[g].value.choices.size(); c-- > 0;) {
        const OfElement::Choice& choice = groups[g].value.choices[c];
        const CondPtr when = reader.condition(choice.when);
        if (value && when->kind == CondKind::False) continue;
        ExprPtr one = PlaceSwap([&](const Expr* e) -> ExprPtr {
                        for (const OfElement::Load& one : choice.loads)
                          if (one.place == e)
                            return movedPlace(model, one.access, one.index, reader, startOf(one.access));
                        return nullptr;
                      }).rewrite(choice.value);
        value = value && HONE_SEED(UnstageGuardDropped, when->kind != CondKind::True, choice.loads.empty())
                    ? makeExpr(one->type, Select{reader.test(when), one, value})
                    : one;
      }
      if (!whole) {
        whole = value;
        continue;
      }
      // 2. Where its elements are.
      std::vector<CondPtr> where;
      for (size_t f : groups[g].fills) {
        const auto& one = found.fills[f].where;
        if (!one)
          refuse(fmt::format("which elements of {} a statement fills cannot be written as a condition", tile),
                 model.accesses[found.fills[f].store].loc);
        where.push_back(*one);
      }
      const CondPtr cond = reader.condition(affine::anyOf(std::move(where)));
      if (cond->kind == CondKind::False) continue;
      whole = cond->kind == CondKind::True ? value
                                           : makeExpr(value->type, Select{reader.test(cond), value, whole});
    }
    if (!sameType(*whole->type, *access.place->type))
      refuse(fmt::format("{} is read as another type than it is filled with", tile), access.loc);
    return whole;
  });
}

}  // namespace hone::passes
