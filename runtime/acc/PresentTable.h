// What the device has of the host's memory: sections by their addresses, with counts. Internal to
// runtime/acc.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

namespace hone::acc {

/// A pointer within a section whose device copy holds a device address.
struct Attachment {
  unsigned count = 0;
  char* device = nullptr;
};

/// Memory for an object of which parts are present one by one, so that they lie on the device as they do on
/// the host: who knows where one is finds the others. Given back with the last part.
struct Whole {
  char* host = nullptr;
  size_t bytes = 0;
  char* device = nullptr;
  std::set<int> queues;  ///< with work that may use parts that are gone
};

struct Entry {
  char* host = nullptr;
  size_t bytes = 0;
  char* device = nullptr;
  std::string name, site;                 ///< what brought it, for messages
  std::shared_ptr<Whole> whole;           ///< that it is a part of; null: the memory is its own
  unsigned structured = 0, dynamic = 0;   ///< present while the sum is not 0
  bool isMapped = false;                  ///< by acc_map_data: the memory is the program's
  bool isDeclared = false;                ///< a variable of the device: there as long as the program runs
  std::map<size_t, Attachment> attached;  ///< by offset
  std::set<const void*> bases;            ///< pointers whose sections, from a later element on, it holds
  std::set<int> queues;                   ///< asynchronous ones with work that may use it

  char* at(const void* address) const { return device + (static_cast<const char*>(address) - host); }
  bool isHeld() const { return structured + dynamic > 0; }
};

class PresentTable {
 public:
  enum class Found : uint8_t { Absent, Whole, Partly };
  struct Result {
    Found found = Found::Absent;
    Entry* entry = nullptr;  ///< Whole: that holds the section; Partly: the first that overlaps it
    bool isOnly = true;      ///< Partly: no other entry overlaps the section
  };

  /// Where a section of at least a byte is.
  Result find(const void* host, size_t bytes) const;
  /// The entry that an address lies in; null: none.
  Entry* containing(const void* host) const;
  /// As containing, or the entry that ends at the address.
  Entry* reaching(const void* host) const;
  /// The entry whose device copy an address lies in; null: none.
  Entry* ofDevice(const void* device) const;

  /// Those that were brought as a section of this pointer.
  std::vector<Entry*> ofBase(const void* pointer) const;
  void addBase(Entry& entry, const void* pointer);

  /// The object in whose memory parts like this section belong; null: there is none.
  std::shared_ptr<Whole> wholeAround(const void* host, size_t bytes);
  /// Whether nothing of these bytes is present, nor of an object that they are part of.
  bool isFree(const void* host, size_t bytes);
  void addWhole(const std::shared_ptr<Whole>& whole);

  /// The section overlaps no other.
  Entry& add(Entry entry);
  void remove(Entry& entry);
  const std::map<uintptr_t, std::unique_ptr<Entry>>& all() const { return byHost; }

 private:
  std::map<uintptr_t, std::unique_ptr<Entry>> byHost;
  std::map<uintptr_t, Entry*> byDevice;
  std::map<const void*, std::set<Entry*>> byBase;
  std::map<uintptr_t, std::weak_ptr<Whole>> wholes;  ///< by host address; they overlap no other
};

}  // namespace hone::acc
