// A thread with room for what is nested deeply.
#pragma once

#include <functional>
#include <string>

namespace hone::cli {

// Runs `work` on a thread with a large stack and gives what it returns; threads that it starts get a large
// one too. What hone's own walks over a source find no room for ends the process with status 2 and a word,
// which names `command`; Clang guards its own.
int onLargeStack(const std::string& command, const std::function<int()>& work);

}  // namespace hone::cli
