// Objects of the device as variables while a region is rewritten, and as what parameters point to at the end.
#pragma once

#include "acc/KernelMaker.h"

namespace hone::acc {

/// Fills work.objects: captured objects, and variables carried from kernel to kernel.
void objectsToVariables(WorkRegion& work, const frontend::AccRegion& region,
                        const std::vector<CarriedVariable>& carried);
ir::StmtPtr variablesToObjects(const WorkRegion& work, const ir::StmtPtr& s);
/// Without variables that nothing names.
ir::StmtPtr withoutUnusedVariables(const ir::StmtPtr& s);
/// Parameters that no other kernel has.
void freshParameters(ir::Kernel& kernel);

}  // namespace hone::acc
