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

Held heldOf(const Item& item, char* host, size_t bytes) {
  Held h;
  h.kind = item.item.kind;
  h.name = item.item.name;
  h.host = host;
  h.bytes = bytes;
  h.isCounted = true;
  return h;
}

void noteOneMemory(const Where& place, const char* first, const char* second, const char* way) {
  if (!first || !second) return;
  note(place.site, quoted(first, nullptr, 0) + " and " + quoted(second, nullptr, 0) +
                       " are of one memory here, and one of their clauses copies it " + way +
                       ": so it is for both; with other compilers the result may be lost");
}

// What one directive lets go of. All counts go down before anything is copied out or freed, so that several
// clauses of one memory, by pointers that are equal, are as one.
class Leaving {
 public:
  Leaving(const Where& where, bool isRegion) : place(where), isStructured(isRegion) {}

  bool hasLetGo(const Entry& entry) const {
    return std::any_of(left.begin(), left.end(), [&](const Left& l) { return l.entry == &entry; });
  }
  void section(Entry& entry, const Held& of);
  void finish();

 private:
  struct Left {
    Entry* entry = nullptr;
    Held of;
    bool isLast = false;  // nothing holds the section since then
  };
  Where place;
  bool isStructured;
  std::vector<Left> left;
};

void Leaving::section(Entry& entry, const Held& of) {
  unsigned& count = isStructured ? entry.structured : entry.dynamic;
  const bool wasHeld = entry.isHeld();
  if (!isStructured && (of.kind & hone_acc_finalize))
    count = entry.isMapped ? std::min(count, 1U) : 0;
  else if (count > (!isStructured && entry.isMapped ? 1U : 0U))
    --count;
  left.push_back({&entry, of, wasHeld && !entry.isHeld()});
}

void Leaving::finish() {
  // What is implied adds nothing to what a clause says of a part.
  const auto isOfClause = [](const Left& one) { return !(one.of.kind & hone_acc_implicit); };
  const auto copies = [&](const Left& one) {
    const auto isSaid = [&](const Left& other) { return other.entry == one.entry && isOfClause(other); };
    return copiesOut(one.of.kind & 31) && (isOfClause(one) || std::none_of(left.begin(), left.end(), isSaid));
  };
  for (size_t k = 0; k < left.size(); ++k) {
    Entry& entry = *left[k].entry;
    const Held& of = left[k].of;
    if (!copies(left[k]) || !HONE_SEED(CopyoutMissed, true, isStructured)) continue;
    if (entry.isHeld() && !(of.kind & hone_acc_always_out)) continue;
    const auto isDone = [&](const Left& other) {
      return other.entry == &entry && copies(other) && other.of.host <= of.host &&
             other.of.host + other.of.bytes >= of.host + of.bytes;
    };
    if (std::any_of(left.begin(), left.begin() + long(k), isDone)) continue;
    // Pointers of the host stay what they are, as if they were detached first.
    char* const from = std::max(of.host, entry.host);
    char* const to = std::min(of.host + of.bytes, entry.host + entry.bytes);
    if (from < to) copyToHost(place, entry, from, size_t(to - from));
    if (of.kind & hone_acc_always_out) continue;
    for (const Left& other : left)
      if (other.entry == &entry && other.isLast && isOfClause(other) && !isDone(other))
        noteOneMemory(place, other.of.name, of.name, "out");
  }
  for (const Left& l : left)
    if (l.isLast) drop(place, *l.entry);
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
    if (i.has(hone_acc_element)) i.elementBytes = va_arg(*arguments, unsigned long);
    if (i.has(hone_acc_part)) {
      i.wholeName = va_arg(*arguments, const char*);
      i.whole = static_cast<char*>(va_arg(*arguments, void*));
      i.wholeBytes = va_arg(*arguments, unsigned long);
    }
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
  const bool areApart = std::any_of(sections.begin(), sections.end(), [&](const Entry* one) {
    return !one->whole || one->whole != sections[0]->whole;
  });
  if (sections.size() > 1 && areApart)
    fail(place.site, quoted(name, pointer, 0) + " has several sections on the device, " +
                         quoted(sections[0]->name.c_str(), sections[0]->host, sections[0]->bytes) + " and " +
                         quoted(sections[1]->name.c_str(), sections[1]->host, sections[1]->bytes) +
                         " among them; a clause has to say which of them this uses");
  return sections.empty() ? table.reaching(pointer) : sections[0];
}

Entry* entryFrom(const Where& place, const char* name, const void* pointer) {
  Entry* const entry = entryBehind(place, name, pointer);
  return entry && pointer == entry->host + entry->bytes ? nullptr : entry;
}

// Of an object that has parts on the device: these as they are, and what is between them.
char* Entering::pieces(const Item& of, char* host, size_t bytes, size_t elementBytes, const Whole& whole) {
  const PresentTable& table = place.device->table;
  char* const end = host + bytes;
  for (char* at = host; at < end;) {
    const PresentTable::Result result = table.find(at, size_t(end - at));
    const Entry* const known = result.entry;
    if (known && known->whole.get() != &whole) failPartly(place.site, of.item.name, host, bytes, *known);
    char* const next = !known             ? end
                       : known->host > at ? known->host
                                          : std::min(end, known->host + known->bytes);
    section(of, at, size_t(next - at), elementBytes);
    at = next;
  }
  return whole.device + (host - whole.host);
}

char* Entering::section(const Item& of, char* host, size_t bytes, size_t elementBytes) {
  const int kind = of.kind();
  const char* const name = of.item.name;
  if (!host) return nullptr;
  checkLength(place, name, bytes);
  if (bytes == 0) {  // nothing to bring; pointers to it still move where they can
    const bool isAlone = of.has(hone_acc_alone);
    Entry* const entry = isAlone ? entryFrom(place, name, host) : entryBehind(place, name, host);
    if (!isAlone) {
      place.device->empty.insert(of.base ? of.base : host);
      return entry ? entry->at(host) : nullptr;
    }
    if (!entry && place.device->empty.count(host)) return nullptr;
    if (!entry && isShared(place.site, name, host, 1)) return host;
    if (!entry) failAbsent(place.site, name, host, 0);
    section(of, entry->host, entry->bytes, elementBytes);
    return entry->at(host);
  }
  const PresentTable::Result result = place.device->table.find(host, bytes);
  Entry* entry = result.entry;
  if (result.found == Found::Partly && of.has(hone_acc_implicit))
    if (const auto whole = place.device->table.wholeAround(host, bytes))
      return pieces(of, host, bytes, elementBytes, *whole);
  if (result.found == Found::Partly && !(of.has(hone_acc_implicit) && result.isOnly))
    failPartly(place.site, name, host, bytes, *entry);
  if (result.found == Found::Absent) {
    if (kind == hone_acc_no_create && isOfDevice(host)) return nullptr;
    if (isShared(place.site, name, host, bytes)) return host;
    if (kind == hone_acc_no_create) return nullptr;
    if (kind == hone_acc_present) failAbsent(place.site, name, host, bytes);
    entry = &create(place, of, host, bytes, elementBytes, of.has(hone_acc_zero) && !copiesIn(kind));
    if (copiesIn(kind))
      copyToDevice(place, *entry, host, bytes);
    else
      unfilled.insert(entry);
  } else if (copiesIn(kind) && !of.has(hone_acc_implicit) && unfilled.count(entry)) {
    copyToDevice(place, *entry, host, bytes);
    noteOneMemory(place, entry->name.c_str(), name, "in");
  } else if (of.has(hone_acc_always_in) && copiesIn(kind)) {
    copyToDevice(place, *entry, host, bytes);
  }
  if (!place.isSync()) entry->queues.insert(place.queue);
  if (of.base) place.device->table.addBase(*entry, of.base);
  (isStructured ? entry->structured : entry->dynamic) += HONE_SEED(CountedTwice, 1U, 2U);
  if (isStructured) held.push_back(heldOf(of, host, bytes));
  return entry->at(host);
}

void Entering::rows(const Item& of, char* host, size_t bytes, size_t level) {
  eachRow(of.rows, level, host, bytes, [&](char* row, size_t size, void** pointer) {
    // Rows of all levels but the last are pointers.
    const bool isLast = size == of.rows.back().bytes;
    char* const device = section(of, row, size, isLast ? of.elementBytes : sizeof(char*));
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
  i.device = section(item, i.host, i.bytes, item.rows.empty() ? item.elementBytes : sizeof(char*));
  if (!item.rows.empty() && i.host) rows(item, i.host, i.bytes, 0);
  if (i.pointer && i.device && i.device != i.host)
    attaches.push_back({i.pointer, i.device - (i.host - static_cast<char*>(*i.pointer))});
}

void Entering::enterAll(std::vector<Item>& items) {
  std::vector<Item*> order;
  for (Item& item : items) order.push_back(&item);
  const auto rank = [](const Item& item) {
    return item.kind() == hone_acc_lookup ? 2 : item.has(hone_acc_implicit) ? 1 : 0;
  };
  std::sort(order.begin(), order.end(), [&](const Item* a, const Item* b) {
    if (rank(*a) != rank(*b)) return rank(*a) < rank(*b);
    if (rank(*a) == 1 && a->item.bytes != b->item.bytes) return a->item.bytes > b->item.bytes;
    return a < b;
  });
  for (Item* item : order) enter(*item);
  finish();
  // Kernels find one part by way of another.
  for (const Item* item : order) {
    if (!item->whole || !item->item.device) continue;
    const Item& first = **std::find_if(order.begin(), order.end(), [&](const Item* other) {
      return other->whole == item->whole && other->item.device;
    });
    if (first.item.device - item->item.device != first.item.host - item->item.host)
      fail(place.site, quoted(item->item.name, item->item.host, item->item.bytes) + " and " +
                           quoted(first.item.name, first.item.host, first.item.bytes) + " are parts of " +
                           quoted(item->wholeName, item->whole, item->wholeBytes) +
                           " that were brought to the device apart from each other; bring all of it");
  }
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
  Leaving leaving(place, true);
  for (auto h = held.rbegin(); h != held.rend(); ++h) {
    if (h->attached) detach(place, h->attached, false);
    if (!h->isCounted) continue;
    const PresentTable::Result result = place.device->table.find(h->host, h->bytes);
    // A region's data may be gone: acc_shutdown and acc_unmap_data end it.
    if (result.entry && result.entry->structured) leaving.section(*result.entry, *h);
  }
  leaving.finish();
}

namespace {

void exitSection(Leaving& leaving, const Where& place, const Item& item, char* host, size_t bytes,
                 void** pointer) {
  const hone_acc_item& i = item.item;
  checkLength(place, i.name, bytes);
  if (host && bytes == 0 && item.has(hone_acc_alone))
    if (const Entry* const entry = entryFrom(place, i.name, host)) {
      host = entry->host;
      bytes = entry->bytes;
    }
  if (!host || bytes == 0) return;
  const PresentTable::Result result = place.device->table.find(host, bytes);
  if (result.found == Found::Absent) return;
  if (result.found == Found::Partly) failPartly(place.site, i.name, host, bytes, *result.entry);
  if (result.entry->dynamic == 0 && !leaving.hasLetGo(*result.entry)) return;
  if (pointer) detach(place, pointer, false);
  leaving.section(*result.entry, heldOf(item, host, bytes));
}

}  // namespace

void exitItems(const Where& place, std::vector<Item>& items) {
  // Pointers get the host's addresses before anything is copied out.
  for (Item& item : items)
    if (item.kind() == hone_acc_detach) detach(place, pointerOf(item), item.has(hone_acc_finalize));
  Leaving leaving(place, false);
  for (Item& item : items) {
    const hone_acc_item& i = item.item;
    if (item.kind() == hone_acc_detach) continue;
    if (item.kind() != hone_acc_copyout && item.kind() != hone_acc_delete)
      fail(place.site, quoted(i.name, i.host, i.bytes) + " has a clause that exit data does not know");
    checkLength(place, i.name, i.bytes);
    if (!item.rows.empty() && i.host)
      eachRow(item.rows, 0, i.host, i.bytes, [&](char* row, size_t size, void** pointer) {
        exitSection(leaving, place, item, row, size, pointer);
      });
    exitSection(leaving, place, item, i.host, i.bytes, i.pointer);
  }
  leaving.finish();
}

namespace {

void updateSection(const Where& place, const Item& item, char* host, size_t bytes) {
  const char* const name = item.item.name;
  checkLength(place, name, bytes);
  if (!host || bytes == 0) return;
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
  checkLength(place, item.item.name, item.item.bytes);
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
