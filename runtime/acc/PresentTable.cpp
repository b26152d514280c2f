#include "PresentTable.h"

namespace hone::acc {

namespace {

uintptr_t numberOf(const void* address) { return reinterpret_cast<uintptr_t>(address); }

bool holds(const void* begin, size_t bytes, const void* address) {
  return numberOf(address) - numberOf(begin) < bytes;
}

}  // namespace

PresentTable::Result PresentTable::find(const void* host, size_t bytes) const {
  const uintptr_t begin = numberOf(host), end = begin + bytes < begin ? UINTPTR_MAX : begin + bytes;
  auto it = byHost.upper_bound(begin);
  if (it != byHost.begin()) {
    const Entry& before = *std::prev(it)->second;
    if (numberOf(before.host) + before.bytes > begin) --it;
  }
  Result result;
  if (it == byHost.end() || it->first >= end) return result;
  result.entry = it->second.get();
  if (it->first <= begin && numberOf(result.entry->host) + result.entry->bytes >= end) {
    result.found = Found::Whole;
    return result;
  }
  result.found = Found::Partly;
  const auto next = std::next(it);
  result.isOnly = next == byHost.end() || next->first >= end;
  return result;
}

Entry* PresentTable::containing(const void* host) const {
  auto it = byHost.upper_bound(numberOf(host));
  if (it == byHost.begin()) return nullptr;
  Entry* entry = std::prev(it)->second.get();
  return holds(entry->host, entry->bytes, host) ? entry : nullptr;
}

Entry* PresentTable::reaching(const void* host) const {
  if (Entry* entry = containing(host)) return entry;
  auto it = byHost.lower_bound(numberOf(host));
  if (it == byHost.begin()) return nullptr;
  Entry* entry = std::prev(it)->second.get();
  return numberOf(entry->host) + entry->bytes == numberOf(host) ? entry : nullptr;
}

Entry* PresentTable::ofDevice(const void* device) const {
  auto it = byDevice.upper_bound(numberOf(device));
  if (it == byDevice.begin()) return nullptr;
  Entry* entry = std::prev(it)->second;
  return holds(entry->device, entry->bytes, device) ? entry : nullptr;
}

std::vector<Entry*> PresentTable::ofBase(const void* pointer) const {
  const auto known = byBase.find(pointer);
  if (known == byBase.end()) return {};
  return {known->second.begin(), known->second.end()};
}

void PresentTable::addBase(Entry& entry, const void* pointer) {
  if (entry.bases.insert(pointer).second) byBase[pointer].insert(&entry);
}

std::shared_ptr<Whole> PresentTable::wholeAround(const void* host, size_t bytes) {
  auto it = wholes.upper_bound(numberOf(host));
  if (it == wholes.begin()) return nullptr;
  std::shared_ptr<Whole> whole = (--it)->second.lock();
  if (!whole) wholes.erase(it);
  const bool holdsAll = whole && numberOf(host) - numberOf(whole->host) <= whole->bytes &&
                        bytes <= whole->bytes - (numberOf(host) - numberOf(whole->host));
  return holdsAll ? whole : nullptr;
}

bool PresentTable::isFree(const void* host, size_t bytes) {
  if (find(host, bytes).found != Found::Absent) return false;
  auto it = wholes.lower_bound(numberOf(host) + bytes);
  while (it != wholes.begin()) {
    --it;
    if (const std::shared_ptr<Whole> whole = it->second.lock())
      return numberOf(whole->host) + whole->bytes <= numberOf(host);
    it = wholes.erase(it);
  }
  return true;
}

void PresentTable::addWhole(const std::shared_ptr<Whole>& whole) { wholes[numberOf(whole->host)] = whole; }

Entry& PresentTable::add(Entry entry) {
  auto owned = std::make_unique<Entry>(std::move(entry));
  Entry& out = *owned;
  byDevice[numberOf(out.device)] = &out;
  byHost[numberOf(out.host)] = std::move(owned);
  return out;
}

void PresentTable::remove(Entry& entry) {
  // Two sections of the host may be mapped to one of the device; the later one is known by it.
  const auto known = byDevice.find(numberOf(entry.device));
  if (known != byDevice.end() && known->second == &entry) byDevice.erase(known);
  for (const void* base : entry.bases) {
    const auto sections = byBase.find(base);
    sections->second.erase(&entry);
    if (sections->second.empty()) byBase.erase(sections);
  }
  byHost.erase(numberOf(entry.host));
}

}  // namespace hone::acc
