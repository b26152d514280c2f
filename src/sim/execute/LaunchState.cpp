// What a launch starts with: arguments and constants in registers, the layout of shared memory.
#include <cstring>

#include "sim/execute/Executor.h"
#include "sim/functions/HalfFloat.h"

namespace hone::sim {

void LaunchState::setUniform(Reg reg, Scalar type, uint64_t bits) {
  uint8_t* at = uniforms.data() + size_t(reg & ~uniformBank) * warpLanes * 4;
  for (unsigned l = 0; l < warpLanes; ++l) {
    if (isWide(type))
      std::memcpy(at + l * 8, &bits, 8);
    else
      std::memcpy(at + l * 4, &bits, 4);
  }
}

namespace {

constexpr uint64_t bytesOfArrays = 96 << 20;

// A scalar of the argument block as a register holds it.
uint64_t registerBits(Scalar type, const uint8_t* from) {
  const auto as = [&](auto v) {
    std::memcpy(&v, from, sizeof v);
    return v;
  };
  switch (type) {
    case Scalar::Bool: return as(uint8_t{}) != 0;
    case Scalar::I8: return uint32_t(int32_t(as(int8_t{})));
    case Scalar::U8: return as(uint8_t{});
    case Scalar::I16: return uint32_t(int32_t(as(int16_t{})));
    case Scalar::U16: return as(uint16_t{});
    case Scalar::F16: return std::bit_cast<uint32_t>(halfFromMemory(as(uint16_t{})));
    case Scalar::BF16: return uint32_t(as(uint16_t{})) << 16;
    case Scalar::I32:
    case Scalar::U32:
    case Scalar::F32: return as(uint32_t{});
    default: return as(uint64_t{});
  }
}

}  // namespace

LaunchState::LaunchState(const Program& p, const LaunchConfig& c, const RunOptions& o, Memory& m,
                         const Textures& t)
    : program(p),
      config(c),
      options(o),
      memory(m),
      textures(t),
      shape{c.grid, c.block},
      findings(program, shape) {
  steps = stepsOf(p);
  threadsPerBlock = uint32_t(volume(c.block));
  warpsPerBlock = (threadsPerBlock + warpLanes - 1) / warpLanes;
  for (unsigned axis = 0; axis < 3; ++axis) {
    threadIndex[axis].resize(size_t(warpsPerBlock) * warpLanes);
    for (uint32_t n = 0; n < threadIndex[axis].size(); ++n)
      threadIndex[axis][n] = axis == 0   ? n % c.block[0]
                             : axis == 1 ? n / c.block[0] % c.block[1]
                                         : n / c.block[0] / c.block[1];
  }
  uniforms.resize(uniformBytes());
  for (const Constant& k : p.constants) setUniform(k.reg, k.type, k.bits);
  for (auto [what, reg] : p.uniforms) {
    const int at = int(what);
    uint32_t v = 0;
    if (at <= int(Uniform::BlockDimZ))
      v = c.block[size_t(at)];
    else if (at <= int(Uniform::GridDimZ))
      v = c.grid[size_t(at - 3)];
    else if (at <= int(Uniform::OffsetZ))
      v = uint32_t(c.globalOffset[size_t(at - 6)]);
    else if (what == Uniform::WorkDim)
      v = c.workDim;
    else
      v = c.dynamicShared;
    setUniform(reg, Scalar::U32, v);
  }
  // Shared memory: what is declared, then CUDA's dynamic part, then OpenCL's __local arguments, each aligned
  // for any type.
  shared = p.shared;
  uint32_t top = p.staticShared;
  for (SharedVariable& s : shared)
    if (s.parameter < 0 && s.size == 0) s.size = c.dynamicShared;
  top += c.dynamicShared;
  for (SharedVariable& s : shared) {
    if (s.parameter < 0) continue;
    const Parameter& param = p.parameters[size_t(s.parameter)];
    uint64_t bytes = 0;
    std::memcpy(&bytes, c.arguments.data() + param.offset, std::min<size_t>(8, param.size));
    top = (top + 127) / 128 * 128;
    s.offset = top;
    s.size = uint32_t(bytes);
    top += s.size;
    setUniform(param.leaves[0].reg, Scalar::U64, sharedWindow | s.offset);
  }
  sharedBytes = top;
  for (size_t k = 0; k < p.parameters.size(); ++k) {
    const Parameter& param = p.parameters[k];
    parameterBuffers.push_back(nullptr);
    if (param.isSharedPointer) continue;
    for (const Parameter::Leaf& leaf : param.leaves)
      setUniform(leaf.reg, leaf.type,
                 registerBits(leaf.type, c.arguments.data() + param.offset + leaf.offset));
    if (param.isPointer) {
      uint64_t address = 0;
      std::memcpy(&address, c.arguments.data() + param.offset, 8);
      if (address) parameterBuffers.back() = m.find(address);
    }
  }
  const auto arrays =
      std::count_if(parameterBuffers.begin(), parameterBuffers.end(), [](const Buffer* b) { return b; });
  mostBytesOfArray = std::clamp<uint64_t>(bytesOfArrays / uint64_t(arrays + 1), 4 << 20, 32 << 20);
  mostBytesOfArrays = mostBytesOfArray * uint64_t(arrays);
  for (const CallSite& site : p.calls) {
    pure.push_back(findPureFunction(site.function, site.argTypes, site.resultTypes));
    exchanges.push_back(findExchange(site.function, site.argTypes, site.resultTypes));
  }
  if (o.target) warpRaces = o.target->hasIndependentLanes();
  if (o.checkRaces || o.checkUninitialized)
    shadow = std::make_unique<Shadow>(p, shape, ShadowOptions{o.checkRaces, o.checkUninitialized, warpRaces},
                                      findings, shared);
}

}  // namespace hone::sim
