// hone as a process beside the program, which compiles what the program hands to NVRTC.
#pragma once

#include "sim/bytecode/RunTimeCompile.h"

namespace hone::cuda {

// Throws hone::Error where there is no hone, and where it gives no answer.
sim::CompileAnswer askHone(const sim::CompileRequest& request);

}  // namespace hone::cuda
