#include "tune/ExtendVariant.h"

#include <algorithm>

namespace hone::tune {

std::optional<Variant> extended(const Variant& from, const passes::Recipe& proposal,
                                passes::PassContext& context,
                                const std::function<void(const Refused&)>& refused) {
  Variant variant = from;
  for (const passes::PassCall& call : proposal.calls) {
    passes::PassResult one = passes::applyPass(variant.plan, call, context);
    if (one.refusal) {
      if (refused) refused({call.pass, *one.refusal});
      return std::nullopt;
    }
    const bool didSomething =
        std::any_of(one.remarks.begin(), one.remarks.end(),
                    [](const passes::Remark& r) { return r.kind == passes::RemarkKind::Done; });
    if (!didSomething) return std::nullopt;
    variant.plan = one.plan;
    variant.recipe.calls.push_back(call);
    variant.remarks.insert(variant.remarks.end(), one.remarks.begin(), one.remarks.end());
  }
  variant.estimate = {};
  return variant;
}

}  // namespace hone::tune
