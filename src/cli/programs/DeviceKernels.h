// The device side of one source file of a program: its kernels as byte code.
#pragma once

#include "frontend/Import.h"
#include "sim/bytecode/Bundle.h"

namespace hone::cli {

// Throws hone::Error with what the compiler said where nothing can be made of the file. `directory`: what
// flags are relative to; empty: the current one.
frontend::ImportResult importKernels(const std::string& path, const std::vector<std::string>& flags,
                                     bool linksDevice, const std::string& directory = "");

// Why a kernel that was imported cannot run although; an empty reason: it can.
struct Obstacle {
  std::string reason;
  ir::SourceLoc loc;
};
using FindObstacle = std::function<Obstacle(const ir::Kernel&)>;

// Byte code of each kernel; those that cannot run carry the reason to the launch, and a note says so.
std::vector<sim::BundledKernel> bundleKernels(const frontend::ImportResult& imported,
                                              std::vector<std::string>& notes,
                                              const FindObstacle& find = nullptr);

}  // namespace hone::cli
