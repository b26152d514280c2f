#include "sim/memory/FreedMemory.h"

#include <malloc.h>

namespace hone::sim {

void returnFreedMemory() {
#ifdef __GLIBC__
  malloc_trim(0);
#endif
}

}  // namespace hone::sim
