// What hone acc puts into the host's text for compute constructs, and what the launchers of their kernels ask
// for.
#include "Data.h"
#include "Embedded.h"
#include "SeededMistakes.h"

// The embedded device's runtime has it.
extern "C" __attribute__((weak)) void hone_explain_races(const char* kernel, const char* array,
                                                         const char* words);

using namespace hone::acc;

namespace {

// Which pointers lead to memory that the device does not have: "`a` and `b` point to"; empty: none.
std::string absentAmong(const std::vector<Item>& items) {
  std::vector<std::string> names;
  for (const Item& item : items) {
    const hone_acc_item& i = item.item;
    const bool isOptional = item.kind() == hone_acc_lookup || item.kind() == hone_acc_no_create;
    if (isOptional && i.host && !i.device && !isOfDevice(i.host)) names.push_back(quoted(i.name, i.host, 0));
  }
  std::string text;
  for (size_t k = 0; k < names.size(); ++k)
    text += (k == 0 ? "" : k + 1 < names.size() ? ", " : " and ") + names[k];
  return names.empty() ? "" : text + (names.size() == 1 ? " points to" : " point to");
}

struct RegionCall : hone_acc_call {
  Where place;
  std::vector<void*> scratch;
};

}  // namespace

int hone_acc_region(const char* site, hone_acc_launcher launch, int condition, int self, int async,
                    int wait_count, int var_count, int value_count, int item_count, ...) {
  va_list arguments;
  va_start(arguments, item_count);
  std::vector<void*> vars;
  for (int k = 0; k < var_count; ++k) vars.push_back(va_arg(arguments, void*));
  std::vector<long long> values;
  for (int k = 0; k < value_count; ++k) values.push_back(va_arg(arguments, long long));
  std::vector<Item> items = readItems(&arguments, item_count);
  va_end(arguments);

  Lock lock(mutex());
  const std::vector<int> queues(values.begin(), values.begin() + (wait_count > 0 ? wait_count : 0));
  if (!condition || self || !launch || !currentDevice(site)) {
    waitForHost(lock, site, async, wait_count, queues);
    return 0;
  }
  RegionCall call{};
  call.place = placeOf(site, async);
  const Where& place = call.place;
  if (wait_count >= 0) waitBefore(lock, place, wait_count == 0 ? nullptr : &queues);
  Entering entering(place, true);
  entering.enterAll(items);

  std::vector<hone_acc_item> plain;
  for (const Item& item : items) plain.push_back(item.item);
  call.site = site;
  call.var_count = var_count;
  call.value_count = value_count;
  call.item_count = item_count;
  call.vars = vars.data();
  call.values = values.data();
  call.items = plain.data();
  call.stream = place.stream;
  if (hone_absent_pointers) hone_absent_pointers(absentAmong(items).c_str());
  lock.unlock();
  cudaGetLastError();  // what went wrong before is not the launch's
  launch(&call);
  if (hone_absent_pointers) hone_absent_pointers("");
  const cudaError_t status = place.isSync() ? cudaStreamSynchronize(place.stream) : cudaSuccess;
  lock.lock();
  check(site, status, "the region did not run");
  leave(place, entering.held);
  for (void* memory : call.scratch) freeAfter(place, memory, {});
  return 1;
}

void* hone_acc_moved(const hone_acc_call* call, int item, const void* value) {
  const hone_acc_item& i = call->items[item];
  if (!value || !i.device) return const_cast<void*>(value);
  return i.device + (static_cast<const char*>(value) - i.host);
}

int hone_acc_apart(const hone_acc_call* call, int first, int second) {
  const hone_acc_item &one = call->items[first], &other = call->items[second];
  if (!one.host || !other.host) return 1;  // nothing can be read or written by way of a null pointer
  const Where& place = static_cast<const RegionCall*>(call)->place;
  const Lock lock(mutex());
  const Entry *const here = entryBehind(place, one.name, one.host), *const there = entryBehind(
                                                                        place, other.name, other.host);
  if (!here || !there) return 0;
  // Whoever has a part of an object may reach the others. What acc_map_data made known may lie anywhere.
  const auto begin = [](const Entry& e) { return e.whole ? e.whole->device : e.device; };
  const auto end = [&](const Entry& e) { return begin(e) + (e.whole ? e.whole->bytes : e.bytes); };
  return HONE_SEED(AlwaysApart, end(*here) <= begin(*there) || end(*there) <= begin(*here), true);
}

void* hone_acc_scratch(hone_acc_call* call, unsigned long bytes) {
  auto& own = *static_cast<RegionCall*>(call);
  const Lock lock(mutex());
  void* memory = nullptr;
  const cudaError_t status = cudaMalloc(&memory, bytes ? bytes : 1);
  if (status == cudaErrorMemoryAllocation)
    fail(call->site, "the device has no memory left for what its gangs need, " + bytesOf(bytes));
  check(call->site, status, "allocating memory for gangs");
  if (hone_name_memory) hone_name_memory(memory, "memory of the region's gangs", 0);
  own.scratch.push_back(memory);
  return memory;
}

void* hone_acc_copied(hone_acc_call* call, const void* host, unsigned long bytes) {
  void* const memory = hone_acc_scratch(call, bytes);
  // At once: the host may change it as soon as the region is under way.
  if (bytes)
    check(call->site, cudaMemcpy(memory, host, bytes, cudaMemcpyHostToDevice),
          "copying what is firstprivate");
  return memory;
}

void hone_acc_hint(const char* kernel, const char* array, const char* words) {
  if (hone_explain_races) hone_explain_races(kernel, array, words);
}

void hone_acc_launched(hone_acc_call* call, int cuda_error) {
  check(call->site, static_cast<cudaError_t>(cuda_error), "the region did not run");
}
