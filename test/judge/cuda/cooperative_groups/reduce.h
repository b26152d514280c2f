#include "../judge_cuda.h"
