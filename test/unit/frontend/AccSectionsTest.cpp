#include "AccParsed.h"

namespace hone::frontend {
namespace {

TEST(AccSections, variables) {
  EXPECT_EQ(accSection("n"), "&n | sizeof(n)");
  EXPECT_EQ(accSection("y"), "&y | sizeof(y)");
  EXPECT_EQ(accSection("vla"), "&vla | sizeof(vla)");
  EXPECT_EQ(accSection("s"), "&s | sizeof(s)");
  EXPECT_EQ(accSection("s.n"), "&s.n | sizeof(s.n)");
  EXPECT_EQ(accSection("ps->v"), "&ps->v | sizeof(ps->v)");
  EXPECT_EQ(accSection("y[i + 1]"), "&y[i + 1] | sizeof(y[i + 1])");
}

TEST(AccSections, arrayParametersAreArrays) {
  EXPECT_EQ(accSection("given"), "given | 10 * sizeof(given[0])");
}

TEST(AccSections, ofPointers) {
  EXPECT_EQ(accSection("p[0:n]"), "p | (unsigned long)n * sizeof(p[0])");
  EXPECT_EQ(accSection("p[:n + m]"), "p | (unsigned long)(n + m) * sizeof(p[0])");
  EXPECT_EQ(accSection("p[m : n]"), "p + m | (unsigned long)n * sizeof(p[0])");
  EXPECT_EQ(accSection("p[m - 1:2*n]"), "p + (m - 1) | (unsigned long)(2*n) * sizeof(p[0])");
  EXPECT_EQ(accSection("p[i]"), "&p[i] | sizeof(p[i])");
}

TEST(AccSections, ofArrays) {
  EXPECT_EQ(accSection("y[5:]"), "y + 5 | sizeof(y) - 5 * sizeof(y[0])");
  EXPECT_EQ(accSection("y[:]"), "y | sizeof(y)");
  EXPECT_EQ(accSection("x[2:3]"), "x + 2 | (unsigned long)3 * sizeof(x[0])");
  EXPECT_EQ(accSection("x[2:3][0:20]"), "x + 2 | (unsigned long)3 * sizeof(x[0])");
  EXPECT_EQ(accSection("x[2:3][:]"), "x + 2 | (unsigned long)3 * sizeof(x[0])");
  EXPECT_EQ(accSection("x[1:1][3:4]"), "x[1] + 3 | (unsigned long)4 * sizeof(x[0][0])");
  EXPECT_EQ(accSection("x[i][3:4]"), "x[i] + 3 | (unsigned long)4 * sizeof(x[i][0])");
}

TEST(AccSections, ofVariableLength) {
  EXPECT_EQ(accSection("vla[0:n]"), "vla | (unsigned long)n * sizeof(vla[0])");
  EXPECT_EQ(accSection("vla[1:n][0:m]"), "vla + 1 | (unsigned long)n * sizeof(vla[0])");
  EXPECT_EQ(accSection("wide[0:n][0:m]"), "wide | (unsigned long)n * sizeof(wide[0])");
}

// A row of n elements may be less than the row that is declared.
TEST(AccSections, ofWhatMayHaveGaps) {
  EXPECT_EQ(accSection("wide[0:n][0:n]"),
            "wide[0] | (n > 0 && n > 0 ? (n - 1) * sizeof(wide[0]) + (n - 1) * sizeof(wide[0][0]) + "
            "sizeof(wide[0][0]) : 0)");
  const AccUnit unit = readAccBody("#pragma acc data copyout(wide[0:n][0:n])\n  { use(p); }");
  ASSERT_EQ(unit.directives.size(), 1u) << accErrors(unit);
  EXPECT_EQ(unit.directives[0].data[0].kind, AccDataKind::Copy);
  EXPECT_EQ(
      accSection("wide[0:g()][0:n]"),
      "7: the bounds of 'wide[0:g()][0:n]' would be evaluated twice; put what they call into a variable\n");
}

TEST(AccSections, gapsAreAnErrorButInUpdates) {
  EXPECT_EQ(accSection("x[0:3][2:4]"),
            "7: the section 'x[0:3][2:4]' is not contiguous; every dimension behind its first has to be "
            "whole\n");
  EXPECT_EQ(accSection("x[1:3][2:4]", "self", "update"),
            "x[1] + 2 | (3 > 0 && 4 > 0 ? (3 - 1) * sizeof(x[0]) + (4 - 1) * sizeof(x[0][0]) + "
            "sizeof(x[0][0]) : 0)");
}

TEST(AccSections, ofMembers) {
  EXPECT_EQ(accSection("s.a[0:n]"), "s.a | (unsigned long)n * sizeof(s.a[0]) | attach &s.a");
  EXPECT_EQ(accSection("ps->a[0:ps->n]"), "ps->a | (unsigned long)ps->n * sizeof(ps->a[0]) | attach &ps->a");
  EXPECT_EQ(accSection("ps->next->v[2:2]"), "ps->next->v + 2 | (unsigned long)2 * sizeof(ps->next->v[0])");
  EXPECT_EQ(accSection("ps[0:1]"), "ps | (unsigned long)1 * sizeof(ps[0])");
}

TEST(AccSections, ofArraysOfPointers) {
  EXPECT_EQ(accSection("rows[0:n][1:m]"),
            "rows | (unsigned long)n * sizeof(rows[0]) | row hone_row + 1 | (unsigned long)m * "
            "sizeof(rows[0][0])");
  EXPECT_EQ(accSection("rows[i][0:m]"), "rows[i] | (unsigned long)m * sizeof(rows[i][0]) | attach &rows[i]");
  const AccUnit unit =
      readAcc("void f(float*** a, int n) {\n#pragma acc enter data copyin(a[0:n][0:n][0:n])\n}\n");
  EXPECT_EQ(accErrors(unit),
            "2: 'a[0:n][0:n][0:n]' goes over more than two levels of pointers; bring each level by itself\n");
}

TEST(AccSections, macrosStayAsWritten) {
  const AccUnit unit = readAcc(
      "#define N 4 + 4\n#define PLACE s->a\nstruct S { float* a; };\n"
      "void f(float* p, struct S* s) {\n"
      "#pragma acc enter data copyin(p[N:N]) copyin(PLACE[0:2])\n}\n");
  ASSERT_EQ(unit.directives.size(), 1u) << accErrors(unit);
  EXPECT_EQ(accItem(unit.directives[0].data[0]), "p + (N) | (unsigned long)(N) * sizeof(p[0])");
  EXPECT_EQ(accItem(unit.directives[0].data[1]),
            "(PLACE) | (unsigned long)2 * sizeof((PLACE)[0]) | attach &(PLACE)");
}

TEST(AccSections, textGoesOnOneLine) {
  const AccUnit unit = readAccBody("#pragma acc enter data copyin(p[0: /* of\n them */ n \\\n  + m])");
  ASSERT_EQ(unit.directives.size(), 1u) << accErrors(unit);
  EXPECT_EQ(unit.directives[0].data[0].name, "p[0: n + m]");
  EXPECT_EQ(unit.directives[0].data[0].bytes, "(unsigned long)(n + m) * sizeof(p[0])");
}

TEST(AccSections, pointersThemselves) {
  EXPECT_EQ(accSection("p"), "&p | sizeof(p)");
  EXPECT_EQ(accSection("p", "delete", "exit data"), "p | 0");
  EXPECT_EQ(accSection("s.a", "delete", "exit data"), "s.a | 0 | attach &s.a");
  EXPECT_EQ(accSection("s.a", "attach"), "&s.a | 0 | attach &s.a");
  // A pointer that is on the device itself is pointed to what is there.
  const AccUnit unit =
      readAccBody("#pragma acc enter data copyin(p[0:n], p)\n#pragma acc exit data delete(p, p[0:n])");
  ASSERT_EQ(unit.directives.size(), 2u) << accErrors(unit);
  ASSERT_EQ(unit.directives[0].data.size(), 2u);
  EXPECT_EQ(accItem(unit.directives[0].data[0]), "&p | sizeof(p)");
  EXPECT_EQ(accItem(unit.directives[0].data[1]), "p | (unsigned long)n * sizeof(p[0]) | attach &p");
  EXPECT_EQ(accItem(unit.directives[1].data[0]), "p | (unsigned long)n * sizeof(p[0]) | attach &p");
  EXPECT_EQ(accItem(unit.directives[1].data[1]), "&p | sizeof(p)");
}

TEST(AccSections, useDevice) {
  const auto used = [](const std::string& operand) {
    const AccUnit unit = readAccBody("#pragma acc host_data use_device(" + operand + ")\n  { use(p); }");
    return unit.directives.empty() ? accErrors(unit) : accItem(unit.directives[0].data[0]);
  };
  EXPECT_EQ(used("p"), "p | 0");
  EXPECT_EQ(used("x"), "&x[0] | 0");
  EXPECT_EQ(used("t"), "7: use_device of 't', which is neither a pointer nor an array\n");
}

TEST(AccSections, whatHasNoAddress) {
  EXPECT_EQ(accErrors(readAcc(
                "struct B { int b : 3; };\nvoid f(struct B s) {\n#pragma acc enter data copyin(s.b)\n}\n")),
            "3: 's.b' is a bit-field, which has no address; name the whole object\n");
  EXPECT_EQ(
      accErrors(readAcc("void f(void) {\n  register int r = 0;\n#pragma acc enter data copyin(r)\n}\n")),
      "3: 'r' is declared register, so it has no address; leave register out\n");
}

TEST(AccSections, ofClasses) {
  const AccUnit unit = readAcc(
      "struct Inner { int k; Inner* operator&(); };\n"
      "template <class T> struct Grid {\n"
      "  T* cells; int n; Inner inner; T few[4];\n"
      "  void bring() {\n"
      "#pragma acc enter data copyin(this[0:1], cells[0:n], this->cells[0:this->n], inner, few[1:2])\n"
      "  }\n};\n"
      "void g(Grid<double>& grid, float (&r)[10], float*& p) {\n"
      "  grid.bring();\n"
      "#pragma acc enter data copyin(grid, grid.cells[0:grid.n], r, p[0:2])\n}\n",
      "/hone-test/x.cpp");
  ASSERT_EQ(unit.directives.size(), 2u) << accErrors(unit);
  const AccDirective& own = unit.directives[unit.directives[0].loc.line == 5 ? 0 : 1];
  const AccDirective& other = unit.directives[unit.directives[0].loc.line == 5 ? 1 : 0];
  ASSERT_EQ(own.data.size(), 5u);
  EXPECT_EQ(accItem(own.data[0]), "this | (unsigned long)1 * sizeof(this[0])");
  EXPECT_EQ(own.data[0].variable, "this");
  EXPECT_EQ(accItem(own.data[1]), "__builtin_addressof(inner) | sizeof(inner)");
  EXPECT_EQ(accItem(own.data[2]), "few + 1 | (unsigned long)2 * sizeof(few[0])");
  EXPECT_EQ(accItem(own.data[3]), "cells | (unsigned long)n * sizeof(cells[0]) | attach &cells");
  EXPECT_EQ(accItem(own.data[4]),
            "this->cells | (unsigned long)this->n * sizeof(this->cells[0]) | attach &this->cells");
  ASSERT_EQ(other.data.size(), 4u);
  EXPECT_EQ(accItem(other.data[0]), "__builtin_addressof(grid) | sizeof(grid)");
  EXPECT_EQ(accItem(other.data[1]), "&r | sizeof(r)");
  EXPECT_EQ(accItem(other.data[2]),
            "grid.cells | (unsigned long)grid.n * sizeof(grid.cells[0]) | attach &grid.cells");
}

}  // namespace
}  // namespace hone::frontend
