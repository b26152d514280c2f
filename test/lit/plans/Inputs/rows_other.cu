#include "rows.h"
void* theKernel() { return (void*)rows; }
