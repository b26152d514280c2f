// Stands in for the toolkit's header of this name.
#pragma once
#pragma GCC system_header
#include "reduce.h"

namespace cooperative_groups {
template <class Group, class T, class Op> __hone_device T inclusive_scan(const Group&, T, Op&&);
template <class Group, class T> __hone_device T inclusive_scan(const Group&, T);
template <class Group, class T, class Op> __hone_device T exclusive_scan(const Group&, T, Op&&);
template <class Group, class T> __hone_device T exclusive_scan(const Group&, T);
} // namespace cooperative_groups
