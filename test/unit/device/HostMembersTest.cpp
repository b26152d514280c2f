// What callers hand over, fields of structs, defaults of the command line: values among others, never all.
#include <algorithm>

#include "Source.h"
#include "device/HostText.h"

namespace hone::device {

namespace {

// The text of a function whose launch stands where `@` does.
HostText before(const Folder& folder, std::string text, const std::vector<HostFile>& others = {}) {
  const size_t at = text.find('@');
  text.replace(at, 1, "\nk<<<1, 1>>>();");
  const auto line = static_cast<unsigned>(std::count(text.begin(), text.begin() + long(at), '\n') + 2);
  return {folder.write("main.cu", text), line, {}, 1, {}, others};
}

double valueOf(const HostText& host, const std::string& expression) {
  const auto value = host.value(expression);
  return value ? value->asReal() : -1;
}

}  // namespace

TEST(HostMembers, callersHandOver) {
  const Folder folder;
  const char* const read[] = {
      "void f(int t) { @ } int main() { f(256); }",
      "void f(int t) { @ } int main() { int n = 256; f(n); }",
      "int t = 3; void g() { int t = 7; } void f(int t) { @ } int main() { int n = 256; f(n); }",
      "void f(int t) { @ }\nvoid g(int n) { f(2 * n); }\nint main() { int t = 128; g(t); }",
      "void f(const float* x, const int t) { @ } int main() { int w = 16; f(x, w * w); }",
      "template <typename T, int N> void f(T* x, int t) { @ } int main() { f<float, 3>(x, 256); }",
      "void f(int t); void f(int t) { @ } int main() { CHECK(f(256)); }",
      "void f(float* x, int t = 256) { @ } int main() { f(x); }",
      "struct S { void f(int t) const { @ } }; int main() { S s; s.f(256); }",
      "void S::f(std::map<int, int> m, int t) noexcept { @ } int main() { S* s = make(); s->f(m, 256); }",
      "void f(int t) { auto run = [&] { @ }; run(); } int main() { f(256); }",
      "void f(int t) { if (t > 4) { for (int i = 0; i < t; ++i) { @ } } } int main() { f(256); }",
  };
  for (const char* text : read) {
    const HostText host = before(folder, text);
    EXPECT_EQ(valueOf(host, "t"), 256) << text;
    EXPECT_FALSE(host.isSettled("t")) << text;
    EXPECT_EQ(host.extents("dim3(t, 2)")->at(0).asWhole(), 256) << text;
  }
  const char* const open[] = {
      // What a caller reads is not what stands elsewhere by the same name.
      "void g() { int t = 7; } void f(int t) { @ } int main() { f(atoi(argv[1])); }",
      "void f(int t) { t *= 2; @ } int main() { f(256); }",
      "void g() { auto run = [&](int t) { @ }; run(256); }",
      "void f(int t) { @ } void f(int t, int u); int main() { f(3, 256); }",
      "void f(int t) { f(t); @ }",
      "void f(int t) { @ f(t - 1); } int main() { f(any()); }",
  };
  for (const char* text : open) EXPECT_EQ(valueOf(before(folder, text), "t"), -1) << text;
  // A call in a macro has its names where the macro is used.
  EXPECT_EQ(valueOf(before(folder,
                           "#define RUN(i) \\\n  f(i, \\\n t)\nvoid f(int i, int t) { @ }\n"
                           "int main() { const int t = 256; RUN(1); }"),
                    "t"),
            256);
  // What is set anew in the function is no longer what it got.
  EXPECT_EQ(valueOf(before(folder, "void f(int t) { t = 64; @ } int main() { f(256); }"), "t"), 64);
}

TEST(HostMembers, callersInOtherFiles) {
  const Folder folder;
  folder.write("launch.h", "#pragma once\nstruct Wave { int length = 3; float speed; };\n");
  const std::string caller = folder.write("caller.cu", R"(
#include "launch.h"
#define COUNT 96
int t = 5;
int main() {
  Wave wave;
  wave.speed = 0.5f;
  launch(COUNT * 2, wave);
})");
  const char* const text = "#include \"launch.h\"\nvoid launch(int t, const Wave& wave) { int u = t + 1; @ }";
  const HostText host = before(folder, text, {{caller, {{"COUNT", "128"}}}});
  EXPECT_EQ(valueOf(host, "t"), 256);
  EXPECT_EQ(valueOf(host, "u"), 257);
  EXPECT_EQ(valueOf(host, "wave.speed"), 0.5);
  EXPECT_EQ(valueOf(host, "wave.length"), 3);
  EXPECT_FALSE(host.isSettled("t"));
  EXPECT_FALSE(host.isSettled("wave.length"));
  EXPECT_EQ(valueOf(before(folder, text), "t"), -1);
  // A namesake in another file is no variable of this one.
  EXPECT_EQ(valueOf(before(folder, "void launch() { @ }", {{caller}}), "t"), -1);
}

TEST(HostMembers, fieldsOfStructs) {
  const Folder folder;
  const std::string plain = "struct P { float* x; int n; const int m = 4; float s; };\n";
  const std::string made =
      "struct P { int n, m; P(int a, int b) : n(a), m(a * b) {} P() { n = 1; m = 2; } };\n";
  const std::string read[] = {
      plain + "void f() { P p; p.n = 64; @ }",
      plain + "void f() { P p; p.n = 3; p.n = 64; if (any()) p.n = 5; @ }",
      plain + "void f() { P p{x, 64}; @ }",
      plain + "void f() { int k = 32; const P p = {x, 2 * k}; @ }",
      plain + "void f() { P p = P{x, 64, 5}; @ }",
      plain + "void f() { P p{.n = 64}; @ }",
      plain + "void f() { P q; q.n = 64; P p = q; @ }",
      plain + "void f(const P& p) { @ } int main() { P q{x, 64}; f(q); }",
      plain + "void f(P* p) { @ } int main() { P q{x, 64}; f(&q); }",
      plain + "void f() { P p; P* q = &p; p.n = 64; { P p; p.n = 3; } @ }",
      "template <typename T> struct P { T* x; int n; };\nvoid f() { P<float> p{x, 64}; @ }",
      "typedef struct { float* x; int n; } P;\nvoid f() { P p = {x, 64}; @ }",
      made + "void f() { P p(64, 2); @ }",
      made + "void f() { P p{64, 2}; @ }",
      made + "void f() { P p = P(64, 2); @ }",
  };
  for (const std::string& text : read) {
    const HostText host = before(folder, text);
    EXPECT_EQ(valueOf(host, "p.n"), 64) << text;
    EXPECT_EQ(valueOf(host, "p->n"), 64) << text;
    EXPECT_FALSE(host.isSettled("p.n")) << text;
  }
  EXPECT_EQ(valueOf(before(folder, made + "void f() { P p(64, 2); @ }"), "p.m"), 128);
  EXPECT_EQ(valueOf(before(folder, plain + "void f() { P p{x, 64}; @ }"), "p.m"), 4);
  EXPECT_EQ(valueOf(before(folder, plain + "void f() { P p{x, 64}; @ }"), "p.s"), 0);
  const std::string open[] = {
      plain + "void f() { P p; @ p.n = 64; }",
      plain + "void f() { P p; p.n = 64; p.n += 2; @ }",
      plain + "void f() { P p; p.n = 64; p = any(); @ }",
      plain + "void f() { P p; p.n = any(); @ }",
      plain + "void f() { { P p; p.n = 64; } P p; @ }",
      plain + "void g() { P p; p.n = 64; } void f(P p) { @ } int main() { f(any()); }",
      plain + "void f() { P p = make(x, 64); @ }",
      plain + "void f() { P p{x, 1, 2, 3, 4}; @ }",
      "struct P { int a[2]; int n; };\nvoid f() { P p{1, 64}; @ }",
      "struct P { union { int a, b; }; int n; };\nvoid f() { P p{1, 64}; @ }",
      "struct P {\n#ifdef WIDE\n int a;\n#endif\n int b, n; };\nvoid f() { P p{1, 64}; @ }",
      "struct P { int n, m; P(int a) : n(a) { n = 2; grow(); } };\nvoid f() { P p(64); @ }",
      "struct P { int n, m; P(int a, int b); };\nvoid f() { P p(64, 2); @ }",
  };
  for (const std::string& text : open) EXPECT_EQ(valueOf(before(folder, text), "p.n"), -1) << text;
}

TEST(HostMembers, defaultsOfTheCommandLine) {
  const Folder folder;
  for (const char* text :
       {"int main(int argc, char** argv) { const int t = argc > 1 ? atoi(argv[1]) : 256; @ }",
        "int main(int count, char** argv) { int t = (count >= 2) ? std::stoi(argv[1]) : 4 * 64; @ }",
        "int main(int argc, char** argv) { int t = 256; if (argc > 1) t = atoi(argv[1]); @ }",
        "void f(int t) { @ } int main(int argc, char** argv) { f(argc == 2 ? atoi(argv[1]) : 256); }"}) {
    const HostText host = before(folder, text);
    EXPECT_EQ(valueOf(host, "t"), 256) << text;
    EXPECT_FALSE(host.isSettled("t")) << text;
  }
  EXPECT_EQ(valueOf(before(folder, "void f(int argc) { int t = argc > 1 ? 3 : 256; @ }"), "t"), -1);
  EXPECT_EQ(valueOf(before(folder, "int main(int argc, char** argv) { int t = atoi(argv[1]); @ }"), "t"), -1);
}

TEST(HostMembers, extentsByOtherTypes) {
  const Folder folder;
  const HostText host = before(folder, R"(
dim3 tiles(int n, int m) { return dim3((n + 15) / 16, m); }
dim3 counted(int n) { static int calls = 0; return dim3(n + ++calls); }
void f(dim3 grid) {
  const int n = 100;
  const dim3 braces{ 4, 2, 1 };
  uint3 made = make_uint3(8, 4, 2);
  @
}
int main() { dim3 own(3); own.y = 5; f(own); })");
  const auto at = [&](const char* what, size_t axis) { return host.extents(what)->at(axis).asWhole(); };
  EXPECT_EQ(at("braces", 1), 2);
  EXPECT_EQ(at("made", 2), 2);
  EXPECT_EQ(at("grid", 1), 5);
  EXPECT_EQ(at("tiles(n, 3)", 0), 7);
  EXPECT_EQ(at("tiles(n, 3)", 1), 3);
  EXPECT_TRUE(host.isSettled("tiles(n, 3)"));
  EXPECT_FALSE(host.extents("tiles(unknown, 3)"));
  EXPECT_FALSE(host.extents("counted(n)"));
  EXPECT_FALSE(host.isSettled("grid"));
  EXPECT_TRUE(host.isSettled("braces"));
}

// A size that is decided elsewhere is that of all its copies.
TEST(HostMembers, decidesWhatIsCopied) {
  const Folder folder;
  HostText host = before(folder, R"(
struct Box { int nx = 0, ny = 0; };
#define K 8
void f(Box& box, int k) { int width = box.nx; @ }
int main(int argc, char** argv) {
  const int n = atoi(argv[1]);
  Box box;
  box.nx = n;
  box.ny = 2 * n;
  f(box, K);
})");
  host.decide("width", wholeNumber(10));
  host.decide("k", wholeNumber(5));
  EXPECT_EQ(valueOf(host, "box.nx"), 10);
  EXPECT_EQ(valueOf(host, "box.ny"), 20);
  EXPECT_EQ(valueOf(host, "k"), 5);
  EXPECT_EQ(valueOf(host, "K"), 8);  // a constant stays one
}

}  // namespace hone::device
