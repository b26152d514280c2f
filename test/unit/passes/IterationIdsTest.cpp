// Sums of ids and of the number of an iteration that are digits of one id.
#include "passes/spread/IterationIds.h"

#include <gtest/gtest.h>

#include "affine/ModelOf.h"
#include "emit/Emit.h"
#include "ir/Handles.h"
#include "passes/edit/Names.h"

namespace hone::passes {
namespace {

using namespace ir;

// What `c[…]` becomes in a loop over q from 0 on, of a kernel in which id is the flat id.
std::string subscriptOf(const std::string& subscript, const IterationPlace& place,
                        const std::string& before = "") {
  const KernelPtr kernel = affine::kernelOf(
      "__global__ void k(float* c, int w) {\n"
      "  int id = blockIdx.x * 16 + threadIdx.x;\n  " +
      before + "\n  for (int q = 0; q < 8; ++q) c[" + subscript + "] = 1;\n}\n");
  const auto* loop = as<For>(handles(*kernel).loops.front().loop);
  const Counted count = *counted(*loop);
  IterationIds ids(*kernel, {count.var.get(), count.begin, 1}, place);
  auto next = std::make_shared<Variable>();
  next->name = "t";
  next->type = int32();
  if (place.digit == IterationDigit::Last) ids.id = next;
  Kernel copy = *kernel;
  copy.body = ids.rewritten(loop->body);
  const std::string text = emit::emitBody(copy, {}).text;
  const size_t from = text.find("c[");
  return text.substr(from + 2, text.rfind("] =") - from - 2);
}

const IterationPlace last{0, IterationDigit::Last, 8, 16};
const IterationPlace middle{0, IterationDigit::Middle, 8, 16};

TEST(IterationIds, LastDigit) {
  EXPECT_EQ(subscriptOf("id * 8 + q", last), "t");
  EXPECT_EQ(subscriptOf("q + 8 * id", last), "t");
  EXPECT_EQ(subscriptOf("(id << 3) + q + w", last), "t + w");
  EXPECT_EQ(subscriptOf("2 * (id * 8 + q)", last), "2 * t");
  EXPECT_EQ(subscriptOf("w - (id * 8 + q)", last), "w - t");
  EXPECT_EQ(subscriptOf("(id * 8 + q) * w", last), "t * w");
}

TEST(IterationIds, ByVariables) {
  EXPECT_EQ(subscriptOf("base + q", last, "int base = 128 * blockIdx.x + 8 * threadIdx.x;"), "t");
  EXPECT_EQ(subscriptOf("row * w + base + q", last, "int base = id * 8, row = w / 2;"), "t + row * w");
}

// Digits of another order, or that leave gaps, are no new id.
TEST(IterationIds, OtherSums) {
  EXPECT_EQ(subscriptOf("id * 4 + q", last).find('q') != std::string::npos, true);
  EXPECT_EQ(subscriptOf("id * 9 + q", last).find('q') != std::string::npos, true);
  EXPECT_EQ(subscriptOf("q * w + id", last), "q * w + id");
  EXPECT_EQ(subscriptOf("id * 8 + 2 * q", last).find('q') != std::string::npos, true);
  EXPECT_EQ(subscriptOf("id * 8 + (q & 3)", last).find('q') != std::string::npos, true);
}

TEST(IterationIds, MiddleDigit) {
  EXPECT_EQ(subscriptOf("(blockIdx.x * 8 + q) * 16 + threadIdx.x", middle),
            "blockIdx.x * blockDim.x + threadIdx.x");
  // The blocks that there were.
  EXPECT_EQ(subscriptOf("blockIdx.x * w + q", middle), "blockIdx.x / 8u * w + q");
}

}  // namespace
}  // namespace hone::passes
