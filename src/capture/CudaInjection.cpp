// Loaded into a CUDA program by the driver (CUDA_INJECTION64_PATH): records its launches in the file that
// HONE_CAPTURE names. Built by g++ where cupti.h is (src/worker/CMakeLists.txt); needs nothing else of hone
// than the Recorder.
#include <cuda.h>
#include <cupti.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "capture/Recorder.h"

namespace {

using hone::capture::RecordedLaunch;
using hone::capture::RecordedPointer;
using hone::capture::Recorder;

#if CUPTI_API_VERSION >= 130000
using KernelRecord = CUpti_ActivityKernel10;
#else
using KernelRecord = CUpti_ActivityKernel9;
#endif

// Of the driver, which the program has loaded.
struct Driver {
  decltype(&cuFuncGetParamInfo) funcGetParamInfo = nullptr;
  decltype(&cuKernelGetParamInfo) kernelGetParamInfo = nullptr;
  decltype(&cuFuncGetName) funcGetName = nullptr;
  decltype(&cuKernelGetName) kernelGetName = nullptr;
  decltype(&cuPointerGetAttribute) pointerGetAttribute = nullptr;
  decltype(&cuStreamIsCapturing) streamIsCapturing = nullptr;
  decltype(&cuDeviceGetName) deviceGetName = nullptr;

  Driver() {
    void* library = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
    if (!library) library = dlopen("libcuda.so.1", RTLD_LAZY);
    if (!library) return;
    find(library, "cuFuncGetParamInfo", funcGetParamInfo);
    find(library, "cuKernelGetParamInfo", kernelGetParamInfo);
    find(library, "cuFuncGetName", funcGetName);
    find(library, "cuKernelGetName", kernelGetName);
    find(library, "cuPointerGetAttribute", pointerGetAttribute);
    find(library, "cuStreamIsCapturing", streamIsCapturing);
    find(library, "cuDeviceGetName", deviceGetName);
  }

 private:
  template <typename Function>
  static void find(void* library, const char* name, Function& out) {
    out = reinterpret_cast<Function>(dlsym(library, name));
  }
};

struct Range {
  uint64_t begin = 0, bytes = 0;
  bool isPool = false, isManaged = false;
};

struct Parameters {
  bool isKnown = false;
  std::vector<std::pair<uint32_t, uint32_t>> places;
  uint32_t bytes = 0;
};

// What a launch hands over, to be told from the next one without looking further.
struct Recent {
  std::vector<uint8_t> raw;
  uint32_t number = 0;
};

struct Function {
  Parameters parameters;
  std::vector<Recent> recent;
  size_t next = 0;
  uint64_t frees = 0;  // when `recent` was right
};

constexpr size_t mostRecent = 16;

struct LaunchCall {
  CUfunction function = nullptr;
  std::array<unsigned, 3> grid{}, block{};
  unsigned shared = 0;
  CUstream stream = nullptr;
  void** parameters = nullptr;
  void** extra = nullptr;
  bool isCooperative = false, isNode = false;
  const char* name = nullptr;
  CUcontext context = nullptr;
};

class Injection {
 public:
  static Injection& get() {
    static Injection* const only = new Injection;  // outlives whatever the program does at its end
    return *only;
  }

  bool start();
  void launch(const LaunchCall& call, uint32_t correlation);
  void freed() {
    const std::lock_guard lock(mutex);
    ++frees;
    ranges.clear();
  }
  void copiedToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset);
  void ran(const KernelRecord& record);
  void finish();
  Recorder recorder;

 private:
  const Parameters& parametersOf(Function& function, CUfunction handle);
  std::string nameOf(const LaunchCall& call) const;
  const Range* rangeOf(uint64_t address);
  bool gather(const LaunchCall& call, const Parameters& parameters, std::vector<uint8_t>& bytes) const;
  std::string symbolName(const void* symbol);

  std::mutex mutex;
  Driver driver;
  CUpti_SubscriberHandle subscriber = nullptr;
  std::map<CUfunction, Function> functions;
  std::map<uint64_t, Range> ranges;                 // by address asked for; nothing freed since
  std::unordered_map<uint32_t, uint32_t> launched;  // correlation: number
  std::map<std::string, uint32_t> nodes;            // in graphs: name, grid and block: number
  std::map<CUstream, unsigned> streams;
  std::map<uint64_t, std::string> hostSymbols;
  bool hasSymbols = false, isFinished = false, isDeviceTold = false;
  uint64_t frees = 0;
};

const Parameters& Injection::parametersOf(Function& function, CUfunction handle) {
  Parameters& p = function.parameters;
  if (p.isKnown) return p;
  p.isKnown = true;
  for (size_t i = 0; i < 4096; ++i) {
    size_t offset = 0, size = 0;
    CUresult status =
        driver.funcGetParamInfo ? driver.funcGetParamInfo(handle, i, &offset, &size) : CUDA_ERROR_NOT_FOUND;
    if (status != CUDA_SUCCESS && driver.kernelGetParamInfo)
      status = driver.kernelGetParamInfo(reinterpret_cast<CUkernel>(handle), i, &offset, &size);
    if (status != CUDA_SUCCESS) break;
    p.places.emplace_back(static_cast<uint32_t>(offset), static_cast<uint32_t>(size));
    p.bytes = std::max(p.bytes, static_cast<uint32_t>(offset + size));
  }
  if (!driver.funcGetParamInfo)
    recorder.note("the driver is too old to tell the parameters of kernels (12.4 or newer is needed)");
  return p;
}

std::string Injection::nameOf(const LaunchCall& call) const {
  if (call.name && *call.name) return call.name;
  const char* name = nullptr;
  if (driver.funcGetName && driver.funcGetName(&name, call.function) == CUDA_SUCCESS && name) return name;
  if (driver.kernelGetName &&
      driver.kernelGetName(&name, reinterpret_cast<CUkernel>(call.function)) == CUDA_SUCCESS && name)
    return name;
  return "?";
}

bool Injection::gather(const LaunchCall& call, const Parameters& parameters,
                       std::vector<uint8_t>& bytes) const {
  bytes.assign(parameters.bytes, 0);
  if (call.parameters) {
    for (size_t i = 0; i < parameters.places.size(); ++i) {
      if (!call.parameters[i]) return false;
      std::memcpy(bytes.data() + parameters.places[i].first, call.parameters[i], parameters.places[i].second);
    }
    return true;
  }
  if (!call.extra) return parameters.places.empty();
  const void* buffer = nullptr;
  size_t size = 0;
  for (void** word = call.extra; *word != CU_LAUNCH_PARAM_END; word += 2) {
    if (*word == CU_LAUNCH_PARAM_BUFFER_POINTER) buffer = word[1];
    if (*word == CU_LAUNCH_PARAM_BUFFER_SIZE) size = *static_cast<const size_t*>(word[1]);
  }
  if (!buffer || size < parameters.bytes) return false;
  std::memcpy(bytes.data(), buffer, bytes.size());
  return true;
}

// The allocation that an address lies in.
const Range* Injection::rangeOf(uint64_t address) {
  if (address < 4096 || !driver.pointerGetAttribute) return nullptr;
  if (const auto known = ranges.find(address); known != ranges.end())
    return known->second.bytes ? &known->second : nullptr;
  Range range;
  CUdeviceptr begin = 0;
  size_t bytes = 0;
  if (driver.pointerGetAttribute(&begin, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address) == CUDA_SUCCESS &&
      driver.pointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, address) == CUDA_SUCCESS && begin &&
      begin <= address && address - begin <= bytes) {
    range.begin = begin;
    range.bytes = bytes;
    void* pool = nullptr;
    range.isPool =
        driver.pointerGetAttribute(&pool, CU_POINTER_ATTRIBUTE_MEMPOOL_HANDLE, address) == CUDA_SUCCESS &&
        pool;
    unsigned managed = 0;
    range.isManaged =
        driver.pointerGetAttribute(&managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address) == CUDA_SUCCESS &&
        managed;
  }
  // Words that are no addresses today may be some after the next allocation: they are not kept.
  if (!range.bytes) return nullptr;
  return &(ranges[address] = range);
}

void Injection::launch(const LaunchCall& call, uint32_t correlation) {
  const std::lock_guard lock(mutex);
  if (isFinished || !call.function) return;
  Function& function = functions[call.function];
  const Parameters& parameters = parametersOf(function, call.function);
  bool isNode = call.isNode;
  if (!isNode && driver.streamIsCapturing) {
    CUstreamCaptureStatus status = CU_STREAM_CAPTURE_STATUS_NONE;
    isNode = call.stream && driver.streamIsCapturing(call.stream, &status) == CUDA_SUCCESS &&
             status == CU_STREAM_CAPTURE_STATUS_ACTIVE;
  }
  std::vector<uint8_t> bytes;
  if (!gather(call, parameters, bytes)) {
    recorder.note("arguments of some launches could not be read");
    return;
  }
  std::vector<uint8_t> raw = bytes;
  const unsigned shape[] = {call.grid[0],  call.grid[1],  call.grid[2], call.block[0],
                            call.block[1], call.block[2], call.shared,  isNode ? 1u : 0u};
  raw.insert(raw.end(), reinterpret_cast<const uint8_t*>(shape),
             reinterpret_cast<const uint8_t*>(shape) + sizeof shape);
  if (function.frees != frees) {
    function.recent.clear();
    function.next = 0;
    function.frees = frees;
  }
  for (const Recent& recent : function.recent)
    if (recent.raw == raw && !isNode) {
      recorder.addTime(recent.number, 0, 1);
      launched[correlation] = recent.number;
      return;
    }
  if (char name[256] = {}; !isDeviceTold && driver.deviceGetName) {
    isDeviceTold = true;
    if (driver.deviceGetName(name, sizeof name, 0) == CUDA_SUCCESS) recorder.setDevice(name);
  }
  RecordedLaunch record;
  record.kernel = nameOf(call);
  record.grid = call.grid;
  record.block = call.block;
  record.shared = call.shared;
  record.isCooperative = call.isCooperative;
  record.isInGraph = isNode;
  uint32_t device = 0;
  if (call.context && cuptiGetDeviceId(call.context, &device) == CUPTI_SUCCESS)
    record.device = static_cast<int>(device);
  if (call.stream)
    record.stream = streams.emplace(call.stream, static_cast<unsigned>(streams.size()) + 1).first->second;
  record.parameters = parameters.places;
  for (const auto& [offset, size] : parameters.places)
    for (uint32_t at = (offset + 7) / 8 * 8; at + 8 <= offset + size; at += 8) {
      uint64_t word = 0;
      std::memcpy(&word, bytes.data() + at, sizeof word);
      if (const Range* range = rangeOf(word))
        record.pointers.push_back(
            {at, range->begin, range->bytes, word - range->begin, range->isPool, range->isManaged});
    }
  record.bytes = std::move(bytes);
  const uint32_t number = recorder.add(record, isNode ? 0 : 1);
  if (isNode) {
    char shapeText[96];
    std::snprintf(shapeText, sizeof shapeText, " %u %u %u %u %u %u", call.grid[0], call.grid[1], call.grid[2],
                  call.block[0], call.block[1], call.block[2]);
    nodes[record.kernel + shapeText] = number;
    return;
  }
  launched[correlation] = number;
  Recent recent{std::move(raw), number};
  if (function.recent.size() < mostRecent)
    function.recent.push_back(std::move(recent));
  else
    function.recent[function.next++ % mostRecent] = std::move(recent);
}

void Injection::ran(const KernelRecord& record) {
  const double microseconds = static_cast<double>(record.end - record.start) * 1e-3;
  const std::lock_guard lock(mutex);
  if (const auto known = launched.find(record.correlationId);
      known != launched.end() && !record.graphNodeId) {
    recorder.addTime(known->second, microseconds);
    launched.erase(known);
    return;
  }
  if (!record.name) return;
  char shape[96];
  std::snprintf(shape, sizeof shape, " %d %d %d %d %d %d", record.gridX, record.gridY, record.gridZ,
                record.blockX, record.blockY, record.blockZ);
  if (const auto node = nodes.find(record.name + std::string(shape)); node != nodes.end())
    recorder.addTime(node->second, microseconds, 1);
}

// Names of the program's own variables, which its table of symbols has unless it is stripped.
std::string Injection::symbolName(const void* symbol) {
  if (!hasSymbols) {
    hasSymbols = true;
    uint64_t bias = 0;
    dl_iterate_phdr(
        [](dl_phdr_info* info, size_t, void* out) {
          *static_cast<uint64_t*>(out) = info->dlpi_addr;
          return 1;  // the program itself comes first
        },
        &bias);
    std::ifstream in("/proc/self/exe", std::ios::binary);
    const std::string file((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
    Elf64_Ehdr head;
    if (file.size() < sizeof head) return "";
    std::memcpy(&head, file.data(), sizeof head);
    std::vector<Elf64_Shdr> sections(head.e_shnum);
    if (std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 ||
        head.e_shoff + sections.size() * sizeof(Elf64_Shdr) > file.size())
      return "";
    std::memcpy(sections.data(), file.data() + head.e_shoff, sections.size() * sizeof(Elf64_Shdr));
    for (const Elf64_Shdr& table : sections) {
      if (table.sh_type != SHT_SYMTAB || table.sh_link >= sections.size() ||
          table.sh_offset + table.sh_size > file.size())
        continue;
      const Elf64_Shdr& strings = sections[table.sh_link];
      for (uint64_t at = 0; at + sizeof(Elf64_Sym) <= table.sh_size; at += sizeof(Elf64_Sym)) {
        Elf64_Sym one;
        std::memcpy(&one, file.data() + table.sh_offset + at, sizeof one);
        if (ELF64_ST_TYPE(one.st_info) == STT_OBJECT && strings.sh_offset + one.st_name < file.size())
          hostSymbols[bias + one.st_value] = file.c_str() + strings.sh_offset + one.st_name;
      }
    }
  }
  const auto known = hostSymbols.find(reinterpret_cast<uint64_t>(symbol));
  return known == hostSymbols.end() ? "" : known->second;
}

void Injection::copiedToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset) {
  const std::lock_guard lock(mutex);
  const std::string name = symbolName(symbol);
  if (!name.empty() && from) recorder.setVariable(name, offset, static_cast<const uint8_t*>(from), bytes);
}

void CUPTIAPI onCall(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  const auto* call = static_cast<const CUpti_CallbackData*>(data);
  if (call->callbackSite != CUPTI_API_ENTER) return;
  Injection& injection = Injection::get();
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) {
    if (id == CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyToSymbol_v3020) {
      const auto* p = static_cast<const cudaMemcpyToSymbol_v3020_params*>(call->functionParams);
      if (p->kind == cudaMemcpyHostToDevice || p->kind == cudaMemcpyDefault)
        injection.copiedToSymbol(p->symbol, p->kind == cudaMemcpyHostToDevice ? p->src : nullptr, p->count,
                                 p->offset);
    }
    return;
  }
  LaunchCall out;
  out.name = call->symbolName;
  out.context = call->context;
  switch (id) {
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz: {
      const auto* p = static_cast<const cuLaunchKernel_params*>(call->functionParams);
      out.function = p->f;
      out.grid = {p->gridDimX, p->gridDimY, p->gridDimZ};
      out.block = {p->blockDimX, p->blockDimY, p->blockDimZ};
      out.shared = p->sharedMemBytes;
      out.stream = p->hStream;
      out.parameters = p->kernelParams;
      out.extra = p->extra;
      break;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz: {
      const auto* p = static_cast<const cuLaunchCooperativeKernel_params*>(call->functionParams);
      out.function = p->f;
      out.grid = {p->gridDimX, p->gridDimY, p->gridDimZ};
      out.block = {p->blockDimX, p->blockDimY, p->blockDimZ};
      out.shared = p->sharedMemBytes;
      out.stream = p->hStream;
      out.parameters = p->kernelParams;
      out.isCooperative = true;
      break;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx:
    case CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz: {
      const auto* p = static_cast<const cuLaunchKernelEx_params*>(call->functionParams);
      if (!p->config) return;
      const CUlaunchConfig& c = *p->config;
      out.function = p->f;
      out.grid = {c.gridDimX, c.gridDimY, c.gridDimZ};
      out.block = {c.blockDimX, c.blockDimY, c.blockDimZ};
      out.shared = c.sharedMemBytes;
      out.stream = c.hStream;
      out.parameters = p->kernelParams;
      out.extra = p->extra;
      for (unsigned i = 0; i < c.numAttrs; ++i)
        if (c.attrs[i].id == CU_LAUNCH_ATTRIBUTE_COOPERATIVE)
          out.isCooperative = c.attrs[i].value.cooperative != 0;
      break;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuGraphAddKernelNode_v2: {
      const auto* p = static_cast<const cuGraphAddKernelNode_v2_params*>(call->functionParams);
      if (!p->nodeParams) return;
      const CUDA_KERNEL_NODE_PARAMS& n = *p->nodeParams;
      out.function = n.func ? n.func : reinterpret_cast<CUfunction>(n.kern);
      out.grid = {n.gridDimX, n.gridDimY, n.gridDimZ};
      out.block = {n.blockDimX, n.blockDimY, n.blockDimZ};
      out.shared = n.sharedMemBytes;
      out.parameters = n.kernelParams;
      out.extra = n.extra;
      out.isNode = true;
      break;
    }
    case CUPTI_DRIVER_TRACE_CBID_cuMemFree_v2:
    case CUPTI_DRIVER_TRACE_CBID_cuMemFreeAsync:
    case CUPTI_DRIVER_TRACE_CBID_cuMemFreeAsync_ptsz: injection.freed(); return;
    default: return;
  }
  injection.launch(out, call->correlationId);
}

void CUPTIAPI giveBuffer(uint8_t** buffer, size_t* size, size_t* most) {
  *size = 4 << 20;
  *buffer = static_cast<uint8_t*>(std::aligned_alloc(8, *size));
  if (!*buffer) *size = 0;
  *most = 0;
}

void CUPTIAPI takeBuffer(CUcontext, uint32_t, uint8_t* buffer, size_t, size_t valid) {
  CUpti_Activity* record = nullptr;
  while (valid && cuptiActivityGetNextRecord(buffer, valid, &record) == CUPTI_SUCCESS)
    if (record->kind == CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL)
      Injection::get().ran(*reinterpret_cast<const KernelRecord*>(record));
  std::free(buffer);
}

std::string commandLine() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::string out, word;
  for (char c; in.get(c);) {
    if (c) {
      word += c;
      continue;
    }
    out += (out.empty() ? "" : ",") + hone::capture::quoted(word);
    word.clear();
  }
  return "[" + out + "]";
}

bool Injection::start() {
  const char* path = std::getenv("HONE_CAPTURE");
  if (!path || !*path) return false;
  if (!recorder.open(path, {{"by", "\"cupti\""}, {"command", commandLine()}})) {
    std::fprintf(stderr, "hone capture: cannot write %s\n", path);
    return false;
  }
  if (cuptiSubscribe(&subscriber, onCall, nullptr) != CUPTI_SUCCESS) {
    recorder.note("another tool holds CUPTI's callbacks (a profiler?): nothing was recorded");
    return false;
  }
  for (const CUpti_CallbackId id :
       {CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernel_ptsz,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchCooperativeKernel_ptsz, CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx,
        CUPTI_DRIVER_TRACE_CBID_cuLaunchKernelEx_ptsz, CUPTI_DRIVER_TRACE_CBID_cuGraphAddKernelNode_v2,
        CUPTI_DRIVER_TRACE_CBID_cuMemFree_v2, CUPTI_DRIVER_TRACE_CBID_cuMemFreeAsync,
        CUPTI_DRIVER_TRACE_CBID_cuMemFreeAsync_ptsz})
    cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_DRIVER_API, id);
  cuptiEnableCallback(1, subscriber, CUPTI_CB_DOMAIN_RUNTIME_API,
                      CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyToSymbol_v3020);
  cuptiActivityRegisterCallbacks(giveBuffer, takeBuffer);
  if (cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS)
    recorder.note("the driver gives no times of kernels");
  std::atexit([] { get().finish(); });
  return true;
}

void Injection::finish() {
  cuptiActivityFlushAll(1);
  {
    const std::lock_guard lock(mutex);
    isFinished = true;
  }
  recorder.close();
}

}  // namespace

extern "C" __attribute__((visibility("default"))) int InitializeInjection() {
  Injection::get().start();
  return 1;
}
