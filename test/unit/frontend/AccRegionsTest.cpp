// What regions see of the host's variables, and what may not be seen.
#include "AccParsed.h"
#include "ir/Dump.h"

namespace hone::frontend {
namespace {

const char* const kinds[] = {"copy",          "copyin",          "copyout",    "create",
                             "no_create",     "present",         "deviceptr",  "attach",
                             "detach",        "delete",          "use_device", "update_self",
                             "update_device", "device_resident", "link",       "lookup"};
const char* const ways[] = {"value", "object", "pointer", "private", "trips", "copy"};

/// Lines "way name < kind item"; `implied` before items that no clause has.
std::string seenBy(const AccRegion& region) {
  std::string out = region.reason.empty() ? "" : "refused: " + region.reason + "\n";
  for (const AccCaptured& one : region.captured) {
    out += std::string(ways[int(one.seen)]) + " " + one.name;
    if (one.data >= 0) {
      const AccData& data = region.data[size_t(one.data)];
      out += std::string(data.isImplicit ? " < implied " : " < ") + kinds[int(data.kind)] + " " + data.name;
    }
    out += "\n";
  }
  return out;
}

AccRegion regionIn(const std::string& body, const std::string& name = "/hone-test/x.c") {
  const AccUnit unit = readAccBody(body, name);
  EXPECT_EQ(accErrors(unit), "") << body;
  EXPECT_EQ(unit.regions.size(), 1u) << body;
  return unit.regions.empty() ? AccRegion() : unit.regions[0];
}

std::string seenIn(const std::string& body) { return seenBy(regionIn(body)); }

std::string reasonOf(const std::string& text, const std::string& name = "/hone-test/x.c") {
  const AccUnit unit = readAcc(text, name);
  EXPECT_EQ(accErrors(unit), "") << text;
  return unit.regions.empty() ? "no region" : unit.regions[0].reason;
}

TEST(AccRegions, rulesForWhatNoClauseNames) {
  EXPECT_EQ(seenIn("#pragma acc parallel\n { y[0] = t + p[i]; }"),
            "value t\npointer p < implied lookup p\nvalue i\nobject y < implied copy y\n");
  EXPECT_EQ(seenIn("#pragma acc serial\n { t = s.n; }"), "object s < implied copy s\nvalue t\n");
  // Of kernels, only what changes has to come back.
  EXPECT_EQ(seenIn("#pragma acc kernels\n { t = i; global[0] = n; }"),
            "value i\nobject t < implied copy t\nvalue n\nobject global < implied copy global\n");
  EXPECT_EQ(seenIn("#pragma acc parallel default(present)\n { y[0] = p[0]; }"),
            "pointer p < implied lookup p\nobject y < implied present y\n");
}

TEST(AccRegions, clausesDecide) {
  EXPECT_EQ(seenIn("#pragma acc parallel copyin(p[0:n]) copyout(y[2:n]) copy(t)\n { y[2] = p[0]; t = 1; }"),
            "pointer p < copyin p[0:n]\nobject y < copyout y[2:n]\nobject t < copy t\n");
  EXPECT_EQ(seenIn("#pragma acc parallel deviceptr(p) private(i) firstprivate(t)\n { i = 1; p[i] = t; }"),
            "private i\nvalue t\npointer p < deviceptr p\n");
  EXPECT_EQ(seenIn("#pragma acc parallel reduction(+:t)\n { t += 1; }"), "object t < implied copy t\n");
  EXPECT_EQ(seenIn("#pragma acc parallel copyin(s.a[0:n])\n { y[0] = s.a[1]; }"),
            "object s < implied copy s\nobject y < implied copy y\n");
}

TEST(AccRegions, dataAroundTheConstructCounts) {
  EXPECT_EQ(seenIn("#pragma acc data copy(t)\n {\n#pragma acc parallel\n { t = 1; }\n }"),
            "object t < implied copy t\n");
  EXPECT_EQ(seenIn("#pragma acc data copy(t)\n {\n#pragma acc parallel default(none)\n { t = 1; }\n }"),
            "object t < implied copy t\n");
}

TEST(AccRegions, defaultNoneAsksForClauses) {
  const AccUnit unit = readAccBody("#pragma acc parallel default(none) copy(y)\n { y[0] = t + t; }");
  EXPECT_EQ(accErrors(unit), "8: variable 't' stands in no data clause, which default(none) asks for\n");
}

TEST(AccRegions, objectsAreEnteredBeforeWhatTheyPointTo) {
  const AccRegion region = regionIn("#pragma acc parallel copyin(s.a[0:n])\n { y[0] = s.a[1] + p[0]; }");
  ASSERT_EQ(region.data.size(), 4u);
  EXPECT_EQ(region.data[0].name, "s");
  EXPECT_EQ(region.data[1].name, "y");
  EXPECT_EQ(region.data[2].name, "s.a[0:n]");
  EXPECT_EQ(region.data[3].name, "p") << "is looked up last";
}

TEST(AccRegions, arraysOfVariableLengthAreFlat) {
  const AccRegion region = regionIn("#pragma acc parallel copy(vla)\n { vla[i][2] = wide[1][i]; }");
  EXPECT_EQ(region.reason, "");
  const std::string dump = ir::dump(region.body);
  EXPECT_NE(dump.find("vla[((i64(i) * vla_extent) + i64(2))]"), std::string::npos) << dump;
  EXPECT_NE(dump.find("wide[((i64(1) * wide_extent) + i64(i))]"), std::string::npos) << dump;
  size_t extents = 0;
  for (const AccCaptured& one : region.captured)
    if (one.seen == AccSeen::HostTrips) {
      ++extents;
      EXPECT_NE(one.host.find("sizeof("), std::string::npos);
    }
  EXPECT_EQ(extents, 3u);
}

TEST(AccRegions, arraysByValueTravelInARecord) {
  const AccRegion region = regionIn("float w[4];\n#pragma acc parallel firstprivate(w)\n { w[1] = 2; }");
  EXPECT_EQ(seenBy(region), "value w\n");
  EXPECT_NE(ir::dump(region.body).find("w.all[1] = "), std::string::npos) << ir::dump(region.body);
}

TEST(AccRegions, arraysThatAreLargeOrOfALengthKnownLateHaveMemoryOfTheirOwn) {
  EXPECT_EQ(seenIn("float w[1000];\n#pragma acc parallel firstprivate(w)\n { w[1] = 2; }"),
            "trips w\ncopy w\nprivate w\n");
  EXPECT_EQ(seenIn("#pragma acc parallel firstprivate(vla)\n { vla[1][1] = 2; }"),
            "trips vla\ntrips vla\ntrips vla\ncopy vla\nprivate vla\n");
  EXPECT_EQ(seenIn("#pragma acc parallel private(vla)\n { vla[1][1] = 2; }"),
            "trips vla\ntrips vla\ntrips vla\nprivate vla\n");
  EXPECT_EQ(seenIn("#pragma acc parallel loop private(vla)\n for (i = 0; i < n; ++i) vla[1][1] = 2;"),
            "trips vla\ntrips vla\ntrips vla\nvalue n\n");
}

TEST(AccRegions, membersComeThroughThis) {
  const AccUnit unit = readAcc(
      "struct V { float* d; int n;\n void scale(float f) {\n#pragma acc parallel loop copy(d[0:n])\n"
      " for (int i = 0; i < n; ++i) d[i] *= f; } };\nvoid g(V& v) { v.scale(2); }\n",
      "/hone-test/x.cpp");
  EXPECT_EQ(accErrors(unit), "");
  ASSERT_EQ(unit.regions.size(), 1u);
  EXPECT_EQ(seenBy(unit.regions[0]), "pointer this < implied copy this\nvalue f\n");
  EXPECT_EQ(unit.regions[0].data[0].bytes, "sizeof(*this)");
}

TEST(AccRegions, eachInstantiationHasItsRegion) {
  const AccUnit unit = readAcc(
      "template <class T> void fill(T* p, int n, T v) {\n#pragma acc parallel loop copyout(p[0:n])\n"
      " for (int i = 0; i < n; ++i) p[i] = v; }\n"
      "void g(float* a, double* b) { fill(a, 3, 1.0f); fill(b, 3, 1.0); }\n",
      "/hone-test/x.cpp");
  ASSERT_EQ(unit.regions.size(), 2u);
  EXPECT_NE(unit.regions[0].name, unit.regions[1].name);
  EXPECT_EQ(unit.regions[0].place.begin, unit.regions[1].place.begin);
  EXPECT_EQ(unit.regions[0].instance, "void fill(T *, int, T) [T = float]");
  EXPECT_EQ(unit.regions[1].instance, "void fill(T *, int, T) [T = double]");
}

TEST(AccRegions, whatTheDeviceCannotSeeIsLeftToTheHost) {
  const auto reason = [](const std::string& body) { return regionIn(body).reason; };
  EXPECT_EQ(reason("register int r = 1;\n#pragma acc parallel\n { y[0] = r; }"),
            "variable 'r' has storage class register and so no address");
  EXPECT_EQ(reason("static _Thread_local int r;\n#pragma acc parallel\n { y[0] = r; }"),
            "thread-local variable 'r'");
  EXPECT_EQ(reason("void (*call)(float*) = use;\n#pragma acc parallel\n { y[0] = call != 0; }"),
            "pointer to a function 'call', which means another function on the device");
  EXPECT_EQ(reason("#pragma acc parallel\n { float own[n]; own[0] = 1; }"),
            "array 'own' whose length is known only at run time");
  EXPECT_EQ(reason("float w[8];\n#pragma acc parallel firstprivate(w)\n {\n#pragma acc loop reduction(+:w)\n"
                   " for (i = 0; i < n; ++i) w[0] += 1; }"),
            "reduction of the firstprivate array 'w'");
  EXPECT_EQ(reason("extern float far[];\n#pragma acc parallel\n { far[0] = 1; }"),
            "array 'far' whose length this file does not know; name its section in a clause");
  EXPECT_EQ(reason("#pragma acc parallel\n { use(p); }"), "function 'use' has no body in this file");
}

TEST(AccRegions, objectsWithPointersThatNobodyMoves) {
  EXPECT_EQ(reasonOf("struct B { int* p; };\nvoid g(int* p) { auto l = [=](int i) { return p[i]; };\n"
                     "#pragma acc parallel loop\n for (int i = 0; i < 3; ++i) p[i] = l(i); }\n",
                     "/hone-test/x.cpp"),
            "lambda 'l' holds pointers or references, which lead to the host's memory");
  EXPECT_NE(reasonOf("#include <string_view>\nvoid g(std::string_view s, int* p) {\n"
                     "#pragma acc parallel loop\n for (int i = 0; i < 3; ++i) p[i] = s.size(); }\n",
                     "/hone-test/x.cpp")
                .find("whose pointers lead to the host's memory; take the pointer to its data outside"),
            std::string::npos);
}

TEST(AccRegions, refusedRegionsStillSayWhatTheyTouch) {
  const AccRegion region = regionIn("#pragma acc parallel copyin(p[0:n])\n { use(p); y[0] = q[0]; }");
  EXPECT_EQ(seenBy(region),
            "refused: function 'use' has no body in this file\npointer p < copyin p[0:n]\n"
            "object y < implied copy y\npointer q < implied lookup q\n");
}

}  // namespace
}  // namespace hone::frontend
