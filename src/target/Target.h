// Machine descriptions: the limits and rates of one GPU, as data in targets/*.toml.
#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "target/CoalescingRules.h"

namespace hone::target {

struct ComputeCapability {
  unsigned major = 0, minor = 0;
  std::string str() const;  // "9.0"
  auto operator<=>(const ComputeCapability&) const = default;
};

// Loads of global memory that an L1 caches.
enum class CachedLoads : uint8_t { All, ReadOnly, None };
// What a store does to a line of the L1 that it hits.
enum class StoreHit : uint8_t { Update, Evict };

// What compilers for the target make of a kernel, as far as it decides what runs.
struct CompilerModel {
  // A choice is made by predicates while no more instructions than these are under it: as counted for its
  // work, and in byte code for the jump itself to vanish.
  double predicatedInstructions = 8;
  unsigned predicatedCode = 12;
  // A loop that counts shares one test among so many iterations, while it has no more instructions then.
  double unrolledInstructions = 75, unrolledIterations = 4;
  // Loops of known length vanish: up to so many operations, unless more are asked for, and iterations.
  unsigned wholeLoopOperations = 300, wholeLoopIterations = 64;
  unsigned registersBesides = 14;  // of a thread, for addresses and loads under way
  unsigned registerStep = 8;       // a thread has a multiple of so many registers
  unsigned leastRegisters = 16;    // and no less than these
  unsigned spareRegisters = 8;     // by which an estimate may be too high before values live in memory
};

// Machine instructions that one operation takes where it is not one.
struct InstructionCounts {
  double sum64 = 2;      // sums, comparisons, shifts of 64-bit integers
  double product64 = 4;  // of 64-bit integers
  double divideF32 = 8, divideF64 = 10;
  double divide32 = 18, divide64 = 24;  // of integers
  double remainderOfQuotient = 2;       // where the quotient is at hand
  // By a known number: powers of two, else a product of which the upper half counts; 64 bits take so many
  // times as many.
  double divideByPower = 1, divideSignedByPower = 3, divideByNumber = 4, remainderByNumber = 5;
  double known64 = 2;
  double function = 20;  // of the mathematical library
};

// How warps share a multiprocessor.
struct SchedulingModel {
  unsigned turnInstructions = 24;    // of a warp before the next one, as caches see them mixed
  double dependentShare = 0.5;       // of instructions, that wait for the one before
  double comparisonLatencies = 1.5;  // of arithmetic, that a choice in a loop waits for its comparison
  double wholeWaves = 8;             // up to so many waves of blocks the last one takes as long as a full one
  // A block makes room when its last warp is done: for each doubling of its warps beyond these, each wave
  // takes such a share of the latency of DRAM longer.
  double drainWarps = 8, drainShare = 0.3;
};

struct Target {
  std::string name;                                    // "h200": the file's name without .toml
  std::vector<std::string> aliases;                    // "sm_90": each belongs to one target
  std::string title;                                   // "NVIDIA H200 SXM"
  std::optional<ComputeCapability> computeCapability;  // none: no GPU of NVIDIA's
  std::optional<ComputeCapability> lowest;  // code must run on this, too; none: on the target alone

  // machine
  unsigned multiprocessors = 0;
  unsigned lanesPerMultiprocessor = 0;  // 32-bit float units
  double clockGHz = 0;                  // of those units, boost
  double bandwidthGBs = 0;              // global memory, 10^9 bytes a second
  unsigned l2KiB = 0;                   // 0: no cache for global memory
  double memoryGB = 0;                  // as sold

  // limits
  unsigned warpSize = 32;
  unsigned threadsPerBlock = 0;
  unsigned threadsPerMultiprocessor = 0;
  unsigned blocksPerMultiprocessor = 0;
  unsigned registersPerMultiprocessor = 0;
  unsigned registersPerBlock = 0;
  unsigned registersPerThread = 0;
  unsigned sharedPerBlock = 0;           // bytes, without asking for more
  unsigned sharedPerBlockOptIn = 0;      // bytes, the most that can be asked for
  unsigned sharedPerMultiprocessor = 0;  // bytes
  unsigned registerUnit = 256;           // registers are handed out in such pieces
  unsigned sharedUnit = 128;             // bytes, and shared memory in such
  std::array<uint64_t, 3> maxBlock{}, maxGrid{};

  // memory
  CoalescingRule coalescing = CoalescingRule::Sectors;
  unsigned banks = 32, bankBytes = 4;  // of shared memory
  unsigned bankRowBytes = 128;         // addresses of one bank that lie in the same row come in one pass
  unsigned sharedPassLanes = 32;       // lanes that go through the banks together
  unsigned partitions = 0, partitionBytes = 0;  // of global memory; 0: addresses are hashed, nothing to count
  unsigned l1KiB = 0;                           // per multiprocessor; 0: none
  std::vector<unsigned>
      l1CarveoutsKiB;  // sizes shared memory can take from the L1, rising; empty: they are apart
  unsigned l1LineBytes = 128, l1Ways = 4;
  unsigned l1SectorBytes = 32;  // the least that a miss brings
  CachedLoads l1Global = CachedLoads::All;
  StoreHit l1Store = StoreHit::Update;
  unsigned l2LineBytes = 128, l2Ways = 16;
  unsigned l2FetchBytes = 32;         // the least that a miss brings from DRAM
  unsigned l2EffectiveKiB = 0;        // what one kernel's data can fill
  unsigned l2DirtyKiB = 0;            // of it, what may be newer than DRAM
  unsigned requestsUnderWay = 96;     // of a multiprocessor, after which what one asked for is there
  unsigned storeSectors = 20;         // written in part, that wait for the rest from the same warp
  unsigned atomicBytes = 512;         // that atomics pass over one after the other
  unsigned l2MergeRequests = 131072;  // to the L2, among which two for one sector may meet
  double l2Merge = 0;  // chance that requests of two multiprocessors for one sector meet before the L2

  // rates, per multiprocessor and cycle unless named otherwise
  double issue = 1;  // warp instructions
  double fp64Lanes = 1, intLanes = 1, specialLanes = 1, loadStoreLanes = 1;
  double sharedBytesPerCycle = 128, l1BytesPerCycle = 128;
  double l2GBs = 0;            // of the whole L2, 10^9 bytes a second
  double reachedGBs = 0;       // of bandwidthGBs, what a plain copy reaches
  double l2PartialWrite = 1;   // sectors that writing a part of one costs in the L2
  double dramVisitBytes = 32;  // bytes that a visit to a line in DRAM costs at least

  // latencies in cycles
  double arithmeticCycles = 0, sharedCycles = 0, l1Cycles = 0, l2Cycles = 0, dramCycles = 0;
  double warpStartCycles = 0;  // a multiprocessor starts and ends one warp in such a time
  double atomicNs = 0;         // one pass of an atomic over atomicBytes of global memory, nanoseconds
  double launchUs = 0;         // microseconds of an empty kernel

  CompilerModel compiler;
  InstructionCounts instructions;
  SchedulingModel scheduling;

  // What the machine can do. Code asks here and never compares compute capabilities itself.
  bool hasShuffles() const { return warpSize == 32 && isAtLeast(3); }
  bool hasAsyncCopies() const { return isAtLeast(8); }  // from global to shared memory
  // Lanes of a warp go their own ways between barriers; without it they run in lockstep.
  bool hasIndependentLanes() const { return !computeCapability || isAtLeast(7); }
  // Registers are handed to a block as a whole, not to each of its warps.
  bool allocatesRegistersByBlock() const { return computeCapability && computeCapability->major == 1; }
  std::string capabilityText() const;  // as in the file: "9.0", "cpu"

  // recipes: whole ones that were measured, as text, for kernels of a kind
  std::vector<std::string> measuredTiles;  // sums of products of what rows and columns of threads share

  double peakGFlops() const { return 2.0 * multiprocessors * lanesPerMultiprocessor * clockGHz; }

 private:
  bool isAtLeast(unsigned major) const {
    return computeCapability && computeCapability->major >= major && (!lowest || lowest->major >= major);
  }
};

// Reads every description in a folder, sorted by compute capability and name. Throws hone::Error naming file
// and line.
std::vector<Target> loadTargets(const std::string& folder);

// Reads one description; `where` is its name in messages.
Target parseTarget(const std::string& toml, const std::string& name, const std::string& where);

// The folder with the descriptions that belong to this executable; HONE_TARGETS_DIR overrides it.
std::string targetsFolder();

// What the arrays of a block may take of the target's shared memory, for messages: "declared arrays may have
// 49152 on h200 (232448 are for arrays that are sized at the launch)".
std::string sharedLimitText(const Target& target);

// Whether a device goes by the target's name: "NVIDIA H200", "GeForce RTX 4090".
bool isNamed(const std::string& device, const Target& target);

// By name or alias; throws hone::Error with the nearest name when there is none.
const Target& findTarget(const std::vector<Target>& targets, const std::string& name);

}  // namespace hone::target
