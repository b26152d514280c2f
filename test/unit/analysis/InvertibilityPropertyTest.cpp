// Inverses of random stores, and coverage of random loads, against every thread and iteration by itself.
#include <gtest/gtest.h>

#include <set>

#include "RandomAccess.h"
#include "analysis/Invertibility.h"

using namespace hone;
using namespace hone::analysis;
using namespace hone::analysis::test;

namespace {

// One execution: block, thread, counters of the two loops.
struct Instance {
  std::array<int64_t, 3> block{}, thread{};
  std::array<int64_t, 2> counter{};
};

class RandomStore : public RandomAccess {
 public:
  using RandomAccess::RandomAccess;

  // Mixed radix now and then, what people write into arrays of the block; else anything.
  RandomValue store() {
    if (chance(40)) return value();
    const auto [bx, by, bz] = hand.model.block;
    const int64_t pitch = chance(50) ? bx : bx + pick({1, 2, 4, -1});
    const int64_t x = pick({1, 1, 1, 2, -1, 0}), y = chance(80) ? pitch : pick({0, 1, 3});
    const int64_t z = chance(80) ? pitch * by : pick({0, 1}), c = pick({0, 0, 1, 17, 255});
    const int64_t l =
        hand.model.loops.empty() ? 0 : pick({0, 1, int64_t(hand.model.threads()), pitch * by * bz});
    affine::Poly p = hand.tx() * x + hand.ty() * y + hand.atoms().thread(2) * z + affine::Poly(c);
    if (l) p += hand.atoms().loop(affine::LoopId(0)) * affine::Poly(l);
    return {p, [=, this](const Point& at) {
              return at.thread[0] * x + at.thread[1] * y + at.thread[2] * z + c + l * counterOf(0, at);
            }};
  }

  int64_t counterOf(size_t loop, const Point& p) const {
    if (loop >= hand.model.loops.size()) return 0;
    return (p.loop[loop] - inIteration(loop, 0)) / (inIteration(loop, 1) - inIteration(loop, 0));
  }

  std::vector<Instance> instances(const RandomCond& guard) const {
    std::vector<Instance> all;
    forEachExecution(
        [&](const Point& p) {
          all.push_back({p.block, p.thread, {counterOf(0, p), counterOf(1, p)}});
          return int64_t(0);
        },
        guard.plain, [](unsigned, uint32_t, const std::array<int64_t, 32>&) {});
    return all;
  }

  affine::Values valuesAt(const Instance& i) {
    affine::Values values(hand.atoms(), launch);
    for (unsigned axis = 0; axis < 3; ++axis)
      values.setBlock(axis, i.block[axis]), values.setThread(axis, i.thread[axis]);
    for (const affine::LoopId l : hand.model.loops.ids())
      values.set(hand.model.loops[l].counter, i.counter[size_t(l.number())]);
    return values;
  }
};

void compareInverses(unsigned seed) {
  std::mt19937 random(seed);
  unsigned solved = 0, mixed = 0, inverses = 0, unwritten = 0, dense = 0, free = 0;
  for (unsigned iteration = 0; iteration < 600 && !testing::Test::HasFailure(); ++iteration) {
    RandomStore r(random);
    const RandomValue subscript = r.store();
    const RandomCond guard = r.guard();
    affine::Access& access = r.hand.access(subscript.poly * 4, 4, guard.cond);
    access.mode = ir::AccessMode::Write;
    const std::vector<Instance> all = r.instances(guard);
    if (all.size() > 20'000) continue;
    const bool withConstants = r.chance(60);
    const Inverse inverse =
        invert(r.hand.model, affine::AccessId(0), {}, withConstants ? &r.launch : nullptr);
    const std::string text =
        r.hand.atoms().str(subscript.poly) + " if " + r.hand.atoms().str(access.guard) + ", block " +
        std::to_string(r.hand.model.block[0]) + "x" + std::to_string(r.hand.model.block[1]) + "x" +
        std::to_string(r.hand.model.block[2]) + ", w " + std::to_string(r.w) + ", n " + std::to_string(r.n) +
        ", iteration " + std::to_string(iteration) + ": " + inverse.reason;
    if (inverse.element.empty()) continue;
    if (inverse.reason == "it never happens") {
      EXPECT_TRUE(all.empty()) << text;
      continue;
    }
    // By block and element: who wrote it.
    std::map<std::pair<std::array<int64_t, 3>, std::vector<int64_t>>, std::vector<Instance>> writers;
    for (const Instance& i : all) {
      const affine::Values values = r.valuesAt(i);
      std::vector<int64_t> element;
      for (const affine::Poly& s : inverse.subscripts) {
        const auto v = values.value(s);
        ASSERT_TRUE(v) << text;
        element.push_back(*v);
      }
      writers[{i.block, element}].push_back(i);
    }
    auto check = [&](CoordinateRole role, const std::optional<affine::Poly>& value, auto coordinate) {
      bool several = false;
      for (const auto& [key, list] : writers) {
        for (const Instance& i : list) several |= coordinate(i) != coordinate(list.front());
        if (role != CoordinateRole::Solved || !value) continue;
        affine::Values values = r.valuesAt(list.front());
        for (size_t d = 0; d < key.second.size(); ++d)
          values.set(inverse.element[d].atoms().front(), key.second[d]);
        EXPECT_EQ(values.value(*value), coordinate(list.front())) << text << "\n"
                                                                  << r.hand.atoms().str(*value);
        if (testing::Test::HasFailure()) return;
      }
      if (role == CoordinateRole::Solved) EXPECT_FALSE(several) << text;
      if (role == CoordinateRole::Mixed && withConstants && inverse.exactness == affine::Exactness::Exact &&
          inverse.reason != "too complex")
        EXPECT_TRUE(several) << text;
      solved += role == CoordinateRole::Solved, mixed += role == CoordinateRole::Mixed;
      free += role == CoordinateRole::Free;
    };
    for (unsigned axis = 0; axis < 3; ++axis)
      check(inverse.axes[axis], inverse.thread[axis], [&](const Instance& i) { return i.thread[axis]; });
    for (const SolvedLoop& l : inverse.loops)
      check(l.role, l.iteration, [&](const Instance& i) { return i.counter[size_t(l.loop.number())]; });
    inverses += inverse.isInjective && inverse.isWritten,
        unwritten += inverse.isInjective && !inverse.isWritten;
    if (inverse.isDense && inverse.exactness == affine::Exactness::Exact && inverse.element.size() == 1) {
      ++dense;
      std::map<std::array<int64_t, 3>, std::set<int64_t>> elements;
      for (const auto& [key, list] : writers) elements[key.first].insert(key.second[0]);
      for (const auto& [block, set] : elements)
        EXPECT_EQ(*set.rbegin() - *set.begin() + 1, int64_t(set.size())) << text;
    }
  }
  EXPECT_GT(solved, 300u);
  EXPECT_GT(mixed, 100u);
  EXPECT_GT(free, 100u);
  EXPECT_GT(inverses, 100u);
  EXPECT_LT(unwritten, inverses / 20);
  EXPECT_GT(dense, 50u);
}

// In parts, so that each takes a few seconds.
TEST(InvertibilityProperty, EqualsEveryThread) { compareInverses(11); }
TEST(InvertibilityProperty, EqualsEveryThreadAgain) { compareInverses(12); }

TEST(InvertibilityProperty, CoverageEqualsEveryElement) {
  std::mt19937 random(13);
  unsigned covered = 0, uncovered = 0, unknown = 0;
  for (unsigned iteration = 0; iteration < 500 && !HasFailure(); ++iteration) {
    RandomStore r(random);
    std::vector<std::set<std::pair<std::array<int64_t, 3>, int64_t>>> touched(3);
    std::string text;
    const RandomValue first = r.store();
    for (int k = 0; k < 3; ++k) {
      // The load is often a store's own address, moved a little.
      RandomValue subscript = k == 0 || r.chance(30) ? (k == 0 ? first : r.store()) : first;
      const int64_t moved = k == 0 ? 0 : r.pick({0, 0, 1, 2, -1});
      const RandomCond guard =
          r.chance(50) ? RandomCond{affine::always(), [](const Point&) { return true; }} : r.guard();
      affine::Access& access = r.hand.access((subscript.poly + moved) * 4, 4, guard.cond);
      access.mode = k == 2 ? ir::AccessMode::Read : ir::AccessMode::Write;
      text += r.hand.atoms().str(access.address) + " if " + r.hand.atoms().str(guard.cond) + "; ";
      r.forEachExecution(
          [&](const Point& p) {
            touched[k].insert({p.block, subscript.plain(p) + moved});
            return int64_t(0);
          },
          guard.plain, [](unsigned, uint32_t, const std::array<int64_t, 32>&) {});
    }
    bool isCovered = true;
    for (const auto& element : touched[2])
      isCovered &= touched[0].count(element) || touched[1].count(element);
    text += "block " + std::to_string(r.hand.model.block[0]) + "x" + std::to_string(r.hand.model.block[1]) +
            "x" + std::to_string(r.hand.model.block[2]) + ", w " + std::to_string(r.w) + ", n " +
            std::to_string(r.n) + ", iteration " + std::to_string(iteration);
    const affine::AccessId load(2);
    const std::vector<affine::AccessId> stores{affine::AccessId(0), affine::AccessId(1)};
    const Coverage withConstants = coveredBy(r.hand.model, load, stores, &r.launch);
    covered += withConstants.verdict == Coverage::Covered,
        uncovered += withConstants.verdict == Coverage::Uncovered;
    unknown += withConstants.verdict == Coverage::Unknown;
    if (withConstants.verdict != Coverage::Unknown)
      EXPECT_EQ(withConstants.verdict == Coverage::Covered, isCovered) << text << "\n"
                                                                       << withConstants.reason;
    const Coverage symbolic = coveredBy(r.hand.model, load, stores);
    if (symbolic.verdict == Coverage::Covered) EXPECT_TRUE(isCovered) << text;
  }
  EXPECT_GT(covered, 100u);
  EXPECT_GT(uncovered, 100u);
  EXPECT_LT(unknown, 100u);
}

}  // namespace
