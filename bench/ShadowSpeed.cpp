// What a check of one warp's memory instruction costs, in nanoseconds: build the target shadow_speed and run
// it.
#include <chrono>
#include <cstdio>
#include <functional>
#include <string>
#include <vector>

#include "sim/check/Shadow.h"
#include "sim/memory/Memory.h"

using namespace hone::sim;

namespace {

constexpr uint32_t warps = 8, sharedBytes = 16384;

struct Bench {
  Program program;
  LaunchShape shape;
  ShadowOptions options;
  std::vector<uint8_t> shared, bytes;
  Buffer buffer;
  std::unique_ptr<Findings> findings;
  std::unique_ptr<Shadow> shadow;
  std::unique_ptr<BlockShadow> block;

  Bench() : shared(sharedBytes), bytes(size_t(8) << 20) {
    program.files = {"bench"};
    for (int i = 0; i < 40; ++i) {
      program.code.emplace_back();
      program.code.back().op = Op::Load;
      program.locations.emplace_back();
    }
    shape.grid = {4096, 1, 1};
    shape.block = {warps * 32, 1, 1};
    buffer.base = 1 << 20;
    buffer.size = bytes.size();
    buffer.data = bytes.data();
    buffer.isHost = true;  // not the buffer's own memory, to be given back by it
    buffer.elementBytes = 4;
    findings = std::make_unique<Findings>(program, shape);
    shadow = std::make_unique<Shadow>(program, shape, options, *findings);
    shadow->withoutLocks();
    block = std::make_unique<BlockShadow>(program, 0, warps, sharedBytes, options);
  }
};

using Address = std::function<uint64_t(uint32_t step, uint32_t warp, unsigned lane)>;

// Every warp makes the access, then a barrier follows; addresses are made before the clock starts.
void measure(const char* name, MemorySpace space, AccessKind kind, const Address& address,
             uint32_t steps = 64) {
  Bench b;
  std::vector<uint64_t> at(size_t(steps) * warps * 32);
  for (uint32_t s = 0; s < steps; ++s)
    for (uint32_t w = 0; w < warps; ++w)
      for (unsigned l = 0; l < 32; ++l)
        at[(size_t(s) * warps + w) * 32 + l] =
            address(s, w, l) + (space == MemorySpace::Global ? b.buffer.base : 0);
  std::vector<Buffer*> buffers(32, &b.buffer);
  std::vector<uint8_t> data(32 * 16);
  WarpAccess a;
  a.space = space;
  a.mask = ~0u;
  a.buffer = buffers.data();
  a.data = data.data();
  auto perform = [&](AccessKind k, uint32_t s, uint32_t w) {
    a.kind = k;
    a.pc = uint32_t(k) + 1;
    a.place.warp = w;
    a.address = &at[(size_t(s) * warps + w) * 32];
    if (space == MemorySpace::Shared)
      b.shadow->shared(*b.block, a, b.shared.data());
    else
      b.shadow->global(*b.block, a);
  };
  if (space == MemorySpace::Shared && kind == AccessKind::Load) {
    for (uint32_t word = 0; word < sharedBytes; word += 128) {
      std::vector<uint64_t> line(32);
      for (unsigned l = 0; l < 32; ++l) line[l] = word + l * 4;
      a.kind = AccessKind::Store;
      a.address = line.data();
      b.shadow->shared(*b.block, a, b.shared.data());
    }
    b.block->blockBarrier();
  }
  uint64_t calls = 0;
  double best = 1e9;
  for (int iteration = 0; iteration < 7; ++iteration) {
    auto start = std::chrono::steady_clock::now();
    uint32_t blocks = space == MemorySpace::Shared ? 100 : 20;
    calls = 0;
    for (uint32_t block = 0; block < blocks; ++block) {
      a.place.block = block + uint32_t(iteration) * blocks;
      for (uint32_t s = 0; s < steps; ++s) {
        for (uint32_t w = 0; w < warps; ++w) perform(kind, s, w);
        calls += warps;
        b.block->blockBarrier();
      }
    }
    double ns = std::chrono::duration<double, std::nano>(std::chrono::steady_clock::now() - start).count() /
                double(calls);
    if (ns < best) best = ns;
  }
  std::printf("%-40s %7.1f ns%s\n", name, best, b.findings->empty() ? "" : "   (has findings)");
}

}  // namespace

int main() {
  auto consecutive = [](uint32_t s, uint32_t w, unsigned l) { return ((s * 5 + w) % 120 * 32 + l) * 4; };
  auto broadcast = [](uint32_t s, uint32_t w, unsigned) { return (s + w) * 4; };
  auto rows = [](uint32_t s, uint32_t w, unsigned l) { return ((w * 2 + l / 16) * 17 + l % 16 + s % 8) * 4; };
  auto twoWords = [](uint32_t s, uint32_t w, unsigned l) { return ((w * 2 + l / 16) * 17 + s % 16) * 4; };
  auto column = [](uint32_t s, uint32_t, unsigned l) { return (l * 33 + s % 32) * 4; };
  auto ownColumn = [](uint32_t s, uint32_t w, unsigned l) { return (l * 33 + (s + w) % 32) * 4; };
  auto wide = [](uint32_t s, uint32_t w, unsigned l) { return ((s + w) % 8 * 32 + l) * 16; };
  MemorySpace sh = MemorySpace::Shared, gl = MemorySpace::Global;
  AccessKind ld = AccessKind::Load, st = AccessKind::Store, at = AccessKind::Atomic;
  measure("shared load, consecutive", sh, ld, consecutive);
  measure("shared load, broadcast", sh, ld, broadcast);
  measure("shared load, two rows of 16", sh, ld, rows);
  measure("shared load, two words", sh, ld, twoWords);
  measure("shared load, column", sh, ld, column);
  measure("shared load, apart by 16 bytes", sh, ld, wide);
  measure("shared store, consecutive", sh, st, consecutive);
  measure("shared store, column", sh, st, ownColumn);
  measure("shared atomic, one word", sh, at, broadcast);
  measure("shared atomic, column", sh, at, column);
  auto line = [](uint32_t s, uint32_t w, unsigned l) { return ((s * 8 + w) * 32 + l) * 4; };
  auto far = [](uint32_t s, uint32_t w, unsigned l) { return (l * 4096 + s * 8 + w) * 4; };
  auto scattered = [](uint32_t s, uint32_t w, unsigned l) { return ((s * 8 + w) * 32 + l * 7 % 32) * 4; };
  measure("global load, consecutive", gl, ld, line);
  measure("global load, broadcast", gl, ld, broadcast);
  measure("global load, two rows of 16", gl, ld, rows);
  measure("global load, column of 16 KB", gl, ld, far);
  measure("global load, scattered", gl, ld, scattered);
  auto ownLine = line;
  measure("global store, consecutive (racing blocks)", gl, st, ownLine, 8);
}
