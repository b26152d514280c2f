#include "affine/Delinearize.h"

#include <gtest/gtest.h>

#include "HandModel.h"
#include "ir/Build.h"

namespace hone::affine {
namespace {

struct Flat : HandModel {
  Poly w, h, d, x, y, z;
  ArrayId a;
  Flat()
      : HandModel({16, 16, 1}),
        w(symbol("w")),
        h(symbol("h")),
        d(symbol("d")),
        x(bx * 16 + tx),
        y(by * 16 + ty),
        a(array("a")) {}

  static std::string list(const Atoms& atoms, const std::vector<Poly>& polys) {
    std::string text;
    for (const Poly& p : polys) text += "[" + atoms.str(p) + "]";
    return text;
  }
  // "[extents] [subscripts of each access]"
  std::string shape(const Launch* launch = nullptr) {
    Shape s = shapeOf(model, a, launch);
    std::string text = list(*model.atoms, s.extents) + ":";
    for (const auto& subscripts : s.subscripts)
      text += " " + (subscripts.empty() ? "none" : list(*model.atoms, subscripts));
    return text;
  }
  std::vector<std::string> conditions() {
    std::vector<std::string> words;
    for (const Requirement& r : shapeOf(model, a).conditions) words.push_back(r.why);
    return words;
  }
  void inside(const Poly& p, const Poly& size) { guard(both(atLeast0(p), atLeast0(size - 1 - p))); }
};

TEST(Delinearize, RunTimePitch) {
  Flat f;
  f.inside(f.x, f.w);
  f.inside(f.y, f.h);
  f.read(f.a, f.y * f.w + f.x);
  EXPECT_EQ(f.shape(), "[w]: [16*blockIdx.y + threadIdx.y][16*blockIdx.x + threadIdx.x]");
  EXPECT_EQ(f.conditions(), std::vector<std::string>{});  // the guard says x < w
}

TEST(Delinearize, WithoutAGuardTheConditionIsListed) {
  Flat f;
  f.read(f.a, f.y * f.w + f.x);
  EXPECT_EQ(f.conditions(),
            std::vector<std::string>{"16*blockIdx.x + threadIdx.x must be less than w, a row of a"});
}

// l[i][j] and l[i][i]: a diagonal of rows of n is a column of rows of n + 1, but those the other elements
// leave at every launch.
TEST(Delinearize, ADiagonalIsNoColumn) {
  Flat f;
  const Poly i = f.enter(0, 8), j = f.enter(0, 8), first = f.symbol("first");
  f.model.atoms->setRange(i.atoms().front(), 0, 7);
  f.model.atoms->setRange(j.atoms().front(), 0, 7);
  f.guard(atLeast0(i - 1 - j));
  f.read(f.a, (first + i) * f.w + first + j);
  f.read(f.a, (first + i) * f.w + first + i);
  EXPECT_EQ(f.shape(), "[w]: [i + first][j + first] [i + first][i + first]");
}

TEST(Delinearize, ThreeDimensionsWithRunTimePitches) {
  Flat f;
  f.inside(f.x, f.w);
  f.inside(f.y, f.h);
  Poly z = f.enter(Poly(0), f.d);
  f.read(f.a, (z * f.h + f.y) * f.w + f.x);
  EXPECT_EQ(f.shape(), "[h][w]: [i][16*blockIdx.y + threadIdx.y][16*blockIdx.x + threadIdx.x]");
  EXPECT_EQ(f.conditions(), std::vector<std::string>{});
}

TEST(Delinearize, PitchWithAHalo) {
  Flat f;
  f.inside(f.x, f.w);
  f.inside(f.y, f.h);
  f.read(f.a, (f.y + 1) * (f.w + 2) + f.x);
  f.write(f.a, f.y * (f.w + 2) + f.x + 2);
  EXPECT_EQ(f.shape(),
            "[w + 2]: [16*blockIdx.y + threadIdx.y + 1][16*blockIdx.x + threadIdx.x] "
            "[16*blockIdx.y + threadIdx.y][16*blockIdx.x + threadIdx.x + 2]");
  EXPECT_EQ(f.conditions(), std::vector<std::string>{});
}

TEST(Delinearize, NeighboursOfAStencilAgreeOnThePitch) {
  Flat f;
  f.guard(both(atLeast0(f.x - 1), atLeast0(f.w - 2 - f.x)));
  f.guard(both(atLeast0(f.y - 1), atLeast0(f.h - 2 - f.y)));
  f.read(f.a, (f.y + 1) * f.w + f.x - 1);
  f.read(f.a, f.y * f.w + f.x + 1);
  f.read(f.a, f.y * f.w + f.x - f.w);
  EXPECT_EQ(f.shape(),
            "[w]: [16*blockIdx.y + threadIdx.y + 1][16*blockIdx.x + threadIdx.x - 1] "
            "[16*blockIdx.y + threadIdx.y][16*blockIdx.x + threadIdx.x + 1] "
            "[16*blockIdx.y + threadIdx.y - 1][16*blockIdx.x + threadIdx.x]");
  EXPECT_EQ(f.conditions(), std::vector<std::string>{});
}

TEST(Delinearize, ADiagonalFollowsThePitchOfTheOthers) {
  Flat f;
  f.inside(f.x, f.w);
  f.inside(f.y, f.w);
  f.read(f.a, f.x * f.w + f.x);
  f.read(f.a, f.y * f.w + f.x);
  EXPECT_EQ(f.shape(),
            "[w]: [16*blockIdx.x + threadIdx.x][16*blockIdx.x + threadIdx.x] "
            "[16*blockIdx.y + threadIdx.y][16*blockIdx.x + threadIdx.x]");
}

TEST(Delinearize, ConstantPitchWhereTheColumnIsProvedToStayInTheRow) {
  Flat f;
  f.inside(f.x, Poly(1024));
  f.read(f.a, f.y * 1024 + f.x);
  EXPECT_EQ(f.shape(), "[1024]: [16*blockIdx.y + threadIdx.y][16*blockIdx.x + threadIdx.x]");
}

TEST(Delinearize, ConstantPitchUnderTheConditionThatTheColumnStaysInTheRow) {
  Flat open;
  open.read(open.a, open.y * 1024 + open.x);  // x may be 1024 and more
  EXPECT_EQ(open.shape(), "[1024]: [16*blockIdx.y + threadIdx.y][16*blockIdx.x + threadIdx.x]");
  EXPECT_EQ(open.conditions(),
            std::vector<std::string>{"16*blockIdx.x + threadIdx.x must be less than 1024, a row of a"});
  // A neighbour to the upper left is in the row above, not at the end of the one before that.
  Flat corner;
  corner.read(corner.a, (corner.y - 1) * 1024 + corner.x - 1);
  EXPECT_EQ(corner.shape(), "[1024]: [16*blockIdx.y + threadIdx.y - 1][16*blockIdx.x + threadIdx.x - 1]");
  EXPECT_EQ(corner.conditions().size(), 2u);
}

// Planes of 64 rows whose width nothing proves: a plane's number is rows, a block's share of a row is not.
TEST(Delinearize, RowsThatAreLikely) {
  Flat f;
  f.read(f.a, f.symbol("plane") * 4096 + f.y * 64 + f.x);
  EXPECT_EQ(f.shape(), "[64]: [64*plane + 16*blockIdx.y + threadIdx.y][16*blockIdx.x + threadIdx.x]");
  EXPECT_EQ(f.conditions(),
            std::vector<std::string>{"16*blockIdx.x + threadIdx.x must be less than 64, a row of a"});
}

TEST(Delinearize, AGlobalIdIsOneCoordinate) {
  Flat f;
  f.read(f.a, f.x);
  EXPECT_EQ(f.shape(), ": [16*blockIdx.x + threadIdx.x]");
}

// A thread that does the work of four neighbours: rows of 512, whose width nothing proves, and not rows of
// four, which would be proved.
TEST(Delinearize, PartsOfACoordinateAreNoRows) {
  Flat f;
  const Poly k = f.enter(Poly(0), f.d), r = f.enter(Poly(0), Poly(4)), columns = f.bx * 64 + f.tx * 4 + r,
             rows = f.by * 64 + f.ty * 4 + r;
  // A loop that is not unrolled walks along the row.
  f.read(f.a, rows * 512 + f.enter(Poly(0), Poly(512)));
  EXPECT_EQ(f.shape(), "[4][512]: [16*blockIdx.y + threadIdx.y][j][k]");
  f.model.loops[LoopId(1)].stmt = ir::makeStmt(ir::For{{}, nullptr, {}, ir::block({}), -1});
  EXPECT_EQ(f.shape(), "[512]: [64*blockIdx.y + 4*threadIdx.y + j][k]");
  f.model.accesses.clear();
  f.read(f.a, k * 512 + columns);
  EXPECT_EQ(f.shape(), "[512]: [i][64*blockIdx.x + 4*threadIdx.x + j]");
  EXPECT_EQ(f.conditions(),
            std::vector<std::string>{"64*blockIdx.x + 4*threadIdx.x + j must be less than 512, a row of a"});
  f.model.accesses.clear();
  f.read(f.a, rows * 512 + k);
  EXPECT_EQ(f.shape(), "[512]: [64*blockIdx.y + 4*threadIdx.y + j][i]");
}

TEST(Delinearize, DeclaredDimensionsStay) {
  Flat f;
  ArrayId t = f.array("t", ir::Space::Shared, {16, 17});
  f.read(t, f.ty * 17 + f.tx);
  f.model.accesses.back().subscripts = {f.ty, f.tx};
  f.a = t;
  EXPECT_EQ(f.shape(), "[17]: [threadIdx.y][threadIdx.x]");
  EXPECT_TRUE(shapeOf(f.model, t).isDeclared);
}

TEST(Delinearize, TheLaunchMayGiveThePitchANumber) {
  Flat f;
  f.inside(f.x, f.w);
  f.read(f.a, f.y * f.w + f.x);
  Launch launch;
  launch.symbols = {{"w", 100}};
  EXPECT_EQ(f.shape(&launch), "[100]: [16*blockIdx.y + threadIdx.y][16*blockIdx.x + threadIdx.x]");
}

TEST(Delinearize, AProductOfTwoCountersDoesNotFit) {
  Flat f;
  f.inside(f.x, f.w);
  f.read(f.a, f.y * f.w + f.x);
  f.read(f.a, f.x * f.y);
  EXPECT_EQ(f.shape(), "[w]: [16*blockIdx.y + threadIdx.y][16*blockIdx.x + threadIdx.x] none");
  EXPECT_EQ(shapeOf(f.model, f.a).misfits, std::vector<AccessId>{AccessId(1)});
}

TEST(Delinearize, WideAccessesCountSeveralElements) {
  Flat f;
  f.read(f.a, f.x * 4);
  f.model.accesses[AccessId(0)].bytes = 16;
  f.write(f.a, f.x);
  Shape s = shapeOf(f.model, f.a);
  EXPECT_EQ(s.unit, 4);
  EXPECT_EQ(s.widths[AccessId(0)], 4);
  EXPECT_EQ(s.widths[AccessId(1)], 1);
}

// Whatever pitches are chosen, the subscripts give the address back.
TEST(Delinearize, SubscriptsGiveTheAddressBack) {
  std::mt19937 random(11);
  auto pick = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  int withDimensions = 0;
  for (int iteration = 0; iteration < 100; ++iteration) {
    Flat f;
    Poly pitch = f.w + pick(0, 2), plane = f.h + pick(0, 1);
    bool deep = pick(0, 1);
    Poly k = f.enter(Poly(pick(0, 1)), f.d);
    int count = pick(1, 4);
    for (int i = 0; i < count; ++i) {
      Poly row = f.y * pick(0, 1) + k * pick(0, 2) + pick(-2, 2),
           column = f.x * pick(0, 2) + k * pick(0, 1) + pick(-2, 2);
      f.read(f.a, deep ? (k * plane + row) * pitch + column : row * pitch + column);
    }
    Shape s = shapeOf(f.model, f.a);
    withDimensions += !s.extents.empty();
    for (const AccessId i : f.model.accesses.ids()) {
      if (!s.fits(i)) continue;
      Poly address = s.subscripts[i][0];
      for (size_t e = 0; e < s.extents.size(); ++e) address = address * s.extents[e] + s.subscripts[i][e + 1];
      EXPECT_EQ(address * s.unit, f.model.accesses[i].address) << f.shape();
    }
  }
  EXPECT_GT(withDimensions, 70);
}

}  // namespace
}  // namespace hone::affine
