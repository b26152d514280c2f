// A file that a command was given, as it was read, and how the user names its kernels.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "cli/inputs/Inputs.h"
#include "frontend/Import.h"

namespace hone::cli {

struct GivenFile {
  std::string path;       // as given
  std::string canonical;  // see canonicalPath
  frontend::SourceRequest request;
  frontend::ImportResult import;
  // Files that hone had written into before, by canonical path: their text with that taken back.
  std::map<std::string, std::string> takenBack = {};
  std::string partOf = {};  // another that includes it, from which all of it is known; empty: none
};

// "scale<float, 4>" of a name and its arguments.
std::string withArguments(const std::string& name, const std::vector<std::string>& arguments);

// Whether the user's NAME means this kernel: its name, qualified name, or either with template arguments.
bool isNamed(const std::string& wanted, const std::string& name, const std::string& qualifiedName,
             const std::vector<std::string>& templateArgs);
// Whether one of the names given means this kernel; true where none is given.
bool isWanted(const frontend::ImportedKernel& kernel, const std::vector<std::string>& wanted);

// Throws hone::Error with the nearest name for the first of `wanted` that names no kernel of the files.
void checkKernelNames(const std::vector<std::string>& wanted, const std::vector<GivenFile>& files);

}  // namespace hone::cli
