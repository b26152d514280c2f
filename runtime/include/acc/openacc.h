/* OpenACC 3.3 for C and C++: types and functions of the runtime. */
#ifndef _OPENACC_H
#define _OPENACC_H

#include <stddef.h>

#ifdef __cplusplus
#if __cplusplus >= 201103L
#define HONE_ACC_NOTHROW noexcept
#else
#define HONE_ACC_NOTHROW throw()
#endif
extern "C" {
#else
#define HONE_ACC_NOTHROW
#endif

#define h_void void
#define d_void void

typedef enum acc_device_t {
  acc_device_none = 0,
  acc_device_default = 1,
  acc_device_host = 2,
  acc_device_not_host = 3,
  acc_device_current = 4,
  acc_device_nvidia = 5,
  acc_device_radeon = 6
} acc_device_t;

/* Device properties. Strings have numbers from 256. */
typedef enum acc_device_property_t {
  acc_property_none = 0,
  acc_property_memory = 1,
  acc_property_free_memory = 2,
  acc_property_shared_memory_support = 3,
  acc_property_name = 256,
  acc_property_vendor = 257,
  acc_property_driver = 258
} acc_device_property_t;
typedef acc_device_property_t acc_property_t;

/* Async arguments that are no numbers of queues. */
typedef enum acc_async_t { acc_async_noval = -1, acc_async_sync = -2, acc_async_default = -3 } acc_async_t;

int acc_get_num_devices(acc_device_t) HONE_ACC_NOTHROW;
void acc_set_device_type(acc_device_t) HONE_ACC_NOTHROW;
acc_device_t acc_get_device_type(void) HONE_ACC_NOTHROW;
void acc_set_device_num(int device, acc_device_t) HONE_ACC_NOTHROW;
int acc_get_device_num(acc_device_t) HONE_ACC_NOTHROW;
size_t acc_get_property(int device, acc_device_t, acc_device_property_t) HONE_ACC_NOTHROW;
const char *acc_get_property_string(int device, acc_device_t, acc_device_property_t) HONE_ACC_NOTHROW;
void acc_init(acc_device_t) HONE_ACC_NOTHROW;
void acc_init_device(int device, acc_device_t) HONE_ACC_NOTHROW;
void acc_shutdown(acc_device_t) HONE_ACC_NOTHROW;
void acc_shutdown_device(int device, acc_device_t) HONE_ACC_NOTHROW;
int acc_on_device(acc_device_t) HONE_ACC_NOTHROW;

int acc_async_test(int queue) HONE_ACC_NOTHROW;
int acc_async_test_device(int queue, int device) HONE_ACC_NOTHROW;
int acc_async_test_all(void) HONE_ACC_NOTHROW;
int acc_async_test_all_device(int device) HONE_ACC_NOTHROW;
void acc_wait(int queue) HONE_ACC_NOTHROW;
void acc_wait_device(int queue, int device) HONE_ACC_NOTHROW;
void acc_wait_async(int queue, int async) HONE_ACC_NOTHROW;
void acc_wait_device_async(int queue, int async, int device) HONE_ACC_NOTHROW;
void acc_wait_all(void) HONE_ACC_NOTHROW;
void acc_wait_all_device(int device) HONE_ACC_NOTHROW;
void acc_wait_all_async(int async) HONE_ACC_NOTHROW;
void acc_wait_all_device_async(int async, int device) HONE_ACC_NOTHROW;
int acc_wait_any(int count, int queues[]) HONE_ACC_NOTHROW;
int acc_wait_any_device(int count, int queues[], int device) HONE_ACC_NOTHROW;
int acc_get_default_async(void) HONE_ACC_NOTHROW;
void acc_set_default_async(int async) HONE_ACC_NOTHROW;
/* Names of version 1. */
void acc_async_wait(int queue) HONE_ACC_NOTHROW;
void acc_async_wait_all(void) HONE_ACC_NOTHROW;

d_void *acc_malloc(size_t bytes) HONE_ACC_NOTHROW;
void acc_free(d_void *) HONE_ACC_NOTHROW;
d_void *acc_copyin(h_void *, size_t bytes) HONE_ACC_NOTHROW;
void acc_copyin_async(h_void *, size_t bytes, int async) HONE_ACC_NOTHROW;
d_void *acc_create(h_void *, size_t bytes) HONE_ACC_NOTHROW;
void acc_create_async(h_void *, size_t bytes, int async) HONE_ACC_NOTHROW;
void acc_copyout(h_void *, size_t bytes) HONE_ACC_NOTHROW;
void acc_copyout_async(h_void *, size_t bytes, int async) HONE_ACC_NOTHROW;
void acc_copyout_finalize(h_void *, size_t bytes) HONE_ACC_NOTHROW;
void acc_copyout_finalize_async(h_void *, size_t bytes, int async) HONE_ACC_NOTHROW;
void acc_delete(h_void *, size_t bytes) HONE_ACC_NOTHROW;
void acc_delete_async(h_void *, size_t bytes, int async) HONE_ACC_NOTHROW;
void acc_delete_finalize(h_void *, size_t bytes) HONE_ACC_NOTHROW;
void acc_delete_finalize_async(h_void *, size_t bytes, int async) HONE_ACC_NOTHROW;
void acc_update_device(h_void *, size_t bytes) HONE_ACC_NOTHROW;
void acc_update_device_async(h_void *, size_t bytes, int async) HONE_ACC_NOTHROW;
void acc_update_self(h_void *, size_t bytes) HONE_ACC_NOTHROW;
void acc_update_self_async(h_void *, size_t bytes, int async) HONE_ACC_NOTHROW;
void acc_map_data(h_void *host, d_void *device, size_t bytes) HONE_ACC_NOTHROW;
void acc_unmap_data(h_void *host) HONE_ACC_NOTHROW;
d_void *acc_deviceptr(h_void *) HONE_ACC_NOTHROW;
h_void *acc_hostptr(d_void *) HONE_ACC_NOTHROW;
int acc_is_present(h_void *, size_t bytes) HONE_ACC_NOTHROW;
void acc_memcpy_to_device(d_void *to, h_void *from, size_t bytes) HONE_ACC_NOTHROW;
void acc_memcpy_to_device_async(d_void *to, h_void *from, size_t bytes, int async) HONE_ACC_NOTHROW;
void acc_memcpy_from_device(h_void *to, d_void *from, size_t bytes) HONE_ACC_NOTHROW;
void acc_memcpy_from_device_async(h_void *to, d_void *from, size_t bytes, int async) HONE_ACC_NOTHROW;
void acc_memcpy_device(d_void *to, d_void *from, size_t bytes) HONE_ACC_NOTHROW;
void acc_memcpy_device_async(d_void *to, d_void *from, size_t bytes, int async) HONE_ACC_NOTHROW;
/* Between the copies of two sections of the host, on devices by number. */
void acc_memcpy_d2d(h_void *to, h_void *from, size_t bytes, int to_device, int from_device) HONE_ACC_NOTHROW;
void acc_memcpy_d2d_async(h_void *to, h_void *from, size_t bytes, int to_device, int from_device,
                          int async) HONE_ACC_NOTHROW;
void acc_attach(h_void **pointer) HONE_ACC_NOTHROW;
void acc_attach_async(h_void **pointer, int async) HONE_ACC_NOTHROW;
void acc_detach(h_void **pointer) HONE_ACC_NOTHROW;
void acc_detach_async(h_void **pointer, int async) HONE_ACC_NOTHROW;
void acc_detach_finalize(h_void **pointer) HONE_ACC_NOTHROW;
void acc_detach_finalize_async(h_void **pointer, int async) HONE_ACC_NOTHROW;

/* Names of version 2. */
#define acc_pcopyin acc_copyin
#define acc_present_or_copyin acc_copyin
#define acc_pcreate acc_create
#define acc_present_or_create acc_create

#ifdef __cplusplus
}
/* Addresses of pointers to anything. */
template <class HoneT>
inline void acc_attach(HoneT **pointer) HONE_ACC_NOTHROW {
  acc_attach((void **)pointer);
}
template <class HoneT>
inline void acc_attach_async(HoneT **pointer, int async) HONE_ACC_NOTHROW {
  acc_attach_async((void **)pointer, async);
}
template <class HoneT>
inline void acc_detach(HoneT **pointer) HONE_ACC_NOTHROW {
  acc_detach((void **)pointer);
}
template <class HoneT>
inline void acc_detach_async(HoneT **pointer, int async) HONE_ACC_NOTHROW {
  acc_detach_async((void **)pointer, async);
}
template <class HoneT>
inline void acc_detach_finalize(HoneT **pointer) HONE_ACC_NOTHROW {
  acc_detach_finalize((void **)pointer);
}
template <class HoneT>
inline void acc_detach_finalize_async(HoneT **pointer, int async) HONE_ACC_NOTHROW {
  acc_detach_finalize_async((void **)pointer, async);
}
#else
/* Addresses of pointers to anything; what is no pointer to a pointer does not compile. */
#define HONE_ACC_POINTER(p) ((void)sizeof(*(p) == (void *)0), (void **)(p))
#define acc_attach(p) (acc_attach)(HONE_ACC_POINTER(p))
#define acc_attach_async(p, q) (acc_attach_async)(HONE_ACC_POINTER(p), q)
#define acc_detach(p) (acc_detach)(HONE_ACC_POINTER(p))
#define acc_detach_async(p, q) (acc_detach_async)(HONE_ACC_POINTER(p), q)
#define acc_detach_finalize(p) (acc_detach_finalize)(HONE_ACC_POINTER(p))
#define acc_detach_finalize_async(p, q) (acc_detach_finalize_async)(HONE_ACC_POINTER(p), q)
#endif

#undef h_void
#undef d_void

#endif
