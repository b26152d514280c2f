// A thread with room for what is nested deeply.
#pragma once

#include <functional>
#include <string>

namespace hone::cli {

// Runs `work` on a thread with a large stack and gives what it returns; threads that it starts get a large
// one too. What is nested more deeply than that has room for ends the process with status 2 and a word, which
// names `command`.
int onLargeStack(const std::string& command, const std::function<int()>& work);

}  // namespace hone::cli
