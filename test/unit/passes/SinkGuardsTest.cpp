// Guards that differ between threads, moved past the loops that all threads do alike.
#include "passes/guards/SinkGuards.h"

#include <gtest/gtest.h>

#include "affine/ModelOf.h"
#include "emit/Emit.h"
#include "ir/Walk.h"

namespace hone::passes {
namespace {

// The body with all its for loops opened, on one line without braces.
std::string sunk(const std::string& source, const SinkOptions& given = {}) {
  const ir::KernelPtr kernel = affine::kernelOf(source);
  SinkOptions options = given;
  if (!options.opens) options.opens = [](const ir::StmtPtr& s) { return s->is<ir::For>(); };
  const auto made = sinkGuards(*kernel, options);
  if (!made) return "refused: " + made.refusal().reason;
  ir::Kernel copy = *kernel;
  copy.body = *made;
  std::string text = emit::emitBody(copy, {}).text, line;
  std::erase_if(text, [](char c) { return c == '{' || c == '}'; });
  for (char c : text)
    if (c != '\n' && (c != ' ' || (!line.empty() && line.back() != ' ')))
      line += c;
    else if (c == '\n' && !line.empty() && line.back() != ' ')
      line += ' ';
  return line;
}

std::string kernel(const std::string& body) {
  return "__global__ void k(const float* a, float* c, int w, int h) {\n int x = blockIdx.x * 16 + "
         "threadIdx.x, y = threadIdx.y;\n" +
         body + "\n}\n";
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

TEST(SinkGuards, LoopStandsOutside) {
  const std::string text =
      sunk(kernel("if (x < w && y < h) { float s = 0; for (int i = 0; i < w; ++i) s += a[y * w + i]; c[y * w "
                  "+ x] = s; }"));
  EXPECT_TRUE(
      has(text,
          "const bool inside = x < w && y < h; float s = 0; for (int i = 0; i < w; ++i) if (inside) s += "
          "a[y * w + i]; if (inside) c[y * w + x] = s;"))
      << text;
}

TEST(SinkGuards, ShortConditionIsRepeated) {
  const std::string text =
      sunk(kernel("if (x < w) { float s = 0; for (int i = 0; i < w; ++i) s += a[i]; c[x] = s; }"));
  EXPECT_FALSE(has(text, "inside")) << text;
  EXPECT_TRUE(has(text, "if (x < w) s += a[i];")) << text;
}

TEST(SinkGuards, ArithmeticOfTheThreadsOwnIsUnguarded) {
  const std::string text =
      sunk(kernel("if (x < w) { float s = 0; for (int i = 0; i < w; ++i) { s = s * 2 + i; } c[x] = s; }"));
  EXPECT_TRUE(has(text, "s = s * 2 + i; if (x < w) c[x] = s;")) << text;
}

// What is looked at after the guard, or in a later iteration of a loop around it, keeps its guard.
TEST(SinkGuards, WhatIsUsedElsewhereKeepsItsGuard) {
  std::string text =
      sunk(kernel("float s = 1; if (x < w) { for (int i = 0; i < w; ++i) s += i; } c[x] = s;"));
  EXPECT_TRUE(has(text, "if (x < w) s += i;")) << text;
  text =
      sunk(kernel("float s = 1; for (int j = 0; j < h; ++j) { if (x + j < w) { for (int i = 0; i < w; ++i) s "
                  "+= i; c[x] = s; } }"));
  EXPECT_TRUE(has(text, "const bool inside = x + j < w; for (int i = 0; i < w; ++i) if (inside) s += i;"))
      << text;
  text = sunk(
      kernel("float s = 1; if (x < w) { for (int i = 0; i < w; ++i) s += i; c[x] = s; } else { c[0] = s; }"));
  EXPECT_TRUE(has(text, "if (x < w) s += i;")) << text;
  EXPECT_TRUE(has(text, "if (x >= w) c[0] = s;")) << text;
}

TEST(SinkGuards, DivisionAndValuesThatAreNotSetKeepTheirGuard) {
  std::string text = sunk(
      kernel("if (x < w) { int s = 0; for (int i = 0; i < w; ++i) { s += 7 / y; s += i / 3; } c[x] = s; }"));
  EXPECT_TRUE(has(text, "if (x < w) s += 7 / y; s += i / 3;")) << text;
  text = sunk(kernel(
      "if (x < w) { const float v = a[x]; float s = 0; for (int i = 0; i < w; ++i) { s += v; } c[x] = s; }"));
  EXPECT_TRUE(has(text, "float v;")) << text;
  EXPECT_TRUE(has(text, "if (x < w) v = a[x];")) << text;
  EXPECT_TRUE(has(text, "if (x < w) s += v;")) << text;
}

// `s /= y` traps as `s / y` does.
TEST(SinkGuards, DivisionInPlaceKeepsItsGuard) {
  const std::string text =
      sunk(kernel("if (x < w) { int s = 9; for (int i = 0; i < w; ++i) { s /= y; s %= 7; } c[x] = s; }"));
  EXPECT_TRUE(has(text, "if (x < w) s /= y; s %= 7;")) << text;
}

// Threads outside the guard may call what ends and traps nowhere.
TEST(SinkGuards, Functions) {
  auto calling = [](const std::string& function) {
    return sunk("__device__ int f(int v) { " + function + " }\n" +
                kernel("if (x < w) { int s = 0; for (int i = 0; i < w; ++i) { s += f(y); } c[x] = s; }"));
  };
  const std::string free = "for (int i = 0; i < w; ++i) s += f(y);", under = "if (x < w) s += f(y);";
  for (const char* body : {"return v * 3;", "int s = 1; for (int j = 0; j < v; ++j) s += j; return s;"})
    EXPECT_TRUE(has(calling(body), free)) << calling(body);
  for (const char* body : {"int s = 0; while (v != 1) { v /= 2; ++s; } return s;", "return 7 / v;",
                           "int s = 7; s %= v; return s;"})
    EXPECT_TRUE(has(calling(body), under)) << calling(body);
}

TEST(SinkGuards, NestedGuards) {
  const std::string text =
      sunk(kernel("if (x < w) { float s = 0; if (y < h) { for (int i = 0; i < w; ++i) s += a[i]; c[y] = s; } "
                  "else { c[x] = 2; } }"));
  EXPECT_TRUE(has(text, "const bool inside = x < w && y < h;")) << text;
  EXPECT_TRUE(has(text, "if (inside) s += a[i];")) << text;
  EXPECT_TRUE(has(text, "if (x < w && y >= h) c[x] = 2;")) << text;
}

TEST(SinkGuards, BarriersAreForAll) {
  SinkOptions options;
  options.opens = [](const ir::StmtPtr&) { return false; };
  const std::string text = sunk(kernel("if (x < w) { c[x] = 1; __syncthreads(); c[x] += a[x]; }"), options);
  EXPECT_TRUE(has(text, "if (x < w) c[x] = 1; __syncthreads(); if (x < w) c[x] += a[x];")) << text;
}

// Threads outside the condition have the value from before it: they would begin and end the loop apart from
// the others.
TEST(SinkGuards, LoopsDoNotCountByWhatStandsUnderTheGuard) {
  const std::string stale =
      "refused: the loop counts by what only threads inside the condition around it have worked out";
  EXPECT_EQ(sunk(kernel("int n = 0; if (x < w) { while (c[n] > 0) n += 4; for (int i = n; i < w; ++i) "
                        "c[i] = 0; }")),
            stale);
  EXPECT_EQ(sunk(kernel("int n = 3; if (x < w) { for (int i = 0; i < n; ++i) { c[i] = 0; while (c[n] > 0) "
                        "--n; } }")),
            stale);
  EXPECT_EQ(sunk(kernel("int n = 3; if (x < w) { for (int j = 0; j < w; ++j) { for (int i = 0; i < n; ++i) "
                        "c[i] = 0; while (c[n] > 0) --n; } }")),
            stale);
  EXPECT_FALSE(has(sunk(kernel("int n = 3; if (x < w) { while (c[n] > 0) --n; c[x] = n; for (int i = 0; i < "
                               "w; ++i) c[i] = 0; }")),
                   "refused"));
}

TEST(SinkGuards, Refusals) {
  EXPECT_EQ(sunk(kernel("if (x < w) { int n = int(a[x]); for (int i = 0; i < n; ++i) c[i] = 0; }")),
            "refused: the bound of the loop is not known to threads outside the condition around it");
  EXPECT_EQ(sunk(kernel("if (x < w) { int n = int(a[x]); for (int i = n; i < w; ++i) c[i] = 0; }")),
            "refused: the start of the loop is not known to threads outside the condition around it");
  EXPECT_EQ(sunk(kernel("if (x < w) { for (int i = 0; i < w; ++i) { if (a[i] > 0) break; c[i] = 0; } }")),
            "refused: the loop may end early");
  EXPECT_EQ(sunk(kernel("if (x < w) { for (int i = 0; i < w; ++i) { if (a[i] > 0) continue; __syncthreads(); "
                        "c[i] = 0; } }")),
            "refused: a continue stands in the way");
  EXPECT_EQ(sunk(kernel("if (x < w) { while (y < h) { for (int i = 0; i < w; ++i) c[i] = 0; ++y; } }")),
            "refused: it stands in a while loop or a switch under such a condition");
  EXPECT_EQ(sunk(kernel("switch (x) { case 1: for (int i = 0; i < w; ++i) c[i] = 0; }")),
            "refused: a switch stands around it");
  EXPECT_EQ(sunk(kernel("if (x < w) { if (y > 3) return; for (int i = 0; i < w; ++i) c[i] = 0; }")),
            "refused: a return stands in the way");
  EXPECT_EQ(
      sunk(kernel("if (x < w) { float v[2] = {a[x], a[y]}; for (int i = 0; i < w; ++i) c[i] = v[i & 1]; }")),
      "refused: `v` cannot be declared before it has its value");
}

}  // namespace
}  // namespace hone::passes
