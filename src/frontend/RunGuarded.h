// Work that Clang does, or that goes deep into its AST, kept from ending the process.
#pragma once

#include <functional>
#include <string>

namespace hone::frontend {

/// What became of it where it did not come back.
struct Crash {
  std::string what;     // empty: it came back
  bool isDeep = false;  // the stack was used up: what it read is nested too deeply
  explicit operator bool() const { return !what.empty(); }
};

/// Runs `work` on a thread with a large stack.
Crash runGuarded(const std::function<void()>& work);

}  // namespace hone::frontend
