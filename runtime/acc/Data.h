// What data clauses do to the device's memory: enter, leave, update, attach. Internal to runtime/acc.
#pragma once

#include <cstdarg>

#include "Device.h"

namespace hone::acc {

/// A level of pointers to rows (hone_acc_rows).
struct RowLevel {
  long offset = 0;
  size_t bytes = 0;
};

struct Item {
  hone_acc_item item{};
  std::vector<RowLevel> rows;
  const void* base = nullptr;  ///< hone_acc_base
  size_t elementBytes = 0;     ///< hone_acc_element; 0: not known
  const char* wholeName = nullptr;
  char* whole = nullptr;  ///< hone_acc_part
  size_t wholeBytes = 0;
  int kind() const { return item.kind & 31; }
  bool has(int flag) const { return item.kind & flag; }
};

std::vector<Item> readItems(va_list* arguments, int count);
std::vector<int> readQueues(va_list* arguments, int count);

/// What a region did on entry, to be undone when it ends.
struct Held {
  int kind = 0;  ///< with flags
  const char* name = nullptr;
  char* host = nullptr;
  size_t bytes = 0;
  bool isCounted = false;     ///< a section is held
  void** attached = nullptr;  ///< a pointer that was attached
};

/// A pointer to be attached when all data of a directive is there.
struct ToAttach {
  void** pointer = nullptr;
  char* device = nullptr;  ///< what it shall hold on the device; null: where the device has what it points to
};

/// Sections of one directive, in order: entered first, then pointers attached.
class Entering {
 public:
  Entering(const Where& where, bool isRegion) : place(where), isStructured(isRegion) {}
  /// Sets the item's device address.
  void enter(Item& item);
  /// What clauses name first: what is implied may be part of it, or hold it.
  void enterAll(std::vector<Item>& items);
  /// Attaches what was entered; what a region holds from now on is in `held`.
  void finish();

  std::vector<Held> held;

 private:
  char* section(const Item& of, char* host, size_t bytes, size_t elementBytes);
  char* pieces(const Item& of, char* host, size_t bytes, size_t elementBytes, const Whole& whole);
  void rows(const Item& of, char* host, size_t bytes, size_t level);
  Where place;
  bool isStructured;
  std::vector<ToAttach> attaches;
  std::set<const Entry*> unfilled;  // made here, by clauses that bring nothing
};

/// Leaves what a region held.
void leave(const Where& place, const std::vector<Held>& held);
/// Items of exit data.
void exitItems(const Where& place, std::vector<Item>& items);
void updateItem(const Where& place, const Item& item);

/// Dynamic data of functions of the API. Null addresses are left alone.
char* enterDynamic(const Where& place, int kind, const char* name, void* host, size_t bytes);
void exitDynamic(const Where& place, int kind, const char* name, void* host, size_t bytes);

/// Fails where a section has less than no bytes.
void checkLength(const Where& place, const char* name, size_t bytes);
/// What the device has of what a pointer leads to, if only behind its first element; null: nothing.
Entry* entryBehind(const Where& place, const char* name, const void* pointer);
/// The same, but not what ends at the pointer.
Entry* entryFrom(const Where& place, const char* name, const void* pointer);

// Sections.cpp
void copyToDevice(const Where& place, Entry& entry, const char* host, size_t bytes);
void copyToHost(const Where& place, Entry& entry, char* host, size_t bytes);
/// A new section of an item, without contents; it counts nothing yet. `elementBytes` 0: not known.
Entry& create(const Where& place, const Item& of, char* host, size_t bytes, size_t elementBytes, bool isZero);
/// Forgets a section that nothing holds and frees its memory.
void drop(const Where& place, Entry& entry);
[[noreturn]] void failPartly(const char* site, const char* name, const void* host, size_t bytes,
                             const Entry& entry);
[[noreturn]] void failAbsent(const char* site, const char* name, const void* host, size_t bytes);
/// Whether host and device share what lies there (managed memory); fails for addresses of the device.
bool isShared(const char* site, const char* name, const void* host, size_t bytes);
/// Whether it is memory of the device, or memory that the device can reach.
bool isOfDevice(const void* address);
/// Whether the host can read it.
bool isReadable(const void* address);

// Attach.cpp
/// Returns which of the pointers hold device addresses now because of the call.
std::vector<bool> attach(const Where& place, const std::vector<ToAttach>& list);
/// `isFinal`: whatever the count.
void detach(const Where& place, void** pointer, bool isFinal);

}  // namespace hone::acc
