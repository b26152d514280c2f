// Stands in for the toolkit's header of this name; functions without a handle are missing.
#pragma once
#pragma GCC system_header
#include "cublas_v2.h"
