// Atomics with an order and a scope, which nvcc knows without a header since CUDA 12.8; cuda/atomic is made of them.
#pragma once
#pragma GCC system_header

#define __NV_ATOMIC_RELAXED 0
#define __NV_ATOMIC_CONSUME 1
#define __NV_ATOMIC_ACQUIRE 2
#define __NV_ATOMIC_RELEASE 3
#define __NV_ATOMIC_ACQ_REL 4
#define __NV_ATOMIC_SEQ_CST 5
#define __NV_THREAD_SCOPE_THREAD 0
#define __NV_THREAD_SCOPE_BLOCK 1
#define __NV_THREAD_SCOPE_CLUSTER 2
#define __NV_THREAD_SCOPE_DEVICE 3
#define __NV_THREAD_SCOPE_SYSTEM 4

#define __hone_scoped template <class T> __hone_device __inline__
#define __hone_own typename __hone_plain<T>::type

template <class T> struct __hone_plain { using type = T; };
template <class T> struct __hone_plain<volatile T> { using type = T; };
template <class T> struct __hone_plain<const T> { using type = T; };
template <class T> struct __hone_plain<const volatile T> { using type = T; };
template <int bytes> struct __hone_word {};
template <> struct __hone_word<2> { using type = unsigned short; };
template <> struct __hone_word<4> { using type = unsigned int; };
template <> struct __hone_word<8> { using type = unsigned long long; };

__hone_device __inline__ void __nv_atomic_thread_fence(int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  if (order == __NV_ATOMIC_RELAXED || scope == __NV_THREAD_SCOPE_THREAD) return;
  if (scope == __NV_THREAD_SCOPE_BLOCK)
    __threadfence_block();
  else if (scope == __NV_THREAD_SCOPE_SYSTEM)
    __threadfence_system();
  else
    __threadfence();
}
__hone_device __inline__ void __hone_release(int order, int scope) {
  if (order >= __NV_ATOMIC_RELEASE) __nv_atomic_thread_fence(order, scope);
}
__hone_device __inline__ void __hone_acquire(int order, int scope) {
  if (order != __NV_ATOMIC_RELAXED && order != __NV_ATOMIC_RELEASE) __nv_atomic_thread_fence(order, scope);
}

// One value compared and exchanged by its bits.
__hone_scoped T __hone_cas(T* at, T expected, T desired) {
  using Word = typename __hone_word<sizeof(T)>::type;
  Word seen = atomicCAS(reinterpret_cast<Word*>(at), *reinterpret_cast<Word*>(&expected),
                        *reinterpret_cast<Word*>(&desired));
  return *reinterpret_cast<T*>(&seen);
}
__hone_scoped bool __hone_same_bits(T a, T b) {
  using Word = typename __hone_word<sizeof(T)>::type;
  return *reinterpret_cast<Word*>(&a) == *reinterpret_cast<Word*>(&b);
}

// The machine's own operation where it has one for the type, else a loop of exchanges.
#define __hone_loop(f, desired) \
  __hone_scoped T __hone_##f(T* at, T v) { \
    T old = *static_cast<volatile T*>(at); \
    while (true) { \
      T seen = __hone_cas<T>(at, old, static_cast<T>(desired)); \
      if (__hone_same_bits<T>(seen, old)) return old; \
      old = seen; \
    } \
  }
#define __hone_direct(f, atomic, T, Word) \
  __hone_device __inline__ T __hone_##f(T* at, T v) { \
    return static_cast<T>(atomic(reinterpret_cast<Word*>(at), static_cast<Word>(v))); \
  }
#define __hone_words(f, atomic) \
  __hone_direct(f, atomic, int, int) __hone_direct(f, atomic, unsigned int, unsigned int) \
  __hone_direct(f, atomic, unsigned long, unsigned long long) \
  __hone_direct(f, atomic, unsigned long long, unsigned long long)
#define __hone_signed(f, atomic) \
  __hone_direct(f, atomic, long, long long) __hone_direct(f, atomic, long long, long long)
#define __hone_wrapping(f, atomic) \
  __hone_direct(f, atomic, long, unsigned long long) __hone_direct(f, atomic, long long, unsigned long long)
#define __hone_floats(f, atomic) \
  __hone_direct(f, atomic, float, float) __hone_direct(f, atomic, double, double)
__hone_loop(add, old + v) __hone_words(add, atomicAdd) __hone_wrapping(add, atomicAdd) __hone_floats(add, atomicAdd)
__hone_loop(sub, old - v)
__hone_loop(and, old & v) __hone_words(and, atomicAnd) __hone_wrapping(and, atomicAnd)
__hone_loop(or, old | v) __hone_words(or, atomicOr) __hone_wrapping(or, atomicOr)
__hone_loop(xor, old ^ v) __hone_words(xor, atomicXor) __hone_wrapping(xor, atomicXor)
__hone_loop(min, v < old ? v : old) __hone_words(min, atomicMin) __hone_signed(min, atomicMin)
__hone_loop(max, old < v ? v : old) __hone_words(max, atomicMax) __hone_signed(max, atomicMax)
__hone_loop(swap, v) __hone_words(swap, atomicExch) __hone_wrapping(swap, atomicExch) __hone_direct(swap, atomicExch, float, float)
#undef __hone_loop
#undef __hone_direct
#undef __hone_words
#undef __hone_signed
#undef __hone_wrapping
#undef __hone_floats

__hone_scoped __hone_own __nv_atomic_load_n(const T* at, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __hone_own v = *static_cast<const volatile T*>(at);
  __hone_acquire(order, scope);
  return v;
}
__hone_scoped void __nv_atomic_load(const T* at, __hone_own* to, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *to = __nv_atomic_load_n(at, order, scope);
}
__hone_scoped void __nv_atomic_store_n(T* at, __hone_own v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __hone_release(order, scope);
  if constexpr (sizeof(T) == 1)
    *static_cast<volatile T*>(at) = v;
  else
    __hone_swap(const_cast<__hone_own*>(at), v);
}
__hone_scoped void __nv_atomic_store(T* at, const __hone_own* v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __nv_atomic_store_n(at, *v, order, scope);
}
__hone_scoped bool __nv_atomic_compare_exchange_n(T* at, __hone_own* expected, __hone_own desired, bool, int order, int,
                                                  int scope = __NV_THREAD_SCOPE_SYSTEM) {
  __hone_release(order, scope);
  __hone_own wanted = *expected;
  __hone_own seen = __hone_cas(const_cast<__hone_own*>(at), wanted, desired);
  __hone_acquire(order, scope);
  if (__hone_same_bits(seen, wanted)) return true;
  *expected = seen;
  return false;
}
__hone_scoped bool __nv_atomic_compare_exchange(T* at, __hone_own* expected, __hone_own* desired, bool weak, int success,
                                                int failure, int scope = __NV_THREAD_SCOPE_SYSTEM) {
  return __nv_atomic_compare_exchange_n(at, expected, *desired, weak, success, failure, scope);
}
#define __hone_fetch(name, f) \
  __hone_scoped __hone_own name(T* at, __hone_own v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) { \
    __hone_release(order, scope); \
    __hone_own old = __hone_##f(const_cast<__hone_own*>(at), v); \
    __hone_acquire(order, scope); \
    return old; \
  }
__hone_fetch(__nv_atomic_exchange_n, swap)
__hone_fetch(__nv_atomic_fetch_add, add)
__hone_fetch(__nv_atomic_fetch_sub, sub)
__hone_fetch(__nv_atomic_fetch_and, and)
__hone_fetch(__nv_atomic_fetch_or, or)
__hone_fetch(__nv_atomic_fetch_xor, xor)
__hone_fetch(__nv_atomic_fetch_min, min)
__hone_fetch(__nv_atomic_fetch_max, max)
#undef __hone_fetch
__hone_scoped void __nv_atomic_exchange(T* at, __hone_own* v, __hone_own* old, int order,
                                        int scope = __NV_THREAD_SCOPE_SYSTEM) {
  *old = __nv_atomic_exchange_n(at, *v, order, scope);
}
// The forms that give nothing back.
#define __hone_quiet(name) \
  __hone_scoped void __nv_atomic_##name(T* at, __hone_own v, int order, int scope = __NV_THREAD_SCOPE_SYSTEM) { \
    __nv_atomic_fetch_##name(at, v, order, scope); \
  }
__hone_quiet(add) __hone_quiet(sub) __hone_quiet(and) __hone_quiet(or) __hone_quiet(xor) __hone_quiet(min) __hone_quiet(max)
#undef __hone_quiet
#undef __hone_scoped
#undef __hone_own
