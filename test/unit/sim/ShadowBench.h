// A launch made by hand: instructions are numbers, and each stands in the source line of its number.
#pragma once

#include <array>
#include <cstring>
#include <functional>
#include <memory>
#include <vector>

#include "sim/check/Shadow.h"
#include "sim/memory/Memory.h"

namespace hone::sim::test {

class Launch {
 public:
  explicit Launch(uint32_t threads = 64, uint32_t blocks = 4, ShadowOptions options = {}, bool opencl = false,
                  bool withFence = false, uint32_t sharedBytes = 4096)
      : options(options), warps((threads + 31) / 32), memory(sharedBytes), bytes(65536) {
    program.isOpenCL = opencl;
    program.kernel = "k";
    program.files = {"k.cu"};
    for (uint32_t pc = 0; pc < 100; ++pc) {
      Instr in;
      in.op = withFence && pc == 99 ? Op::Fence : Op::Load;
      program.code.push_back(in);
      program.locations.push_back({0, pc, 1});
    }
    program.shared = {{"tile", 0, sharedBytes / 2, 4, {}, -1}, {"rest", sharedBytes / 2, 0, 4, {}, -1}};
    program.staticShared = sharedBytes / 2;
    program.locals = {{"mine", 0, 64, 4}};
    shape.grid = {blocks, 1, 1};
    shape.block = {threads, 1, 1};
    buffer.base = 0x10000;
    buffer.size = bytes.size();
    buffer.data = bytes.data();
    buffer.isHost = true;  // not the buffer's own memory, to be given back by it
    buffer.name = "out";
    buffer.elementBytes = 4;
    reset();
  }

  void reset() {
    blockShadows.clear();
    shadow.reset();
    findings = std::make_unique<Findings>(program, shape);
    shadow = std::make_unique<Shadow>(program, shape, options, *findings);
    for (uint32_t b = 0; b < shape.grid[0]; ++b)
      blockShadows.push_back(
          std::make_unique<BlockShadow>(program, b, warps, uint32_t(memory.size()), options));
  }
  BlockShadow& block(uint64_t b) { return *blockShadows[b]; }

  using Address = std::function<uint64_t(unsigned lane)>;
  using Value = std::function<uint32_t(unsigned lane)>;
  struct How {
    uint32_t mask = ~0u;
    uint8_t size = 4;
    CacheHint hint = CacheHint::Default;
    Value value = {};
  };
  void shared(AccessKind kind, uint32_t pc, uint32_t b, uint32_t warp, const Address& at, const How& how) {
    access(MemorySpace::Shared, kind, pc, b, warp, at, how);
  }
  void global(AccessKind kind, uint32_t pc, uint32_t b, uint32_t warp, const Address& at, const How& how) {
    access(MemorySpace::Global, kind, pc, b, warp, [&](unsigned l) { return buffer.base + at(l); }, how);
  }

  void access(MemorySpace space, AccessKind kind, uint32_t pc, uint32_t b, uint32_t warp, const Address& at,
              const How& how) {
    std::array<uint64_t, 32> address{};
    std::array<Buffer*, 32> buffers{};
    std::vector<uint8_t> data(32 * size_t(how.size));
    for (unsigned l = 0; l < 32; ++l) {
      address[l] = at(l);
      buffers[l] = &buffer;
      uint32_t v = how.value ? how.value(l) : ++fresh;
      std::memcpy(&data[l * size_t(how.size)], &v, std::min<size_t>(4, how.size));
    }
    WarpAccess a;
    a.pc = pc;
    a.kind = kind;
    a.space = space;
    a.hint = how.hint;
    a.bytes = how.size;
    a.mask = how.mask;
    a.address = address.data();
    a.buffer = buffers.data();
    a.data = kind == AccessKind::Store ? data.data() : nullptr;
    a.place = {b, warp};
    if (space == MemorySpace::Shared)
      shadow->shared(block(b), a, memory.data());
    else
      shadow->global(block(b), a);
    if (kind != AccessKind::Store) return;
    for (unsigned l = 0; l < 32; ++l)
      if (how.mask >> l & 1)
        std::memcpy(space == MemorySpace::Shared ? &memory[address[l]] : &bytes[address[l] - buffer.base],
                    &data[l * size_t(how.size)], how.size);
  }

  // "kind/class line other-line array[index]" of each finding.
  std::vector<std::string> take() {
    std::vector<std::string> result;
    for (const Finding& f : findings->take()) {
      std::string text = std::string(str(f.kind)) + "/" + str(f.cls) + " " + std::to_string(f.party.line);
      if (f.hasOther) text += " " + std::to_string(f.other.line);
      if (f.betweenBlocks) text += " blocks";
      text += " " + f.array + "[" + std::to_string(f.index) + "]";
      result.push_back(text);
    }
    return result;
  }

  Program program;
  LaunchShape shape;
  ShadowOptions options;
  uint32_t warps;
  uint32_t fresh = 1000;
  std::vector<uint8_t> memory, bytes;
  Buffer buffer;
  std::unique_ptr<Findings> findings;
  std::unique_ptr<Shadow> shadow;
  std::vector<std::unique_ptr<BlockShadow>> blockShadows;
};

}  // namespace hone::sim::test
