#include "AccParsed.h"

namespace hone::frontend {
namespace {

/// The text of each directive's place, and a bar where a directive without a statement ends.
std::vector<std::string> placed(const std::string& text, const std::string& name = "/hone-test/x.c") {
  const AccUnit unit = readAcc(text, name);
  EXPECT_EQ(accErrors(unit), "");
  std::vector<std::string> out;
  for (const AccDirective& one : unit.directives)
    out.push_back(one.place.begin == one.place.end
                      ? "|" + text.substr(one.place.begin, 6)
                      : text.substr(one.place.begin, one.place.end - one.place.begin));
  for (const AccRegion& one : unit.regions)
    out.push_back(text.substr(one.place.begin, one.place.end - one.place.begin));
  return out;
}

using Texts = std::vector<std::string>;

TEST(AccPlaces, statements) {
  EXPECT_EQ(placed("void f(float* a, int n) {\n#pragma acc data copy(a[0:n])\n  { a[0] = 1; } // x\n}\n"),
            Texts{"{ a[0] = 1; }"});
  EXPECT_EQ(placed("void f(float* a, int n) {\n#pragma acc data copy(a[0:n])\n  a[0] = 1 ; n = 2;\n}\n"),
            Texts{"a[0] = 1 ;"});
  EXPECT_EQ(placed("void f(float* a, int n) {\n#pragma acc data copy(a[0:n])\n  if (n) a[0] = 1; else { a[1] "
                   "= 2; }\n}\n"),
            Texts{"if (n) a[0] = 1; else { a[1] = 2; }"});
  EXPECT_EQ(placed("void f(float* a, int n) {\n#pragma acc data copy(a[0:n])\n  while (n) for (;;) do n--; "
                   "while (n);\n}\n"),
            Texts{"while (n) for (;;) do n--; while (n);"});
  EXPECT_EQ(placed("void f(float* a, int n) {\n#pragma acc data copy(a[0:n])\n  ;\n}\n"), Texts{";"});
  EXPECT_EQ(placed("void f(float* a, int n) {\n#pragma acc parallel loop copy(a[0:n])\n  for (int i = 0; i < "
                   "n; ++i)\n    a[i] = 1;\n}\n"),
            Texts{"for (int i = 0; i < n; ++i)\n    a[i] = 1;"});
}

TEST(AccPlaces, aStatementOfItsOwnDirective) {
  EXPECT_EQ(placed("void f(float* a, int n) {\n#pragma acc data copy(a[0:n])\n#pragma acc parallel loop\n"
                   "  for (int i = 0; i < n; ++i) a[i] = 1;\n}\n"),
            (Texts{"for (int i = 0; i < n; ++i) a[i] = 1;", "for (int i = 0; i < n; ++i) a[i] = 1;"}));
  EXPECT_EQ(placed("void f(float* a, int n) {\n#pragma acc data copy(a[0:n])\n#pragma acc update "
                   "self(a[0:n])\nn = 0;\n}\n"),
            (Texts{"|n = 0;", "|n = 0;"}));
}

TEST(AccPlaces, lines) {
  EXPECT_EQ(placed("void f(float* a) {\n#pragma acc wait // and \\\n more\nnext:;\n}\n"), Texts{"|next:;"});
  EXPECT_EQ(placed("void f(float* a) {\r\n#pragma acc update \\\r\n  self(a[0:1])\r\nnext:;\r\n}\r\n"),
            Texts{"|next:;"});
  EXPECT_EQ(placed("void f(float* a) {\n#pragma acc wait /* over\n lines */ // '\"\nnext:;\n}\n"),
            Texts{"|next:;"});
  EXPECT_EQ(placed("void f(float* a) {\n  #  pragma acc wait\n#pragma acc wait\nnext:;\n}\n"),
            (Texts{"|#pragm", "|next:;"}));
}

TEST(AccPlaces, macrosInTheStatement) {
  EXPECT_EQ(
      placed(
          "#define EACH(i, n) for (int i = 0; i < (n); ++i)\n#define SET(p) p = 1\n"
          "void f(float* a, int n) {\n#pragma acc parallel loop copy(a[0:n])\n  EACH(i, n) SET(a[i]);\n}\n"),
      Texts{"EACH(i, n) SET(a[i]);"});
}

TEST(AccPlaces, whatHasToBePreprocessed) {
  const auto needs = [](const std::string& text) {
    SourceRequest request;
    request.path = "/hone-test/x.c";
    request.contents = text;
    request.useCache = false;
    request.overlay["/hone-test/h.h"] =
        "static void h(float* a) {\n#pragma acc parallel copy(a[0:1])\n  a[0] = 1;\n}\n";
    return importAcc(request).needsPreprocessing;
  };
  EXPECT_TRUE(needs("#define LINE p[0:2]\nvoid f(float* p) {\n#pragma acc enter data copyin(LINE)\n}\n"));
  EXPECT_FALSE(needs("#define N 2\nvoid f(float* p) {\n#pragma acc enter data copyin(p[0:N])\n}\n"));
  EXPECT_FALSE(needs("void f(float* a) {\n#pragma acc wait\n}\n"));
  EXPECT_TRUE(needs("#define DO(x) _Pragma(x)\nvoid f(float* a) {\nDO(\"acc wait\")\n}\n"));
  EXPECT_TRUE(needs("void f(float* a) {\n_Pragma(\"acc wait\")\n}\n"));
  EXPECT_TRUE(needs("#include \"h.h\"\nvoid f(float* a) { h(a); }\n"));
  EXPECT_TRUE(needs(
      "#define BOTH p[0:2], q\nvoid f(float* p, float* q) {\n#pragma acc enter data copyin(BOTH)\n}\n"));
  EXPECT_TRUE(
      needs("#define END ; } }\nvoid f(float* p) {\n#pragma acc data copy(p[0:1])\n  { p[0] = 1 END\n"));
}

// As far as nobody preprocesses it.
TEST(AccPlaces, whatHasNoTextIsAnError) {
  EXPECT_EQ(accErrors(readAcc("void f(float* a) {\n_Pragma(\"acc wait\")\n}\n")),
            "2: the directive comes out of a macro or a header\n");
  EXPECT_EQ(accErrors(readAcc("float a[4];\n_Pragma(\"acc declare create(a)\")\nvoid f(void) {}\n")),
            "2: the declare directive comes out of a macro or a header\n");
  EXPECT_EQ(
      accErrors(readAcc("#define LINE p[0:2]\nvoid f(float* p) {\n#pragma acc enter data copyin(LINE)\n}\n")),
      "3: an operand comes out of a macro; write it into the directive\n");
}

TEST(AccPlaces, anotherPragmaBetween) {
  EXPECT_EQ(accErrors(readAcc("void f(float* a, int n) {\n#pragma acc data copy(a[0:n])\n#pragma unroll\n"
                              "  for (int i = 0; i < n; ++i) a[i] = 1;\n}\n")),
            "3: another pragma stands between the directive and its statement; leave it out\n");
}

}  // namespace
}  // namespace hone::frontend
