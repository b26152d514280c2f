#include "capture/Recorder.h"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

namespace hone::capture {

namespace {

constexpr uint64_t allWritten = 128;        // different launches of a kernel that are all written
constexpr size_t mostOthers = 1 << 16;      // that are remembered
constexpr uint64_t mostVariable = 1 << 16;  // bytes
constexpr unsigned mostContents = 16;       // of a variable

std::string hex(const uint8_t* data, size_t bytes) {
  static const char digits[] = "0123456789abcdef";
  std::string out;
  out.reserve(bytes * 2);
  for (size_t i = 0; i < bytes; ++i) {
    out += digits[data[i] >> 4];
    out += digits[data[i] & 15];
  }
  return out;
}

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

}  // namespace

std::string quoted(const std::string& text) {
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

Recorder::~Recorder() { close(); }

bool Recorder::open(const std::string& path, const std::vector<std::pair<std::string, std::string>>& about) {
  const std::lock_guard lock(mutex);
  file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (file < 0) return false;
  process = getpid();
  lastCounts = std::chrono::steady_clock::now();
  std::string line = "{\"hone_capture\":1,\"process\":" + std::to_string(process);
  for (const auto& [name, value] : about) line += "," + quoted(name) + ":" + value;
  writeLine(line + "}");
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
      std::string line =
          "{\"process\":" + std::to_string(process) + ",\"launch\":" + std::to_string(number) +
          ",\"kernel\":" + quoted(launch.kernel) + ",\"grid\":" + extents(launch.grid) +
          ",\"block\":" + extents(launch.block) + ",\"shared\":" + std::to_string(launch.shared) +
          ",\"device\":" + std::to_string(launch.device) + ",\"stream\":" + std::to_string(launch.stream);
      if (launch.isCooperative) line += ",\"cooperative\":true";
      if (launch.isInGraph) line += ",\"graph\":true";
      line += ",\"parameters\":[";
      for (size_t i = 0; i < launch.parameters.size(); ++i)
        line += (i ? ",[" : "[") + std::to_string(launch.parameters[i].first) + "," +
                std::to_string(launch.parameters[i].second) + "]";
      line += "],\"bytes\":\"" + hex(launch.bytes.data(), launch.bytes.size()) + "\",\"pointers\":[";
      for (size_t i = 0; i < launch.pointers.size(); ++i) {
        const RecordedPointer& p = launch.pointers[i];
        line += (i ? ",{\"at\":" : "{\"at\":") + std::to_string(p.at) +
                ",\"allocation\":" + std::to_string(p.allocation) + ",\"bytes\":" + std::to_string(p.bytes) +
                ",\"offset\":" + std::to_string(p.offset) + (p.isPool ? ",\"pool\":true" : "") +
                (p.isManaged ? ",\"managed\":true" : "") + "}";
      }
      writeLine(line + "]}");
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

void Recorder::addTime(uint32_t number, double microseconds, uint64_t times) {
  const std::lock_guard lock(mutex);
  if (number >= counts.size()) return;
  counts[number].microseconds += microseconds;
  counts[number].launches += times;
  counts[number].isNew = true;
}

void Recorder::setVariable(const std::string& name, uint64_t offset, const uint8_t* data, uint64_t bytes) {
  const std::lock_guard lock(mutex);
  const uint64_t kept = std::min(bytes, mostVariable);
  auto& [times, last] = variables[name + "+" + std::to_string(offset)];
  const size_t hash = std::hash<std::string>()(std::string(reinterpret_cast<const char*>(data), kept));
  if (times >= mostContents || (times && hash == last)) return;
  ++times;
  last = hash;
  writeLine("{\"process\":" + std::to_string(process) + ",\"variable\":" + quoted(name) +
            ",\"offset\":" + std::to_string(offset) + ",\"of\":" + std::to_string(bytes) + ",\"bytes\":\"" +
            hex(data, kept) + "\"}");
}

void Recorder::setDevice(const std::string& name) {
  const std::lock_guard lock(mutex);
  writeLine("{\"process\":" + std::to_string(process) + ",\"ran_on\":" + quoted(name) + "}");
}

void Recorder::note(const std::string& text) {
  const std::lock_guard lock(mutex);
  if (notes.insert(text).second)
    writeLine("{\"process\":" + std::to_string(process) + ",\"note\":" + quoted(text) + "}");
}

// Those that changed since the last time; every two seconds is enough for a program that may be killed.
void Recorder::writeNewCounts(bool all) {
  const auto now = std::chrono::steady_clock::now();
  if (!all && now - lastCounts < std::chrono::seconds(2)) return;
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
  if (!line.empty()) writeLine("{\"process\":" + std::to_string(process) + ",\"counts\":[" + line + "]}");
}

void Recorder::writeCounts() {
  const std::lock_guard lock(mutex);
  writeNewCounts(true);
}

void Recorder::close() {
  const std::lock_guard lock(mutex);
  if (file < 0) return;
  writeNewCounts(true);
  writeLine("{\"process\":" + std::to_string(process) + ",\"end\":true}");
  ::close(file);
  file = -1;
}

}  // namespace hone::capture
