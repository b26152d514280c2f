// Stands in for the toolkit's header of this name.
#pragma once
#pragma GCC system_header
#include "../cooperative_groups.h"

namespace cooperative_groups {
template <class Group, class D, class S> __hone_device void memcpy_async(const Group&, D*, const S*, size_t);
template <class Group, class D, class S> __hone_device void memcpy_async(const Group&, D*, size_t, const S*, size_t);
template <class Group> __hone_device void wait(const Group&);
template <unsigned int Stages, class Group> __hone_device void wait_prior(const Group&);
} // namespace cooperative_groups
