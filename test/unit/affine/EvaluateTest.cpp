#include "affine/Evaluate.h"

#include <gtest/gtest.h>

#include <bit>

#include "RandomExpr.h"

namespace hone::affine {
namespace {

struct EvaluateTest : testing::Test {
  KernelModel model;
  Access access;
  Launch launch;
  Poly tx, bx, n;
  EvaluateTest() {
    model.block = {64, 1, 1};
    model.atoms = std::make_shared<Atoms>();
    model.atoms->blockShape = model.block;
    tx = model.atoms->thread(0);
    bx = model.atoms->block(0);
    n = model.atoms->symbol("n", nullptr, 0, INT32_MAX);
    access.guard = always();
    access.bytes = 4;
  }
  Poly addLoop(LoopId parent, Poly step, bool byDistance = false) {
    Loop loop;
    loop.parent = parent;
    const LoopId index(model.loops.size());
    const Poly counter = model.atoms->loop(index);
    loop.counter = counter.atoms().front();
    loop.step = std::move(step);
    loop.byDistance = byDistance;
    loop.runs = always();
    model.loops.add(loop);
    access.loops.push_back(index);
    return counter;
  }
  // "block/warp: lanes:first address" of each request.
  std::string requests(uint64_t limit = 1000000, const std::vector<std::array<int64_t, 3>>& blocks = {}) {
    std::string out;
    const bool known = forEachRequest(model, access, launch, blocks, limit, [&](const WarpRequest& r) {
      out += std::to_string(r.block[0]) + "/" + std::to_string(r.warp) + ": " +
             std::to_string(std::popcount(r.mask)) + ":" +
             std::to_string(r.address[static_cast<size_t>(std::countr_zero(r.mask))]) + "\n";
    });
    return known ? out : out + "unknown";
  }
};

TEST_F(EvaluateTest, ValuesOfPolynomials) {
  launch.symbols["n"] = 100;
  launch.grid = {7, 2, 1};
  Values values(*model.atoms, launch);
  EXPECT_EQ(values.value(n * 2 + 1), 201);
  EXPECT_EQ(values.value(n + tx), std::nullopt);
  values.setThread(0, 5);
  EXPECT_EQ(values.value(n + tx), 105);
  values.setBlock(0, 3);
  EXPECT_EQ(values.value(bx * 64 + tx), 197);
  const Poly grid = model.atoms->gridDim(0);  // after the values were made
  EXPECT_EQ(values.value(grid), 7);
  EXPECT_EQ(values.value(model.atoms->div(n - 103, 2)), -2);
  EXPECT_EQ(values.value(model.atoms->div(n, grid - 7)), std::nullopt);  // no quotient by 0
  EXPECT_EQ(values.value(n * n * n * n * n * n * n * n * n * n), std::nullopt);
  const Poly i = model.atoms->loop(LoopId(0));
  EXPECT_EQ(values.value(i), std::nullopt);
  values.set(i.atoms().front(), 9);
  EXPECT_EQ(values.value(i), 9);
  values.clear(i.atoms().front());
  EXPECT_EQ(values.value(i), std::nullopt);
}

TEST_F(EvaluateTest, ConditionsAreDecidedWhereOnePartIsEnough) {
  launch.symbols["n"] = 100;
  const Values values(*model.atoms, launch);
  const CondPtr yes = atLeast0(n - 5), no = isZero(n), open = atLeast0(tx - 3),
                unknown = unknownCond("a call", {}, 1);
  EXPECT_EQ(values.holds(both(yes, open)), std::nullopt);
  EXPECT_EQ(values.holds(both(no, open)), false);
  EXPECT_EQ(values.holds(anyOf({unknown, yes})), true);
  EXPECT_EQ(values.holds(anyOf({unknown, no})), std::nullopt);
}

TEST_F(EvaluateTest, EachWarpOfEachBlock) {
  access.address = (bx * 64 + tx) * 4;
  launch.grid = {2, 1, 1};
  EXPECT_EQ(requests(), "0/0: 32:0\n0/1: 32:128\n1/0: 32:256\n1/1: 32:384\n");
  EXPECT_EQ(requests(1000, {{5, 0, 0}}), "5/0: 32:1280\n5/1: 32:1408\n");
}

TEST_F(EvaluateTest, GuardsTakeLanesAway) {
  access.address = (bx * 64 + tx) * 4;
  access.guard = atLeast0(n - bx * 64 - tx - 1);
  launch.grid = {2, 1, 1};
  launch.symbols["n"] = 70;
  EXPECT_EQ(requests(), "0/0: 32:0\n0/1: 32:128\n1/0: 6:256\n");
  launch.symbols.clear();
  EXPECT_EQ(requests(), "unknown");
}

TEST_F(EvaluateTest, TheLastWarpMayBePartial) {
  model.block = {20, 2, 1};
  model.atoms->blockShape = model.block;
  access.address = model.atoms->thread(1) * 1000 + tx;
  EXPECT_EQ(requests(), "0/0: 32:0\n0/1: 8:1012\n");
}

TEST_F(EvaluateTest, LanesLeaveALoopOneByOne) {
  model.block = {4, 1, 1};
  model.atoms->blockShape = model.block;
  const Poly i = addLoop(LoopId::none(), 1);
  model.loops[LoopId(0)].runs = atLeast0(tx - i);  // for (i = 0; i <= threadIdx.x; ++i)
  access.address = i * 4;
  EXPECT_EQ(requests(), "0/0: 4:0\n0/0: 3:4\n0/0: 2:8\n0/0: 1:12\n");
}

TEST_F(EvaluateTest, LoopsByDistance) {
  model.block = {2, 1, 1};
  model.atoms->blockShape = model.block;
  const Poly grid = model.atoms->gridDim(0);
  const Poly i = addLoop(LoopId::none(), grid * 2, true);
  model.loops[LoopId(0)].runs = atLeast0(n - 1 - bx * 2 - tx - i);
  access.address = bx * 2 + tx + i;
  launch.grid = {3, 1, 1};
  launch.symbols["n"] = 13;
  EXPECT_EQ(requests(1000, {{0, 0, 0}}), "0/0: 2:0\n0/0: 2:6\n0/0: 1:12\n");
  launch.grid = {0, 1, 1};  // a step of 0 never ends
  EXPECT_EQ(requests(1000, {{0, 0, 0}}), "unknown");
}

TEST_F(EvaluateTest, ListedValuesAreFiltered) {
  const Poly s = addLoop(LoopId::none(), 0);
  model.loops[LoopId(0)].values = {32, 16, 8, 4, 2, 1};
  model.loops[LoopId(0)].runs = atLeast0(n - s);
  access.address = s;
  access.guard = atLeast0(s - tx - 1);
  launch.symbols["n"] = 8;
  EXPECT_EQ(requests(), "0/0: 8:8\n0/0: 4:4\n0/0: 2:2\n0/0: 1:1\n");
}

TEST_F(EvaluateTest, WhatIsNotKnownIsSaid) {
  access.address = tx * 4;
  access.guard = unknownCond("depends on flags[i]", {}, 1);
  EXPECT_EQ(requests(), "unknown");
  access.guard = both(access.guard, atLeast0(tx - 64));  // never reached
  EXPECT_EQ(requests(), "");
  access.guard = always();
  model.requirements.push_back({tx * n, 0, 1000, "32-bit unsigned arithmetic must not wrap", {}});
  access.requirements = {0};
  launch.symbols["n"] = 5;
  EXPECT_EQ(requests(), "0/0: 32:0\n0/1: 32:128\n");
  launch.symbols["n"] = 20;
  EXPECT_EQ(requests(), "0/0: 32:0\nunknown");
  access.requirements.clear();
  addLoop(LoopId::none(), 1);
  EXPECT_EQ(requests(100).substr(0, 20), "0/0: 32:0\n0/0: 32:0\n");  // without end
  EXPECT_TRUE(requests(100).ends_with("unknown"));
  model.loops[LoopId(0)].exactness = Exactness::Unknown;
  EXPECT_EQ(requests(), "unknown");
}

// A loop that only a guard keeps from running for ever, or from dividing by 0.
TEST_F(EvaluateTest, GuardsAreLookedAtBeforeLoops) {
  const Poly i = addLoop(LoopId::none(), 1);
  model.loops[LoopId(0)].runs = atLeast0(model.atoms->div(n, tx) - i - 1);
  access.guard = isZero(tx - 10);
  access.address = i;
  launch.symbols["n"] = 25;
  EXPECT_EQ(requests(), "0/0: 1:0\n0/0: 1:1\n");
}

// Random nests against the definition: each thread by itself, then lanes of the same iterations together.
TEST(EvaluateProperty, RandomNestsAgainstEachThreadAlone) {
  unsigned compared = 0;
  for (unsigned seed = 1; seed <= 1500; ++seed) {
    KernelModel model;
    model.atoms = std::make_shared<Atoms>();
    Atoms& atoms = *model.atoms;
    std::mt19937_64 engine(seed);
    const std::array<unsigned, 3> shapes[] = {{40, 1, 1}, {8, 4, 2}, {3, 5, 1}, {64, 1, 1}, {1, 33, 1}};
    model.block = atoms.blockShape = shapes[engine() % 5];
    Launch launch;
    launch.grid = {2, 2, 1};
    launch.symbols = {{"n", static_cast<int64_t>(engine() % 30)},
                      {"w", static_cast<int64_t>(1 + engine() % 9)}};
    std::vector<Poly> leaves{atoms.thread(0),
                             atoms.thread(1),
                             atoms.thread(2),
                             atoms.block(0),
                             atoms.block(1),
                             atoms.symbol("n", nullptr, 0, 30),
                             atoms.symbol("w", nullptr, 1, 9)};
    const Poly w = leaves[6];
    Access access;
    const auto depth = static_cast<int>(engine() % 3);
    for (int k = 0; k < depth; ++k) {
      RandomExprs random(atoms, leaves, w, static_cast<unsigned>(engine()));
      Loop loop;
      const Poly counter = atoms.loop(LoopId(k));
      loop.counter = counter.atoms().front();
      loop.step = 1;
      const int64_t kind = random.pick(0, 2);
      if (kind == 1) loop.byDistance = true, loop.step = random.pick(0, 1) ? w : leaves[0] + 1;
      if (kind == 2) loop.values = {4, 2, 1, 0};
      loop.runs = both(atLeast0(5 - counter), atLeast0(random.expr(1).poly - counter));
      model.loops.add(loop);
      access.loops.push_back(LoopId(k));
      leaves.push_back(counter);
    }
    RandomExprs random(atoms, leaves, w, static_cast<unsigned>(engine()));
    access.guard = random.pick(0, 2) == 0 ? always() : random.cond(2).first;
    access.address = random.expr(3).poly;
    model.requirements.push_back({random.expr(1).poly, -1000, 1000, "", {}});
    access.requirements = {0};

    using Iterations = std::vector<size_t>;
    std::map<std::tuple<int64_t, int64_t, unsigned, Iterations>, std::map<unsigned, int64_t>> expected;
    bool satisfied = true;
    AtomValues at;
    for (const auto& [name, v] : launch.symbols) at[*atoms.findSymbol(name)] = v;
    const auto set = [&](const Poly& p, int64_t v) { at[p.atoms().front()] = v; };
    for (int64_t block = 0; block < 4; ++block)
      for (unsigned thread = 0; thread < model.threads(); ++thread) {
        set(leaves[3], block % 2);
        set(leaves[4], block / 2);
        set(leaves[0], thread % model.block[0]);
        set(leaves[1], thread / model.block[0] % model.block[1]);
        set(leaves[2], thread / model.block[0] / model.block[1]);
        const std::function<void(size_t, Iterations)> nest = [&](size_t k, Iterations iterations) {
          if (k == access.loops.size()) {
            if (!plainHolds(atoms, access.guard, at)) return;
            expected[{block / 2, block % 2, thread / 32, iterations}][thread % 32] =
                plainValue(atoms, access.address, at);
            const int64_t limited = plainValue(atoms, model.requirements[0].value, at);
            satisfied &= limited >= -1000 && limited <= 1000;
            return;
          }
          const Loop& loop = model.loops[LoopId(k)];
          for (size_t iteration = 0; loop.values.empty() || iteration < loop.values.size(); ++iteration) {
            int64_t counter = static_cast<int64_t>(iteration);
            if (!loop.values.empty()) counter = loop.values[iteration];
            if (loop.byDistance) counter *= plainValue(atoms, loop.step, at);
            at[loop.counter] = counter;
            const bool runs = plainHolds(atoms, loop.runs, at);
            if (!runs && loop.values.empty()) return;
            iterations.push_back(iteration);
            if (runs) nest(k + 1, iterations);
            iterations.pop_back();
          }
        };
        nest(0, {});
      }

    std::vector<std::map<unsigned, int64_t>> found, wanted;
    const bool known = forEachRequest(model, access, launch, {}, 100000000, [&](const WarpRequest& r) {
      std::map<unsigned, int64_t> lanes;
      for (unsigned lane = 0; lane < 32; ++lane)
        if (r.mask >> lane & 1) lanes[lane] = r.address[lane];
      found.push_back(lanes);
    });
    ASSERT_EQ(known, satisfied) << seed << ": " << atoms.str(access.address) << " where "
                                << atoms.str(access.guard);
    if (!satisfied) continue;
    for (const auto& [key, lanes] : expected) wanted.push_back(lanes);
    ASSERT_EQ(found, wanted) << seed << ": " << atoms.str(access.address) << " where "
                             << atoms.str(access.guard);
    compared += !wanted.empty();
  }
  EXPECT_GT(compared, 700u);
}

}  // namespace
}  // namespace hone::affine
