#include "ir/intrinsics/LowerIntrinsic.h"

#include <algorithm>
#include <set>

#include "ir/Walk.h"
#include "ir/intrinsics/LowerIntrinsicRules.h"

namespace hone::ir {
namespace {

constexpr int maxDepth = 6;

std::vector<TypePtr> typesOf(const std::vector<ExprPtr>& args) {
  std::vector<TypePtr> out;
  out.reserve(args.size());
  for (const ExprPtr& arg : args) out.push_back(arg->type);
  return out;
}

// Gives in each lane of a vector what it gives for that lane of its arguments.
bool isLaneWise(const Intrinsic& fn) {
  if (fn.isNamedByResult()) return true;
  for (const IntrinsicName& name : fn.openclNames) {
    if (name.set.find('+') == std::string_view::npos) continue;
    return name.params.find('*') == std::string_view::npos && name.result != "E" && name.result != "i";
  }
  return false;
}

bool comparesLanes(const Intrinsic& fn) {
  for (const IntrinsicName& name : fn.openclNames)
    if (name.result == "R") return true;
  return false;
}

// CUDA has no operations on vectors: the call is made for each lane.
ExprPtr lowerLanes(const Lowering& l) {
  const Intrinsic& fn = *l.call.intrinsic;
  if (!l.type->is(TypeKind::Vector) || l.type->lanes > 4 || !isLaneWise(fn)) return nullptr;
  std::vector<ExprPtr> parts;
  for (unsigned i = 0; i < l.type->lanes; ++i) {
    std::vector<ExprPtr> args;
    for (const ExprPtr& arg : l.call.args) {
      if (arg->type->is(TypeKind::Vector) && arg->type->lanes != l.type->lanes) return nullptr;
      args.push_back(arg->type->is(TypeKind::Vector) ? l.lane(arg, i) : arg);
    }
    ExprPtr part;
    if (comparesLanes(fn)) {  // 1 of a scalar is -1 in a lane
      part = l.cast(l.make(fn.id, std::move(args), boolType()), int32());
      if (part) part = l.cast(unary(UnaryOp::Neg, part, l.loc), l.type->element);
    } else {
      part = l.make(fn.id, std::move(args), l.type->element);
    }
    if (!part) return nullptr;
    parts.push_back(std::move(part));
  }
  return l.construct(l.type, std::move(parts));
}

const LoweringRule* findRule(std::string_view id) {
  for (const LoweringRules* rules :
       {&mathLowerings(), &halfLowerings(), &memoryLowerings(), &placeLowerings(), &convertLowerings()})
    if (auto found = rules->find(id); found != rules->end()) return &found->second;
  return nullptr;
}

std::optional<LoweredCall> lower(const ExprPtr& e, Language language, int depth) {
  const Call* call = as<Call>(e);
  if (!call || !call->intrinsic || depth > maxDepth) return std::nullopt;
  Lowering l{*call, e->type, e->loc, language, depth, {}};
  ExprPtr value;
  if (language == Language::Cuda) value = lowerLanes(l);
  if (const LoweringRule* rule = value ? nullptr : findRule(call->intrinsic->id)) value = (*rule)(l);
  if (e->type->is(TypeKind::Void)) {
    if (l.before.empty()) return std::nullopt;
    return LoweredCall{std::move(l.before), nullptr};
  }
  if (!value) return std::nullopt;
  return LoweredCall{std::move(l.before), convert(std::move(value), e->type)};
}

// A pure call is replaced where it stands; one with effects is the whole value of its statement.
class LowerAll : public Rewriter {
 public:
  explicit LowerAll(Language target) : language(target) {}

  using Rewriter::rewrite;
  StmtList rewrite(const StmtPtr& s) override {
    if (const auto* loop = as<For>(s)) {
      for (const StmtPtr& step : loop->init) heads.insert(step.get());
      for (const StmtPtr& step : loop->step) heads.insert(step.get());
    }
    const bool outer = inHead;
    inHead = s && heads.contains(s.get());
    StmtList out = Rewriter::rewrite(s);
    inHead = outer;
    return out;
  }

 protected:
  ExprPtr mapExpr(const ExprPtr& e) override {
    const Call* call = as<Call>(e);
    if (!call || !call->intrinsic || !call->intrinsic->isPure() || isNamed(e, language)) return e;
    std::optional<LoweredCall> lowered = lowerCall(e, language);
    return lowered && lowered->before.empty() ? lowered->value : e;
  }

  StmtList mapStmt(const StmtPtr& s) override {
    const auto* declare = as<Declare>(s);
    const auto* assignment = as<Assign>(s);
    const auto* eval = as<Eval>(s);
    const ExprPtr& value = declare      ? declare->init
                           : assignment ? assignment->value
                           : eval       ? eval->call
                                        : nothing;
    const Call* call = as<Call>(value);
    if (!call || !call->intrinsic || call->intrinsic->isPure() || isNamed(value, language)) return {s};
    std::optional<LoweredCall> lowered = lowerCall(value, language);
    if (!lowered) return {s};
    // The head of a for holds assignments, no loops and no further declarations.
    if (inHead && !std::ranges::all_of(lowered->before, [](const StmtPtr& b) { return b->is<Assign>(); }))
      return {s};
    StmtList out = std::move(lowered->before);
    if (declare) out.push_back(makeStmt(Declare{declare->var, lowered->value}, s->loc));
    if (assignment) {
      Assign changed = *assignment;
      changed.value = lowered->value;
      out.push_back(makeStmt(std::move(changed), s->loc));
    }
    if (!eval) return out;
    const Call* last = as<Call>(lowered->value);
    const bool hasEffect = last && last->intrinsic && !last->intrinsic->isPure();
    if (hasEffect) out.push_back(makeStmt(Eval{lowered->value}, s->loc));
    // Temporaries of a call whose value nobody takes are nobody's business either.
    if (out.size() > 1 && out.front()->is<Declare>()) return {block(std::move(out), s->loc)};
    return out;
  }

 private:
  Language language;
  ExprPtr nothing;
  std::set<const Stmt*> heads;  // statements in the heads of for loops
  bool inHead = false;
};

// Handles of groups whose every use was lowered.
class DropUnusedGroups : public Rewriter {
 public:
  DropUnusedGroups(const StmtPtr& body, Language target) : language(target) {
    walkExprs(body, [this](const Expr& e) {
      if (const auto* var = e.as<VarRef>()) used.insert(var->var.get());
    });
  }

 protected:
  StmtList mapStmt(const StmtPtr& s) override {
    const auto* declare = as<Declare>(s);
    const Call* call = declare ? as<Call>(declare->init) : nullptr;
    const bool makesGroup = call && call->intrinsic && call->intrinsic->cls == IntrinsicClass::Group;
    if (!makesGroup || used.contains(declare->var.get()) || isNamed(declare->init, language)) return {s};
    return {};
  }

 private:
  Language language;
  std::set<const Variable*> used;
};

}  // namespace

StmtPtr lowerIntrinsics(const StmtPtr& body, Language language) {
  StmtPtr lowered = LowerAll(language).rewriteBlock(body);
  return DropUnusedGroups(lowered, language).rewriteBlock(lowered);
}

bool isNamed(const ExprPtr& e, Language language) {
  const Call* call = as<Call>(e);
  TypePtr result = e->type->is(TypeKind::Void) ? nullptr : e->type;
  return call && call->intrinsic && !nameFor(*call->intrinsic, language, typesOf(call->args), result).empty();
}

std::optional<LoweredCall> lowerCall(const ExprPtr& call, Language language) {
  return lower(call, language, 0);
}

ExprPtr Lowering::make(std::string_view id, std::vector<ExprPtr> args, const TypePtr& result) const {
  for (const ExprPtr& x : args)
    if (!x) return nullptr;
  Call node;
  node.intrinsic = &intrinsic(id);
  node.args = std::move(args);
  ExprPtr e = makeExpr(result, std::move(node), loc);
  if (isNamed(e, language)) return e;
  std::optional<LoweredCall> lowered = lower(e, language, depth + 1);
  return lowered && lowered->before.empty() ? lowered->value : nullptr;
}

ExprPtr Lowering::same(std::string_view id, ExprPtr x) const {
  if (!x) return nullptr;
  TypePtr result = x->type;
  return make(id, {std::move(x)}, result);
}

ExprPtr Lowering::same(std::string_view id, ExprPtr x, ExprPtr y) const {
  if (!x || !y) return nullptr;
  TypePtr result = x->type;
  return make(id, {std::move(x), cast(std::move(y), result)}, result);
}

ExprPtr Lowering::op(BinaryOp o, ExprPtr x, ExprPtr y) const {
  return x && y ? binary(o, std::move(x), std::move(y), loc) : nullptr;
}

ExprPtr Lowering::cast(ExprPtr x, const TypePtr& to) const { return x ? convert(std::move(x), to) : nullptr; }

ExprPtr Lowering::number(double value, const TypePtr& like) const {
  if (like->is(TypeKind::Vector)) return convert(number(value, like->element), like);
  if (like->isFloating()) return floatLit(value, like, loc);
  return intLit(static_cast<int64_t>(value), like, loc);
}

ExprPtr Lowering::select(ExprPtr cond, ExprPtr yes, ExprPtr no) const {
  if (!cond || !yes || !no) return nullptr;
  TypePtr result = yes->type;
  return makeExpr(
      result, Select{convert(std::move(cond), boolType()), std::move(yes), convert(std::move(no), result)},
      loc);
}

ExprPtr Lowering::lane(const ExprPtr& vector, unsigned i) const {
  if (const auto* parts = as<Construct>(vector); parts && parts->parts.size() == vector->type->lanes)
    return parts->parts[i];
  return makeExpr(vector->type->element, Swizzle{vector, {static_cast<uint8_t>(i)}}, loc);
}

ExprPtr Lowering::construct(const TypePtr& of, std::vector<ExprPtr> parts) const {
  for (const ExprPtr& part : parts)
    if (!part) return nullptr;
  return makeExpr(of, Construct{std::move(parts)}, loc);
}

}  // namespace hone::ir
