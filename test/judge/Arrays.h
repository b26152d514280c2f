// Arrays of a launch: found out from what the original touches, then each between pages that nobody may
// touch.
#pragma once

#include "Fibers.h"

namespace judge {

enum class Placement { Start, End, Shifted };
constexpr int kArrays = 24;

struct DataModes {
  int floats = 0;  // 0: small whole numbers, 1: reals, 2: reals with NaN, infinities and other rare ones
  int whole = 0;  // integers: 0: small, not negative, 1: small with sign, 2: rising, 3: any, the extremes too
  uint64_t seed = 1;
};

struct ArrayShape {
  int kind = 0, scalarBytes = 4, elementBytes = 4;
};

// The array `index` exists for one run. In a probe it is as large as the address space of its slot, and what
// is touched is written down; else it spans what the probe found, plus the element that the pointer names.
char* probeArray(int index, const ArrayShape& shape, const DataModes& modes);
bool endProbe(int index);  // false: too large for a comparison
char* placeArray(int index, Placement placement);
const char* arrayBytes(int index);
size_t arraySize(int index);
long long arrayFirst(int index);  // bytes from the pointer to the first byte, zero or less
// "" when nothing but the array itself was written.
std::string damageAround(int index);
void clearArrays();
// Allocations of a launch function that were not released; all go.
size_t leftAllocations();
extern bool refuseMemory;
extern bool isProbing;

// Says what lies at an address that must not be touched, and lets a probe grow. False: the access failed.
bool onFault(void* at);
std::string describe(const void* at, size_t bytes, const char* verb);
void reserveArrays();

}  // namespace judge
