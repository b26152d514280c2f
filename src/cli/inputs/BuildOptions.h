// Macros that the host of an OpenCL kernel gives by the options of clBuildProgram, read from its text.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "frontend/Import.h"

namespace hone::cli {

struct HostMacro {
  std::string value;  // empty: defined without one
  std::string file;   // of the host, by its name alone
  unsigned line = 0;
};

// What a host's text gives for the macros `wanted` by constant strings such as "-DN=16 -DFAST", or by formats
// such as "-DN=%d" whose argument is a number or a macro of the host's with one numeric definition. A name
// that is given several values is not among them.
std::map<std::string, HostMacro> buildOptionsIn(const std::vector<std::pair<std::string, std::string>>& hosts,
                                                const std::set<std::string>& wanted);

// importFile. Where OpenCL text names what nothing defines, options of hosts in its folder, those in it and
// the one above are added to the request, with a note: macros of these names, else the first of those that
// #if in the text asks for and that leaves less undefined. For what is still missing a note says what to
// pass.
frontend::ImportResult importAsBuilt(frontend::SourceRequest& request);

}  // namespace hone::cli
