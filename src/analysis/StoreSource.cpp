// The load behind a store; declared in Invertibility.h.
#include "analysis/Invertibility.h"
#include "ir/Walk.h"

namespace hone::analysis {

using namespace affine;
using ir::as;

namespace {

AccessId loadOf(const KernelModel& model, const ir::Stmt* stmt, const ir::ExprPtr& value) {
  for (const AccessId i : model.accesses.ids()) {
    const Access& a = model.accesses[i];
    if (a.stmt.get() == stmt && a.mode == ir::AccessMode::Read && !a.atomic && a.whole == value) return i;
  }
  return AccessId::none();
}

const char* changeOf(const ir::ExprPtr& value) {
  if (value->is<ir::Cast>()) return "the value is converted before it is stored";
  if (value->is<ir::Select>()) return "the value is one of two, by a condition";
  if (value->is<ir::IntLiteral>() || value->is<ir::FloatLiteral>()) return "a constant is stored";
  return "the value is not one that was loaded as it is";
}

}  // namespace

StoreSource sourceOf(const KernelModel& model, AccessId store) {
  const Access& access = model.accesses[store];
  const auto* assign = as<ir::Assign>(access.stmt);
  if (access.mode != ir::AccessMode::Write || access.atomic || !assign || assign->op ||
      assign->place != access.whole)
    return {AccessId::none(), "no plain store"};
  if (access.array.isSome() && model.arrays[access.array].isVolatile)
    return {AccessId::none(), "a volatile store"};
  AccessId load = loadOf(model, access.stmt.get(), assign->value);
  if (const auto* use = as<ir::VarRef>(assign->value); load.isNone() && use) {
    // A variable that is given its value once, where it is declared.
    const ir::Variable* var = use->var.get();
    if (!ir::assignedVariables(model.kernel->body).count(var) &&
        !ir::addressTaken(model.kernel->body).count(var))
      ir::walkStmts(model.kernel->body, [&](const ir::Stmt& s) {
        const auto* declare = s.as<ir::Declare>();
        if (declare && declare->var.get() == var && declare->init) load = loadOf(model, &s, declare->init);
      });
  }
  if (load.isNone()) return {AccessId::none(), changeOf(assign->value)};
  const Access& from = model.accesses[load];
  if (from.array.isSome() && model.arrays[from.array].isVolatile)
    return {AccessId::none(), "a volatile load"};
  return {load, ""};
}

}  // namespace hone::analysis
