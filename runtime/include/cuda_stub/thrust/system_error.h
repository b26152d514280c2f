// Stands in for thrust's header of this name.
#pragma once
#pragma GCC system_header
#include <stdexcept>
#include <system_error>

namespace thrust {
using std::system_error;
}  // namespace thrust
