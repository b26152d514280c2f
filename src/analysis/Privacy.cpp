#include "analysis/Privacy.h"

#include <algorithm>
#include <numeric>

#include "affine/ElementSets.h"

namespace hone::analysis {

using namespace affine;

namespace {

class PrivacyOf {
 public:
  PrivacyOf(const KernelModel& kernel, ArrayId index, const Launch* launch)
      : model(kernel),
        atoms(*kernel.atoms),
        array(index),
        accesses(accessesOf(kernel, index)),
        launchOf(launch),
        sets(kernel, launch) {}

  Privacy run() {
    const Array& a = model.arrays[array];
    if (a.isVolatile) return refuse("volatile");
    for (AccessId i : accesses)
      if (model.accesses[i].atomic) return refuse("atomic at " + where(i));
    for (const Access& access : model.accesses)
      if (access.array.isNone() && a.space != ir::Space::Private) {
        answer.reason = "an access at " + at(access) + " may touch any memory";
        return answer;
      }
    for (AccessId i : accesses)
      if (model.accesses[i].mode == ir::AccessMode::Address) {
        answer.reason = "its address is taken at " + where(i);
        return answer;
      }
    if (accesses.empty()) {
      answer.perThread = answer.perBlock = Answer::Yes;
      return answer;
    }
    bool isShared = a.space == ir::Space::Shared;
    answer.perBlock = isShared ? Answer::Yes : between(true);
    answer.perThread = answer.perBlock == Answer::No ? Answer::No : between(false);
    if (answer.perThread != Answer::No && !isShared && answer.perBlock != Answer::Yes)
      answer.perThread = answer.perBlock;
    if (answer.perThread == Answer::Yes) answer.reason.clear(), findForm();
    if (answer.perThread == Answer::Yes || answer.perBlock == Answer::Yes)
      answer.conditions = sets.conditions(accesses);
    if (answer.perBlock == Answer::Yes && !isShared) assumeOneBlock();
    return answer;
  }

 private:
  Privacy refuse(const std::string& why) {
    answer.perThread = answer.perBlock = Answer::No;
    if (model.arrays[array].space == ir::Space::Shared) answer.perBlock = Answer::Yes;
    answer.reason = why;
    return answer;
  }
  static std::string at(const Access& access) {
    return access.loc.valid() ? "line " + std::to_string(access.loc.line) : access.handle;
  }
  std::string where(AccessId i) const { return at(model.accesses[i]); }

  // Do two threads (of one block, or of different blocks) touch one element?
  Answer between(bool blocks) {
    Variation own = blocks ? everything() : threadsAndLoops();
    Point one{"@a", own}, other{"@b", own};
    Relations& r = sets.relations;
    for (size_t i = 0; i < accesses.size(); ++i)
      for (size_t j = i; j < accesses.size(); ++j) {
        AccessId x = accesses[i], y = accesses[j];
        r.start();
        auto meet = sets.budget.answer([&] {
          isl::set differ = isl::set::empty(isl::space::unit(r.ctx()));
          for (unsigned axis = 0; axis < 3; ++axis) {
            if (blocks ? !hasBlocks(axis) : model.block[axis] == 1) continue;
            isl::pw_aff p = blocks ? r.block(axis, one) : r.thread(axis, one),
                        q = blocks ? r.block(axis, other) : r.thread(axis, other);
            differ = differ.unite(p.ne_set(q));
          }
          isl::set both = sets.of(x, one).intersect(sets.of(y, other));
          both = both.intersect_params(strideLemma(x, y, one, other));
          return !r.withRanges(both.intersect_params(differ)).is_empty();
        });
        if (meet && !*meet) continue;
        answer.reason = !meet                               ? "too complex"
                        : r.exactness() == Exactness::Exact ? pairText(x, y, blocks)
                                                            : r.reason();
        if (!meet || r.exactness() != Exactness::Exact) return Answer::Unknown;
        answer.first = x, answer.second = y;
        return Answer::No;
      }
    return Answer::Yes;
  }

  // A kernel that never asks for a block's place along an axis is launched with one block along it, or does
  // everything twice.
  bool hasBlocks(unsigned axis) {
    if (launchOf) return launchOf->grid[axis] > 1;
    if (!used) {
      used = 0;
      auto look = [&](const Variation& v) { *used |= v.blockAxes; };
      for (const Access& a : model.accesses) look(atoms.variation(a.address)), look(atoms.variation(a.guard));
      for (const Loop& l : model.loops) {
        look(atoms.variation(l.first));
        if (l.runs) look(atoms.variation(l.runs));
      }
      for (const Branch& b : model.branches) look(atoms.variation(b.cond));
    }
    return *used >> axis & 1;
  }
  void assumeOneBlock() {
    if (launchOf) return;
    for (unsigned axis = 0; axis < 3; ++axis)
      if (!hasBlocks(axis))
        answer.conditions.push_back(
            {atoms.gridDim(axis),
             1,
             1,
             atoms.str(atoms.gridDim(axis)) + " must be 1: blocks along it would do the same",
             {}});
  }

  std::string pairText(AccessId x, AccessId y, bool blocks) const {
    std::string who = blocks ? "blocks" : "threads";
    if (x == y) return who + " touch the same element at " + where(x);
    return "different " + who + " touch one element at " + where(x) + " and " + where(y);
  }

  // A loop that starts at a number of its own in 0 … step - 1 and adds the step: the values of two that start
  // apart never meet.
  isl::set strideLemma(AccessId x, AccessId y, const Point& one, const Point& other) {
    Relations& r = sets.relations;
    isl::set all = r.universe();
    for (LoopId l : model.accesses[x].loops) {
      const Loop& loop = model.loops[l];
      const auto& loops = model.accesses[y].loops;
      if (!loop.byDistance || std::find(loops.begin(), loops.end(), l) == loops.end()) continue;
      // 0 <= first < step, for every thread of the launch.
      Point any{"@c", everything()};
      isl::pw_aff first = r.value(loop.first, any), step = r.value(loop.step, any);
      isl::set fails = first.lt_set(r.number(0)).unite(first.ge_set(step));
      if (!r.withRanges(fails).is_empty()) continue;
      isl::pw_aff p = r.value(loop.first, one), q = r.value(loop.first, other);
      isl::pw_aff v = p.add(r.counter(l, one)), w = q.add(r.counter(l, other));
      all = all.intersect(p.eq_set(q).unite(v.ne_set(w)));
    }
    return all;
  }

  // Splits an element number into what the thread's coordinates add and the rest.
  struct Parts {
    std::array<int64_t, 3> of{};
    Poly rest;
  };
  std::optional<Parts> partsOf(const Poly& element) {
    Parts parts;
    Poly left = element;
    for (unsigned axis = 0; axis < 3; ++axis) {
      AtomId id = atoms.thread(axis).atoms().front();
      Poly c = element.coefficient(id);
      if (c.isZero()) continue;
      auto n = c.constant();
      if (!n) return std::nullopt;
      parts.of[axis] = *n;
      left -= atoms.thread(axis) * c;
    }
    bool hidden = false;
    for (AtomId id : left.atoms())
      if (atoms[id].kind == AtomKind::Thread) hidden = true;
    if (hidden) return std::nullopt;
    parts.rest = left;
    return parts;
  }

  // Greatest and least of c·t over the block, and whether no two threads have the same.
  bool isInjective(const std::array<int64_t, 3>& c, int64_t& low, int64_t& high) const {
    std::vector<std::pair<int64_t, int64_t>> strides;
    low = high = 0;
    for (unsigned axis = 0; axis < 3; ++axis) {
      int64_t n = model.block[axis];
      if (n == 1) continue;
      strides.emplace_back(std::abs(c[axis]), n);
      (c[axis] < 0 ? low : high) += c[axis] * (n - 1);
    }
    std::sort(strides.begin(), strides.end());
    int64_t reach = 1;
    for (auto [stride, n] : strides) {
      if (stride < reach) return false;
      reach = stride * (n - 1) + reach;
    }
    return true;
  }

  void findForm() {
    answer.form = OwnerForm::Other;
    const Shape& shape = sets.shape(array);
    std::vector<Parts> parts;
    for (AccessId i : accesses) {
      const Access& a = model.accesses[i];
      if (!a.address.isDivisible(shape.unit) || shape.widths[i] != 1) return noteSlots();
      auto p = partsOf(a.address.dividedExactly(shape.unit));
      if (!p) return noteSlots();
      parts.push_back(*p);
    }
    for (const Parts& p : parts)
      if (p.of != parts.front().of) return noteSlots();
    int64_t low = 0, high = 0;
    if (!isInjective(parts.front().of, low, high)) return noteSlots();
    std::vector<Poly> rests;
    for (const Parts& p : parts) rests.push_back(p.rest - parts.front().rest);
    // One slot: nothing but the thread.
    if (std::all_of(rests.begin(), rests.end(), [](const Poly& p) { return p.isZero(); }) &&
        !varies(parts.front().rest)) {
      answer.form = OwnerForm::OneSlot;
      answer.slots = 1;
      for (AccessId i : accesses) answer.slotOf.emplace_back(i, Poly(0));
      return;
    }
    if (slotMajor(parts, high - low + 1) || threadMajor(parts)) {
      for (const auto& [i, slot] : answer.slotOf) answer.hasRuntimeSlot |= !isConstantUnrolled(slot);
      return;
    }
    noteSlots();
  }

  // A number once loops whose iterations are numbers are unrolled.
  bool isConstantUnrolled(const Poly& p) const {
    bool isConstant = true;
    atoms.forEachAtom(p, [&](AtomId id) {
      const Atom& a = atoms[id];
      if (a.kind == AtomKind::Loop) {
        const Loop& loop = model.loops[a.loop];
        isConstant &= !loop.values.empty() ||
                      (!loop.byDistance && loop.first.constant() && loop.runs && boundOf(loop).constant());
      }
      isConstant &= a.kind != AtomKind::Opaque && a.kind != AtomKind::Symbol && a.kind != AtomKind::Thread &&
                    a.kind != AtomKind::Block;
    });
    return isConstant;
  }
  // What a loop's condition compares its counter with; no number where the condition is not one comparison.
  Poly boundOf(const Loop& loop) const {
    if (loop.runs->kind != CondKind::AtLeast0) return Poly::atom(loop.counter);
    return loop.runs->value.without(loop.counter);
  }

  // A slot that is different from iteration to iteration or loaded: more than one element a thread.
  bool varies(const Poly& rest) const {
    Variation v = atoms.variation(rest);
    v.blockAxes = 0;
    return v != Variation{};
  }

  bool slotMajor(const std::vector<Parts>& parts, int64_t span) {
    // The pitch divides every rest up to one number they all share.
    Poly base = parts.front().rest.constantPart();
    int64_t pitch = 0;
    for (const Parts& p : parts) pitch = std::gcd(pitch, (p.rest - base).content());
    if (pitch < span) return false;
    answer.form = OwnerForm::SlotMajor;
    return number(parts, base, pitch);
  }

  bool threadMajor(const std::vector<Parts>& parts) {
    int64_t slots = 0;
    for (unsigned axis = 0; axis < 3; ++axis)
      if (model.block[axis] > 1) slots = std::gcd(slots, parts.front().of[axis]);
    if (slots < 2) return false;
    // The least rest is slot 0.
    int64_t base = INT64_MAX;
    for (size_t i = 0; i < parts.size(); ++i)
      base = std::min(base, rangeOf(accesses[i], parts[i].rest).first);
    if (base == INT64_MIN) return false;
    for (size_t i = 0; i < parts.size(); ++i)
      if (!staysBelow(accesses[i], parts[i].rest - Poly(base), slots)) return false;
    answer.form = OwnerForm::ThreadMajor;
    answer.slots = slots;
    for (size_t i = 0; i < parts.size(); ++i)
      answer.slotOf.emplace_back(accesses[i], parts[i].rest - Poly(base));
    return true;
  }

  bool staysBelow(AccessId access, const Poly& slot, int64_t slots) {
    if (atoms.range(slot).isWithin(0, slots - 1)) return true;
    Relations& r = sets.relations;
    Point any{"@", everything()};
    auto holds = sets.budget.answer([&] {
      isl::pw_aff v = r.value(slot, any);
      isl::set fails = v.lt_set(r.number(0)).unite(v.ge_set(r.number(slots)));
      return r.withRanges(fails.intersect(r.domain(model.accesses[access], any))).is_empty();
    });
    return holds && *holds;
  }

  bool number(const std::vector<Parts>& parts, const Poly& base, int64_t pitch) {
    std::optional<int64_t> low, high;
    bool isBounded = true;
    for (size_t i = 0; i < parts.size(); ++i) {
      Poly slot = (parts[i].rest - base).dividedExactly(pitch);
      answer.slotOf.emplace_back(accesses[i], slot);
      auto [least, most] = rangeOf(accesses[i], slot);
      isBounded &= least != INT64_MIN && most != INT64_MAX;
      low = std::min(low.value_or(least), least), high = std::max(high.value_or(most), most);
    }
    if (!isBounded) return true;
    for (auto& [i, slot] : answer.slotOf) slot -= Poly(*low);
    answer.slots = *high - *low + 1;
    return true;
  }

  std::pair<int64_t, int64_t> rangeOf(AccessId access, const Poly& p) {
    Range known = atoms.range(p);
    Relations& r = sets.relations;
    Point any{"@", everything()};
    auto bounds = sets.budget.answer([&] {
      isl::set s = r.value(p, any).as_set().intersect_params(r.domain(model.accesses[access], any));
      s = r.forgetAll(r.withRanges(s));
      isl::val low = s.dim_min_val(0), high = s.dim_max_val(0);
      return std::pair(low.is_int() ? low.num_si() : INT64_MIN, high.is_int() ? high.num_si() : INT64_MAX);
    });
    if (!bounds) return {known.low, known.high};
    return {std::max(known.low, bounds->first), std::min(known.high, bounds->second)};
  }

  void noteSlots() { answer.slotOf.clear(), answer.slots.reset(), answer.form = OwnerForm::Other; }

  const KernelModel& model;
  Atoms& atoms;
  ArrayId array;
  std::vector<AccessId> accesses;
  const Launch* launchOf;
  ElementSets sets;
  std::optional<uint8_t> used;
  Privacy answer;
};

}  // namespace

Privacy privacy(const KernelModel& model, ArrayId array, const Launch* launch) {
  return PrivacyOf(model, array, launch).run();
}

const char* str(Answer answer) {
  switch (answer) {
    case Answer::Yes: return "yes";
    case Answer::No: return "no";
    case Answer::Unknown: return "unknown";
  }
  return "unknown";
}

const char* str(OwnerForm form) {
  switch (form) {
    case OwnerForm::None: return "none";
    case OwnerForm::OneSlot: return "one slot";
    case OwnerForm::SlotMajor: return "slot-major";
    case OwnerForm::ThreadMajor: return "thread-major";
    case OwnerForm::Other: return "other";
  }
  return "none";
}

}  // namespace hone::analysis
