// The device's global memory: buffers at addresses that are the same in every run, each with its bounds.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace hone::sim {

class GlobalShadow;

// Writes bytes from … to - 1, counted from element 0, to where the pointer points.
using FillBytes = std::function<void(uint8_t*, uint64_t from, uint64_t to)>;

struct Buffer {
  uint64_t base = 0;        // address on the device
  uint64_t size = 0;        // bytes
  uint8_t* data = nullptr;  // on the host
  std::string name;
  uint32_t elementBytes = 1;
  bool isUntyped = false;  // nobody knows what it holds: findings count bytes
  bool readOnly = false;   // __constant__ memory
  bool isHost = false;     // memory of the host that kernels may use too: managed, pinned
  bool isManaged = false;
  bool isHeap = false;                // taken by a kernel
  std::atomic<bool> written{false};   // by a kernel, since someone last asked
  std::atomic<bool> mayChange{true};  // some instruction of the running launch may write it
  // A buffer of unknown length, to find out what a kernel touches: large, its bounds recorded and not
  // checked.
  bool elastic = false;
  std::atomic<int64_t> lowest{INT64_MAX}, highest{INT64_MIN};  // byte offsets touched, relative to `origin`
  uint64_t origin = 0;  // elastic: offset of element 0, room for negative subscripts before it
  // Elastic: what makes the contents, called for parts of it before they are first touched; null: zeros.
  FillBytes fill;
  // Elastic: it knows what was touched of it, from one address to before another.
  void noteReach(uint64_t from, uint64_t to) {
    const int64_t low = int64_t(from - base - origin), high = int64_t(to - base - origin);
    int64_t seen = lowest.load(std::memory_order_relaxed);
    while (low < seen && !lowest.compare_exchange_weak(seen, low, std::memory_order_relaxed)) {}
    seen = highest.load(std::memory_order_relaxed);
    while (high > seen && !highest.compare_exchange_weak(seen, high, std::memory_order_relaxed)) {}
  }
  // The bytes at these addresses are about to be used.
  void makePresent(uint64_t from, uint64_t to) {
    if (fill) makeParts((from - base) >> partBits, (to - 1 - base) >> partBits);
  }
  // Gives up what is present where that is much: it is made again when it is touched, without what kernels
  // wrote to it, so only for runs whose results nobody asks for. No address in it may be in use. Returns how
  // many pages were given up.
  uint64_t keepFew(uint64_t mostBytes) { return presentBytes() > mostBytes ? giveUp() : 0; }
  uint64_t presentBytes() const { return presentPages.load(std::memory_order_relaxed) << pageBits; }
  // One bit per byte, set when the byte has a value; null: everything has. Pages come when they are touched.
  struct FreeBits {
    uint64_t bytes;
    void operator()(uint8_t* bits) const;
  };
  using Bits = std::unique_ptr<uint8_t[], FreeBits>;
  static Bits noneOf(uint64_t bytes);  // a bit for each, none set
  Bits initialized;
  std::unique_ptr<GlobalShadow> shadow;  // races; made when first needed
  Buffer();
  ~Buffer();

 private:
  friend class Memory;
  static constexpr unsigned partBits = 9, pageBits = 12;
  std::atomic<uint64_t> presentPages{0};      // of which some part is
  std::atomic<uint8_t>* isPresent = nullptr;  // by part
  std::mutex making;
  void makeParts(uint64_t first, uint64_t last) {
    for (uint64_t part = first; part <= last; ++part)
      if (!isPresent[part].load(std::memory_order_acquire)) makePart(part);
  }
  void makePart(uint64_t part);
  uint64_t giveUp();
};

class Memory {
 public:
  Memory();
  ~Memory();
  Memory(const Memory&) = delete;
  Memory& operator=(const Memory&) = delete;

  // Address of element 0. `initialized` false: reading a byte before it is written is a finding. `skew`: so
  // many bytes behind an aligned address. `elementBytes` 0: not known.
  uint64_t allocate(uint64_t bytes, std::string name, uint32_t elementBytes = 1, bool initialized = true,
                    uint32_t align = 256, uint32_t skew = 0);
  uint64_t allocateElastic(std::string name, uint32_t elementBytes, FillBytes fill = {});
  // The next buffer begins as many addresses further on.
  void leaveFree(uint64_t bytes) { next += bytes; }
  void release(uint64_t base);
  // Memory of the host, at its own address on the device too.
  Buffer* adopt(void* host, uint64_t bytes, std::string name, bool isManaged, uint32_t elementBytes = 0);

  // The heap of kernels, whose memory lives until a kernel frees it. 0: there is not as much left.
  uint64_t heapLimit = 8 << 20;
  uint64_t takeFromHeap(uint64_t bytes);
  bool giveToHeap(uint64_t base);  // false: it has not given this memory, or has it back already
  // Launches may still look at what was given back: it is kept, without length, until the next begins.
  void forgetFreed() { givenBack.clear(); }

  // What an address in no buffer is, for a message: "in 'a', which was freed"; empty when not known.
  std::string describeStray(uint64_t address) const;
  std::function<std::string(uint64_t)> describeHost;  // asked about addresses that were never the device's

  // The buffer that holds this address, or the one whose guard zone it lies in (then the access is out of its
  // bounds); null for a wild pointer.
  Buffer* find(uint64_t address) const;
  Buffer* at(uint64_t base) const;  // by the address allocate gave
  uint8_t* host(uint64_t address) const;
  void markInitialized(uint64_t address, uint64_t bytes);
  static void endMapIfFull(Buffer& buffer);  // of initialised bytes: without one all have values

  const std::map<uint64_t, std::unique_ptr<Buffer>>& buffers() const { return byBase; }

 private:
  std::map<uint64_t, std::unique_ptr<Buffer>> byBase;          // by first address of the zone
  std::map<uint64_t, std::pair<uint64_t, std::string>> freed;  // by base: size and name
  std::vector<std::unique_ptr<Buffer>> givenBack;
  uint64_t heapUsed = 0;
  uint64_t next;
};

}  // namespace hone::sim
