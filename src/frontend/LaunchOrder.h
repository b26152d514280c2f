// A launch evaluates grid, block, shared memory and stream before the arguments of the kernel; a call of one
// function that takes them all leaves the order to the compiler.
#pragma once

#include <string>
#include <vector>

#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"

namespace hone::frontend {

struct LaunchOrder {
  bool matters = false;     ///< evaluated in another order, the two might do or give something else
  std::vector<bool> fixed;  ///< by part of the configuration: gives the same whenever it is evaluated
};

/// `inside` is the function with the launch, as far as known; only variables of its own that nobody else can
/// reach are known to keep their values while other functions run.
LaunchOrder launchOrder(const std::vector<const clang::Expr*>& configuration,
                        const std::vector<const clang::Expr*>& arguments, const clang::FunctionDecl* inside);

}  // namespace hone::frontend
