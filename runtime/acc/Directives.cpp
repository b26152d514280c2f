// What hone acc puts into the host's text for data, enter data, exit data, update, host_data, wait, init,
// shutdown and set.
#include "Data.h"

using namespace hone::acc;

namespace {

struct Frame {
  Where place;  // no device: the host, or a condition that does not hold
  std::vector<Held> held;
};

std::vector<Frame>& frames() {
  thread_local std::vector<Frame> list;
  return list;
}

struct Asked {
  std::vector<int> queues;
  std::vector<Item> items;
};

Asked readAsked(va_list* arguments, int waitCount, int itemCount) {
  Asked asked;
  asked.queues = readQueues(arguments, waitCount);
  asked.items = readItems(arguments, itemCount);
  return asked;
}

// The place of a directive, behind what it waits for.
Where begun(Lock& lock, const char* site, int async, int waitCount, const Asked& asked) {
  const Where place = placeOf(site, async);
  if (place.device && waitCount >= 0) waitBefore(lock, place, waitCount == 0 ? nullptr : &asked.queues);
  return place;
}

constexpr int notGiven = -1000;

}  // namespace

void hone_acc_data_begin(const char* site, int condition, int async, int wait_count, int item_count, ...) {
  va_list arguments;
  va_start(arguments, item_count);
  Asked asked = readAsked(&arguments, wait_count, item_count);
  va_end(arguments);
  Lock lock(mutex());
  Frame frame;
  if (condition) frame.place = begun(lock, site, async, wait_count, asked);
  if (frame.place.device) {
    Entering entering(frame.place, true);
    for (Item& item : asked.items) entering.enter(item);
    entering.finish();
    frame.held = std::move(entering.held);
  }
  frames().push_back(std::move(frame));
}

void hone_acc_data_end(const char* site) {
  if (frames().empty()) return;
  Frame frame = std::move(frames().back());
  frames().pop_back();
  if (!frame.place.device) return;
  const Lock lock(mutex());
  frame.place.site = site;
  // The thread may have turned to another device since.
  Device* const now = currentDevice(site);
  if (now != frame.place.device) use(site, *frame.place.device);
  leave(frame.place, frame.held);
  if (now && now != frame.place.device) use(site, *now);
}

void hone_acc_data_leave(const char** site) { hone_acc_data_end(*site); }

void hone_acc_enter_data(const char* site, int condition, int async, int wait_count, int item_count, ...) {
  va_list arguments;
  va_start(arguments, item_count);
  Asked asked = readAsked(&arguments, wait_count, item_count);
  va_end(arguments);
  if (!condition) return;
  Lock lock(mutex());
  const Where place = begun(lock, site, async, wait_count, asked);
  if (!place.device) return;
  Entering entering(place, false);
  for (Item& item : asked.items) entering.enter(item);
  entering.finish();
}

void hone_acc_exit_data(const char* site, int condition, int async, int wait_count, int item_count, ...) {
  va_list arguments;
  va_start(arguments, item_count);
  Asked asked = readAsked(&arguments, wait_count, item_count);
  va_end(arguments);
  if (!condition) return;
  Lock lock(mutex());
  const Where place = begun(lock, site, async, wait_count, asked);
  if (place.device) exitItems(place, asked.items);
}

void hone_acc_update(const char* site, int condition, int async, int wait_count, int item_count, ...) {
  va_list arguments;
  va_start(arguments, item_count);
  const Asked asked = readAsked(&arguments, wait_count, item_count);
  va_end(arguments);
  if (!condition) return;
  Lock lock(mutex());
  const Where place = begun(lock, site, async, wait_count, asked);
  if (place.device)
    for (const Item& item : asked.items) updateItem(place, item);
}

void* hone_acc_use(const char* site, int condition, int if_present, const volatile void* host,
                   const char* name) {
  void* const address = const_cast<void*>(host);
  if (!condition || !address) return address;
  const Lock lock(mutex());
  const Where place = placeOf(site, hone_acc_sync);
  if (!place.device) return address;
  if (const Entry* entry = place.device->table.containing(address)) return entry->at(address);
  if (const Entry* entry = entryBehind(place, name, address)) return entry->at(address);
  if (if_present || isShared(site, name, address, 1)) return address;
  failAbsent(site, name, address, 1);
}

void hone_acc_wait(const char* site, int condition, int async, int device, int queue_count, ...) {
  va_list arguments;
  va_start(arguments, queue_count);
  const std::vector<int> queues = readQueues(&arguments, queue_count);
  va_end(arguments);
  if (!condition) return;
  Lock lock(mutex());
  const Where place = placeOf(site, async);
  if (!place.device) return;
  Device& waited = device < 0 ? *place.device : *deviceOf(site, device);
  const std::vector<int>* const asked = queue_count > 0 ? &queues : nullptr;
  if (&waited == place.device)
    waitBefore(lock, place, asked);
  else
    waitFor(lock, site, waited, asked);
}

void hone_acc_init(const char* site, int condition, int device_type, int device) {
  if (!condition) return;
  const Lock lock(mutex());
  initialize(site, device_type == notGiven ? int(acc_device_current) : device_type,
             device == notGiven ? -1 : device);
}

void hone_acc_shutdown(const char* site, int condition, int device_type, int device) {
  if (!condition) return;
  Lock lock(mutex());
  shutDown(lock, site, device_type == notGiven ? int(acc_device_current) : device_type,
           device == notGiven ? -1 : device);
}

void hone_acc_set(const char* site, int condition, int device_type, int device, int default_async) {
  if (!condition) return;
  const Lock lock(mutex());
  if (device_type != notGiven) selectType(site, device_type);
  if (device != notGiven) selectNumber(site, device, acc_device_current);
  if (default_async != notGiven) setDefaultQueue(site, default_async);
}
