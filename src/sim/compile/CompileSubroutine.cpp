// Functions that call themselves: compiled once, called with frames of their own.
//
// Arguments and results are passed in registers that belong to no frame. Registers of a function may be
// overwritten by the call it makes, so what it still needs is saved per lane by the call. Variables in local
// memory lie in the frame, at other addresses in each call, so that pointers to them stay good below it.
#include "ir/Walk.h"
#include "sim/compile/Compiler.h"

namespace hone::sim {

namespace {

using Callees = std::map<const ir::Function*, std::set<const ir::Function*>>;

void addCallees(const ir::Function& fn, Callees& callees) {
  if (callees.contains(&fn) || !fn.body) return;
  std::set<const ir::Function*> called;
  ir::walkExprs(fn.body, [&](const ir::Expr& e) {
    if (const auto* c = e.as<ir::Call>(); c && c->function) called.insert(c->function.get());
  });
  callees[&fn] = called;
  for (const ir::Function* one : called) addCallees(*one, callees);
}

bool reachesFunction(const Callees& callees, const ir::Function* from, const ir::Function* to,
                     std::set<const ir::Function*>& seen) {
  const auto of = callees.find(from);
  if (of == callees.end()) return false;
  for (const ir::Function* called : of->second)
    if (called == to || (seen.insert(called).second && reachesFunction(callees, called, to, seen)))
      return true;
  return false;
}

}  // namespace

void Compiler::findRecursion() {
  Callees callees;
  std::vector<const ir::Function*> inOrder;  // of the text, so that byte code is the same in every run
  for (const ir::StmtPtr& body : bodies)
    ir::walkExprs(body, [&](const ir::Expr& e) {
      const auto* c = e.as<ir::Call>();
      if (!c || !c->function) return;
      addCallees(*c->function, callees);
      inOrder.push_back(c->function.get());
    });
  for (const ir::Function* fn : inOrder) {
    std::set<const ir::Function*> seen;
    if (recursive.contains(fn) || !reachesFunction(callees, fn, fn, seen)) continue;
    if (fn->kind == ir::FunctionKind::Constructor)
      cannotRun("constructor '" + fn->name + "' that calls itself", fn->loc);
    Recursive& made = recursive[fn];
    made.number = uint32_t(recursiveInOrder.size());
    for (const ir::VarPtr& param : fn->params) made.args.push_back(newRegisters(*param->type));
    made.results = newRegisters(*fn->returnType);
    recursiveInOrder.push_back(fn);
    Subroutine subroutine;
    subroutine.name = fn->name;
    out.subroutines.push_back(std::move(subroutine));
  }
}

Value Compiler::subroutineCall(const ir::Expr& e) {
  const auto& c = *e.as<ir::Call>();
  const ir::Function& fn = *c.function;
  const Recursive& to = recursive.at(&fn);
  std::vector<Value> args;
  for (const ir::ExprPtr& a : c.args) args.push_back(eval(a));
  if (e.loc.valid()) current = e.loc;
  for (size_t i = 0; i < args.size(); ++i) {
    const std::vector<Leaf> of = leaves(*fn.paramOf(i)->type);
    for (size_t j = 0; j < of.size(); ++j) move(to.args[i][j], args[i].regs[j], of[j].type);
  }
  SubroutineCall call;
  call.subroutine = to.number;
  if (within) {
    for (uint32_t unit = frameStart.unit; unit < top.unit; ++unit) call.narrow.push_back(Reg(unit));
    for (uint32_t unit = frameStart.wide; unit < top.wide; unit += 2) call.wide.push_back(Reg(unit));
    call.firstVariable = frameVariable;
    call.variables = uint32_t(out.variables.size()) - frameVariable;
  }
  out.subroutineCalls.push_back(std::move(call));
  jumpToJoin(emit({.op = Op::CallSubroutine, .imm2 = int32_t(out.subroutineCalls.size() - 1)}));
  Value result{fn.returnType, newRegisters(*fn.returnType)};
  const std::vector<Leaf> of = leaves(*fn.returnType);
  for (size_t j = 0; j < of.size(); ++j) move(result.regs[j], to.results[j], of[j].type);
  return result;
}

// Twice: where registers of 8-byte lanes can begin is known when the others are counted.
void Compiler::compileSubroutine(const ir::Function& fn) {
  const uint32_t first = out.warpUnits;  // above what anything else has
  constexpr uint32_t farAway = 8192;
  const Program before = out;
  const uint32_t end = subroutineBody(fn, {first, first + farAway});
  if (end > first + farAway) cannotRun("'" + fn.name + "' needs more registers than the device has", fn.loc);
  // Constants and what else the launch provides have their places; the rest is made again.
  Program made = before;
  made.constants = std::move(out.constants);
  made.uniforms = std::move(out.uniforms);
  made.globals = std::move(out.globals);
  made.uniformUnits = out.uniformUnits;
  made.files = std::move(out.files);
  out = std::move(made);
  subroutineBody(fn, {first, end});
}

// Returns the end of its registers of 4-byte lanes.
uint32_t Compiler::subroutineBody(const ir::Function& fn, FreeRegisters start) {
  const Recursive& self = recursive.at(&fn);
  within = &fn;
  current = fn.loc;
  top = frameStart = start;
  mostUnits = start.unit;
  frameVariable = uint32_t(out.variables.size());
  localTop = frameBytes = 0;
  const int32_t begin = here();
  frame = newRegister(Scalar::U64);
  emit({.op = Op::FrameAddress, .type = Scalar::U64, .dst = frame});
  for (size_t i = 0; i < fn.params.size(); ++i) {
    declare(fn.params[i]);
    const VariableHome h = homes.at(fn.params[i].get());
    const std::vector<Leaf> of = leaves(*fn.params[i]->type);
    if (h.inRegisters)
      for (size_t j = 0; j < of.size(); ++j) move(h.regs[j], self.args[i][j], of[j].type);
    else
      store(place(ir::ref(fn.params[i])), {fn.params[i]->type, self.args[i]});
  }
  Scope scope;
  scope.kind = Scope::Call;
  scope.results = self.results;
  scope.function = &fn;
  scopes.push_back(std::move(scope));
  statement(fn.body);
  current = fn.loc;
  joinHere(scopes.back());
  for (size_t i : scopes.back().toEnd) out.code[i].imm = here();
  scopes.pop_back();
  const int32_t end = here();
  emit({.op = Op::SubroutineEnd});
  Subroutine& made = out.subroutines[self.number];
  made.begin = begin;
  made.end = end;
  made.localBytes = (frameBytes + 15) / 16 * 16;
  within = nullptr;
  frame = noReg;
  return mostUnits;
}

}  // namespace hone::sim
