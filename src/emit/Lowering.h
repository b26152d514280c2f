// The steps of translate(); each changes a cloned module in place.
#pragma once

#include "emit/Translate.h"

namespace hone::emit {

// Methods, operators and conversions become functions with the object's pointer as first parameter `self`;
// constructors become functions that return the object.
void lowerClasses(ir::Module& module);

// CUDA's coordinates, calls, dynamic shared memory and globals as OpenCL has them.
void lowerToOpenCL(Translation& t);

// OpenCL's coordinates, calls, shifts, __local arguments as CUDA has them; vector arithmetic by functions per
// operation.
void lowerToCuda(Translation& t, const ir::Module& original);
void lowerVectors(Translation& t);

// A call of an intrinsic with the parameter and result types of its counterpart in the language, converted
// around.
ir::ExprPtr adaptedCall(const ir::ExprPtr& call, ir::Language to, Translation& t);

// Functions that no kernel reaches any more are dropped, those reached are ordered callees first.
void keepReached(ir::Module& module);

}  // namespace hone::emit
