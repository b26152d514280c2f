// Runs a kernel for one thread, by the plainest reading of the IR: what a rewriting must not change.
#pragma once

#include <cmath>
#include <map>
#include <stdexcept>
#include <utility>

#include "ir/ShortIr.h"

namespace hone::ir::test {

struct Storageful;
using ObjectPtr = std::shared_ptr<Storageful>;

// One scalar: an integer, a number, or a pointer to a cell of an object.
struct Cell {
  int64_t integer = 0;
  double number = 0;
  ObjectPtr object;
  int64_t offset = 0;
};
struct Storageful {
  std::vector<Cell> cells;
};
using Cells = std::vector<Cell>;  // a value: its scalars in order

inline size_t cellsOf(const Type& type) {
  switch (type.kind) {
    case TypeKind::Void: return 0;
    case TypeKind::Array: return static_cast<size_t>(type.extent) * cellsOf(*type.element);
    case TypeKind::Vector: return type.lanes * cellsOf(*type.element);
    case TypeKind::Struct: {
      size_t count = 0;
      for (const Field& field : type.record->fields) count += cellsOf(*field.type);
      return count;
    }
    default: return 1;
  }
}

class Interpreter {
 public:
  // Runs the kernel on these arguments; pointers in them see what it writes.
  void run(const Kernel& kernel, const std::vector<Cells>& args) {
    std::map<const Variable*, ObjectPtr> frame;
    env = &frame;
    for (size_t i = 0; i < args.size(); ++i) bind(*kernel.params[i], args[i]);
    execute(kernel.body);
  }

  static Cells integer(int64_t value) { return {Cell{value, 0, nullptr, 0}}; }
  static Cells pointerTo(const ObjectPtr& object) { return {Cell{0, 0, object, 0}}; }
  static ObjectPtr array(size_t size) {
    auto object = std::make_shared<Storageful>();
    object->cells.resize(size);
    return object;
  }

 private:
  enum class Flow { Next, Break, Continue, Return };
  struct Place {
    ObjectPtr object;
    int64_t offset = 0;
  };

  void bind(const Variable& var, Cells value) {
    auto object = std::make_shared<Storageful>();
    object->cells = std::move(value);
    object->cells.resize(std::max<size_t>(1, cellsOf(*var.type)));
    (*env)[&var] = object;
  }

  ObjectPtr objectOf(const Variable& var) {
    auto found = env->find(&var);
    if (found != env->end()) return found->second;
    if (var.space != Space::Shared && var.storage != Storage::Global)
      throw std::runtime_error("no variable " + var.name);
    ObjectPtr& object = statics[&var];
    if (!object) object = array(cellsOf(*var.type));
    return object;
  }

  static Cell fit(Cell cell, const Type& type) {
    if (type.is(TypeKind::Bool)) cell.integer = cell.integer != 0;
    if (type.is(TypeKind::Int)) {
      switch (type.bits) {
        case 8:
          cell.integer = type.isSigned ? int64_t(int8_t(cell.integer)) : int64_t(uint8_t(cell.integer));
          break;
        case 16:
          cell.integer = type.isSigned ? int64_t(int16_t(cell.integer)) : int64_t(uint16_t(cell.integer));
          break;
        case 32:
          cell.integer = type.isSigned ? int64_t(int32_t(cell.integer)) : int64_t(uint32_t(cell.integer));
          break;
        default: break;
      }
    }
    if (type.is(TypeKind::Float) && type.bits == 32) cell.number = static_cast<float>(cell.number);
    return cell;
  }

  static Cell converted(Cell cell, const Type& from, const Type& to) {
    if (to.isPointer() || from.isPointer()) {
      if (to.is(TypeKind::Bool)) cell.integer = cell.object != nullptr;
      return cell;
    }
    if (from.isFloating() && to.is(TypeKind::Bool))
      cell.integer = cell.number != 0;
    else if (from.isFloating() && to.isInteger())
      cell.integer = std::abs(cell.number) < 1e15 ? int64_t(cell.number) : 0;
    else if (from.isInteger() && to.isFloating())
      cell.number = static_cast<double>(cell.integer);
    return fit(cell, to);
  }

  template <class T> static bool compared(BinaryOp op, T a, T b) {
    switch (op) {
      case BinaryOp::Eq: return a == b;
      case BinaryOp::Ne: return a != b;
      case BinaryOp::Lt: return a < b;
      case BinaryOp::Le: return a <= b;
      case BinaryOp::Gt: return a > b;
      default: return a >= b;
    }
  }

  // Signed overflow wraps and division by zero gives zero: the same on both sides of a comparison.
  static Cell computed(BinaryOp op, const Cell& a, const Cell& b, const Type& operand, const Type& type) {
    Cell out;
    if (operand.isFloating()) {
      if (isComparison(op)) return out.integer = compared(op, a.number, b.number), out;
      out.number = op == BinaryOp::Add   ? a.number + b.number
                   : op == BinaryOp::Sub ? a.number - b.number
                   : op == BinaryOp::Mul ? a.number * b.number
                   : b.number != 0       ? a.number / b.number
                                         : 0;
      return fit(out, type);
    }
    auto ua = static_cast<uint64_t>(a.integer), ub = static_cast<uint64_t>(b.integer);
    if (operand.isPointer() && isComparison(op)) return out.integer = compared(op, a.offset, b.offset), out;
    if (isComparison(op)) {
      out.integer = operand.isSigned ? compared(op, a.integer, b.integer) : compared(op, ua, ub);
      return out;
    }
    unsigned shift = static_cast<unsigned>(ub) & (type.bits - 1u);
    switch (op) {
      case BinaryOp::Add: out.integer = int64_t(ua + ub); break;
      case BinaryOp::Sub: out.integer = int64_t(ua - ub); break;
      case BinaryOp::Mul: out.integer = int64_t(ua * ub); break;
      case BinaryOp::Div: out.integer = b.integer == 0 || b.integer == -1 ? 0 : a.integer / b.integer; break;
      case BinaryOp::Rem: out.integer = b.integer == 0 || b.integer == -1 ? 0 : a.integer % b.integer; break;
      case BinaryOp::Shl: out.integer = int64_t(ua << shift); break;
      case BinaryOp::Shr: out.integer = a.integer >> shift; break;
      case BinaryOp::BitAnd: out.integer = int64_t(ua & ub); break;
      case BinaryOp::BitOr: out.integer = int64_t(ua | ub); break;
      case BinaryOp::BitXor: out.integer = int64_t(ua ^ ub); break;
      case BinaryOp::PtrDiff: out.integer = a.offset - b.offset; break;
      default: throw std::runtime_error("operator");
    }
    return fit(out, type);
  }

  Place place(const Expr& e) {
    if (const auto* var = e.as<VarRef>()) return {objectOf(*var->var), 0};
    if (const auto* element = e.as<Subscript>()) {
      Place at;
      Type const* type = element->base->type.get();
      if (type->isPointer()) {
        Cell pointer = value(element->base)[0];
        at = {pointer.object, pointer.offset};
      } else {
        at = place(*element->base);
      }
      for (const ExprPtr& index : element->indices) {
        type = type->element.get();
        at.offset += value(index)[0].integer * static_cast<int64_t>(cellsOf(*type));
      }
      return at;
    }
    if (const auto* field = e.as<Member>()) {
      Place at = place(*field->base);
      for (unsigned i = 0; i < field->field; ++i)
        at.offset += static_cast<int64_t>(cellsOf(*field->base->type->record->fields[i].type));
      return at;
    }
    throw std::runtime_error("no place");
  }

  Cells load(const Place& at, size_t count) {
    Cells out;
    for (size_t i = 0; i < count; ++i) out.push_back(at.object->cells.at(static_cast<size_t>(at.offset) + i));
    return out;
  }
  void store(const Place& at, const Cells& cells) {
    for (size_t i = 0; i < cells.size(); ++i)
      at.object->cells.at(static_cast<size_t>(at.offset) + i) = cells[i];
  }

  Cells value(const ExprPtr& e) {
    if (isPlace(*e)) return load(place(*e), cellsOf(*e->type));
    if (const auto* n = e->as<IntLiteral>())
      return {fit(Cell{static_cast<int64_t>(n->value), 0, nullptr, 0}, *e->type)};
    if (const auto* n = e->as<FloatLiteral>()) return {Cell{0, n->value, nullptr, 0}};
    if (e->is<NullPointer>()) return {Cell{}};
    if (const auto* n = e->as<Coord>()) return integer(n->kind == CoordKind::ThreadIdx ? 3 : 1);
    if (const auto* n = e->as<AddressOf>()) {
      Place at = place(*n->place);
      return {Cell{0, 0, at.object, at.offset}};
    }
    if (const auto* n = e->as<Unary>()) {
      Cell cell = value(n->operand)[0];
      if (n->op == UnaryOp::Not) return integer(!cell.integer);
      if (n->op == UnaryOp::BitNot)
        cell.integer = ~cell.integer;
      else
        cell.integer = static_cast<int64_t>(-static_cast<uint64_t>(cell.integer)), cell.number = -cell.number;
      return {fit(cell, *e->type)};
    }
    if (const auto* n = e->as<Binary>()) {
      if (n->op == BinaryOp::LogicalAnd) return integer(value(n->lhs)[0].integer && value(n->rhs)[0].integer);
      if (n->op == BinaryOp::LogicalOr) return integer(value(n->lhs)[0].integer || value(n->rhs)[0].integer);
      Cell a = value(n->lhs)[0], b = value(n->rhs)[0];
      return {computed(n->op, a, b, *n->lhs->type, *e->type)};
    }
    if (const auto* n = e->as<Cast>()) return {converted(value(n->operand)[0], *n->operand->type, *e->type)};
    if (const auto* n = e->as<Select>()) return value(value(n->cond)[0].integer ? n->yes : n->no);
    if (const auto* n = e->as<Construct>()) {
      Cells out;
      for (const ExprPtr& part : n->parts)
        for (const Cell& cell : value(part)) out.push_back(cell);
      out.resize(cellsOf(*e->type));
      return out;
    }
    if (const auto* n = e->as<Call>(); n && n->function) return called(*n, *e->type);
    throw std::runtime_error("cannot evaluate " + dump(e));
  }

  Cells called(const Call& call, const Type& type) {
    const Function& f = *call.function;
    std::map<const Variable*, ObjectPtr> frame;
    std::vector<Cells> args;
    for (const ExprPtr& arg : call.args) args.push_back(value(arg));
    auto* outer = std::exchange(env, &frame);
    ObjectPtr made;
    if (f.kind == FunctionKind::Constructor) {
      made = array(cellsOf(type));
      bind(*f.params[0], pointerTo(made));
    }
    for (size_t i = 0; i < args.size(); ++i) bind(*f.paramOf(i), args[i]);
    returned.clear();
    execute(f.body);
    env = outer;
    if (made) return made->cells;
    return std::exchange(returned, {});
  }

  Flow list(const StmtList& stmts) {
    for (const StmtPtr& s : stmts) {
      Flow flow = execute(s);
      if (flow != Flow::Next) return flow;
    }
    return Flow::Next;
  }

  bool holds(const ExprPtr& cond) { return !cond || value(cond)[0].integer; }

  // Runs a loop body; false ends the loop with `out`.
  bool iteration(const StmtPtr& body, Flow& out) {
    if (--fuel < 0) throw std::runtime_error("endless");
    Flow flow = execute(body);
    if (flow == Flow::Return) out = flow;
    return flow == Flow::Next || flow == Flow::Continue;
  }

  Flow execute(const StmtPtr& s) {
    return std::visit([this](const auto& node) { return one(node); }, s->node);
  }

  template <class Quiet> Flow one(const Quiet&) {
    return Flow::Next;
  }  // comments, barriers: nothing for one thread
  Flow one(const Block& n) { return list(n.stmts); }
  Flow one(const Declare& n) {
    if (n.var->space != Space::Shared) bind(*n.var, n.init ? value(n.init) : Cells{});
    return Flow::Next;
  }
  Flow one(const Assign& n) { return assignTo(n), Flow::Next; }
  Flow one(const Eval& n) { return value(n.call), Flow::Next; }
  Flow one(const If& n) {
    if (holds(n.cond)) return execute(n.then);
    return n.otherwise ? execute(n.otherwise) : Flow::Next;
  }
  Flow one(const For& n) {
    Flow out = Flow::Next;
    for (list(n.init); holds(n.cond); list(n.step))
      if (!iteration(n.body, out)) break;
    return out;
  }
  Flow one(const While& n) {
    Flow out = Flow::Next;
    while (holds(n.cond))
      if (!iteration(n.body, out)) break;
    return out;
  }
  Flow one(const DoWhile& n) {
    Flow out = Flow::Next;
    while (iteration(n.body, out) && holds(n.cond)) {}
    return out;
  }
  Flow one(const Switch& n) { return choose(n); }
  Flow one(const Break&) { return Flow::Break; }
  Flow one(const Continue&) { return Flow::Continue; }
  Flow one(const Return& n) {
    if (n.value) returned = value(n.value);
    return Flow::Return;
  }

  void assignTo(const Assign& n) {
    Cells right = value(n.value);
    Place at = place(*n.place);
    if (n.op) {
      TypePtr type = isShift(*n.op) ? promoted(n.place->type) : n.value->type;
      Cell left = converted(load(at, 1)[0], *n.place->type, *type);
      right = {converted(computed(*n.op, left, right[0], *type, *type), *type, *n.place->type)};
    }
    store(at, right);
  }

  Flow choose(const Switch& n) {
    int64_t wanted = value(n.value)[0].integer;
    size_t start = n.cases.size();
    for (size_t i = 0; i < n.cases.size(); ++i) {
      if (n.cases[i].isDefault && start == n.cases.size()) start = i;
      for (const ExprPtr& label : n.cases[i].values)
        if (value(label)[0].integer == wanted) {
          start = i;
          i = n.cases.size() - 1;
          break;
        }
    }
    for (size_t i = start; i < n.cases.size(); ++i) {
      Flow flow = list(n.cases[i].body);
      if (flow == Flow::Break) return Flow::Next;
      if (flow != Flow::Next) return flow;
    }
    return Flow::Next;
  }

  std::map<const Variable*, ObjectPtr>* env = nullptr;
  std::map<const Variable*, ObjectPtr> statics;
  Cells returned;
  int fuel = 100000;
};

}  // namespace hone::ir::test
