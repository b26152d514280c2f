// Operands and arguments are evaluated from left to right, as nvcc and Clang do where C++ leaves it open:
// what the effects of a later one would change in an earlier one is saved before them.
#include <algorithm>
#include <set>
#include <utility>

#include "clang/AST/ASTContext.h"
#include "frontend/Importer.h"
#include "ir/CallEffects.h"
#include "ir/Walk.h"

namespace hone::frontend {

using namespace clang;
namespace ir = hone::ir;

namespace {

// What the value of an expression depends on.
struct Reads {
  std::set<const ir::Variable*> variables;
  bool memory = false;
};

// The parts of a place that are named, not read, where its address is taken.
void addNamed(const ir::ExprPtr& place, std::set<const ir::Expr*>& named) {
  named.insert(place.get());
  if (const auto* field = ir::as<ir::Member>(place)) return addNamed(field->base, named);
  const auto* element = ir::as<ir::Subscript>(place);
  if (element && !element->base->type->isPointer()) addNamed(element->base, named);
}

Reads readsOf(const ir::ExprPtr& v) {
  Reads reads;
  std::set<const ir::Expr*> named;
  ir::walkExprs(v, [&](const ir::Expr& e) {
    if (const auto* address = e.as<ir::AddressOf>()) addNamed(address->place, named);
    if (named.contains(&e)) return;
    if (const auto* r = e.as<ir::VarRef>(); r && (!r->var->isConst || r->var->isVolatile)) {
      reads.variables.insert(r->var.get());
      if (r->var->storage == ir::Storage::Global || r->var->space == ir::Space::Shared) reads.memory = true;
    }
    if (e.is<ir::Subscript>()) reads.memory = true;
    const auto* call = e.as<ir::Call>();
    if (!call) return;
    reads.memory = reads.memory || (call->function && call->function->readsMemory) ||
                   std::any_of(call->args.begin(), call->args.end(),
                               [](const ir::ExprPtr& a) { return a->type->isPointer(); });
  });
  return reads;
}

// What statements do to memory and to variables.
struct Writes {
  std::set<const ir::Variable*> variables;
  bool memory = false;  // behind pointers, of other threads included
  bool waits = false;   // for other threads
};

Writes writesOf(const ir::StmtList& effects) {
  Writes writes;
  for (const ir::StmtPtr& effect : effects)
    ir::walkStmts(effect, [&](const ir::Stmt& s) {
      if (s.is<ir::Barrier>() || s.is<ir::Fence>()) writes.waits = true;
      // Variables of the thread's own are no memory, which accesses are of.
      if (const auto* a = s.as<ir::Assign>())
        if (const ir::VarPtr root = ir::rootVariable(a->place)) writes.variables.insert(root.get());
      for (const ir::Access& access : ir::accesses(s)) {
        if (access.mode == ir::AccessMode::Read || access.mode == ir::AccessMode::Address) continue;
        const ir::VarPtr root = ir::rootVariable(access.place);
        if (root) writes.variables.insert(root.get());
        writes.memory = writes.memory || !root || root->type->isPointer() || !access.place->is<ir::VarRef>();
      }
      ir::forEachExpr(s, [&](const ir::ExprPtr& e) {
        ir::walkExprs(e, [&](const ir::Expr& x) {
          const auto* call = x.as<ir::Call>();
          if (!call || ir::isPure(*call)) return;
          writes.memory = writes.memory || ir::writesMemory(*call);
          writes.waits = writes.waits || ir::synchronizes(*call);
          for (const ir::ExprPtr& a : call->args)
            if (const auto* address = ir::as<ir::AddressOf>(a))
              if (const ir::VarPtr root = ir::rootVariable(address->place))
                writes.variables.insert(root.get());
        });
      });
    });
  return writes;
}

}  // namespace

void BodyImporter::keepBefore(size_t begin, llvm::ArrayRef<ir::ExprPtr*> earlier) {
  if (out->size() == begin) return;
  const ir::StmtList added(out->begin() + long(begin), out->end());
  const Writes writes = writesOf(added);
  auto isExposedHere = [&](const ir::Variable* var) {
    return std::any_of(locals.begin(), locals.end(), [&](const auto& local) {
      return local.second.get() == var &&
             (local.first->getType()->isReferenceType() || isExposed(fn.getBody(), local.first));
    });
  };
  auto isChanged = [&](const ir::ExprPtr& v) {
    const Reads reads = readsOf(v);
    if (reads.memory && (writes.memory || writes.waits)) return true;
    return std::any_of(reads.variables.begin(), reads.variables.end(), [&](const ir::Variable* var) {
      return writes.variables.contains(var) || (writes.memory && isExposedHere(var));
    });
  };
  bool isOut = true;  // what was added stands in the list
  for (ir::ExprPtr* v : earlier) {
    if (!*v || !isChanged(*v)) continue;
    if (std::exchange(isOut, false)) out->resize(begin);
    *v = temporary("before", *v);
  }
  if (!isOut) out->insert(out->end(), added.begin(), added.end());
}

}  // namespace hone::frontend
