// Runs blocks of one launch on one host thread; private to the run loop.
#pragma once

#include <cstdlib>
#include <mutex>
#include <random>

#include "sim/bytecode/Steps.h"
#include "sim/check/Findings.h"
#include "sim/check/Shadow.h"
#include "sim/count/Profile.h"
#include "sim/execute/Run.h"
#include "sim/execute/Warp.h"
#include "sim/functions/ExchangeFunctions.h"
#include "sim/functions/PureFunctions.h"
#include "sim/memory/Memory.h"
#include "sim/memory/Textures.h"

namespace hone::sim {

inline uint64_t volume(const std::array<uint32_t, 3>& extents) {
  return uint64_t(extents[0]) * extents[1] * extents[2];
}

// Everything the host threads of a launch share.
struct LaunchState {
  const Program& program;
  const LaunchConfig& config;
  const RunOptions& options;
  Memory& memory;
  const Textures& textures;
  LaunchShape shape;
  std::vector<uint8_t> uniforms;  // the bank of uniform registers
  std::shared_ptr<const Steps> steps;
  std::vector<PureFunction> pure;           // by call site
  std::vector<ExchangeFunction> exchanges;  // by call site
  uint32_t sharedBytes = 0;                 // of a block, dynamic part included
  std::vector<SharedVariable> shared;       // with the offsets and sizes of this launch
  std::vector<Buffer*> parameterBuffers;    // what pointer parameters point into, null when nothing
  // Of one array without an end and of all, where pages may be given up.
  uint64_t mostBytesOfArray = 0, mostBytesOfArrays = 0;
  uint32_t warpsPerBlock = 0, threadsPerBlock = 0;
  std::array<std::vector<uint32_t>, 3> threadIndex;  // x, y and z of each thread of a block, whole warps
  bool warpRaces = true;                             // the target's lanes do not run in lockstep
  Findings findings;
  std::unique_ptr<Shadow> shadow;
  std::unique_ptr<Profiler> profiler;
  bool stopOnStray = false;  // a write to a buffer that was not to change ends the launch, to start again
  std::atomic<bool> strayWrite{false};
  std::atomic<bool> stop{false};  // a fault that ends the launch
  std::atomic<uint64_t> badAccesses{0};
  std::atomic<uint64_t> instructions{0};
  std::atomic<uint64_t> work{0};
  std::atomic<bool> isOverWork{false}, isOverBytes{false};
  std::mutex executedLock;  // for RunOptions::executed

  LaunchState(const Program& p, const LaunchConfig& c, const RunOptions& o, Memory& m, const Textures& t);
  void setUniform(Reg reg, Scalar type, uint64_t bits);  // for all lanes
  // What is kept of a warp, and of a block in flight: registers, local memory, shared memory.
  size_t registerBytes() const;
  size_t uniformBytes() const;  // a copy lies before the registers of each warp
  size_t warpBytes() const;
  size_t blockBytes() const;
};

struct BlockRun {
  uint64_t linear = 0;
  std::array<uint32_t, 3> index{};
  unsigned sm = 0;
  std::vector<Warp> warps;
  struct Free {
    void operator()(uint8_t* bytes) const { std::free(bytes); }
  };
  std::unique_ptr<uint8_t[], Free> storage;  // registers and local memory of all warps
  bool isNew = true;                         // nothing has run in it
  std::vector<uint8_t> shared;
  std::unique_ptr<BlockShadow> shadow;
  uint64_t generation = 0;  // grid barriers passed
  std::string printed;
  enum State { Running, AtGrid, Done } state = Running;
};

class Executor {
 public:
  explicit Executor(LaunchState& launch)
      : launch(launch),
        program(launch.program),
        executed(launch.options.executed ? launch.program.code.size() : 0) {}
  ~Executor();  // adds what it executed to RunOptions::executed
  Executor(const Executor&) = delete;
  Executor& operator=(const Executor&) = delete;

  std::unique_ptr<BlockRun> makeBlock();
  void start(BlockRun& block, uint64_t linear);

  enum class Outcome { Done, AtGrid, Spinning, TurnOver };
  // Runs until the block ends, waits for the grid, or makes no headway by itself. `turn` ends the call after
  // each warp had a slice of that many instructions (0: no such limit).
  Outcome run(BlockRun& block, uint64_t turn = 0);
  void passGridBarrier(BlockRun& block);
  std::mt19937_64 random;

 private:
  enum class Stop { Budget, Spun, Waiting, Done, Fatal };  // Spun: in a loop that waits for others
  Stop runPath(BlockRun& block, Warp& warp, Path& path, uint64_t budget);
  bool hasMadeTooMuch() const;
  Stop countedPath(BlockRun& block, Warp& warp, Path& path, uint64_t budget);  // the same, adding to the work
  enum class Noting { Nothing, Executed, Counts };  // what the run loop does besides
  template <Noting noting> Stop interpret(BlockRun& block, Warp& warp, Path& path, uint64_t budget);

  // Memory (AccessMemory.cpp)
  void load(BlockRun& b, Warp& w, const Instr& i, uint32_t pc, uint32_t mask);
  void store(BlockRun& b, Warp& w, const Instr& i, uint32_t pc, uint32_t mask);
  void atomic(BlockRun& b, Warp& w, const Instr& i, uint32_t pc, uint32_t mask);
  void addresses(Warp& w, const Instr& i, uint64_t* out);
  // Accesses of all lanes in rows or at one place (RegularMemory.cpp); false: to be done lane by lane,
  // nothing was changed.
  bool moveRegular(BlockRun& b, Warp& w, const Instr& i, uint32_t pc, AccessKind kind);
  bool findShape(Warp& w, const Instr& i, RegularAccess& r);
  // Local memory (LocalMemory.cpp); false as above.
  bool moveLocal(Warp& w, const Instr& i, AccessKind kind, uint64_t at, uint32_t mask);
  bool moveLocalOfSome(Warp& w, const Instr& i, AccessKind kind, uint32_t mask);
  void forgetLocal(Warp& w, uint32_t from, uint32_t bytes, uint32_t mask);  // it has no value any more
  void forgetInFrames(Warp& w, uint32_t from, uint32_t bytes,
                      uint32_t mask);  // counted from that of each lane
  struct Resolved {
    MemorySpace space;
    uint32_t mask = 0;  // lanes that may go ahead
    uint8_t* host[warpLanes];
    uint64_t address[warpLanes];  // device address or offset
    Buffer* buffer[warpLanes];
    Buffer* one = nullptr;  // global: that of all lanes, where known
  };
  void resolve(BlockRun& b, Warp& w, uint32_t pc, AccessKind kind, MemorySpace space, int root,
               unsigned bytes, unsigned align, uint32_t mask, const uint64_t* address, Resolved& r);
  void keepFewPages(Buffer& buffer);
  void resolveGlobal(BlockRun& b, Warp& w, uint32_t pc, AccessKind kind, int root, unsigned bytes,
                     unsigned align, Resolved& r);
  void resolveShared(BlockRun& b, Warp& w, uint32_t pc, AccessKind kind, int root, unsigned bytes,
                     unsigned align, Resolved& r);
  void resolveLocal(BlockRun& b, Warp& w, uint32_t pc, AccessKind kind, int root, unsigned bytes,
                    unsigned align, Resolved& r);
  void observe(BlockRun& b, Warp& w, uint32_t pc, AccessKind kind, CacheHint hint, unsigned bytes,
               const uint8_t* data, Resolved& r);
  void loadFrom(Warp& w, const Instr& i, const Resolved& r);
  void storeTo(Warp& w, const Instr& i, const Resolved& r, const uint8_t* data);
  template <class F> void forEachSpace(const Instr& i, uint32_t mask, uint64_t* address, F&& fn);
  void copyBytes(BlockRun& b, Warp& w, const CallSite& site, uint32_t pc, uint32_t mask);

  // Meeting points (Synchronize.cpp)
  bool exchange(BlockRun& b, Warp& w, Path& p, const Instr& i);  // false: must wait for other lanes
  bool warpSync(BlockRun& b, Warp& w, Path& p, const Instr& i);
  bool releaseWarpSyncs(Warp& w);
  void arriveAtBarrier(BlockRun& b, Warp& w, Path& p);
  void releaseBarrier(BlockRun& b);
  void vote(BlockRun& b, const CallSite& site);
  void deadlock(BlockRun& b);

  // Calls of subroutines (CallStack.cpp); false: the stack of a thread is full, and the launch ends.
  bool enterSubroutine(BlockRun& b, Warp& w, uint32_t pc, uint32_t mask);
  void leaveSubroutine(Warp& w, const SubroutineCall& call, uint32_t mask);

  void callMachine(BlockRun& b, Warp& w, const Instr& i, uint32_t pc, uint32_t mask);
  void heapCall(BlockRun& b, Warp& w, const CallSite& site, uint32_t pc, uint32_t mask);
  void print(BlockRun& b, Warp& w, const Instr& i, uint32_t pc, uint32_t mask);
  void fault(FindingKind kind, const BlockRun& b, const Warp& w, uint32_t pc, uint32_t lanes,
             std::string message);
  bool maySpoil(
      Buffer& buffer);  // a write to a buffer that was not to change; false: the launch ends and starts again
  void outOfBounds(FindingKind kind, const BlockRun& b, const Warp& w, uint32_t pc, unsigned lane,
                   AccessKind access, const Findings::Where& where,
                   const std::function<std::string()>& message);

  template <class T> T* reg(Warp& w, Reg r) {
    uint8_t* bank = r & uniformBank ? launch.uniforms.data() : w.registers;
    return reinterpret_cast<T*>(bank + size_t(r & ~uniformBank) * (warpLanes * 4));
  }

  LaunchState& launch;
  const Program& program;
  Buffer* lastBuffer = nullptr;
  uint64_t scattered = 0;         // lanes of accesses done one by one
  uint64_t remade = 0;            // pages of arrays without an end that were given up, to be made again
  std::vector<uint8_t> executed;  // by instruction
};

// A byte of memory as a thread sees it; null where there is none.
using ByteAt = std::function<const uint8_t*(uint64_t address)>;

// Text of one thread's printf; vectors as OpenCL's %v4f. `isCutOff` becomes true where a string runs out of
// its memory.
std::string formatPrintf(const std::string& format, const std::vector<Scalar>& types,
                         const std::vector<uint64_t>& bits, const ByteAt& byteAt, bool& isCutOff);

}  // namespace hone::sim
