// Functions that regions call, and variables at file scope that these use.
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "frontend/AccBodies.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

const std::optional<AccRoutine>& AccBodies::routineOf(const FunctionDecl& function) {
  const FunctionDecl* key = function.getCanonicalDecl();
  const auto known = routines.find(key);
  if (known != routines.end()) return known->second;
  return routines[key] = reader.routine(function);
}

// A function without a directive may still be called: it does all by itself.
AccLevel AccBodies::levelOf(const FunctionDecl& function) {
  const std::optional<AccRoutine>& known = routineOf(function);
  return known ? known->level : AccLevel::Seq;
}

void AccBodies::imported(const FunctionDecl& decl, const ir::FunctionPtr& made) {
  if (const std::optional<AccRoutine>& known = routineOf(decl)) result.routines[made.get()] = *known;
}

bool AccBodies::isLinked(const FunctionDecl& decl) {
  return !isa<CXXMethodDecl>(decl) && !decl.isInlineSpecified() && !decl.isTemplateInstantiation() &&
         routineOf(decl).has_value();
}

// With bind, the device runs another function than the host.
const FunctionDecl& AccBodies::calleeOf(const FunctionDecl& decl) {
  const std::optional<AccRoutine> known = routineOf(decl);
  if (!known || known->bind.empty()) return decl;
  const QualType type = decl.getType().getCanonicalType();
  const DeclarationName name(&unit.ast.Idents.get(known->bind));
  for (const NamedDecl* candidate : unit.ast.getTranslationUnitDecl()->lookup(name)) {
    const auto* function = dyn_cast<FunctionDecl>(candidate);
    if (!function || !unit.ast.hasSameType(function->getType().getCanonicalType(), type)) continue;
    // The directive speaks for what it names too.
    if (!routineOf(*function)) {
      AccRoutine bound = *known;
      bound.bind.clear();
      routines[function->getCanonicalDecl()] = bound;
    }
    return *function;
  }
  unit.refuse("function '" + known->bind + "', which '" + unit.qualifiedName(decl) +
                  "' is bound to, is not declared in this file with the same type",
              decl.getLocation());
}

// Code for the device runs there and nowhere else; which device is asked about may be known at run time only.
ir::ExprPtr AccBodies::libraryCall(BodyImporter& body, const CallExpr& e, const std::string& name) {
  if (name != "acc_on_device" || e.getNumArgs() != 1) return nullptr;
  const ir::SourceLoc at = unit.loc(e.getBeginLoc());
  const ir::ExprPtr asked = ir::convert(body.value(e.getArg(0)), ir::int32());
  ir::ExprPtr is;
  for (const char* device :
       {"acc_device_not_host", "acc_device_nvidia", "acc_device_default", "acc_device_current"})
    for (const NamedDecl* found :
         unit.ast.getTranslationUnitDecl()->lookup(DeclarationName(&unit.ast.Idents.get(device)))) {
      const auto* constant = dyn_cast<EnumConstantDecl>(found);
      if (!constant) continue;
      const ir::ExprPtr number = ir::intLit(constant->getInitVal().getSExtValue(), ir::int32(), at);
      const ir::ExprPtr same = ir::makeExpr(ir::boolType(), ir::Binary{ir::BinaryOp::Eq, asked, number}, at);
      is = is ? ir::makeExpr(ir::boolType(), ir::Binary{ir::BinaryOp::LogicalOr, is, same}, at) : same;
    }
  if (!is) unit.refuse("acc_on_device without openacc.h", e.getBeginLoc());
  return ir::convert(is, unit.type(e.getType(), e.getBeginLoc()));
}

void AccBodies::routine(const FunctionDecl& function) {
  const std::optional<AccRoutine> known = routineOf(function);
  if (!known || !known->bind.empty()) return;
  const bool wasToRun = std::exchange(unit.toRun, true);
  try {
    unit.function(function, function.getLocation());
  } catch (const Refusal& refusal) {
    result.messages.push_back({refusal.loc, "not on the device: " + refusal.reason, false});
  }
  unit.toRun = wasToRun;
}

bool AccBodies::isOnDevice(const VarDecl& var) { return reader.declared().contains(var.getCanonicalDecl()); }

void AccBodies::placed(const VarDecl& var, const ir::VarPtr& made) {
  onDevice[var.getCanonicalDecl()] = made;
}

void AccBodies::globals() {
  for (const auto& [decl, kind] : reader.declared()) {
    const VarDecl& var = decl->getDefinition() ? *decl->getDefinition() : *decl;
    AccGlobal made;
    made.kind = kind;
    made.name = unit.qualifiedName(var);
    made.address = "&" + made.name;
    made.bytes = "sizeof(" + made.name + ")";
    made.loc = unit.loc(var.getLocation());
    const auto known = onDevice.find(var.getCanonicalDecl());
    if (known != onDevice.end()) made.var = known->second;
    result.globals.push_back(std::move(made));
  }
}

}  // namespace hone::frontend
