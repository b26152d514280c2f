// What a user of a capture should know before its results: what of it is used, and what is not.
#pragma once

#include <span>

#include "cli/inputs/GivenFile.h"
#include "device/Settings.h"

namespace hone::cli {

// Says on stderr what is wrong with a capture, which kernels have other parameters than it and, where these
// are all the files, which of its kernels are in none of them. Nothing where none was given.
void tellCapture(const device::Settings& settings, std::span<const GivenFile> files, bool areAll);

}  // namespace hone::cli
