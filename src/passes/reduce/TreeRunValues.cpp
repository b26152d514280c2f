// The values of a tree: what is known is worked out for each thread, what is put together is followed, and
// what the threads brought with them is an input as a whole.
#include <fmt/core.h>

#include <cmath>

#include "ir/Build.h"
#include "ir/CallEffects.h"
#include "ir/Compare.h"
#include "ir/Integers.h"
#include "ir/intrinsics/Intrinsics.h"
#include "passes/reduce/TreeRun.h"

namespace hone::passes {

using namespace ir;

namespace {

bool readsMemoryOfOthers(const ExprPtr& e) {
  for (const ir::Access& a : accesses(e)) {
    const Variable* storage = storageOf(*a.place);
    if (!storage || storage->space != Space::Private || storage->storage == Storage::Global) return true;
  }
  bool calls = false;
  walkExprs(e, [&](const Expr& x) {
    const auto* call = x.as<Call>();
    calls = calls || (call && (call->function ? call->function->readsMemory
                                              : call->intrinsic->cls == IntrinsicClass::Load));
  });
  return calls;
}

// Where elements of an array variable lie, and what they are.
struct Layout {
  TypePtr element;
  std::vector<int64_t> extents;
};

Layout layoutOf(const Variable& var) {
  Layout out{var.type, {}};
  while (out.element->is(TypeKind::Array)) {
    out.extents.push_back(out.element->extent);
    out.element = out.element->element;
  }
  return out;
}

}  // namespace

std::optional<TreeValue> TreeRun::valueOf(const ExprPtr& e, unsigned thread) {
  const auto found = refusing([&] { return find(e, thread).value; });
  return found ? std::optional(*found) : std::nullopt;
}

std::optional<TreeValue> TreeRun::elementOf(const ExprPtr& place, unsigned thread) {
  const auto found = refusing([&] { return element(place, thread); });
  return found ? *found : std::nullopt;
}

TreeRun::Found TreeRun::input(const ExprPtr& e, unsigned thread) {
  if (!e->type->isArithmetic()) refuse("more is done with its values than putting them together", e->loc);
  if (!isPure(e)) refuse("its threads do more than put values together", e->loc);
  // Before it what others stored was not to be read yet.
  if (blockBarriers > 0 && readsMemoryOfOthers(e))
    refuse("memory is read behind a barrier of the tree", e->loc);
  auto known = inputOf.find(e.get());
  if (known == inputOf.end()) {
    unsigned at = 0;
    while (at < inputs.size() && !equal(inputs[at].value, e)) ++at;
    if (at == inputs.size()) inputs.push_back({e});
    kept.push_back(e);
    known = inputOf.emplace(e.get(), at).first;
  }
  return {TreeValue::ofThread(known->second, thread), true};
}

TreeRun::Found TreeRun::find(const ExprPtr& e, unsigned thread) {
  if (const auto* literal = as<IntLiteral>(e))
    return {TreeValue::ofNumber(wrapped(literal->value, *e->type)), true};
  if (const auto* literal = as<FloatLiteral>(e)) {
    if (std::isinf(literal->value)) infinity = e;
    return {TreeValue::ofReal(literal->value), true};
  }
  if (const auto* c = as<Coord>(e)) {
    const std::array<unsigned, 3> at = {thread % of.block[0], thread / of.block[0] % of.block[1],
                                        thread / of.block[0] / of.block[1]};
    if (c->kind == CoordKind::ThreadIdx) return {TreeValue::ofNumber(at[c->axis]), true};
    if (c->kind == CoordKind::BlockDim) return {TreeValue::ofNumber(of.block[c->axis]), true};
    if (c->kind == CoordKind::WarpSize) return {TreeValue::ofNumber(32), true};
    return input(e, thread);
  }
  if (const auto* var = as<VarRef>(e)) return findVariable(e, var->var, thread);
  if (const auto* node = as<Binary>(e)) return findOperator(e, *node, thread);
  if (const auto* cast = as<Cast>(e)) return findCast(e, *cast, thread);
  if (const auto* choice = as<Select>(e)) return findChoice(e, *choice, thread);
  if (const auto* call = as<Call>(e)) return findCall(e, *call, thread);
  if (const auto* node = as<Unary>(e)) {
    const Found operand = find(node->operand, thread);
    if (operand.value.is(TreeKind::Number))
      if (const auto n = integerResult(node->op, operand.value.number, *node->operand->type, *e->type))
        return {TreeValue::ofNumber(*n), operand.isPlain};
    if (operand.value.is(TreeKind::Real) && node->op == UnaryOp::Neg)
      return {TreeValue::ofReal(-operand.value.real), operand.isPlain};
    if (operand.isPlain) return input(e, thread);
    refuse("more is done with its values than putting them together", e->loc);
  }
  if (e->is<AddressOf>()) {
    if (const auto at = located(as<AddressOf>(e)->place, thread)) return {*at, false};
    refuse("more is done with its values than putting them together", e->loc);
  }
  if (e->is<Subscript>()) {
    if (const auto at = element(e, thread)) return {load(*at, e, thread), false};
    // An input where all that names the element is the threads' own.
    bool isPlain = true;
    forEachChild(*e, [&](const ExprPtr& child) {
      if (!child->type->isPointer() && !child->type->is(TypeKind::Array))
        isPlain = isPlain && find(child, thread).isPlain;
      else
        walkExprs(child, [&](const Expr& x) {
          const auto* var = x.as<VarRef>();
          isPlain = isPlain && !(var && own.contains(var->var.get()));
        });
    });
    if (isPlain) return input(e, thread);
  }
  refuse("more is done with its values than putting them together", e->loc);
}

TreeRun::Found TreeRun::findVariable(const ExprPtr& e, const VarPtr& var, unsigned thread) {
  if (var->space == Space::Shared) {
    if (var->type->is(TypeKind::Array))
      refuse("more is done with its values than putting them together", e->loc);
    const auto at = element(e, thread);
    return {load(*at, e, thread), false};
  }
  if (const auto held = own.find(var.get()); held != own.end()) return {held->second[thread], false};
  ExprPtr init;
  if (const auto at = begun.find(var.get()); at != begun.end())
    init = at->second;
  else if (const auto known = of.declaredWith.find(var.get()); known != of.declaredWith.end())
    init = known->second;
  // What it was declared with is another value by now where that is made of what the statements changed.
  bool isSame = init != nullptr;
  if (init)
    walkExprs(init, [&](const Expr& x) {
      const auto* inner = x.as<VarRef>();
      isSame = isSame && !(inner && own.contains(inner->var.get()));
    });
  if (isSame && (var->type->isInteger() || var->type->isPointer())) {
    // Where it is a number that is known; else the variable is what the threads brought with them.
    if (const auto value = constantOf(var.get(), init, thread)) return {*value, true};
  }
  if (var->isVolatile) refuse(fmt::format("{} is no plain number", var->name), e->loc);
  return input(e, thread);
}

std::optional<TreeValue> TreeRun::constantOf(const Variable* var, const ExprPtr& init, unsigned thread) {
  std::vector<Constant>& ofThreads = constants[var];
  if (ofThreads.empty()) ofThreads.resize(of.threads);
  if (!ofThreads[thread].isAsked) {
    const auto value = refusing([&] { return find(init, thread).value; });
    const bool isKnown = value && (value->is(TreeKind::Number) || value->is(TreeKind::Pointer));
    constants[var][thread] =
        isKnown ? Constant{true, value->kind, value->number, value->array} : Constant{true};
  }
  const Constant& known = constants[var][thread];
  if (known.kind == TreeKind::Garbage) return std::nullopt;
  TreeValue value;
  value.kind = known.kind;
  value.number = known.number;
  value.array = known.array;
  return value;
}

std::optional<TreeValue> TreeRun::pointer(const ExprPtr& base, unsigned thread) {
  if (const auto* var = as<VarRef>(base); var && var->var->space == Space::Shared) {
    TreeValue at;
    at.kind = TreeKind::Pointer;
    at.array = var->var.get();
    return at;
  }
  if (!base->type->isPointer()) return std::nullopt;
  if (const auto* var = as<VarRef>(base); var && !own.contains(var->var.get()) &&
                                          !of.declaredWith.contains(var->var.get()) &&
                                          !begun.contains(var->var.get()))
    return std::nullopt;
  const auto value = refusing([&] { return find(base, thread).value; });
  return value && value->is(TreeKind::Pointer) ? std::optional(*value) : std::nullopt;
}

std::optional<TreeValue> TreeRun::located(const ExprPtr& place, unsigned thread) {
  std::optional<TreeValue> at;
  if (const auto* var = as<VarRef>(place)) {
    if (var->var->space != Space::Shared || var->var->type->is(TypeKind::Array)) return std::nullopt;
    at = pointer(place, thread);
  } else if (const auto* subscript = as<Subscript>(place)) {
    at = pointer(subscript->base, thread);
    if (!at) return std::nullopt;
    const bool isArray = !subscript->base->type->isPointer();
    const Layout layout = layoutOf(*at->array);
    if (isArray ? subscript->indices.size() != layout.extents.size() : subscript->indices.size() != 1)
      refuse(fmt::format("{} holds no plain numbers", at->array->name), place->loc);
    int64_t index = 0;
    for (size_t i = 0; i < subscript->indices.size(); ++i) {
      const TreeValue one = find(subscript->indices[i], thread).value;
      if (!one.is(TreeKind::Number))
        refuse(fmt::format("it is not known which element of {} a thread uses", at->array->name), place->loc);
      index = (i ? index * layout.extents[i] : 0) + one.number;
    }
    at->number += index;
  }
  return at;
}

std::optional<TreeValue> TreeRun::element(const ExprPtr& place, unsigned thread) {
  const auto at = located(place, thread);
  if (!at) return std::nullopt;
  const Layout layout = layoutOf(*at->array);
  // What an array is declared as does not matter where all use it as one type.
  const TypePtr& held = heldAs.try_emplace(at->array, place->type).first->second;
  if (!place->type->isArithmetic() || !sameType(*place->type, *held) ||
      sizeOf(*place->type) != sizeOf(*layout.element))
    refuse(fmt::format("{} holds no plain numbers", at->array->name), place->loc);
  touched.insert(at->array);
  return at;
}

TreeRun::Found TreeRun::findOperator(const ExprPtr& e, const Binary& node, unsigned thread) {
  const Found left = find(node.lhs, thread);
  if (node.op == BinaryOp::LogicalAnd || node.op == BinaryOp::LogicalOr) {
    if (left.value.is(TreeKind::Number) && (left.value.number != 0) == (node.op == BinaryOp::LogicalOr))
      return {TreeValue::ofNumber(left.value.number != 0), left.isPlain};
    const Found right = find(node.rhs, thread);
    if (left.value.is(TreeKind::Number) && right.value.is(TreeKind::Number))
      return {TreeValue::ofNumber(right.value.number != 0), left.isPlain && right.isPlain};
    if (left.isPlain && right.isPlain) return input(e, thread);
    refuse("more is done with its values than putting them together", e->loc);
  }
  const Found right = find(node.rhs, thread);
  const bool isPlain = left.isPlain && right.isPlain;
  if (left.value.is(TreeKind::Number) && right.value.is(TreeKind::Number)) {
    const auto n = integerResult(node.op, left.value.number, right.value.number, *node.lhs->type, *e->type);
    if (n) return {TreeValue::ofNumber(*n), isPlain};
  }
  if (isPlain) return input(e, thread);
  const auto how = combineBy(node.op);
  const auto both = how ? joined(left.value, right.value, *how, *e->type) : std::nullopt;
  if (!both) refuse("more is done with its values than putting them together", e->loc);
  return {*both, false};
}

TreeRun::Found TreeRun::findCast(const ExprPtr& e, const Cast& cast, unsigned thread) {
  const Found operand = find(cast.operand, thread);
  const TreeValue& value = operand.value;
  if (value.is(TreeKind::Pointer) && e->type->isPointer() &&
      sizeOf(*e->type->element) == sizeOf(*cast.operand->type->element))
    return operand;
  if (value.is(TreeKind::Number)) {
    if (e->type->isInteger())
      return {TreeValue::ofNumber(wrapped(static_cast<uint64_t>(value.number), *e->type)), operand.isPlain};
    const bool isSmall = value.number > -4096 && value.number < 4096;
    if (e->type->is(TypeKind::Float) && e->type->bits >= 32 && isSmall)
      return {TreeValue::ofReal(static_cast<double>(value.number)), operand.isPlain};
  }
  if (value.is(TreeKind::Real) && e->type->is(TypeKind::Float) && e->type->bits >= 32)
    return {TreeValue::ofReal(e->type->bits == 32 ? static_cast<double>(static_cast<float>(value.real))
                                                  : value.real),
            operand.isPlain};
  if (operand.isPlain) return input(e, thread);
  if (value.is(TreeKind::Garbage) || sameType(e->type, cast.operand->type)) return operand;
  refuse("more is done with its values than putting them together", e->loc);
}

TreeRun::Found TreeRun::findChoice(const ExprPtr& e, const Select& node, unsigned thread) {
  if (const auto* test = as<Binary>(node.cond); test && isComparison(test->op)) {
    const Found left = find(test->lhs, thread), right = find(test->rhs, thread);
    const bool isKnown = left.value.is(TreeKind::Number) && right.value.is(TreeKind::Number);
    if (!isKnown && !(left.isPlain && right.isPlain)) {
      if (left.value.is(TreeKind::Garbage) || right.value.is(TreeKind::Garbage)) return {{}, false};
      const TreeValue yes = find(node.yes, thread).value, no = find(node.no, thread).value;
      const auto extreme = extremeBetween(*test, left.value, right.value, yes, no);
      const auto both = extreme ? joined(yes, no, extreme->how, *e->type) : std::nullopt;
      if (!both) refuse("more is done with its values than putting them together", e->loc);
      return {*both, false};
    }
  }
  const Found cond = find(node.cond, thread);
  if (cond.value.is(TreeKind::Number)) {
    Found chosen = find(cond.value.number ? node.yes : node.no, thread);
    if (!chosen.value.is(TreeKind::Values)) return chosen;
    // Threads that choose something else have the same input: the choice as a whole.
    const auto other = refusing([&] { return find(cond.value.number ? node.no : node.yes, thread).isPlain; });
    if (cond.isPlain && chosen.isPlain && other && *other) return input(e, thread);
    return {chosen.value, false};
  }
  if (cond.isPlain && find(node.yes, thread).isPlain && find(node.no, thread).isPlain)
    return input(e, thread);
  refuse("more is done with its values than putting them together", e->loc);
}

std::optional<TreeValue> TreeRun::ofGroup(const Call& call, unsigned thread) const {
  if (!call.intrinsic || call.intrinsic->traits.over != Participants::GroupHandle || call.args.size() != 1 ||
      call.intrinsic->cls != IntrinsicClass::Query)
    return std::nullopt;
  const std::string_view id = call.intrinsic->id;
  ExprPtr group = call.args[0];
  while (const auto* address = as<AddressOf>(group)) group = address->place;
  const unsigned tile = lanesOfTile(group), size = tile ? tile : of.threads;
  if (!tile && !group->type->spelling.ends_with("thread_block")) return std::nullopt;
  if (id == "group_thread_rank") return TreeValue::ofNumber(thread % size);
  if (id == "group_size") return TreeValue::ofNumber(size);
  if (tile && id == "group_meta_group_rank") return TreeValue::ofNumber(thread / size);
  if (tile && id == "group_meta_group_size") return TreeValue::ofNumber((of.threads + size - 1) / size);
  return std::nullopt;
}

TreeRun::Found TreeRun::findCall(const ExprPtr& e, const Call& call, unsigned thread) {
  if (const auto known = ofGroup(call, thread)) return {*known, true};
  std::vector<Found> args;
  bool isPlain = true;
  for (const ExprPtr& arg : call.args) {
    // What is read through a pointer is asked about as a whole.
    if (arg->type->isPointer()) {
      walkExprs(arg, [&](const Expr& x) {
        const auto* var = x.as<VarRef>();
        isPlain = isPlain && !(var && (own.contains(var->var.get()) || var->var->space == Space::Shared));
      });
      args.emplace_back();
      continue;
    }
    args.push_back(find(arg, thread));
    isPlain = isPlain && args.back().isPlain;
  }
  if (isPlain) return input(e, thread);
  const auto how = call.intrinsic && args.size() == 2 ? combineBy(*call.intrinsic) : std::nullopt;
  const auto both = how ? joined(args[0].value, args[1].value, *how, *e->type,
                                 e->type->isFloating() ? call.intrinsic : nullptr)
                        : std::nullopt;
  if (!both) refuse("more is done with its values than putting them together", e->loc);
  return {*both, false};
}

}  // namespace hone::passes
