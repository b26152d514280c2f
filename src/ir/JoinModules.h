// Modules of several files made one: what a file only declares becomes what another one defines.
#pragma once

#include <map>
#include <string>

#include "ir/Kernel.h"

namespace hone::ir {

struct SharedDefinitions {  // by their names in object files
  std::map<std::string, FunctionPtr> functions;
  std::map<std::string, VarPtr> variables;
};

// Calls of functions without a body go to the definition, variables that another file defines become that
// variable; what is not among the definitions stays as it is.
void useDefinitions(Module& module, const SharedDefinitions& definitions);

// The first function without a body that is reached from a statement; null: none.
const Function* firstWithoutBody(const StmtPtr& body);

}  // namespace hone::ir
