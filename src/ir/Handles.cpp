#include "ir/Handles.h"

#include <map>

namespace hone::ir {

namespace {

// What a place or pointer is called by: the variable, with the members that lead to it.
std::string pathOf(const ExprPtr& e) {
  if (const auto* var = as<VarRef>(e)) return var->var->name;
  if (const auto* element = as<Subscript>(e)) return pathOf(element->base);
  if (const auto* address = as<AddressOf>(e)) return pathOf(address->place);
  if (const auto* cast = as<Cast>(e)) return pathOf(cast->operand);
  if (const auto* lanes = as<Swizzle>(e)) return pathOf(lanes->base);
  if (const auto* field = as<Member>(e)) {
    std::string path = pathOf(field->base);
    return field->baseClass >= 0 ? path : path + "." + field->base->type->record->fields[field->field].name;
  }
  if (const auto* select = as<Select>(e)) {
    std::string yes = pathOf(select->yes);
    return yes == pathOf(select->no) ? yes : "select";
  }
  if (const auto* call = as<Call>(e)) return call->function ? call->function->name : "call";
  return "memory";
}

bool alwaysLeaves(const StmtPtr& s) {
  if (!s) return false;
  if (s->is<Return>() || s->is<Break>() || s->is<Continue>()) return true;
  if (const auto* list = as<Block>(s)) {
    for (const StmtPtr& child : list->stmts)
      if (alwaysLeaves(child)) return true;
    return false;
  }
  const auto* choice = as<If>(s);
  return choice && choice->otherwise && alwaysLeaves(choice->then) && alwaysLeaves(choice->otherwise);
}

class HandleFinder {
 public:
  KernelHandles result;

  void list(const StmtList& stmts) {
    const size_t outer = guards.size();
    for (const StmtPtr& s : stmts) {
      statement(s);
      // After `if (c) return;` what follows runs only where c is false.
      const auto* choice = as<If>(s);
      if (!choice) continue;
      if (alwaysLeaves(choice->then))
        guards.push_back(unary(UnaryOp::Not, choice->cond, choice->cond->loc));
      else if (choice->otherwise && alwaysLeaves(choice->otherwise))
        guards.push_back(choice->cond);
    }
    guards.resize(outer);
  }

 private:
  void statement(const StmtPtr& s) {
    if (const auto* body = as<Block>(s)) return list(body->stmts);
    if (const auto* choice = as<If>(s)) {
      record(s, accesses(*s));
      branch(choice->then, choice->cond);
      if (choice->otherwise) branch(choice->otherwise, unary(UnaryOp::Not, choice->cond, choice->cond->loc));
    } else if (const auto* loop = as<For>(s)) {
      for (const StmtPtr& init : loop->init) statement(init);
      enter(s);
      record(s, accesses(*s));
      for (const StmtPtr& step : loop->step) statement(step);
      statement(loop->body);
      leave();
    } else if (const auto* loopWhile = as<While>(s)) {
      enter(s);
      record(s, accesses(*s));
      statement(loopWhile->body);
      leave();
    } else if (const auto* loopDo = as<DoWhile>(s)) {
      enter(s);
      statement(loopDo->body);
      record(s, accesses(*s));
      leave();
    } else if (const auto* choiceOfMany = as<Switch>(s)) {
      record(s, accesses(*s));
      for (const SwitchCase& c : choiceOfMany->cases) list(c.body);
    } else if (const auto* assignment = as<Assign>(s)) {
      record(s, accesses(assignment->place, assignment->op ? AccessMode::ReadWrite : AccessMode::Write));
      record(s, accesses(assignment->value));
    } else {
      record(s, accesses(*s));
    }
  }

  void branch(const StmtPtr& body, ExprPtr cond) {
    guards.push_back(std::move(cond));
    statement(body);
    guards.pop_back();
  }

  void enter(const StmtPtr& loop) {
    int parent = nest.empty() ? -1 : nest.back();
    unsigned number = ++children[parent];
    std::string name = parent < 0 ? "L" : result.loops[static_cast<size_t>(parent)].name + ".";
    result.loops.push_back({name + std::to_string(number), loop, parent});
    nest.push_back(static_cast<int>(result.loops.size()) - 1);
  }
  void leave() { nest.pop_back(); }

  void record(const StmtPtr& s, const std::vector<Access>& found) {
    for (const Access& access : found) {
      std::string path = pathOf(access.place);
      std::string name = path + "#" + std::to_string(++counts[path]);
      result.accesses.push_back({std::move(name), access, s, nest, guards});
    }
  }

  std::vector<int> nest;
  std::vector<ExprPtr> guards;
  std::map<int, unsigned> children;
  std::map<std::string, unsigned> counts;
};

}  // namespace

KernelHandles handles(const Kernel& kernel) {
  HandleFinder finder;
  finder.list({kernel.body});
  return std::move(finder.result);
}

}  // namespace hone::ir
