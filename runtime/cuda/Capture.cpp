// Records launches for hone's other commands (src/capture).
#include <cstring>

#include "Runtime.h"

namespace hone::cuda {

void Runtime::openCapture() {
  const char* path = std::getenv("HONE_CAPTURE");
  if (!path || !*path) return;
  std::string command;
  if (FILE* words = std::fopen("/proc/self/cmdline", "r")) {
    std::string word;
    for (int c; (c = std::fgetc(words)) != EOF;) {
      if (c) {
        word += char(c);
        continue;
      }
      command += (command.empty() ? "" : ",") + capture::quoted(word);
      word.clear();
    }
    std::fclose(words);
  }
  if (!recorder.open(path, {{"by", "\"hone run\""},
                            {"device", capture::quoted(target.name)},
                            {"command", "[" + command + "]"}}))
    std::fprintf(stderr, "hone: cannot write %s\n", path);
}

void Runtime::record(const KernelEntry& kernel, const sim::Program& program, const sim::LaunchConfig& config,
                     double milliseconds) {
  if (!recorder.isOpen()) return;
  capture::RecordedLaunch launch;
  launch.kernel = kernel.bundled.linkageName;
  launch.grid = config.grid;
  launch.block = config.block;
  launch.shared = config.dynamicShared;
  launch.stream = streamOfLaunch;
  launch.isCooperative = config.cooperative;
  launch.isInGraph = isGraphRunning;
  launch.bytes = config.arguments;
  for (const auto& parameter : program.parameters) {
    launch.parameters.emplace_back(uint32_t(parameter.offset), uint32_t(parameter.size));
    // Words that point into memory of the device, in structs too.
    for (uint64_t at = (parameter.offset + 7) / 8 * 8; at + 8 <= parameter.offset + parameter.size; at += 8) {
      uint64_t address = 0;
      std::memcpy(&address, launch.bytes.data() + at, sizeof address);
      const sim::Buffer* buffer = deviceBuffer(reinterpret_cast<const void*>(address));
      if (!buffer) continue;
      launch.pointers.push_back({uint32_t(at), buffer->base, buffer->size, address - buffer->base,
                                 buffer->name.find("Async") != std::string::npos, buffer->isManaged});
    }
  }
  recorder.addTime(recorder.add(launch), milliseconds * 1e3);
}

void Runtime::recordVariable(const Symbol& symbol, const void* from, size_t bytes, size_t offset) {
  if (!recorder.isOpen()) return;
  const size_t hash = symbol.key.find('#');
  recorder.setVariable(hash == std::string::npos ? symbol.key : symbol.key.substr(hash + 1), offset,
                       static_cast<const uint8_t*>(from), bytes);
}

}  // namespace hone::cuda
