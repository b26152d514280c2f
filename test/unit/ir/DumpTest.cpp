#include "ir/ShortIr.h"

namespace hone::ir::test {

TEST(Dump, wholeKernel) {
  VarPtr a = param("a", pointerType(f32(), Space::Global, true)), n = param("n");
  VarPtr tile = shared("tile", arrayType(arrayType(f32(), 17), 16)), i = local("i"), s = local("s", f32());
  auto k = std::make_shared<Kernel>(*kernel(
      {a, n},
      {
          declare(tile),
          declare(i, convert(globalId(), int32())),
          ifThen(binary(BinaryOp::Ge, ref(i), ref(n)), {ret()}),
          assign(subscript(ref(tile), {lit(1), ref(i)}), at(a, ref(i))),
          makeStmt(Barrier{}),
          declare(s, floatLit(0)),
          forLoop({assign(ref(i), lit(0))}, lt(ref(i), makeExpr(int32(), IntLiteral{16, "16", "TILE"})),
                  {makeStmt(Assign{ref(i), BinaryOp::Add, lit(1), true})},
                  {update(ref(s), BinaryOp::Add, floatLit(0.1))}),
          makeStmt(Printf{"%f\n", {ref(s)}}),
          makeStmt(Switch{ref(n), {{{lit(1), lit(2)}, false, {breakOut()}}, {{}, true, {ret()}}}}),
      }));
  k->launchBounds = LaunchBounds{256, 2, 0};
  EXPECT_EQ(dump(*k),
            "kernel k(a: ptr<global const f32>, n: i32) launch_bounds(256, 2, 0)\n"
            "  decl tile: shared arr<16 x arr<17 x f32>>\n"
            "  decl i: i32 = i32(((blockIdx.x * blockDim.x) + threadIdx.x))\n"
            "  if (i >= n)\n"
            "    return\n"
            "  tile[1, i] = a[i]\n"
            "  barrier block\n"
            "  decl s: f32 = 0:f32\n"
            "  for (i = 0; (i < 16[TILE]); i += 1 [++])\n"
            "    s += 0.1:f32\n"
            "  printf \"%f\\n\", s\n"
            "  switch n\n"
            "    case 1, 2\n"
            "      break\n"
            "    default\n"
            "      return\n");
}

TEST(Dump, variablesOfOneNameAreTold) {
  VarPtr outer = local("x"), inner = local("x");
  StmtPtr s =
      block({declare(outer, lit(1)), block({declare(inner, ref(outer)), assign(ref(outer), ref(inner))})});
  EXPECT_EQ(dump(s), "block\n  decl x: i32 = 1\n  block\n    decl x'2: i32 = x\n    x = x'2\n");
}

TEST(Dump, plan) {
  VarPtr n = param("n");
  auto plan = std::make_shared<Plan>(*originalPlan(kernel({n}, {}, "sum")));
  VarPtr buffer = local("partial", ptr(f32()));
  plan->steps.insert(plan->steps.begin(), BufferStep{buffer, ref(n)});
  EXPECT_EQ(dump(*plan),
            "plan of sum\n"
            "  buffer partial: ptr<global f32> count n\n"
            "  launch sum grid(gridDim.x, gridDim.y, gridDim.z) block(blockDim.x, blockDim.y, blockDim.z) "
            "args(n)\n");
}

}  // namespace hone::ir::test
