#include "passes/launch/Specialize.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/HostIteration.h"
#include "passes/edit/SubstituteConstants.h"
#include "passes/host/PlanEdit.h"

namespace hone::passes {

using namespace ir;

namespace {

// The values that launches are told apart by: as asked for, else what the first iteration of the host's loop
// hands over.
Result<Substitution> wantedNumbers(const Kernel& original, const SpecializeOptions& options) {
  Substitution out;
  auto add = [&](const VarPtr& param, int64_t value) -> Obstacle {
    const ExprPtr literal = intLit(value, param->type);
    if (constantValue(literal) != value) return Refusal{fmt::format("{} cannot be {}", param->name, value)};
    out.emplace_back(param, literal);
    return std::nullopt;
  };
  for (const auto& [name, value] : options.numbers) {
    const auto param = std::find_if(original.params.begin(), original.params.end(),
                                    [&](const VarPtr& p) { return p->name == name; });
    if (param == original.params.end() || !(*param)->type->is(TypeKind::Int))
      return Refusal{fmt::format("{} is no whole number among its parameters", name)};
    if (Obstacle no = add(*param, value)) return *no;
  }
  if (!out.empty()) return out;
  if (original.iteration && original.iteration->first &&
      std::find(original.params.begin(), original.params.end(), original.iteration->counter) !=
          original.params.end()) {
    if (const auto first = constantValue(original.iteration->first))
      if (Obstacle no = add(original.iteration->counter, *first)) return *no;
  }
  if (out.empty())
    return Refusal{
        "nothing says which value a parameter has often: specialize(p=1) makes a kernel for launches in "
        "which p is 1"};
  return out;
}

// The launch where the plan's variables are these numbers; nothing: its kernel is handed none of them.
std::optional<LaunchStep> specialLaunch(LaunchStep launch, const Substitution& numbers) {
  auto known = [&](ExprPtr& e) {
    if (e) e = simplified(substituted(e, numbers));
  };
  for (unsigned axis = 0; axis < 3; ++axis) known(launch.grid[axis]), known(launch.block[axis]);
  known(launch.sharedBytes);
  auto kernel = std::make_shared<Kernel>(*launch.kernel);
  std::set<const Variable*> changing = assignedVariables(kernel->body);
  changing.merge(addressTaken(kernel->body));
  Substitution inKernel;
  for (size_t p = 0; p < launch.args.size(); ++p) {
    const VarPtr& param = kernel->params[p];
    const ExprPtr before = launch.args[p];
    known(launch.args[p]);
    const auto value = constantValue(launch.args[p]);
    if (!value || constantValue(before) || !param->type->is(TypeKind::Int) || changing.contains(param.get()))
      continue;
    inKernel.emplace_back(param, intLit(*value, param->type));
    kernel->name += fmt::format("_{}{}{}", param->name, *value < 0 ? "minus" : "", std::abs(*value));
    kernel->story.push_back(fmt::format("For launches in which {} is {}.", param->name, *value));
  }
  if (inKernel.empty()) return std::nullopt;
  kernel->body = withConstants(kernel->body, inKernel);
  dropUnusedParameters(*kernel, launch);
  launch.kernel = kernel;
  return launch;
}

class Specializer {
 public:
  explicit Specializer(Substitution wanted) : numbers(std::move(wanted)) {
    for (const auto& [param, literal] : numbers) {
      test = andAlso(test, binary(BinaryOp::Eq, ref(param), literal));
      said += fmt::format("{}{} is {}", said.empty() ? "" : " and ", param->name, *constantValue(literal));
    }
  }

  // The plan with a choice below the conditions that it begins with.
  Result<PlanPtr> chosen(const PlanPtr& plan) const {
    auto copy = std::make_shared<Plan>(*plan);
    if (const auto* choice = onlyStep<ChoiceStep>(*plan)) {
      const Result<PlanPtr> then = chosen(choice->then);
      if (!then) return then;
      copy->steps = {ChoiceStep{choice->cond, *then, choice->otherwise}};
      return copy;
    }
    for (const Step& step : plan->steps)
      if (const auto* known = std::get_if<ChoiceStep>(&step); known && equal(known->cond, test))
        return Refusal{fmt::format("launches in which {} have a kernel of their own already", said)};
    // Temporaries are for both.
    auto general = std::make_shared<Plan>();
    general->original = plan->original;
    copy->steps.clear();
    for (const Step& step : plan->steps)
      (std::holds_alternative<BufferStep>(step) ? copy->steps : general->steps).push_back(step);
    size_t made = 0;
    const PlanPtr special = mapLaunches(general, [&](const LaunchStep& launch) -> Step {
      const std::optional<LaunchStep> one = specialLaunch(launch, numbers);
      made += one.has_value();
      return one ? *one : launch;
    });
    if (!made) return Refusal{fmt::format("its code is the same where {}", said)};
    const PlanPtr nothing = planOf(plan->original, {});
    // Two choices of which one takes place: later passes work on what stands below both.
    copy->steps.emplace_back(ChoiceStep{test, special, nothing});
    copy->steps.emplace_back(ChoiceStep{negated(test), general, nothing});
    return copy;
  }

  std::string said;

 private:
  Substitution numbers;
  ExprPtr test;
};

}  // namespace

PassResult specialize(const PlanPtr& plan, const SpecializeOptions& options, PassContext&) {
  const Kernel& original = *plan->original;
  Result<Substitution> numbers = wantedNumbers(original, options);
  if (!numbers) return numbers.refusal();
  const Specializer specializer(*std::move(numbers));
  Result<PlanPtr> chosen = specializer.chosen(plan);
  if (!chosen) return chosen.refusal();
  PassResult result{*chosen, {}};
  result.remarks.push_back({RemarkKind::Done, original.loc, original.name,
                            fmt::format("launches in which {} run a kernel of their own", specializer.said)});
  return result;
}

const PassOf<SpecializeOptions>& specializePass() {
  static const PassOf<SpecializeOptions> pass =
      PassOf<SpecializeOptions>("specialize",
                                "Launches in which a parameter has a given value run a kernel of their own, "
                                "with the number in its place.",
                                specialize)
          .with({.keepsAccesses = true})
          .numbersByName(&SpecializeOptions::numbers, "<parameter>=<number>",
                         "whole numbers that launches are told apart by; without any: what the host's loop "
                         "begins with");
  return pass;
}

}  // namespace hone::passes
