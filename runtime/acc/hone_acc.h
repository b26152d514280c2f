/* What text made by `hone acc` calls: data on the device, regions, queues. C89 and C++. Implemented over the
 * CUDA runtime. */
#ifndef HONE_ACC_H
#define HONE_ACC_H

#ifdef __cplusplus
extern "C" {
#endif

/* Kinds of data, in the order of AccDataKind in src/frontend/AccUnit.h. */
enum hone_acc_kind {
  hone_acc_copy,
  hone_acc_copyin,
  hone_acc_copyout,
  hone_acc_create,
  hone_acc_no_create,
  hone_acc_present,
  hone_acc_deviceptr,
  hone_acc_attach,
  hone_acc_detach,
  hone_acc_delete,
  hone_acc_use_device,
  hone_acc_update_self,
  hone_acc_update_device,
  hone_acc_device_resident,
  hone_acc_link,
  hone_acc_lookup
};
/* Flags beside a kind. */
enum {
  hone_acc_zero = 32,
  hone_acc_readonly = 64,
  hone_acc_always_in = 128,
  hone_acc_always_out = 256,
  hone_acc_implicit = 512,
  hone_acc_if_present = 1024,
  hone_acc_finalize = 2048,
  hone_acc_capture = 4096,
  hone_acc_rows = 8192,
  hone_acc_base = 16384,
  hone_acc_element = 32768,
  hone_acc_alone = 65536,
  hone_acc_part = 131072
};

/* One variable or section. In varargs: int kind | flags, const char *name, const volatile void *host,
   unsigned long bytes, void *pointer (the address of the host's pointer to attach, or null). Of attach and
   detach `pointer` is what matters; where it is null, `host` is the address of the pointer. With
   hone_acc_base there follows const volatile void *base, the value of the pointer (or the array) that the
   section is of, where it does not begin with it: lookups of that pointer find the section. With
   hone_acc_alone a pointer is named without a section: what the device has of what it leads to is meant. With
   hone_acc_element there follows unsigned long, the size of an element (with rows: of the last level), for
   findings. With
   hone_acc_part there follow const char *name, const volatile void *host, unsigned long bytes of the object
   that it is a part of: all parts of that lie on the device as they do on the host. With
   hone_acc_rows the section is an array of pointers to rows that come along, each attached to its pointer;
   behind these stand int levels (at least 1), then for each level: long offset (bytes from where a
   pointer points to its row's section), unsigned long bytes (of the section; of all levels but the last these
   are pointers again). */
typedef struct hone_acc_item {
  int kind;
  const char* name;
  char* host;
  unsigned long bytes;
  void** pointer;
  char* device; /* set by the runtime: where the device has `host`; null: nowhere (no_create, lookup) */
} hone_acc_item;

/* Async arguments: hone_acc_sync where there is no async clause, else acc_async_noval, acc_async_sync, or a
 * queue. */
enum { hone_acc_sync = -100 };

/* A region at work, for the functions that launch its kernels. */
typedef struct hone_acc_call {
  const char* site; /* "file.c:12: parallel loop in saxpy" */
  int var_count, value_count, item_count;
  void* const*
      vars; /* addresses of the host's variables, in the order of AccRegion::captured (null: it has none) */
  const long long* values; /* what the host worked out, in the order that src/acc/HostText.h fixes */
  hone_acc_item* items;    /* in the order of AccRegion::data */
  void* stream;            /* cudaStream_t of its queue */
} hone_acc_call;

typedef void (*hone_acc_launcher)(hone_acc_call* call);

/* Offers a region to the device: 1 where it ran there, 0 where the host has to. Varargs: var_count addresses
   (const volatile void *), value_count numbers (long long), item_count items. `condition` is that of `if`,
   `self` that of `self`. Waits for the queues of `wait` first: wait_count < 0 none, 0 all, else the first
   wait_count of `values`. */
int hone_acc_region(const char* site, hone_acc_launcher launch, int condition, int self, int async,
                    int wait_count, int var_count, int value_count, int item_count, ...);

/* Around a region that has no kernels and so runs on the host: its data is entered and left as on the device,
   and in between the host's memory has what the device has of the items, of what `lookup` finds, and of what
   attached pointers in them lead to. At the end the device gets what the body wrote, and the host its own
   contents back, before anything is copied out. Does nothing where the condition does not hold, `self` does,
   or the device is the host. Varargs: wait numbers, items. */
void hone_acc_host_begin(const char* site, int condition, int self, int async, int wait_count, int item_count,
                         ...);
void hone_acc_host_end(const char* site);

/* Around a region that the host runs: memory of which the region would have copies of its own on the device
   is behind it as it was. Varargs: count pairs of void *address, unsigned long bytes. */
void hone_acc_keep(int count, ...);
void hone_acc_restore(void);

/* Data regions of a thread nest: end leaves the one that was begun last. What directives take as items:
   begin: copy to attach, lookup is nothing; enter data: copyin, create, attach; exit data: copyout, delete,
   detach with hone_acc_finalize; update: update_self, update_device with hone_acc_if_present. Wait numbers
   are long long, as in regions. */
void hone_acc_data_begin(const char* site, int condition, int async, int wait_count, int item_count,
                         ... /* wait numbers, items */);
void hone_acc_data_end(const char* site);
/* The same for __attribute__((cleanup)) of a `const char *site`, where a block has several ways out (declare
 * in functions). */
void hone_acc_data_leave(const char** site);
void hone_acc_enter_data(const char* site, int condition, int async, int wait_count, int item_count, ...);
void hone_acc_exit_data(const char* site, int condition, int async, int wait_count, int item_count, ...);
void hone_acc_update(const char* site, int condition, int async, int wait_count, int item_count, ...);
/* The device's address of a host address, for use_device; the host's own where it is not present and
 * if_present says so. */
void* hone_acc_use(const char* site, int condition, int if_present, const volatile void* host,
                   const char* name);
/* queue_count 0: all; else as many long long. device < 0: the current one. */
void hone_acc_wait(const char* site, int condition, int async, int device, int queue_count, ...);
void hone_acc_init(const char* site, int condition, int device_type, int device);
void hone_acc_shutdown(const char* site, int condition, int device_type, int device);
void hone_acc_set(const char* site, int condition, int device_type, int device,
                  int default_async); /* -1000: not given */

/* A variable of file scope whose device copy is a __device__ variable: registered before main. Of `link` the
   symbol is that of a
   __device__ pointer, which gets the address of the variable's copy while the device has one, else null. A
   null symbol: no device code names the variable, and it gets memory. Several files may say the same of a
   variable. */
void hone_acc_declare(const char* name, void* host, unsigned long bytes, int kind, const void* device_symbol);

/* For launchers: where the device has what a host pointer points to (`value`, a pointer into item `item`'s
 * section or beside it). */
void* hone_acc_moved(const hone_acc_call* call, int item, const void* value);
/* 1 where two items lead to different memory of the device, as far as their sections, or those that hold
   them, go; 0 where they do not, or where that is not known. */
int hone_acc_apart(const hone_acc_call* call, int first, int second);
/* Memory of the device until the region's kernels are done; nothing has been written to it. */
void* hone_acc_scratch(hone_acc_call* call, unsigned long bytes);
/* Such memory with what the host has at `host`. */
void* hone_acc_copied(hone_acc_call* call, const void* host, unsigned long bytes);
/* What findings of a kernel say of races in an array, besides. */
void hone_acc_hint(const char* kernel, const char* array, const char* words);
/* Reports what a launch said, with the site. */
void hone_acc_launched(hone_acc_call* call, int cuda_error);

#ifdef __cplusplus
}
#endif
#endif
