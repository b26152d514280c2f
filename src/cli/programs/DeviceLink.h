// Device code of several files made one program, as nvlink does it (-rdc=true): each file is imported again
// when its object is linked, with what the others define.
#pragma once

#include <filesystem>
#include <map>

#include "cli/programs/BuildProgram.h"
#include "frontend/Import.h"
#include "ir/JoinModules.h"
#include "sim/bytecode/Bundle.h"

namespace hone::cli {

// A file that was compiled to be linked.
struct DeviceUnit {
  sim::Bundle bundle;
  std::string object;  // the file that it came from, for messages
  bool isFromArchive = false;
  // Where the file was imported in this run already.
  std::shared_ptr<frontend::ImportResult> imported;
};

// What the object of a file holds that is imported when it is linked.
DeviceUnit deviceUnit(const std::string& source, const BuildRequest& request);

// The units in the objects and archives of a link that no device link among them has taken yet.
std::vector<DeviceUnit> findDeviceUnits(const BuildRequest& request);

// An object in `folder` with the kernels of all units, linked. Throws hone::Error for functions and variables
// that nobody or more than one unit defines, and for units whose source has changed.
std::string linkDevice(std::vector<DeviceUnit> units, const std::filesystem::path& folder, bool verbose,
                       std::vector<std::string>& notes);

// What marks a unit of hone acc among the flags that it was compiled with: those are linked by cli/acc.
inline constexpr const char* unitOfAcc = "-fopenacc";

// An object in `folder` that carries linked bundles and the variables that files share.
std::string linkedObject(const std::vector<uint8_t>& bytes, const ir::SharedDefinitions& shared,
                         const std::filesystem::path& folder, bool verbose);

}  // namespace hone::cli
