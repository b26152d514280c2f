// What the page of a tuning run shows besides measurements.
#pragma once

#include "device/WorkerTeam.h"
#include "report/ChoiceReport.h"
#include "report/TuneReport.h"
#include "tune/Store.h"
#include "tune/TunedKernel.h"

namespace hone::cli {

// Counters before and after, refusals, the kernel's work; `about` has its measurements already.
void gatherEvidence(tune::TunedKernel& kernel, report::TuneReport& about);

// What the device reaches at most: as measured now or earlier, else by the target's description, where the
// device is of that kind. Both pointers may be null.
void findCeilings(const target::Target& target, device::WorkerTeam* team, tune::Store* store,
                  report::TuneReport& about);

// What was chosen by estimated time alone, for the same page.
report::TuneReport modelledReport(const report::ChoiceReport& about, const tune::Choice& choice);

}  // namespace hone::cli
