#include "AccParsed.h"

namespace hone::frontend {
namespace {

AccDirective oneDirective(const std::string& pragmas) {
  const AccUnit unit = readAccBody(pragmas);
  EXPECT_EQ(accErrors(unit), "") << pragmas;
  EXPECT_EQ(unit.directives.size(), 1u) << pragmas;
  return unit.directives.empty() ? AccDirective() : unit.directives[0];
}

AccRegion oneRegion(const std::string& pragmas) {
  const AccUnit unit = readAccBody(pragmas);
  EXPECT_EQ(accErrors(unit), "") << pragmas;
  EXPECT_EQ(unit.regions.size(), 1u) << pragmas;
  return unit.regions.empty() ? AccRegion() : unit.regions[0];
}

TEST(AccClauses, kindsAndModifiers) {
  const auto kind = [](const std::string& clause, const std::string& directive = "data") {
    return oneDirective("#pragma acc " + directive + " " + clause + (directive == "data" ? "\n  {}" : ""))
        .data[0];
  };
  EXPECT_EQ(kind("copy(y)").kind, AccDataKind::Copy);
  EXPECT_EQ(kind("pcopyin(y)").kind, AccDataKind::CopyIn);
  EXPECT_EQ(kind("present_or_copyout(y)").kind, AccDataKind::CopyOut);
  EXPECT_EQ(kind("create(y)").kind, AccDataKind::Create);
  EXPECT_EQ(kind("no_create(y)").kind, AccDataKind::NoCreate);
  EXPECT_EQ(kind("present(y)").kind, AccDataKind::Present);
  EXPECT_EQ(kind("deviceptr(p)").kind, AccDataKind::DevicePtr);
  EXPECT_EQ(kind("attach(p)").kind, AccDataKind::Attach);
  EXPECT_EQ(kind("detach(p)", "exit data").kind, AccDataKind::Detach);
  EXPECT_EQ(kind("delete(y)", "exit data").kind, AccDataKind::Delete);
  EXPECT_EQ(kind("host(y)", "update").kind, AccDataKind::UpdateSelf);
  EXPECT_EQ(kind("self(y)", "update").kind, AccDataKind::UpdateSelf);
  EXPECT_EQ(kind("device(y)", "update").kind, AccDataKind::UpdateDevice);
  EXPECT_TRUE(kind("copyin(readonly: y)").readOnly);
  EXPECT_TRUE(kind("copyout(zero: y)").zero);
  EXPECT_TRUE(kind("create(zero: y)").zero);
  EXPECT_TRUE(kind("copy(capture: y)").capture);
  const AccData both = kind("copy(always: y)"), in = kind("copyin(always: y)"),
                out = kind("copyout(always: y)");
  EXPECT_TRUE(both.alwaysIn && both.alwaysOut);
  EXPECT_TRUE(in.alwaysIn && !in.alwaysOut);
  EXPECT_TRUE(!out.alwaysIn && out.alwaysOut);
  EXPECT_TRUE(kind("copy(alwaysin: y)").alwaysIn);
  EXPECT_FALSE(kind("copy(alwaysin: y)").alwaysOut);
}

TEST(AccClauses, clausesThatSayMoreTogether) {
  const auto both = [](const std::string& clauses) {
    const AccUnit unit = readAccBody("#pragma acc data " + clauses + "\n  {}");
    EXPECT_EQ(accErrors(unit), "");
    EXPECT_EQ(accRemarks(unit),
              "'y' is named in two data clauses of one directive, which are taken together\n");
    EXPECT_EQ(unit.directives[0].data.size(), 1u);
    return unit.directives[0].data[0];
  };
  EXPECT_EQ(both("copyin(y) copyout(y)").kind, AccDataKind::Copy);
  EXPECT_EQ(both("copyout(y) copy(y)").kind, AccDataKind::Copy);
  EXPECT_EQ(both("create(y) copyin(y)").kind, AccDataKind::CopyIn);
  const AccData zero = both("create(zero: y) copyout(y)");
  EXPECT_EQ(zero.kind, AccDataKind::CopyOut);
  EXPECT_TRUE(zero.zero);
  EXPECT_FALSE(both("create(zero: y) copyin(y)").zero);
}

TEST(AccClauses, conditionsAsyncAndWait) {
  const AccDirective made = oneDirective(
      "#pragma acc update self(y) if(t > 0.5f) if_present async(n + 1) wait(devnum: m: queues: 2, n)");
  ASSERT_TRUE(made.condition);
  EXPECT_EQ(made.condition->text, "((t > 0.5f) ? 1 : 0)");
  EXPECT_FALSE(made.condition->constant);
  EXPECT_TRUE(made.ifPresent);
  EXPECT_TRUE(made.async.isGiven);
  EXPECT_EQ(made.async.queue->text, "(n + 1)");
  ASSERT_EQ(made.wait.queues.size(), 2u);
  EXPECT_EQ(made.wait.device->text, "m");
  EXPECT_EQ(made.wait.queues[0].constant, 2);
  EXPECT_EQ(made.wait.queues[1].text, "n");
  const AccDirective bare = oneDirective("#pragma acc update self(y) async wait if(0)");
  EXPECT_TRUE(bare.async.isGiven && !bare.async.queue);
  EXPECT_TRUE(bare.wait.isGiven && bare.wait.queues.empty());
  EXPECT_EQ(bare.condition->constant, 0);
  const AccDirective none = oneDirective("#pragma acc update self(y)");
  EXPECT_FALSE(none.async.isGiven || none.wait.isGiven || none.condition);
  const AccDirective all = oneDirective("#pragma acc update self(y) wait(1) wait");
  EXPECT_TRUE(all.wait.queues.empty());
  EXPECT_EQ(accErrors(readAccBody("#pragma acc update self(y) wait(devnum: 1: 2) wait(3)")),
            "7: several wait clauses, one with devnum; use a wait directive for the other device\n");
}

TEST(AccClauses, otherDirectives) {
  const AccDirective wait = oneDirective("#pragma acc wait(devnum: 1: n, 3) async(2) if(n)");
  EXPECT_EQ(wait.kind, AccDirectiveKind::Wait);
  EXPECT_EQ(wait.wait.queues.size(), 2u);
  EXPECT_EQ(wait.wait.device->constant, 1);
  EXPECT_EQ(wait.async.queue->constant, 2);
  EXPECT_EQ(wait.condition->text, "(n ? 1 : 0)");
  const AccDirective set = oneDirective("#pragma acc set device_type(nvidia) device_num(n) default_async(3)");
  EXPECT_EQ(set.deviceType->constant, 5);
  EXPECT_EQ(set.deviceNum->text, "n");
  EXPECT_EQ(set.defaultAsync->constant, 3);
  EXPECT_EQ(oneDirective("#pragma acc init device_type(host)").deviceType->constant, 2);
  EXPECT_EQ(oneDirective("#pragma acc shutdown device_type(*)").deviceType->constant, 1);
  EXPECT_FALSE(oneDirective("#pragma acc init").deviceType);
  EXPECT_TRUE(oneDirective("#pragma acc exit data delete(y) finalize").finalize);
}

TEST(AccClauses, ofComputeConstructs) {
  const AccRegion made = oneRegion(
      "#pragma acc parallel loop num_gangs(n, 2, 3) num_workers(4) vector_length(32) if(n > 3) self(m) "
      "async(1)"
      " wait(2) copy(y)\n"
      "  for (int k = 0; k < 100; ++k) y[k] = k;");
  EXPECT_TRUE(made.isCombined);
  EXPECT_EQ(made.numGangs[0]->text, "n");
  EXPECT_EQ(made.numGangs[1]->constant, 2);
  EXPECT_EQ(made.numGangs[2]->constant, 3);
  EXPECT_EQ(made.numWorkers->constant, 4);
  EXPECT_EQ(made.vectorLength->constant, 32);
  EXPECT_EQ(made.condition->text, "((n > 3) ? 1 : 0)");
  EXPECT_EQ(made.selfIf->text, "(m ? 1 : 0)");
  EXPECT_EQ(made.async.queue->constant, 1);
  EXPECT_EQ(made.wait.queues[0].constant, 2);
  EXPECT_TRUE(oneRegion("#pragma acc serial self\n  y[0] = 1;").isSelf);
  EXPECT_EQ(oneRegion("#pragma acc kernels\n  y[0] = 1;").construct, AccConstruct::Kernels);
}

TEST(AccClauses, devicesOfOthers) {
  const auto gangs = [](const std::string& clauses) {
    const AccRegion made = oneRegion("#pragma acc parallel " + clauses + "\n  y[0] = 1;");
    return made.numGangs[0] ? made.numGangs[0]->text : "none";
  };
  EXPECT_EQ(gangs("num_gangs(1) device_type(nvidia) num_gangs(2) device_type(radeon) num_gangs(3)"), "2");
  EXPECT_EQ(gangs("num_gangs(1) device_type(radeon) num_gangs(3)"), "1");
  EXPECT_EQ(gangs("device_type(radeon) num_gangs(3)"), "none");
  EXPECT_EQ(gangs("device_type(radeon) num_gangs(3) device_type(*) num_gangs(4)"), "4");
  EXPECT_EQ(gangs("device_type(*) num_gangs(4) device_type(host, nvidia) num_gangs(5)"), "5");
  EXPECT_EQ(gangs("num_gangs(7) dtype(nvidia) num_workers(2)"), "7");
}

AccLoop oneLoop(const std::string& clauses,
                const std::string& loop = "for (int k = 0; k < 100; ++k) y[k] = k;",
                const std::string& construct = "parallel") {
  const AccUnit unit =
      readAccBody("#pragma acc " + construct + " copy(y)\n#pragma acc loop " + clauses + "\n  " + loop);
  EXPECT_EQ(accErrors(unit), "") << clauses;
  for (const AccRegion& region : unit.regions) EXPECT_EQ(region.reason, "");
  for (const auto& [stmt, one] : unit.notes.loops)
    if (!one.isImplicit) return one;
  ADD_FAILURE() << "no loop: " << clauses;
  return {};
}

TEST(AccClauses, ofLoops) {
  EXPECT_TRUE(oneLoop("seq").isSeq);
  EXPECT_TRUE(oneLoop("auto").isAuto);
  EXPECT_TRUE(oneLoop("independent").isIndependent);
  const AccLoop gang = oneLoop("gang(static: *)");
  EXPECT_TRUE(gang.gang && gang.gangStaticIsStar && !gang.gangStatic);
  EXPECT_TRUE(oneLoop("gang(static: 4)").gangStatic);
  EXPECT_EQ(oneLoop("gang(dim: 2)").gangDim, 2u);
  const AccLoop three = oneLoop("gang(num: 8) worker(num: 4) vector(length: 32)",
                                "for (int k = 0; k < 100; ++k) y[k] = k;", "kernels");
  EXPECT_TRUE(three.gangNum && three.workerNum && three.vectorLength);
  const std::string nest = "for (int k = 0; k < 10; ++k) for (int l = 0; l < 10; ++l) y[k * 10 + l] = k;";
  EXPECT_EQ(oneLoop("collapse(2)", nest).collapse, 2u);
  EXPECT_TRUE(oneLoop("collapse(force: 2)", nest).collapseForce);
  EXPECT_EQ(oneLoop("tile(4, *)", nest).tile, (std::vector<int64_t>{4, 0}));
  EXPECT_EQ(oneLoop("private(t)").privates.size(), 1u);
  const AccLoop sum = oneLoop("reduction(max: t)", "for (int k = 0; k < 100; ++k) t = t > y[k] ? t : y[k];");
  ASSERT_EQ(sum.reductions.size(), 1u);
  EXPECT_EQ(sum.reductions[0].op, AccReductionOp::Max);
}

TEST(AccClauses, reductionsWithMinus) {
  const AccUnit unit = readAccBody(
      "#pragma acc parallel loop reduction(-: t) copyin(y)\n  for (int k = 0; k < 100; ++k) t -= y[k];");
  EXPECT_EQ(accErrors(unit), "");
  EXPECT_EQ(unit.renderedDiagnostics, "");
  ASSERT_EQ(unit.regions.size(), 1u);
  EXPECT_EQ(unit.regions[0].reason, "");
  EXPECT_NE(accRemarks(unit).find("'-' is no reduction of OpenACC; it is taken as '+'"), std::string::npos);
  EXPECT_TRUE(readAccBody("#pragma acc parallel loop reduction(/: t)\n  for (int k = 0; k < 9; ++k) t /= 2;")
                  .hasErrors);
}

// Clang does not survive them.
TEST(AccClauses, firstPrivateArraysOfSeveralDimensions) {
  const AccUnit unit = readAccBody(
      "#pragma acc parallel firstprivate(x, i) copy(y)\n  y[0] = x[1][2] + i;\n"
      "#pragma acc parallel loop firstprivate(x) private(t) copy(y)\n"
      "  for (int k = 0; k < 9; ++k) { t = x[k][0]; y[k] = t; }");
  EXPECT_EQ(accErrors(unit), "");
  ASSERT_EQ(unit.regions.size(), 2u);
  for (const AccRegion& region : unit.regions) {
    EXPECT_EQ(region.reason, "");
    bool isFound = false;
    for (const AccCaptured& one : region.captured)
      if (one.name == "x") isFound = one.seen == AccSeen::Value;
    EXPECT_TRUE(isFound);
  }
}

TEST(AccClauses, reductionsOfComplexNumbersAreLeftToTheHost) {
  const AccUnit unit = readAccBody(
      "  float _Complex z = 0;\n#pragma acc parallel loop reduction(+: z)\n  for (int k = 0; k < 100; ++k) z "
      "+= k;");
  EXPECT_EQ(accErrors(unit), "");
  ASSERT_EQ(unit.regions.size(), 1u);
  EXPECT_EQ(unit.regions[0].reason, "a reduction of complex numbers");
}

TEST(AccClauses, cacheIsAHint) {
  const AccUnit unit = readAccBody(
      "#pragma acc parallel loop copy(y)\n  for (int k = 0; k < 100; ++k) {\n    float own[2];\n"
      "#pragma acc cache(own[0:2])\n    own[0] = k; y[k] = own[0];\n  }");
  EXPECT_EQ(accErrors(unit), "");
  EXPECT_EQ(unit.renderedDiagnostics, "");
  EXPECT_TRUE(readAccBody("#pragma acc fcw\n").hasErrors);
}

TEST(AccClauses, declare) {
  const AccUnit unit = readAcc(
      "float a[10]; float* p; extern float far[4];\n"
      "#pragma acc declare create(a, p) link(far)\n"
      "void f(int n, float* q) {\n"
      "  float own[10]; own[0] = 0;\n"
      "#pragma acc declare copy(own)\n"
      "#pragma acc enter data copyin(p[0:n], q[0:n])\n"
      "}\n");
  ASSERT_EQ(unit.directives.size(), 3u) << accErrors(unit);
  EXPECT_TRUE(unit.directives[0].isGlobal);
  ASSERT_EQ(unit.directives[0].data.size(), 3u);
  EXPECT_EQ(accItem(unit.directives[0].data[1]), "&p | sizeof(p)");
  EXPECT_EQ(unit.directives[0].data[2].kind, AccDataKind::Link);
  const AccDirective& local = unit.directives[1];
  EXPECT_FALSE(local.isGlobal);
  EXPECT_EQ(local.kind, AccDirectiveKind::Declare);
  EXPECT_EQ(accItem(local.data[0]), "&own | sizeof(own)");
  EXPECT_GT(local.place.end, local.place.begin);
  // The device's own pointer learns of what is brought behind it.
  EXPECT_EQ(accItem(unit.directives[2].data[0]), "p | (unsigned long)n * sizeof(p[0]) | attach &p");
  EXPECT_EQ(accItem(unit.directives[2].data[1]), "q | (unsigned long)n * sizeof(q[0])");
}

TEST(AccClauses, routines) {
  const AccUnit unit = readAcc(
      "float one(float x);\n#pragma acc routine(one) vector nohost\nfloat one(float x) { return x + 1; }\n"
      "#pragma acc routine worker device_type(nvidia) bind(\"deep\")\nfloat two(float x) { return x + 2; }\n"
      "void f(float* y) {\n#pragma acc parallel copy(y[0:1])\n  y[0] = one(two(y[0]));\n}\n");
  EXPECT_EQ(accErrors(unit), "");
  std::map<std::string, AccRoutine> found;
  for (const auto& [function, routine] : unit.routines) found[function->name] = routine;
  ASSERT_TRUE(found.contains("one"));
  EXPECT_EQ(found["one"].level, AccLevel::Vector);
  EXPECT_TRUE(found["one"].noHost);
}

}  // namespace
}  // namespace hone::frontend
