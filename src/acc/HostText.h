// The host's file of a program with OpenACC: the user's text with calls of runtime/acc in it.
#pragma once

#include <string>
#include <vector>

#include "acc/LowerRegion.h"
#include "frontend/AccUnit.h"

namespace hone::acc {

/// The numbers that text of the host hands over with a region, hone_acc_call::values: queues of `wait`, what
/// HostValues names, then those of captured variables that only the host can work out.
struct ValueLayout {
  int waits = 0;  ///< HostValues begin behind these
  int trips = 0;
  std::vector<int> captured;  ///< by AccRegion::captured: index of the value; -1: it has none
  int count = 0;
};
ValueLayout layoutOf(const frontend::AccRegion& region, const frontend::AccNotes& notes);

/// Text in the place of a range of a file, or before a byte of it where the range is empty.
struct HostEdit {
  unsigned begin = 0, end = 0;
  std::string text;
};

/// Why a construct is left to the host although it was read, or what makes the file an error.
struct HostProblem {
  ir::SourceLoc loc;
  std::string text;
  bool isError = false, isWarning = false;
};

struct HostText {
  std::string prototypes;       ///< a line for the very start of the file
  std::vector<HostEdit> edits;  ///< in the order of their places
  std::vector<HostProblem> problems;
};

/// The edits of the unit's text; `lowered` are its regions. Those without kernels are left to the host, with
/// the data that they need brought there. `tag` tells symbols of this object from those of all others.
HostText hostText(const frontend::AccUnit& unit, const std::vector<LoweredRegion>& lowered,
                  const std::string& text, const std::string& tag, bool isPreprocessed = false);

/// The text with its edits, and the prototypes on a line before the first, which keeps its number.
std::string applied(const HostText& host, const std::string& text);

/// "saxpy.c:12: parallel loop in saxpy": how messages of the runtime name a construct.
std::string siteOf(const frontend::AccRegion& region);
std::string siteOf(const frontend::AccDirective& directive);

/// The function that launches a region's kernels.
std::string launcherOf(const frontend::AccRegion& region);
/// For regions in templates: the function that gives the launcher for an instantiation, by its name as
/// __PRETTY_FUNCTION__ has it. Of all instantiations the first region names it.
std::string chooserOf(const frontend::AccRegion& first);
/// What stands behind the declaration of such a function or variable, so that objects of one program may have
/// regions of one name.
std::string symbolOf(const std::string& name, const std::string& tag);
/// The variable on the device that a declare directive at file scope gives the one of AccGlobal::linkName.
std::string deviceVariableOf(const std::string& linkName);

}  // namespace hone::acc
