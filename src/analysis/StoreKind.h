// What kind of result one store writes.
#pragma once

#include "analysis/AddressForms.h"
#include "analysis/KernelKind.h"
#include "analysis/ValueSources.h"

namespace hone::analysis {

struct StoreAnswer {
  KindAnswer kind;
  bool isFill = false;  // nothing that was loaded goes into it
};

StoreAnswer kindOfStore(const affine::KernelModel& model, const ValueSources& sources, AddressForms& forms,
                        affine::AccessId store);

}  // namespace hone::analysis
