#include "sim/memory/Textures.h"

#include <algorithm>
#include <cmath>
#include <cstring>

namespace hone::sim {

uint64_t Textures::add(const Texture& texture) {
  byHandle[next] = texture;
  return next++;
}

const Texture* Textures::find(uint64_t handle) const {
  auto it = byHandle.find(handle);
  return it == byHandle.end() ? nullptr : &it->second;
}

TexelData::TexelData(const Memory& memory, const Texture& texture)
    : memory(&memory), first(memory.host(texture.address)) {
  if (first) {
    const Buffer& b = *memory.find(texture.address);
    room = b.size - (texture.address - b.base);
  }
}

double readChannel(const uint8_t* at, Scalar type, bool normalized) {
  const auto as = [&](auto v) {
    std::memcpy(&v, at, sizeof v);
    return v;
  };
  switch (type) {
    case Scalar::U8: return normalized ? double(as(uint8_t{})) / 255 : double(as(uint8_t{}));
    case Scalar::I8: return normalized ? std::max(-1.0, double(as(int8_t{})) / 127) : double(as(int8_t{}));
    case Scalar::U16: return normalized ? double(as(uint16_t{})) / 65535 : double(as(uint16_t{}));
    case Scalar::I16:
      return normalized ? std::max(-1.0, double(as(int16_t{})) / 32767) : double(as(int16_t{}));
    case Scalar::U32: return double(as(uint32_t{}));
    case Scalar::I32: return double(as(int32_t{}));
    case Scalar::F16: return double(as(_Float16{}));
    case Scalar::F32: return double(as(float{}));
    default: return 0;
  }
}

uint8_t* texel(const TexelData& data, const Texture& t, int64_t x, int64_t y, int64_t z) {
  const auto inside = [](int64_t v, uint32_t n) { return v >= 0 && v < std::max<int64_t>(1, n); };
  if (!inside(x, t.extent[0]) || !inside(y, t.extent[1]) || !inside(z, std::max(t.extent[2], t.layers)))
    return nullptr;
  const uint64_t offset =
      uint64_t(x) * memoryBytes(t.element) * t.channels + uint64_t(y) * t.pitch + uint64_t(z) * t.slicePitch;
  if (data.first && offset < data.room) return data.first + offset;
  return data.memory->host(t.address + offset);
}

namespace {

// The texel a whole coordinate names under an addressing mode; -1: the border.
int64_t addressed(int64_t i, int64_t n, Texture::Edge edge) {
  switch (edge) {
    case Texture::Edge::Clamp: return std::clamp<int64_t>(i, 0, n - 1);
    case Texture::Edge::Border: return i < 0 || i >= n ? -1 : i;
    case Texture::Edge::Wrap: return ((i % n) + n) % n;
    case Texture::Edge::Mirror: {
      const int64_t p = ((i % (2 * n)) + 2 * n) % (2 * n);
      return p < n ? p : 2 * n - 1 - p;
    }
  }
  return 0;
}

// Far outside is as good as infinitely far, and integers hold it; NaN is 0, as the hardware takes it.
double whereIntegersReach(double coordinate) {
  return std::isnan(coordinate) ? 0 : std::clamp(coordinate, -0x1p40, 0x1p40);
}

}  // namespace

void sample(const TexelData& data, const Texture& t, unsigned dimensions, std::span<const double> coordinates,
            std::span<double> values) {
  int64_t low[3] = {0, 0, 0};
  double weight[3] = {0, 0, 0};
  const bool linear = t.filter == Texture::Filter::Linear;
  for (unsigned d = 0; d < dimensions; ++d) {
    const int64_t n = std::max<int64_t>(1, t.extent[d]);
    double c = double(float(coordinates[d]));
    if (t.normalizedCoordinates) c *= double(n);
    c = whereIntegersReach(c);
    if (linear) {
      c -= 0.5;
      low[d] = int64_t(std::floor(c));
      weight[d] = std::round((c - std::floor(c)) * 256) / 256;  // 8 bits of fraction, as the hardware has
    } else {
      low[d] = int64_t(std::floor(c));
    }
  }
  const int64_t layer = coordinates.size() > dimensions
                            ? std::clamp<int64_t>(int64_t(whereIntegersReach(coordinates[dimensions])), 0,
                                                  std::max<int64_t>(1, t.layers) - 1)
                            : 0;
  for (double& v : values) v = 0;
  if (!linear) {
    int64_t at[3] = {0, 0, 0};
    for (unsigned d = 0; d < dimensions; ++d) {
      at[d] = addressed(low[d], std::max<int64_t>(1, t.extent[d]), t.edge[d]);
      if (at[d] < 0) return;
    }
    const uint8_t* from =
        texel(data, t, at[0], dimensions == 1 && t.layers ? 0 : at[1], t.layers ? layer : at[2]);
    for (size_t c = 0; from && c < values.size(); ++c)
      values[c] = t.element == Scalar::F32
                      ? double(*reinterpret_cast<const float*>(from + c * 4))
                      : readChannel(from + c * memoryBytes(t.element), t.element, t.normalizedFloat);
    return;
  }
  const unsigned corners = linear ? 1u << dimensions : 1;
  for (unsigned corner = 0; corner < corners; ++corner) {
    int64_t at[3] = {0, 0, 0};
    double share = 1;
    bool border = false;
    for (unsigned d = 0; d < dimensions; ++d) {
      const bool upper = (corner >> d) & 1;
      if (linear) share *= upper ? weight[d] : 1 - weight[d];
      at[d] = addressed(low[d] + upper, std::max<int64_t>(1, t.extent[d]), t.edge[d]);
      border |= at[d] < 0;
    }
    if (border || share == 0) continue;
    const uint8_t* from =
        texel(data, t, at[0], dimensions == 1 && t.layers ? 0 : at[1], t.layers ? layer : at[2]);
    if (!from) continue;
    for (size_t c = 0; c < values.size(); ++c)
      values[c] += share * readChannel(from + c * memoryBytes(t.element), t.element, t.normalizedFloat);
  }
}

}  // namespace hone::sim
