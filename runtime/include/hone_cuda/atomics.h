// Atomic functions in the three scopes.
#pragma once
#pragma GCC system_header

#define __hone_atomic2(f, T) \
  __hone_device T f(T*, T); \
  __hone_device T f##_block(T*, T); \
  __hone_device T f##_system(T*, T);
#define __hone_atomic3(f, T) \
  __hone_device T f(T*, T, T); \
  __hone_device T f##_block(T*, T, T); \
  __hone_device T f##_system(T*, T, T);

__hone_atomic2(atomicAdd, int) __hone_atomic2(atomicAdd, unsigned int) __hone_atomic2(atomicAdd, unsigned long long) __hone_atomic2(atomicAdd, float) __hone_atomic2(atomicAdd, double) __hone_atomic2(atomicAdd, float2) __hone_atomic2(atomicAdd, float4)
__hone_atomic2(atomicSub, int) __hone_atomic2(atomicSub, unsigned int)
__hone_atomic2(atomicExch, int) __hone_atomic2(atomicExch, unsigned int) __hone_atomic2(atomicExch, unsigned long long) __hone_atomic2(atomicExch, float)
__hone_atomic2(atomicMin, int) __hone_atomic2(atomicMin, unsigned int) __hone_atomic2(atomicMin, long long) __hone_atomic2(atomicMin, unsigned long long)
__hone_atomic2(atomicMax, int) __hone_atomic2(atomicMax, unsigned int) __hone_atomic2(atomicMax, long long) __hone_atomic2(atomicMax, unsigned long long)
__hone_atomic2(atomicInc, unsigned int)
__hone_atomic2(atomicDec, unsigned int)
__hone_atomic2(atomicAnd, int) __hone_atomic2(atomicAnd, unsigned int) __hone_atomic2(atomicAnd, unsigned long long) __hone_atomic2(atomicAnd, long long)
__hone_atomic2(atomicOr, int) __hone_atomic2(atomicOr, unsigned int) __hone_atomic2(atomicOr, unsigned long long) __hone_atomic2(atomicOr, long long)
__hone_atomic2(atomicXor, int) __hone_atomic2(atomicXor, unsigned int) __hone_atomic2(atomicXor, unsigned long long) __hone_atomic2(atomicXor, long long)
__hone_atomic3(atomicCAS, int) __hone_atomic3(atomicCAS, unsigned int) __hone_atomic3(atomicCAS, unsigned long long) __hone_atomic3(atomicCAS, unsigned short)
#undef __hone_atomic2
#undef __hone_atomic3
