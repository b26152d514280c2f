// Values of lanes, workers and gangs put together.
//
// The threads of a block halve what is left in each step of a tree in shared memory, the lanes of a worker
// likewise with barriers of the warp; workers' values are added up in their order. Gangs store one value
// each, and a kernel behind this one adds those up with what was there before. The order is the same in each
// run.
#include "acc/LowerBody.h"
#include "acc/ReductionValues.h"
#include "acc/SeededMistakes.h"
#include "ir/Build.h"

namespace hone::acc {

using namespace ir;
using frontend::AccReductionOp;

VarPtr BodyLowerer::buffer(const TypePtr& type, int64_t count, const std::string& name) {
  const std::string key = name + "/" + str(*type) + "/" + type->spelling + "/" + std::to_string(count);
  auto found = buffers.find(key);
  if (found != buffers.end()) return found->second;
  VarPtr var = work.names.shared(name, count ? arrayType(type, count) : type);
  shared.push_back(var);
  return buffers[key] = var;
}

VarPtr BodyLowerer::gangRunning(AccReductionOp op, const VarPtr& object) {
  for (const GangResult& result : results)
    if (result.op == op && result.object == object) return result.running;
  results.push_back({op, object, work.names.local(object->name + "_of_gang", object->type)});
  return results.back().running;
}

void BodyLowerer::startReductions(StmtList& out, const LoopPlan& plan) {
  for (const LoopReduction& reduction : plan.reductions) {
    const TypePtr& type = reduction.copy->type;
    if (type->isArithmetic()) {
      out.push_back(makeStmt(Declare{reduction.copy, identityOf(reduction.op, type)}, reduction.loc));
      continue;
    }
    out.push_back(makeStmt(Declare{reduction.copy, nullptr}, reduction.loc));
    for (StmtPtr& s : startOf(reduction.op, ref(reduction.copy), work.names)) out.push_back(std::move(s));
  }
}

StmtList BodyLowerer::overThreads(const ExprPtr& number, AccReductionOp op, Inner inner, Mode mode) {
  StmtList out;
  const TypePtr& type = number->type;
  const TypePtr counted = uint32();
  if (inner == Inner::Worker) {
    // One value of each worker; all threads add them up.
    VarPtr values = buffer(type, shape.threads[1], "of_each_worker");
    const ExprPtr own = subscript(ref(values), {coord(CoordKind::ThreadIdx, 1)});
    StmtPtr store = assign(own, number);
    touch(out, mode, By::Many, {{}, {values.get()}});
    out.push_back(makeStmt(If{isFirst(Mode::Worker), block({store}), nullptr}));
    barrier(out, mode);
    StmtList sum = {assign(number, identityOf(op, type))};
    VarPtr at = work.names.local("worker", int32());
    StmtList add = combine(op, number, subscript(ref(values), {ref(at)}), work.names);
    // Routines do not know how many workers call them.
    ExprPtr workers = gang || !shape.hasWorkers ? intLit(shape.threads[1])
                                                : convert(coord(CoordKind::BlockDim, 1), int32());
    sum.push_back(countingLoop({.var = at, .end = std::move(workers), .body = block(std::move(add))}));
    out.insert(out.end(), sum.begin(), sum.end());
    touch(out, mode, By::Many, {{values.get()}, {}});
    return out;
  }
  const bool isOfWorker = mode == Mode::Worker;
  const int64_t threads = isOfWorker ? shape.threads[0] : shape.count();
  const int64_t slots = isOfWorker ? shape.count() : threads;
  VarPtr values = buffer(type, slots, isOfWorker ? "of_each_lane" : "of_each_thread");
  const ExprPtr me = lane();
  const ExprPtr own = subscript(ref(values), {me});
  touch(out, mode, By::Many, {{}, {values.get()}});
  out.push_back(assign(own, number));
  barrier(out, mode);
  VarPtr half = work.names.local("half", counted);
  const ExprPtr position = isOfWorker ? coord(CoordKind::ThreadIdx, 0) : me;
  StmtList join =
      combine(op, own, subscript(ref(values), {binary(BinaryOp::Add, me, ref(half))}), work.names);
  For tree;
  ExprPtr first = intLit(threads / 2, counted);
  if (!gang && shape.hasWorkers && !isOfWorker)
    first = over(times(coord(CoordKind::BlockDim, 0), coord(CoordKind::BlockDim, 1)), intLit(2, counted));
  tree.init = {makeStmt(Declare{half, std::move(first)})};
  tree.cond = binary(BinaryOp::Gt, ref(half), intLit(0, counted));
  tree.step = {makeStmt(Assign{ref(half), BinaryOp::Div, intLit(2, counted)})};
  StmtList steps = {makeStmt(If{binary(BinaryOp::Lt, position, ref(half)), block(std::move(join)), nullptr})};
  if (HONE_SEED(NoBarrierInTree, true, false)) barrier(steps, mode);
  tree.body = block(std::move(steps));
  out.push_back(makeStmt(std::move(tree)));
  const ExprPtr at =
      isOfWorker ? binary(BinaryOp::Mul, coord(CoordKind::ThreadIdx, 1), coord(CoordKind::BlockDim, 0))
                 : intLit(0, counted);
  out.push_back(assign(number, subscript(ref(values), {at})));
  touch(out, mode, By::Many, {{values.get()}, {}});
  return out;
}

void BodyLowerer::finishReductions(StmtList& out, const LoopPlan& plan, Mode mode) {
  for (const LoopReduction& reduction : plan.reductions) {
    const ExprPtr copy = ref(reduction.copy);
    if (plan.inner != Inner::None && !isAlone()) {
      StmtList joined = overNumbers({copy}, work.names, [&](const std::vector<ExprPtr>& numbers) {
        StmtList one;
        // A number in a loop over elements uses its shared memory again in the next round.
        if (!reduction.copy->type->isArithmetic()) barrier(one, mode);
        for (StmtPtr& s : overThreads(numbers[0], reduction.op, plan.inner, mode))
          one.push_back(std::move(s));
        return one;
      });
      out.insert(out.end(), joined.begin(), joined.end());
    }
    if (work.isObject(reduction.original.get()) && (plan.gang || insideGang) && mode != Mode::Worker) {
      const VarPtr running = gangRunning(reduction.op, reduction.original);
      for (StmtPtr& s : combine(reduction.op, ref(running), copy, work.names)) out.push_back(std::move(s));
      continue;
    }
    StmtList result = combine(reduction.op, ref(reduction.original), copy, work.names);
    if (isMemory(*reduction.original))
      once(out, mode, std::move(result));
    else
      out.insert(out.end(), result.begin(), result.end());
  }
}

StmtList BodyLowerer::finishGangs(const GangResult& result, const VarPtr& values, const VarPtr& gangs) {
  StmtList out;
  const TypePtr& type = result.object->type;
  VarPtr sum = work.names.local(result.object->name + "_of_all", type);
  LoopPlan plan;
  plan.inner = Inner::Lanes;
  plan.reductions.push_back({result.op, result.object, sum, work.loc});
  startReductions(out, plan);
  VarPtr at = work.names.local("gang", int32());
  For loop;
  loop.init = {makeStmt(Declare{at, convert(coord(CoordKind::ThreadIdx, 0), int32())})};
  loop.cond = binary(BinaryOp::Lt, ref(at),
                     HONE_SEED(LastGangLeftOut, ref(gangs), minus(ref(gangs), intLit(1, int32()))));
  loop.step = {makeStmt(Assign{ref(at), BinaryOp::Add, coord(CoordKind::BlockDim, 0)})};
  loop.body = block(combine(result.op, ref(sum), subscript(ref(values), {ref(at)}), work.names));
  out.push_back(makeStmt(std::move(loop)));
  finishReductions(out, plan, Mode::Block);
  return out;
}

}  // namespace hone::acc
