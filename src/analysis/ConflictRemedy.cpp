#include "analysis/ConflictRemedy.h"

#include <bit>
#include <set>

#include "analysis/ArrayStart.h"

namespace hone::analysis {

using affine::Poly;

namespace {

// Byte distances of the subscripts of an array with declared extents, the innermost extent enlarged.
std::vector<int64_t> pitches(const affine::Array& array, unsigned padding) {
  std::vector<int64_t> out(array.extents.size());
  int64_t bytes = static_cast<int64_t>(ir::sizeOf(*array.element));
  for (size_t d = array.extents.size(); d-- > 0;) {
    out[d] = bytes;
    bytes *= array.extents[d] + (d + 1 == array.extents.size() ? padding : 0);
  }
  return out;
}

// The address with other pitches; what it has beside the subscripts (a member of an element) stays.
Poly withPitches(const affine::Array& array, const affine::Access& access, unsigned padding) {
  const std::vector<int64_t> before = pitches(array, 0), after = pitches(array, padding);
  Poly out = access.address;
  for (size_t d = 0; d < before.size(); ++d) out += access.subscripts[d] * Poly(after[d] - before[d]);
  return out;
}

bool isAligned(PerThread& perThread, const affine::Access& access, const Poly& address) {
  const affine::KernelModel& model = perThread.model;
  const unsigned alignment = accessAlignment(model, access);
  if (alignment == 1) return true;
  const LanePattern pattern = lanePattern(perThread, access, address);
  for (const WarpPattern& warp : pattern.warps)
    for (const LaneGroup& group : warp.groups) {
      if (residues(model, group.start, alignment).only() != 0u) return false;
      for (uint32_t left = group.mask; left; left &= left - 1)
        if (group.offset[std::countr_zero(left)] % alignment) return false;
    }
  return true;
}

// Tries col ^ (row & mask) on numbers: every value that what the warps share can have, as far as it changes
// banks.
class Swizzle {
 public:
  Swizzle(const affine::KernelModel& m, const affine::Array& a, const target::BankRules& r)
      : model(m), array(a), rules(r), extent(a.extents.back()) {}

  // Whether the access is free with this mask; a reason when that cannot be told.
  bool isFree(const affine::Access& access, unsigned mask, std::string& why) const {
    const affine::Atoms& atoms = *model.atoms;
    Poly row;
    for (size_t d = 0; d + 1 < array.extents.size(); ++d)
      row = row * Poly(d ? array.extents[d] : 1) + access.subscripts[d];
    const Poly& column = access.subscripts.back();
    std::vector<std::pair<affine::AtomId, std::pair<int64_t, int64_t>>>
        over;  // unknown, first and last value
    uint64_t combinations = 1;
    std::set<affine::AtomId> inside;  // of quotients, choices and bit operations
    for (const Poly& p : {row, column})
      atoms.forEachAtom(p, [&](affine::AtomId id) {
        const affine::AtomKind kind = atoms[id].kind;
        if (kind == affine::AtomKind::Div || kind == affine::AtomKind::Choice ||
            kind == affine::AtomKind::Bits)
          atoms.forEachAtom(Poly::atom(id), [&](affine::AtomId below) {
            if (below != id) inside.insert(below);
          });
      });
    for (const Poly& p : {row, column})
      atoms.forEachAtom(p, [&](affine::AtomId id) {
        const affine::Atom& atom = atoms[id];
        if (atom.kind == affine::AtomKind::Thread || atom.kind == affine::AtomKind::Div ||
            atom.kind == affine::AtomKind::Choice || atom.kind == affine::AtomKind::Bits)
          return;
        for (const auto& [known, range] : over)
          if (known == id) return;
        const affine::Range range = atoms.range(Poly::atom(id));
        const bool isFew =
            range.low != INT64_MIN && range.high != INT64_MAX && range.high - range.low < 2 * extent;
        // Beyond a row's length columns repeat.
        if (!isFew && inside.count(id)) why = "it depends on " + atoms.str(Poly::atom(id));
        over.push_back(
            {id, isFew ? std::pair{range.low, range.high} : std::pair<int64_t, int64_t>{0, extent - 1}});
        combinations *= static_cast<uint64_t>(over.back().second.second - over.back().second.first + 1);
        if (combinations > 4096) why = "it depends on too many values";
      });
    if (!why.empty()) return false;
    affine::Values values(atoms, {});
    return forAll(over, 0, values, [&] { return isFreeNow(access, row, column, mask, values); });
  }

 private:
  template <class F>
  bool forAll(const std::vector<std::pair<affine::AtomId, std::pair<int64_t, int64_t>>>& over, size_t at,
              affine::Values& values, const F& check) const {
    if (at == over.size()) return check();
    for (int64_t v = over[at].second.first; v <= over[at].second.second; ++v) {
      values.set(over[at].first, v);
      if (!forAll(over, at + 1, values, check)) return false;
    }
    return true;
  }

  bool isFreeNow(const affine::Access& access, const Poly& row, const Poly& column, unsigned mask,
                 affine::Values& values) const {
    const unsigned threads = model.threads();
    const uint64_t bytes = ir::sizeOf(*array.element);
    for (unsigned first = 0; first < threads; first += 32) {
      std::array<uint64_t, 32> offset{};
      uint32_t lanes = 0;
      for (unsigned t = first; t < std::min(threads, first + 32); ++t) {
        values.setThread(0, t % model.block[0]);
        values.setThread(1, t / model.block[0] % model.block[1]);
        values.setThread(2, t / model.block[0] / model.block[1]);
        if (const std::optional<bool> does = access.guard ? values.holds(access.guard) : true; does && !*does)
          continue;
        const std::optional<int64_t> r = values.value(row), c = values.value(column);
        if (!r || !c) return false;
        const uint64_t swizzled =
            static_cast<uint64_t>(affine::floorMod(*c, extent)) ^ (static_cast<uint64_t>(*r) & mask);
        offset[t - first] = arrayStart + (static_cast<uint64_t>(*r * extent) + swizzled) * bytes;
        lanes |= uint32_t(1) << (t - first);
      }
      if (!lanes) continue;
      const Passes p = countPasses(access, offset, lanes, rules);
      if (p.wavefronts > p.least) return false;
    }
    return true;
  }

  const affine::KernelModel& model;
  const affine::Array& array;
  const target::BankRules& rules;
  int64_t extent;
};

// What accesses of one array do as they are.
struct Conflicting {
  std::vector<const affine::Access*> accesses;
  bool hasConflicts = false;
  unsigned degree = 0;
  std::string why;  // nothing can be done
};

Conflicting conflictsOf(PerThread& perThread, affine::ArrayId index, const target::BankRules& rules) {
  const affine::KernelModel& model = perThread.model;
  const affine::Array& array = model.arrays[index];
  Conflicting out;
  std::string& why = out.why;
  for (const affine::Access& a : model.accesses) {
    if (a.array != index || a.mode == ir::AccessMode::Address) continue;
    const BankConflicts c = bankConflicts(perThread, a, rules);
    if (c.degree > 1) out.hasConflicts = true;
    out.degree = std::max(out.degree, c.degree);
    if (!c.degree) why = a.handle + ": " + c.reason;
    out.accesses.push_back(&a);
  }
  if (!out.hasConflicts) return out;
  if (array.extents.size() < 2) why = "it is declared with one dimension";
  if (!array.extents.empty() && array.extents.back() <= 0) why = "the length of its rows is not known";
  for (const affine::Access* a : out.accesses)
    if (a->subscripts.size() != array.extents.size() && why.empty())
      why = a->handle + " goes through it by another shape";
  return out;
}

}  // namespace

ConflictRemedy conflictRemedy(PerThread& perThread, affine::ArrayId index, const target::BankRules& rules) {
  const affine::Array& array = perThread.model.arrays[index];
  const Conflicting now = conflictsOf(perThread, index, rules);
  ConflictRemedy out;
  out.hasConflicts = now.hasConflicts;
  out.degree = now.degree;
  if (!out.hasConflicts) return out;
  if (!now.why.empty() || !array.element) {
    out.noPadding = now.why;
    return out;
  }
  const uint64_t elementBytes = ir::sizeOf(*array.element);
  const unsigned most =
      static_cast<unsigned>(std::max<uint64_t>(1, rules.rowBytes / std::max<uint64_t>(1, elementBytes)));
  out.lessDegree = out.degree;
  for (unsigned padding = 1; padding <= most && !out.padding; ++padding) {
    unsigned worst = 1;
    for (const affine::Access* a : now.accesses) {
      const Poly address = withPitches(array, *a, padding);
      const unsigned degree = isAligned(perThread, *a, address)
                                  ? bankConflicts(perThread, *a, address, rules).degree
                                  : UINT32_MAX;
      worst = degree ? std::max(worst, degree) : UINT32_MAX;
      if (worst >= out.lessDegree) break;
    }
    if (worst >= out.lessDegree) continue;
    out.lessDegree = worst;
    out.lessPadding = padding;
    if (worst == 1) out.padding = padding;
  }
  if (out.padding || !out.lessPadding) out.lessPadding.reset(), out.lessDegree = 0;
  if (out.padding) {
    out.paddingBytes = *out.padding * elementBytes;
    for (size_t d = 0; d + 1 < array.extents.size(); ++d)
      out.paddingBytes *= static_cast<uint64_t>(std::max<int64_t>(1, array.extents[d]));
  } else {
    out.noPadding = "no padding up to " + std::to_string(most) + " elements frees all accesses";
  }
  return out;
}

ConflictSwizzle conflictSwizzle(PerThread& perThread, affine::ArrayId index, const target::BankRules& rules) {
  const affine::KernelModel& model = perThread.model;
  const affine::Array& array = model.arrays[index];
  const Conflicting now = conflictsOf(perThread, index, rules);
  ConflictSwizzle out;
  if (!now.hasConflicts) return out;
  if (!now.why.empty() || !array.element) {
    out.noMask = now.why;
    return out;
  }
  const uint64_t elementBytes = ir::sizeOf(*array.element);
  const int64_t extent = array.extents.back();
  if (extent & (extent - 1)) out.noMask = "the length of its rows is no power of two";
  for (const affine::Access* a : now.accesses)
    if (a->bytes != elementBytes) out.noMask = a->handle + " takes several elements at once";
  if (!out.noMask.empty()) return out;
  const Swizzle swizzle(model, array, rules);
  for (int64_t mask = 1; mask < extent && !out.mask && out.noMask.empty(); mask = mask * 2 + 1) {
    bool isFree = true;
    for (const affine::Access* a : now.accesses) {
      isFree = isFree && swizzle.isFree(*a, static_cast<unsigned>(mask), out.noMask);
      if (!isFree) break;
    }
    if (isFree) out.mask = static_cast<unsigned>(mask);
  }
  if (!out.mask && out.noMask.empty()) out.noMask = "no mask frees all accesses";
  return out;
}

}  // namespace hone::analysis
