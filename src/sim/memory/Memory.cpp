#include "sim/memory/Memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "ir/Error.h"
#include "sim/memory/GlobalShadow.h"

namespace hone::sim {

namespace {

constexpr uint64_t firstAddress = uint64_t(1) << 40;
constexpr uint64_t guardBytes = 4096;  // between buffers: what runs over an end lands here
constexpr uint64_t heapAlign = 16;
constexpr uint64_t elasticBytes = uint64_t(1) << 32;
constexpr uint64_t elasticOrigin = uint64_t(1) << 30;  // room for negative subscripts

uint64_t roundUp(uint64_t value, uint64_t to) { return (value + to - 1) / to * to; }

uint8_t* reserve(uint64_t bytes) {
  void* p = mmap(nullptr, std::max<uint64_t>(bytes, 1), PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (p == MAP_FAILED) throw Error("no memory for a buffer of " + std::to_string(bytes) + " bytes", 1);
  return static_cast<uint8_t*>(p);
}

}  // namespace

void Buffer::FreeBits::operator()(uint8_t* bits) const { munmap(bits, bytes); }
Buffer::Bits Buffer::noneOf(uint64_t bytes) {
  const uint64_t size = bytes / 64 * 8 + 8;
  return {reserve(size), FreeBits{size}};
}

Buffer::Buffer() = default;
Buffer::~Buffer() {
  if (data && !isHost) munmap(data, std::max<uint64_t>(size, 1));
  if (isPresent) munmap(isPresent, size >> partBits);
}

void Buffer::makePart(uint64_t part) {
  const std::lock_guard lock(making);
  if (isPresent[part].load(std::memory_order_relaxed)) return;
  const uint64_t from = std::max(part << partBits, origin), to = (part + 1) << partBits;
  if (from < to) fill(data + from, from - origin, to - origin);
  constexpr uint64_t partsOfPage = uint64_t(1) << (pageBits - partBits);
  const std::atomic<uint8_t>* page = isPresent + part / partsOfPage * partsOfPage;
  presentPages += std::none_of(page, page + partsOfPage, [](const std::atomic<uint8_t>& one) {
    return one.load(std::memory_order_relaxed) != 0;
  });
  isPresent[part].store(1, std::memory_order_release);
}

uint64_t Buffer::giveUp() {
  madvise(data, size, MADV_DONTNEED);
  madvise(isPresent, size >> partBits, MADV_DONTNEED);
  return presentPages.exchange(0);
}

Memory::Memory() : next(firstAddress) {}
Memory::~Memory() = default;

uint64_t Memory::allocate(uint64_t bytes, std::string name, uint32_t elementBytes, bool initialized,
                          uint32_t align, uint32_t skew) {
  auto buffer = std::make_unique<Buffer>();
  next = roundUp(next, std::max<uint32_t>(align, 256)) + skew;
  buffer->base = next;
  buffer->size = bytes;
  buffer->data = reserve(bytes);
  buffer->name = std::move(name);
  buffer->elementBytes = std::max<uint32_t>(1, elementBytes);
  buffer->isUntyped = elementBytes == 0;
  if (!initialized) buffer->initialized = Buffer::noneOf(bytes);
  next = roundUp(next + bytes, 256) + guardBytes;
  const uint64_t base = buffer->base;
  byBase[base] = std::move(buffer);
  return base;
}

uint64_t Memory::allocateElastic(std::string name, uint32_t elementBytes, FillBytes fill) {
  const uint64_t base = allocate(elasticBytes, std::move(name), elementBytes, true, 1 << 16);
  Buffer& b = *byBase[base];
  b.elastic = true;
  // Element 0 lies on an address aligned like a real allocation, also for elements of odd sizes.
  b.origin = elasticOrigin;
  b.fill = std::move(fill);
  // Fresh pages are zero, which is how the flags begin.
  if (b.fill)
    b.isPresent = reinterpret_cast<std::atomic<uint8_t>*>(reserve(elasticBytes >> Buffer::partBits));
  return base + b.origin;
}

void Memory::release(uint64_t base) {
  Buffer* b = find(base);
  if (!b) return;
  if (!b->isHost) freed[b->base] = {b->size, b->name};
  byBase.erase(b->base);
}

uint64_t Memory::takeFromHeap(uint64_t bytes) {
  if (bytes == 0 || bytes > heapLimit || roundUp(bytes, heapAlign) > heapLimit - heapUsed) return 0;
  heapUsed += roundUp(bytes, heapAlign);
  const uint64_t base = allocate(bytes, "memory of the heap", 0, false);
  byBase[base]->isHeap = true;
  return base;
}

bool Memory::giveToHeap(uint64_t base) {
  const auto it = byBase.find(base);
  if (it == byBase.end() || !it->second->isHeap) return false;
  Buffer& b = *it->second;
  heapUsed -= roundUp(b.size, heapAlign);
  freed[b.base] = {b.size, b.name};
  munmap(b.data, b.size);
  b.data = nullptr;
  b.size = 0;
  givenBack.push_back(std::move(it->second));
  byBase.erase(it);
  return true;
}

Buffer* Memory::adopt(void* host, uint64_t bytes, std::string name, bool isManaged, uint32_t elementBytes) {
  auto buffer = std::make_unique<Buffer>();
  buffer->base = reinterpret_cast<uint64_t>(host);
  buffer->size = bytes;
  buffer->data = static_cast<uint8_t*>(host);
  buffer->name = std::move(name);
  buffer->isHost = true;
  buffer->isManaged = isManaged;
  buffer->elementBytes = std::max<uint32_t>(1, elementBytes);
  buffer->isUntyped = elementBytes == 0;
  Buffer* const made = buffer.get();
  byBase[made->base] = std::move(buffer);
  return made;
}

std::string Memory::describeStray(uint64_t address) const {
  auto it = freed.upper_bound(address);
  if (it != freed.begin()) {
    const auto& [base, what] = *std::prev(it);
    if (address - base < what.first) return "in '" + what.second + "', which was freed";
  }
  return describeHost ? describeHost(address) : "";
}

Buffer* Memory::find(uint64_t address) const {
  auto it = byBase.upper_bound(address);
  if (it != byBase.end() && it->first - address <= guardBytes / 2)
    return it->second.get();  // just before a buffer
  if (it == byBase.begin()) return nullptr;
  Buffer& b = *std::prev(it)->second;
  return address < roundUp(b.base + b.size, 256) + guardBytes / 2 ? &b : nullptr;
}

Buffer* Memory::at(uint64_t base) const {
  auto it = byBase.find(base);
  if (it != byBase.end()) return it->second.get();
  Buffer* b = find(base);
  return b && b->base + b->origin == base ? b : nullptr;
}

uint8_t* Memory::host(uint64_t address) const {
  Buffer* b = find(address);
  return b && address >= b->base && address - b->base <= b->size ? b->data + (address - b->base) : nullptr;
}

void Memory::endMapIfFull(Buffer& b) {
  if (!b.initialized) return;
  const uint8_t* bits = b.initialized.get();
  const uint64_t whole = b.size / 8;
  // All are if the first is and each equals the next.
  if (whole && (bits[0] != 0xff || std::memcmp(bits, bits + 1, whole - 1) != 0)) return;
  for (uint64_t i = whole * 8; i < b.size; ++i)
    if (!(bits[i / 8] >> (i % 8) & 1)) return;
  b.initialized.reset();
}

void Memory::markInitialized(uint64_t address, uint64_t bytes) {
  Buffer* b = find(address);
  if (!b || !b->initialized) return;
  const uint64_t begin = address - b->base, end = std::min(begin + bytes, b->size);
  if (begin == 0 && end == b->size) {
    b->initialized.reset();
    return;
  }
  uint64_t i = begin;
  for (; i < end && i % 8; ++i) b->initialized[i / 8] |= uint8_t(1 << (i % 8));
  if (i < end) std::memset(b->initialized.get() + i / 8, 0xff, (end - i) / 8);
  for (i += (end - i) / 8 * 8; i < end; ++i) b->initialized[i / 8] |= uint8_t(1 << (i % 8));
}

}  // namespace hone::sim
