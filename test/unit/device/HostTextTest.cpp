#include "device/HostText.h"

#include <algorithm>

#include "Source.h"

namespace hone::device {

namespace {

const char* const program = R"(
#include "sizes.h"
#define N 1000  // how many
#define DIV_UP(a, b) (((a) + (b) - 1) / (b))
inline int blocksFor(int n, int per) { return n / per + (n % per != 0); }
int main(int argc, char** argv) {
  int m = 64;
  if (argc > 1) m = atoi(argv[1]);
  const unsigned threads = 4 * 16; /* int threads = 3; */
  dim3 block(16, 8), grid;
  grid.x = DIV_UP(N, block.x);
  grid.y = blocksFor(m, block.y);
  dim3 other = dim3(N / threads);
  int size = parse(argv);
  params.blockDim = dim3(threads, 1, 1);
  k<<<grid, block, threads * sizeof(float)>>>(x, N, m, size);
  int m = 7;
}
)";

std::array<int64_t, 3> whole(const std::optional<std::array<Number, 3>>& e) {
  EXPECT_TRUE(e);
  if (!e) return {};
  return {(*e)[0].asWhole(), (*e)[1].asWhole(), (*e)[2].asWhole()};
}

}  // namespace

TEST(HostText, readsValuesOffTheText) {
  Folder folder;
  folder.write("sizes.h", "constexpr int depth = 1 << 4;\n");
  HostText host(folder.write("main.cu", program), 16);
  EXPECT_EQ(host.value("N")->whole, 1000);
  EXPECT_EQ(host.value("m")->whole,
            64);  // atoi has no value, the one before has; what follows does not count
  EXPECT_EQ(host.value("threads * sizeof(float)")->whole, 256);
  EXPECT_EQ(host.value("depth")->whole, 16);
  EXPECT_FALSE(host.value("size"));
  EXPECT_EQ(whole(host.extents("block")), (std::array<int64_t, 3>{16, 8, 1}));
  EXPECT_EQ(whole(host.extents("grid")), (std::array<int64_t, 3>{63, 8, 1}));
  EXPECT_EQ(whole(host.extents("threads")), (std::array<int64_t, 3>{64, 1, 1}));
  EXPECT_EQ(whole(host.extents("other")), (std::array<int64_t, 3>{15, 1, 1}));
  EXPECT_EQ(whole(host.extents("dim3(2, 3, 4)")), (std::array<int64_t, 3>{2, 3, 4}));
  host.overrides["m"] = wholeNumber(17);
  EXPECT_EQ(whole(host.extents("grid")), (std::array<int64_t, 3>{63, 3, 1}));
}

// A dim3 begins as 1 x 1 x 1, which is not what it has where a field is set to what nobody knows.
// A dim3 that is initialized by an expression declares nothing of what the expression names.
TEST(HostText, valuesOfDim3DeclareNothing) {
  Folder folder;
  HostText host(folder.write("main.cu", R"(
    void f() {
      const int n = 1000, threads = 256;
      dim3 blocks = (n + threads - 1) / threads;
      dim3 one = blocks, two(threads), three;
      k<<<blocks, two>>>(n);
    })"),
                6);
  EXPECT_EQ(whole(host.extents("blocks")), (std::array<int64_t, 3>{4, 1, 1}));
  EXPECT_EQ(whole(host.extents("two")), (std::array<int64_t, 3>{256, 1, 1}));
  EXPECT_EQ(whole(host.extents("three")), (std::array<int64_t, 3>{1, 1, 1}));
}

TEST(HostText, fieldsThatAreNotKnownLeaveNoExtents) {
  Folder folder;
  const HostText host(folder.write("main.cu", R"(
int main(int argc, char** argv) {
  int count = parse(argv);
  dim3 grid;
  grid.x = count;
  grid.y = 1;
  k<<<grid, 64>>>();
}
)"),
                      7);
  EXPECT_FALSE(host.extents("grid"));
}

// A value in the source is not the only one that a launch can have.
TEST(HostText, knowsWhatIsSettled) {
  Folder folder;
  folder.write("sizes.h",
               "namespace sizes { constexpr int depth = 16; }\nstatic int table() { int inner = 3; }\n");
  const std::string path = folder.write("main.cu", R"(
#include "sizes.h"
#define N 1000
static void elsewhere() { int w = 48; int twice = 2 * w; }
int main(int argc, char** argv) {
  int m = 64;
  if (argc > 1) m = atoi(argv[1]);
  const int width = N * depth, half = width / 2;
  int read = 5, step = 16;
  scanf("%d", &read);
  for (int n = 4096; n >= 16; n /= 2) {
    k<<<4, 64>>>(x);
    step++;
  }
  int later = 7;
}
)");
  const HostText host(path, 12);
  for (const char* settled : {"N", "width", "half + depth", "N * 4", "(size_t)width", "128"})
    EXPECT_TRUE(host.isSettled(settled)) << settled;
  for (const char* open : {"m", "w", "twice", "n", "read", "step", "later", "inner", "unknown", "N + m"})
    EXPECT_FALSE(host.isSettled(open)) << open;
}

// The text of a function whose launch stands where `@` does.
HostText before(const Folder& folder, std::string text) {
  const size_t at = text.find('@');
  text.replace(at, 1, "\nk<<<1, 1>>>();");
  const auto line = static_cast<unsigned>(std::count(text.begin(), text.begin() + long(at), '\n') + 2);
  return {folder.write("main.cu", text), line};
}

int64_t at(HostText host, HostText::Turn turn, const std::string& expression) {
  host.turn = turn;
  const auto value = host.value(expression);
  return value ? value->asWhole() : -1;
}

TEST(HostText, whatABranchSetsIsOneValueAmongOthers) {
  Folder folder;
  const char* const open[] = {
      "void f(int n) { int t = 256; if (n < 1024) t = 64; @ }",
      "void f(int n) { int t = 256; if (n < 1024) { t = 64; } @ }",
      "void f(int n) { int t(256); if (n < 1024) t = 64; @ }",
      "void f(int n) { int t = 256;\n#ifdef SMALL\n t = 64;\n#endif\n @ }",
      "void f(int n) { int t = 256; for (int i = 0; i < n; ++i) t = 64; @ }",
      "void f(int n) { int t = 256; while (t > n) { t /= 2; } @ }",
      "void f(int n) { int t = 256; read(&t); @ }",
      "void f(int t = 256) { @ }",
      "int t = 256; void f(int t) { @ }",
      "int t = 256; void g() { t = 64; } void f() { @ }",
      "int t = 256; void f() { @ } void g() { t = 64; }",
      "void g() { int t = 256; } void f(int t) { @ }",
      "void f(int t) { @ } int main() { int t = 256; f(t); }",
      "void f() { int t = 256; while (go()) { @ t = 64; } }",
      "void f() { int t = 256; do { @ t = 64; } while (go()); }",
      "void f() { int t = 256; for (int s : sizes) { @ t = s; } }",
      "int any(); void f() { int t = 256; t = any(); @ }",
  };
  for (const char* text : open) {
    const HostText host = before(folder, text);
    EXPECT_FALSE(host.isSettled("t")) << text;
    EXPECT_FALSE(host.isSettled("dim3(t, 2)")) << text;
  }
  const char* const settled[] = {
      "void f() { int t; t = 256; @ }",
      "void f() { { int t = 3; } int t = 256; @ }",
      "void f() { while (go()) { int t; t = 256; @ } }",
      "void g(int t) { } const int t = 256; void f() { for (int i = 0; i < 3; ++i) { @ } }",
      "void f() { int t; if (x) { t = 256; @ } }",
      "void f() { const int n = 128; int t = 2 * n; @ }",
      "void f() { int t(256); @ }",
      "#if X\n#include <a>\n#endif\nint t = 256; void f() { @ }",
  };
  for (const char* text : settled) {
    const HostText host = before(folder, text);
    EXPECT_TRUE(host.isSettled("t")) << text;
    EXPECT_EQ(at(host, HostText::Turn::First, "t"), 256) << text;
  }
}

TEST(HostText, guessesByWhatIsSetUnderNoCondition) {
  Folder folder;
  using enum HostText::Turn;
  EXPECT_EQ(at(before(folder, "void f(int n) { int t = 256; if (n < 9) t = 64; @ }"), First, "t"), 256);
  EXPECT_EQ(at(before(folder, "void f(int n) { int t = 0; if (n < 9) t = 64; else t = 32; @ }"), First, "t"),
            32);
  EXPECT_EQ(at(before(folder, "void f(int n) { int t = -1; if (n < 9) { t = 64; } @ }"), First, "t"), 64);
  // A product over a loop is not its first factor.
  for (const char* text : {"void f() { int n = 1; for (int i = 0; i < 3; ++i) n = n * shape[i]; @ }",
                           "void f() { int n = 1; for (int i = 0; i < 3; ++i) n *= shape[i]; @ }",
                           "void f() { int n = 1, i = 0; while (i < 3) n *= shape[i++]; @ }"})
    EXPECT_FALSE(before(folder, text).value("n")) << text;
}

TEST(HostText, extentsAreSettledOrNot) {
  Folder folder;
  const HostText host = before(folder, R"(
void f(int n) {
  dim3 block(16, 16), grid;
  grid.x = 4;
  dim3 other(32);
  if (n < 16) other = dim3(8);
  dim3 wide(8, 8);
  if (n > 64) wide.x = 64;
  dim3 again(1);
  again = dim3(block.x * 2, 2);
  @
})");
  for (const char* settled : {"block", "grid", "dim3(block.x)", "block.x * 4", "{8, 8}"})
    EXPECT_TRUE(host.isSettled(settled)) << settled;
  for (const char* open : {"other", "wide", "again", "dim3(wide.x)", "dim3(n)"})
    EXPECT_FALSE(host.isSettled(open)) << open;
  EXPECT_EQ(whole(host.extents("again")), (std::array<int64_t, 3>{32, 2, 1}));
  EXPECT_EQ(whole(host.extents("grid")), (std::array<int64_t, 3>{4, 1, 1}));
  EXPECT_EQ(whole(host.extents("other")), (std::array<int64_t, 3>{32, 1, 1}));
}

TEST(HostText, loopsAroundTheLaunchHaveTurns) {
  Folder folder;
  using enum HostText::Turn;
  const auto three = [&](const char* text, const char* what = "t") {
    const HostText host = before(folder, text);
    return std::array{at(host, First, what), at(host, Middle, what), at(host, Last, what)};
  };
  using Three = std::array<int64_t, 3>;
  EXPECT_EQ(three("void f() { int n = 64; for (int t = 0; t < n - 1; t++) { @ } }"), (Three{0, 31, 62}));
  EXPECT_EQ(three("void f() { int n = 64; for (int t = 0; t < n; t += 16) @ }", "n - t"),
            (Three{64, 32, 16}));
  EXPECT_EQ(three("void f() { int n = 64, t; for (t = n / 2; t > 0; t >>= 1) { @ } }"), (Three{32, 4, 1}));
  EXPECT_EQ(three("void f() { int n = 64; int t = 1; while (t < n) { @ t *= 2; } }"), (Three{1, 8, 32}));
  EXPECT_EQ(three("void f() { int n = 64; int t = 1; do { @ t = t * 2; } while (n >= t); }"),
            (Three{1, 8, 64}));
  EXPECT_EQ(three("void f() { for (int k = 2; k <= 64; k *= 2) for (int t = k / 2; t > 0; t /= 2) { @ } }"),
            (Three{1, 2, 1}));
  EXPECT_EQ(three("void f() { int n = 64; for (int i = 0; i < n; ++i) { int t = i * 4; @ } }"),
            (Three{0, 128, 252}));
  // What is not counted by a loop around the launch stays.
  EXPECT_EQ(three("void f() { int t = 5; for (int i = 0; i < 9; ++i) { @ } }"), (Three{5, 5, 5}));
  EXPECT_EQ(three("void f() { int t; for (t = 5; t < 9; ++t) { } @ }"), (Three{-1, -1, -1}));
}

TEST(HostText, looksFromTheLaunchWithinItsLine) {
  Folder folder;
  const std::string line = "void f() { for (int t = 3; t < 9; ++t) k<<<1, 1>>>(t); }\n";
  HostText host(folder.write("main.cu", line), 1, {}, unsigned(line.find("k<<<") + 1));
  EXPECT_EQ(at(host, HostText::Turn::First, "t"), 3);
  EXPECT_EQ(at(host, HostText::Turn::Last, "t"), 8);
  EXPECT_EQ(
      at(before(folder, "void f() { int i = 7; for (i = 0; i < 9; ++i) { @ } }"), HostText::Turn::First, "i"),
      0);
}

TEST(HostText, goesRoundNoCircle) {
  Folder folder;
  HostText host(folder.write("main.cu", "int a = b; int b = a; #define F(x) F(x)\n\n"), 3);
  EXPECT_FALSE(host.value("a + 1"));
  EXPECT_FALSE(host.value("F(1)"));
  EXPECT_FALSE(HostText(folder.of("missing.cu"), 1).value("a"));
}

}  // namespace hone::device
