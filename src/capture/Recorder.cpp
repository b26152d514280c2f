#include "capture/Recorder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>

#include "worker/Hex.h"

namespace hone::capture {

namespace {

constexpr uint64_t allWritten = 128;        // different launches of a kernel that are all written
constexpr size_t mostOthers = 1 << 16;      // that are remembered
constexpr uint64_t mostVariable = 1 << 16;  // bytes
constexpr unsigned mostValues = 16;         // of a variable

std::string extents(const std::array<uint32_t, 3>& e) {
  return "[" + std::to_string(e[0]) + "," + std::to_string(e[1]) + "," + std::to_string(e[2]) + "]";
}

// Which of the launch's allocations a pointer is in, by their order.
size_t ordinal(const RecordedLaunch& launch, const RecordedPointer& pointer) {
  size_t nth = 0;
  std::vector<uint64_t> before;
  for (const RecordedPointer& p : launch.pointers) {
    if (p.allocation == pointer.allocation) break;
    if (std::find(before.begin(), before.end(), p.allocation) != before.end()) continue;
    before.push_back(p.allocation);
    ++nth;
  }
  return nth;
}

// Launches with equal keys differ in nothing but addresses and streams.
std::string keyOf(const RecordedLaunch& launch) {
  std::string key = launch.kernel + '\n';
  const auto add = [&](uint64_t value) { key.append(reinterpret_cast<const char*>(&value), sizeof value); };
  for (uint32_t e : launch.grid) add(e);
  for (uint32_t e : launch.block) add(e);
  add(launch.shared);
  add(static_cast<uint64_t>(launch.device) << 2 | (launch.isCooperative ? 2 : 0) |
      (launch.isInGraph ? 1 : 0));
  std::vector<uint8_t> bytes = launch.bytes;
  for (const RecordedPointer& p : launch.pointers) {
    for (size_t i = p.at; i < p.at + 8 && i < bytes.size(); ++i) bytes[i] = 0;
    add(p.bytes);
    add(p.offset);
    add(ordinal(launch, p));
  }
  key.append(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  return key;
}

std::string jsonString(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (static_cast<unsigned char>(c) < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", static_cast<unsigned>(c));
      out += code;
    } else {
      out += c;
    }
  }
  return out + '"';
}

// The process's own, as a list.
std::string commandLine() {
  std::ifstream in("/proc/self/cmdline", std::ios::binary);
  std::string out;
  for (std::string word; std::getline(in, word, '\0');) out += (out.empty() ? "" : ",") + jsonString(word);
  return "[" + out + "]";
}

std::string launchLine(const RecordedLaunch& launch) {
  std::string line = "\"kernel\":" + jsonString(launch.kernel) + ",\"grid\":" + extents(launch.grid) +
                     ",\"block\":" + extents(launch.block) + ",\"shared\":" + std::to_string(launch.shared) +
                     ",\"device\":" + std::to_string(launch.device) +
                     ",\"stream\":" + std::to_string(launch.stream);
  if (launch.isCooperative) line += ",\"cooperative\":true";
  if (launch.isInGraph) line += ",\"graph\":true";
  line += ",\"parameters\":[";
  for (size_t i = 0; i < launch.parameters.size(); ++i)
    line += (i ? ",[" : "[") + std::to_string(launch.parameters[i].first) + "," +
            std::to_string(launch.parameters[i].second) + "]";
  line += "],\"bytes\":\"" + worker::hexOf(launch.bytes.data(), launch.bytes.size()) + "\",\"pointers\":[";
  for (size_t i = 0; i < launch.pointers.size(); ++i) {
    const RecordedPointer& p = launch.pointers[i];
    line += (i ? ",{\"at\":" : "{\"at\":") + std::to_string(p.at) +
            ",\"allocation\":" + std::to_string(p.allocation) + ",\"bytes\":" + std::to_string(p.bytes) +
            ",\"offset\":" + std::to_string(p.offset) + (p.isPool ? ",\"pool\":true" : "") +
            (p.isManaged ? ",\"managed\":true" : "") + "}";
  }
  return line + "]";
}

}  // namespace

Recorder::~Recorder() { close(); }

bool Recorder::open(const std::string& path, const std::string& by, const std::string& device) {
  const std::lock_guard lock(mutex);
  file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return false;
  process = getpid();
  // A process may be recorded by both.
  id = std::to_string(process + (by == "opencl" ? int64_t{1} << 32 : 0));
  begin = lastCounts = std::chrono::steady_clock::now();
  if (const char* bytes = std::getenv("HONE_CAPTURE_DATA"))
    contents.allow(std::min<uint64_t>(std::strtoull(bytes, nullptr, 10), mostContents));
  writeLine("{\"hone_capture\":1,\"process\":" + id + ",\"by\":" + jsonString(by) +
            (device.empty() ? "" : ",\"device\":" + jsonString(device)) + ",\"command\":" + commandLine() +
            "}");
  return true;
}

// One call, so that lines of several processes do not mix.
void Recorder::writeLine(const std::string& line) {
  if (file < 0 || getpid() != process) return;
  const std::string whole = line + "\n";
  for (size_t at = 0; at < whole.size();) {
    const ssize_t done = ::write(file, whole.data() + at, whole.size() - at);
    if (done <= 0) return;
    at += static_cast<size_t>(done);
  }
}

uint32_t Recorder::add(const RecordedLaunch& launch, unsigned times) {
  const std::lock_guard lock(mutex);
  const std::string key = keyOf(launch);
  if (const auto found = numbers.find(key); found != numbers.end()) {
    counts[found->second].launches += times;
    counts[found->second].isNew = true;
    writeNewCounts(false);
    return found->second;
  }
  OfKernel& kernel = kernels[launch.kernel];
  const uint64_t hash = std::hash<std::string>()(key);
  if (!others.contains(hash)) {
    ++kernel.different;
    uint64_t step = 1;
    while (kernel.different / step >= 2 * allWritten) step *= 2;
    if (kernel.different <= allWritten || kernel.different % step == 0) {
      const auto number = static_cast<uint32_t>(counts.size());
      numbers.emplace(key, number);
      counts.push_back({times, 0, 0, true});
      kernel.last = number;
      writeLine("{\"process\":" + id + ",\"launch\":" + std::to_string(number) + "," + launchLine(launch) +
                "}");
      writeNewCounts(false);
      return number;
    }
    if (others.size() < mostOthers) others.insert(hash);
  }
  counts[kernel.last].others += times;
  counts[kernel.last].isNew = true;
  writeNewCounts(false);
  return kernel.last;
}

std::vector<ContentsPiece> Recorder::contentsOf(const RecordedLaunch& launch, uint32_t number) {
  const std::lock_guard lock(mutex);
  if (!contents.isOn() || file < 0) return {};
  // Another one that stands for it has other arrays.
  if (const auto found = numbers.find(keyOf(launch)); found == numbers.end() || found->second != number)
    return {};
  std::vector<ContentsPiece> out = contents.choose(launch);
  if (contents.hasLeftOut())
    writeNote("contents of some arrays are not in it: there was no room within the limit (--data-limit)");
  return out;
}

void Recorder::addContents(uint32_t number, const ContentsPiece& piece, const uint8_t* data) {
  const std::lock_guard lock(mutex);
  for (uint64_t at = 0; at < piece.bytes; at += longestPiece) {
    const uint64_t bytes = std::min(longestPiece, piece.bytes - at);
    // One byte over and over is written once: cleared arrays are many.
    const bool isOne = bytes > 1 && std::memcmp(data + at, data + at + 1, bytes - 1) == 0;
    writeLine("{\"process\":" + id + ",\"contents\":" + std::to_string(number) +
              ",\"allocation\":" + std::to_string(piece.allocation) +
              ",\"from\":" + std::to_string(piece.from + at) + ",\"of\":" + std::to_string(bytes) +
              ",\"bytes\":\"" + worker::hexOf(data + at, isOne ? 1 : bytes) + "\"}");
  }
}

void Recorder::addTime(uint32_t number, double microseconds, uint64_t times) {
  const std::lock_guard lock(mutex);
  if (number >= counts.size()) return;
  counts[number].microseconds += microseconds;
  counts[number].launches += times;
  counts[number].isNew = true;
  writeNewCounts(false);
}

void Recorder::setVariable(const std::string& name, uint64_t offset, const uint8_t* data, uint64_t bytes) {
  const std::lock_guard lock(mutex);
  const uint64_t kept = std::min(bytes, mostVariable);
  auto& [times, last] = variables[name + "+" + std::to_string(offset)];
  const size_t hash = std::hash<std::string>()(std::string(reinterpret_cast<const char*>(data), kept));
  if (times >= mostValues || (times && hash == last)) return;
  ++times;
  last = hash;
  writeLine("{\"process\":" + id + ",\"variable\":" + jsonString(name) +
            ",\"offset\":" + std::to_string(offset) + ",\"of\":" + std::to_string(bytes) + ",\"bytes\":\"" +
            worker::hexOf(data, kept) + "\"}");
}

void Recorder::setDevice(const std::string& name) {
  const std::lock_guard lock(mutex);
  writeLine("{\"process\":" + id + ",\"ran_on\":" + jsonString(name) + "}");
}

void Recorder::note(const std::string& text) {
  const std::lock_guard lock(mutex);
  writeNote(text);
}

void Recorder::writeNote(const std::string& text) {
  if (notes.insert(text).second) writeLine("{\"process\":" + id + ",\"note\":" + jsonString(text) + "}");
}

// Those that changed since the last time: often at first, for a program that is killed soon, every two
// seconds later.
void Recorder::writeNewCounts(bool all) {
  const auto now = std::chrono::steady_clock::now();
  using std::chrono::milliseconds;
  const auto pause = std::clamp<std::chrono::steady_clock::duration>((now - begin) / 8, milliseconds(10),
                                                                     milliseconds(2000));
  if (!all && now - lastCounts < pause) return;
  lastCounts = now;
  std::string line;
  for (size_t i = 0; i < counts.size(); ++i) {
    Count& count = counts[i];
    if (!count.isNew) continue;
    count.isNew = false;
    char time[40];
    std::snprintf(time, sizeof time, "%.3f", count.microseconds);
    line += (line.empty() ? "[" : ",[") + std::to_string(i) + "," + std::to_string(count.launches) + "," +
            std::to_string(count.others) + "," + time + "]";
  }
  if (!line.empty()) writeLine("{\"process\":" + id + ",\"counts\":[" + line + "]}");
}

void Recorder::writeCounts() {
  const std::lock_guard lock(mutex);
  writeNewCounts(true);
}

void Recorder::close() {
  const std::lock_guard lock(mutex);
  if (file < 0) return;
  writeNewCounts(true);
  writeLine("{\"process\":" + id + ",\"end\":true}");
  ::close(file);
  file = -1;
}

}  // namespace hone::capture
