#include "analysis/Resources.h"

#include <algorithm>
#include <set>

#include "ir/Walk.h"

namespace hone::analysis {

namespace {

// Every statement a kernel reaches, those of the user's functions included.
void forEachBody(const ir::StmtPtr& body, std::set<const ir::Function*>& seen,
                 const std::function<void(const ir::StmtPtr&)>& fn) {
  if (!body) return;
  fn(body);
  ir::walkExprs(body, [&](const ir::Expr& e) {
    const auto* call = e.as<ir::Call>();
    if (call && call->function && seen.insert(call->function.get()).second)
      forEachBody(call->function->body, seen, fn);
  });
}

bool isConstantIndex(const ir::ExprPtr& index) {
  const ir::Expr* e = index.get();
  while (const auto* cast = e->as<ir::Cast>()) e = cast->operand.get();
  return e->is<ir::IntLiteral>();
}

// Arrays that a subscript which is no number goes through, or whose address goes elsewhere: registers have no
// addresses.
std::set<const ir::Variable*> needAddresses(const ir::StmtPtr& body) {
  std::set<const ir::Variable*> out = ir::addressTaken(body);
  ir::walkExprs(body, [&](const ir::Expr& e) {
    const auto* subscript = e.as<ir::Subscript>();
    if (!subscript) return;
    const auto* var = subscript->base->as<ir::VarRef>();
    if (var && !std::all_of(subscript->indices.begin(), subscript->indices.end(), isConstantIndex))
      out.insert(var->var.get());
  });
  return out;
}

// The largest value up to `now` at which a block more fits: a smaller need never lets fewer fit.
unsigned largest(unsigned now, const std::function<bool(unsigned)>& fits) {
  if (fits(now)) return now;
  unsigned yes = 0, no = now;
  while (no - yes > 1) {
    const unsigned middle = yes + (no - yes) / 2;
    (fits(middle) ? yes : no) = middle;
  }
  return yes;
}

}  // namespace

DeclaredMemory declaredMemory(const ir::Kernel& kernel) {
  DeclaredMemory out;
  const bool isOpenCL = kernel.language == ir::Language::OpenCL;
  std::set<const ir::Variable*> counted;
  auto shared = [&](const ir::Variable& var) {
    if (var.space != ir::Space::Shared || var.storage == ir::Storage::Param || !counted.insert(&var).second)
      return;
    if (var.isDynamicShared || (var.type->is(ir::TypeKind::Array) && var.type->extent < 0)) {
      out.usesDynamicShared = true;
      return;
    }
    const ir::Type* element = var.type.get();
    while (element->is(ir::TypeKind::Array)) element = element->element.get();
    const uint64_t align = std::max<uint64_t>(
        {ir::alignOf(*element, isOpenCL), var.alignment, var.type->is(ir::TypeKind::Array) ? 16u : 1u});
    out.staticShared = (out.staticShared + align - 1) / align * align + ir::sizeOf(*var.type, isOpenCL);
  };
  for (const ir::VarPtr& param : kernel.params)
    if (param->type->isPointer() && param->type->space == ir::Space::Shared) out.usesDynamicShared = true;
  std::set<const ir::Function*> seen;
  forEachBody(kernel.body, seen, [&](const ir::StmtPtr& body) {
    const std::set<const ir::Variable*> addressed = needAddresses(body);
    ir::walkStmts(body, [&](const ir::Stmt& s) {
      const auto* declare = s.as<ir::Declare>();
      if (!declare) return;
      const ir::Variable& var = *declare->var;
      shared(var);
      if (var.space != ir::Space::Private || !var.type->is(ir::TypeKind::Array) || !addressed.count(&var))
        return;
      if (!counted.insert(&var).second) return;
      out.local += ir::sizeOf(*var.type, isOpenCL);
      out.localArrays.push_back(var.name);
    });
    ir::walkExprs(body, [&](const ir::Expr& e) {
      if (const auto* v = e.as<ir::VarRef>(); v && v->var->storage == ir::Storage::Global) shared(*v->var);
    });
  });
  return out;
}

Resources resources(const ir::Kernel& kernel, const std::array<unsigned, 3>& block, uint64_t dynamicShared,
                    const target::Target& target, const RegisterOracle& oracle) {
  Resources out;
  out.memory = declaredMemory(kernel);
  out.sharedPerBlock = out.memory.staticShared + dynamicShared;
  if (oracle) out.registers = oracle(kernel, target);
  const unsigned threads = block[0] * block[1] * block[2], registers = out.registers.value_or(0);
  const unsigned shared = static_cast<unsigned>(std::min<uint64_t>(out.sharedPerBlock, UINT32_MAX / 2));
  auto at = [&](unsigned t, unsigned r, unsigned bytes) {
    return target::occupancyOf(target, {t, r, bytes});
  };
  out.occupancy = at(threads, registers, shared);

  const unsigned wanted = out.occupancy.blocks + 1;
  if (at(threads, 0, 0).blocks >= wanted) {
    const unsigned r = largest(registers, [&](unsigned n) { return at(threads, n, 0).blocks >= wanted; });
    const unsigned bytes = largest(shared, [&](unsigned n) { return at(threads, 0, n).blocks >= wanted; });
    const target::Occupancy then = at(threads, r, bytes);
    out.oneMore = NextOccupancy{threads, {}, {}, then.blocks, then.warps};
    if (r < registers) out.oneMore->registers = r;
    if (bytes < shared) out.oneMore->shared = bytes;
  }
  for (unsigned t = threads; t > target.warpSize;) {
    t = (t - 1) / target.warpSize * target.warpSize;
    const target::Occupancy then = at(t, registers, shared);
    if (then.warps <= out.occupancy.warps) continue;
    out.smallerBlock = NextOccupancy{t, {}, {}, then.blocks, then.warps};
    break;
  }
  return out;
}

}  // namespace hone::analysis
