// Compute constructs that have no kernels: the host runs them on what the device has, as if it were the
// device.
#include <cstring>

#include "Data.h"

using namespace hone::acc;

namespace {

// A section of the device while the host stands in for it.
struct Lent {
  char* host = nullptr;
  std::vector<char> own;   // what the host had there
  std::vector<char> lent;  // what the body found there
};

struct HostFrame {
  Where place;  // no device: the body simply runs
  std::vector<Held> held;
  std::vector<Lent> lent;
};

std::vector<HostFrame>& hostFrames() {
  thread_local std::vector<HostFrame> list;
  return list;
}

// Holds what `entry` is part of, and what its pointers lead to.
void addEntry(const Device& device, Entry* entry, std::set<Entry*>& all) {
  if (!entry || !all.insert(entry).second) return;
  for (const auto& [offset, attached] : entry->attached)
    if (attached.count) addEntry(device, device.table.ofDevice(attached.device), all);
}

void holdEntry(Entry& entry, std::vector<Held>& held) {
  ++entry.structured;
  Held h;
  h.kind = hone_acc_present | hone_acc_implicit;  // of no clause
  h.host = entry.host;
  h.bytes = entry.bytes;
  h.isCounted = true;
  held.push_back(h);
}

Lent lend(const Where& place, Entry& entry) {
  Lent out;
  out.host = entry.host;
  out.own.assign(entry.host, entry.host + entry.bytes);
  // Copied beside first: memory that is never written may be closed to writing.
  std::vector<char>& now = out.lent;
  now.resize(entry.bytes);
  check(place.site, cudaMemcpy(now.data(), entry.device, entry.bytes, cudaMemcpyDeviceToHost),
        "copying from the device");
  for (const auto& [offset, attached] : entry.attached)
    if (attached.count) std::memcpy(now.data() + offset, out.own.data() + offset, sizeof(void*));
  if (now != out.own) std::memcpy(entry.host, now.data(), entry.bytes);
  return out;
}

void takeBack(const Where& place, const Lent& l) {
  Entry* const entry = place.device->table.containing(l.host);
  const bool isSame = std::memcmp(l.host, l.lent.data(), l.lent.size()) == 0;
  if (!isSame && entry && entry->host == l.host) copyToDevice(place, *entry, l.host, l.lent.size());
  if (std::memcmp(l.host, l.own.data(), l.own.size()) != 0) std::memcpy(l.host, l.own.data(), l.own.size());
}

}  // namespace

void hone_acc_host_begin(const char* site, int condition, int self, int async, int wait_count, int item_count,
                         ...) {
  va_list arguments;
  va_start(arguments, item_count);
  const std::vector<int> queues = readQueues(&arguments, wait_count);
  std::vector<Item> items = readItems(&arguments, item_count);
  va_end(arguments);
  Lock lock(mutex());
  waitForHost(lock, site, async, wait_count, queues);
  HostFrame frame;
  if (condition && !self) frame.place = placeOf(site, hone_acc_sync);
  if (frame.place.device) {
    Device& device = *frame.place.device;
    Entering entering(frame.place, true);
    for (const Item& item : items)
      if (item.kind() == hone_acc_deviceptr && item.item.host)
        fail(site, "this runs on the host, which cannot use the memory of the device that " +
                       quoted(item.item.name, item.item.host, item.item.bytes) + " points to");
    entering.enterAll(items);
    frame.held = std::move(entering.held);
    std::set<Entry*> all;
    for (const Held& h : frame.held)
      if (h.isCounted) addEntry(device, device.table.containing(h.host), all);
    for (const Item& item : items)
      addEntry(device, entryBehind(frame.place, item.item.name, item.item.host), all);
    std::set<int> busy;
    for (Entry* entry : all) {
      holdEntry(*entry, frame.held);
      busy.insert(entry->queues.begin(), entry->queues.end());
    }
    const std::vector<int> list(busy.begin(), busy.end());
    waitFor(lock, site, device, &list);
    for (Entry* entry : all) frame.lent.push_back(lend(frame.place, *entry));
  }
  hostFrames().push_back(std::move(frame));
}

void hone_acc_host_end(const char* site) {
  if (hostFrames().empty()) return;
  HostFrame frame = std::move(hostFrames().back());
  hostFrames().pop_back();
  if (!frame.place.device) return;
  const Lock lock(mutex());
  frame.place.site = site;
  use(site, *frame.place.device);
  for (const Lent& l : frame.lent) takeBack(frame.place, l);
  leave(frame.place, frame.held);
}
