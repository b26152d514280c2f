#include "Arrays.h"

#include <sys/mman.h>

#include <cmath>
#include <cstring>
#include <vector>

namespace judge {

bool refuseMemory = false, isProbing = false;

namespace {

constexpr size_t kSlot = size_t(64) << 20, kPage = 4096, kMost = size_t(4) << 20;
constexpr int kSlots = 96;
constexpr unsigned char kCanary = 0xa5;

struct Slot {
  bool isUsed = false;
  ArrayShape shape;
  DataModes modes;
  char* base = nullptr;                   // where the pointer points to
  char *begin = nullptr, *end = nullptr;  // what may be touched
  char *pages = nullptr, *pagesEnd = nullptr;
  long long low = 0, high = 0;  // bytes from base, of all that a probe saw
  // Of each byte, where races are watched: who wrote it last.
  struct Writer {
    uint32_t block = 0, thread = 0, epoch = 0, barriers = 0;
    bool isAny = false;
  };
  std::vector<Writer> writers;
};
// A write over what another thread has written in no order is a race where it changes the value, which shows
// once it is done.
struct Overwrite {
  const char* at = nullptr;
  size_t bytes = 0;
  char before[16];
  std::string text;
} overwrite;
Slot slots[kSlots];
char* arena = nullptr;

char* slotBegin(int i) { return arena + size_t(i) * kSlot; }
int slotAt(const void* at) {
  const size_t offset = size_t(static_cast<const char*>(at) - arena);
  return offset < kSlot * kSlots ? int(offset / kSlot) : -1;
}

uint64_t mix(uint64_t v) {
  v ^= v >> 31;
  v *= 0x9e3779b97f4a7c15ull;
  v ^= v >> 29;
  v *= 0xbf58476d1ce4e5b9ull;
  return v ^ v >> 32;
}

double realAt(uint64_t h, int mode) {
  if (mode == 0) return double(int(h % 17) - 8);
  if (mode == 2 && h % 13 == 0) {
    constexpr double rare[] = {NAN, INFINITY, -INFINITY, -0.0, 1e-42, 3e38, -3e38, 1e30};
    return rare[(h >> 20) % 8];
  }
  return double(int64_t(h >> 11) - (int64_t(1) << 52)) / double(int64_t(1) << 51);
}

uint64_t wholeAt(uint64_t h, long long index, int mode, int bytes) {
  switch (mode) {
    case 0: return h % 37;
    case 1: return uint64_t(int64_t(h % 41) - 20);
    case 2: return uint64_t(index < 0 ? 0 : index * 3 + int64_t(h % 3));
    default: break;
  }
  const uint64_t top = uint64_t(1) << (8 * bytes - 1);
  const uint64_t rare[] = {0, 1, ~uint64_t(0), top, top - 1, top + 1, 0xffffffffu, uint64_t(1) << 31};
  return h % 3 == 0 ? rare[(h >> 20) % 8] : h >> 7;
}

template <class T>
void put(char* to, T v) {
  memcpy(to, &v, sizeof v);
}

void fillScalar(const Slot& slot, int number, char* to, long long index) {
  int kind = slot.shape.kind, bytes = slot.shape.scalarBytes;
  if (kind == int(Kind::Other)) {
    // A record: its words are floats and integers in turn.
    for (int word = 0; word * 4 < bytes; ++word) {
      const uint64_t h = mix(mix(slot.modes.seed * 131 + uint64_t(number)) + uint64_t(index * 64 + word));
      if (word % 2 == 0)
        put(to + 4 * word, float(realAt(h, slot.modes.floats)));
      else
        put(to + 4 * word, uint32_t(wholeAt(h, index, slot.modes.whole, 4)));
    }
    return;
  }
  const uint64_t h = mix(mix(slot.modes.seed * 131 + uint64_t(number)) + uint64_t(index));
  if (kind == int(Kind::Float)) {
    const double v = realAt(h, slot.modes.floats);
    if (bytes == 8) put(to, v);
    if (bytes == 4) put(to, float(v));
    if (bytes == 2) put(to, _Float16(v));
    return;
  }
  const uint64_t v = wholeAt(h, index, slot.modes.whole, bytes);
  memcpy(to, &v, size_t(bytes));
}

int unitOf(const Slot& slot) {
  return slot.shape.kind == int(Kind::Other) ? slot.shape.elementBytes : slot.shape.scalarBytes;
}

// All scalars that lie, at least in part, in [from, to).
void fill(int number, char* from, char* to) {
  const Slot& slot = slots[number];
  const int unit = unitOf(slot);
  alignas(16) char value[256];
  long long index = (from - slot.base) / unit;
  if ((from - slot.base) % unit < 0) --index;
  for (; slot.base + index * unit < to; ++index) {
    if (unit > int(sizeof value)) return;
    fillScalar(slot, number, value, index);
    char* at = slot.base + index * unit;
    if (at >= from && at + unit <= to) {
      memcpy(at, value, size_t(unit));
      continue;
    }
    for (int i = 0; i < unit; ++i)
      if (at + i >= from && at + i < to) at[i] = value[i];
  }
}

void unmap(Slot& slot) {
  if (!slot.pages || slot.pagesEnd == slot.pages) return;
  mmap(slot.pages, size_t(slot.pagesEnd - slot.pages), PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  slot.pages = slot.pagesEnd = nullptr;
}

size_t rounded(size_t v, size_t to) { return (v + to - 1) / to * to; }

}  // namespace

void reserveArrays() {
  arena = static_cast<char*>(
      mmap(nullptr, kSlot * kSlots, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
  if (arena == MAP_FAILED) abort();
}

char* probeArray(int index, const ArrayShape& shape, const DataModes& modes) {
  Slot& slot = slots[index];
  unmap(slot);
  slot = Slot{};
  slot.isUsed = true;
  slot.shape = shape, slot.modes = modes;
  slot.base = slotBegin(index) + kSlot / 2;
  slot.begin = slotBegin(index) + kPage, slot.end = slotBegin(index + 1) - kPage;
  return slot.base;
}

bool endProbe(int index) {
  Slot& slot = slots[index];
  unmap(slot);
  const long long e = slot.shape.elementBytes;
  const auto whole = [&](long long v) { return v >= 0 ? (v + e - 1) / e * e : v / e * e; };
  slot.high = whole(slot.high);
  slot.low = -whole(-slot.low);
  return slot.high - slot.low <= (long long)kMost;
}

char* placeArray(int index, Placement placement) {
  Slot& slot = slots[index];
  unmap(slot);
  const size_t bytes = size_t(slot.high - slot.low);
  const size_t shift = placement == Placement::Shifted ? size_t(slot.shape.elementBytes) : 0;
  slot.pages = slotBegin(index) + kPage * 16;
  slot.pagesEnd = slot.pages + rounded(bytes + shift, kPage);
  if (bytes) mprotect(slot.pages, size_t(slot.pagesEnd - slot.pages), PROT_READ | PROT_WRITE);
  slot.begin = placement == Placement::End ? slot.pagesEnd - bytes : slot.pages + shift;
  slot.end = slot.begin + bytes;
  slot.base = slot.begin - slot.low;
  if (!bytes) {
    slot.pagesEnd = slot.pages;
    return slot.base;
  }
  slot.writers.clear();
  overwrite.at = nullptr;
  memset(slot.pages, kCanary, size_t(slot.pagesEnd - slot.pages));
  fill(index, slot.begin, slot.end);
  return slot.base;
}

const char* arrayBytes(int index) { return slots[index].begin; }
size_t arraySize(int index) { return size_t(slots[index].high - slots[index].low); }
long long arrayFirst(int index) { return slots[index].low; }

std::string damageAround(int index) {
  const Slot& slot = slots[index];
  for (const char* at = slot.pages; at < slot.pagesEnd; ++at)
    if ((at < slot.begin || at >= slot.end) && (unsigned char)*at != kCanary)
      return describe(at, 1, "was written");
  return "";
}

void clearArrays() {
  for (Slot& slot : slots) {
    unmap(slot);
    slot = Slot{};
  }
}

size_t leftAllocations() {
  size_t left = 0;
  for (int i = kArrays; i < kSlots; ++i)
    if (slots[i].isUsed) {
      ++left;
      unmap(slots[i]);
      slots[i] = Slot{};
    }
  return left;
}

void* allocate(size_t bytes) {
  if (bytes == 0) return nullptr;
  if (refuseMemory || bytes > kSlot - 64 * kPage) return nullptr;
  for (int i = kArrays; i < kSlots; ++i) {
    Slot& slot = slots[i];
    if (slot.isUsed) continue;
    slot.isUsed = true;
    slot.shape = {int(Kind::Unsigned), 1, 1};
    slot.pages = slotBegin(i) + kPage * 16;
    slot.pagesEnd = slot.pages + rounded(bytes, kPage);
    mprotect(slot.pages, size_t(slot.pagesEnd - slot.pages), PROT_READ | PROT_WRITE);
    memset(slot.pages, run.order == Order::Forward ? 0xff : 0x7b, size_t(slot.pagesEnd - slot.pages));
    slot.base = slot.begin = slot.pages;
    slot.end = slot.begin + bytes;
    return slot.base;
  }
  fail("too many allocations");
}

bool release(void* at) {
  if (!at) return true;
  const int i = slotAt(at);
  if (i < kArrays || !slots[i].isUsed || slots[i].base != at) fail("what is released was not allocated");
  unmap(slots[i]);
  slots[i] = Slot{};
  return true;
}

std::string describe(const void* at, size_t bytes, const char* verb) {
  char text[200];
  const int i = slotAt(at);
  if (i < 0) {
    snprintf(text, sizeof text, "an address outside of all arrays (%p) %s", at, verb);
    return text;
  }
  const Slot& slot = slots[i];
  const long long offset = static_cast<const char*>(at) - slot.base;
  const long long e = slot.shape.elementBytes;
  const long long element = offset >= 0 ? offset / e : -((-offset + e - 1) / e);
  snprintf(text, sizeof text, "%s %d: element %lld (%zu bytes at %lld) %s; it has %lld to %lld",
           i < kArrays ? "array" : "allocation", i < kArrays ? i : i - kArrays, element, bytes, offset, verb,
           slot.low / e, (slot.end - slot.base) / e - 1);
  return text;
}

bool onFault(void* at) {
  const int i = slotAt(at);
  if (!isProbing || i < 0 || i >= kArrays || !slots[i].isUsed) return false;
  Slot& slot = slots[i];
  char* page = reinterpret_cast<char*>(uintptr_t(at) / kPage * kPage);
  if (page < slot.begin || page >= slot.end) return false;
  if (mprotect(page, kPage, PROT_READ | PROT_WRITE) != 0) return false;
  fill(i, page, page + kPage);
  if (!slot.pages || page < slot.pages) slot.pages = page;
  if (page + kPage > slot.pagesEnd) slot.pagesEnd = page + kPage;
  return true;
}

namespace {

void endOverwrite() {
  if (!overwrite.at) return;
  const bool isChanged = memcmp(overwrite.at, overwrite.before, overwrite.bytes) != 0;
  overwrite.at = nullptr;
  if (isChanged) fail(overwrite.text);
}

// Threads run one after the other here and at once on a GPU, where nothing orders these two.
void watch(Slot& slot, const char* at, size_t bytes, bool isWrite) {
  endOverwrite();
  if (slot.writers.empty()) slot.writers.resize(size_t(slot.end - slot.begin));
  for (size_t i = size_t(at - slot.begin); i < size_t(at - slot.begin) + bytes; ++i) {
    Slot::Writer& last = slot.writers[i];
    const bool isMine = last.block == run.block && last.thread == run.thread;
    const bool isOrdered =
        last.epoch != run.epoch || (last.block == run.block && last.barriers != run.barriers);
    const bool isRace = last.isAny && !isMine && !isOrdered;
    if (isWrite) {
      if (isRace && bytes <= sizeof overwrite.before && !overwrite.at) {
        overwrite.at = at, overwrite.bytes = bytes;
        memcpy(overwrite.before, at, bytes);
        overwrite.text = describe(at, bytes, "is written after another thread has") + ", by " + whereNow();
      }
      last = {run.block, run.thread, run.epoch, run.barriers, true};
      continue;
    }
    if (isRace) fail(describe(at, bytes, "is read that another thread has written") + ", by " + whereNow());
  }
}

inline void touched(const void* p, size_t bytes, const char* verb, bool isWrite = false) {
  const int i = slotAt(p);
  if (i < 0) return;
  Slot& slot = slots[i];
  const char* at = static_cast<const char*>(p);
  if (isProbing && i < kArrays) {
    const long long offset = at - slot.base;
    if (offset < slot.low) slot.low = offset;
    if (offset + (long long)bytes > slot.high) slot.high = offset + (long long)bytes;
    return;
  }
  if (!slot.isUsed || at < slot.begin || at + bytes > slot.end)
    fail(describe(p, bytes, verb) + ", by " + whereNow());
  if (run.watchesRaces && i < kArrays) watch(slot, at, bytes, isWrite);
}

}  // namespace
}  // namespace judge

// What the compiler calls before each access to memory.
#define JUDGE_ACCESS(n)                                                                  \
  extern "C" void __tsan_read##n(void* p) { judge::touched(p, n, "is read"); }           \
  extern "C" void __tsan_write##n(void* p) { judge::touched(p, n, "is written", true); } \
  extern "C" void __tsan_unaligned_read##n(void* p) { judge::touched(p, n, "is read"); } \
  extern "C" void __tsan_unaligned_write##n(void* p) { judge::touched(p, n, "is written", true); }
JUDGE_ACCESS(1)
JUDGE_ACCESS(2)
JUDGE_ACCESS(4)
JUDGE_ACCESS(8)
JUDGE_ACCESS(16)
extern "C" void __tsan_init() {}
extern "C" void __tsan_read_range(void* p, size_t n) { judge::touched(p, n, "is read"); }
extern "C" void __tsan_write_range(void* p, size_t n) { judge::touched(p, n, "is written", true); }
extern "C" void* __tsan_memcpy(void* to, const void* from, size_t n) {
  if (n) judge::touched(from, n, "is read"), judge::touched(to, n, "is written", true);
  return memmove(to, from, n);
}
extern "C" void* __tsan_memmove(void* to, const void* from, size_t n) { return __tsan_memcpy(to, from, n); }
extern "C" void* __tsan_memset(void* to, int value, size_t n) {
  if (n) judge::touched(to, n, "is written", true);
  return memset(to, value, n);
}
