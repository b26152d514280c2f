// CUDA's runtime on the embedded device: what a program built by `hone build` links in place of the vendor's.
#pragma once

#include <chrono>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include "LaunchWatch.h"
#include "capture/Recorder.h"
#include "hone_cuda.h"
#include "sim/bytecode/Bundle.h"
#include "sim/count/Counters.h"
#include "sim/execute/Run.h"
#include "target/Occupancy.h"
#include "target/Target.h"

// A CUDA array: texels in global memory, rows one after another.
struct cudaArray {
  cudaChannelFormatDesc format{};
  cudaExtent extent{};
  unsigned flags = 0;
  uint64_t address = 0;
  size_t pitch = 0;
  size_t texelBytes() const { return size_t(format.x + format.y + format.z + format.w) / 8; }
  size_t rows() const { return extent.height ? extent.height : 1; }
  size_t slices() const { return extent.depth ? extent.depth : 1; }
};

struct CUstream_st;
struct CUgraph_st {
  std::vector<std::function<cudaError_t()>> nodes;  // in an order that respects every dependency
  std::vector<uint64_t> allocations;                // addresses that nodes of it fill with memory
  CUstream_st* origin = nullptr;                    // the stream whose capture this is, and those that
  std::vector<CUstream_st*> joined;                 // came to it by events; empty when the capture is over
};

struct CUstream_st {
  unsigned flags = 0;
  int priority = 0;
  CUgraph_st* capture = nullptr;  // operations are recorded, not done
  unsigned number = 0;            // in the order they were made, from 1
};

struct CUevent_st {
  double time = -1;  // milliseconds on the device's clock, negative: not recorded
  unsigned flags = 0;
  const CUgraph_st* capture = nullptr;  // that it was recorded in; may be over
};

namespace hone::cuda {

struct Settings {     // from the environment, which `hone run` sets
  bool fast = false;  // no checks
  bool leaks = false;
  std::string json, profile;
  std::set<std::string> failOn;  // kinds of findings that make the exit status 1; "any": all, empty: none
  sim::Schedule schedule;
  uint64_t maxSteps = 0;
  double maxSeconds = 600;  // of one launch
  bool quiet = false;
};

struct KernelEntry {
  sim::BundledKernel bundled;
  std::unique_ptr<sim::Program> program;  // read when first launched
  unsigned bundle = 0;
  size_t mostDynamicShared = 0;  // what cudaFuncSetAttribute allowed; 0: as the target has it
  uint64_t launches = 0;
  double milliseconds = 0;
  // With --profile, over all launches:
  sim::MemoryCount memory;
  uint64_t warpInstructions = 0, laneInstructions = 0, barriers = 0;
  std::map<std::string, double> limiters;  // milliseconds by what limited them
};

struct Symbol {
  std::string key;
  size_t size = 0;
  bool isConstant = false;
  uint64_t address = 0;
};

class Runtime {
 public:
  static Runtime& get();

  sim::Device device;
  target::Target target;
  Settings settings;
  std::mutex mutex;                             // one call at a time, as far as results can tell
  std::map<const void*, KernelEntry*> kernels;  // by the address host code launches
  std::map<const void*, Symbol> symbols;        // by the host's shadow variable
  cudaError_t sticky = cudaSuccess;
  double clock = 0;  // milliseconds
  std::map<std::string, size_t> limits;

  unsigned addBundle(const void* data);
  // What makes a variable this one and no other; files that were linked share some.
  std::string keyOf(unsigned bundle, const std::string& linkageName) const;
  bool hasKernel(unsigned bundle, const std::string& linkageName) const;
  // A variable that kernels of a bundle use; null: none does.
  const sim::GlobalVariable* variableOf(unsigned bundle, const std::string& linkageName);
  void addKernel(unsigned bundle, const void* host, const char* linkageName);
  void addSymbol(unsigned bundle, void* host, const char* linkageName, size_t size, bool isConstant);
  // It is linked with the runtime of OpenACC.
  static bool isOpenAcc();
  // Names of what a region of this thread does not find on the device, said of host memory in its kernels.
  static thread_local std::string absentPointers;
  const sim::Program& program(KernelEntry& kernel);
  target::Occupancy occupancy(const sim::Program& program, unsigned threads, size_t shared) const;
  KernelEntry* find(const void* host);
  uint64_t addressOf(Symbol& symbol);
  // Bytes of shared memory that a launch may ask for beside the kernel's own.
  size_t mostDynamicShared(const KernelEntry& kernel, const sim::Program& program) const;
  uint64_t allocatedBytes() const;  // of the device

  cudaError_t launch(const void* host, dim3 grid, dim3 block, void** args, size_t shared, bool cooperative);

  // Device memory by address, null for host memory.
  sim::Buffer* deviceBuffer(const void* pointer);
  // The bytes behind a pointer of either side; checks that `bytes` fit where the runtime knows the size.
  uint8_t* resolve(const void* pointer, size_t bytes, bool writes, cudaError_t& status, const char* what);

  void report(sim::Finding finding);
  void report(std::vector<sim::Finding> found);
  void synchronize();  // the program waited: the host may look at everything again
  void synchronizeGuards();
  void guardWritten();  // the host may not look at what the kernel wrote until it waits
  void guard(sim::Buffer& buffer);
  bool hostFault(uint64_t address, uint64_t pc);  // true: may go on
  int finish(int status);                         // prints what was found; gives the exit status
  bool finished = false;

  // Capture.cpp
  void recordVariable(const Symbol& symbol, const void* from, size_t bytes, size_t offset);
  unsigned streamOfLaunch = 0, streams = 0;
  std::set<CUgraph_st*> captures;  // that go on
  bool isGraphRunning = false;

 private:
  Runtime();
  std::vector<std::unique_ptr<KernelEntry>> entries;
  std::vector<sim::Bundle> bundles;
  std::map<std::string, sim::GlobalVariable> variables;  // by key
  void findVariable(const std::string& key);
  std::vector<sim::Finding> findings;
  int process = 0;  // whose findings they are
  void add(sim::Finding finding);
  bool hasFailed() const;  // the exit status is to say so
  std::string textOfFindings() const;
  std::string jsonOfFindings() const;
  struct Guarded {
    uint8_t* first;
    size_t bytes;
    std::string what;
  };
  std::vector<Guarded> guarded;
  std::string lastKernel;
  std::string absent;  // of the launch that goes on
  LaunchWatch watch;
  capture::Recorder recorder;
  void openCapture();  // where the user asks for one
  uint32_t record(const KernelEntry& kernel, const sim::Program& program, const sim::LaunchConfig& config);
};

// Gives the status a call returns, and remembers it as the last error.
cudaError_t result(cudaError_t status);
sim::Party placeOf(uint64_t pc);
// The place in the program's own code that called the runtime.
sim::Party callerPlace();
[[noreturn]] void stop(const std::string& message);

// GraphMemory.cpp: memory that has its address when a graph is made and is there when its node has run.
cudaError_t addGraphAllocation(CUgraph_st& graph, size_t bytes, void** address);
void addGraphFree(CUgraph_st& graph, void* address);
// Before a graph runs: what it allocated in its last run must be free, or is freed.
cudaError_t prepareGraphMemory(const CUgraph_st& graph, bool freesItself);

// A launch to be done later, with copies of its arguments.
std::function<cudaError_t()> recorded(const void* fn, dim3 grid, dim3 block, void** args, size_t shared,
                                      bool cooperative);

}  // namespace hone::cuda
