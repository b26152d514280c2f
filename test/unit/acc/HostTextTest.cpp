// Text of the host, made from units put together by hand, and taken by Clang as C89 to C23 and C++98 to C++23
// without a warning.
#include "acc/HostText.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "acc/LaunchText.h"
#include "hone/Config.h"
#include "ir/Build.h"

namespace hone::acc {
namespace {

using namespace frontend;
namespace fs = std::filesystem;

ir::SourceLoc at(unsigned line, unsigned column = 1) { return {ir::internFile("saxpy.c"), line, column}; }

// A place behind the first `mark` in a text, and the statement from `from` to behind `to`.
AccPlace around(const std::string& text, const std::string& from, const std::string& to, size_t start = 0) {
  AccPlace place;
  const size_t begin = text.find(from, start);
  EXPECT_NE(begin, std::string::npos) << from;
  place.begin = unsigned(begin);
  place.end = unsigned(text.find(to, begin) + to.size());
  return place;
}

AccPlace behindLine(const std::string& text, const std::string& line) {
  AccPlace place;
  place.begin = place.end = unsigned(text.find('\n', text.find(line)) + 1);
  return place;
}

AccData section(const char* name, AccDataKind kind = AccDataKind::Copy) {
  AccData data;
  data.kind = kind;
  data.name = std::string(name) + "[0:n]";
  data.variable = name;
  data.address = name;
  data.bytes = std::string("n * sizeof(*") + name + ")";
  return data;
}

const char* const saxpy =
    "#include <stddef.h>\n"
    "void saxpy(int n, float a, const float *x, float *y) {\n"
    "  int i;\n"
    "  if (n > 2)\n"
    "#pragma acc parallel loop copyin(x[0:n]) copy(y[0:n])\n"
    "    for (i = 0; i < n; ++i) y[i] = a * x[i] + y[i];\n"
    "  else\n"
    "    y[0] = 0;\n"
    "}\n";

AccUnit saxpyUnit(const std::string& text) {
  AccUnit unit;
  AccRegion region;
  region.isCombined = true;
  region.name = "saxpy_1";
  region.function = "saxpy";
  region.loc = at(5, 9);
  region.place = around(text, "for (", ";\n", text.find("#pragma acc"));
  region.place.end -= 1;
  region.body = ir::block({});
  for (const char* name : {"a", "n", "x", "y"})
    region.captured.push_back({name, AccSeen::Value, nullptr, std::string("&") + name, -1, {}});
  region.data = {section("x", AccDataKind::CopyIn), section("y")};
  unit.regions.push_back(region);
  return unit;
}

std::string textOf(const AccUnit& unit, const std::vector<LoweredRegion>& lowered, const std::string& text) {
  return applied(hostText(unit, lowered, text, ""), text);
}

// What Clang says of a text as that language; "" where it says nothing.
std::string clangSays(const std::string& text, const std::string& flags) {
  const fs::path file = fs::temp_directory_path() / ("hone-host-text-" + std::to_string(getpid()));
  const fs::path log = file.string() + ".log";
  std::ofstream(file) << text;
  const std::string command = std::string(config::hostCompiler) + " " + flags +
                              " -fsyntax-only -Weverything -Wno-unknown-pragmas -Wno-source-uses-openacc "
                              "-Wno-unsafe-buffer-usage -Wno-missing-prototypes -Wno-c++98-compat-pedantic "
                              "-Wno-pre-c++17-compat -Wno-declaration-after-statement " +
                              file.string() + " 2> " + log.string();
  const int status = std::system(command.c_str());
  std::ifstream in(log);
  std::string said((std::istreambuf_iterator<char>(in)), {});
  fs::remove(file);
  fs::remove(log);
  return status && said.empty() ? "it fails" : said;
}

void expectClean(const std::string& before, const std::string& after, bool isCpp) {
  int compared = 0;
  for (const char* standard : {"89", "99", "17", "23"}) {
    const std::string flags =
        isCpp ? std::string("-x c++ -std=c++") + (standard == std::string("89")   ? "98"
                                                  : standard == std::string("99") ? "11"
                                                                                  : standard)
              : std::string("-x c -std=c") + standard;
    ASSERT_EQ(clangSays(before, flags + " -w"), "");
    const std::string was = clangSays(before, flags);
    if (!was.empty()) continue;
    ++compared;
    EXPECT_EQ(clangSays(after, flags), "") << after;
  }
  EXPECT_GE(compared, 3);
}

std::string lineOf(const std::string& text, const std::string& part) {
  const size_t place = text.find(part);
  if (place == std::string::npos) return "";
  const size_t begin = text.rfind('\n', place) + 1;
  return text.substr(begin, text.find('\n', place) - begin);
}

TEST(HostText, OffersARegionToTheDevice) {
  const AccUnit unit = saxpyUnit(saxpy);
  const std::string made = textOf(unit, std::vector<LoweredRegion>(1), saxpy);
  EXPECT_EQ(
      lineOf(made, "for ("),
      "    if (hone_acc_region(\"saxpy.c:5: parallel loop in saxpy\", hone_acc_saxpy_1, 1, 0, -100, -1, 4, "
      "5, 2, "
      "(hone_acc_address)(&a), (hone_acc_address)(&n), (hone_acc_address)(&x), (hone_acc_address)(&y), "
      "(hone_acc_number)0, (hone_acc_number)0, (hone_acc_number)0, (hone_acc_number)0, (hone_acc_number)0, "
      "1, \"x[0:n]\", (hone_acc_address)x, (hone_acc_size)(n * sizeof(*x)), (hone_acc_address)0, "
      "0, \"y[0:n]\", (hone_acc_address)y, (hone_acc_size)(n * sizeof(*y)), (hone_acc_address)0)) {} else "
      "for (i = 0; i < n; ++i) y[i] = a * x[i] + y[i];");
  // Nothing else changes but for the line before the first, which has a number of its own.
  std::string rest = made.substr(made.find("#line 1\n") + 8);
  const size_t begin = rest.find("if (hone"), end = rest.find("else for") + 5;
  rest.erase(begin, end - begin);
  EXPECT_EQ(rest, saxpy);
}

TEST(HostText, IsCleanInCAndCpp) {
  for (const bool isCpp : {false, true}) {
    std::string text = saxpy;
    if (!isCpp) text.insert(text.find("void"), "void saxpy(int, float, const float *, float *);\n");
    // Implicit changes of signs are the user's: casts stand around clauses.
    AccUnit unit = saxpyUnit(text);
    unit.isCpp = isCpp;
    for (AccData& one : unit.regions[0].data) one.bytes = "(size_t)n * sizeof(" + one.address + "[0])";
    if (isCpp)
      for (AccData& one : unit.regions[0].data) one.bytes = "size_t(n) * sizeof(" + one.address + "[0])";
    unit.regions[0].condition = AccValue{"n > 100", std::nullopt};
    unit.regions[0].async = {true, AccValue{"n % 3", std::nullopt}};
    unit.regions[0].wait = {true, std::nullopt, {AccValue{"n", std::nullopt}, AccValue{"2", 2}}};
    unit.regions[0].numGangs[0] = AccValue{"n / 2", std::nullopt};
    expectClean(text, textOf(unit, std::vector<LoweredRegion>(1), text), isCpp);
  }
}

TEST(HostText, RunsOnTheHostWithMoreIterationsThanKernelsTake) {
  const std::string text = std::string("void saxpy(int, float, const float *, float *);\n") + saxpy;
  AccUnit unit = saxpyUnit(text);
  AccRegion& region = unit.regions[0];
  const ir::StmtPtr loop = ir::makeStmt(ir::For{{}, nullptr, {}, ir::block({})});
  region.body = ir::block({loop});
  unit.notes.loops[loop.get()].hostTrips = "n";
  for (AccData& one : region.data) one.bytes = "(size_t)n * sizeof(" + one.address + "[0])";
  std::vector<LoweredRegion> lowered(1);
  lowered[0].limits = {{HostValues::firstTrips, 65535}, {HostValues::firstTrips, 65535}};
  const std::string made = textOf(unit, lowered, text);
  EXPECT_NE(made.find("    { const int hone_fits = (hone_acc_number)n <= 65535; if (!hone_fits) { "
                      "hone_acc_host_begin("),
            std::string::npos);
  EXPECT_NE(made.find("if (hone_fits && hone_acc_region("), std::string::npos);
  expectClean(text, made, false);
}

TEST(HostText, LeavesARegionToTheHostWithItsData) {
  AccUnit unit = saxpyUnit(saxpy);
  std::vector<LoweredRegion> lowered(1);
  lowered[0].reason = "of this or that";
  const std::string made = textOf(unit, lowered, saxpy);
  EXPECT_EQ(lineOf(made, "for ("),
            "    { hone_acc_host_begin(\"saxpy.c:5: parallel loop in saxpy\", 1, 0, -100, -1, 2, "
            "1, \"x[0:n]\", (hone_acc_address)x, (hone_acc_size)(n * sizeof(*x)), (hone_acc_address)0, "
            "0, \"y[0:n]\", (hone_acc_address)y, (hone_acc_size)(n * sizeof(*y)), (hone_acc_address)0); "
            "for (i = 0; i < n; ++i) y[i] = a * x[i] + y[i]; "
            "hone_acc_host_end(\"saxpy.c:5: parallel loop in saxpy\"); }");
  EXPECT_EQ(made.find("hone_acc_saxpy_1"), std::string::npos);
}

const char* const directives =
    "int use(float *p);\n"
    "int f(int n, float *p);\n"
    "int f(int n, float *p) {\n"
    "#pragma acc data copy(p[0:n]) \\\n"
    "    if (n > 3)\n"
    "#pragma acc host_data use_device(p)\n"
    "  { n = use(p); }\n"
    "#pragma acc update self(p[0:n]) \\\n"
    "    async(1)\n"
    "#ifdef UNKNOWN\n"
    "  return 1;\n"
    "#endif\n"
    "#pragma acc wait(1)\n"
    "  return n;\n"
    "}\n";

AccUnit directivesUnit(const std::string& text) {
  AccUnit unit;
  AccDirective data;
  data.function = "f";
  data.loc = at(4, 9);
  data.place = around(text, "{ n", "; }");
  data.data = {section("p")};
  data.condition = AccValue{"n > 3", std::nullopt};
  AccDirective host = data;
  host.kind = AccDirectiveKind::HostData;
  host.loc = at(6, 9);
  host.data = {section("p", AccDataKind::UseDevice)};
  host.condition.reset();
  AccDirective update;
  update.kind = AccDirectiveKind::Update;
  update.loc = at(8, 9);
  update.place = behindLine(text, "    async(1)");
  update.data = {section("p", AccDataKind::UpdateSelf)};
  update.async = {true, AccValue{"1", 1}};
  AccDirective wait;
  wait.kind = AccDirectiveKind::Wait;
  wait.loc = at(13, 9);
  wait.place = behindLine(text, "#pragma acc wait");
  wait.wait = {true, std::nullopt, {AccValue{"1", 1}}};
  for (const AccDirective& one : {data, host, update, wait}) unit.directives.push_back(one);
  return unit;
}

TEST(HostText, PutsCallsInThePlaceOfDirectives) {
  const std::string text = directives;
  const std::string made = textOf(directivesUnit(text), {}, text);
  const std::string body = made.substr(made.find("#line 1\n") + 8);
  // Lines keep their numbers.
  EXPECT_EQ(std::count(body.begin(), body.end(), '\n'), std::count(text.begin(), text.end(), '\n'));
  EXPECT_EQ(lineOf(body, "hone_acc_update"),
            "hone_acc_update(\"saxpy.c:8: update\", 1, 1, -1, 1, 11, \"p[0:n]\", (hone_acc_address)p, "
            "(hone_acc_size)(n * sizeof(*p)), (hone_acc_address)0);");
  EXPECT_EQ(body.find("#pragma acc update"), std::string::npos);
  EXPECT_EQ(lineOf(body, "hone_acc_wait"),
            "hone_acc_wait(\"saxpy.c:13: wait\", 1, -100, -1, 1, (hone_acc_number)1);");
  EXPECT_EQ(lineOf(body, "use(p)").substr(0, 30), "  { hone_acc_data_begin(\"saxpy");
  EXPECT_NE(body.find("__typeof__(hone_used_1) p = hone_used_1;"), std::string::npos);
  EXPECT_NE(body.find("{ n = use(p); } }} hone_acc_data_end(\"saxpy.c:4: data in f\"); }"), std::string::npos)
      << body;
}

TEST(HostText, DirectivesAreCleanInCAndCpp) {
  for (const bool isCpp : {false, true}) {
    AccUnit unit = directivesUnit(directives);
    unit.isCpp = isCpp;
    for (AccDirective& one : unit.directives)
      for (AccData& data : one.data) data.bytes = "sizeof(float)";
    expectClean(directives, textOf(unit, {}, directives), isCpp);
  }
}

TEST(HostText, ChoosesTheLauncherOfAnInstantiation) {
  const std::string text =
      "template <typename T> void scale(T *x, int n) {\n"
      "#pragma acc parallel loop copy(x[0:n])\n"
      "  for (int i = 0; i < n; ++i) x[i] *= 2;\n"
      "}\n"
      "template void scale<float>(float *, int);\ntemplate void scale<double>(double *, int);\n";
  AccUnit unit;
  unit.isCpp = true;
  for (const char* type : {"float", "double"}) {
    AccRegion region;
    region.name = "scale_" + std::string(type);
    region.function = "scale";
    region.instance = "void scale(T *, int) [T = " + std::string(type) + "]";
    region.loc = at(2, 9);
    region.place = around(text, "for (", ";\n");
    region.place.end -= 1;
    region.body = ir::block({});
    region.captured.push_back({"n", AccSeen::Value, nullptr, "&n", -1, {}});
    region.data = {section("x")};
    region.data[0].bytes = "sizeof(T)";
    unit.regions.push_back(region);
  }
  std::vector<LoweredRegion> lowered(2);
  const std::string made = textOf(unit, lowered, text);
  EXPECT_NE(made.find("hone_acc_scale_float_of(__PRETTY_FUNCTION__)"), std::string::npos);
  EXPECT_EQ(clangSays(made, "-x c++ -std=c++17 -w"), "");
  const std::string launchers = launchText(unit, lowered, {});
  EXPECT_NE(launchers.find("if (!__builtin_strcmp(instance, \"void scale(T *, int) [T = double]\")) return "
                           "hone_acc_scale_double;"),
            std::string::npos);
  EXPECT_EQ(clangSays(launchers, "-x c -w"), "");
  // As assembly they stand in one file.
  EXPECT_EQ(clangSays(made + "\n" + launchers, "-x c++ -std=c++17 -w"), "");
  // Instantiations that use other variables have no common text.
  unit.regions[1].captured[0].host = "&m";
  const HostText apart = hostText(unit, lowered, text, "");
  ASSERT_EQ(apart.problems.size(), 1u);
  EXPECT_NE(apart.problems[0].text.find("instantiations of its template use different variables"),
            std::string::npos);
}

TEST(HostText, RegistersVariablesOfFileScope) {
  const std::string text =
      "static int table[4];\n#pragma acc declare create(table)\nint g(void) { return table[1]; }\n";
  AccUnit unit;
  AccDirective declare;
  declare.kind = AccDirectiveKind::Declare;
  declare.isGlobal = true;
  declare.loc = at(2, 9);
  declare.place = behindLine(text, "#pragma acc declare");
  AccData table = section("table", AccDataKind::Create);
  table.bytes = "sizeof(table)";
  declare.data = {table};
  unit.directives = {declare};
  for (const bool isCpp : {false, true}) {
    unit.isCpp = isCpp;
    const std::string made = textOf(unit, {}, text);
    EXPECT_NE(lineOf(made, "hone_acc_declare_1").find("__attribute__((constructor))"), std::string::npos);
    EXPECT_EQ(clangSays(made, isCpp ? "-x c++ -w" : "-x c -std=c89 -w"), "");
  }
}

}  // namespace
}  // namespace hone::acc
