// Private sections of pointers: which part of the device's memory each gang, worker or thread has for one.
#pragma once

#include "acc/WorkRegion.h"

namespace hone::acc {

/// Where the pointer leads in the gang, worker or thread at hand. The memory is noted in
/// WorkRegion::ownMemory.
ir::ExprPtr ownPlace(WorkRegion& work, const ir::VarPtr& pointer, const frontend::AccOwnSection& section,
                     OwnedBy by);

/// Sections that the construct gives each gang: pointers set, and what they begin with copied, before the
/// region's body.
void giveGangsSections(WorkRegion& work, bool hasThreads);

bool hasOwnSections(const WorkRegion& work);

}  // namespace hone::acc
