// Calls of launch functions in files that a command was not given: they must not lose what they call.
#pragma once

#include <map>
#include <string>

namespace hone::cli {

// Texts by canonical path, as they are and as they are to be written. Throws hone::Error, with the place,
// where a marked call in another file near them is of a launch function that is to go. Near: in the
// function's folder or below, or one above or beside it and with an #include of its file.
void checkCallsElsewhere(const std::map<std::string, std::string>& before,
                         const std::map<std::string, std::string>& after);

}  // namespace hone::cli
