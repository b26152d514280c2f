// Stands in for thrust's header of this name.
#pragma once
#pragma GCC system_header
#include "detail/iterator_traits.h"

namespace thrust {
template <class T> __hone_both T* raw_pointer_cast(T* p) { return p; }
}  // namespace thrust
