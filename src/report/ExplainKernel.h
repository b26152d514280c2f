// What a kernel is made of, gathered for `hone explain`: as data, as JSON and as text.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "ir/Kernel.h"
#include "report/ExplainFacts.h"

namespace hone::report {

struct ExplainedParameter {
  std::string name, type;
};
struct ExplainedArray {
  std::string name;
  std::string origin;              // "parameter", "local", "global", "dynamic shared"
  std::string space;               // "global", "shared", "constant", "private", "generic"
  std::string element;             // type
  std::vector<std::string> shape;  // extents as numbers; "?" when not known
};
struct ExplainedLoop {
  std::string handle, kind, header;
  std::string parent;  // handle, empty for outermost ones
  unsigned line = 0;
};
struct ExplainedAccess {
  std::string handle, array, text, mode;  // mode: "read", "write", "read and write", "address"
  std::vector<std::string> indices, loops, guards;
  bool atomic = false;
  unsigned line = 0;
};
struct ExplainedLaunch {
  std::string place, form, grid, block, shared, stream;
  std::vector<std::string> templateArgs, args;
  bool inMacro = false;
};

// Launches of a capture, the costliest first.
struct ExplainedCapture {
  struct Launch {
    std::array<uint32_t, 3> grid{}, block{};
    uint64_t times = 0;
    double microseconds = 0;                     // of all of them; 0: not recorded
    std::map<std::string, std::string> numbers;  // by name
  };
  std::string file;
  double share = 0;      // from 0 to 1
  std::string sharedOf;  // "time on the device"
  bool hasTimes = false;
  std::vector<Launch> launches;
};

struct KernelExplanation {
  std::string file, name, language;
  unsigned line = 0;
  std::vector<std::string> templateArgs;
  bool imported = false;
  std::string reason, reasonAt;  // when it is not
  bool addressTaken = false;
  // From here on empty when it is not imported, launches aside.
  std::vector<ExplainedParameter> parameters;
  std::vector<ExplainedArray> arrays;
  std::vector<ExplainedLoop> loops;
  std::vector<ExplainedAccess> accesses;
  std::vector<std::string> functions;
  std::vector<ExplainedLaunch> launches;
  std::optional<ExplainedCapture> captured;
  ir::LaunchAssumption assumption;
  std::optional<ir::LaunchBounds> bounds;
  std::optional<FactsReport> facts;
};

// Fills in everything that the IR says, accesses and loops with the calls inlined that facts see through.
// File, launches, captured, addressTaken and facts are the caller's.
KernelExplanation explainKernel(const ir::KernelPtr& kernel);

nlohmann::ordered_json toJson(const KernelExplanation& kernel);
// With colours for a terminal where asked for.
std::string toText(const KernelExplanation& kernel, bool colours = false);

}  // namespace hone::report
