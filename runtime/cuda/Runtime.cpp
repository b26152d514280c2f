#include "Runtime.h"

#include <malloc.h>
#include <signal.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "LastWords.h"
#include "ir/CountOf.h"
#include "ir/Error.h"
#include "sim/count/Profile.h"
#include "sim/model/EstimateRegisters.h"
#include "sim/model/TimeModel.h"

// Of OpenACC's runtime, which programs of `hone acc` are linked with and no others.
extern "C" int hone_acc_region(void) __attribute__((weak));

namespace hone::cuda {

namespace {

constexpr uint64_t deviceBegin = uint64_t(1) << 40, deviceBytes = uint64_t(1) << 40;

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

// What raises the limit on the time of a launch, for whoever runs this program.
const char* limitWord() { return hone_acc_region ? "HONE_RUN_MAX_SECONDS" : "--max-seconds"; }

uint64_t faultingInstruction(const void* context) {
#if defined(__aarch64__)
  return static_cast<const ucontext_t*>(context)->uc_mcontext.pc;
#elif defined(__x86_64__)
  return uint64_t(static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_RIP]);
#else
  (void)context;
  return 0;
#endif
}

void onFault(int signal, siginfo_t* info, void* context) {
  const uint64_t address = reinterpret_cast<uint64_t>(info->si_addr);
  if (Runtime::get().hostFault(address, faultingInstruction(context))) return;
  sayLastWords();
  ::signal(signal, SIG_DFL);
  raise(signal);
}

std::set<std::string> split(const std::string& list) {
  std::set<std::string> out;
  size_t at = 0;
  while (at < list.size()) {
    size_t end = list.find(',', at);
    if (end == std::string::npos) end = list.size();
    if (end > at) out.insert(list.substr(at, end - at));
    at = end + 1;
  }
  return out;
}

}  // namespace

Runtime& Runtime::get() {
  static Runtime* const only = new Runtime;  // never destroyed: programs call us from their last destructors
  return *only;
}

Runtime::Runtime() {
  // Memory the program gets from malloc holds zeros, as it mostly does in a young process, whatever we used
  // before.
  mallopt(M_PERTURB, 0xff);
  settings.fast = environment("HONE_RUN_FAST") == "1";
  settings.leaks = environment("HONE_RUN_LEAKS") == "1";
  settings.quiet = environment("HONE_RUN_QUIET") == "1";
  settings.json = environment("HONE_RUN_JSON");
  settings.profile = environment("HONE_RUN_PROFILE");
  settings.failOn = split(std::getenv("HONE_RUN_FAIL_ON") ? environment("HONE_RUN_FAIL_ON") : "any");
  if (const std::string seed = environment("HONE_RUN_RANDOM"); !seed.empty())
    settings.schedule = {true, std::strtoull(seed.c_str(), nullptr, 10)};
  if (const std::string steps = environment("HONE_RUN_MAX_STEPS"); !steps.empty())
    settings.maxSteps = std::strtoull(steps.c_str(), nullptr, 10);
  if (const std::string seconds = environment("HONE_RUN_MAX_SECONDS"); !seconds.empty())
    settings.maxSeconds = std::strtod(seconds.c_str(), nullptr);
  try {
    const std::string name = environment("HONE_RUN_TARGET");
    target = target::findTarget(target::loadTargets(target::targetsFolder()), name.empty() ? "h200" : name);
  } catch (const Error& e) {
    stop(e.what());
  }
  // Addresses of the device are nobody's on the host: touching them faults, and the fault can be told from
  // others.
  mmap(reinterpret_cast<void*>(deviceBegin), deviceBytes, PROT_NONE,
       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  struct sigaction action{};
  action.sa_sigaction = onFault;
  action.sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK;
  sigaction(SIGSEGV, &action, nullptr);
  sigaction(SIGBUS, &action, nullptr);
  process = getpid();
  watchEndings();
  device.memory.describeHost = [](uint64_t address) -> std::string {
    if (address - deviceBegin < deviceBytes) return "of the device, beyond all that was allocated there";
    const uint64_t page = uint64_t(sysconf(_SC_PAGESIZE));
    unsigned char resident;
    if (mincore(reinterpret_cast<void*>(address / page * page), page, &resident) == 0)
      return !isOpenAcc() ? "memory of the host: was it meant to be copied with cudaMemcpy?"
             : get().absent.empty()
                 ? "memory of the host: name the data in a clause, as copy(p[0:n]), or bring it with enter "
                   "data"
                 : fmt::format(
                       "memory of the host; the device does not have what {} here: name it in a "
                       "clause, as copy(p[0:n]), or bring it with enter data",
                       get().absent);
    return "";
  };
  openCapture();
  std::atexit([] {
    Runtime& r = get();
    if (r.finished) return;
    std::fflush(stdout);
    const int status = r.finish(0);
    if (status) _exit(status);
  });
}

bool Runtime::isOpenAcc() { return hone_acc_region != nullptr; }
thread_local std::string Runtime::absentPointers;

// For OpenACC's runtime, before it launches kernels of a region and, with "", behind them.
extern "C" void hone_absent_pointers(const char* words) { Runtime::absentPointers = words; }

void stop(const std::string& message) {
  std::fflush(stdout);
  std::fprintf(stderr, "hone: %s\n", message.c_str());
  sayLastWords();
  _exit(1);
}

namespace {

// Linked device code registers itself before all else, when there is no Runtime yet.
std::vector<const void*>& linkedData() {
  static std::vector<const void*> list;
  return list;
}

std::map<const void*, Symbol>& sharedNames() {
  static std::map<const void*, Symbol> names;
  return names;
}

const sim::Bundle* findLinked(const std::string& id) {
  static const std::vector<sim::Bundle> all = [] {
    std::vector<sim::Bundle> out;
    for (const void* data : linkedData())
      for (sim::Bundle& b : sim::readLinkedBundles(static_cast<const uint8_t*>(data)))
        out.push_back(std::move(b));
    return out;
  }();
  for (const sim::Bundle& b : all)
    if (!id.empty() && b.link.id == id) return &b;
  return nullptr;
}

}  // namespace

extern "C" void hone_register_linked(const void* data) { linkedData().push_back(data); }
// The variable by which files name one of the device that another file defines.
extern "C" void hone_register_shared(const char* name, const void* host, unsigned long size, int isConstant) {
  sharedNames()[host] = Symbol{std::string("#") + name, size, isConstant != 0, 0};
}

unsigned Runtime::addBundle(const void* data) {
  const unsigned index = unsigned(bundles.size());
  try {
    bundles.push_back(sim::readBundle(static_cast<const uint8_t*>(data)));
    if (const sim::Bundle* linked = findLinked(bundles.back().link.id)) bundles.back() = *linked;
    symbols.merge(sharedNames());
  } catch (const Error& e) {
    stop(e.what());
  }
  return index;
}

void Runtime::addKernel(unsigned bundle, const void* host, const char* linkageName) {
  auto entry = std::make_unique<KernelEntry>();
  entry->bundle = bundle;
  entry->bundled.linkageName = linkageName;
  entry->bundled.reason = "the front end did not see it";
  if (!bundles[bundle].link.id.empty() && bundles[bundle].kernels.empty())
    entry->bundled.reason =
        "its device code was never linked; hone build links it, with -dlink or the program";
  entry->bundled.file = bundles[bundle].source;
  for (const sim::BundledKernel& k : bundles[bundle].kernels)
    if (k.linkageName == linkageName) entry->bundled = k;
  kernels[host] = entry.get();
  entries.push_back(std::move(entry));
}

const sim::Program& Runtime::program(KernelEntry& kernel) {
  if (!kernel.program) {
    try {
      kernel.program = std::make_unique<sim::Program>(sim::read(kernel.bundled.program));
    } catch (const Error& e) {
      stop(e.what());
    }
    kernel.program->isOpenAcc = isOpenAcc();
    for (sim::GlobalVariable& g : kernel.program->globals) g.key = keyOf(kernel.bundle, g.key);
  }
  return *kernel.program;
}

std::string Runtime::keyOf(unsigned bundle, const std::string& linkageName) const {
  const std::vector<std::string>& shared = bundles[bundle].sharedByName;
  const bool isShared = std::find(shared.begin(), shared.end(), linkageName) != shared.end();
  return (isShared ? "" : std::to_string(bundle)) + "#" + linkageName;
}

void Runtime::findVariable(const std::string& key) {
  // Its first value and kind are with the kernels that use it.
  if (variables.contains(key)) return;
  for (const auto& entry : entries)
    if (entry->bundled.reason.empty() &&
        (key.starts_with("#") || key.starts_with(std::to_string(entry->bundle) + "#")))
      for (const sim::GlobalVariable& g : program(*entry).globals)
        if (g.key == key) variables[key] = g;
}

bool Runtime::hasKernel(unsigned bundle, const std::string& linkageName) const {
  const std::vector<sim::BundledKernel>& all = bundles[bundle].kernels;
  return std::any_of(all.begin(), all.end(),
                     [&](const sim::BundledKernel& k) { return k.linkageName == linkageName; });
}

const sim::GlobalVariable* Runtime::variableOf(unsigned bundle, const std::string& linkageName) {
  const std::string key = keyOf(bundle, linkageName);
  // A module's kernels make themselves known when they are asked for; a variable may be asked for first.
  if (!variables.contains(key))
    for (const sim::BundledKernel& k : bundles[bundle].kernels)
      if (k.reason.empty())
        for (sim::GlobalVariable& g : sim::read(k.program).globals)
          if (g.key == linkageName) {
            g.key = key;
            variables[key] = g;
          }
  const auto known = variables.find(key);
  return known == variables.end() ? nullptr : &known->second;
}

void Runtime::addSymbol(unsigned bundle, void* host, const char* linkageName, size_t size, bool isConstant) {
  Symbol symbol{keyOf(bundle, linkageName), size, isConstant, 0};
  findVariable(symbol.key);
  auto it = variables.find(symbol.key);
  if (it != variables.end() && it->second.isManaged) {
    if (!it->second.init.empty())
      std::memcpy(host, it->second.init.data(), std::min(size, it->second.init.size()));
    device.memory.adopt(host, size, it->second.name, true, it->second.elementBytes);
    symbol.address = reinterpret_cast<uint64_t>(host);
    device.placeGlobal(it->second, symbol.address);
  }
  symbols[host] = symbol;
}

uint64_t Runtime::addressOf(Symbol& symbol) {
  if (symbol.address) return symbol.address;
  findVariable(symbol.key);  // files that registered later may have the kernels
  auto it = variables.find(symbol.key);
  sim::GlobalVariable v;
  if (it != variables.end()) {
    v = it->second;
  } else {
    v.key = symbol.key;
    v.name = symbol.key.substr(symbol.key.find('#') + 1);
    v.size = symbol.size;
    v.align = 256;
    v.isConstant = symbol.isConstant;
  }
  return symbol.address = device.globalVariable(v);
}

KernelEntry* Runtime::find(const void* host) {
  auto it = kernels.find(host);
  return it == kernels.end() ? nullptr : it->second;
}

sim::Buffer* Runtime::deviceBuffer(const void* pointer) {
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  sim::Buffer* b = device.memory.find(address);
  return b && address >= b->base && address - b->base < std::max<uint64_t>(1, b->size) ? b : nullptr;
}

uint8_t* Runtime::resolve(const void* pointer, size_t bytes, bool writes, cudaError_t& status,
                          const char* what) {
  const uint64_t address = reinterpret_cast<uint64_t>(pointer);
  sim::Buffer* b = deviceBuffer(pointer);
  const bool isDevice = address >= deviceBegin && address < deviceBegin + deviceBytes;
  if (!b && !isDevice) return static_cast<uint8_t*>(const_cast<void*>(pointer));
  if (b && b->isHost) return b->data + (address - b->base);
  if (!b || b->size - (address - b->base) < bytes) {
    sim::Finding f;
    f.kind = b ? sim::FindingKind::OutOfBounds : sim::FindingKind::WildPointer;
    f.party = callerPlace();
    f.party.writes = writes;
    if (b) {
      f.array = b->name;
      f.message =
          fmt::format("{} of {} at byte {} of {}, which has {}", what, hone::ir::countOf(bytes, "byte"),
                      address - b->base, b->name, hone::ir::countOf(b->size, "byte"));
    } else {
      const std::string stray = device.memory.describeStray(address);
      f.message =
          fmt::format("{} of {} at device address {:#x}, which is in no buffer{}", what,
                      hone::ir::countOf(bytes, "byte"), address, stray.empty() ? "" : " (" + stray + ")");
    }
    report(std::move(f));
    status = cudaErrorInvalidValue;
    return nullptr;
  }
  if (writes) device.memory.markInitialized(address, bytes);
  return b->data + (address - b->base);
}

target::Occupancy Runtime::occupancy(const sim::Program& p, unsigned threads, size_t shared) const {
  return target::occupancyOf(target,
                             {threads, sim::estimateRegisters(p, target), unsigned(p.staticShared + shared)});
}

size_t Runtime::mostDynamicShared(const KernelEntry& kernel, const sim::Program& p) const {
  if (kernel.mostDynamicShared) return kernel.mostDynamicShared;
  return target.sharedPerBlock - std::min<size_t>(target.sharedPerBlock, p.staticShared);
}

uint64_t Runtime::allocatedBytes() const {
  uint64_t bytes = 0;
  for (const auto& [base, b] : device.memory.buffers())
    if (!b->isHost) bytes += b->size;
  return bytes;
}

cudaError_t Runtime::launch(const void* host, dim3 grid, dim3 block, void** args, size_t shared,
                            bool cooperative) {
  KernelEntry* entry = find(host);
  if (!entry) return cudaErrorInvalidDeviceFunction;
  if (!entry->bundled.reason.empty())
    stop(fmt::format("kernel {} cannot run on the embedded device: {}:{}: {}",
                     entry->bundled.name.empty() ? entry->bundled.linkageName : entry->bundled.name,
                     entry->bundled.file, entry->bundled.line, entry->bundled.reason));
  const sim::Program& p = program(*entry);
  sim::LaunchConfig config;
  config.grid = {grid.x, grid.y, grid.z};
  config.block = {block.x, block.y, block.z};
  config.dynamicShared = uint32_t(shared);
  config.cooperative = cooperative;
  const uint64_t threads = uint64_t(block.x) * block.y * block.z;
  if (threads == 0 || threads > target.threadsPerBlock || uint64_t(grid.x) * grid.y * grid.z == 0)
    return cudaErrorInvalidConfiguration;
  for (int d = 0; d < 3; ++d)
    if (config.block[size_t(d)] > target.maxBlock[size_t(d)] ||
        config.grid[size_t(d)] > target.maxGrid[size_t(d)])
      return cudaErrorInvalidConfiguration;
  if (p.maxThreads && threads > p.maxThreads) return cudaErrorInvalidValue;
  if (p.staticShared > target.sharedPerBlock) {
    sim::Finding f;
    f.kind = sim::FindingKind::SharedTooLarge;
    f.kernel = entry->bundled.name;
    for (const sim::Location& at : p.locations)
      if (at.line && f.party.line == 0) f.party.file = p.file(at), f.party.line = at.line;
    f.message = fmt::format(
        "{} bytes of static shared memory; {} takes {}, and nvcc refuses the kernel; more has to be dynamic",
        p.staticShared, target.title, target.sharedPerBlock);
    report(std::move(f));
    return cudaErrorInvalidValue;
  }
  if (shared > mostDynamicShared(*entry, p)) return cudaErrorInvalidValue;
  if (p.usesGridSync && !cooperative) return cudaErrorLaunchFailure;
  config.arguments.resize(p.argumentBytes);
  for (size_t k = 0; k < p.parameters.size(); ++k)
    if (p.parameters[k].size)
      std::memcpy(config.arguments.data() + p.parameters[k].offset, args[k], p.parameters[k].size);
  synchronizeGuards();
  sim::RunOptions options;
  options.checkRaces = options.checkUninitialized = !settings.fast;
  options.schedule = settings.schedule;
  if (settings.maxSteps) options.stepLimit = settings.maxSteps;
  uint64_t total = 0;
  for (const auto& [base, b] : device.memory.buffers()) total += b->size;
  options.rerunInOrder = !settings.fast && total < (uint64_t(64) << 20);
  options.stepOnRace = options.rerunInOrder;
  options.print = [](const std::string& text) { std::fwrite(text.data(), 1, text.size(), stdout); };
  lastKernel = entry->bundled.name;
  absent = absentPointers;
  sim::RunResult run;
  const target::Occupancy held = occupancy(p, unsigned(threads), shared);
  sim::Profiling profiling;
  if (!settings.profile.empty()) {
    profiling.target = &target;
    profiling.options.exact = true;  // every block: its results are needed
    profiling.residentBlocks = std::max(1u, held.blocks);
    options.profiling = &profiling;
  }
  const uint32_t number = record(*entry, p, config);
  const LaunchWatch::Turn turn(watch, entry->bundled.name, settings.maxSeconds, limitWord(), settings.quiet);
  options.cancel = watch.expired();
  options.canceled = LaunchWatch::reason(settings.maxSeconds, limitWord());
  try {
    run = device.run(p, config, options);
  } catch (const Error& e) {
    stop(e.what());
  }
  const double rate =
      double(target.multiprocessors) * 4 * target.clockGHz * 1e6;  // warp instructions a millisecond
  double milliseconds = 0.002 + double(run.warpInstructions) / std::max(1.0, rate);
  if (options.profiling && held.blocks > 0) {
    const sim::TimeEstimate time = sim::estimateTime(profiling.counters, p, target, held);
    milliseconds = time.seconds * 1e3;
    entry->limiters[sim::str(time.limiter)] += milliseconds;
    entry->memory.add(profiling.counters.total());
    entry->barriers += profiling.counters.barriers;
    for (const sim::InstructionCount& c : profiling.counters.instructions) {
      entry->warpInstructions += c.warps;
      entry->laneInstructions += c.lanes;
    }
  }
  clock += milliseconds;
  entry->launches++;
  entry->milliseconds += milliseconds;
  recorder.addTime(number, milliseconds * 1e3);
  cudaError_t status = cudaSuccess;
  for (const sim::Finding& f : run.findings) {
    switch (f.kind) {
      case sim::FindingKind::NullPointer:
      case sim::FindingKind::WildPointer: sticky = cudaErrorIllegalAddress; break;
      case sim::FindingKind::Misaligned: sticky = cudaErrorMisalignedAddress; break;
      case sim::FindingKind::AssertFailed: sticky = cudaErrorAssert; break;
      case sim::FindingKind::BadCall:
      case sim::FindingKind::StackOverflow:
      case sim::FindingKind::Trap: sticky = cudaErrorLaunchFailure; break;
      case sim::FindingKind::StepLimit:
      case sim::FindingKind::Deadlock: sticky = cudaErrorLaunchTimeout; break;
      default: break;
    }
  }
  report(std::move(run.findings));
  for (const auto& [base, b] : device.memory.buffers())
    if (b->written) sim::Memory::endMapIfFull(*b);
  if (p.usesSystemScope) {  // host and kernel may meet in this memory while the kernel runs
    for (const auto& [base, b] : device.memory.buffers()) b->written = false;
  } else {
    guardWritten();
  }
  return status;
}

}  // namespace hone::cuda
