#include "AccParsed.h"

namespace hone::frontend {
namespace {

std::string wrong(const std::string& body) { return accErrors(readAccBody(body)); }

TEST(AccLegality, waysOutOfDataConstructs) {
  const std::string begin = "#pragma acc data copy(y)\n  {\n";
  EXPECT_EQ(wrong(begin + "    if (n) return;\n  }"),
            "9: 'return' leaves the block of 'data', which has to be left at its end\n");
  EXPECT_EQ(wrong("  while (n--)\n" + begin + "    if (n) break;\n  }"),
            "10: 'break' leaves the block of 'data', which has to be left at its end\n");
  EXPECT_EQ(wrong("  while (n--)\n#pragma acc host_data use_device(p)\n  { if (n) continue; use(p); }"),
            "9: 'continue' leaves the block of 'host_data', which has to be left at its end\n");
  EXPECT_EQ(wrong(begin + "    if (n) goto out;\n  }\nout:;"),
            "9: 'goto' leaves the block of 'data', which has to be left at its end\n");
  EXPECT_EQ(wrong("  if (n) goto in;\n" + begin + "in: n = 1;\n  }"),
            "7: 'goto' jumps into the block of a data construct\n");
  EXPECT_EQ(wrong(begin + "    for (;;) { if (n) break; else continue; }\n    switch (n) { case 1: break; }\n"
                          "    goto in;\nin: n = 1;\n  }"),
            "");
}

TEST(AccLegality, directivesOfTheHostInComputeConstructs) {
  for (const std::string name : {"wait", "update self(y)", "enter data copyin(y)", "exit data delete(y)",
                                 "init", "shutdown", "set device_num(0)"})
    EXPECT_NE(wrong("#pragma acc parallel copy(y)\n  {\n#pragma acc " + name + "\n  y[0] = 1; }")
                  .find(" may not stand in a compute construct; put it in front or behind"),
              std::string::npos)
        << name;
  EXPECT_EQ(wrong("#pragma acc parallel copy(y)\n  {\n#pragma acc data copy(x)\n  y[0] = 1; }"),
            "9: 'data' may not stand in a compute construct; put it in front or behind\n");
}

TEST(AccLegality, directivesInPlaceOfAStatement) {
  EXPECT_EQ(wrong("  if (n)\n#pragma acc wait\n  n = 1;"),
            "8: 'wait' may not be all that an if, a loop or a switch has; put braces around it\n");
  EXPECT_EQ(wrong("  while (n)\n#pragma acc enter data copyin(y)\n  n = 1;"),
            "8: 'enter data' may not be all that an if, a loop or a switch has; put braces around it\n");
  EXPECT_EQ(
      wrong(
          "  if (n) {\n#pragma acc wait\n  }\n  switch (n) {\n  case 1:\n#pragma acc wait\n    break;\n  }"),
      "");
  EXPECT_EQ(wrong("  if (n)\n#pragma acc data copy(y)\n  y[0] = 1;\n  else\n    n = 2;"), "");
}

TEST(AccLegality, variablesInSeveralClauses) {
  EXPECT_EQ(wrong("#pragma acc data present(p[0:n]) copyout(p[0:n])\n  {}"),
            "7: 'p[0:n]' is named in 'present' and in 'copyout' of one directive; leave one of them out\n");
  EXPECT_EQ(wrong("#pragma acc parallel private(i) firstprivate(i)\n  i = 1;"),
            "7: 'i' is named in 'private' and in 'firstprivate' of one directive; leave one of them out\n");
  EXPECT_EQ(wrong("#pragma acc parallel copy(i) firstprivate(i)\n  i = 1;"),
            "7: 'i' is named in 'copy' and in 'firstprivate' of one directive; leave one of them out\n");
  EXPECT_EQ(
      wrong("#pragma acc parallel loop private(t) reduction(+: t)\n  for (int k = 0; k < n; ++k) t += 1;"),
      "7: 't' is named in 'private' and in 'reduction' of one directive; leave one of them out\n");
  EXPECT_EQ(wrong("#pragma acc parallel loop reduction(+: t) reduction(max: t)\n  for (int k = 0; k < n; "
                  "++k) t += 1;"),
            "7: 't' is named in 'reduction' and in 'reduction' of one directive; leave one of them out\n");
  EXPECT_EQ(wrong("#pragma acc parallel loop copy(t) reduction(+: t)\n  for (int k = 0; k < n; ++k) t += 1;"),
            "");
  EXPECT_EQ(wrong("#pragma acc enter data copyin(s, s.a[0:n]) attach(s.a)"), "");
  EXPECT_EQ(wrong("#pragma acc data copyin(p[0:n], p[0:n]) copyout(q[0:n])\n  {}"), "");
}

TEST(AccLegality, numbers) {
  EXPECT_EQ(wrong("#pragma acc parallel num_gangs(0)\n  i = 1;"),
            "7: 'num_gangs' of 0; it has to be at least 1\n");
  EXPECT_EQ(wrong("#pragma acc parallel num_workers(-2)\n  i = 1;"),
            "7: 'num_workers' of -2; it has to be at least 1\n");
  EXPECT_EQ(wrong("#pragma acc parallel vector_length(1 - 1)\n  i = 1;"),
            "7: 'vector_length' of 0; it has to be at least 1\n");
  EXPECT_EQ(
      wrong("#pragma acc parallel loop gang(static: 0) copy(y)\n  for (int k = 0; k < 9; ++k) y[k] = 1;"),
      "7: 'gang' of 0; it has to be at least 1\n");
  EXPECT_EQ(wrong("#pragma acc update self(y) async(-7)"),
            "7: 'async' of -7; queues are 0 and above, or one of the acc_async_ constants\n");
  EXPECT_EQ(wrong("#pragma acc wait(-9)"),
            "7: 'wait' of -9; queues are 0 and above, or one of the acc_async_ constants\n");
}

TEST(AccLegality, loops) {
  EXPECT_EQ(wrong("#pragma acc parallel loop copy(y)\n  for (int k = 0; k < n; k++) { y[k] = 1; k += 2; }"),
            "8: the body of the loop changes its counter 'k', so that its iterations cannot be counted\n");
  EXPECT_EQ(wrong("#pragma acc parallel loop collapse(2) copy(y)\n  for (int k = 0; k < n; k++)\n    for "
                  "(int l = 0; l < k; l++)\n"
                  "      y[l] = 1;"),
            "9: 'collapse' takes in a loop whose bounds hang on 'k' of a loop around it\n");
  EXPECT_EQ(wrong("#pragma acc parallel loop tile(2, 2) copy(y)\n  for (int k = 0; k < n; k++)\n    for (int "
                  "l = k; l < n; l++)\n"
                  "      y[l] = 1;"),
            "9: 'tile' takes in a loop whose bounds hang on 'k' of a loop around it\n");
  EXPECT_EQ(wrong("#pragma acc parallel copy(y)\n#pragma acc loop\n  for (int k = 0; k < n; k++) { if (y[k] "
                  "> 1) break; "
                  "y[k] = 1; }"),
            "9: 'break' leaves a loop whose iterations run in parallel; say 'seq' or take it out\n");
  EXPECT_EQ(wrong("#pragma acc parallel copy(y)\n#pragma acc loop seq\n  for (int k = 0; k < n; k++) { if "
                  "(y[k] > 1) break; y[k] = 1; }"),
            "");
  EXPECT_EQ(wrong("#pragma acc parallel loop copy(y)\n  for (int k = 0; k < n; k++) for (int l = 0; l < k; "
                  "l++) { if (l > 3) break; y[k] = l; }"),
            "");
}

TEST(AccLegality, levelsOfRoutines) {
  const std::string routines =
      "#pragma acc routine gang\nvoid gangs(float* y);\n#pragma acc routine worker\nvoid workers(float* y);\n"
      "#pragma acc routine vector\nvoid vectors(float* y);\n#pragma acc routine seq\nvoid seqs(float* y);\n";
  const auto said = [&](const std::string& text) { return accErrors(readAcc(routines + text)); };
  EXPECT_EQ(said("#pragma acc routine vector\nvoid r(float* y) {\n#pragma acc loop gang\n  for (int i = 0; i "
                 "< 9; ++i) y[i] = 1;\n}\n"),
            "11: a gang loop in a 'routine vector'; the routine has to say 'gang'\n");
  EXPECT_EQ(said("#pragma acc routine seq\nvoid r(float* y) {\n#pragma acc loop vector\n  for (int i = 0; i "
                 "< 9; ++i) y[i] = 1;\n}\n"),
            "11: a vector loop in a 'routine seq'; the routine has to say 'vector'\n");
  EXPECT_EQ(said("#pragma acc routine seq\nvoid r(float* y) { workers(y); }\n"),
            "10: 'workers', a 'routine worker', is called from a 'routine seq'\n");
  EXPECT_EQ(said("#pragma acc routine gang\nfloat r(float* y) {\n  float s = 0;\n#pragma acc loop gang "
                 "reduction(+: s)\n"
                 "  for (int i = 0; i < 9; ++i) s += y[i];\n  return s;\n}\n"),
            "12: a gang loop of a routine may not have a reduction; do it where the routine is called\n");
  const auto called = [&](const std::string& loop, const std::string& name) {
    return said("void f(float* y) {\n#pragma acc parallel copy(y[0:9])\n  {\n#pragma acc loop " + loop +
                "\n  for (int i = 0; i < 9; ++i) " + name + "(y);\n  }\n}\n");
  };
  EXPECT_EQ(
      called("gang", "gangs"),
      "13: 'gangs', a 'routine gang', is called in a gang loop, which leaves no such parallelism to it\n");
  EXPECT_EQ(called("worker", "workers"),
            "13: 'workers', a 'routine worker', is called in a worker loop, which leaves no such parallelism "
            "to it\n");
  EXPECT_EQ(called("gang vector", "vectors"),
            "13: 'vectors', a 'routine vector', is called in a vector loop, which leaves no such parallelism "
            "to it\n");
  EXPECT_EQ(called("gang", "vectors"), "");
  EXPECT_EQ(called("gang worker", "vectors"), "");
  EXPECT_EQ(called("gang worker vector", "seqs"), "");
}

}  // namespace
}  // namespace hone::frontend
