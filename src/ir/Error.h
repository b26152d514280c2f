// The one exception that crosses rooms: something the user has to know and can act on, shown by the command
// line.
#pragma once

#include <stdexcept>
#include <string>

namespace hone {

struct Error : std::runtime_error {
  // `status` is the exit status it asks for: 2 the command has a problem, 1 the code has one.
  explicit Error(const std::string& message, int exitStatus = 2)
      : std::runtime_error(message), status(exitStatus) {}
  int status;
};

}  // namespace hone
