// Data clauses: what happens on entry to a region or at a directive, and at the end.
#include "Data.h"
#include "SeededMistakes.h"

#include <algorithm>

namespace hone::acc {

namespace {

using Found = PresentTable::Found;

bool copiesIn(int kind) { return kind == hone_acc_copy || kind == hone_acc_copyin; }
bool copiesOut(int kind) { return kind == hone_acc_copy || kind == hone_acc_copyout; }

void** pointerOf(const Item& item) {
  return item.item.pointer ? item.item.pointer : reinterpret_cast<void**>(item.item.host);
}

// Calls `each` with the sections of all rows, and the pointers to them.
template <class Each>
void eachRow(const std::vector<RowLevel>& levels, size_t level, char* host, size_t bytes, Each each) {
  auto** const pointers = reinterpret_cast<char**>(host);
  for (size_t k = 0; k < bytes / sizeof(char*); ++k) {
    if (!pointers[k]) continue;
    char* const row = pointers[k] + levels[level].offset;
    if (level + 1 < levels.size()) eachRow(levels, level + 1, row, levels[level].bytes, each);
    each(row, levels[level].bytes, reinterpret_cast<void**>(&pointers[k]));
  }
}

void checkDevicePointer(const Where& place, const Item& item) {
  const void* const address = item.item.host;
  if (!address || isOfDevice(address)) return;
  if (!place.device->table.containing(address) && !isReadable(address)) return;  // near memory of the device
  fail(place.site,
       quoted(item.item.name, address, item.item.bytes) +
           " stands in deviceptr, but it is an address of the host; pointers to the device come from "
           "acc_malloc, acc_deviceptr or host_data");
}

struct Leaving {
  int kind = 0;  // with flags
  const char* name = nullptr;
  char* host = nullptr;
  size_t bytes = 0;
  bool isStructured = false;
};

// The counts of a section go down; what nothing holds any longer is copied out and freed.
void leaveSection(const Where& place, Entry& entry, const Leaving& l) {
  const int kind = l.kind & 31;
  unsigned& count = l.isStructured ? entry.structured : entry.dynamic;
  if (!l.isStructured && (l.kind & hone_acc_finalize))
    count = entry.isMapped ? std::min(count, 1U) : 0;
  else if (count > (!l.isStructured && entry.isMapped ? 1U : 0U))
    --count;
  const bool ends = !entry.isHeld();
  if (copiesOut(kind) && HONE_SEED(CopyoutMissed, true, l.isStructured) &&
      (ends || (l.kind & hone_acc_always_out))) {
    // Pointers of the host stay what they are, as if they were detached first.
    char* const from = std::max(l.host, entry.host);
    char* const to = std::min(l.host + l.bytes, entry.host + entry.bytes);
    if (from < to) copyToHost(place, entry, from, size_t(to - from));
  }
  if (ends) drop(place, entry);
}

}  // namespace

std::vector<Item> readItems(va_list* arguments, int count) {
  std::vector<Item> items(static_cast<size_t>(std::max(count, 0)));
  for (Item& i : items) {
    i.item.kind = va_arg(*arguments, int);
    i.item.name = va_arg(*arguments, const char*);
    i.item.host = static_cast<char*>(va_arg(*arguments, void*));
    i.item.bytes = va_arg(*arguments, unsigned long);
    i.item.pointer = static_cast<void**>(va_arg(*arguments, void*));
    if (i.has(hone_acc_base)) i.base = va_arg(*arguments, void*);
    if (!i.has(hone_acc_rows)) continue;
    i.rows.resize(static_cast<size_t>(va_arg(*arguments, int)));
    for (RowLevel& level : i.rows) {
      level.offset = va_arg(*arguments, long);
      level.bytes = va_arg(*arguments, unsigned long);
    }
  }
  return items;
}

std::vector<int> readQueues(va_list* arguments, int count) {
  std::vector<int> queues;
  for (int k = 0; k < count; ++k) queues.push_back(int(va_arg(*arguments, long long)));
  return queues;
}

Entry* entryBehind(const Where& place, const char* name, const void* pointer) {
  const PresentTable& table = place.device->table;
  if (!pointer) return nullptr;
  if (Entry* const entry = table.containing(pointer)) return entry;
  const std::vector<Entry*> sections = table.ofBase(pointer);
  if (sections.size() > 1)
    fail(place.site, quoted(name, pointer, 0) + " has several sections on the device, " +
                         quoted(sections[0]->name.c_str(), sections[0]->host, sections[0]->bytes) + " and " +
                         quoted(sections[1]->name.c_str(), sections[1]->host, sections[1]->bytes) +
                         " among them; a clause has to say which of them this uses");
  return sections.empty() ? table.reaching(pointer) : sections[0];
}

char* Entering::section(const Item& of, char* host, size_t bytes) {
  const int kind = of.kind();
  const char* const name = of.item.name;
  if (!host) return nullptr;
  if (bytes == 0) {  // nothing to bring; pointers to it still move where they can
    const Entry* const entry = entryBehind(place, name, host);
    return entry ? entry->at(host) : nullptr;
  }
  const PresentTable::Result result = place.device->table.find(host, bytes);
  Entry* entry = result.entry;
  if (result.found == Found::Partly && !(of.has(hone_acc_implicit) && result.isOnly))
    failPartly(place.site, name, host, bytes, *entry);
  if (result.found == Found::Absent) {
    if (kind == hone_acc_no_create && isOfDevice(host)) return nullptr;
    if (isShared(place.site, name, host, bytes)) return host;
    if (kind == hone_acc_no_create) return nullptr;
    if (kind == hone_acc_present) failAbsent(place.site, name, host, bytes);
    entry = &create(place, name, host, bytes, of.has(hone_acc_zero) && !copiesIn(kind), of.base);
    if (copiesIn(kind)) copyToDevice(place, *entry, host, bytes);
  } else if (of.has(hone_acc_always_in) && copiesIn(kind)) {
    copyToDevice(place, *entry, host, bytes);
  }
  if (!place.isSync()) entry->queues.insert(place.queue);
  if (of.base) place.device->table.addBase(*entry, of.base);
  (isStructured ? entry->structured : entry->dynamic) += HONE_SEED(CountedTwice, 1U, 2U);
  Held h;
  h.kind = of.item.kind;
  h.name = name;
  h.host = host;
  h.bytes = bytes;
  h.isCounted = true;
  if (isStructured) held.push_back(h);
  return entry->at(host);
}

void Entering::rows(const Item& of, char* host, size_t bytes, size_t level) {
  eachRow(of.rows, level, host, bytes, [&](char* row, size_t size, void** pointer) {
    char* const device = section(of, row, size);
    if (device) attaches.push_back({pointer, device - (row - static_cast<char*>(*pointer))});
  });
}

void Entering::enter(Item& item) {
  hone_acc_item& i = item.item;
  switch (item.kind()) {
    case hone_acc_deviceptr:
      checkDevicePointer(place, item);
      i.device = i.host;
      return;
    case hone_acc_lookup:
      if (const Entry* entry = entryBehind(place, i.name, i.host)) i.device = entry->at(i.host);
      return;
    case hone_acc_attach: attaches.push_back({pointerOf(item), nullptr}); return;
    case hone_acc_link: return;
    case hone_acc_detach:
    case hone_acc_delete:
    case hone_acc_use_device:
    case hone_acc_update_self:
    case hone_acc_update_device:
      fail(place.site, quoted(i.name, i.host, i.bytes) + " has a clause that brings no data");
    default: break;
  }
  i.device = section(item, i.host, i.bytes);
  if (!item.rows.empty() && i.host) rows(item, i.host, i.bytes, 0);
  if (i.pointer && i.device && i.device != i.host)
    attaches.push_back({i.pointer, i.device - (i.host - static_cast<char*>(*i.pointer))});
}

void Entering::finish() {
  const std::vector<bool> done = attach(place, attaches);
  if (isStructured)
    for (size_t k = 0; k < attaches.size(); ++k)
      if (done[k]) {
        Held h;
        h.attached = attaches[k].pointer;
        held.push_back(h);
      }
  attaches.clear();
}

void leave(const Where& place, const std::vector<Held>& held) {
  for (auto h = held.rbegin(); h != held.rend(); ++h) {
    if (h->attached) detach(place, h->attached, false);
    if (!h->isCounted) continue;
    const PresentTable::Result result = place.device->table.find(h->host, h->bytes);
    // A region's data may be gone: acc_shutdown and acc_unmap_data end it.
    if (result.entry && result.entry->structured)
      leaveSection(place, *result.entry, {h->kind, h->name, h->host, h->bytes, true});
  }
}

namespace {

void exitSection(const Where& place, const Item& item, char* host, size_t bytes, void** pointer) {
  const hone_acc_item& i = item.item;
  if (!host || bytes == 0) return;
  const PresentTable::Result result = place.device->table.find(host, bytes);
  if (result.found == Found::Absent) return;
  if (result.found == Found::Partly) failPartly(place.site, i.name, host, bytes, *result.entry);
  if (result.entry->dynamic == 0) return;
  if (pointer) detach(place, pointer, false);
  leaveSection(place, *result.entry, {i.kind, i.name, host, bytes, false});
}

}  // namespace

void exitItems(const Where& place, std::vector<Item>& items) {
  // Pointers get the host's addresses before anything is copied out.
  for (Item& item : items)
    if (item.kind() == hone_acc_detach) detach(place, pointerOf(item), item.has(hone_acc_finalize));
  for (Item& item : items) {
    const hone_acc_item& i = item.item;
    if (item.kind() == hone_acc_detach) continue;
    if (item.kind() != hone_acc_copyout && item.kind() != hone_acc_delete)
      fail(place.site, quoted(i.name, i.host, i.bytes) + " has a clause that exit data does not know");
    if (!item.rows.empty() && i.host)
      eachRow(item.rows, 0, i.host, i.bytes,
              [&](char* row, size_t size, void** pointer) { exitSection(place, item, row, size, pointer); });
    exitSection(place, item, i.host, i.bytes, i.pointer);
  }
}

namespace {

void updateSection(const Where& place, const Item& item, char* host, size_t bytes) {
  if (!host || bytes == 0) return;
  const char* const name = item.item.name;
  const PresentTable::Result result = place.device->table.find(host, bytes);
  if (result.found == Found::Partly) failPartly(place.site, name, host, bytes, *result.entry);
  if (result.found == Found::Absent) {
    if (isShared(place.site, name, host, bytes) || item.has(hone_acc_if_present)) return;
    failAbsent(place.site, name, host, bytes);
  }
  if (item.kind() == hone_acc_update_self)
    copyToHost(place, *result.entry, HONE_SEED(UpdateOfAllOfIt, host, result.entry->host),
               HONE_SEED(UpdateOfAllOfIt, bytes, result.entry->bytes));
  else
    copyToDevice(place, *result.entry, host, bytes);
}

}  // namespace

void updateItem(const Where& place, const Item& item) {
  if (item.rows.empty())
    updateSection(place, item, item.item.host, item.item.bytes);
  else if (item.item.host)
    eachRow(item.rows, 0, item.item.host, item.item.bytes, [&](char* row, size_t size, void**) {
      // Pointers between the levels stay what they are.
      if (size == item.rows.back().bytes) updateSection(place, item, row, size);
    });
}

namespace {

Item dynamicItem(int kind, const char* name, void* host, size_t bytes) {
  Item item;
  item.item.kind = kind;
  item.item.name = name;
  item.item.host = static_cast<char*>(host);
  item.item.bytes = bytes ? bytes : 1;  // as OpenACC has it
  return item;
}

}  // namespace

char* enterDynamic(const Where& place, int kind, const char* name, void* host, size_t bytes) {
  Item item = dynamicItem(kind, name, host, bytes);
  Entering entering(place, false);
  entering.enter(item);
  return item.item.device;
}

void exitDynamic(const Where& place, int kind, const char* name, void* host, size_t bytes) {
  std::vector<Item> items{dynamicItem(kind, name, host, bytes)};
  exitItems(place, items);
}

}  // namespace hone::acc
