// How a lane's value lies in memory and in registers; private to the run loop.
#pragma once

#include <bit>
#include <cstring>

#include "sim/bytecode/Program.h"
#include "sim/functions/HalfFloat.h"

namespace hone::sim {

// Where byte `offset` of a lane's local memory lies.
inline size_t localByte(uint64_t offset, unsigned lane) {
  return (offset / 4 * warpLanes + lane) * 4 + offset % 4;
}

inline float fromBFloat(uint16_t v) { return std::bit_cast<float>(uint32_t(v) << 16); }
inline uint16_t toBFloat(float v) { return uint16_t(std::bit_cast<uint32_t>(v) >> 16); }

// The bytes of a register lane as memory holds them.
inline void toBytes(Scalar type, const uint8_t* lane, uint8_t* out) {
  uint32_t v;
  std::memcpy(&v, lane, 4);
  switch (type) {
    case Scalar::Bool: *out = v != 0; break;
    case Scalar::I8:
    case Scalar::U8: *out = uint8_t(v); break;
    case Scalar::I16:
    case Scalar::U16: {
      const uint16_t h = uint16_t(v);
      std::memcpy(out, &h, 2);
      break;
    }
    case Scalar::F16: {
      const uint16_t h = halfToMemory(std::bit_cast<float>(v));
      std::memcpy(out, &h, 2);
      break;
    }
    case Scalar::BF16: {
      const uint16_t h = toBFloat(std::bit_cast<float>(v));
      std::memcpy(out, &h, 2);
      break;
    }
    default: std::memcpy(out, lane, memoryBytes(type));
  }
}

inline void loadOne(Scalar type, uint8_t* lane32, uint8_t* lane64, const uint8_t* from) {
  const auto put = [&](auto v) { std::memcpy(lane32, &v, 4); };
  switch (type) {
    case Scalar::Bool: put(uint32_t(*from != 0)); break;
    case Scalar::I8: put(int32_t(int8_t(*from))); break;
    case Scalar::U8: put(uint32_t(*from)); break;
    case Scalar::I16: {
      int16_t h;
      std::memcpy(&h, from, 2);
      put(int32_t(h));
      break;
    }
    case Scalar::U16: {
      uint16_t h;
      std::memcpy(&h, from, 2);
      put(uint32_t(h));
      break;
    }
    case Scalar::F16: {
      uint16_t h;
      std::memcpy(&h, from, 2);
      put(halfFromMemory(h));
      break;
    }
    case Scalar::BF16: {
      uint16_t h;
      std::memcpy(&h, from, 2);
      put(fromBFloat(h));
      break;
    }
    case Scalar::I32:
    case Scalar::U32:
    case Scalar::F32: std::memcpy(lane32, from, 4); break;
    default: std::memcpy(lane64, from, 8);
  }
}

}  // namespace hone::sim
