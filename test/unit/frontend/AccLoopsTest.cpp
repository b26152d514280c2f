// What directives in bodies say of loops and statements, and functions that regions call.
#include <algorithm>

#include "AccParsed.h"
#include "ir/Dump.h"
#include "ir/Walk.h"

namespace hone::frontend {
namespace {

/// Notes on the loops of a body, outermost first.
std::vector<AccLoop> loopsIn(const ir::StmtPtr& body, const AccUnit& unit) {
  std::vector<AccLoop> found;
  ir::walkStmts(body, [&](const ir::Stmt& s) {
    if (const auto l = unit.notes.loops.find(&s); l != unit.notes.loops.end()) {
      EXPECT_TRUE(s.is<ir::For>());
      found.push_back(l->second);
    }
  });
  return found;
}

std::vector<AccLoop> loopsOfRegion(const std::string& body) {
  const AccUnit unit = readAccBody(body);
  EXPECT_EQ(accErrors(unit), "") << body;
  if (unit.regions.size() != 1) return {};
  EXPECT_EQ(unit.regions[0].reason, "") << body;
  return unit.regions[0].body ? loopsIn(unit.regions[0].body, unit) : std::vector<AccLoop>();
}

std::string tripsOf(const std::string& head) {
  const auto loops = loopsOfRegion("#pragma acc parallel loop\n for (" + head + ") y[0] = 1;");
  return loops.size() == 1 ? loops[0].hostTrips : "no loop";
}

std::string reasonOf(const std::string& body) {
  const AccUnit unit = readAccBody(body);
  EXPECT_EQ(accErrors(unit), "") << body;
  return unit.regions.empty() ? "no region" : unit.regions[0].reason;
}

TEST(AccLoops, directivesAreNotedAtTheirLoops) {
  const auto loops = loopsOfRegion(
      "#pragma acc parallel loop gang reduction(+:t)\n for (i = 0; i < n; i++) {\n"
      "#pragma acc loop vector(32) independent private(y)\n  for (int j = 0; j < m; j++) { y[0] = j; t += "
      "y[0]; } }");
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_TRUE(loops[0].gang && !loops[0].vector && loops[0].reductions.size() == 1);
  EXPECT_EQ(loops[0].reductions[0].var->name, "t");
  EXPECT_TRUE(loops[0].privates.empty()) << "its counter is declared by its head";
  EXPECT_TRUE(loops[1].vector && loops[1].isIndependent && loops[1].vectorLength);
  ASSERT_EQ(loops[1].privates.size(), 1u);
  EXPECT_EQ(loops[1].privates[0]->name, "y");
}

TEST(AccLoops, loopsOfKernelsAreNotedWithoutDirectives) {
  const auto loops = loopsOfRegion(
      "#pragma acc kernels\n { for (i = 0; i < n; i++) for (int j = 0; j < m; j++) y[i] = j; }");
  ASSERT_EQ(loops.size(), 2u);
  EXPECT_TRUE(loops[0].isImplicit && loops[1].isImplicit);
  EXPECT_TRUE(loopsOfRegion("#pragma acc parallel\n { for (i = 0; i < n; i++) y[i] = 1; }").empty());
}

TEST(AccLoops, collapsedLoopsAreOneNote) {
  const auto loops = loopsOfRegion(
      "int j;\n#pragma acc kernels\n {\n#pragma acc loop collapse(2)\n for (i = 0; i < n; i++) for (j = 2; j "
      "<= m; j += 3) y[i] = j; }");
  ASSERT_EQ(loops.size(), 1u);
  EXPECT_EQ(loops[0].collapse, 2u);
  ASSERT_EQ(loops[0].innerTrips.size(), 1u);
}

TEST(AccLoops, countersOfTheFunctionBelongToTheirLoops) {
  const AccUnit unit = readAccBody(
      "int j;\n#pragma acc parallel loop\n for (i = 0; i < n; i++) for (j = 0; j < m; j++) y[i] += j;");
  ASSERT_EQ(unit.regions.size(), 1u);
  for (const AccCaptured& one : unit.regions[0].captured) EXPECT_NE(one.name, "j");
  // Somebody asks for the last value of this one.
  const AccUnit asked = readAccBody(
      "int j;\n#pragma acc parallel loop\n for (i = 0; i < n; i++) { for (j = 0; j < m; j++) ; y[i] = j; }");
  ASSERT_EQ(asked.regions.size(), 1u);
  EXPECT_TRUE(std::any_of(asked.regions[0].captured.begin(), asked.regions[0].captured.end(),
                          [](const AccCaptured& one) { return one.name == "j"; }));
}

TEST(AccLoops, tripsThatTheHostKnows) {
  EXPECT_EQ(tripsOf("int k = 0; k < n; k++"),
            "((int)(n) > (int)((int)(0)) ? (((long long)(int)(n) - (long long)(int)((int)(0))) - 1) / 1 + 1 "
            ": 0)");
  EXPECT_NE(tripsOf("int k = n - 1; k >= 0; k -= 2").find("/ 2 + 1"), std::string::npos);
  EXPECT_NE(tripsOf("float* k = p; k < p + n; ++k").find("(p + n)"), std::string::npos);
  EXPECT_NE(tripsOf("long k = m; n > k; k = k + m").find("> 0 ?"), std::string::npos) << "no step of zero";
  EXPECT_EQ(tripsOf("int k = 0; k < s.n; k++"), "") << "the device's copy may differ";
  EXPECT_EQ(tripsOf("int k = 0; k < n / m; k++"), "") << "the host must not divide by what may be zero";
}

TEST(AccLoops, atomicsHoldTheirStatements) {
  const AccUnit unit = readAccBody(
      "#pragma acc parallel loop copy(t)\n for (int k = 0; k < n; k++) {\n float v;\n"
      "#pragma acc atomic capture\n { v = t; t += 1; }\n"
      "#pragma acc atomic read\n v = t;\n#pragma acc atomic write\n t = 2;\n#pragma acc atomic\n t++; }");
  ASSERT_EQ(unit.regions.size(), 1u);
  ASSERT_EQ(unit.regions[0].reason, "");
  std::vector<std::pair<AccAtomicKind, size_t>> found;
  ir::walkStmts(unit.regions[0].body, [&](const ir::Stmt& s) {
    if (const auto a = unit.notes.atomics.find(&s); a != unit.notes.atomics.end()) {
      ASSERT_TRUE(s.is<ir::Block>());
      found.push_back({a->second, s.as<ir::Block>()->stmts.size()});
    }
  });
  using Expected = std::vector<std::pair<AccAtomicKind, size_t>>;
  EXPECT_EQ(found, (Expected{{AccAtomicKind::Capture, 2},
                             {AccAtomicKind::Read, 1},
                             {AccAtomicKind::Write, 1},
                             {AccAtomicKind::Update, 1}}));
}

TEST(AccLoops, routinesAndTheirLoops) {
  const AccUnit unit = readAcc(
      "int counts[4];\n#pragma acc declare create(counts)\n"
      "#pragma acc routine vector\nvoid row(int n, int m, float a[n][m]) {\n"
      "#pragma acc loop vector\n for (int j = 0; j < m; ++j) a[1][j] = counts[j % 4];\n}\n"
      "void g(int n, int m, float a[n][m]) {\n#pragma acc parallel loop copy(a[0:n])\n"
      " for (int i = 0; i < n; ++i) row(n, m, a); }\n");
  EXPECT_EQ(accErrors(unit), "");
  ASSERT_EQ(unit.module.functions.size(), 1u);
  const ir::FunctionPtr& row = unit.module.functions[0];
  ASSERT_TRUE(unit.routines.contains(row.get()));
  EXPECT_EQ(unit.routines.at(row.get()).level, AccLevel::Vector);
  EXPECT_EQ(loopsIn(row->body, unit).size(), 1u);
  ASSERT_EQ(unit.globals.size(), 1u);
  EXPECT_TRUE(unit.globals[0].var != nullptr);
  EXPECT_EQ(unit.globals[0].address, "&counts");
  ASSERT_EQ(unit.regions.size(), 1u);
  EXPECT_EQ(unit.regions[0].reason, "");
}

TEST(AccLoops, routinesWithoutABodyAreLinked) {
  const AccUnit unit = readAcc(
      "#pragma acc routine seq\nfloat other(float x);\nvoid g(int n, float* p) {\n"
      "#pragma acc parallel loop copy(p[0:n])\n for (int i = 0; i < n; ++i) p[i] = other(p[i]); }\n");
  ASSERT_EQ(unit.regions.size(), 1u);
  EXPECT_EQ(unit.regions[0].reason, "");
  ASSERT_EQ(unit.module.functions.size(), 1u);
  EXPECT_EQ(unit.module.functions[0]->linkageName, "other");
  EXPECT_EQ(unit.module.functions[0]->body, nullptr);
}

TEST(AccLoops, linkedVariablesAreReachedThroughAPointer) {
  const AccUnit unit = readAcc(
      "float big[100];\n#pragma acc declare link(big)\n#pragma acc routine seq\n"
      "float get(int i) { return big[i]; }\n");
  ASSERT_EQ(unit.module.globals.size(), 1u);
  EXPECT_TRUE(unit.module.globals[0]->type->isPointer());
  ASSERT_EQ(unit.globals.size(), 1u);
  EXPECT_EQ(unit.globals[0].var, unit.module.globals[0]);
}

TEST(AccLoops, boundFunctionsTakeTheirPlace) {
  const std::string bound =
      "float device(float x) { return x + 1; }\n#pragma acc routine seq bind(device)\n"
      "float host(float x) { return x; }\n";
  const std::string use =
      "void g(int n, float* p) {\n#pragma acc parallel loop copy(p[0:n])\n for (int i = 0; i < n; ++i) "
      "p[i] = host(p[i]); }\n";
  const AccUnit unit = readAcc(bound + use);
  ASSERT_EQ(unit.regions.size(), 1u);
  EXPECT_NE(ir::dump(unit.regions[0].body).find("device(p[i])"), std::string::npos);
  const AccUnit lost =
      readAcc("#pragma acc routine seq bind(\"nowhere\")\nfloat host(float x) { return x; }\n" + use);
  ASSERT_EQ(lost.regions.size(), 1u);
  EXPECT_EQ(lost.regions[0].reason,
            "function 'nowhere', which 'host' is bound to, is not declared in this file with the same type");
}

TEST(AccLoops, whatHasNoPlaceInABody) {
  const AccUnit waiting = readAcc("#pragma acc routine seq\nvoid f(int n) {\n#pragma acc wait\n n = 1; }\n");
  EXPECT_NE(accRemarks(waiting).find("a directive of the host in code for the device"), std::string::npos)
      << accErrors(waiting);
  EXPECT_EQ(reasonOf("#pragma acc parallel loop reduction(+:p[0:n])\n for (i = 0; i < n; i++) p[0] += 1;"),
            "reduction over a part of a variable that is no element, member or section known before");
  EXPECT_EQ(reasonOf("#pragma acc parallel loop private(s.n)\n for (i = 0; i < n; i++) s.n = 1;"),
            "private with a part of a variable that is no section of a pointer; name the whole variable");
  const auto ofRoutine = [](const std::string& declared, const std::string& clause) {
    return accRemarks(readAcc("#pragma acc routine vector\nvoid f(int n) { " + declared +
                              "\n#pragma acc loop vector private(" + clause +
                              ")\n for (int i = 0; i < n; ++i) own[0] = i; }\n"));
  };
  EXPECT_EQ(ofRoutine("int own[4];", "own[0:2]"),
            "not on the device: private with a part of a variable; name the whole variable, in 'f'\n");
  EXPECT_EQ(ofRoutine("int own[n];", "own"),
            "not on the device: array 'own' whose length is known only at run time, in 'f'\n");
  const AccUnit routine = readAcc(
      "float sum;\n#pragma acc declare create(sum)\n#pragma acc routine vector\nvoid f(int n) {\n"
      "#pragma acc loop vector reduction(+:sum)\n for (int i = 0; i < n; ++i) sum += 1; }\n");
  EXPECT_NE(accRemarks(routine).find("reduction of a variable of another function"), std::string::npos);
  const AccUnit classes = readAcc(
      "struct P { int n; P() : n(1) {} };\nvoid g(int n) { P p;\n#pragma acc parallel loop private(p)\n"
      " for (int i = 0; i < n; ++i) p.n = i; }\n",
      "/hone-test/x.cpp");
  ASSERT_EQ(classes.regions.size(), 1u);
  EXPECT_EQ(classes.regions[0].reason,
            "private object 'p' with a constructor; declare it inside of the loop");
}

TEST(AccLoops, partsOfVariablesAreReduced) {
  const auto dumpOf = [](const std::string& clause, const std::string& statement) {
    const AccUnit unit = readAccBody("#pragma acc parallel loop reduction(+:" + clause +
                                     ") copyin(q[0:n])\n for (int k = 0; k < n; k++) " + statement);
    EXPECT_EQ(accErrors(unit), "");
    if (unit.regions.size() != 1) return std::string("no region");
    return unit.regions[0].reason + ir::dump(unit.regions[0].body);
  };
  EXPECT_NE(dumpOf("y[m]", "y[m] += q[k];").find("y_part[0][*] += q[k]"), std::string::npos);
  EXPECT_NE(dumpOf("p[0:4]", "p[k % 4] += 1;").find("p_part"), std::string::npos)
      << dumpOf("p[0:4]", "p[k % 4] += 1;");
  EXPECT_NE(dumpOf("y[0:100]", "y[k % 4] += 1;").find("y[0, (k % 4)] += "), std::string::npos);
}

TEST(AccLoops, pointersToRowsInsideOfBodies) {
  const AccUnit unit = readAccBody(
      "#pragma acc parallel copy(p[0:n])\n { float (*rows_of)[m] = (float (*)[m])p; rows_of[2][1] = 1; "
      "rows_of++; y[0] = rows_of - (float (*)[m])p; }");
  ASSERT_EQ(unit.regions.size(), 1u);
  EXPECT_EQ(unit.regions[0].reason, "");
  const std::string dump = ir::dump(unit.regions[0].body);
  EXPECT_NE(dump.find("rows_of[((i64(2) * rows_of_extent) + i64(1))]"), std::string::npos) << dump;
}

}  // namespace
}  // namespace hone::frontend
