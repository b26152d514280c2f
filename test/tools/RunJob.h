// Launches of one program for another machine, PoCL or a GPU, and the arrays they leave there: a file each
// way.
#pragma once

#include <array>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

namespace hone::test {

constexpr int noPocl = 77;

struct JobArgument {
  enum Kind : uint32_t { Buffer, Value, Local } kind = Value;
  uint64_t size = 0;           // bytes
  std::vector<uint8_t> bytes;  // none for Local
};
struct JobLaunch {
  std::string kernel;
  uint32_t dimensions = 1;
  std::array<uint64_t, 3> global{1, 1, 1}, local{1, 1, 1}, offset{};
  uint64_t shared = 0;  // bytes of dynamic shared memory
  bool isCooperative = false;
  std::vector<JobArgument> arguments;
};
class ByteWriter {
 public:
  std::vector<uint8_t> bytes;
  void number(uint64_t value) { append(&value, sizeof value); }
  void text(const std::string& value) {
    number(value.size());
    append(value.data(), value.size());
  }
  void block(const std::vector<uint8_t>& value) {
    number(value.size());
    append(value.data(), value.size());
  }
  void save(const std::string& path) const {
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
  }

 private:
  void append(const void* data, size_t size) {
    const auto* from = static_cast<const uint8_t*>(data);
    bytes.insert(bytes.end(), from, from + size);
  }
};

class ByteReader {
 public:
  explicit ByteReader(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    bytes.assign(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  bool isAtEnd() const { return at >= bytes.size(); }
  uint64_t number() {
    uint64_t value = 0;
    take(&value, sizeof value);
    return value;
  }
  std::string text() {
    std::string value(number(), '\0');
    take(value.data(), value.size());
    return value;
  }
  std::vector<uint8_t> block() {
    std::vector<uint8_t> value(number());
    take(value.data(), value.size());
    return value;
  }

 private:
  void take(void* to, size_t size) {
    if (at + size > bytes.size()) size = at < bytes.size() ? bytes.size() - at : 0;
    std::memcpy(to, bytes.data() + at, size);
    at += size;
  }
  std::vector<char> bytes;
  size_t at = 0;
};

inline void writeLaunch(ByteWriter& out, const JobLaunch& launch) {
  out.text(launch.kernel);
  out.number(launch.dimensions);
  for (const auto* sizes : {&launch.global, &launch.local, &launch.offset})
    for (uint64_t size : *sizes) out.number(size);
  out.number(launch.shared);
  out.number(launch.isCooperative);
  out.number(launch.arguments.size());
  for (const JobArgument& argument : launch.arguments) {
    out.number(argument.kind);
    out.number(argument.size);
    out.block(argument.bytes);
  }
}
inline JobLaunch readLaunch(ByteReader& in) {
  JobLaunch launch;
  launch.kernel = in.text();
  launch.dimensions = static_cast<uint32_t>(in.number());
  for (auto* sizes : {&launch.global, &launch.local, &launch.offset})
    for (uint64_t& size : *sizes) size = in.number();
  launch.shared = in.number();
  launch.isCooperative = in.number() != 0;
  launch.arguments.resize(in.number());
  for (JobArgument& argument : launch.arguments) {
    argument.kind = static_cast<JobArgument::Kind>(in.number());
    argument.size = in.number();
    argument.bytes = in.block();
  }
  return launch;
}
// After each launch: why there are no arrays, or "" and the arrays in the order of the arguments.
inline void writeOutcome(ByteWriter& out, const std::string& problem,
                         const std::vector<std::vector<uint8_t>>& arrays) {
  out.text(problem);
  out.number(problem.empty() ? arrays.size() : 0);
  if (problem.empty())
    for (const auto& array : arrays) out.block(array);
}

}  // namespace hone::test
