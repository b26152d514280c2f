// Dependency files for make and ninja, in which the names of copies become those of the user's files.
#pragma once

#include <map>
#include <string>

namespace hone::cli {

// Replaces names (copy to user's; those of folders end in a slash) in the file where it has some; a file that
// is not there is left so. Throws hone::Error where it cannot be written.
void renameInDependencies(const std::string& file, const std::map<std::string, std::string>& names);

}  // namespace hone::cli
