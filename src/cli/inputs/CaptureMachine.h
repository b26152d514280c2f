// Whether a capture is of the machine that is chosen for.
#pragma once

#include "device/Settings.h"
#include "target/Target.h"

namespace hone::cli {

// Says on stderr that a capture is of another device than the target. Nothing where none was given.
void tellCaptureMachine(const device::Settings& settings, const target::Target& target);

}  // namespace hone::cli
