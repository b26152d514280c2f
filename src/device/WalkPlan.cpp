#include "device/WalkPlan.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstring>
#include <map>

#include "device/EvaluateExpr.h"
#include "device/FillArray.h"
#include "device/Parameters.h"
#include "ir/Build.h"
#include "ir/Error.h"
#include "ir/HostIteration.h"

namespace hone::device {

using namespace ir;

namespace {

Number loadLeaf(const uint8_t* at, const Type& type) {
  if (type.isFloating()) return realNumber(loadNumber(at, type));
  if (type.isPointer() || (type.is(TypeKind::Int) && type.bits == 64)) {
    int64_t value = 0;
    std::memcpy(&value, at, 8);
    return wholeNumber(value);
  }
  return wholeNumber(type.isArithmetic() ? static_cast<int64_t>(loadNumber(at, type)) : 0);
}

class PlanWalker {
 public:
  PlanWalker(const Plan& plan, const PlanLaunch& original, PlanSteps& taken)
      : top(plan), launch(original), steps(taken) {
    const bool isOpenCL = plan.original->language == Language::OpenCL;
    for (const ParameterLeaf& leaf : parameterLeaves(*plan.original)) {
      if (leaf.param >= launch.arguments.size()) continue;
      const std::vector<uint8_t>& bytes = launch.arguments[leaf.param];
      const uint64_t size = leaf.type->isPointer() ? 8 : sizeOf(*leaf.type, isOpenCL);
      if (leaf.offset + size > bytes.size()) continue;
      leaves[leaf.path] = loadLeaf(bytes.data() + leaf.offset, *leaf.type);
    }
    for (size_t p = 0; p < plan.original->params.size(); ++p) positions[plan.original->params[p].get()] = p;
    if (plan.original->iteration && doesIterations(plan)) {
      chooseOthers(*plan.original->iteration, mostIterations(plan));
      result.ofLoop = iterationsOf(*plan.original->iteration);
    }
  }

  PlanWalk result;

  void walk(const Plan& plan) {
    if (plan.iterations > 1 &&
        value(iterationsDue(*top.original, plan.iterations), "condition").asReal() == 0)
      throw Error(fmt::format(
          "internal: the plan of kernel '{}' does {} iterations where fewer are due; please report",
          top.original->name, plan.iterations));
    if (plan.iterations) result.iterations = plan.iterations;
    for (const Step& step : plan.steps) {
      if (!result.completed) return;
      std::visit([this](const auto& s) { take(s); }, step);
    }
  }

 private:
  // What the host's loop would have besides the arguments nobody says here: the first numbers under which all
  // iterations are due, else ones.
  void chooseOthers(const HostIteration& iteration, unsigned iterations) {
    static constexpr std::array<int64_t, 8> tried{1, 0, 2, 7, 64, 1000, 1 << 20, 1 << 30};
    size_t ways = 1;
    for (size_t i = 0; i < iteration.others.size() && i < 4; ++i) ways *= tried.size();
    auto choose = [&](size_t way) {
      for (const VarPtr& other : iteration.others) {
        counters[other.get()] = tried[way % tried.size()];
        way /= tried.size();
      }
    };
    const ExprPtr due = iterationsDue(*top.original, iterations);
    for (size_t way = 0; way < ways; ++way) {
      choose(way);
      if (const auto holds = tryValue(due); holds && holds->asReal() != 0) return;
    }
    choose(0);
  }

  // Of the whole loop; 0: not known, or without an end.
  uint64_t iterationsOf(const HostIteration& iteration) {
    constexpr uint64_t most = 1 << 20;
    auto at = iteration.first ? tryValue(iteration.first) : std::nullopt;
    const auto before = counters;  // the counter is among the others, or a parameter
    uint64_t iterations = 0;
    for (bool again = true; again && at && iterations <= most; ++iterations) {
      counters[iteration.counter.get()] = at->asWhole();
      const auto due = tryValue(iteration.again);
      at = due ? tryValue(iteration.next) : std::nullopt;
      again = due && due->asReal() != 0;
    }
    counters = before;
    return at && iterations <= most ? iterations : 0;
  }

  std::optional<Number> tryValue(const ExprPtr& e) {
    ExprNames names;
    names.coord = [this](const Coord& c) -> std::optional<Number> {
      if (c.kind == CoordKind::GridDim) return wholeNumber(launch.grid[c.axis]);
      if (c.kind == CoordKind::BlockDim) return wholeNumber(launch.block[c.axis]);
      if (c.kind == CoordKind::GlobalSize)
        return wholeNumber(int64_t(launch.grid[c.axis]) * launch.block[c.axis]);
      if (c.kind == CoordKind::WarpSize) return wholeNumber(32);
      if (c.kind == CoordKind::GlobalOffset) return wholeNumber(0);  // launches here have none
      return std::nullopt;
    };
    names.place = [this](const ExprPtr& place) -> std::optional<Number> {
      if (const auto* var = as<VarRef>(place)) {
        if (auto counter = counters.find(var->var.get()); counter != counters.end())
          return wholeNumber(counter->second);
        if (auto buffer = addresses.find(var->var.get()); buffer != addresses.end())
          return wholeNumber(static_cast<int64_t>(buffer->second));
      }
      auto leaf = leaves.find(pathOf(place));
      return leaf == leaves.end() ? std::nullopt : std::optional(leaf->second);
    };
    return evaluate(e, names);
  }

  Number value(const ExprPtr& e, const char* what) {
    auto found = tryValue(e);
    if (!found)
      throw Error(fmt::format("the plan of kernel '{}' has a {} that has no value before the launch",
                              top.original->name, what));
    return *found;
  }

  void take(const BufferStep& step) {
    const int64_t count = value(step.count, "length of a buffer").asWhole();
    const uint64_t bytes = sizeOf(*step.buffer->type->element, top.original->language == Language::OpenCL);
    if (count < 0 || count > (int64_t(1) << 33))
      throw Error(fmt::format("buffer '{}' would have {} elements", step.buffer->name, count));
    addresses[step.buffer.get()] =
        steps.makeBuffer(*step.buffer, std::max<uint64_t>(1, static_cast<uint64_t>(count) * bytes), bytes);
  }

  void take(const ChoiceStep& step) {
    const bool holds = value(step.cond, "condition").asReal() != 0;
    result.choices.emplace_back(step.cond.get(), holds);
    for (const ExprPtr& test : conjuncts(step.cond))
      if (const auto one = tryValue(test)) result.tests.emplace_back(test.get(), one->asReal() != 0);
    result.fellBack |= !holds && step.otherwise && !step.otherwise->steps.empty();
    const PlanPtr& chosen = holds ? step.then : step.otherwise;
    if (chosen) walk(*chosen);
  }

  void take(const LoopStep& step) {
    int64_t& at = counters[step.var.get()];
    at = value(step.begin, "start of a loop").asWhole();
    for (uint64_t iterations = 0; value(step.cond, "condition").asReal() != 0 && result.completed;
         ++iterations) {
      if (iterations > 1'000'000)
        throw Error(fmt::format("the plan of kernel '{}' does not end", top.original->name));
      walk(*step.body);
      at = value(step.next, "step of a loop").asWhole();
    }
    counters.erase(step.var.get());
  }

  void take(const LaunchStep& step) {
    ConcreteLaunch one;
    one.kernel = step.kernel;
    for (size_t i = 0; i < 3; ++i) {
      const int64_t grid = value(step.grid[i], "grid").asWhole(),
                    block = value(step.block[i], "block").asWhole();
      if (grid < 1 || block < 1 || grid > 0x7fffffff || block > 0x7fffffff)
        throw Error(fmt::format("kernel '{}' would be launched with a grid of {} and a block of {} along {}",
                                step.kernel->name, grid, block, "xyz"[i]));
      one.grid[i] = static_cast<uint32_t>(grid);
      one.block[i] = static_cast<uint32_t>(block);
    }
    one.dynamicShared =
        step.sharedBytes ? static_cast<uint64_t>(value(step.sharedBytes, "size of shared memory").asWhole())
                         : launch.dynamicShared;
    one.cooperative = step.cooperative || launch.cooperative;
    for (size_t p = 0; p < step.kernel->params.size(); ++p)
      one.arguments.push_back(argument(step.args.at(p), *step.kernel->params[p]->type));
    result.completed &= steps.launch(one);
  }

  std::vector<uint8_t> argument(const ExprPtr& e, const Type& type) {
    if (const auto* var = as<VarRef>(e))
      if (auto at = positions.find(var->var.get()); at != positions.end())
        return launch.arguments.at(at->second);
    const Number v = value(e, "argument");
    std::vector<uint8_t> bytes(8);
    if (type.isPointer())
      std::memcpy(bytes.data(), &v.whole, 8);
    else
      storeNumber(bytes.data(), type, v.asReal(), v.asWhole());
    return bytes;
  }

  const Plan& top;
  const PlanLaunch& launch;
  PlanSteps& steps;
  std::map<std::string, Number> leaves;
  std::map<const Variable*, size_t> positions;
  std::map<const Variable*, uint64_t> addresses;
  std::map<const Variable*, int64_t> counters;  // of the loops that run now, and HostIteration::others
};

}  // namespace

PlanWalk walkPlan(const Plan& plan, const PlanLaunch& launch, PlanSteps& steps) {
  PlanWalker walker(plan, launch, steps);
  walker.walk(plan);
  return walker.result;
}

}  // namespace hone::device
