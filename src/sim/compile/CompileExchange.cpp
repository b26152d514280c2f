// Calls in which threads meet or ask who they are: exchanges in a warp, counting barriers, cooperative
// groups, queries.
#include <algorithm>

#include "sim/compile/Compiler.h"
#include "sim/functions/ExchangeFunctions.h"

namespace hone::sim {

using ir::TypeKind;

namespace {

enum class GroupKind { Block, Grid, Lanes, Thread, Other };

GroupKind kindOf(const ir::Type& handle) {
  const std::string& name = handle.spelling;
  const auto has = [&](const char* text) { return name.find(text) != std::string::npos; };
  if (has("thread_block_tile") || has("coalesced_group")) return GroupKind::Lanes;
  if (has("thread_block")) return GroupKind::Block;
  if (has("grid_group")) return GroupKind::Grid;
  return GroupKind::Other;
}

// The N of thread_block_tile<N, …>, 0 when there is none.
unsigned tileSize(const std::string& name) {
  const size_t at = name.find("thread_block_tile<");
  return at == std::string::npos ? 0 : unsigned(std::strtoul(name.c_str() + at + 18, nullptr, 10));
}

ReduceOp reduceOp(const std::string& functor, const ir::SourceLoc& loc) {
  const auto has = [&](const char* text) { return functor.find(text) != std::string::npos; };
  if (has("::plus")) return ReduceOp::Add;
  if (has("::less")) return ReduceOp::Min;
  if (has("::greater")) return ReduceOp::Max;
  if (has("::bit_and")) return ReduceOp::And;
  if (has("::bit_or")) return ReduceOp::Or;
  if (has("::bit_xor")) return ReduceOp::Xor;
  cannotRun("a group reduction with " + functor, loc);
}

// Whether a lane gets the value of one lane, itself included, and of no other.
bool movesValues(std::string_view id) {
  return id.find("shfl") != id.npos || id.find("shuffle") != id.npos || id.find("broadcast") != id.npos;
}

}  // namespace

Value Compiler::emitExchange(std::string_view id, const ir::TypePtr& type, Reg members,
                             const std::vector<Value>& args, int64_t extra, const ir::SourceLoc& loc) {
  // Vectors and structs are exchanged leaf by leaf, which is the same for every exchange that only moves
  // values.
  CallSite site;
  site.function = id;
  site.extra = extra;
  for (const Value& a : args) {
    const std::vector<Leaf> of = leaves(*a.type);
    for (size_t i = 0; i < of.size(); ++i) {
      site.argTypes.push_back(of[i].type);
      site.args.push_back(a.regs[i]);
    }
  }
  Value result{type, newRegisters(*type)};
  for (const Leaf& leaf : leaves(*type)) site.resultTypes.push_back(leaf.type);
  site.results = result.regs;
  const auto emitSite = [&](CallSite one) {
    if (!findExchange(id, one.argTypes, one.resultTypes)) cannotRun("the function " + std::string(id), loc);
    out.calls.push_back(std::move(one));
    emit({.op = Op::Exchange, .a = members, .imm = int32_t(out.calls.size() - 1)});
  };
  if (loc.valid()) current = loc;
  if (findExchange(id, site.argTypes, site.resultTypes) || args.empty() ||
      leafCount(*args[0].type) != result.regs.size()) {
    emitSite(std::move(site));
    return result;
  }
  const size_t n = result.regs.size();
  for (size_t i = 0; i < n; ++i) {
    CallSite one = site;
    one.argTypes.erase(one.argTypes.begin(), one.argTypes.begin() + long(n));
    one.args.erase(one.args.begin(), one.args.begin() + long(n));
    one.argTypes.insert(one.argTypes.begin(), site.argTypes[i]);
    one.args.insert(one.args.begin(), site.args[i]);
    one.resultTypes = {site.resultTypes[i]};
    one.results = {site.results[i]};
    emitSite(std::move(one));
  }
  return result;
}

Reg Compiler::groupMembers(const ir::ExprPtr& group) {
  if (kindOf(*group->type) != GroupKind::Lanes)
    cannotRun("this operation of " + group->type->spelling, group->loc);
  return convertScalar(evalScalar(group), Scalar::U64, Scalar::U32);
}

// Only lanes whose value another one takes, or they themselves, need to have one:
// `int at; if (lane == 0) at = …; at = __shfl_sync(~0, at, 0);`.
void Compiler::checkMoved(std::string_view id, int32_t tracked, Reg members, std::vector<Value> args,
                          int64_t extra, const ir::SourceLoc& loc) {
  const FreeRegisters keep = top;
  const Reg lane = emitOp(Op::LaneId, Scalar::U32, noReg);
  args[0] = {ir::uint32(), {lane}};
  const Value from = emitExchange(id, ir::uint32(), members, args, extra, loc);
  const Reg bit = emitOp(Op::Shl32, Scalar::U32, intConstant(1), from.regs[0]);
  const Value taken = emitExchange("reduce_or_sync", ir::uint32(), members, {{ir::uint32(), {bit}}}, 0, loc);
  const Reg own =
      emitOp(Op::And32, Scalar::U32, emitOp(Op::ShrU32, Scalar::U32, taken.regs[0], lane), intConstant(1));
  pushScope(Scope::If, Op::If, truth(own, Scalar::U32));
  emit({.op = Op::CheckSet, .imm = tracked});
  popScope(Op::EndIf);
  top = keep;
}

Value Compiler::exchangeCall(const ir::Expr& e) {
  const auto& c = *e.as<ir::Call>();
  const std::string id(c.intrinsic->id);
  const auto barrier = [&] {
    if (e.loc.valid()) current = e.loc;
    emit({.op = Op::BlockBarrier, .imm = 3});
    return e.type->is(TypeKind::Void) ? noValue() : Value{e.type, newRegisters(*e.type)};
  };
  if (id == "pipeline_commit" || id == "pipeline_wait_prior") return noValue();  // copies are done at once
  if (id == "wait_group_events") return barrier();
  if (id == "barrier_sync") {
    if (ir::constantValue(c.args[0]) != 0) cannotRun("a named barrier", e.loc);
    return barrier();
  }
  if (id == "group_wait" || id == "group_wait_prior" || id == "group_sync") {
    if (kindOf(*c.args[0]->type) == GroupKind::Block) return barrier();
    if (kindOf(*c.args[0]->type) == GroupKind::Grid) {
      out.usesGridSync = true;
      emit({.op = Op::GridSync});
      return noValue();
    }
    const Reg members = groupMembers(c.args[0]);
    if (e.loc.valid()) current = e.loc;
    emit({.op = Op::WarpSync, .a = members});
    return noValue();
  }
  if (id == "binary_partition" || id == "labeled_partition") {
    const Reg members = groupMembers(c.args[0]);
    Value label = eval(c.args[1]);
    label.regs[0] = convertScalar(label.regs[0], scalarOf(*c.args[1]->type), Scalar::I32);
    label.type = ir::int32();
    const Value same = emitExchange("match_any_sync", ir::uint32(), members, {label}, 0, e.loc);
    return {e.type, {convertScalar(same.regs[0], Scalar::U32, Scalar::U64)}};
  }
  const ir::Participants who = c.intrinsic->traits.over;
  if (who == ir::Participants::WorkGroup) return barrierVote(e);
  Reg members = noReg;
  size_t first = 0;
  int64_t extra = 0;
  if (who == ir::Participants::GroupHandle) {
    members = groupMembers(c.args.at(0));
    extra = tileSize(c.args[0]->type->spelling);
    first = 1;
  } else if (who == ir::Participants::Mask) {
    members = convertScalar(evalScalar(c.args.at(0)), scalarOf(*c.args[0]->type), Scalar::U32);
    first = 1;
  }
  if (who == ir::Participants::Cluster) cannotRun("clusters of blocks", e.loc);
  std::vector<Value> args;
  int32_t moved = -1;  // the variable, perhaps without a value, that is moved between lanes
  for (size_t i = first; i < c.args.size(); ++i) {
    if (c.args[i]->type->is(TypeKind::Handle)) {  // the operator of a reduction or scan
      extra = int64_t(reduceOp(c.args[i]->type->spelling, e.loc));
      continue;
    }
    if (c.args[i]->type->isPointer()) continue;  // the predicate of match_all, stored below
    if (const auto* v = ir::as<ir::VarRef>(c.args[i]); v && i == first && movesValues(id)) {
      const VariableHome h = home(v->var);
      if (h.inRegisters && h.tracked >= 0) {
        moved = h.tracked;
        args.push_back({c.args[i]->type, h.regs});
        continue;
      }
    }
    args.push_back(eval(c.args[i]));
  }
  if (moved >= 0) checkMoved(id, moved, members, args, extra, e.loc);
  if ((id == "group_inclusive_scan" || id == "group_exclusive_scan") && c.args.size() == 2)
    extra = int64_t(ReduceOp::Add);
  if (id == "match_all_sync" || id == "group_match_all") {
    const size_t at = c.args.size() - 1;
    Place target = dereference(evalScalar(c.args[at]), *c.args[at]->type);
    CallSite site;
    site.function = id;
    for (const Leaf& leaf : leaves(*args[0].type)) site.argTypes.push_back(leaf.type);
    site.args = args[0].regs;
    site.resultTypes = {Scalar::U32, Scalar::I32};
    site.results = {newRegister(Scalar::U32), newRegister(Scalar::I32)};
    const std::vector<Reg> r = site.results;
    if (!findExchange(id, site.argTypes, site.resultTypes)) cannotRun("the function " + id, e.loc);
    if (e.loc.valid()) current = e.loc;
    out.calls.push_back(std::move(site));
    emit({.op = Op::Exchange, .a = members, .imm = int32_t(out.calls.size() - 1)});
    store(target, {target.type, {r[1]}});
    return {e.type, {r[0]}};
  }
  return emitExchange(id, e.type, members, args, extra, e.loc);
}

Value Compiler::barrierVote(const ir::Expr& e) {
  const auto& c = *e.as<ir::Call>();
  CallSite site;
  site.function = c.intrinsic->id;
  for (const ir::ExprPtr& a : c.args) {
    const Value v = eval(a);
    if (v.regs.size() != 1) cannotRun("a vector in " + std::string(c.intrinsic->id), e.loc);
    site.argTypes.push_back(scalarOf(*a->type));
    site.args.push_back(v.regs[0]);
  }
  if (e.loc.valid()) current = e.loc;
  Value result{e.type, newRegisters(*e.type)};
  site.resultTypes = {scalarOf(*e.type)};
  site.results = result.regs;
  out.calls.push_back(std::move(site));
  emit({.op = Op::BarrierVote, .imm = int32_t(out.calls.size() - 1)});
  return result;
}

Reg Compiler::blockThreads() {
  const Reg xy = emitOp(Op::MulI32, Scalar::U32, uniform(Uniform::BlockDimX), uniform(Uniform::BlockDimY));
  return emitOp(Op::MulI32, Scalar::U32, xy, uniform(Uniform::BlockDimZ));
}

Reg Compiler::popcount(Reg mask) { return emitPure("popcount", {Scalar::U32}, {mask}, {Scalar::I32}).at(0); }

Value Compiler::coordVector(const ir::TypePtr& type, const std::array<Reg, 3>& regs) {
  Value v{type, {}};
  const std::vector<Leaf> of = leaves(*type);
  for (size_t i = 0; i < of.size(); ++i) v.regs.push_back(convertScalar(regs[i], Scalar::U32, of[i].type));
  return v;
}

Value Compiler::queryCall(const ir::Expr& e) {
  const auto& c = *e.as<ir::Call>();
  const std::string id(c.intrinsic->id);
  const auto give = [&](Reg reg, Scalar from) {
    return Value{e.type, {convertScalar(reg, from, scalarOf(*e.type))}};
  };
  const auto give32 = [&](Reg reg) { return give(reg, Scalar::U32); };
  const auto threadRank = [&] { return emitOp(Op::ThreadRank, Scalar::U32, noReg); };
  const auto blockRank = [&] {
    const Reg x = emitOp(Op::BlockX, Scalar::U32, noReg), y = emitOp(Op::BlockY, Scalar::U32, noReg),
              z = emitOp(Op::BlockZ, Scalar::U32, noReg);
    const Reg zy =
        emitOp(Op::AddI32, Scalar::U32, emitOp(Op::MulI32, Scalar::U32, z, uniform(Uniform::GridDimY)), y);
    return emitOp(Op::AddI32, Scalar::U32, emitOp(Op::MulI32, Scalar::U32, zy, uniform(Uniform::GridDimX)),
                  x);
  };
  const auto gridBlocks = [&] {
    const Reg xy = emitOp(Op::MulI32, Scalar::U32, uniform(Uniform::GridDimX), uniform(Uniform::GridDimY));
    return emitOp(Op::MulI32, Scalar::U32, xy, uniform(Uniform::GridDimZ));
  };
  const auto wide = [&](Reg reg) { return emitOp(Op::U32ToI64, Scalar::U64, reg); };
  if (e.loc.valid()) current = e.loc;
  if (id == "activemask") return give32(emitOp(Op::ActiveMask, Scalar::U32, noReg));
  if (id == "coalesced_threads") return {e.type, {wide(emitOp(Op::ActiveMask, Scalar::U32, noReg))}};
  if (c.intrinsic->traits.isClock) return give(emitOp(Op::Clock, Scalar::U64, noReg), Scalar::U64);
  if (id == "get_sub_group_local_id") return give32(emitOp(Op::LaneId, Scalar::U32, noReg));
  if (id == "get_sub_group_id") return give32(emitOp(Op::ShrU32, Scalar::U32, threadRank(), intConstant(5)));
  if (id == "get_max_sub_group_size") return give32(intConstant(warpLanes));
  if (id == "get_num_sub_groups" || id == "get_enqueued_num_sub_groups")
    return give32(emitOp(Op::ShrU32, Scalar::U32,
                         emitOp(Op::AddI32, Scalar::U32, blockThreads(), intConstant(31)), intConstant(5)));
  if (id == "get_sub_group_size") {
    const Reg first = emitOp(Op::And32, Scalar::U32, threadRank(), intConstant(~31));
    const Reg left = emitOp(Op::SubI32, Scalar::U32, blockThreads(), first);
    const Reg less = emitOp(Op::LtU32, Scalar::Bool, left, intConstant(32));
    return give32(emitOp(Op::Select32, Scalar::U32, less, left, intConstant(32)));
  }
  if (id == "get_local_linear_id") return give32(threadRank());
  if (id == "get_global_linear_id") {
    // ((z * height + y) * width + x), without the offset
    Reg ids[3], sizes[3];
    const Op threads[] = {Op::ThreadX, Op::ThreadY, Op::ThreadZ},
             blocks[] = {Op::BlockX, Op::BlockY, Op::BlockZ};
    for (int axis = 0; axis < 3; ++axis) {
      const Reg dim = uniform(Uniform(int(Uniform::BlockDimX) + axis));
      const Reg start = emitOp(Op::MulI32, Scalar::U32, emitOp(blocks[axis], Scalar::U32, noReg), dim);
      ids[axis] = wide(emitOp(Op::AddI32, Scalar::U32, start, emitOp(threads[axis], Scalar::U32, noReg)));
      sizes[axis] =
          wide(emitOp(Op::MulI32, Scalar::U32, dim, uniform(Uniform(int(Uniform::GridDimX) + axis))));
    }
    const Reg zy = emitOp(Op::AddI64, Scalar::U64, emitOp(Op::MulI64, Scalar::U64, ids[2], sizes[1]), ids[1]);
    return give(emitOp(Op::AddI64, Scalar::U64, emitOp(Op::MulI64, Scalar::U64, zy, sizes[0]), ids[0]),
                Scalar::U64);
  }
  if (id == "get_enqueued_local_size") {
    const auto axis = ir::constantValue(c.args[0]);
    if (!axis) cannotRun("get_enqueued_local_size of an axis that is not constant", e.loc);
    return give32(*axis > 2 ? intConstant(1) : uniform(Uniform(int(Uniform::BlockDimX) + int(*axis))));
  }
  if (c.intrinsic->traits.testsSpace) {
    const Reg window =
        emitOp(Op::And64, Scalar::U64, evalScalar(c.args[0]), constant(Scalar::U64, windowMask));
    const uint64_t wanted = id == "is_shared" || id == "is_ctashared" || id == "is_clustershared"
                                ? sharedWindow
                            : id == "is_local" ? localWindow
                                               : 0;
    return give32(emitOp(Op::Eq64, Scalar::Bool, window, constant(Scalar::U64, wanted)));
  }
  if (c.intrinsic->traits.over == ir::Participants::GroupHandle && !c.args.empty()) {
    const ir::ExprPtr& group = c.args[0];
    const GroupKind kind = kindOf(*group->type);
    const unsigned tile = tileSize(group->type->spelling);
    if (id == "group_thread_rank") {
      if (kind == GroupKind::Block) return give32(threadRank());
      if (kind == GroupKind::Grid) {
        const Reg start = emitOp(Op::MulI64, Scalar::U64, wide(blockRank()), wide(blockThreads()));
        return give(emitOp(Op::AddI64, Scalar::U64, start, wide(threadRank())), Scalar::U64);
      }
      if (kind == GroupKind::Lanes) {
        const Reg bit =
            emitOp(Op::Shl32, Scalar::U32, intConstant(1), emitOp(Op::LaneId, Scalar::U32, noReg));
        const Reg below = emitOp(Op::SubI32, Scalar::U32, bit, intConstant(1));
        return give32(popcount(emitOp(Op::And32, Scalar::U32, groupMembers(group), below)));
      }
    }
    if (id == "group_size") {
      if (kind == GroupKind::Block) return give32(blockThreads());
      if (kind == GroupKind::Grid)
        return give(emitOp(Op::MulI64, Scalar::U64, wide(gridBlocks()), wide(blockThreads())), Scalar::U64);
      if (kind == GroupKind::Lanes) return give32(tile ? intConstant(tile) : popcount(groupMembers(group)));
    }
    if (id == "group_meta_group_rank" && tile)
      return give32(emitOp(Op::DivU32, Scalar::U32, threadRank(), intConstant(tile)));
    if (id == "group_meta_group_size" && tile)
      return give32(emitOp(Op::DivU32, Scalar::U32,
                           emitOp(Op::AddI32, Scalar::U32, blockThreads(), intConstant(int64_t(tile) - 1)),
                           intConstant(tile)));
    if (id == "group_thread_index")
      return coordVector(e.type,
                         {emitOp(Op::ThreadX, Scalar::U32, noReg), emitOp(Op::ThreadY, Scalar::U32, noReg),
                          emitOp(Op::ThreadZ, Scalar::U32, noReg)});
    if (id == "group_index" || id == "group_block_index")
      return coordVector(e.type,
                         {emitOp(Op::BlockX, Scalar::U32, noReg), emitOp(Op::BlockY, Scalar::U32, noReg),
                          emitOp(Op::BlockZ, Scalar::U32, noReg)});
    if (id == "group_dim_threads")
      return coordVector(
          e.type, {uniform(Uniform::BlockDimX), uniform(Uniform::BlockDimY), uniform(Uniform::BlockDimZ)});
    if (id == "group_dim_blocks")
      return coordVector(
          e.type, {uniform(Uniform::GridDimX), uniform(Uniform::GridDimY), uniform(Uniform::GridDimZ)});
    if (id == "group_block_rank" && kind == GroupKind::Grid) return give32(blockRank());
    if (id == "group_num_blocks" && kind == GroupKind::Grid) return give32(gridBlocks());
    if (id == "group_is_valid") return give32(intConstant(1));
  }
  cannotRun("the function " + (c.spelling.empty() ? id : c.spelling), e.loc);
}

Value Compiler::groupCall(const ir::Expr& e) {
  const auto& c = *e.as<ir::Call>();
  const std::string_view id = c.intrinsic->id;
  if (id == "this_thread_block" || id == "this_grid") return {e.type, {constant(Scalar::U64, 0)}};
  if (id == "tiled_partition") {
    unsigned size = tileSize(e.type->spelling);
    if (size == 0 && c.args.size() == 2) size = unsigned(ir::constantValue(c.args[1]).value_or(0));
    if (size == 0 || size > warpLanes || (size & (size - 1)))
      cannotRun("a tile of more than a warp, or of a size known only at run time", e.loc);
    if (e.loc.valid()) current = e.loc;
    const Reg dst = newRegister(Scalar::U32);
    emit({.op = Op::TileMask, .dst = dst, .imm = int32_t(size)});
    return {e.type, {convertScalar(dst, Scalar::U32, Scalar::U64)}};
  }
  cannotRun("the group " + std::string(id), e.loc);
}

// What needs the machine: textures, surfaces, copies of bytes, traps. Words to the compiler mean nothing
// here, save that what it is told to assume may be checked.
Value Compiler::machineCall(const ir::Expr& e) {
  const auto& c = *e.as<ir::Call>();
  const std::string_view id = c.intrinsic->id;
  for (std::string_view nothing : {"nanosleep", "brkpt", "prof_trigger", "prefetch", "unreachable"})
    if (id == nothing) return noValue();
  if (id == "assume") {
    if (options.checkAssumptions) {
      const Reg holds = truth(evalScalar(c.args[0]), scalarOf(*c.args[0]->type));
      if (e.loc.valid()) current = e.loc;
      emit({.op = Op::Assert, .a = holds, .imm = -1});
    }
    return noValue();
  }
  CallSite site;
  site.function = id;
  for (const ir::ExprPtr& a : c.args) {
    const Value v = eval(a);
    const std::vector<Leaf> of = leaves(*a->type);
    for (size_t i = 0; i < of.size(); ++i) {
      site.argTypes.push_back(of[i].type);
      site.args.push_back(v.regs[i]);
    }
  }
  const bool isMemory = id == "memcpy" || id == "memset";
  const ir::TextureKind texture = c.intrinsic->traits.texture.kind;
  const ir::TypePtr type = isMemory || texture == ir::TextureKind::SurfaceWrite ? ir::voidType() : e.type;
  Value result{type, newRegisters(*type)};
  for (const Leaf& leaf : leaves(*type)) site.resultTypes.push_back(leaf.type);
  site.results = result.regs;
  if (e.loc.valid()) current = e.loc;
  const bool isHeap = id == "device_malloc" || id == "device_free";
  if (isHeap) out.usesHeap = out.ordersBlocks = true;
  if (id != "trap" && id != "bad_call" && !isHeap && !isMemory && texture == ir::TextureKind::NoTexture)
    cannotRun("the function " + (c.spelling.empty() ? std::string(id) : c.spelling), e.loc);
  out.calls.push_back(std::move(site));
  emit({.op = Op::CallMachine, .imm = int32_t(out.calls.size() - 1)});
  if (isMemory && !e.type->is(TypeKind::Void)) return {e.type, {out.calls.back().args[0]}};
  return result;
}

}  // namespace hone::sim
