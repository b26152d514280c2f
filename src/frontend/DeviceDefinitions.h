// What a file offers to others where device code is linked across files, and what it takes from them.
#pragma once

#include "frontend/Importer.h"

namespace hone::frontend {

/// The functions and variables of the device that this file alone defines and others may use. Those that are
/// inline or made of templates as needed are in each file that uses them.
std::vector<DeviceDefinition> deviceDefinitions(UnitImporter& unit);

/// Variables of the device that code of this file uses, on either side, and another file defines.
std::vector<ir::VarPtr> variablesFromElsewhere(UnitImporter& unit);

}  // namespace hone::frontend
