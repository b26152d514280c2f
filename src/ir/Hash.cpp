// Hashes that agree with equal(): variables count by the order in which they are met, hints and comments not
// at all.
#include <bit>
#include <cmath>
#include <map>
#include <set>
#include <string_view>

#include "ir/Compare.h"
#include "ir/NamedValues.h"
#include "ir/intrinsics/Intrinsics.h"

namespace hone::ir {

namespace {

class Hasher {
 public:
  uint64_t state = 0x9e3779b97f4a7c15u;

  void add(uint64_t value) {
    state ^= value + 0x9e3779b97f4a7c15u + (state << 6) + (state >> 2);
    state *= 0xff51afd7ed558ccdu;
    state ^= state >> 32;
  }
  void add(std::string_view text) {
    uint64_t h = 0xcbf29ce484222325u;
    for (char c : text) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3u;
    add(h);
  }

  void type(const Type& t, int depth = 0) {
    add(static_cast<uint64_t>(t.kind));
    switch (t.kind) {
      case TypeKind::Int: add(t.bits * 4u + t.isSigned * 2u + t.isPlainChar); break;
      case TypeKind::Float:
      case TypeKind::BFloat: add(t.bits); break;
      case TypeKind::Vector: add(t.lanes), type(*t.element, depth); break;
      case TypeKind::Array: add(static_cast<uint64_t>(t.extent)), type(*t.element, depth); break;
      case TypeKind::Pointer:
        add(static_cast<uint64_t>(t.space)), add(t.isVolatile);
        type(*t.element, depth + 1);
        break;
      case TypeKind::Struct:
        add(t.record->fields.size()), add(t.record->isUnion);
        if (depth > 2) break;  // a record may point to itself
        for (const Field& field : t.record->fields)
          add(field.name), add(field.bits), type(*field.type, depth + 1);
        break;
      case TypeKind::Handle: add(t.spelling); break;
      default: break;
    }
  }

  // A variable bound here gets the next number.
  void bind(const Variable& var) {
    numbers.emplace(&var, numbers.size());
    type(*var.type);
    add(static_cast<uint64_t>(var.space));
    add(var.type->isRestrict * 4u + var.isVolatile * 2u + var.isDynamicShared);
    add(var.alignment);
  }

  void expr(const ExprPtr& e) {
    if (!e) return add(0xdeadu);
    if (ExprPtr value = constants.of(e); value != e) return expr(value);
    if (ExprPtr shorter = withoutZeros(e); shorter != e) return expr(shorter);
    add(e->node.index());
    if (!e->is<NullPointer>()) type(*e->type);
    std::visit([this](const auto& node) { one(node); }, e->node);
  }

  void stmt(const StmtPtr& s) {
    if (!s) return add(0xdeadu);
    add(s->node.index());
    std::visit([this](const auto& node) { one(node); }, s->node);
  }

  void kernel(const Kernel& k) {
    list(k.params);
    const LaunchBounds bounds = k.launchBounds.value_or(LaunchBounds{});
    add(static_cast<uint64_t>(bounds.maxThreads)), add(static_cast<uint64_t>(bounds.minBlocks));
    add(static_cast<uint64_t>(bounds.maxCluster));
    if (k.requiredBlock)
      for (unsigned size : *k.requiredBlock) add(size);
    stmt(k.body);
  }

  void plan(const Plan& p) {
    if (p.iterations) add(p.iterations);
    add(p.steps.size());
    for (const Step& step : p.steps) {
      add(step.index());
      if (const auto* launch = std::get_if<LaunchStep>(&step)) {
        for (size_t i = 0; i < 3; ++i) expr(launch->grid[i]), expr(launch->block[i]);
        expr(launch->sharedBytes);
        list(launch->args);
        add(launch->cooperative);
        if (launch->kernel) add(hash(*launch->kernel));
      } else if (const auto* buffer = std::get_if<BufferStep>(&step)) {
        expr(buffer->count);
        bind(*buffer->buffer);
      } else if (const auto* loop = std::get_if<LoopStep>(&step)) {
        expr(loop->begin);
        bind(*loop->var);
        expr(loop->cond), expr(loop->next);
        if (loop->body) plan(*loop->body);
      } else {
        const auto& choice = std::get<ChoiceStep>(step);
        expr(choice.cond);
        if (choice.then) plan(*choice.then);
        if (choice.otherwise) plan(*choice.otherwise);
      }
    }
  }

  bool freeByName = false;

 private:
  void list(const std::vector<ExprPtr>& es) {
    add(es.size());
    for (const ExprPtr& e : es) expr(e);
  }
  void list(const std::vector<VarPtr>& vars) {
    add(vars.size());
    for (const VarPtr& var : vars) bind(*var);
  }
  void list(const StmtList& stmts) {
    for (const StmtPtr& s : stmts) {
      if (s->is<Comment>()) continue;
      if (!constants.note(*s)) stmt(s);
    }
    add(0xe0du);
  }
  static bool isEmpty(const StmtPtr& s) {
    const auto* body = as<Block>(s);
    if (!body) return !s;
    for (const StmtPtr& child : body->stmts)
      if (!child->is<Comment>()) return false;
    return true;
  }

  void one(const IntLiteral& n) {
    add(n.value);
    if (!n.role) return;
    add(uint64_t(n.role.kind) << 16 | uint64_t(n.role.axis) << 8 | n.role.ordinal);
    add(n.role.subject);
  }
  void one(const FloatLiteral& n) { add(std::isnan(n.value) ? 0 : std::bit_cast<uint64_t>(n.value)); }
  void one(const NullPointer&) {}
  void one(const VarRef& n) {
    auto number = numbers.find(n.var.get());
    if (number != numbers.end()) return add(number->second);
    if (n.var->storage == Storage::Global || freeByName) return add(n.var->name);
    bind(*n.var);
  }
  void one(const Coord& n) { add(static_cast<uint64_t>(n.kind) * 8 + n.axis); }
  void one(const Unary& n) { add(static_cast<uint64_t>(n.op)), expr(n.operand); }
  void one(const Binary& n) { add(static_cast<uint64_t>(n.op)), expr(n.lhs), expr(n.rhs); }
  void one(const Cast& n) { expr(n.operand); }
  void one(const Select& n) { expr(n.cond), expr(n.yes), expr(n.no); }
  void one(const Call& n) {
    if (n.intrinsic) add(n.intrinsic->id);
    list(n.args);
    for (const TypePtr& arg : n.typeArgs) type(*arg);
    if (!n.format.empty()) add(n.format);
    for (const std::string& text : n.texts) add(text);
    if (n.function) callee(*n.function);
  }
  void one(const Subscript& n) { expr(n.base), list(n.indices); }
  void one(const Member& n) {
    add(static_cast<uint64_t>(n.baseClass));
    if (n.baseClass < 0) add(n.field);
    expr(n.base);
  }
  void one(const Swizzle& n) {
    for (uint8_t lane : n.lanes) add(lane);
    expr(n.base);
  }
  void one(const AddressOf& n) { expr(n.place); }
  void one(const Construct& n) { list(n.parts); }

  void one(const Declare& n) { expr(n.init), bind(*n.var); }
  void one(const Assign& n) {
    add(n.op ? static_cast<uint64_t>(*n.op) + 1 : 0), expr(n.place), expr(n.value);
  }
  void one(const Eval& n) { expr(n.call); }
  void one(const If& n) {
    expr(n.cond), stmt(n.then);
    isEmpty(n.otherwise) ? add(0xdeadu) : stmt(n.otherwise);
  }
  void one(const For& n) {
    add(static_cast<uint64_t>(n.unroll)), list(n.init), expr(n.cond), list(n.step), stmt(n.body);
  }
  void one(const While& n) { add(static_cast<uint64_t>(n.unroll)), expr(n.cond), stmt(n.body); }
  void one(const DoWhile& n) { add(static_cast<uint64_t>(n.unroll)), stmt(n.body), expr(n.cond); }
  void one(const Switch& n) {
    expr(n.value);
    for (const SwitchCase& c : n.cases) add(c.isDefault), list(c.values), list(c.body);
  }
  void one(const Break&) {}
  void one(const Continue&) {}
  void one(const Return& n) { expr(n.value); }
  void one(const Block& n) { list(n.stmts); }
  void one(const Barrier& n) {
    add(static_cast<uint64_t>(n.scope) * 4 + n.orderLocal * 2u + n.orderGlobal), expr(n.mask);
  }
  void one(const Fence& n) { add(static_cast<uint64_t>(n.scope) * 4 + n.orderLocal * 2u + n.orderGlobal); }
  void one(const Printf& n) { add(n.format), list(n.args); }
  void one(const Assert& n) { expr(n.cond); }
  void one(const Comment&) {}

  // By its signature and body; a recursive call by its signature alone.
  void callee(const Function& f) {
    auto known = functions.find(&f);
    if (known != functions.end()) return add(known->second);
    Hasher inner;
    inner.functions = functions;
    inner.functions[&f] = f.params.size();
    inner.type(*f.returnType);
    inner.list(f.params);
    inner.stmt(f.body);
    functions[&f] = inner.state;
    add(inner.state);
  }

  std::map<const Variable*, uint64_t> numbers;
  NamedValues constants;
  std::map<const Function*, uint64_t> functions;
};

}  // namespace

uint64_t hash(const Kernel& kernel) {
  Hasher hasher;
  hasher.kernel(kernel);
  return hasher.state;
}

uint64_t hash(const Plan& plan) {
  Hasher hasher;
  if (plan.original) {
    hasher.kernel(*plan.original);
  }
  hasher.plan(plan);
  return hasher.state;
}

uint64_t hash(const ExprPtr& e) {
  Hasher hasher;
  hasher.freeByName = true;
  hasher.expr(e);
  return hasher.state;
}

}  // namespace hone::ir
