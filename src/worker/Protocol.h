// What hone and a worker say to each other: one JSON object a line, jobs in, results out. docs/worker.md has
// the format.
#pragma once

#include <array>
#include <map>
#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>

#include "worker/FillElements.h"
#include "worker/Hex.h"

namespace hone::worker {

// A job or a result that cannot be read, in words for the person who wrote it.
struct ProtocolError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// An array that the kernels of a case work on.
struct ArraySpec {
  std::string name;
  uint64_t elements = 0, elementBytes = 1;
  std::vector<Leaf> leaves;       // of an element
  Fill fill;                      // what it holds before each run; kind Poison: nothing wrote it
  bool isZero = false;            // starts at zero instead
  std::string file;               // raw bytes in the place of `fill`
  std::vector<uint8_t> contents;  // the same, in the job itself
  bool isWritten = true;  // by the original; such arrays are restored before a run and compared after it
  bool isCompared = true;
  bool isUnordered = false;  // compared as a bag of elements
  bool isSummed = false;     // by floating-point atomics: compared within the bound also when nothing else is
  uint64_t bytes() const { return elements * elementBytes; }
};

// Arrays and bounds that variants of one kernel share. The first variant measured must be the original: its
// results are what those of the others are compared with.
struct CaseSpec {
  std::string id;
  std::string device;  // "cuda:0", "opencl:0:1"
  std::vector<ArraySpec> arrays;
  double operations = 1;  // per thread, for the bound on floats: 4 · operations · u · largest value
};

// Bytes of a number, or the address of an array or buffer plus an offset.
struct ArgumentSpec {
  std::string array;
  uint64_t offset = 0;  // bytes
  std::vector<uint8_t> bytes;
  uint64_t localBytes = 0;  // an OpenCL __local argument of so many bytes
};

struct LaunchSpec {
  std::string kernel;  // as the source calls it
  std::array<uint32_t, 3> grid{1, 1, 1}, block{1, 1, 1};
  uint64_t sharedBytes = 0;  // dynamic
  bool cooperative = false;
  std::vector<ArgumentSpec> arguments;
};

struct BufferSpec {
  std::string name;
  uint64_t bytes = 0;
};

struct VariantSpec {
  std::string id, caseId;
  std::string language = "cuda";  // or "opencl"
  std::string source;
  std::vector<std::string> flags;
  std::vector<BufferSpec> buffers;  // temporary ones
  std::vector<LaunchSpec> launches;
  bool isReference = false;  // the original: its results are kept
  bool isExact = false;      // floats must be equal bit for bit
  double giveUpAbove = 0;  // microseconds: a variant slower than this in its first run is measured no further
  double timeoutSeconds = 30;  // for all of it
  double wantedError = 0.005;  // half the width of the interval that holds the median, relative
  double secondsAtMost = 2;    // for timing
  bool timeIt = true;
  // Made before its turn: machine code, names of the kernels in it, how long that took. Empty: to be
  // compiled.
  std::vector<uint8_t> image;
  std::map<std::string, std::string> symbols;
  double imageMs = 0;
};

enum class Status : uint8_t {
  Ok,
  BuildFailed,   // the compiler refused
  LaunchFailed,  // the driver refused a launch: too much shared memory, too many registers
  Wrong,         // results differ from the original's
  NotANumber,    // NaN where the original has none, or on both sides from inputs that have none
  Faulted,       // an illegal access or a crash
  TimedOut,
  GivenUp,  // much slower than the best so far
  Invalid   // the job makes no sense here
};
std::string_view name(Status status);

struct Timing {
  double median = 0, low = 0,
         high = 0;  // microseconds for all launches; low and high hold the median with 95 %
  unsigned samples = 0, launchesPerSample = 0, sets = 0;
};

// What the compiler and the driver say about one kernel.
struct KernelFigures {
  std::string kernel;
  int registers = 0, sharedBytes = 0, localBytes = 0, constantBytes = 0, blocksPerMultiprocessor = 0;
};

struct Conditions {
  int clockMHz = 0, memoryClockMHz = 0, temperature = 0;
};

struct Result {
  std::string id;
  Status status = Status::Ok;
  std::string message;
  Timing timing;
  double maxError = 0;
  double buildMs = 0;
  std::vector<KernelFigures> kernels;
  Conditions conditions;
};

// What a device reaches with kernels that do nothing else. Zero: not measured, or it cannot.
struct Ceilings {
  double copyGBs = 0;                     // bytes read and written
  double fp32GFlops = 0, fp64GFlops = 0;  // multiply-adds, each counted as two
  bool isKnown() const { return copyGBs > 0; }
};

struct DeviceInfo {
  std::string id, kind, name, driver, compute;  // compute: "9.0", or the OpenCL version
  uint64_t memoryBytes = 0, cacheBytes = 0, sharedPerBlock = 0;
  int multiprocessors = 0, clockMHz = 0;
};

// What an object says under a key; nothing where it is no object, says nothing, or something of another type.
std::string textOf(const nlohmann::json& object, const char* key);
double numberOf(const nlohmann::json& object, const char* key);
bool flagOf(const nlohmann::json& object, const char* key);
// The next line of a stream, without its end; a line that is longer than any job is cut off there, and its
// rest dropped.
bool readLine(std::istream& in, std::string& line);
// The JSON in a line; discarded where it is none, or nested so deeply that nothing here could print it again.
nlohmann::json parseLine(const std::string& line);

// As bytesOfHex; throws ProtocolError.
std::vector<uint8_t> bytesFromHex(const std::string& hex);

void to_json(nlohmann::json& out, const CaseSpec& spec);
void to_json(nlohmann::json& out, const VariantSpec& spec);
void to_json(nlohmann::json& out, const Result& result);
void to_json(nlohmann::json& out, const DeviceInfo& info);
void to_json(nlohmann::json& out, const Ceilings& ceilings);
// These throw ProtocolError.
CaseSpec caseFrom(const nlohmann::json& in);
VariantSpec variantFrom(const nlohmann::json& in);
Result resultFrom(const nlohmann::json& in);
DeviceInfo deviceFrom(const nlohmann::json& in);
Ceilings ceilingsFrom(const nlohmann::json& in);

}  // namespace hone::worker
