#include "sim/memory/Textures.h"

#include <gtest/gtest.h>

#include <cstring>
#include <limits>

namespace hone::sim {

namespace {

double fetched(Texture::Filter filter, Texture::Edge edge, double coordinate) {
  Memory memory;
  const float texels[] = {10, 20, 30, 40};
  Texture texture;
  texture.address = memory.allocate(sizeof texels, "texels", 4, true);
  std::memcpy(memory.host(texture.address), texels, sizeof texels);
  texture.extent = {4, 0, 0};
  texture.filter = filter;
  texture.edge[0] = edge;
  double value = 0;
  sample(TexelData(memory, texture), texture, 1, std::span(&coordinate, 1), std::span(&value, 1));
  return value;
}

// No host's conversion of floats that integers do not hold decides what is read.
TEST(Textures, coordinatesFarOutside) {
  using enum Texture::Edge;
  constexpr double infinite = std::numeric_limits<double>::infinity();
  for (const Texture::Filter filter : {Texture::Filter::Point, Texture::Filter::Linear}) {
    EXPECT_EQ(fetched(filter, Clamp, infinite), 40);
    EXPECT_EQ(fetched(filter, Clamp, -infinite), 10);
    EXPECT_EQ(fetched(filter, Clamp, 1e30), 40);
    EXPECT_EQ(fetched(filter, Border, infinite), 0);
    EXPECT_EQ(fetched(filter, Clamp, std::numeric_limits<double>::quiet_NaN()), 10);
  }
  EXPECT_EQ(fetched(Texture::Filter::Linear, Clamp, 2), 25);
}

}  // namespace

}  // namespace hone::sim
