#include "passes/guards/IdleBlocks.h"

#include <algorithm>

#include "affine/DigitSums.h"
#include "passes/edit/SeededMistakes.h"

namespace hone::passes {

using namespace affine;

namespace {

constexpr size_t mostAnswers = 8;  // to one question

class IdleFinder {
 public:
  IdleFinder(const KernelModel& kernelModel, LoopId keptLoop)
      : model(kernelModel), atoms(*model.atoms), kept(keptLoop) {}

  std::vector<CondPtr> of(const CondPtr& cond, unsigned depth = 0) {
    std::vector<CondPtr> out;
    switch (cond->kind) {
      case CondKind::False: return {always()};
      case CondKind::True:
      case CondKind::Unknown: return {};
      case CondKind::And:
        for (const CondPtr& part : cond->parts)
          for (const CondPtr& one : of(part, depth)) add(out, one);
        return out;
      case CondKind::Or:
        out = {always()};
        for (const CondPtr& part : cond->parts) out = everyTwo(out, of(part, depth));
        return out;
      case CondKind::AtLeast0:
        if (const CondPtr apart = withoutChoice(cond, depth)) return of(apart, depth + 1);
        if (const auto most = greatest(cond->value)) addBelow0(out, *most);
        return out;
      case CondKind::Zero:
        if (const CondPtr apart = withoutChoice(cond, depth)) return of(apart, depth + 1);
        if (const auto most = greatest(cond->value)) addBelow0(out, *most);
        if (const auto least = greatest(-cond->value)) addBelow0(out, *least);
        return out;
    }
    return out;
  }

 private:
  static void add(std::vector<CondPtr>& out, const CondPtr& one) {
    const bool isKnown =
        std::any_of(out.begin(), out.end(), [&](const CondPtr& other) { return sameCond(one, other); });
    if (out.size() < mostAnswers && !isKnown) out.push_back(one);
  }
  static void addBelow0(std::vector<CondPtr>& out, const Poly& value) {
    const CondPtr cond = atLeast0(-value - HONE_SEED(SkipBoundOffByOne, 1, 0));
    const auto number = value.constant();
    if (!number)
      add(out, cond);
    else if (*number < 0)
      add(out, always());
  }
  static std::vector<CondPtr> everyTwo(const std::vector<CondPtr>& some, const std::vector<CondPtr>& others) {
    std::vector<CondPtr> out;
    for (const CondPtr& a : some)
      for (const CondPtr& b : others) add(out, impliesIdle(a, b) ? a : impliesIdle(b, a) ? b : both(a, b));
    return out;
  }

  bool isKept(AtomId id) const { return kept.isSome() && id == model.loops[kept].counter; }

  // Whether a term is the same for all that is asked about.
  bool isSettled(AtomId id) const {
    const Atom& atom = atoms[id];
    if (atom.kind == AtomKind::Thread || atom.kind == AtomKind::Opaque) return false;
    if (atom.kind == AtomKind::Loop) return isKept(id);
    if (atom.kind == AtomKind::Block || atom.kind == AtomKind::Symbol) return true;
    bool settled = true;
    atoms.forEachAtom(Poly::atom(id), [&](AtomId inner) {
      const AtomKind kind = atoms[inner].kind;
      if (kind == AtomKind::Thread || kind == AtomKind::Opaque || (kind == AtomKind::Loop && !isKept(inner)))
        settled = false;
    });
    return settled;
  }

  // The greatest value over the threads of the block and the iterations of loops, as a value of the block:
  // each coordinate at the end where its term is greatest.
  std::optional<Poly> greatest(Poly p) {
    for (const AtomId id : p.atoms()) {
      if (isSettled(id)) continue;
      const auto factor = p.coefficient(id).constant();
      if (!factor || p.coefficient(id).mentions(id)) return std::nullopt;
      const bool rises = HONE_SEED(SkipLeastForGreatest, *factor > 0, *factor < 0);
      const std::optional<Poly> end = rises ? greatestOf(id) : leastOf(id);
      if (!end) return std::nullopt;
      p = p.without(id) + *end * Poly(*factor);
    }
    return p;
  }
  std::optional<Poly> greatestOf(AtomId id) {
    const Atom& atom = atoms[id];
    if (atom.kind == AtomKind::Thread)
      return Poly(static_cast<int64_t>(model.block[atom.axis]) - HONE_SEED(SkipLastThread, 1, 2));
    if (const auto divided = dividedBy(atom)) {
      const auto most = greatest(atom.value);
      return most ? std::optional(atoms.div(*most, Poly(*divided))) : std::nullopt;
    }
    if (atom.kind == AtomKind::Loop && model.loops[atom.loop].exactness == Exactness::Exact)
      if (const auto iterations = iterationsOf(model.loops[atom.loop]))
        return Poly(*iterations - HONE_SEED(SkipLastMerged, 1, 2));
    const Range range = atoms.range(Poly::atom(id));
    return range.high == INT64_MAX ? std::nullopt : std::optional(Poly(range.high));
  }
  std::optional<Poly> leastOf(AtomId id) {
    const Atom& atom = atoms[id];
    if (const auto divided = dividedBy(atom)) {
      const auto most = greatest(-atom.value);
      return most ? std::optional(atoms.div(-*most, Poly(*divided))) : std::nullopt;
    }
    const Range range = atoms.range(Poly::atom(id));
    return range.low == INT64_MIN ? std::nullopt : std::optional(Poly(range.low));
  }
  static std::optional<int64_t> dividedBy(const Atom& atom) {
    const auto number = atom.kind == AtomKind::Div ? atom.divisor.constant() : std::nullopt;
    return number && *number > 0 ? number : std::nullopt;
  }

  // The same comparison without the first choice in it that differs between threads: |d| <= w becomes d <= w
  // && -d <= w. Null: there is none, or it is part of something else.
  CondPtr withoutChoice(const CondPtr& cond, unsigned depth) {
    constexpr unsigned deepest = 4;
    for (const AtomId id : cond->value.atoms()) {
      const Atom& atom = atoms[id];
      if (atom.kind != AtomKind::Choice || isSettled(id) || depth >= deepest) continue;
      const auto factor = cond->value.coefficient(id).constant();
      if (!factor) continue;
      const auto compare = [&](const Poly& value) {
        const Poly sum = cond->value.without(id) + value * Poly(*factor);
        return cond->kind == CondKind::Zero ? isZero(sum) : atLeast0(sum);
      };
      const CondPtr yes = compare(atom.yes), no = compare(atom.no);
      const bool isOfBoth =
          cond->kind == CondKind::AtLeast0 && (*factor < 0 ? isGreater(atom, true) : isGreater(atom, false));
      return isOfBoth ? both(yes, no) : anyOf({both(atom.cond, yes), both(negation(atom.cond), no)});
    }
    return nullptr;
  }
  // Whether a choice takes the greater of its values; else the smaller.
  static bool isGreater(const Atom& choice, bool greater) {
    if (choice.cond->kind != CondKind::AtLeast0) return false;
    const Poly more = greater ? choice.yes - choice.no : choice.no - choice.yes;
    // Where they are nearly equal it may take either, if these are neighbours: x > y ? x : y.
    for (const int64_t times : {1, 2})
      for (const int64_t rest : {0, 1})
        if (more == choice.cond->value * Poly(times) + Poly(rest * times)) return true;
    return false;
  }

  const KernelModel& model;
  Atoms& atoms;
  const LoopId kept;
};

}  // namespace

std::vector<CondPtr> idleWhere(const KernelModel& model, const CondPtr& cond, LoopId kept) {
  try {
    return IdleFinder(model, kept).of(cond);
  } catch (const TooLarge&) {
    return {};
  }
}

bool impliesIdle(const CondPtr& known, const CondPtr& other) {
  if (other->kind == CondKind::True || sameCond(known, other)) return true;
  if (known->kind == CondKind::And)
    return std::any_of(known->parts.begin(), known->parts.end(),
                       [&](const CondPtr& part) { return impliesIdle(part, other); });
  if (other->kind == CondKind::And)
    return std::all_of(other->parts.begin(), other->parts.end(),
                       [&](const CondPtr& part) { return impliesIdle(known, part); });
  if (known->kind != CondKind::AtLeast0 || other->kind != CondKind::AtLeast0) return false;
  const auto more = (other->value - known->value).constant();
  return more && *more >= 0;
}

std::vector<CondPtr> idleInBoth(const std::vector<CondPtr>& some, const std::vector<CondPtr>& others) {
  std::vector<CondPtr> out;
  const auto add = [&](const CondPtr& one) {
    if (std::none_of(out.begin(), out.end(), [&](const CondPtr& other) { return sameCond(one, other); }))
      out.push_back(one);
  };
  for (const CondPtr& a : some)
    for (const CondPtr& b : others) {
      if (impliesIdle(a, b))
        add(a);
      else if (impliesIdle(b, a))
        add(b);
    }
  return out;
}

}  // namespace hone::passes
