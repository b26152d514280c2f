// What compare_device asks of run_opencl: launches of one program, and their arrays afterwards, as a file each way.
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

struct OpenCLArgument {
  enum Kind : uint32_t { Buffer, Value, Local } kind = Value;
  uint64_t size = 0;           // bytes
  std::vector<uint8_t> bytes;  // none for Local
};
struct OpenCLLaunch {
  std::string kernel;
  uint32_t dimensions = 1;
  std::array<uint64_t, 3> global{1, 1, 1}, local{1, 1, 1}, offset{};
  std::vector<OpenCLArgument> arguments;
};
struct OpenCLJob {
  std::string source, options;
  std::vector<OpenCLLaunch> launches;
};
// After a launch: the buffers in the order of the arguments, or why there are none.
struct OpenCLOutcome {
  std::string problem;
  std::vector<std::vector<uint8_t>> buffers;
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

}  // namespace hone::test
