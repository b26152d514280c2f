// Stands in for the toolkit's header of this name.
#pragma once
#pragma GCC system_header
#include "../cuda_own/mma.h"
