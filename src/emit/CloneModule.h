// A copy of a module whose variables, functions and records are its own, with types changed on the way.
#pragma once

#include <functional>
#include <map>

#include "ir/Walk.h"

namespace hone::emit {

class ModuleCloner : public ir::Rewriter {
 public:
  // Gets each type with its parts mapped already.
  std::function<ir::TypePtr(const ir::TypePtr&)> changeType;

  ir::Module clone(const ir::Module& module);
  ir::TypePtr mapType(const ir::TypePtr& type);

 protected:
  ir::VarPtr mapVar(const ir::VarPtr& v) override;
  ir::ExprPtr mapExpr(const ir::ExprPtr& e) override;
  ir::FunctionPtr mapFunction(const ir::FunctionPtr& f);
  ir::RecordPtr mapRecord(const ir::RecordPtr& r);

 private:
  std::map<const ir::Variable*, ir::VarPtr> variables;
  std::map<const ir::Function*, ir::FunctionPtr> functions;
  std::map<const ir::Record*, ir::RecordPtr> records;
  std::map<const ir::Record*, unsigned> baseCounts;  // of cloned records: fields that stand for base classes
};

}  // namespace hone::emit
