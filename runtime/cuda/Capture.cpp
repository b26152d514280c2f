// Records launches for hone's other commands (src/capture).
#include <cstring>

#include "Runtime.h"

namespace hone::cuda {

void Runtime::openCapture() {
  const char* path = std::getenv("HONE_CAPTURE");
  if (!path || !*path) return;
  if (!recorder.open(path, "hone run", target.name)) std::fprintf(stderr, "hone: cannot write %s\n", path);
}

// Before the launch, for what its arrays hold then.
uint32_t Runtime::record(const KernelEntry& kernel, const sim::Program& program,
                         const sim::LaunchConfig& config) {
  if (!recorder.isOpen()) return 0;
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
  const uint32_t number = recorder.add(launch);
  for (const capture::ContentsPiece& piece : recorder.contentsOf(launch, number))
    if (const sim::Buffer* buffer = deviceBuffer(reinterpret_cast<const void*>(piece.allocation)))
      recorder.addContents(number, piece, buffer->data + piece.from);
  return number;
}

void Runtime::recordVariable(const Symbol& symbol, const void* from, size_t bytes, size_t offset) {
  if (!recorder.isOpen()) return;
  const size_t hash = symbol.key.find('#');
  recorder.setVariable(hash == std::string::npos ? symbol.key : symbol.key.substr(hash + 1), offset,
                       static_cast<const uint8_t*>(from), bytes);
}

}  // namespace hone::cuda
