// Values of calls and conversions.
#include <fmt/core.h>

#include <algorithm>

#include "affine/Builder.h"

namespace hone::affine {

using ir::as;
using ir::TypeKind;

// Ranks and sizes of cooperative groups that are the block, or tiles of it.
std::optional<Poly> Builder::groupValue(const ir::Call& call) {
  const std::string_view id = call.intrinsic->id;
  ir::ExprPtr group = call.args[0];
  while (const auto* address = as<ir::AddressOf>(group)) group = address->place;
  const std::string& name = group->type->spelling;
  if (name.ends_with("thread_block")) {
    if (id == "group_thread_rank") return linearThread();
    if (id == "group_size") return Poly(int64_t{model.threads()});
    return std::nullopt;
  }
  const std::string_view tile = "thread_block_tile<";
  const size_t at = name.find(tile);
  if (at == std::string::npos) return std::nullopt;
  const int64_t size = std::atoll(name.c_str() + at + tile.size());
  if (size < 1 || size > 32) return std::nullopt;
  if (id == "group_thread_rank") return atoms.mod(linearThread(), size);
  if (id == "group_meta_group_rank") return atoms.div(linearThread(), size);
  if (id == "group_size") return Poly(size);
  return std::nullopt;
}

Value Builder::callValue(const ir::ExprPtr& e, const ir::Call& call) {
  if (call.function) return unknown(e, fmt::format("a call of `{}`", call.function->name));
  const ir::Intrinsic& fn = *call.intrinsic;
  const std::string_view id = fn.id;
  const bool isInteger = e->type->is(TypeKind::Int);
  if (isInteger && fn.cls == ir::IntrinsicClass::Math && !call.args.empty()) {
    std::vector<Value> args;
    bool numbers = true;
    std::set<unsigned> requirements;
    for (const ir::ExprPtr& arg : call.args) {
      args.push_back(value(arg));
      numbers &= args.back().isNumber() && arg->type->is(TypeKind::Int);
      if (numbers && id != "mul24" && id != "mad24") settled(args.back(), *arg->type, e->loc);
      requirements.insert(args.back().requirements.begin(), args.back().requirements.end());
    }
    std::optional<Poly> result;
    if (numbers && id == "min" && args.size() == 2)
      result = minimum(args[0].poly, args[1].poly);
    else if (numbers && id == "max" && args.size() == 2)
      result = maximum(args[0].poly, args[1].poly);
    else if (numbers && id == "clamp" && args.size() == 3)
      result = minimum(maximum(args[0].poly, args[1].poly), args[2].poly);
    else if (numbers && id == "abs" && args.size() == 1)
      result = maximum(args[0].poly, -args[0].poly);
    else if (numbers && id == "mul24")
      result = args[0].poly * args[1].poly;
    else if (numbers && id == "mad24")
      result = args[0].poly * args[1].poly + args[2].poly;
    if (result) {
      Value v = numberValue(*result);
      v.requirements = std::move(requirements);
      if (id == "mul24" || id == "mad24")
        for (const Value& factor : {args[0], args[1]})
          if (!atoms.range(factor.poly).isWithin(-(1 << 23), (1 << 24) - 1))
            require(v, factor.poly, e->type->isSigned ? -(1 << 23) : 0,
                    e->type->isSigned ? (1 << 23) - 1 : (1 << 24) - 1, "24-bit multiplication", e->loc);
      v.modular = !e->type->isSigned;
      markModular(v, *e->type);
      return v;
    }
  }
  if (isInteger && (id == "get_local_linear_id")) return numberValue(linearThread());
  if (isInteger && fn.traits.over == ir::Participants::GroupHandle && !call.args.empty())
    if (std::optional<Poly> known = groupValue(call)) return numberValue(*known);
  if (isInteger && id == "get_global_linear_id") {
    // Offsets of the range are left out of it.
    const auto grid = [&](unsigned axis) { return atoms.gridDim(axis) * Poly(model.block[axis]); };
    const auto global = [&](unsigned axis) {
      return atoms.block(axis) * Poly(model.block[axis]) + atoms.thread(axis);
    };
    return numberValue((global(2) * grid(1) + global(1)) * grid(0) + global(0));
  }
  if (id == "this_thread_block") return otherValue("this_thread_block", {});
  if (fn.cls == ir::IntrinsicClass::Load) {
    Variation varies;
    for (const ir::ExprPtr& arg : call.args) varies |= variationOf(value(arg));
    for (LoopId loop : nest) varies.loops |= loopBit(loop);
    return opaqueOf(*e->type, text(call.args.empty() ? e : call.args[0]), "loaded from memory", varies);
  }
  Value v = unknown(e, fmt::format("the result of `{}`", id));
  if (fn.isPure() && fn.cls != ir::IntrinsicClass::Query) return v;
  // Exchanges, atomics and queries differ between threads and times.
  Variation varies = variationOf(v);
  varies.anyThread = true;
  for (LoopId loop : nest) varies.loops |= loopBit(loop);
  return opaqueOf(*e->type, text(e), fmt::format("the result of `{}`", id), varies);
}

Value Builder::castValue(const ir::Expr& e, const ir::Cast& cast) {
  Value v = value(cast.operand);
  const ir::Type& from = *cast.operand->type;
  const ir::Type& to = *e.type;
  if (v.isPointer() && to.isPointer()) return v;
  if (to.is(TypeKind::Int) && v.kind == ValueKind::Truth) {
    Value out = numberValue(atoms.choice(v.cond, 1, 0));
    if (hasUnknown(v.cond)) out = opaqueOf(to, text(cast.operand), unknownReason(v.cond), variationOf(v));
    out.requirements = v.requirements;
    return out;
  }
  if (to.is(TypeKind::Bool) && v.isNumber()) {
    settled(v, from, e.loc);
    Value out = truthValue(isNotZero(v.poly));
    out.requirements = v.requirements;
    return out;
  }
  if (to.is(TypeKind::Bool) && v.isPointer())
    return truthValue(newUnknown("tests a pointer", variationOf(v)));
  if (!v.isNumber() || !to.is(TypeKind::Int) || !from.is(TypeKind::Int)) {
    if (v.kind == ValueKind::Parts && to.is(TypeKind::Vector)) return v;
    return opaqueOf(to, text(cast.operand), "a conversion", variationOf(v));
  }
  // Between integers: the same bits at the same width, the same value in a wider type.
  if (to.bits > from.bits) {
    settled(v, from, e.loc);
    v.modular = !to.isSigned;
    markModular(v, to);
    return v;
  }
  if (!to.isSigned) {
    if (const auto number = v.poly.constant(); number && to.bits < 64) {
      Value wrapped = numberValue(floorMod(*number, int64_t{1} << to.bits));
      wrapped.requirements = v.requirements;
      return wrapped;
    }
    v.modular = true;
    markModular(v, to);
    return v;
  }
  // To a signed type: what does not fit is cut off.
  if (v.modular || to.bits < from.bits || !from.isSigned) {
    const int64_t half = int64_t{1} << (std::min<unsigned>(to.bits, 63) - 1);
    const int64_t low = to.bits >= 64 ? INT64_MIN : -half, high = to.bits >= 64 ? INT64_MAX : half - 1;
    if (!atoms.range(v.poly).isWithin(low, high))
      require(v, v.poly, low, high, fmt::format("the value must fit into {} bits", to.bits), e.loc);
    v.modular = false;
  }
  return v;
}

}  // namespace hone::affine
