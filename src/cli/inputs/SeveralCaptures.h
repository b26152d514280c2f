// Several captures of one project: which of them a kernel goes by, and what to know of each.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "cli/inputs/GivenFile.h"
#include "device/Settings.h"
#include "target/Target.h"

namespace hone::cli {

using Captures = std::vector<std::shared_ptr<const capture::CaptureFile>>;

// The one in which the kernel has the largest part of the program. Where none knows it: one that knows
// another kernel of its file or of `all`, so that it counts as not launched; null where none does.
std::shared_ptr<const capture::CaptureFile> captureFor(const Captures& captures,
                                                       const frontend::ImportedKernel& kernel,
                                                       const GivenFile& file,
                                                       const std::vector<GivenFile>& all);

// tellCapture of each, and where `machine` is not null whether it is of another one. Of several those are
// left out that know no kernel of the files, and what is in none of these is not said: they are of other
// programs.
void tellCaptures(const device::Settings& settings, std::span<const GivenFile> files, bool areAll,
                  const target::Target* machine = nullptr);

}  // namespace hone::cli
