#include "tune/DispatchPlan.h"

#include <fmt/core.h>

#include <algorithm>
#include <functional>

#include "ir/Build.h"
#include "ir/Compare.h"
#include "ir/Error.h"
#include "ir/PlanWalk.h"
#include "tune/SizeProduct.h"

namespace hone::tune {

using namespace ir;

namespace {

// A plan whose new kernels go by the name of the class.
class NamedPlan {
 public:
  // Kernels for which `isShared` holds keep their names.
  NamedPlan(KernelPtr originalKernel, std::string className, std::function<bool(const KernelPtr&)> shared)
      : original(std::move(originalKernel)), name(std::move(className)), isShared(std::move(shared)) {}

  PlanPtr of(const PlanPtr& plan) {
    return mapLaunches(
        plan,
        [this](LaunchStep launch) -> Step {
          launch.kernel = renamed(launch.kernel);
          return launch;
        },
        Branches::All);
  }

 private:
  KernelPtr renamed(const KernelPtr& kernel) {
    if (kernel == original || isShared(kernel)) return kernel;
    KernelPtr& known = kernels[kernel];
    if (!known) {
      auto copy = std::make_shared<Kernel>(*kernel);
      copy->name = kernel->name == original->name ? name : name + "_" + kernel->name;
      known = copy;
    }
    return known;
  }

  KernelPtr original;
  std::string name;
  std::function<bool(const KernelPtr&)> isShared;
  std::map<KernelPtr, KernelPtr> kernels;
};

class DispatchMaker {
 public:
  DispatchMaker(const SizeTree& root, const std::vector<PlanPtr>& ofVariants)
      : tree(root), plans(ofVariants), original(ofVariants.front()->original) {}

  Dispatch made() {
    collect(tree);
    const size_t count = order.size();
    for (size_t i = 0; i < count && !tree.isLeaf() && count > 1; ++i)
      out.names[order[i]] = count <= 3 ? (i == 0           ? "small"
                                          : i + 1 == count ? "large"
                                                           : "medium")
                                       : fmt::format("class_{}", i + 1);
    findCommon();
    out.plan = allowedPlan(tree);
    return std::move(out);
  }

 private:
  // The variants from small to large.
  void collect(const SizeTree& node) {
    if (!node.isLeaf()) {
      collect(*node.small);
      collect(*node.large);
    } else if (node.variant != 0 && std::find(order.begin(), order.end(), node.variant) == order.end()) {
      order.push_back(node.variant);
    }
  }

  static bool launches(const Plan& plan, const Kernel& kernel) {
    const std::vector<const LaunchStep*> all = launchesOf(plan, Branches::All);
    return std::any_of(all.begin(), all.end(),
                       [&](const LaunchStep* launch) { return equal(*launch->kernel, kernel); });
  }

  // A part of several kernels that another class has too.
  bool isShared(const KernelPtr& kernel, size_t variant) const {
    return kernel->name != original->name && std::any_of(order.begin(), order.end(), [&](size_t other) {
             return other != variant && launches(*plans[other], *kernel);
           });
  }

  // The choice between a variant's own launches and the original; null: it begins otherwise.
  const ChoiceStep* conditionOf(const PlanPtr& plan) const {
    const auto* choice = onlyStep<ChoiceStep>(*plan);
    return choice && isLaunchOf(*choice->otherwise, original) ? choice : nullptr;
  }

  static bool contains(const std::vector<ExprPtr>& list, const ExprPtr& one) {
    return std::any_of(list.begin(), list.end(), [&](const ExprPtr& other) { return equal(one, other); });
  }

  // Where all classes ask for the same, it is asked once, before the size.
  void findCommon() {
    std::vector<ExprPtr> first;
    for (size_t i = 0; i < order.size(); ++i) {
      const ChoiceStep* choice = conditionOf(plans[order[i]]);
      if (!choice || order.size() < 2) return;
      const std::vector<ExprPtr> own = conjuncts(choice->cond);
      if (i == 0) first = own;
      auto isIn = [](const std::vector<ExprPtr>& list) {
        return [&list](const ExprPtr& part) { return contains(list, part); };
      };
      if (!std::all_of(own.begin(), own.end(), isIn(first)) ||
          !std::all_of(first.begin(), first.end(), isIn(own)))
        return;
    }
    if (!first.empty()) common = conditionOf(plans[order.front()])->cond;
  }

  ExprPtr testOf(const SizeTest& test) const {
    std::vector<ExprPtr> factors;
    for (const std::string& name : test.factors) {
      const auto param = std::find_if(original->params.begin(), original->params.end(),
                                      [&](const VarPtr& p) { return p->name == name; });
      if (param == original->params.end() || !(*param)->type->is(TypeKind::Int))
        throw Error(fmt::format("'{}' is no whole number among the parameters of '{}'", name, original->name),
                    1);
      factors.push_back(ref(*param));
    }
    ExprPtr product = sizeProduct(factors);
    if (test.most != static_cast<int32_t>(test.most) && product->type->is(TypeKind::Int))
      product = convert(product, int64());
    return binary(BinaryOp::Le, product, convert(intLit(test.most, int64()), product->type));
  }

  PlanPtr choosing(ChoiceStep choice) const { return ir::planOf(original, {std::move(choice)}); }

  // Sizes that keep the original at the small end are told first: there the tests of the others would cost
  // the most.
  PlanPtr allowedPlan(const SizeTree& node) {
    if (!common) return planOf(node);
    if (!node.isLeaf() && node.small->isLeaf() && node.small->variant == 0)
      return choosing({testOf(node.test), originalPlan(original), allowedPlan(*node.large)});
    return choosing({common, planOf(node), originalPlan(original)});
  }

  PlanPtr planOf(const SizeTree& node) {
    if (node.isLeaf()) {
      PlanPtr& made = named[node.variant];
      if (!made) {
        made = plans[node.variant];
        if (common && node.variant != 0) made = conditionOf(made)->then;
        if (auto name = out.names.find(node.variant); name != out.names.end())
          made = NamedPlan(original, name->second, [&](const KernelPtr& kernel) {
                   return isShared(kernel, node.variant);
                 }).of(made);
      }
      return made;
    }
    ChoiceStep choice{testOf(node.test), planOf(*node.small), planOf(*node.large)};
    // A choice whose other side is the original says where a plan may run at all; this one says which is
    // faster.
    if (node.large->isLeaf() && node.large->variant == 0)
      choice = {negated(choice.cond), choice.otherwise, choice.then};
    return choosing(std::move(choice));
  }

  const SizeTree& tree;
  const std::vector<PlanPtr>& plans;
  KernelPtr original;
  Dispatch out;
  std::vector<size_t> order;
  ExprPtr common;  // of all variants; null: nothing
  std::map<size_t, PlanPtr> named;
};

}  // namespace

Dispatch dispatchPlan(const SizeTree& tree, const std::vector<PlanPtr>& plans) {
  return DispatchMaker(tree, plans).made();
}

}  // namespace hone::tune
