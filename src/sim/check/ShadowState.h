// Inside of Shadow.h: the state its parts share.
#pragma once

#include <array>
#include <atomic>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "sim/check/AccessPattern.h"
#include "sim/check/AccessRecord.h"
#include "sim/check/Shadow.h"
#include "sim/check/ShadowCells.h"
#include "sim/check/SyncOrder.h"
#include "sim/check/WarpOrder.h"
#include "sim/memory/Memory.h"

namespace hone::sim {

struct ShadowPage;

struct BlockShadow::State {
  State(const Program& program, uint32_t warpCount, uint32_t sharedBytes, const ShadowOptions& options);
  void restart(uint64_t block);

  ShadowOptions options;
  MemoryInstructions instructions;
  RecordLayout layout;  // of shared memory
  uint64_t block = 0;
  uint32_t sharedBytes = 0;

  // One clock for the block; barriers and fences advance it. Records of shared memory have clockBase added,
  // which grows from block to block, so that what an earlier block left is old.
  uint64_t clock = 1, clockBase = 0;
  uint64_t sharedEpoch = 1, globalEpoch = 1;  // clock at the last barrier that orders that memory
  uint64_t gridGeneration = 0;
  std::vector<WarpOrder> warpOrder;

  std::unique_ptr<ShadowCells> cells;
  std::vector<uint64_t> initialized;  // of shared memory, a bit per byte

  // Fences, as clocks; 0 for none.
  struct Fences {
    uint64_t latest = 0;         // by any thread
    uint64_t beforeBarrier = 0;  // `latest` as of the last barrier
    std::vector<uint64_t> ofThread;
  };
  Fences device, near;  // near: of any scope
  bool anyFence = false;
  std::vector<SeenSet> warpSeen;  // acquired since the last barrier
  SeenSet blockSeen;              // acquired before it
  bool anySeen = false;

  // Global shadows found before, for the launch that `cachedLaunch` names.
  uint64_t cachedLaunch = 0;
  std::vector<std::pair<const Buffer*, GlobalShadow*>> shadows;
  struct CachedPage {
    uint64_t begin = 0;  // its address on the device
    ShadowPage* page = nullptr;
  };
  static constexpr size_t cachedPages = 256;
  std::array<CachedPage, cachedPages> pages;
};

// One page: 4096 bytes of the buffer.
struct ShadowPage {
  static constexpr unsigned shift = 12;
  static constexpr uint32_t words = 1u << (shift - 2);
  explicit ShadowPage(uint64_t number) : cells(words, uint32_t(number)) {}
  SpinLock lock;
  uint64_t generation = 0;  // launch and grid barrier the records belong to
  ShadowCells cells;
};

struct GlobalShadow::State {
  explicit State(uint64_t bytes);
  ~State();
  ShadowPage* page(uint64_t offset);  // made when first asked for

 private:
  static constexpr unsigned groupShift = 9;
  using Group = std::atomic<ShadowPage*>;
  size_t groups;
  std::unique_ptr<std::atomic<Group*>[]> table;
};

struct Shadow::State {
  State(const Program& program, const LaunchShape& shape, const ShadowOptions& options, Findings& findings,
        std::vector<SharedVariable> shared);

  const Program& program;
  std::vector<SharedVariable> sharedVariables;
  ShadowOptions options;
  bool locks = true;
  Findings& findings;
  MemoryInstructions instructions;
  RecordLayout layout;  // of global memory
  uint64_t launch;      // unlike that of any other Shadow
  SyncOrder sync;
  std::atomic<bool> blockConflict{false};
  std::mutex shadowMutex;  // guards Buffer::shadow
  // Races told by pair of instructions. A kernel that races everywhere would spend its time on telling so:
  // beyond the limit a pair is not looked at again.
  static constexpr uint32_t mostTold = 1 << 16;
  std::unique_ptr<std::atomic<uint32_t>[]> told;
  std::atomic<uint32_t>* toldOf(uint32_t mine, uint32_t theirs) const {
    return told ? &told[size_t(mine) * instructions.pcs.size() + theirs] : nullptr;
  }

  ShadowPage* pageOf(BlockShadow::State& block, Buffer* buffer, uint64_t begin);
  GlobalShadow::State& shadowOf(BlockShadow::State& block, Buffer* buffer);
  uint64_t generation(const BlockShadow::State& block) const {
    return launch << 24 | (block.gridGeneration & 0xffffff);
  }
};

// Which array and element an access touches.
struct ArrayElement {
  Findings::Where where;
  uint64_t identity = 0;
};
ArrayElement describe(const Shadow::State& shadow, const WarpAccess& access, unsigned lane, uint64_t address);
// A number that tells arrays apart, without making text.
uint64_t arrayIdentity(const Shadow::State& shadow, const WarpAccess& access, unsigned lane,
                       uint64_t address);

// A record that an access meets in a cell. Decides whether the two are ordered and reports them when not;
// true when all that is wrong is that the same value was written again.
struct Meeting {
  const WarpAccess& access;
  unsigned lane;
  Record mine, theirs;
  bool theirsWrote;
  uint64_t address;       // of the first byte the cell stands for
  const uint8_t* memory;  // what it holds now; null: not known
  uint32_t bytes;         // of the cell: 1 or 4
};
bool judge(Shadow::State& shadow, BlockShadow::State& block, const RecordLayout& layout,
           const Meeting& meeting);

// Fences and flags: what atomic and volatile accesses release and acquire.
uint64_t syncPlace(const WarpAccess& access,
                   uint64_t address);  // a name for the word, unlike that of any other
void synchronize(Shadow::State& shadow, BlockShadow::State& block, const WarpAccess& access);

// `pattern` is Other unless all lanes take part with a word each.
void checkShared(Shadow::State& shadow, BlockShadow::State& block, const WarpAccess& access,
                 AccessPattern pattern, const uint8_t* memory);
void checkGlobal(Shadow::State& shadow, BlockShadow::State& block, const WarpAccess& access,
                 AccessPattern pattern);
// False when something needs a closer look, by the functions above.
bool checkSharedRegular(Shadow::State& shadow, BlockShadow::State& block, const RegularAccess& access);
bool checkGlobalRegular(Shadow::State& shadow, BlockShadow::State& block, const RegularAccess& access);
bool initializeSharedRegular(BlockShadow::State& block, const RegularAccess& access);
bool initializeGlobalRegular(const RegularAccess& access);
void initializeShared(Shadow::State& shadow, BlockShadow::State& block, const WarpAccess& access,
                      AccessPattern pattern);
void initializeGlobal(Shadow::State& shadow, const WarpAccess& access);
void initializeLocal(Shadow::State& shadow, const WarpAccess& access, uint8_t* initialized);

}  // namespace hone::sim
