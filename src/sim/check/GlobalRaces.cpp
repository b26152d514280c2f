#include "sim/check/CheckShadowCells.h"

namespace hone::sim {

GlobalShadow::State::State(uint64_t bytes)
    : groups(size_t(bytes >> (ShadowPage::shift + groupShift)) + 1),
      table(new std::atomic<Group*>[groups]()) {}

GlobalShadow::State::~State() {
  for (size_t g = 0; g < groups; ++g) {
    Group* group = table[g].load(std::memory_order_relaxed);
    if (!group) continue;
    for (size_t i = 0; i < size_t(1) << groupShift; ++i) delete group[i].load(std::memory_order_relaxed);
    delete[] group;
  }
}

ShadowPage* GlobalShadow::State::page(uint64_t offset) {
  uint64_t number = offset >> ShadowPage::shift;
  std::atomic<Group*>& slot = table[number >> groupShift];
  Group* group = slot.load(std::memory_order_acquire);
  if (!group) {
    Group* made = new Group[size_t(1) << groupShift]();
    if (slot.compare_exchange_strong(group, made, std::memory_order_acq_rel))
      group = made;
    else
      delete[] made;
  }
  std::atomic<ShadowPage*>& place = group[number & ((size_t(1) << groupShift) - 1)];
  ShadowPage* page = place.load(std::memory_order_acquire);
  if (!page) {
    ShadowPage* made = new ShadowPage(number);
    if (place.compare_exchange_strong(page, made, std::memory_order_acq_rel))
      page = made;
    else
      delete made;
  }
  return page;
}

GlobalShadow::GlobalShadow(uint64_t bytes) : impl(std::make_unique<State>(bytes)) {}
GlobalShadow::~GlobalShadow() = default;

ShadowPage* Shadow::State::pageOf(BlockShadow::State& block, Buffer* buffer, uint64_t begin) {
  if (block.cachedLaunch != launch) {
    block.shadows.clear();
    block.pages.fill({});
    block.cachedLaunch = launch;
  }
  BlockShadow::State::CachedPage& cached = block.pages[(begin >> 8) * 0x9e3779b97f4a7c15u >> 56];
  if (cached.begin != begin || !cached.page)
    cached = {begin, shadowOf(block, buffer).page(begin - buffer->base)};
  return cached.page;
}

GlobalShadow::State& Shadow::State::shadowOf(BlockShadow::State& block, Buffer* buffer) {
  for (auto& [known, global] : block.shadows)
    if (known == buffer) return global->state();
  std::lock_guard lock(shadowMutex);
  if (!buffer->shadow) buffer->shadow = std::make_unique<GlobalShadow>(buffer->size);
  block.shadows.emplace_back(buffer, buffer->shadow.get());
  return buffer->shadow->state();
}

namespace {

// Holds the lock of one page at a time.
class GlobalPlace {
 public:
  GlobalPlace(Shadow::State& shadow, BlockShadow::State& block, const WarpAccess& access)
      : shadow(shadow),
        block(block),
        access(access),
        generation(shadow.generation(block)),
        locks(shadow.locks) {}
  ~GlobalPlace() {
    if (held && locks) held->lock.unlock();
  }
  void select(unsigned lane, uint64_t address) {
    Buffer* next = access.buffer[lane];
    selectPage(next, next->base + ((address - next->base) & ~pageMask));
  }
  bool selectPiece(Buffer* buffer, uint64_t address, unsigned bytes) {
    const uint64_t offset = address - buffer->base;
    if (((offset + bytes - 1) ^ offset) & ~pageMask) return false;
    selectPage(buffer, buffer->base + (offset & ~pageMask));
    return true;
  }
  unsigned lineOffset(uint64_t address) const {
    return unsigned(address - begin) & (ShadowCells::lineWords * 4 - 1);
  }
  void selectPage(Buffer* next, uint64_t start) {
    if (held && start == begin) return;
    if (held && locks) held->lock.unlock();
    held = nullptr;
    ShadowPage* page = shadow.pageOf(block, next, start);
    if (locks) page->lock.lock();
    held = page;
    begin = start;
    if (page->generation != generation) {
      if (page->generation != 0) page->cells.clear();
      page->generation = generation;
    }
  }
  bool sameStretch(unsigned a, unsigned b) const {
    if (access.buffer[a] != access.buffer[b]) return false;
    uint64_t base = access.buffer[a]->base;
    return ((access.address[a] - base) >> ShadowPage::shift) ==
           ((access.address[b] - base) >> ShadowPage::shift);
  }
  bool holds(uint64_t address, unsigned bytes) const { return address - begin + bytes <= pageMask + 1; }
  ShadowCells& cells() { return held->cells; }
  uint32_t word(uint64_t address) const { return uint32_t((address - begin) >> 2); }
  const uint8_t* host(unsigned lane, uint64_t address) const {
    const Buffer* b = access.buffer[lane];
    return b->data ? b->data + (address - b->base) : nullptr;
  }

 private:
  static constexpr uint64_t pageMask = (uint64_t(1) << ShadowPage::shift) - 1;
  Shadow::State& shadow;
  BlockShadow::State& block;
  const WarpAccess& access;
  uint64_t generation;
  bool locks;
  uint64_t begin = 0;  // address of the page that is held
  ShadowPage* held = nullptr;
};

template <AccessKind kind>
void check(Shadow::State& shadow, BlockShadow::State& block, const WarpAccess& access,
           AccessPattern pattern) {
  GlobalPlace place(shadow, block, access);
  CellCheck<true, kind, GlobalPlace>(shadow, block, shadow.layout, access, block.clock, block.globalEpoch,
                                     place)
      .run(pattern);
}

template <AccessKind kind>
bool checkRegularGlobal(Shadow::State& shadow, BlockShadow::State& block, const RegularAccess& regular) {
  WarpAccess access;
  access.pc = regular.pc;
  access.kind = kind;
  access.place = regular.place;
  GlobalPlace place(shadow, block, access);
  return CellCheck<true, kind, GlobalPlace>(shadow, block, shadow.layout, access, block.clock,
                                            block.globalEpoch, place)
      .runRegular(regular);
}

}  // namespace

bool checkGlobalRegular(Shadow::State& shadow, BlockShadow::State& block, const RegularAccess& access) {
  if (block.clock > shadow.layout.lastClock) return true;
  return access.kind == AccessKind::Load ? checkRegularGlobal<AccessKind::Load>(shadow, block, access)
                                         : checkRegularGlobal<AccessKind::Store>(shadow, block, access);
}

void checkGlobal(Shadow::State& shadow, BlockShadow::State& block, const WarpAccess& access,
                 AccessPattern pattern) {
  // A clock that no longer fits would make old accesses look new.
  if (block.clock > shadow.layout.lastClock) return;
  switch (access.kind) {
    case AccessKind::Load: check<AccessKind::Load>(shadow, block, access, pattern); break;
    case AccessKind::Store: check<AccessKind::Store>(shadow, block, access, pattern); break;
    case AccessKind::Atomic: check<AccessKind::Atomic>(shadow, block, access, pattern); break;
  }
}

}  // namespace hone::sim
