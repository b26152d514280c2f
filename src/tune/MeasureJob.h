// Cases and plans as a worker takes them: arrays with what fills them, source that stands alone, launches in
// numbers.
#pragma once

#include "device/CaseData.h"
#include "worker/Protocol.h"

namespace hone::tune {

// Throws hone::Error for what no worker can set up: variables outside of functions without a value, pointers
// inside structures.
worker::CaseSpec caseSpecOf(const device::Case& c, const device::CaseData& data, double operations);

struct PlanJob {
  worker::VariantSpec variant;  // without an id
  bool fellBack = false;        // conditions of the plan do not hold in this case: the original would run
};
// `module` is that of the original's file: functions, records and variables that the kernels use come from
// it. Throws hone::Error with the reason when the plan cannot be printed or has no numbers here.
PlanJob planJob(const ir::Plan& plan, const ir::Module& module, const device::Case& c,
                const device::CaseData& data);

// What names a case or a variant, on whatever device: hashes of all that is measured.
std::string caseKey(worker::CaseSpec spec);
std::string variantKey(worker::VariantSpec variant);

}  // namespace hone::tune
