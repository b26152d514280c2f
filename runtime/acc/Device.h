// Devices, the host's threads, queues and errors. Internal to runtime/acc.
#pragma once

#include <cuda_runtime.h>

#include <map>
#include <mutex>
#include <string>
#include <vector>

#include "PresentTable.h"
#include "acc/openacc.h"
#include "hone_acc.h"

namespace hone::acc {

/// Memory that is given back when work that may use it is done.
struct PendingFree {
  void* memory = nullptr;
  std::vector<cudaEvent_t> after;
};

struct Device {
  int number = 0;
  PresentTable table;
  std::map<int, cudaStream_t> streams;  ///< by queue
  std::vector<PendingFree> pending;
  std::map<void*, size_t> allocations;  ///< of acc_malloc
  std::set<const void*> empty;          ///< pointers whose sections of no bytes were brought
  size_t declared = 0;                  ///< variables of the list that the table has
};

/// Where an operation happens: for whom messages speak, on which device and queue.
struct Where {
  const char* site = "";
  Device* device = nullptr;
  int queue = hone_acc_sync;
  cudaStream_t stream = nullptr;
  bool isSync() const { return queue == hone_acc_sync; }
};

using Lock = std::unique_lock<std::recursive_mutex>;
/// One thread at a time looks at devices; whoever waits for a device or lets kernels run gives it up before.
std::recursive_mutex& mutex();

// Errors.cpp
/// Says what is wrong and ends the program with status 1.
[[noreturn]] void fail(const char* site, const std::string& message);
/// Says something once, unless HONE_RUN_QUIET forbids it.
void note(const char* site, const std::string& message);
void check(const char* site, cudaError_t status, const char* what);
/// "`a[0:n]`", or its size and address where it has no name.
std::string quoted(const char* name, const void* host, size_t bytes);
std::string bytesOf(size_t bytes);

// Devices.cpp
int deviceCount();
/// Null: the host.
Device* currentDevice(const char* site);
/// Of a number that a program gives; fails where there is none.
Device* deviceOf(const char* site, int number);
/// Makes it the one that CUDA's calls of this thread go to, with the variables of declare directives.
void use(const char* site, Device& device);
void selectType(const char* site, int type);
void selectNumber(const char* site, int number, int type);
int currentType();
/// Of a type; the current one where it is the current type.
int currentNumber(const char* site, int type);
bool isHostType(int type);

// Queues.cpp
/// The queue that the argument of an async clause or of a function means; hone_acc_sync: none.
int queueOf(const char* site, int async);
cudaStream_t streamOf(Device& device, int queue);
/// The place of an operation of the current device; without a device where that is the host.
Where placeOf(const char* site, int async);
/// Waits on the host, giving up the lock. `queues`: null stands for all.
void waitFor(Lock& lock, const char* site, Device& device, const std::vector<int>* queues);
/// Lets the queue of `place` wait for others.
void waitOnQueue(const Where& place, const std::vector<int>* queues);
/// What a `wait` asks of an operation at `place`, on its queue or, where it has none, on the host.
void waitBefore(Lock& lock, const Where& place, const std::vector<int>* queues);
/// What runs on the host in the place of the device comes after what its queues were to do before. waitCount
/// as hone_acc_region has it.
void waitForHost(Lock& lock, const char* site, int async, int waitCount, const std::vector<int>& queues);
bool isIdle(const char* site, Device& device, int queue);
/// Frees memory now or, where work of queues may still use it, later.
void freeAfter(const Where& place, void* memory, const std::set<int>& queues);
void freePending(Device& device);
int& defaultQueue();
void setDefaultQueue(const char* site, int async);

// Lifetime.cpp
/// Makes devices ready; number < 0: the first, or the current one of the current type. They become the
/// thread's.
void initialize(const char* site, int type, int number);
/// Waits for devices and forgets the data that no region holds; number < 0: all of the type.
void shutDown(Lock& lock, const char* site, int type, int number);

// Declare.cpp
void bringDeclared(const char* site, Device& device);
/// Tells variables of `declare link` where their copy is, or that there is none.
void tellLinks(const Where& place, const Entry& entry, bool isThere);

}  // namespace hone::acc
