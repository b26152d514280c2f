#pragma once
#include "factor.h"
void scale(float* a, int n);
