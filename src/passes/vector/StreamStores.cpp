#include "passes/vector/StreamStores.h"

#include <fmt/core.h>

#include <algorithm>

#include "ir/Walk.h"
#include "ir/intrinsics/IntrinsicSignatures.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::passes {

using namespace ir;

namespace {

// The pointer that a wider view of its elements, `(float4*)(out + i)`, is made of.
ExprPtr pointerBehind(const ExprPtr& e) {
  const auto* cast = as<Cast>(e);
  const auto* address = cast && e->type->isPointer() ? as<AddressOf>(cast->operand) : nullptr;
  const auto* element = address ? as<Subscript>(address->place) : nullptr;
  return element ? element->base : e;
}

// The pointer of the kernel's own through which a statement stores a whole element that __stcs takes; null:
// none.
const Variable* storesThrough(const Stmt& s) {
  const auto* store = s.as<Assign>();
  const auto* element = store && !store->op ? as<Subscript>(store->place) : nullptr;
  const auto* base = element ? as<VarRef>(pointerBehind(element->base)) : nullptr;
  if (!base || base->var->storage != Storage::Param || !base->var->type->isPointer()) return nullptr;
  if (base->var->type->isVolatile) return nullptr;
  const std::array<TypePtr, 2> types = {addressOf(store->place, base->var->type->space)->type,
                                        store->value->type};
  const IntrinsicSignature fits = signatureFor(intrinsic("stcs"), Language::Cuda, types, voidType());
  return fits.name && acceptsExactly(*fits.name, types) ? base->var.get() : nullptr;
}

class StreamingStores : public Rewriter {
 public:
  explicit StreamingStores(const std::set<const Variable*>& of) : arrays(of) {}

 protected:
  StmtList mapStmt(const StmtPtr& s) override {
    const Variable* array = storesThrough(*s);
    if (!array || !arrays.contains(array)) return {s};
    const auto* store = s->as<Assign>();
    Call call;
    call.intrinsic = &intrinsic("stcs");
    call.args = {addressOf(store->place, array->type->space), store->value};
    return {makeStmt(Eval{makeExpr(voidType(), std::move(call), s->loc)}, s->loc)};
  }

 private:
  const std::set<const Variable*>& arrays;
};

}  // namespace

LaunchResult streamStores(const LaunchStep& launch, const StreamStoresOptions& options, PassContext&) {
  const Kernel& before = *launch.kernel;
  if (before.language != Language::Cuda) return Refusal{"OpenCL has no stores that pass the caches by"};

  // 1. Decide: arrays of which the kernel does nothing but store elements.
  std::map<const Variable*, size_t> stores;
  walkStmts(before.body, [&](const Stmt& s) {
    if (const Variable* array = storesThrough(s)) ++stores[array];
  });
  std::set<const Variable*> arrays;
  std::string list;
  for (const VarPtr& param : before.params) {
    const auto known = stores.find(param.get());
    const bool isOnlyStored =
        known != stores.end() && countMentions(before.body, param.get()) == known->second;
    const bool isNamed =
        std::find(options.arrays.begin(), options.arrays.end(), param->name) != options.arrays.end();
    if (isNamed && !isOnlyStored)
      return Refusal{fmt::format("{} is not only stored to, element by element", param->name)};
    if (!isOnlyStored || (!options.arrays.empty() && !isNamed)) continue;
    arrays.insert(param.get());
    list += (list.empty() ? "" : ", ") + param->name;
  }
  if (arrays.empty()) return Refusal{"it stores to no array of which it does nothing else"};

  // 2. Rewrite.
  auto kernel = std::make_shared<Kernel>(before);
  kernel->body = StreamingStores(arrays).rewriteBlock(before.body);
  kernel->story.push_back(fmt::format("What it stores to {} leaves the caches first.", list));
  LaunchResult result{launch, nullptr, {}};
  result.launch->kernel = kernel;
  result.remarks.push_back(
      {RemarkKind::Done, before.loc, before.name, fmt::format("stores to {} leave the caches first", list)});
  return result;
}

const PassOf<StreamStoresOptions>& streamStoresPass() {
  static const PassOf<StreamStoresOptions> pass =
      PassOf<StreamStoresOptions>("stream-stores",
                                  "Stores to arrays that the kernel never reads say so (__stcs), so that "
                                  "what is read again stays in the caches.",
                                  streamStores)
          .names(&StreamStoresOptions::arrays, "<arrays>", ParameterKind::Arrays,
                 "arrays to do it for; without any, all that can be");
  return pass;
}

}  // namespace hone::passes
