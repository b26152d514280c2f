// Loaded into a CUDA program by the driver (CUDA_INJECTION64_PATH): records its launches in the file that
// HONE_CAPTURE names. Built by g++ where cupti.h is (src/worker/CMakeLists.txt); needs nothing else of hone
// than the Recorder.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include "capture/CudaCalls.h"
#include "capture/CudaDriver.h"
#include "capture/HostSymbols.h"
#include "capture/Recorder.h"

namespace {

using namespace hone::capture;

#if CUPTI_API_VERSION >= 130000
using KernelRecord = CUpti_ActivityKernel10;
#else
using KernelRecord = CUpti_ActivityKernel9;
#endif

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
  void capturing(int more) {
    const std::lock_guard lock(mutex);
    captures = std::max(0, captures + more);
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
  void readContents(const LaunchCall& call, uint32_t number, const std::vector<ContentsPiece>& pieces);

  std::mutex mutex;
  CudaDriver driver;
  CUpti_SubscriberHandle subscriber = nullptr;
  std::map<CUfunction, Function> functions;
  std::map<uint64_t, Range> ranges;                 // by address asked for; nothing freed since
  std::unordered_map<uint32_t, uint32_t> launched;  // correlation: number
  std::map<std::string, uint32_t> nodes;            // in graphs: name, grid and block: number
  std::map<CUstream, unsigned> streams;
  HostSymbols symbols;
  bool isFinished = false, isDeviceTold = false;
  uint64_t frees = 0;
  int captures = 0;  // streams whose operations become nodes of graphs now
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

// In the launch's own stream, so that it sees what the kernel will. Without the lock: the driver may hand
// over times meanwhile.
void Injection::readContents(const LaunchCall& call, uint32_t number,
                             const std::vector<ContentsPiece>& pieces) {
  const CUstream stream = call.stream        ? call.stream
                          : call.isPerThread ? CU_STREAM_PER_THREAD
                                             : CU_STREAM_LEGACY;
  std::vector<uint8_t> data;
  for (const ContentsPiece& piece : pieces) {
    data.resize(piece.bytes);
    if (!driver.memcpyDtoHAsync || !driver.streamSynchronize ||
        driver.memcpyDtoHAsync(data.data(), piece.allocation + piece.from, piece.bytes, stream) !=
            CUDA_SUCCESS ||
        driver.streamSynchronize(stream) != CUDA_SUCCESS)
      return recorder.note("contents of some arrays could not be read");
    recorder.addContents(number, piece, data.data());
  }
}

void Injection::launch(const LaunchCall& call, uint32_t correlation) {
  std::unique_lock lock(mutex);
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
    if (recorder.hasContents()) recorder.note("contents of arrays are not read for launches in graphs");
    return;
  }
  launched[correlation] = number;
  Recent recent{std::move(raw), number};
  if (function.recent.size() < mostRecent)
    function.recent.push_back(std::move(recent));
  else
    function.recent[function.next++ % mostRecent] = std::move(recent);
  if (!recorder.hasContents()) return;
  if (captures > 0)
    return recorder.note("contents of arrays are not read while a stream is captured into a graph");
  const std::vector<ContentsPiece> pieces = recorder.contentsOf(record, number);
  lock.unlock();
  if (!pieces.empty()) readContents(call, number, pieces);
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

void Injection::copiedToSymbol(const void* symbol, const void* from, size_t bytes, size_t offset) {
  const std::lock_guard lock(mutex);
  const std::string name = symbols.nameOf(symbol);
  if (!name.empty() && from) recorder.setVariable(name, offset, static_cast<const uint8_t*>(from), bytes);
}

constexpr CUpti_CallbackId symbolCalls[] = {CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyToSymbol_v3020,
                                            CUPTI_RUNTIME_TRACE_CBID_cudaMemcpyToSymbolAsync_v3020};

bool isOneOf(std::span<const CUpti_CallbackId> ids, CUpti_CallbackId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

void onSymbolCall(CUpti_CallbackId id, const void* given) {
  const auto take = [](const auto& call) {
    if (call.kind == cudaMemcpyHostToDevice)
      Injection::get().copiedToSymbol(call.symbol, call.src, call.count, call.offset);
  };
  if (id == symbolCalls[0]) take(*static_cast<const cudaMemcpyToSymbol_v3020_params*>(given));
  if (id == symbolCalls[1]) take(*static_cast<const cudaMemcpyToSymbolAsync_v3020_params*>(given));
}

void CUPTIAPI onCall(void*, CUpti_CallbackDomain domain, CUpti_CallbackId id, const void* data) {
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  Injection& injection = Injection::get();
  if (call.callbackSite == CUPTI_API_EXIT) {
    const auto* result = static_cast<const CUresult*>(call.functionReturnValue);
    if (domain != CUPTI_CB_DOMAIN_DRIVER_API) return;
    if (isOneOf(endingCalls(), id)) injection.capturing(-1);
    if (isOneOf(beginningCalls(), id) && result && *result == CUDA_SUCCESS) injection.capturing(1);
    return;
  }
  if (domain == CUPTI_CB_DOMAIN_RUNTIME_API) return onSymbolCall(id, call.functionParams);
  if (isOneOf(freeingCalls(), id)) return injection.freed();
  for (const LaunchingCall& one : launchingCalls()) {
    if (one.id != id) continue;
    LaunchCall out;
    one.take(out, call.functionParams);
    if (!out.isNode) out.name = call.symbolName;
    out.context = call.context;
    return injection.launch(out, call.correlationId);
  }
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

bool Injection::start() {
  const char* path = std::getenv("HONE_CAPTURE");
  if (!path || !*path) return false;
  if (!recorder.open(path, "cupti")) {
    std::fprintf(stderr, "hone capture: cannot write %s\n", path);
    return false;
  }
  if (cuptiSubscribe(&subscriber, onCall, nullptr) != CUPTI_SUCCESS) {
    recorder.note("another tool holds CUPTI's callbacks (a profiler?): nothing was recorded");
    return false;
  }
  const auto enable = [&](CUpti_CallbackDomain domain, CUpti_CallbackId id) {
    cuptiEnableCallback(1, subscriber, domain, id);
  };
  for (const LaunchingCall& one : launchingCalls()) enable(CUPTI_CB_DOMAIN_DRIVER_API, one.id);
  for (const auto ids : {freeingCalls(), beginningCalls(), endingCalls()})
    for (const CUpti_CallbackId id : ids) enable(CUPTI_CB_DOMAIN_DRIVER_API, id);
  for (const CUpti_CallbackId id : symbolCalls) enable(CUPTI_CB_DOMAIN_RUNTIME_API, id);
  cuptiActivityRegisterCallbacks(giveBuffer, takeBuffer);
  if (cuptiActivityEnable(CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL) != CUPTI_SUCCESS)
    recorder.note("the driver gives no times of kernels");
  // A program that is killed shall leave times too.
  cuptiActivityFlushPeriod(500);
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
