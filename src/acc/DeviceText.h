// The device's file of a program with OpenACC: its kernels as CUDA, and the functions that launch them.
#pragma once

#include <string>
#include <vector>

#include "acc/LowerRegion.h"
#include "frontend/AccUnit.h"

namespace hone::acc {

struct DeviceText {
  std::string text;    ///< a .cu file that needs hone_acc.h and nothing else
  std::string reason;  ///< why there is none: what has no text in CUDA
  ir::SourceLoc loc;
};

/// Kernels of all regions that have such. `tag` is that of the host's text.
DeviceText deviceText(const frontend::AccUnit& unit, const std::vector<LoweredRegion>& lowered,
                      const std::string& tag);

}  // namespace hone::acc
