// The functions that launch the kernels of regions, as text in C over the CUDA runtime's entries, which needs
// no header.
#pragma once

#include <string>
#include <vector>

#include "acc/HostText.h"
#include "acc/LowerRegion.h"
#include "frontend/AccUnit.h"

namespace hone::acc {

struct LaunchTextOptions {
  /// File with the byte code of the kernels (sim::writeBundle) to be carried in the object; it is named by
  /// the text. Empty: `bytes` are written out.
  std::string bundleFile;
  std::vector<uint8_t> bytes;
  std::string tag;  ///< as the host's text has it
};

/// The launchers of all regions that have kernels, and what makes these and the module's globals known to the
/// runtime before main.
std::string launchText(const frontend::AccUnit& unit, const std::vector<LoweredRegion>& lowered,
                       const LaunchTextOptions& options);

/// A test of LoweredRegion::apart as an expression, and what stands before statements that depend on one.
std::string apartTest(const frontend::AccRegion& region, const std::vector<std::pair<int, int>>& pairs);
std::string onlyWhen(const When& when);
/// The factor of memory that is a section for each unit, " * (unsigned long)…"; empty: it is no section.
std::string elementsText(const Scratch& scratch, const ValueLayout& layout);
/// How many bytes of the host a HostCopy takes.
std::string copiedBytes(const frontend::AccCaptured& one, const ValueLayout& layout);

/// Of the regions of templates: functions that give the launcher of an instantiation, `linkage` before each.
std::string chooserText(const frontend::AccUnit& unit, const std::vector<LoweredRegion>& lowered,
                        const std::string& tag, const std::string& linkage);

}  // namespace hone::acc
