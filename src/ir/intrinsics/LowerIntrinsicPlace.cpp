// Rules for the thread's place: linear ids, and ranks in the groups that every launch has.
#include "ir/intrinsics/LowerIntrinsicRules.h"

namespace hone::ir {
namespace {

using enum BinaryOp;

ExprPtr at(Lowering& l, CoordKind kind, unsigned axis) {
  // The type each language gives its coordinates.
  return coord(kind, axis, l.language == Language::Cuda ? uint32() : uint64(), l.loc);
}

// (z * height + y) * width + x
ExprPtr linear(Lowering& l, CoordKind index, CoordKind extent, const TypePtr& type) {
  ExprPtr out = l.cast(at(l, index, 2), type);
  for (unsigned axis : {1u, 0u}) {
    out = l.op(Mul, out, l.cast(at(l, extent, axis), type));
    out = l.op(Add, out, l.cast(at(l, index, axis), type));
  }
  return out;
}

ExprPtr volume(Lowering& l, CoordKind extent, const TypePtr& type) {
  ExprPtr plane = l.op(Mul, l.cast(at(l, extent, 0), type), l.cast(at(l, extent, 1), type));
  return l.op(Mul, plane, l.cast(at(l, extent, 2), type));
}

// A global id counts from its offset, which CUDA has not.
ExprPtr globalLinear(Lowering& l) {
  auto id = [&](unsigned axis) {
    ExprPtr block = l.op(Mul, l.cast(at(l, CoordKind::BlockIdx, axis), uint64()),
                         l.cast(at(l, CoordKind::BlockDim, axis), uint64()));
    return l.op(Add, block, l.cast(at(l, CoordKind::ThreadIdx, axis), uint64()));
  };
  auto size = [&](unsigned axis) {
    return l.op(Mul, l.cast(at(l, CoordKind::GridDim, axis), uint64()),
                l.cast(at(l, CoordKind::BlockDim, axis), uint64()));
  };
  return l.op(Add, l.op(Mul, l.op(Add, l.op(Mul, id(2), size(1)), id(1)), size(0)), id(0));
}

bool isBlock(const Lowering& l) { return l.argType(0)->spelling == "cooperative_groups::thread_block"; }
bool isGrid(const Lowering& l) { return l.argType(0)->spelling == "cooperative_groups::grid_group"; }

ExprPtr threadRank(Lowering& l) {
  if (l.argCount() != 1) return nullptr;
  ExprPtr inBlock = linear(l, CoordKind::ThreadIdx, CoordKind::BlockDim, l.type);
  if (isBlock(l)) return inBlock;
  if (!isGrid(l)) return nullptr;
  ExprPtr block = linear(l, CoordKind::BlockIdx, CoordKind::GridDim, l.type);
  return l.op(Add, l.op(Mul, block, volume(l, CoordKind::BlockDim, l.type)), inBlock);
}

ExprPtr groupSize(Lowering& l) {
  ExprPtr block = volume(l, CoordKind::BlockDim, l.type);
  if (isBlock(l)) return block;
  return isGrid(l) ? l.op(Mul, volume(l, CoordKind::GridDim, l.type), block) : nullptr;
}

}  // namespace

const LoweringRules& placeLowerings() {
  static const LoweringRules rules = {
      {"get_local_linear_id",
       [](Lowering& l) { return linear(l, CoordKind::ThreadIdx, CoordKind::BlockDim, uint64()); }},
      {"get_global_linear_id", globalLinear},
      {"group_thread_rank", threadRank},
      {"group_size", groupSize},
      {"group_block_rank",
       [](Lowering& l) {
         return isGrid(l) ? linear(l, CoordKind::BlockIdx, CoordKind::GridDim, l.type) : nullptr;
       }},
      {"group_num_blocks",
       [](Lowering& l) { return isGrid(l) ? volume(l, CoordKind::GridDim, l.type) : nullptr; }},
  };
  return rules;
}

}  // namespace hone::ir
