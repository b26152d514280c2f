#include "passes/reduce/PartialSums.h"

#include <functional>

#include "ir/Build.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/edit/LoopEdit.h"
#include "passes/edit/SeededMistakes.h"

namespace hone::passes {

using namespace ir;

namespace {

TypePtr arrayOf(const TypePtr& element, const ExprPtr& extent) { return arrayOver(element, extent); }

// The operator of `sum op= part`; nothing for extrema and logic.
std::optional<BinaryOp> compound(const Accumulator& sum) {
  if (sum.var->type->is(TypeKind::Bool)) return std::nullopt;
  switch (sum.how) {
    case Combine::Add: return BinaryOp::Add;
    case Combine::Mul: return BinaryOp::Mul;
    case Combine::And: return BinaryOp::BitAnd;
    case Combine::Or: return BinaryOp::BitOr;
    case Combine::Xor: return BinaryOp::BitXor;
    default: return std::nullopt;
  }
}

// `mine` becomes `other` where that is further, or as far and earlier; `places`: where mine is kept, if not
// in variables.
StmtPtr earlierOf(const Accumulator& sum, const PlacedPart& other, const PlacedPart& mine, SourceLoc loc,
                  std::optional<PlacedPart> places = {}) {
  const PlacedPart into = places.value_or(mine);
  return makeStmt(If{comesBefore(sum, other, mine),
                     block(StmtList{assign(into.value, convert(other.value, into.value->type), loc),
                                    assign(into.where, convert(other.where, into.where->type), loc)}),
                     nullptr},
                  loc);
}

// An array in shared memory with a part of each thread, or of each of several, for a variable.
struct SharedParts {
  VarPtr var, array;
  TypePtr element;
  ExprPtr row;  // of several side by side; null: one
  StmtPtr declared;

  SharedParts(const VarPtr& of, Names& names, const std::function<TypePtr(const TypePtr&)>& arrayType,
              const ExprPtr& ofRow, SourceLoc loc)
      : var(of), element(of->type->is(TypeKind::Bool) ? int32() : of->type), row(ofRow) {
    auto parts = std::make_shared<Variable>();
    parts->name = names.fresh(var->name + "_parts");
    parts->type = arrayType(element);
    parts->space = Space::Shared;
    array = parts;
    declared = makeStmt(Declare{array, nullptr}, loc);
  }
  ExprPtr at(const ExprPtr& index) const {
    return subscript(ref(array), row ? std::vector{index, row} : std::vector{index});
  }
  ExprPtr value(const ExprPtr& index) const { return convert(at(index), var->type); }
  StmtPtr store(const ExprPtr& index, SourceLoc loc) const {
    return assign(at(index), convert(ref(var), element), loc);
  }
  StmtPtr load(SourceLoc loc) const { return assign(ref(var), value(intLit(0)), loc); }
};

TypePtr exchanged(const TypePtr& type) { return type->isInteger() && type->bits < 32 ? int32() : type; }

}  // namespace

StmtPtr withPart(const Accumulator& sum, const VarPtr& var, const ExprPtr& part, SourceLoc loc) {
  const auto op = compound(sum);
  if (op && sameType(promoted(var->type), var->type)) return makeStmt(Assign{ref(var), *op, part}, loc);
  return assign(ref(var), combined(sum, ref(var), part), loc);
}

StmtList overWarp(const ReductionKernel& kernel, Names& names, const ExprPtr& lanes) {
  const SourceLoc loc = kernel.loop.loop->loc;
  const VarPtr offset = makeLocal(names, "offset", int32());
  StmtList body;
  const auto theirsOf = [&](const VarPtr& var) {
    const TypePtr type = exchanged(var->type);
    return makeExpr(type, Call{&intrinsic("shfl_xor_sync"),
                               nullptr,
                               {makeExpr(uint32(), IntLiteral{0xffffffff, "0xffffffffu", ""}),
                                convert(ref(var), type), ref(offset)},
                               "",
                               {}});
  };
  for (const Accumulator& sum : kernel.loop.sums) {
    const ExprPtr theirs = theirsOf(sum.var);
    const TypePtr type = theirs->type;
    if (sum.where) {
      const auto other = [&](const VarPtr& var) {
        const ExprPtr one = theirsOf(var);
        const VarPtr copy = makeLocal(names, "other_" + var->name, one->type, true);
        body.push_back(makeStmt(Declare{copy, one}, loc));
        return convert(ref(copy), var->type);
      };
      const ExprPtr value = other(sum.var);
      body.push_back(earlierOf(sum, {value, other(sum.where)}, {ref(sum.var), ref(sum.where)}, loc));
      continue;
    }
    // `sum += __shfl_xor_sync(…)` where that is the same.
    const auto op = compound(sum);
    if (op && sameType(type, sum.var->type) && sameType(promoted(type), type)) {
      body.push_back(makeStmt(Assign{ref(sum.var), *op, theirs}, loc));
      continue;
    }
    const VarPtr other = makeLocal(names, "other_" + sum.var->name, type, true);
    body.push_back(makeStmt(Declare{other, theirs}, loc));
    body.push_back(
        assign(ref(sum.var), combined(sum, ref(sum.var), convert(ref(other), sum.var->type)), loc));
  }
  const ExprPtr half = binary(BinaryOp::Div, lanes, intLit(2));
  return {
      makeStmt(For{{makeStmt(Declare{offset, HONE_SEED(SplitHalfTheLanes, half, over(lanes, intLit(4)))})},
                   binary(BinaryOp::Gt, ref(offset), intLit(0)),
                   {makeStmt(Assign{ref(offset), BinaryOp::Div, intLit(2)})},
                   block(body),
                   -1},
               loc)};
}

StmtList overBlock(const ReductionKernel& kernel, Names& names, const ExprPtr& thread, const ExprPtr& threads,
                   const SharedRows& rows, StmtList& shared, StmtList& total, Language language,
                   bool ordersGlobal) {
  const SourceLoc loc = kernel.loop.loop->loc;
  const bool always = language == Language::Cuda;  // whose barriers order all memory
  const Barrier barrier{SyncScope::Block, nullptr, true, always};
  const VarPtr half = makeLocal(names, "half", int32());
  StmtList out, halving;
  // Where the parts of a variable lie, each thread's own and the whole.
  const auto partsOf = [&](const VarPtr& var) {
    const SharedParts parts(
        var, names,
        [&](const TypePtr& element) {
          return rows.count ? arrayOf(arrayOf(element, rows.count), threads) : arrayOf(element, threads);
        },
        rows.row, loc);
    shared.push_back(parts.declared);
    out.push_back(parts.store(thread, loc));
    total.push_back(parts.load(loc));
    return parts;
  };
  for (const Accumulator& sum : kernel.loop.sums) {
    const SharedParts parts = partsOf(sum.var);
    const ExprPtr next = plus(thread, ref(half));
    const auto op = compound(sum);
    if (sum.where) {
      const SharedParts places = partsOf(sum.where);
      halving.push_back(earlierOf(sum, {parts.value(next), places.value(next)},
                                  {parts.value(thread), places.value(thread)}, loc,
                                  PlacedPart{parts.at(thread), places.at(thread)}));
    } else if (op && sameType(parts.element, sum.var->type) &&
               sameType(promoted(parts.element), parts.element)) {
      halving.push_back(makeStmt(Assign{parts.at(thread), *op, parts.at(next)}, loc));
    } else {
      halving.push_back(assign(parts.at(thread),
                               convert(combined(sum, parts.value(thread), parts.value(next)), parts.element),
                               loc));
    }
  }
  out.push_back(makeStmt(Barrier{SyncScope::Block, nullptr, true, always || ordersGlobal}, loc));
  StmtList iteration{makeStmt(If{binary(BinaryOp::Lt, thread, ref(half)), block(halving), nullptr}, loc)};
  if (HONE_SEED(SplitBarrierDropped, true, false)) iteration.push_back(makeStmt(barrier, loc));
  out.push_back(makeStmt(For{{makeStmt(Declare{half, binary(BinaryOp::Div, threads, intLit(2))})},
                             binary(BinaryOp::Gt, ref(half), intLit(0)),
                             {makeStmt(Assign{ref(half), BinaryOp::Div, intLit(2)})},
                             block(iteration)},
                         loc));
  return out;
}

StmtList overWarps(const ReductionKernel& kernel, Names& names, const ExprPtr& thread, const ExprPtr& threads,
                   StmtList& shared, StmtList& total) {
  const SourceLoc loc = kernel.loop.loop->loc;
  const ExprPtr warp = intLit(32);
  StmtList out = overWarp(kernel, names, warp), stores, firsts, adds;
  const VarPtr other = makeLocal(names, "warp", int32());
  const auto partsOf = [&](const VarPtr& var) {
    const SharedParts parts(
        var, names,
        [&](const TypePtr& element) { return arrayOver(element, binary(BinaryOp::Div, threads, warp)); },
        nullptr, loc);
    shared.push_back(parts.declared);
    stores.push_back(parts.store(binary(BinaryOp::Div, thread, warp), loc));
    firsts.push_back(parts.load(loc));
    return parts;
  };
  for (const Accumulator& sum : kernel.loop.sums) {
    const SharedParts parts = partsOf(sum.var);
    if (sum.where)
      adds.push_back(earlierOf(sum, {parts.value(ref(other)), partsOf(sum.where).value(ref(other))},
                               {ref(sum.var), ref(sum.where)}, loc));
    else
      adds.push_back(withPart(sum, sum.var, parts.value(ref(other)), loc));
  }
  out.push_back(makeStmt(
      If{binary(BinaryOp::Eq, binary(BinaryOp::Rem, thread, warp), intLit(0)), block(stores), nullptr}, loc));
  if (HONE_SEED(SplitWarpsBarrierDropped, true, false))
    out.push_back(makeStmt(Barrier{SyncScope::Block, nullptr, true, true}, loc));
  total.insert(total.end(), firsts.begin(), firsts.end());
  total.push_back(countingLoop({.var = other,
                                .begin = intLit(1),
                                .end = binary(BinaryOp::Div, threads, warp),
                                .body = block(adds),
                                .unroll = -1},
                               loc));
  return out;
}

}  // namespace hone::passes
