#include "report/ExplainKernel.h"

#include <fmt/core.h>

#include <set>

#include "emit/Emit.h"
#include "ir/Handles.h"
#include "ir/Walk.h"

namespace hone::report {

namespace {

class Explainer {
 public:
  Explainer(const ir::KernelPtr& which, KernelExplanation& out)
      : kernel(*which), inlined(affine::withCallsInlined(which)), result(out) {}

  void run() {
    for (const ir::VarPtr& param : kernel.params) {
      result.parameters.push_back({param->name, type(param->type)});
      if (param->type->isPointer()) addArray(*param);
    }
    ir::walkStmts(kernel.body, [&](const ir::Stmt& stmt) {
      const auto* declare = stmt.as<ir::Declare>();
      if (!declare) return;
      if (declare->var->type->is(ir::TypeKind::Array) || declare->var->space == ir::Space::Shared)
        addArray(*declare->var);
    });
    lookForGlobals(kernel.body);
    addLoopsAndAccesses();
  }

 private:
  const ir::Kernel& kernel;
  ir::KernelPtr inlined;
  KernelExplanation& result;
  std::set<const ir::Variable*> seenVariables;
  std::set<const ir::Function*> seenFunctions;

  std::string text(const ir::ExprPtr& e) const { return e ? emit::emitExpr(e, kernel.language) : ""; }
  std::string type(const ir::TypePtr& t) const { return emit::emitType(t, kernel.language); }

  // A named number is no memory.
  static bool isConstant(const ir::Variable& var) { return var.isConstexpr && var.type->isArithmetic(); }

  void addArray(const ir::Variable& var) {
    if (isConstant(var) || !seenVariables.insert(&var).second) return;
    ExplainedArray array;
    array.name = var.name;
    array.origin = var.isDynamicShared                  ? "dynamic shared"
                   : var.storage == ir::Storage::Param  ? "parameter"
                   : var.storage == ir::Storage::Global ? "global"
                                                        : "local";
    ir::TypePtr element = var.type;
    if (element->isPointer()) {
      array.space = ir::str(element->space);
      array.shape.emplace_back("?");
      element = element->element;
    } else {
      array.space = ir::str(var.space);
    }
    for (; element->is(ir::TypeKind::Array); element = element->element)
      array.shape.push_back(element->extent < 0 ? "?" : fmt::format("{}", element->extent));
    array.element = type(element);
    result.arrays.push_back(std::move(array));
  }

  // Globals and functions that the kernel uses, itself or through functions.
  void lookForGlobals(const ir::StmtPtr& body) {
    if (!body) return;
    ir::walkExprs(body, [&](const ir::Expr& e) {
      if (const auto* use = e.as<ir::VarRef>(); use && use->var->storage == ir::Storage::Global)
        addArray(*use->var);
      const auto* call = e.as<ir::Call>();
      if (!call || !call->function || !seenFunctions.insert(call->function.get()).second) return;
      result.functions.push_back(call->function->name);
      lookForGlobals(call->function->body);
    });
  }

  std::string loopHeader(const ir::Stmt& loop, std::string& kind) const {
    if (const auto* whileLoop = loop.as<ir::While>()) {
      kind = "while";
      return fmt::format("while ({})", text(whileLoop->cond));
    }
    if (const auto* doLoop = loop.as<ir::DoWhile>()) {
      kind = "do";
      return fmt::format("do … while ({})", text(doLoop->cond));
    }
    const auto& forLoop = *loop.as<ir::For>();
    auto counts = ir::counted(forLoop);
    kind = counts ? "counted" : "for";
    if (!counts) return fmt::format("for (…; {}; …)", text(forLoop.cond));
    return fmt::format("for ({}{}; {} {} {}; {} {}= {})", counts->var->name,
                       counts->begin ? " = " + text(counts->begin) : "", counts->var->name,
                       ir::spelling(counts->compare), text(counts->end), counts->var->name,
                       ir::spelling(counts->op), text(counts->step));
  }

  void addLoopsAndAccesses() {
    ir::KernelHandles handles = ir::handles(*inlined);
    for (const ir::LoopHandle& loop : handles.loops) {
      ExplainedLoop out;
      out.handle = loop.name;
      out.line = loop.loop->loc.line;
      if (loop.parent >= 0) out.parent = handles.loops[static_cast<size_t>(loop.parent)].name;
      out.header = loopHeader(*loop.loop, out.kind);
      result.loops.push_back(std::move(out));
    }
    for (const ir::AccessHandle& access : handles.accesses) {
      if (const auto* use = ir::as<ir::VarRef>(access.access.place); use && isConstant(*use->var)) continue;
      ExplainedAccess out;
      out.handle = access.name;
      out.array = access.name.substr(0, access.name.rfind('#'));
      out.text = text(access.access.place);
      out.atomic = access.access.atomic;
      out.line = access.access.place->loc.valid() ? access.access.place->loc.line
                 : access.stmt                    ? access.stmt->loc.line
                                                  : 0;
      switch (access.access.mode) {
        case ir::AccessMode::Read: out.mode = "read"; break;
        case ir::AccessMode::Write: out.mode = "write"; break;
        case ir::AccessMode::ReadWrite: out.mode = "read and write"; break;
        case ir::AccessMode::Address: out.mode = "address"; break;
      }
      if (const auto* subscript = ir::as<ir::Subscript>(access.access.place))
        for (const ir::ExprPtr& index : subscript->indices) out.indices.push_back(text(index));
      for (int loop : access.loops) out.loops.push_back(handles.loops[static_cast<size_t>(loop)].name);
      for (const ir::ExprPtr& guard : access.guards) out.guards.push_back(text(guard));
      for (const ir::ExprPtr& cond : access.access.conditions) out.guards.push_back(text(cond));
      result.accesses.push_back(std::move(out));
    }
  }
};

}  // namespace

KernelExplanation explainKernel(const ir::KernelPtr& ptr) {
  const ir::Kernel& kernel = *ptr;
  KernelExplanation out;
  out.name = kernel.qualifiedName;
  out.language = kernel.language == ir::Language::OpenCL ? "opencl" : "cuda";
  out.line = kernel.loc.line;
  out.templateArgs.reserve(kernel.templateArgs.size());
  for (const ir::TemplateArg& argument : kernel.templateArgs) out.templateArgs.push_back(argument.text);
  out.imported = true;
  out.assumption = ir::launchAssumption(kernel);
  out.bounds = kernel.launchBounds;
  Explainer(ptr, out).run();
  return out;
}

}  // namespace hone::report
