// The headers of the host's library that nvcc includes unasked; taken in only where a file does not parse without.
#pragma once
#pragma GCC system_header

#if __has_include(<cstdlib>)
#include <climits>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <new>
#include <utility>
#endif
