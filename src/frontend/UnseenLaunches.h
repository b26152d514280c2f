// Launches in the text of a file that Clang could not read, as with <<<grid, {256, 1, 1}>>>, which nvcc
// takes.
#pragma once

#include <vector>

#include "frontend/Importer.h"

namespace hone::frontend {

/// Those that stand in no launch of `known`, in no range of `device` and not in text that the preprocessor
/// leaves out. Only what can do no harm in another order, by its tokens alone, may be patched.
std::vector<ImportedLaunch> unseenLaunches(const UnitImporter& unit,
                                           const std::vector<ImportedKernel>& kernels,
                                           const std::vector<ImportedLaunch>& known,
                                           const std::vector<FileRange>& device);

}  // namespace hone::frontend
