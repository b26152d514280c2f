// Functions that regions call, and variables at file scope that these use.
#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclCXX.h"
#include "clang/AST/Mangle.h"
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
  const std::optional<AccRoutine>& known = routineOf(decl);
  if (!known) return;
  result.routines[made.get()] = *known;
  // Threads call it together: each call has to be a statement of its own, whatever the function does.
  if (known->level > AccLevel::Seq) made->synchronizes = true;
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

// Of declare link, the device has a pointer to where the data is for the time being.
ir::ExprPtr AccBodies::linked(const VarDecl& decl, ir::SourceLoc at) {
  const VarDecl* key = decl.getCanonicalDecl();
  const auto known = reader.declared().find(key);
  if (known == reader.declared().end() || known->second != AccDataKind::Link) return nullptr;
  ir::VarPtr& pointer = onDevice[key];
  if (!pointer) {
    auto var = std::make_shared<ir::Variable>();
    var->name = decl.getNameAsString();
    var->spelling = unit.qualifiedName(decl);
    var->linkageName = ASTNameGenerator(unit.ast).getName(&decl);
    var->storage = ir::Storage::Global;
    var->space = ir::Space::Global;
    var->loc = unit.loc(decl.getLocation());
    var->type = ir::pointerType(unit.type(decl.getType(), decl.getLocation()), ir::Space::Global);
    result.module.globals.push_back(var);
    pointer = var;
  }
  return ir::deref(ir::ref(pointer, at), at);
}

void AccBodies::placed(const VarDecl& var, const ir::VarPtr& made) {
  onDevice[var.getCanonicalDecl()] = made;
}

void AccBodies::globals() {
  for (const auto& [decl, kind] : reader.declared()) {
    const VarDecl& var = decl->getDefinition() ? *decl->getDefinition() : *decl;
    AccGlobal made;
    made.kind = kind;
    made.name = unit.qualifiedName(var);
    made.linkName = ASTNameGenerator(unit.ast).getName(&var);
    made.address = "&" + made.name;
    made.bytes = "sizeof(" + made.name + ")";
    made.loc = unit.loc(var.getLocation());
    made.isStatic = !var.isExternallyVisible();
    const auto known = onDevice.find(var.getCanonicalDecl());
    if (known != onDevice.end()) made.var = known->second;
    result.globals.push_back(std::move(made));
  }
}

}  // namespace hone::frontend
