// Sections on the device: memory, copies that leave attached pointers alone, and what is wrong with a
// section.
#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstring>

#include "Data.h"
#include "Embedded.h"

namespace hone::acc {

namespace {

// The attached pointers that lie in part of a section, whole or with some of their bytes.
template <class Each>
void eachAttached(const Entry& entry, size_t begin, size_t bytes, Each each) {
  const size_t size = sizeof(void*), first = begin < size ? 0 : begin - size + 1;
  for (auto it = entry.attached.lower_bound(first); it != entry.attached.end() && it->first < begin + bytes;
       ++it)
    if (it->second.count) each(it->first, it->second);
}

bool hasAttached(const Entry& entry, size_t begin, size_t bytes) {
  bool has = false;
  eachAttached(entry, begin, bytes, [&](size_t, const Attachment&) { has = true; });
  return has;
}

void copy(const Where& place, void* to, const void* from, size_t bytes, cudaMemcpyKind kind) {
  const cudaError_t status = place.isSync() ? cudaMemcpy(to, from, bytes, kind)
                                            : cudaMemcpyAsync(to, from, bytes, kind, place.stream);
  check(place.site, status,
        kind == cudaMemcpyHostToDevice ? "copying to the device" : "copying from the device");
}

// Data that other queues may still work on is complete before a copy or free without a queue.
void finishQueues(const Where& place, Entry& entry) {
  if (!place.isSync()) return;
  for (const int queue : entry.queues)
    check(place.site, cudaStreamSynchronize(streamOf(*place.device, queue)), "waiting for a queue");
  entry.queues.clear();
}

}  // namespace

void copyToDevice(const Where& place, Entry& entry, const char* host, size_t bytes) {
  if (bytes == 0) return;
  if (!place.isSync()) entry.queues.insert(place.queue);
  const size_t begin = size_t(host - entry.host);
  if (!hasAttached(entry, begin, bytes)) {
    copy(place, entry.at(host), host, bytes, cudaMemcpyHostToDevice);
    return;
  }
  // Bytes of attached pointers keep their device addresses. Copies from memory like this are done with it
  // when they return.
  std::vector<char> patched(host, host + bytes);
  eachAttached(entry, begin, bytes, [&](size_t offset, const Attachment& a) {
    for (size_t k = 0; k < sizeof(void*); ++k)
      if (offset + k >= begin && offset + k < begin + bytes)
        patched[offset + k - begin] = reinterpret_cast<const char*>(&a.device)[k];
  });
  copy(place, entry.at(host), patched.data(), bytes, cudaMemcpyHostToDevice);
}

void copyToHost(const Where& place, Entry& entry, char* host, size_t bytes) {
  if (bytes == 0) return;
  finishQueues(place, entry);
  if (!place.isSync()) entry.queues.insert(place.queue);
  const size_t begin = size_t(host - entry.host);
  if (!hasAttached(entry, begin, bytes)) {
    copy(place, host, entry.at(host), bytes, cudaMemcpyDeviceToHost);
    return;
  }
  std::vector<char> got(bytes);
  copy(place, got.data(), entry.at(host), bytes, cudaMemcpyDeviceToHost);
  if (!place.isSync()) check(place.site, cudaStreamSynchronize(place.stream), "copying from the device");
  size_t done = 0;
  eachAttached(entry, begin, bytes, [&](size_t offset, const Attachment&) {
    const size_t from = offset < begin ? 0 : offset - begin;
    if (from > done) std::memcpy(host + done, got.data() + done, from - done);
    done = std::min(bytes, offset + sizeof(void*) - begin);
  });
  if (done < bytes) std::memcpy(host + done, got.data() + done, bytes - done);
}

namespace {

char* allocate(const Where& place, const char* name, const char* host, size_t bytes, size_t elementBytes) {
  freePending(*place.device);
  void* memory = nullptr;
  // Atomic updates of one or two bytes exchange the word that they lie in.
  const size_t room = (bytes + 3) / 4 * 4;
  cudaError_t status = cudaMalloc(&memory, room);
  if (status == cudaErrorMemoryAllocation && !place.device->pending.empty()) {
    cudaGetLastError();
    check(place.site, cudaDeviceSynchronize(), "waiting for memory");
    freePending(*place.device);
    status = cudaMalloc(&memory, room);
  }
  if (status == cudaErrorMemoryAllocation)
    fail(place.site,
         "the device has no memory left for " + quoted(name, host, bytes) + ", which has " + bytesOf(bytes));
  check(place.site, status, "allocating memory");
  if (room > bytes)
    check(place.site, cudaMemset(static_cast<char*>(memory) + bytes, 0, room - bytes), "filling a word");
  const std::string spoken =
      name && *name ? quoted(name, host, bytes) : std::string("memory of ") + place.site;
  if (hone_name_memory) hone_name_memory(memory, spoken.c_str(), elementBytes);
  return static_cast<char*>(memory);
}

// The object that a section is to be a part of; null: it has memory of its own.
std::shared_ptr<Whole> wholeOf(const Where& place, const Item& of, const char* host, size_t bytes) {
  PresentTable& table = place.device->table;
  if (std::shared_ptr<Whole> known = table.wholeAround(host, bytes)) return known;
  const bool isPart =
      of.whole && host >= of.whole && host + bytes <= of.whole + of.wholeBytes && bytes < of.wholeBytes;
  // Beside parts that have memory of their own it has its own, too.
  if (!isPart || !table.isFree(of.whole, of.wholeBytes)) return nullptr;
  auto whole = std::make_shared<Whole>();
  whole->host = of.whole;
  whole->bytes = of.wholeBytes;
  whole->device = allocate(place, of.wholeName, of.whole, of.wholeBytes, 0);
  table.addWhole(whole);
  return whole;
}

}  // namespace

Entry& create(const Where& place, const Item& of, char* host, size_t bytes, size_t elementBytes,
              bool isZero) {
  Entry entry;
  entry.host = host;
  entry.bytes = bytes;
  entry.name = of.item.name ? of.item.name : "";
  entry.site = place.site;
  entry.whole = wholeOf(place, of, host, bytes);
  if (entry.whole) {
    entry.device = entry.whole->device + (host - entry.whole->host);
  } else {
    // Kernels get the pointer moved as far before the section; there it must lead to nobody else's memory.
    if (const auto* start = static_cast<const char*>(of.base); start && start < host && hone_leave_addresses)
      hone_leave_addresses(static_cast<size_t>(host - start));
    entry.device = allocate(place, of.item.name, host, bytes, elementBytes);
  }
  if (isZero)
    check(place.site, cudaMemsetAsync(entry.device, 0, bytes, place.stream), "filling memory with zeros");
  Entry& out = place.device->table.add(std::move(entry));
  // Pointers to the object find it.
  if (out.whole) place.device->table.addBase(out, out.whole->host);
  if (!place.isSync()) out.queues.insert(place.queue);
  tellLinks(place, out, true);
  return out;
}

void drop(const Where& place, Entry& entry) {
  tellLinks(place, entry, false);
  const std::shared_ptr<Whole> whole = entry.whole;
  void* memory = entry.isMapped || whole ? nullptr : entry.device;
  std::set<int> queues;
  if (place.isSync())
    finishQueues(place, entry);
  else
    queues = entry.queues;
  place.device->table.remove(entry);
  if (whole) {
    whole->queues.insert(queues.begin(), queues.end());
    queues = whole->queues;
    if (whole.use_count() == 1) memory = whole->device;  // it was the last part
  }
  if (memory) freeAfter(place, memory, queues);
}

void checkLength(const Where& place, const char* name, size_t bytes) {
  if (bytes > size_t(PTRDIFF_MAX))
    fail(place.site, (name && *name ? quoted(name, nullptr, 0) : "the section") +
                         " has a negative length: " + std::to_string(ptrdiff_t(bytes)) + " bytes");
}

void failPartly(const char* site, const char* name, const void* host, size_t bytes, const Entry& entry) {
  const auto from = static_cast<const char*>(host);
  std::string text =
      quoted(name, host, bytes) + " is only partly present: of its " + bytesOf(bytes) + " the device has ";
  const char* const first = std::max<const char*>(from, entry.host);
  const char* const last = std::min<const char*>(from + bytes, entry.host + entry.bytes);
  text += "those from " + std::to_string(first - from) + " to " + std::to_string(last - from - 1) +
          ", as part of " + quoted(entry.name.c_str(), entry.host, entry.bytes) + " (" +
          bytesOf(entry.bytes) + ", from " + entry.site + ")";
  fail(site, text);
}

void failAbsent(const char* site, const char* name, const void* host, size_t bytes) {
  fail(site,
       quoted(name, host, bytes) +
           " is not present: no data region, enter data or declare around this has brought it to the device");
}

bool isShared(const char* site, const char* name, const void* host, size_t bytes) {
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, host) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  if (attributes.type == cudaMemoryTypeDevice)
    fail(site, quoted(name, host, bytes) +
                   " is at an address of the device, where one of the host is needed; pointers to the device "
                   "go into deviceptr");
  return attributes.type == cudaMemoryTypeManaged;
}

bool isOfDevice(const void* address) {
  cudaPointerAttributes attributes;
  if (cudaPointerGetAttributes(&attributes, address) != cudaSuccess) {
    cudaGetLastError();
    return false;
  }
  return attributes.type != cudaMemoryTypeUnregistered;
}

bool isReadable(const void* address) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return false;
  const bool is = write(ends[1], address, 1) == 1;
  close(ends[0]);
  close(ends[1]);
  return is;
}

}  // namespace hone::acc
