// What a launch always has: never said of what anything else in the program may change.
#include <algorithm>

#include "Source.h"
#include "device/HostText.h"

namespace hone::device {

namespace {

// The text of a function whose launch stands where `@` does.
HostText launchedIn(const Folder& folder, std::string text, std::map<std::string, std::string> macros = {}) {
  const size_t at = text.find('@');
  text.replace(at, 1, "\nk<<<1, t>>>();");
  const auto line = static_cast<unsigned>(std::count(text.begin(), text.begin() + long(at), '\n') + 2);
  return {folder.write("main.cu", text), line, std::move(macros)};
}

}  // namespace

TEST(HostSettled, whatMayChangeIsNot) {
  const Folder folder;
  folder.write("util.h", "inline void parse(int c, int& x) { x = c; }\n");
  const char* const open[] = {
      // Members.
      "struct R { int t = 64; void go() { @ } }; int main() { R r; r.t = 3; r.go(); }",
      "struct R { int t = 64; R(int x) : t(x) {} void go() { @ } };",
      "struct R { int t = 64; void set(int x) { this->t = x; } void go() { @ } };",
      "struct R { int t = 64; void go() { @ } void set(int x) { t = x; } };",
      "const int t = 64; struct R { void go() { @ } int t; };",
      "const int t = 64; struct R { int t; void go(); }; void R::go() { @ }",
      // What lasts longer than the launch, or is come to in another order.
      "void f() { static int t = 64; @ t *= 2; }",
      "void f() { int t = 64; auto go = [&] { @ t *= 2; }; go(); go(); }",
      "void f() { int t = 64; auto go = [&] { @ }; go(); t = 128; go(); }",
      "void f() { int t = 64; auto set = [](int& x) { x = 3; }; set(t); @ }",
      "void f() { int t = 64; again: @ t *= 2; if (t < 600) goto again; }",
      "void f(int c) { int t; if (c) goto skip; t = 32; skip: @ }",
      "void f(int c) { int t = 64; switch (c) { case 1: t = 32; case 2: @ } }",
      "void f(int c) { int t; switch (c) { case 1: go(); t = 32; case 2: @ } }",
      "void f(int c) { int t = 64; c > 1 ? t = 128 : t = 32; @ }",
      "void f(int c) { int t; c && (t = 32); @ }",
      "void f() { int t = 64; t = 256; @ }",
      // Macros.
      "#define GET(x) x = any()\nvoid f() { int t = 64; GET(t); @ }",
      "#define SET(y) t = y\nvoid f() { int t = 64; SET(any()); @ }",
      // References.
      "#include \"util.h\"\nvoid f(int c) { int t = 64; parse(c, t); @ }",
      "void f() { int t = 64; int& r = t; r = 3; @ }",
      "void f() { int t = 64; int& r(t); r = 3; @ }",
      "void f() { int t = 64; auto&& r = t; r = 3; @ }",
      "void f() { int u = 64; const int& t = u; u = any(); @ }",
      "void f(int u) { int t = 64; std::swap(t, u); @ }",
      "void f(int u) { int t = 64; std::tie(t, u) = any(); @ }",
      "void f() { int t = 64; std::cin >> t; @ }",
      "void f() { int t = 64; read((int*)&t); @ }",
      "void f(int c, int u) { int t = 64; (c ? t : u) = 3; @ }",
      "int t = 64; int& access() { return t; } void f() { access() = 3; @ }",
      // Fields.
      "void f() { dim3 t(64); t.x <<= 1; @ }",
      "void f() { dim3 t(64); t.x %= 48; @ }",
      "void f() { dim3 t(64); ++t.x; @ }",
      "void f(int c) { dim3 t(64); unsigned& x = t.x; x = c; @ }",
      // Others by the same name.
      "const int t = 64; void f() { auto [t, u] = pick(); @ }",
      "const int t = 64; void f(int c) { int q = 1, t(c); @ }",
      "const int t = 64; void f() { std::vector<int> q, t; @ }",
      "typedef int Own; int t = 64; void f(const Own& t) { @ }",
      // A type that nobody knows.
      "void f() { Small t = 320; @ }",
  };
  for (const char* text : open) {
    const HostText host = launchedIn(folder, text);
    EXPECT_FALSE(host.isSettled("t")) << text;
    EXPECT_FALSE(host.isSettled("dim3(2 * t, 2)") && host.isSettled("t")) << text;
  }
}

TEST(HostSettled, whatIsSetOnceAndReadIs) {
  const Folder folder;
  const char* const settled[] = {
      "void f() { int t = 64; @ }",
      "void f() { const int n = 32, t = 2 * n; @ }",
      "void f() { int n = 32, t = n * 2; printf(\"\", t); @ }",
      "void f(int n) { int t = 64; int g = (n + t - 1) / t; use<<<g, t>>>(n, t); @ }",
      "void f(int n) { int t = 64; dim3 b(t), g(n / t); for (int i = 0; i < n; i += t) { @ } }",
      "void f(float* x) { int t = 64; CHECK(cudaMalloc(&x, t * sizeof(float))); cudaMemset(x, 0, t); @ }",
      "#define UP(a, b) (((a) + (b) - 1) / (b))\nvoid f(int n) { int t = 64; int g = UP(n, t); @ }",
      "int twice(int x); void f() { int t = 64; int u = twice(t); if (u > t) return; @ }",
      "void f() { int t = 64; float* x = new float[t]; std::vector<float> h(t); h.resize(t); @ }",
      "void g() { int t = 3; ++t; } void f() { int t = 64; @ }",
      "static int t = 64; void g(int t) { int u = t; } void f() { @ }",
      "const int t = 64; void f() { auto go = [&] { @ }; go(); }",
      "struct R { static const int t = 64; void go() { @ } };",
      "struct R { static constexpr int t = 64; void go() { @ } };",
      "#define N 64\nvoid f() { int t = N; @ }",
      "void f() { dim3 t(64); t.y = 2; @ }",
  };
  for (const char* text : settled) EXPECT_TRUE(launchedIn(folder, text).isSettled("t")) << text;
}

TEST(HostSettled, functionsAreReadWhereTheyStand) {
  const Folder folder;
  const auto valueOf = [&](const char* text, const char* what) {
    const auto value = launchedIn(folder, text).value(what);
    return value ? value->asWhole() : -1;
  };
  const char* const overloads = "int pick(float) { return 64; } int pick(int) { return 128; } void f() { @ }";
  EXPECT_EQ(valueOf(overloads, "pick(1)"), -1);
  EXPECT_FALSE(launchedIn(folder, overloads).isSettled("pick(1)"));
  const char* const spaces =
      "namespace A { int bs() { return 64; } } namespace B { int bs() { return 128; } } void f() { @ }";
  EXPECT_EQ(valueOf(spaces, "B::bs()"), -1);
  EXPECT_FALSE(launchedIn(folder, spaces).isSettled("B::bs()"));
  EXPECT_EQ(valueOf("const int w = 2; int bs() { return 32 * w; } void f() { int w = 4; @ }", "bs()"), 64);
  const char* const rounded =
      "int ceilTo(int n, int m) { int r = n % m; return r ? n + m - r : n; } void f() { @ }";
  EXPECT_EQ(valueOf(rounded, "ceilTo(100, 32)"), -1);
  EXPECT_FALSE(launchedIn(folder, rounded).isSettled("ceilTo(100, 32)"));
  EXPECT_EQ(valueOf("void f() { @ }", "ceilDiv(100, 32)"), 4);
}

TEST(HostSettled, numbersAreWhatTheirTypesKeep) {
  const Folder folder;
  const std::pair<const char*, int> values[] = {
      {"void f() { int t = 0100; @ }", 64},
      {"void f() { unsigned char t = 320; @ }", 64},
      {"void f() { uint8_t u = 320; int t = u; @ }", 64},
      {"void f() { short t = 65536 + 64; @ }", 64},
      {"void f() { bool z = 5; int t = z * 64; @ }", 64},
      {"void f() { int t = (unsigned char)(256 + 64); @ }", 64},
      {"void f() { int n = 129.9; int t = n / 2; @ }", 64},
  };
  for (const auto& [text, value] : values) {
    const HostText host = launchedIn(folder, text);
    ASSERT_TRUE(host.value("t")) << text;
    EXPECT_EQ(host.value("t")->asReal(), value) << text;
    EXPECT_EQ(host.extents("t")->at(0).asReal(), value) << text;
  }
}

TEST(HostSettled, macrosThatChangeHaveNoValue) {
  const Folder folder;
  const char* const text = "#define T 64\nvoid f() { @ }\n#undef T\n#define T 128\n";
  const HostText host = launchedIn(folder, text, {{"T", "128"}});
  EXPECT_FALSE(host.value("T"));
  EXPECT_FALSE(host.isSettled("T"));
  EXPECT_TRUE(launchedIn(folder, "#define T 64\nvoid f() { @ }\n", {{"T", "64"}}).isSettled("T"));
}

}  // namespace hone::device
