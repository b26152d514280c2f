// Pointers in data of the device that hold addresses of the device while they are attached.
#include "Data.h"
#include "SeededMistakes.h"

namespace hone::acc {

namespace {

// The part of the table that has a pointer as a whole; null: none.
Entry* entryOf(const Where& place, void** pointer) {
  Entry* const entry = place.device->table.containing(pointer);
  if (!entry) return nullptr;
  const size_t offset = size_t(reinterpret_cast<char*>(pointer) - entry->host);
  return offset + sizeof(void*) <= entry->bytes ? entry : nullptr;
}

size_t offsetOf(const Entry& entry, void** pointer) {
  return size_t(reinterpret_cast<char*>(pointer) - entry.host);
}

// Writes device copies of pointers, those that follow one another in one go.
void writePointers(const Where& place, Entry& entry, const std::map<size_t, char*>& values) {
  for (auto it = values.begin(); it != values.end();) {
    const size_t begin = it->first;
    std::vector<char*> run;
    for (; it != values.end() && it->first == begin + run.size() * sizeof(void*); ++it)
      run.push_back(it->second);
    const size_t bytes = run.size() * sizeof(void*);
    const cudaError_t status =
        place.isSync()
            ? cudaMemcpy(entry.device + begin, run.data(), bytes, cudaMemcpyHostToDevice)
            : cudaMemcpyAsync(entry.device + begin, run.data(), bytes, cudaMemcpyHostToDevice, place.stream);
    check(place.site, status, "attaching pointers");
  }
}

}  // namespace

std::vector<bool> attach(const Where& place, const std::vector<ToAttach>& list) {
  std::vector<bool> out;
  std::map<Entry*, std::map<size_t, char*>> changed;
  for (const ToAttach& a : list) {
    out.push_back(false);
    Entry* const entry = entryOf(place, a.pointer);
    if (!entry) continue;
    if (!place.isSync()) entry->queues.insert(place.queue);
    const size_t offset = offsetOf(*entry, a.pointer);
    char* device = a.device;
    if (!*a.pointer) {
      entry->attached.erase(offset);
      changed[entry][offset] = nullptr;
      continue;
    }
    if (!device) {
      const Entry* const target = place.device->table.containing(*a.pointer);
      if (!target) continue;
      device = target->at(*a.pointer);
    }
    Attachment& known = entry->attached[offset];
    if (known.count && known.device == device) {
      ++known.count;
    } else {
      known = {1, device};
      changed[entry][offset] = device;
    }
    out.back() = true;
  }
  for (const auto& [entry, values] : changed) writePointers(place, *entry, values);
  return out;
}

void detach(const Where& place, void** pointer, bool isFinal) {
  Entry* const entry = entryOf(place, pointer);
  if (!entry) return;
  const size_t offset = offsetOf(*entry, pointer);
  const auto known = entry->attached.find(offset);
  if (known == entry->attached.end()) return;
  if (!isFinal && --known->second.count) return;
  entry->attached.erase(known);
  if (HONE_SEED(AttachNotUndone, true, false))
    writePointers(place, *entry, {{offset, static_cast<char*>(*pointer)}});
}

}  // namespace hone::acc
