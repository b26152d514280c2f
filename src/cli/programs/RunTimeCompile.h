// What NVRTC does for a program that hone built: source to byte code while the program runs.
#pragma once

#include "sim/bytecode/RunTimeCompile.h"

namespace hone::cli {

sim::CompileAnswer compileAtRunTime(const sim::CompileRequest& request);

}  // namespace hone::cli
