// Atomics with an order and a scope, which nvcc knows without a header since CUDA 12.8.
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

template <class T> __hone_device T __nv_atomic_load_n(const T*, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T> __hone_device void __nv_atomic_load(const T*, T*, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T> __hone_device void __nv_atomic_store_n(T*, T, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T> __hone_device void __nv_atomic_store(T*, T*, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T> __hone_device T __nv_atomic_exchange_n(T*, T, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T>
__hone_device bool __nv_atomic_compare_exchange_n(T*, T*, T, bool, int, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T> __hone_device T __nv_atomic_fetch_add(T*, T, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T> __hone_device T __nv_atomic_fetch_sub(T*, T, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T> __hone_device T __nv_atomic_fetch_and(T*, T, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T> __hone_device T __nv_atomic_fetch_or(T*, T, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T> __hone_device T __nv_atomic_fetch_xor(T*, T, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T> __hone_device T __nv_atomic_fetch_min(T*, T, int, int = __NV_THREAD_SCOPE_SYSTEM);
template <class T> __hone_device T __nv_atomic_fetch_max(T*, T, int, int = __NV_THREAD_SCOPE_SYSTEM);
__hone_device void __nv_atomic_thread_fence(int, int = __NV_THREAD_SCOPE_SYSTEM);
