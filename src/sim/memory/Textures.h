// Texture and surface objects: what a fetch through a handle reads.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <span>

#include "sim/bytecode/Program.h"
#include "sim/memory/Memory.h"

namespace hone::sim {

struct Texture {
  uint64_t address = 0;                     // of the first element, in global memory
  std::array<uint32_t, 3> extent{1, 0, 0};  // width, height, depth; 0: the dimension does not exist
  uint64_t pitch = 0, slicePitch = 0;       // bytes between rows and slices
  uint32_t layers = 0;                      // layered textures: the last dimension counts layers
  Scalar element = Scalar::F32;             // of one channel
  uint32_t channels = 1;
  enum class Filter : uint8_t { Point, Linear } filter = Filter::Point;
  enum class Edge : uint8_t { Wrap, Clamp, Mirror, Border } edge[3] = {Edge::Clamp, Edge::Clamp, Edge::Clamp};
  bool normalizedCoordinates = false;
  bool normalizedFloat = false;  // integers read as floats in [0, 1] or [-1, 1]
};

class Textures {
 public:
  uint64_t add(const Texture& texture);  // the handle
  void remove(uint64_t handle) { byHandle.erase(handle); }
  const Texture* find(uint64_t handle) const;

 private:
  std::map<uint64_t, Texture> byHandle;
  uint64_t next = 1;
};

// Where a texture's elements lie on the host, to be found once for many fetches.
struct TexelData {
  TexelData() = default;
  TexelData(const Memory& memory, const Texture& texture);
  const Memory* memory = nullptr;
  uint8_t* first = nullptr;  // null: the address is in no buffer
  uint64_t room = 0;         // bytes from there to the end of the buffer
};

// A fetch of tex1D, tex2D, …: `values` gets a number per channel, already converted (as double). Coordinates
// as the function takes them.
void sample(const TexelData& data, const Texture& texture, unsigned dimensions,
            std::span<const double> coordinates, std::span<double> values);
// Point access by whole texels, without filtering: tex1Dfetch and surfaces. Null when outside.
uint8_t* texel(const TexelData& data, const Texture& texture, int64_t x, int64_t y, int64_t z);
double readChannel(const uint8_t* at, Scalar type, bool normalized);

}  // namespace hone::sim
