#include "emit/CloneModule.h"

namespace hone::emit {

using namespace ir;

TypePtr ModuleCloner::mapType(const TypePtr& type) {
  if (!type) return nullptr;
  TypePtr result = type;
  if (type->element || type->record) {
    auto copy = std::make_shared<Type>(*type);
    if (type->element) copy->element = mapType(type->element);
    if (type->record) copy->record = mapRecord(type->record);
    result = copy;
  }
  return changeType ? changeType(result) : result;
}

// Base classes become the first fields: C has no other way to say them.
RecordPtr ModuleCloner::mapRecord(const RecordPtr& r) {
  auto known = records.find(r.get());
  if (known != records.end()) return known->second;
  auto copy = std::make_shared<Record>();
  records[r.get()] = copy;
  records[copy.get()] = copy;  // mapping is done once
  copy->name = r->name;
  copy->isUnion = r->isUnion;
  copy->isComplete = r->isComplete;
  copy->size = r->size;
  copy->align = r->align;
  uint64_t offset = 0;
  for (size_t i = 0; i < r->bases.size(); ++i) {
    TypePtr base = mapType(r->bases[i]);
    copy->fields.push_back({i ? "base_" + std::to_string(i + 1) : "base", base});
    copy->offsets.push_back(offset);
    offset += sizeOf(*base);
  }
  baseCounts[copy.get()] = static_cast<unsigned>(r->bases.size());
  for (const Field& f : r->fields)
    copy->fields.push_back({f.name, mapType(f.type), f.bits, f.firstBit, f.unitBytes});
  copy->offsets.insert(copy->offsets.end(), r->offsets.begin(), r->offsets.end());
  return copy;
}

VarPtr ModuleCloner::mapVar(const VarPtr& v) {
  auto known = variables.find(v.get());
  if (known != variables.end()) return known->second;
  auto copy = std::make_shared<Variable>(*v);
  variables[v.get()] = copy;
  copy->type = mapType(v->type);
  if (v->init) copy->init = rewrite(v->init);
  return copy;
}

FunctionPtr ModuleCloner::mapFunction(const FunctionPtr& f) {
  auto known = functions.find(f.get());
  if (known != functions.end()) return known->second;
  auto copy = std::make_shared<Function>(*f);
  functions[f.get()] = copy;
  copy->returnType = mapType(f->returnType);
  for (VarPtr& p : copy->params) p = mapVar(p);
  if (f->body) copy->body = rewriteBlock(f->body);
  return copy;
}

ExprPtr ModuleCloner::mapExpr(const ExprPtr& e) {
  auto copy = std::make_shared<Expr>(*e);
  if (!e->is<VarRef>()) copy->type = mapType(e->type);
  if (auto* call = std::get_if<Call>(&copy->node)) {
    if (call->function) call->function = mapFunction(call->function);
    for (TypePtr& t : call->typeArgs) t = mapType(t);
  }
  if (auto* m = std::get_if<Member>(&copy->node)) {
    if (m->baseClass >= 0) {
      m->field = static_cast<unsigned>(m->baseClass);
      m->baseClass = -1;
    } else {
      auto bases = baseCounts.find(m->base->type->record.get());
      if (bases != baseCounts.end()) m->field += bases->second;
    }
  }
  return copy;
}

Module ModuleCloner::clone(const Module& module) {
  Module result;
  result.language = module.language;
  result.launches = module.launches;
  for (const auto& r : module.records) result.records.push_back(mapRecord(r));
  for (const auto& v : module.globals) result.globals.push_back(mapVar(v));
  for (const auto& f : module.functions) result.functions.push_back(mapFunction(f));
  for (const auto& k : module.kernels) {
    auto copy = std::make_shared<Kernel>(*k);
    for (VarPtr& p : copy->params) p = mapVar(p);
    copy->body = rewriteBlock(k->body);
    result.kernels.push_back(copy);
  }
  return result;
}

}  // namespace hone::emit
