#include "analysis/BlockClasses.h"

#include <algorithm>
#include <bit>
#include <numeric>

namespace hone::analysis {

using affine::AtomId;
using affine::AtomKind;
using affine::CondKind;
using affine::CondPtr;
using affine::Poly;
using affine::Range;

namespace {

constexpr int64_t modulus = 256;

struct BlockBox {
  std::array<int64_t, 3> low{}, high{};  // both ends belong to it
  bool isOne(unsigned axis) const { return low[axis] == high[axis]; }
};

class Classifier {
 public:
  Classifier(const affine::KernelModel& m, const affine::Access& a, const affine::Launch& launch,
             size_t limit)
      : model(m), atoms(*m.atoms), access(a), grid(launch.grid), most(limit) {
    // Symbols become numbers first: n*blockIdx.y then has a factor.
    affine::Atoms::Substitution numbers;
    const affine::Values values(atoms, launch);
    for (AtomId id = 0; id < atoms.size(); ++id)
      if (atoms[id].kind == AtomKind::Symbol)
        if (const auto known = values.of(id)) numbers[id] = Poly(*known);
    address = atoms.substitute(access.address, numbers);
    if (access.guard) conditions.push_back(atoms.substitute(access.guard, numbers));
    for (affine::LoopId loop : access.loops) {
      const affine::Loop& l = model.loops[loop];
      if (l.runs) conditions.push_back(atoms.substitute(l.runs, numbers));
      same.push_back(atoms.substitute(l.step, numbers));
    }
    for (unsigned r : access.requirements) {
      affine::Requirement requirement = model.requirements[r];
      requirement.value = atoms.substitute(requirement.value, numbers);
      requirements.push_back(std::move(requirement));
    }
  }

  std::optional<std::vector<BlockClass>> find() {
    if (!visit({{0, 0, 0}, {grid[0] - 1, grid[1] - 1, grid[2] - 1}})) return std::nullopt;
    return std::move(classes);
  }

 private:
  bool visit(const BlockBox& box) {
    if (box.isOne(0) && box.isOne(1) && box.isOne(2)) return add(box, {1, 1, 1});
    if (const std::optional<std::array<int64_t, 3>> period = periodIn(box)) return add(box, *period);
    // The longest axis among those that the first difference found depends on.
    unsigned axis = 3;
    for (unsigned a = 0; a < 3; ++a)
      if (blamed >> a & 1 && !box.isOne(a) &&
          (axis == 3 || box.high[a] - box.low[a] > box.high[axis] - box.low[axis]))
        axis = a;
    if (axis == 3) return false;
    if (++splits > most) return false;
    BlockBox first = box, second = box;
    first.high[axis] = box.low[axis] + (box.high[axis] - box.low[axis]) / 2;
    second.low[axis] = first.high[axis] + 1;
    return visit(first) && visit(second);
  }

  bool add(const BlockBox& box, const std::array<int64_t, 3>& period) {
    std::array<int64_t, 3> at{};
    auto count = [&](unsigned axis) {
      return static_cast<uint64_t>((box.high[axis] - box.low[axis] - at[axis]) / period[axis] + 1);
    };
    auto last = [&](unsigned axis) { return std::min(period[axis], box.high[axis] - box.low[axis] + 1); };
    for (at[2] = 0; at[2] < last(2); ++at[2])
      for (at[1] = 0; at[1] < last(1); ++at[1])
        for (at[0] = 0; at[0] < last(0); ++at[0]) {
          if (classes.size() >= most) return false;
          classes.push_back(
              {{box.low[0] + at[0], box.low[1] + at[1], box.low[2] + at[2]}, count(0) * count(1) * count(2)});
        }
    return true;
  }

  // After how many blocks along each axis addresses are the same modulo 256; nothing when blocks of the box
  // may differ in more.
  std::optional<std::array<int64_t, 3>> periodIn(const BlockBox& box) const {
    for (const CondPtr& cond : conditions)
      if (!isAlike(cond, box)) return std::nullopt;
    for (const Poly& value : same)
      if (mentionsBlock(value, box)) return std::nullopt;
    for (const affine::Requirement& r : requirements) {
      if (!mentionsBlock(r.value, box)) continue;
      const Range range = rangeIn(r.value, box);
      if (range.low < r.low || range.high > r.high || range.low == INT64_MIN || range.high == INT64_MAX)
        return std::nullopt;
    }
    std::array<int64_t, 3> period{1, 1, 1};
    for (const auto& [monomial, factor] : address.terms()) {
      Poly term;
      term.add(monomial, factor);
      if (!mentionsBlock(term, box)) continue;
      if (monomial.size() != 1 || atoms[monomial[0]].kind != AtomKind::Block) return std::nullopt;
      period[atoms[monomial[0]].axis] = modulus / std::gcd(affine::floorMod(factor, modulus), modulus);
    }
    return period;
  }

  // A coordinate that is not the same for all blocks of the box. Remembers which.
  bool mentionsBlock(const Poly& value, const BlockBox& box) const {
    blamed = 0;
    atoms.forEachAtom(value, [&](AtomId id) {
      const affine::Atom& atom = atoms[id];
      if (atom.kind == AtomKind::Block && !box.isOne(atom.axis)) blamed |= 1u << atom.axis;
      if (atom.kind == AtomKind::Opaque) blamed |= atom.varies.blockAxes;
    });
    return blamed != 0;
  }

  // Each comparison is decided for the whole box, or says nothing of the block.
  bool isAlike(const CondPtr& cond, const BlockBox& box) const {
    if (cond->kind == CondKind::Unknown) return !(blamed = cond->varies.blockAxes);
    for (const CondPtr& part : cond->parts)
      if (!isAlike(part, box)) return false;
    if (cond->kind != CondKind::AtLeast0 && cond->kind != CondKind::Zero) return true;
    if (!mentionsBlock(cond->value, box)) return true;
    const Range range = rangeIn(cond->value, box);
    if (range.high != INT64_MAX && range.high < 0) return true;
    if (range.low == INT64_MIN) return false;
    return cond->kind == CondKind::Zero ? range.low > 0 : range.low >= 0;
  }

  // Where a value can lie for blocks of the box; terms by themselves.
  Range rangeIn(const Poly& value, const BlockBox& box) const {
    Range out{0, 0};
    for (const auto& [monomial, factor] : value.terms()) {
      Range term{factor, factor};
      for (AtomId id : monomial) {
        const affine::Atom& atom = atoms[id];
        const Range of = atom.kind == AtomKind::Block ? Range{box.low[atom.axis], box.high[atom.axis]}
                                                      : atoms.range(Poly::atom(id));
        if (of.low == INT64_MIN || of.high == INT64_MAX) return {};
        int64_t corner[4];
        bool isTooLarge = false;
        for (unsigned i = 0; i < 4; ++i)
          isTooLarge |=
              __builtin_mul_overflow(i & 1 ? term.low : term.high, i & 2 ? of.low : of.high, &corner[i]);
        if (isTooLarge) return {};
        term = {*std::min_element(corner, corner + 4), *std::max_element(corner, corner + 4)};
      }
      if (__builtin_add_overflow(out.low, term.low, &out.low) ||
          __builtin_add_overflow(out.high, term.high, &out.high))
        return {};
    }
    return out;
  }

  const affine::KernelModel& model;
  affine::Atoms& atoms;
  const affine::Access& access;
  std::array<int64_t, 3> grid;
  size_t most, splits = 0;
  mutable unsigned blamed = 0;  // axes of the last value that was looked at
  Poly address;
  std::vector<CondPtr> conditions;
  std::vector<Poly> same;
  std::vector<affine::Requirement> requirements;
  std::vector<BlockClass> classes;
};

}  // namespace

std::optional<std::vector<BlockClass>> blockClasses(const affine::KernelModel& model,
                                                    const affine::Access& access,
                                                    const affine::Launch& launch, size_t most) {
  for (int64_t side : launch.grid)
    if (side <= 0) return std::vector<BlockClass>{};
  try {
    return Classifier(model, access, launch, most).find();
  } catch (const affine::TooLarge&) {
    return std::nullopt;
  }
}

bool forEachRequestOfClasses(const affine::KernelModel& model, const affine::Access& access,
                             const affine::Launch& launch, uint64_t limit,
                             const std::function<void(const affine::WarpRequest&, uint64_t)>& fn) {
  const std::optional<std::vector<BlockClass>> classes = blockClasses(model, access, launch);
  if (!classes)
    return affine::forEachRequest(model, access, launch, {}, limit,
                                  [&](const affine::WarpRequest& r) { fn(r, 1); });
  std::map<uint64_t, std::vector<std::array<int64_t, 3>>> byCount;
  for (const BlockClass& one : *classes) byCount[one.count].push_back(one.block);
  uint64_t seen = 0;
  for (const auto& [count, blocks] : byCount) {
    if (seen > limit) return false;
    const bool isDone = affine::forEachRequest(model, access, launch, blocks, limit - seen,
                                               [&](const affine::WarpRequest& r) {
                                                 seen += static_cast<unsigned>(std::popcount(r.mask));
                                                 fn(r, count);
                                               });
    if (!isDone) return false;
  }
  return true;
}

}  // namespace hone::analysis
