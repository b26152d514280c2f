// Stands in for thrust's header of this name.
#pragma once
#pragma GCC system_header
#include "../../memory.h"
