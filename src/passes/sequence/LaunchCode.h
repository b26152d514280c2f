// One launch of a run as straight code of a thread: what the threads below a bound do, one statement after
// the other, with the launch's arguments in place of the kernel's parameters.
#pragma once

#include <map>
#include <set>

#include "ir/Plan.h"
#include "passes/recipe/Refusal.h"

namespace hone::passes {

// An element of an array that the host hands over or the plan holds.
struct LaunchElement {
  const ir::Expr* place = nullptr;  // as it stands in the statement
  ir::VarPtr array;                 // of the plan
  ir::ExprPtr index;                // over coordinates and the plan's variables
};

struct LaunchStatement {
  ir::StmtPtr stmt;
  std::vector<LaunchElement> loads;
  std::optional<LaunchElement> store;  // the statement is a plain Assign to it
};

struct LaunchCode {
  ir::KernelPtr kernel;
  std::vector<LaunchStatement> stmts;
  ir::ExprPtr bound;                    // threads with numbers below it do it; over the plan's variables
  std::vector<ir::ExprPtr> conditions;  // of the whole launch: nothing is done where one does not hold
  // Integers that get one value, as expressions over coordinates and the plan's variables.
  std::map<const ir::Variable*, ir::ExprPtr> numbers;
  std::set<const ir::Variable*> changed;  // variables that may get more than one value
};

// Refuses what is no such code.
Result<LaunchCode> launchCode(const ir::LaunchStep& launch);

// Whether an expression differs from thread to thread by coordinates.
bool usesCoordinates(const ir::ExprPtr& e);

}  // namespace hone::passes
