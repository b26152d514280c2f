// Stands in for cub's header of this name.
#pragma once
#pragma GCC system_header
#include "../../hone_cuda.h"

#include <chrono>
#include <limits>
#include <type_traits>

#define CUB_RUNTIME_FUNCTION __hone_both
#define CUB_MAX(a, b) (((b) > (a)) ? (b) : (a))
#define CUB_MIN(a, b) (((b) < (a)) ? (b) : (a))
#define CUB_LOG_WARP_THREADS(arch) (5)
#define CUB_WARP_THREADS(arch) (32)
#define CUB_PTX_WARP_THREADS 32

namespace cub {

template <class K, class V> struct KeyValuePair {
  typedef K Key;
  typedef V Value;
  K key;
  V value;
  KeyValuePair() = default;
  __hone_both KeyValuePair(const K& key, const V& value) : key(key), value(value) {}
  __hone_both bool operator!=(const KeyValuePair& other) const { return value != other.value || key != other.key; }
  __hone_both bool operator==(const KeyValuePair& other) const { return value == other.value && key == other.key; }
};

struct NullType {};

template <class T, class Storage = T> struct Uninitialized {};

enum Category { NOT_A_NUMBER, SIGNED_INTEGER, UNSIGNED_INTEGER, FLOATING_POINT };

template <int bytes> struct UnsignedOfSize;
template <> struct UnsignedOfSize<1> { typedef unsigned char Type; };
template <> struct UnsignedOfSize<2> { typedef unsigned short Type; };
template <> struct UnsignedOfSize<4> { typedef unsigned int Type; };
template <> struct UnsignedOfSize<8> { typedef unsigned long long Type; };

// Bits of numbers in the order of their values, as a radix sort wants them.
template <class T> struct NumericTraits {
  typedef typename UnsignedOfSize<sizeof(T)>::Type UnsignedBits;
  static constexpr Category CATEGORY = std::is_floating_point<T>::value ? FLOATING_POINT
                                       : std::is_signed<T>::value       ? SIGNED_INTEGER
                                                                        : UNSIGNED_INTEGER;
  static constexpr UnsignedBits HIGH_BIT = UnsignedBits(UnsignedBits(1) << (sizeof(T) * 8 - 1));
  static __hone_both UnsignedBits TwiddleIn(UnsignedBits key) {
    if (CATEGORY == UNSIGNED_INTEGER) return key;
    if (CATEGORY == SIGNED_INTEGER) return UnsignedBits(key ^ HIGH_BIT);
    return UnsignedBits(key ^ ((key & HIGH_BIT) ? UnsignedBits(~UnsignedBits(0)) : HIGH_BIT));
  }
  static __hone_both UnsignedBits TwiddleOut(UnsignedBits key) {
    if (CATEGORY == UNSIGNED_INTEGER) return key;
    if (CATEGORY == SIGNED_INTEGER) return UnsignedBits(key ^ HIGH_BIT);
    return UnsignedBits(key ^ ((key & HIGH_BIT) ? HIGH_BIT : UnsignedBits(~UnsignedBits(0))));
  }
  static __hone_both T Max() { return std::numeric_limits<T>::max(); }
  static __hone_both T Lowest() { return std::numeric_limits<T>::lowest(); }
};
template <class T> struct Traits : NumericTraits<T> {};

}  // namespace cub
