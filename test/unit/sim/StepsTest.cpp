// Steps that do several instructions against the same instructions one by one, and that there are such steps.
#include "sim/RunKernel.h"
#include "sim/bytecode/Steps.h"

namespace hone::sim::testing {
namespace {

struct Ran {
  std::vector<unsigned> out;
  uint64_t instructions = 0;
  std::string report;
  bool operator==(const Ran&) const = default;
};

enum class Way { Fused, OneByOne, ShortTurns };

Ran runOf(const std::string& text, Way way) {
  constexpr unsigned threads = 3 * 80;  // of which the last warp of a block has 16
  RunKernel k(text, "k");
  std::vector<unsigned> in(threads);
  for (unsigned i = 0; i < threads; ++i) in[i] = i * 2654435761u ^ i << 3;
  const uint64_t a = k.array(in, "a"), out = k.array(std::vector<unsigned>(threads), "out");
  k.args(a, out, int(threads));
  std::vector<uint8_t> executed;
  if (way == Way::OneByOne) k.options.executed = &executed;
  if (way == Way::ShortTurns) k.options.schedule = {.random = true, .seed = 7};
  k.run(3, 80);
  EXPECT_TRUE(k.result.completed) << k.report();
  return {k.read<unsigned>(out, threads), k.result.warpInstructions, k.report()};
}

size_t stepsOfSeveral(const std::string& text) {
  const Program program = compile(*importText(text, "k"));
  size_t count = 0;
  for (const Step& s : stepsOf(program)->all) count += s.covers > 1;
  return count;
}

std::string kernel(const std::string& body) {
  return "__global__ void k(const unsigned* a, unsigned* out, int n) {"
         "  int i = blockIdx.x * blockDim.x + threadIdx.x; unsigned x = a[i], y = a[n - 1 - i], r = 0;" +
         body + "out[i] = r; }";
}

void expectSame(const std::string& body, size_t leastFused) {
  const std::string text = kernel(body);
  EXPECT_GE(stepsOfSeveral(text), leastFused) << body;
  const Ran fused = runOf(text, Way::Fused);
  EXPECT_EQ(fused, runOf(text, Way::OneByOne)) << body;
  EXPECT_EQ(fused, runOf(text, Way::ShortTurns)) << body;
}

TEST(Steps, PairsOfIntegers) {
  const char* first[] = {"x + y",   "x - y",    "x * y",    "(x & y)", "(x | y)",
                         "(x ^ y)", "(x << 5)", "(x >> 7)", "~x"};
  const char* second[] = {"(F) + i", "(F) - i", "i - (F)",  "(F) * i",  "(F) & 255",
                          "(F) | i", "(F) ^ i", "(F) << 3", "(F) >> 9", "(F) + (F)"};
  for (const char* type : {"unsigned", "unsigned long long", "int"}) {
    std::string body;
    for (std::string f : first)
      for (std::string s : second) {
        while (s.find('F') != std::string::npos) s.replace(s.find('F'), 1, f);
        body += "{ " + std::string(type) + " p = x, q = y; { auto x = p; auto y = q; p = " + s +
                "; } r = r * 31 + unsigned(p >> 2); }\n";
      }
    expectSame(body, 30);
  }
}

TEST(Steps, PairsOfFloats) {
  for (const char* type : {"float", "double"}) {
    std::string body = std::string(type) + " p = x * 0.001f, q = y * 0.5f, s = 1;";
    for (const char* f : {"p + q", "p - q", "p * q"})
      for (const char* g : {"+ s", "- s", "* s"})
        body += "s = ((" + std::string(f) + ") " + g + ") * 0.001f; s = s - (" + f + ");";
    expectSame(body + "r = unsigned(int(s));", 8);
  }
}

TEST(Steps, RotationsAndShifts) {
  expectSame(
      "r = (x << 7 | x >> 25) ^ (y >> 11 | y << 21); r += (r << 3) + (r >> 29); x = x << 9 | y >> 23;"
      "r ^= x << 8 | x >> 25; r += unsigned(int(y) >> 3) >> (x & 40); r = r << 31 | r >> 1;",
      3);
}

TEST(Steps, ValuesThatAreUsedAgainStay) {
  expectSame("unsigned t = x + y; r = t * 3; r ^= t; unsigned u = x ^ y; r += u; if (r & 1) r -= u; r += t;",
             0);
}

TEST(Steps, BranchesAndLoops) {
  expectSame(
      "for (int k = 0; k < 40; ++k) {"
      "  if ((x >> (k & 31)) & 1) { if (k == 7) continue; r += k; } else if (y < x) r ^= y; else r += 3;"
      "  float f = r; if (f < 1000.0f) r += 2; if (f >= 1e6f) break; x = x * 1664525u + 1013904223u;"
      "}"
      "while (r > 1000u && r != y) { r /= 2; if (r & 4) continue; r -= 1; }"
      "int m = x & 15; do { r += m; } while (--m > 0);",
      6);
}

TEST(Steps, LocalArraysOfSomeLanes) {
  expectSame(
      "for (int t = 0; t < 3; ++t) {"
      "  unsigned m[6]; double d[3]; unsigned char c[5];"
      "  if (x & 1) { for (int k = 0; k < 6; ++k) m[k] = x >> k; d[1] = y; c[3] = 7; r += c[3]; }"
      "  else { for (int k = 5; k >= 0; --k) m[k] = y + k; d[1] = x * 0.5; }"
      "  if (y & 2) m[x & 3] += 5;"
      "  for (int k = 0; k < 6; ++k) r = r * 7 + m[k]; r += unsigned(d[1] * 0.25); x += r;"
      "}",
      0);
}

TEST(Steps, LanesThatReadLocalArraysUnsetAreToldAll) {
  const std::string body = "unsigned m[4]; int at = 2 + (x & 0); if (i & 1) m[at] = 3; if (i % 3) r = m[at];";
  const Ran ran = runOf(kernel(body), Way::Fused);
  EXPECT_NE(ran.report.find("read before the thread wrote it"), std::string::npos) << ran.report;
  EXPECT_EQ(ran.report, runOf(kernel(body), Way::OneByOne).report);
}

TEST(Steps, DivisionIsExact) {
  const std::vector<unsigned> values = {
      0,          1,          2,          3,          7,     10,    0x7fffffff, 0x80000000,
      0x80000001, 0xfffffffe, 0xffffffff, 0xfffffffd, 65535, 65536, 65537,      0x55555555};
  const unsigned n = unsigned(values.size());
  RunKernel k(
      "__global__ void k(const unsigned* a, unsigned* out, int n) { int i = threadIdx.x; unsigned x = "
      "a[blockIdx.x],"
      "  y = a[i]; unsigned* o = out + (blockIdx.x * n + i) * 4; if (y == 0) return; o[0] = x / y; o[1] = x "
      "% y;"
      "  o[2] = int(x) / int(y); o[3] = int(x) % int(y); }",
      "k");
  const uint64_t a = k.array(values, "a"), out = k.array(std::vector<unsigned>(n * n * 4), "out");
  k.args(a, out, int(n));
  k.run(n, n);
  EXPECT_EQ(k.report(), "");
  const std::vector<unsigned> got = k.read<unsigned>(out, n * n * 4);
  for (unsigned p = 0; p < n; ++p)
    for (unsigned q = 1; q < n; ++q) {
      const unsigned x = values[p], y = values[q], *o = &got[(p * n + q) * 4];
      const int64_t sx = int32_t(x), sy = int32_t(y);
      EXPECT_EQ(o[0], x / y) << x << " " << y;
      EXPECT_EQ(o[1], x % y) << x << " " << y;
      EXPECT_EQ(o[2], unsigned(sx / sy)) << sx << " " << sy;
      EXPECT_EQ(o[3], unsigned(sx % sy)) << sx << " " << sy;
    }
}

}  // namespace
}  // namespace hone::sim::testing
