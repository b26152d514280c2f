// What nvcc gives host code without being asked.
#pragma once
#pragma GCC system_header

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <utility>
