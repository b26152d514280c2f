#include "emit/EmitPlanOpenCL.h"

#include "emit/EmitEnqueue.h"
#include "emit/Marks.h"
#include "emit/PlanFormula.h"
#include "emit/PlanKernels.h"
#include "emit/TakenValues.h"
#include "ir/Build.h"
#include "ir/Compare.h"

namespace hone::emit {

using namespace ir;

namespace {

class OpenCLPlan {
 public:
  OpenCLPlan(const Plan& p, const PlanSite& s, const EmitOptions& o)
      : plan(p),
        site(s),
        options(o),
        kernels(p,
                [this](const std::string& name) {
                  return site.macros.contains(name) || site.taken.contains(name);
                }),
        table(o, plan.original->language, false) {}

  PlanText print() {
    nameKernels();
    if (site.hostOnly) return printHost();
    result.enqueue = enqueueFunction(plan, kernels, site.original);
    std::string code;
    for (const ConstantLine& c : kernels.constants) {
      if (c.value != static_cast<int32_t>(c.value))
        result.errors.push_back(
            {"internal: OpenCL has no named constant of more than 32 bits; please report", {}});
      result.constants.push_back(c.name);
    }
    const TakenValues taken = takenValues(*plan.original, site.macros, options);
    code += taken.assertion(Language::OpenCL);
    code += constantLines(kernels.constants, Language::OpenCL);
    if (!code.empty()) code += "\n";
    for (NewKernel& k : kernels.kernels) code += kernelText(k);
    while (code.ends_with("\n\n")) code.pop_back();
    code = guardLine(taken.directive) + "\n" + code + "#endif\n";
    std::vector<std::string> story;
    if (kernels.kernels.size() == 1) story = kernels.kernels[0].kernel->story;
    std::string head = planTitle(site, story) + "\n" + rows();
    if (result.ok()) {
      result.text = placedComment(head, options) + formatCode(code, options);
      while (!result.text.empty() && (result.text.back() == '\n' || result.text.back() == '\r'))
        result.text.pop_back();
    }
    return std::move(result);
  }

 private:
  // Classes of sizes by their names, others by numbers.
  void nameKernels() {
    size_t number = 0;
    std::set<std::string> used;
    for (NewKernel& k : kernels.kernels) {
      ++number;
      k.name = kernels.kernels.size() == 1 ? site.space
               : kernels.hasOwnName(k)     ? site.space + "_" + k.kernel->name
                                           : site.space + "_" + std::to_string(number);
      const std::string wanted = k.name;
      for (int n = 2; !used.insert(k.name).second; ++n) k.name = wanted + "_" + std::to_string(n);
    }
  }

  // The table alone, for a file of its own.
  PlanText printHost() {
    for (const NewKernel& k : kernels.kernels) {
      auto expected = std::make_shared<Kernel>(*k.kernel);
      expected->name = expected->qualifiedName = k.name;
      expected->launchBounds.reset();
      if (auto block = commonBlock(k)) expected->requiredBlock = block;
      result.kernels.push_back({k.name, expected});
    }
    std::vector<std::string> story;
    if (kernels.kernels.size() == 1) story = kernels.kernels[0].kernel->story;
    result.text = placedComment(planTitle(site, story) + "\n" + rows(), options);
    return std::move(result);
  }

  std::string kernelText(NewKernel& k) {
    Emitter e(options, k.kernel->language, false);
    e.chosenConstants = k.constants;
    e.freeParameters = true;
    auto expected = std::make_shared<Kernel>(*k.kernel);
    expected->name = k.name;
    if (auto block = commonBlock(k)) expected->requiredBlock = block;
    std::string head = "__kernel ";
    if (expected->requiredBlock) {
      const auto& b = *expected->requiredBlock;
      head += "__attribute__((reqd_work_group_size(" + std::to_string(b[0]) + ", " + std::to_string(b[1]) +
              ", " + std::to_string(b[2]) + "))) ";
    }
    std::string body = e.bodyOf(k.kernel->params, k.kernel->body, k.kernel.get()), params;
    for (const VarPtr& p : k.kernel->params) params += (params.empty() ? "" : ", ") + e.declarationOf(*p);
    result.errors.insert(result.errors.end(), e.errors.begin(), e.errors.end());
    result.kernels.push_back({k.name, expected});
    std::string text;
    if (kernels.kernels.size() > 1)
      for (const std::string& sentence : k.kernel->story) text += commentLines(sentence);
    return text + head + "void " + k.name + "(" + params + ") " + body + "\n";
  }

  // ---- the table above the kernels

  std::string rows() {
    collect(plan, "", "");
    std::string text = "Enqueue in place of " + site.title + ", whose sizes are global and local:";
    std::string shown;  // the condition that stands above the rows
    for (const std::string& b : result.buffers) text += "\n  buffer  " + b;
    for (const PlanRow& r : result.rows) {
      if (r.isOriginal) continue;
      if (!r.condition.empty() && r.condition != shown) {
        text += "\n  where   " + r.condition + "; else " + site.title + " itself";
        shown = r.condition;
      }
      if (!r.loop.empty()) text += "\n  " + r.loop;
      text += "\n  " + r.kernel + "\n    local   {" + r.block[0] + ", " + r.block[1] + ", " + r.block[2] +
              "}\n    global  {" + r.grid[0] + ", " + r.grid[1] + ", " + r.grid[2] + "}";
      std::string args;
      for (const std::string& a : r.args) args += (args.empty() ? "" : ", ") + a;
      text += "\n    arguments  " + (args.empty() ? "none" : args);
      if (!r.shared.empty()) text += "\n    local memory  " + r.shared + " bytes";
    }
    return text;
  }

  static ExprPtr withTotals(const ExprPtr& e) {
    return simplified(withThreads(
        e, [](unsigned axis, const TypePtr& type) { return coord(CoordKind::GlobalSize, axis, type); }));
  }

  PlanFormula formula() const {
    return PlanFormula(table.names, constants, [](const Coord& c) {
      const std::string axis = "[" + std::to_string(c.axis) + "]";
      if (c.kind == CoordKind::GridDim) return "global" + axis + " / local" + axis;
      if (c.kind == CoordKind::GlobalOffset) return "offset" + axis;
      return (c.kind == CoordKind::GlobalSize ? "global" : "local") + axis;
    });
  }

  std::string value(const ExprPtr& e) const { return formula().of(withTotals(e)); }

  void collect(const Plan& p, const std::string& condition, const std::string& loops) {
    for (const Step& step : p.steps) {
      if (const auto* b = std::get_if<BufferStep>(&step))
        result.buffers.push_back(table.types.declaration(b->buffer->type, b->buffer->name) + ": " +
                                 value(b->count) + " elements");
      if (const auto* c = std::get_if<ChoiceStep>(&step)) {
        const std::string test = formula().conjunction(withTotals(c->cond));
        const auto* compared = as<Binary>(c->cond);
        const bool isOrder = compared && (compared->op == BinaryOp::Le || compared->op == BinaryOp::Gt);
        std::string other = isOrder ? value(negated(c->cond)) : "!(" + test + ")";
        collect(*c->then, condition.empty() ? test : condition + " && " + test, loops);
        collect(*c->otherwise, condition.empty() ? other : condition + " && " + other, loops);
      }
      if (const auto* l = std::get_if<LoopStep>(&step))
        collect(*l->body, condition,
                loops + (loops.empty() ? "" : " ") + "for (" +
                    table.types.declaration(l->var->type, l->var->name) + " = " + value(l->begin) + "; " +
                    value(l->cond) + "; " + l->var->name + " = " + value(l->next) + ")");
      if (const auto* l = std::get_if<LaunchStep>(&step)) row(*l, condition, loops);
    }
  }

  void row(const LaunchStep& l, const std::string& condition, const std::string& loops) {
    const NewKernel* k = kernels.of(l);
    constants = k ? k->constants : kernels.allConstants();
    PlanRow r;
    r.isOriginal = !k;
    r.kernel = k ? k->name : site.title;
    for (unsigned i = 0; i < 3; ++i) {
      const bool same = equal(l.grid[i], coord(CoordKind::GridDim, i, l.grid[i]->type)) &&
                        equal(l.block[i], coord(CoordKind::BlockDim, i, l.block[i]->type));
      r.block[i] = value(l.block[i]);
      r.grid[i] = same ? "global[" + std::to_string(i) + "]" : value(times(l.grid[i], l.block[i]));
    }
    for (const ExprPtr& a : l.args) r.args.push_back(value(a));
    if (l.sharedBytes) r.shared = value(l.sharedBytes);
    r.condition = condition;
    r.loop = loops;
    result.rows.push_back(std::move(r));
  }

  const Plan& plan;
  const PlanSite& site;
  const EmitOptions& options;
  PlanKernels kernels;
  Emitter table;  // for names and types
  std::map<ConstantRole, Emitter::ChosenConstant> constants = kernels.allConstants();
  PlanText result;
};

}  // namespace

PlanText emitPlanOpenCL(const Plan& plan, const PlanSite& site, const EmitOptions& options) {
  return OpenCLPlan(plan, site, options).print();
}

}  // namespace hone::emit
