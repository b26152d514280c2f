// Calls: the user's functions in place, and pure functions of the platforms.
#include <algorithm>
#include <utility>

#include "ir/intrinsics/LowerIntrinsic.h"
#include "sim/compile/Compiler.h"
#include "sim/functions/PureFunctions.h"

namespace hone::sim {

using ir::IntrinsicClass;
using ir::TypeKind;

Value Compiler::call(const ir::Expr& e, Reg into) {
  const auto& c = *e.as<ir::Call>();
  const bool used = std::exchange(resultUsed, true);
  if (c.function) return userCall(e);
  const ir::Intrinsic& fn = *c.intrinsic;
  switch (fn.cls) {
    case IntrinsicClass::Math:
    case IntrinsicClass::Bits:
    case IntrinsicClass::Convert:
      if (fn.writesArguments) return writingCall(e);
      return pureCall(std::make_shared<ir::Expr>(e), into);
    case IntrinsicClass::Load: return loadCall(e, into);
    case IntrinsicClass::Store: return storeCall(e);
    case IntrinsicClass::Atomic: return atomicCall(e, used);
    case IntrinsicClass::Exchange: return exchangeCall(e);
    case IntrinsicClass::BarrierVote: return barrierVote(e);
    case IntrinsicClass::Query: return queryCall(e);
    case IntrinsicClass::Group: return groupCall(e);
    case IntrinsicClass::Control: return fn.id == "printf" ? printfCall(e) : machineCall(e);
  }
  return noValue();
}

Value Compiler::userCall(const ir::Expr& e) {
  const auto& c = *e.as<ir::Call>();
  const ir::Function& fn = *c.function;
  if (!fn.body) cannotRun("a call of '" + fn.name + "', whose body is not known", e.loc);
  if (recursive.contains(&fn)) return subroutineCall(e);
  const bool isConstructor = fn.kind == ir::FunctionKind::Constructor;
  const ir::TypePtr resultType = isConstructor ? e.type : fn.returnType;
  Value result{resultType, isConstructor ? std::vector<Reg>{} : newRegisters(*resultType)};
  const FreeRegisters afterResults = top;
  // All arguments before any parameter: a parameter's register must not be written while an argument still
  // reads it.
  std::vector<Value> args;
  for (const ir::ExprPtr& a : c.args) args.push_back(eval(a));
  Place object;
  if (isConstructor) {
    ir::Variable temporary;
    temporary.name = fn.name;
    temporary.type = resultType;
    const VariableHome h = localMemory(temporary);
    object.type = resultType;
    object.space = h.space;
    object.base = h.base;
    object.offset = h.offset;
    declare(fn.params[0]);
    store(place(ir::ref(fn.params[0])), {fn.params[0]->type, {address(object)}});
  }
  for (size_t i = 0; i < args.size(); ++i) {
    const ir::VarPtr& param = fn.paramOf(i);
    declare(param);
    const VariableHome h = homes.at(param.get());
    if (h.inRegisters) {
      const std::vector<Leaf> of = leaves(*param->type);
      for (size_t j = 0; j < of.size(); ++j) move(h.regs[j], args[i].regs[j], of[j].type);
    } else {
      store(place(ir::ref(param)), args[i]);
    }
  }
  pushScope(Scope::Call, Op::Call);
  scopes.back().results = result.regs;
  scopes.back().function = &fn;
  const ir::SourceLoc at = current;
  statement(fn.body);
  current = at;
  popScope(Op::CallEnd);
  if (isConstructor) return load(object);
  top = {std::max(top.unit, afterResults.unit), std::max(top.wide, afterResults.wide)};
  return result;
}

// Bit for bit: leaves of the same widths keep their places, other shapes go through memory.
Value Compiler::reinterpret(const Value& value, const ir::TypePtr& type) {
  const std::vector<Leaf> from = leaves(*value.type), to = leaves(*type);
  bool sameShape = from.size() == to.size();
  for (size_t i = 0; sameShape && i < from.size(); ++i)
    sameShape = memoryBytes(from[i].type) == memoryBytes(to[i].type);
  if (!sameShape) {
    ir::Variable temporary;
    temporary.name = "bits";
    temporary.type = sizeOf(*type) > sizeOf(*value.type) ? type : value.type;
    const VariableHome h = localMemory(temporary);
    Place p;
    p.space = h.space;
    p.base = h.base;
    p.offset = h.offset;
    p.type = value.type;
    store(p, value);
    p.type = type;
    return load(p);
  }
  Value result{type, {}};
  for (size_t i = 0; i < from.size(); ++i) {
    const Scalar f = from[i].type, t = to[i].type;
    if (memoryBytes(t) >= 4 || f == t)
      result.regs.push_back(value.regs[i]);
    else if (!isFloating(f) && !isFloating(t))
      result.regs.push_back(normalize(value.regs[i], t));
    else
      result.regs.push_back(emitPure("as", {f}, {value.regs[i]}, {t}).at(0));
  }
  return result;
}

std::vector<Reg> Compiler::emitPure(std::string_view id, const std::vector<Scalar>& argTypes,
                                    const std::vector<Reg>& args, const std::vector<Scalar>& resultTypes,
                                    Reg into) {
  if (!findPureFunction(id, argTypes, resultTypes)) return {};
  CallSite site;
  site.function = id;
  site.argTypes = argTypes;
  site.resultTypes = resultTypes;
  site.args = args;
  for (Scalar r : resultTypes)
    site.results.push_back(into != noReg && resultTypes.size() == 1 ? into : newRegister(r));
  const std::vector<Reg> results = site.results;
  out.calls.push_back(std::move(site));
  emit({.op = Op::CallPure,
        .type = resultTypes.empty() ? Scalar::I32 : resultTypes[0],
        .imm = int32_t(out.calls.size() - 1)});
  return results;
}

std::optional<Value> Compiler::pureByLanes(const ir::Expr& e, std::string_view id,
                                           const std::vector<Value>& args) {
  unsigned lanes = 0;
  if (e.type->is(TypeKind::Vector)) lanes = e.type->lanes;
  for (const Value& a : args)
    if (a.type->is(TypeKind::Vector)) lanes = std::max<unsigned>(lanes, a.type->lanes);
  if (lanes == 0 || !isLanewise(id)) return std::nullopt;
  const ir::Type& element = e.type->is(TypeKind::Vector) ? *e.type->element : *e.type;
  Value v{e.type, {}};
  for (unsigned lane = 0; lane < lanes; ++lane) {
    std::vector<Scalar> types;
    std::vector<Reg> regs;
    for (const Value& a : args) {
      types.push_back(scalarOf(a.type->is(TypeKind::Vector) ? *a.type->element : *a.type));
      regs.push_back(a.regs[a.regs.size() == 1 ? 0 : lane]);
    }
    std::vector<Reg> r = emitPure(id, types, regs, {scalarOf(element)});
    if (r.empty()) return std::nullopt;
    if (isRelational(id)) {  // of vectors, true is all bits
      const Scalar s = scalarOf(element);
      r[0] = emitOp(isWide(s) ? Op::NegI64 : Op::NegI32, s, r[0]);
    }
    v.regs.push_back(r[0]);
  }
  return v;
}

Value Compiler::pureCall(const ir::ExprPtr& expr, Reg into) {
  const ir::Expr& e = *expr;
  const auto& c = *e.as<ir::Call>();
  std::string_view id = c.intrinsic->id;
  std::vector<Value> args;
  for (const ir::ExprPtr& a : c.args) args.push_back(eval(a));
  if (e.loc.valid()) current = e.loc;
  if (id == "as") return reinterpret(args.at(0), e.type);
  if (id == "expect" || id == "assume_aligned") {
    args[0].type = e.type;
    return args[0];
  }
  if (c.intrinsic->traits.convertsAddress) {
    if (id == "cvta_generic_to_shared" || id == "cvta_generic_to_local")
      return {e.type, {emitOp(Op::And64, Scalar::U64, args[0].regs[0], constant(Scalar::U64, ~windowMask))}};
    if (id == "cvta_shared_to_generic")
      return {e.type, {emitOp(Op::Or64, Scalar::U64, args[0].regs[0], constant(Scalar::U64, sharedWindow))}};
    if (id == "cvta_local_to_generic")
      return {e.type, {emitOp(Op::Or64, Scalar::U64, args[0].regs[0], constant(Scalar::U64, localWindow))}};
    return {e.type, args[0].regs};
  }
  if (id == "convert") {
    const auto scalar = [](const ir::Type& t) { return scalarOf(t.is(TypeKind::Vector) ? *t.element : t); };
    Value v{e.type, {}};
    for (Reg r : args.at(0).regs) v.regs.push_back(convertScalar(r, scalar(*args[0].type), scalar(*e.type)));
    return v;
  }
  // CUDA's conversions saturate as OpenCL's _sat do, but keep what machines make of NaN.
  if (!isOpenCL && id.starts_with("convert_sat_") && e.type->bits >= 32) {
    static constexpr std::string_view plain[] = {"convert_rte", "convert_rtz", "convert_rtp", "convert_rtn"};
    for (const std::string_view one : plain)
      if (id.ends_with(one.substr(one.size() - 4))) id = one;
  }
  if (id == "select" && c.args.at(2)->type->is(TypeKind::Vector)) id = "select_msb";
  if (auto v = pureByLanes(e, id, args)) return *v;
  std::vector<Scalar> types, results;
  std::vector<Reg> regs;
  for (const Value& a : args) {
    const std::vector<Leaf> of = leaves(*a.type);
    for (size_t i = 0; i < of.size(); ++i) {
      types.push_back(of[i].type);
      regs.push_back(a.regs[i]);
    }
  }
  for (const Leaf& leaf : leaves(*e.type)) results.push_back(leaf.type);
  const bool overlaps = into != noReg && std::find(regs.begin(), regs.end(), into) != regs.end();
  std::vector<Reg> r = emitPure(id, types, regs, results, overlaps ? noReg : into);
  if (!r.empty()) return {e.type, r};
  for (ir::Language language : {ir::Language::Cuda, ir::Language::OpenCL})
    if (auto lowered = ir::lowerCall(expr, language); lowered && lowered->value && lowered->value != expr) {
      const auto* again = ir::as<ir::Call>(lowered->value);
      if (again && again->intrinsic == c.intrinsic) continue;
      for (const ir::StmtPtr& s : lowered->before) statement(s);
      return eval(lowered->value, into);
    }
  cannotRun("the function " + (c.spelling.empty() ? std::string(c.intrinsic->id) : c.spelling), e.loc);
}

// Functions with results behind pointers: computed, then stored there.
Value Compiler::writingCall(const ir::Expr& e) {
  const auto& c = *e.as<ir::Call>();
  std::vector<Value> values;
  std::vector<Place> targets;
  for (const ir::ExprPtr& a : c.args) {
    if (a->type->isPointer())
      targets.push_back(dereference(evalScalar(a), *a->type));
    else
      values.push_back(eval(a));
  }
  if (e.loc.valid()) current = e.loc;
  const auto element = [](const ir::Type& t) { return scalarOf(t.is(TypeKind::Vector) ? *t.element : t); };
  const bool returns = !e.type->is(TypeKind::Void);
  const unsigned lanes = values.empty() || !values[0].type->is(TypeKind::Vector) ? 1 : values[0].type->lanes;
  Value result{e.type, {}};
  std::vector<Value> stored(targets.size());
  for (unsigned lane = 0; lane < lanes; ++lane) {
    std::vector<Scalar> types, results;
    std::vector<Reg> regs;
    for (const Value& v : values) {
      types.push_back(element(*v.type));
      regs.push_back(v.regs[v.regs.size() == 1 ? 0 : lane]);
    }
    if (returns) results.push_back(element(*e.type));
    for (const Place& t : targets) results.push_back(element(*t.type));
    const std::vector<Reg> r = emitPure(c.intrinsic->id, types, regs, results);
    if (r.empty())
      cannotRun("the function " + (c.spelling.empty() ? std::string(c.intrinsic->id) : c.spelling), e.loc);
    if (returns) result.regs.push_back(r[0]);
    for (size_t t = 0; t < targets.size(); ++t) stored[t].regs.push_back(r[t + (returns ? 1 : 0)]);
  }
  for (size_t t = 0; t < targets.size(); ++t) {
    stored[t].type = targets[t].type;
    store(targets[t], stored[t]);
  }
  return result;
}

}  // namespace hone::sim
