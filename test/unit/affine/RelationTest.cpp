#include "affine/Relation.h"

#include <gtest/gtest.h>

#include <set>

#include "HandModel.h"
#include "affine/Delinearize.h"
#include "affine/FromIsl.h"

namespace hone::affine {
namespace {

std::string str(const isl::set& s) { return s.is_empty() ? "{}" : "not empty"; }

TEST(Relation, GuardsLoopsAndShapesBoundTheDomain) {
  HandModel h({16, 1, 1});
  Poly n = h.symbol("n"), i = h.bx * 16 + h.tx;
  ArrayId a = h.array("a");
  h.guard(atLeast0(n - 1 - i));
  h.read(a, i);
  IslBudget budget;
  Relations r(budget, h.model);
  Point at{"@", everything()};
  isl::set domain = r.domain(h.model.accesses[AccessId(0)], at);
  EXPECT_EQ(r.exactness(), Exactness::Exact);
  EXPECT_TRUE(domain.intersect(r.value(i, at).ge_set(r.value(n, at))).is_empty());
  EXPECT_TRUE(domain.intersect(r.thread(0, at).gt_set(r.number(15))).is_empty());
  EXPECT_FALSE(domain.is_empty());
}

TEST(Relation, UnknownConditionsAreDroppedAndSaidSo) {
  HandModel h({16, 1, 1});
  ArrayId a = h.array("a");
  Variation any;
  any.anyThread = true;
  CondPtr flag = unknownCond("depends on flags[i]", any, 1);
  h.guard(flag);
  h.write(a, h.tx);
  h.endGuard();
  h.guard(negation(flag));
  h.read(a, h.tx);
  IslBudget budget;
  Relations r(budget, h.model);
  Point at{"@", everything()};
  isl::set first = r.domain(h.model.accesses[AccessId(0)], at),
           second = r.domain(h.model.accesses[AccessId(1)], at);
  EXPECT_EQ(r.exactness(), Exactness::Over);
  EXPECT_EQ(r.reason(), "depends on flags[i]");
  EXPECT_FALSE(first.is_empty());
  // One thread does not do both.
  EXPECT_EQ(str(first.intersect(second)), "{}");
}

TEST(Relation, ProductsOfUnknownsAreFreeUnlessTheQuestionFixesThem) {
  HandModel h({16, 1, 1});
  Poly w = h.symbol("w");
  ArrayId a = h.array("a");
  h.read(a, h.by * w + h.tx);
  IslBudget budget;
  Relations r(budget, h.model);
  r.value(h.model.accesses[AccessId(0)].address, {"@", threadsAndLoops()});
  EXPECT_EQ(r.exactness(), Exactness::Exact);  // blockIdx.y * w is one number for the block
  r.value(h.model.accesses[AccessId(0)].address, {"@", everything()});
  EXPECT_EQ(r.exactness(), Exactness::Over);
  EXPECT_NE(r.reason().find("product of unknowns"), std::string::npos);
  Launch launch;
  launch.symbols["w"] = 100;
  Relations numbers(budget, h.model, &launch);
  numbers.value(h.model.accesses[AccessId(0)].address, {"@", everything()});
  EXPECT_EQ(numbers.exactness(), Exactness::Exact);
}

TEST(Relation, LoopsThatListTheirValuesAndLoopsThatCountDistance) {
  HandModel h({8, 1, 1});
  ArrayId a = h.array("a", ir::Space::Shared);
  h.enter(Poly(0), Poly(100));
  h.model.loops[LoopId(0)].values = {4, 2, 1};
  h.model.loops[LoopId(0)].runs = always();
  Poly s = h.model.atoms->loop(LoopId(0));
  h.read(a, h.tx + s);
  h.leave();
  h.enter(h.tx, Poly(64));
  Loop& stride = h.model.loops[LoopId(1)];
  stride.byDistance = true;
  stride.step = h.model.atoms->symbol("n", nullptr, 1, 1000) * 8;
  Poly d = h.model.atoms->loop(LoopId(1));
  stride.runs = atLeast0(Poly(63) - h.tx - d);
  h.read(a, h.tx + d);
  Launch launch;
  launch.symbols["n"] = 2;
  IslBudget budget;
  Relations r(budget, h.model, &launch);
  Point at{"@", everything()};
  isl::set first = r.elements(h.model.accesses[AccessId(0)], {h.tx + s}, 1, at)
                       .intersect_params(r.thread(0, at).eq_set(r.number(0)));
  EXPECT_EQ(valuesOf(first, 0, 10), (std::vector<int64_t>{1, 2, 4}));
  isl::set second = r.elements(h.model.accesses[AccessId(1)], {h.tx + d}, 1, at)
                        .intersect_params(r.thread(0, at).eq_set(r.number(3)));
  EXPECT_EQ(valuesOf(second, 0, 10), (std::vector<int64_t>{3, 19, 35, 51}));
  EXPECT_EQ(r.exactness(), Exactness::Exact);
  // Without numbers only the content of the step is known.
  Relations symbolic(budget, h.model);
  isl::set third = symbolic.elements(h.model.accesses[AccessId(1)], {h.tx + d}, 1, at)
                       .intersect_params(symbolic.thread(0, at).eq_set(symbolic.number(3)));
  EXPECT_EQ(valuesOf(third, 0, 10), (std::vector<int64_t>{3, 11, 19, 27, 35, 43, 51, 59}));
  EXPECT_EQ(symbolic.exactness(), Exactness::Over);
}

TEST(Relation, AQuestionThatIsTooMuchEndsInNoAnswer) {
  HandModel h({16, 16, 1});
  ArrayId a = h.array("a");
  Poly sum;
  for (int i = 0; i < 14; ++i) {
    Poly v = h.enter(Poly(0), h.symbol("n" + std::to_string(i)));
    sum += h.model.atoms->div(v * (2 * i + 3) + h.tx * (i + 5), Poly(7 + 2 * i)) * (i + 1);
  }
  h.read(a, h.model.atoms->mod(sum, Poly(1009)));
  IslBudget budget(20'000);
  Relations r(budget, h.model);
  auto answer = budget.answer([&] {
    Point one{"@a", everything()}, other{"@b", everything()};
    isl::set x = r.elements(h.model.accesses[AccessId(0)], {h.model.accesses[AccessId(0)].address}, 1, one);
    isl::set y = r.elements(h.model.accesses[AccessId(0)], {h.model.accesses[AccessId(0)].address}, 1, other);
    return r.forgetAll(x.intersect(y)).is_empty();
  });
  EXPECT_EQ(answer, std::nullopt);
  EXPECT_TRUE(budget.answer([&] { return r.universe().is_empty(); }).has_value());
}

// Random subscripts with quotients, choices, bits and loops: the relation holds the points that enumeration
// finds, no more and no less.
TEST(Relation, EqualsEnumeration) {
  std::mt19937 random(5);
  auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  for (int iteration = 0; iteration < 100; ++iteration) {
    HandModel h({unsigned(pick(1, 5)), unsigned(pick(1, 3)), 1});
    Atoms& atoms = *h.model.atoms;
    Poly n = h.symbol("n");
    ArrayId a = h.array("a");
    std::vector<Poly> values{h.tx, h.ty, h.bx, n};
    int depth = pick(0, 2);
    for (int l = 0; l < depth; ++l) {
      bool down = pick(0, 3) == 0;
      Poly v = down ? h.enter(n + pick(0, 2), values[pick(0, 3)], -pick(1, 2))
                    : h.enter(values[pick(0, 3)] * pick(0, 1), n + pick(-1, 2), pick(1, 3));
      values.push_back(v);
    }
    auto linear = [&] {
      Poly p(pick(-4, 4));
      for (const Poly& v : values) p += v * pick(-2, 3);
      return p;
    };
    auto term = [&]() -> Poly {
      switch (pick(0, 5)) {
        case 0: return atoms.div(linear(), Poly(pick(2, 5)));
        case 1: return atoms.mod(linear(), Poly(pick(2, 5)));
        case 2: return atoms.choice(atLeast0(linear()), linear(), linear());
        case 3: return atoms.bits(ir::BinaryOp::BitXor, linear(), Poly(pick(-3, 6)));
        case 4:
          return atoms.bits(pick(0, 1) ? ir::BinaryOp::BitAnd : ir::BinaryOp::BitOr, linear(),
                            Poly(pick(-3, 6)));
        default: return linear();
      }
    };
    if (pick(0, 1)) h.guard(pick(0, 1) ? atLeast0(term()) : anyOf({atLeast0(linear()), isZero(linear())}));
    Poly element = term() + term();
    h.read(a, element);
    const Access& access = h.model.accesses[AccessId(0)];
    Launch launch;
    launch.grid = {2, 1, 1};
    launch.symbols["n"] = pick(0, 6);

    std::set<std::vector<int64_t>> expected, found;
    forEachExecution(h.model, access, launch, [&](const Execution& e) {
      std::vector<int64_t> point{e.block[0], 0, 0, e.thread[0], e.thread[1], 0};
      point.insert(point.end(), e.counters.begin(), e.counters.end());
      point.push_back(e.address / 4);
      expected.insert(point);
    });
    IslBudget budget(5'000'000);
    Relations r(budget, h.model, &launch);
    isl::map m = r.relation(access, {element}, 1);
    EXPECT_EQ(r.exactness(), Exactness::Exact) << r.reason();
    m.wrap().foreach_point([&](const isl::point& p) {
      std::vector<int64_t> point;
      isl::multi_val mv = p.multi_val();
      for (unsigned i = 0; i < mv.size(); ++i) point.push_back(mv.at(int(i)).num_si());
      found.insert(point);
    });
    ASSERT_EQ(found, expected) << "iteration " << iteration << ": " << atoms.str(element) << " where "
                               << atoms.str(access.guard);
    // The same with n as a parameter, given its number afterwards.
    Relations open(budget, h.model);
    isl::map general = open.relation(access, {element}, 1);
    isl::set size = open.value(n, {"@", everything()}).eq_set(open.number(launch.symbols["n"]));
    isl::set grid =
        isl::set(budget.ctx(), "[g] -> { [bx,by,bz,tx,ty,tz" + std::string(depth > 0 ? ",a" : "") +
                                   (depth > 1 ? ",b" : "") + "] : bx < 2 and by < 1 and bz < 1 }");
    isl::map special = general.intersect_params(size).intersect_domain(grid).project_out_all_params();
    ASSERT_TRUE(special.is_equal(m.project_out_all_params()))
        << "iteration " << iteration << ": " << atoms.str(element);
  }
}

}  // namespace
}  // namespace hone::affine
