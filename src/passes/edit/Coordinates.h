// Replacing thread and block coordinates throughout a kernel.
#pragma once

#include <functional>

#include "ir/Kernel.h"
#include "passes/recipe/Refusal.h"

namespace hone::passes {

// Whether functions that use coordinates, themselves or further down, are still called where calls have been
// inlined: what gives threads other ids in the body would miss theirs.
Obstacle obstacleToOtherIds(const ir::Kernel& kernel);

// The kernel with every function inlined that uses coordinates, so that all of them stand in its own body.
Result<ir::KernelPtr> withCoordsInBody(const ir::KernelPtr& kernel);

// The body with each coordinate replaced by what `fn` makes of it; null keeps it.
ir::StmtPtr mapCoords(const ir::StmtPtr& body,
                      const std::function<ir::ExprPtr(const ir::Coord&, const ir::ExprPtr&)>& fn);

// A coordinate in the type that the kernel's language gives it.
ir::ExprPtr coordOf(const ir::Kernel& kernel, ir::CoordKind kind, unsigned axis);

// The body with gridDim * blockDim replaced by a variable, where one is given for the axis.
ir::StmtPtr withGridSize(const ir::StmtPtr& body, const std::array<ir::VarPtr, 3>& threads);

// The numbers of its own block that a kernel holds by name (see setBlock) as blockDim again, and without
// their constants.
ir::KernelPtr withBlockDims(const ir::KernelPtr& kernel, const std::array<unsigned, 3>& block);

// A kernel whose coordinates have the type that its language gives them, whatever the passes wrote: 32 bits
// in CUDA, size_t in OpenCL. The same kernel where nothing changes.
ir::KernelPtr withCoordTypes(const ir::KernelPtr& kernel);

// Whether an expression is a coordinate, through conversions.
bool isCoordinate(const ir::ExprPtr& e, ir::CoordKind kind, unsigned axis);

// Which axes of a kind of coordinate a body uses, one bit each; called functions are not looked into.
unsigned usedAxes(const ir::StmtPtr& body, ir::CoordKind kind);

}  // namespace hone::passes
