#include "ir/ShortIr.h"

namespace hone::ir::test {

namespace {

class Launching : public ::testing::Test {
 protected:
  VarPtr a = param("a", ptr(f32())), n = param("n"), i = local("i", uint32());

  LaunchAssumption of(StmtList body) { return launchAssumption(*kernel({a, n}, std::move(body))); }
  StmtPtr use(ExprPtr index) { return assign(at(a, std::move(index)), floatLit(1)); }
};

TEST_F(Launching, globalIdsAreFree) {
  EXPECT_TRUE(of({use(globalId()), use(globalId(1))}).free);
  ExprPtr other = add(tid(), mul(coord(CoordKind::BlockDim, 0), coord(CoordKind::BlockIdx, 0)));
  EXPECT_TRUE(of({use(other)}).free);
  ExprPtr withOffset =
      add(add(ref(n), mul(coord(CoordKind::BlockIdx, 0), coord(CoordKind::BlockDim, 0))), tid());
  EXPECT_TRUE(of({use(withOffset)}).free);
  EXPECT_TRUE(of({use(coord(CoordKind::GlobalId, 0, uint64()))}).free);
}

TEST_F(Launching, gridStrideIsFree) {
  ExprPtr stride = mul(coord(CoordKind::BlockDim, 0), coord(CoordKind::GridDim, 0));
  StmtPtr loop = forLoop({declare(i, globalId())}, lt(ref(i), ref(n)),
                         {update(ref(i), BinaryOp::Add, stride)}, {use(ref(i))});
  EXPECT_TRUE(of({loop}).free);
}

TEST_F(Launching, copiesOfCoordinatesAreFollowed) {
  VarPtr tx = local("tx"), bx = local("bx");
  StmtPtr dt = declare(tx, convert(tid(), int32())),
          db = declare(bx, convert(coord(CoordKind::BlockIdx, 0), int32()));
  ExprPtr id = add(mul(ref(bx), coord(CoordKind::BlockDim, 0)), ref(tx));
  EXPECT_TRUE(of({dt, db, use(id)}).free);
  EXPECT_FALSE(of({dt, db, use(ref(tx))}).free);
}

TEST_F(Launching, coordinatesOutsideGlobalIdsAreNotFree) {
  LaunchAssumption result =
      of({use(intLit(0)), makeStmt(Assign{at(a, coord(CoordKind::ThreadIdx, 1, uint32(), lineOf(5))),
                                          std::nullopt, floatLit(1), false})});
  EXPECT_FALSE(result.free);
  EXPECT_EQ(result.reason, "threadIdx.y is used outside a global id at test.cu:5");
  ExprPtr mixed = add(mul(coord(CoordKind::BlockIdx, 0), coord(CoordKind::BlockDim, 1)), tid());
  EXPECT_FALSE(of({use(mixed)}).free) << "axes differ";
  ExprPtr twice = add(add(mul(coord(CoordKind::BlockIdx, 0), coord(CoordKind::BlockDim, 0)), tid()), tid());
  EXPECT_FALSE(of({use(twice)}).free);
  ExprPtr fixed = add(mul(coord(CoordKind::BlockIdx, 0), intLit(256, uint32())), tid());
  EXPECT_FALSE(of({use(fixed)}).free);
}

TEST_F(Launching, sharedMemoryBarriersAndExchangesAreNotFree) {
  EXPECT_EQ(of({declare(shared("tile", arrayType(f32(), 4)))}).reason, "shared variable tile");
  EXPECT_EQ(of({makeStmt(Barrier{})}).reason, "barrier");
  VarPtr v = local("v");
  StmtPtr shuffle = declare(v, call("shfl_down_sync", int32(), {intLit(-1, uint32()), lit(1), lit(1)}));
  EXPECT_FALSE(of({shuffle}).free);
}

TEST_F(Launching, ordersThatHoldWithinABlockAreNotFree) {
  const auto adds = [&](const char* atomic) {
    return declare(local("before", f32()), call(atomic, f32(), {ref(a), floatLit(1)}));
  };
  EXPECT_TRUE(of({adds("atomic_add")}).free);
  EXPECT_EQ(of({adds("atomic_add_block")}).reason, "atomic_add_block holds among threads of one block");
  EXPECT_TRUE(of({makeStmt(Fence{SyncScope::Device})}).free);
  EXPECT_EQ(of({makeStmt(Fence{SyncScope::Block})}).reason, "fence that holds among threads of one block");
}

TEST_F(Launching, functionsAreLookedInto) {
  FunctionPtr id = function("id", uint32(), {}, {ret(globalId())});
  FunctionPtr lane = function("lane", uint32(), {}, {ret(tid())});
  EXPECT_TRUE(of({use(call(id, {}))}).free);
  EXPECT_FALSE(of({use(call(lane, {}))}).free);
}

TEST_F(Launching, requiredBlockIsReported) {
  auto k = std::make_shared<Kernel>(*kernel({a, n}, {use(globalId())}));
  k->requiredBlock = {16, 16, 1};
  LaunchAssumption result = launchAssumption(*k);
  EXPECT_FALSE(result.free);
  EXPECT_EQ((*result.fixedBlock)[1], 16u);
}

}  // namespace

}  // namespace hone::ir::test
