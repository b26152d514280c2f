// Calls that need the machine: traps, copies of bytes, textures and surfaces, and printf.
#include <cstring>

#include <fmt/format.h>

#include "ir/intrinsics/Intrinsics.h"
#include "sim/execute/Executor.h"
#include "sim/execute/LaneBytes.h"
#include "sim/execute/MemorySpaces.h"

namespace hone::sim {

namespace {

double numberOf(Scalar type, const uint8_t* lane) {
  if (type == Scalar::F64) {
    double v;
    std::memcpy(&v, lane, 8);
    return v;
  }
  if (isFloating(type)) {
    float v;
    std::memcpy(&v, lane, 4);
    return double(v);
  }
  if (type == Scalar::I64) {
    int64_t v;
    std::memcpy(&v, lane, 8);
    return double(v);
  }
  if (type == Scalar::U64) {
    uint64_t v;
    std::memcpy(&v, lane, 8);
    return double(v);
  }
  if (type == Scalar::U32) {
    uint32_t v;
    std::memcpy(&v, lane, 4);
    return double(v);
  }
  int32_t v;
  std::memcpy(&v, lane, 4);
  return double(v);
}

void putNumber(Scalar type, double v, uint8_t* lane) {
  if (type == Scalar::F64)
    std::memcpy(lane, &v, 8);
  else if (isFloating(type)) {
    const float f = float(v);
    std::memcpy(lane, &f, 4);
  } else if (isWide(type)) {
    const int64_t n = int64_t(v);
    std::memcpy(lane, &n, 8);
  } else {
    const uint32_t n = uint32_t(int64_t(v));
    std::memcpy(lane, &n, 4);
  }
}

}  // namespace

void Executor::callMachine(BlockRun& b, Warp& w, const Instr& i, uint32_t pc, uint32_t mask) {
  const CallSite& site = program.calls[size_t(i.imm)];
  const std::string_view id = site.function;
  if (id == "trap") {
    fault(FindingKind::Trap, b, w, pc, mask, "the kernel traps");
    launch.stop = true;
    return;
  }
  if (id == "bad_call") {
    const bool isObject = reg<uint32_t>(w, site.args[0])[0] != 0;
    fault(FindingKind::BadCall, b, w, pc, mask,
          isObject
              ? "calls a virtual function of an object that is of no class the device knows: was it made on "
                "the host, or not at all?"
              : "calls through a pointer that leads to no function of this type on the device: was its "
                "address taken on the host?");
    launch.stop = true;
    return;
  }
  if (id == "device_malloc" || id == "device_free") {
    heapCall(b, w, site, pc, mask);
    return;
  }
  if (id == "memcpy" || id == "memset") {
    copyBytes(b, w, site, pc, mask);
    return;
  }
  const ir::Intrinsic* const fn = ir::findIntrinsicById(id);
  const auto [kind, dimensions, isLayered] = fn ? fn->traits.texture : ir::TextureAccess();
  const bool isWrite = kind == ir::TextureKind::SurfaceWrite, isFetch = kind == ir::TextureKind::Fetch;
  const bool isSurface = isWrite || kind == ir::TextureKind::SurfaceRead;
  // surf writes have the value first, then the handle.
  const size_t channelsIn = isWrite ? site.args.size() - 1 - dimensions - (isLayered ? 1 : 0) : 0;
  size_t handleAt = 0;
  if (isWrite)
    for (handleAt = 0; handleAt < site.args.size() && site.argTypes[handleAt] != Scalar::U64; ++handleAt) {}
  (void)channelsIn;
  uint64_t lastHandle = 0;
  const Texture* last = nullptr;
  TexelData data;
  for (unsigned l = 0; l < warpLanes; ++l) {
    if (!((mask >> l) & 1)) continue;
    const auto lane = [&](size_t arg) {
      return reg<uint8_t>(w, site.args[arg]) + l * (isWide(site.argTypes[arg]) ? 8 : 4);
    };
    uint64_t handle = 0;
    if (handleAt < site.args.size()) std::memcpy(&handle, lane(handleAt), 8);
    if (!last || handle != lastHandle) {
      lastHandle = handle;
      last = launch.textures.find(handle);
      if (last) data = TexelData(launch.memory, *last);
    }
    const Texture* const t = last;
    if (dimensions == 0 || !t) {
      fault(FindingKind::WildPointer, b, w, pc, 1u << l,
            std::string(id) + " through a handle that is no texture or surface");
      for (size_t k = 0; k < site.results.size(); ++k)
        putNumber(site.resultTypes[k], 0,
                  reg<uint8_t>(w, site.results[k]) + l * (isWide(site.resultTypes[k]) ? 8 : 4));
      continue;
    }
    double coordinates[4] = {0, 0, 0, 0};
    const unsigned count = dimensions + (isLayered ? 1 : 0);
    for (unsigned d = 0; d < count && handleAt + 1 + d < site.args.size(); ++d)
      coordinates[d] = numberOf(site.argTypes[handleAt + 1 + d], lane(handleAt + 1 + d));
    if (isSurface || isFetch) {
      const unsigned texelBytes = memoryBytes(t->element) * t->channels;
      const int64_t x = isSurface ? int64_t(coordinates[0]) / texelBytes : int64_t(coordinates[0]);
      uint8_t* at = texel(data, *t, x, int64_t(coordinates[1]), int64_t(coordinates[2]));
      if (!at && isSurface) {
        fault(FindingKind::OutOfBounds, b, w, pc, 1u << l, fmt::format("{} outside the surface", id));
      }
      if (isWrite) {
        for (unsigned c = 0; at && c < t->channels && c < handleAt; ++c) {
          const double v = numberOf(site.argTypes[c], lane(c));
          uint8_t* to = at + size_t(c) * memoryBytes(t->element);
          switch (t->element) {
            case Scalar::F32: {
              const float f = float(v);
              std::memcpy(to, &f, 4);
              break;
            }
            case Scalar::F16: {
              const _Float16 f = _Float16(v);
              std::memcpy(to, &f, 2);
              break;
            }
            default: {
              const int64_t n = int64_t(v);
              std::memcpy(to, &n, memoryBytes(t->element));
            }
          }
        }
        continue;
      }
      for (size_t k = 0; k < site.results.size(); ++k) {
        const double v = at && k < t->channels ? readChannel(at + k * memoryBytes(t->element), t->element,
                                                             !isSurface && t->normalizedFloat)
                                               : 0;
        putNumber(site.resultTypes[k], v,
                  reg<uint8_t>(w, site.results[k]) + l * (isWide(site.resultTypes[k]) ? 8 : 4));
      }
      continue;
    }
    double values[4] = {0, 0, 0, 0};
    sample(data, *t, dimensions, std::span<const double>(coordinates, count),
           std::span<double>(values, std::min(4u, t->channels)));
    for (size_t k = 0; k < site.results.size() && k < 4; ++k)
      putNumber(site.resultTypes[k], values[k],
                reg<uint8_t>(w, site.results[k]) + l * (isWide(site.resultTypes[k]) ? 8 : 4));
  }
}

void Executor::print(BlockRun& b, Warp& w, const Instr& i, uint32_t pc, uint32_t mask) {
  const CallSite& site = program.calls[size_t(i.imm)];
  for (unsigned l = 0; l < warpLanes; ++l) {
    if (!((mask >> l) & 1)) continue;
    std::vector<uint64_t> bits;
    for (size_t k = 0; k < site.args.size(); ++k)
      bits.push_back(isWide(site.argTypes[k]) ? reg<uint64_t>(w, site.args[k])[l]
                                              : uint64_t(reg<uint32_t>(w, site.args[k])[l]));
    const auto byteAt = [&](uint64_t address) -> const uint8_t* {
      switch (spaceOf(address)) {
        case MemorySpace::Shared: {
          const uint64_t at = address - sharedWindow;
          return at < launch.sharedBytes ? b.shared.data() + at : nullptr;
        }
        case MemorySpace::Local: {
          const uint64_t at = address - localWindow;
          return at < program.localBytes ? w.local + localByte(at, l) : nullptr;
        }
        default: {
          const Buffer* buffer = launch.memory.find(address);
          const uint64_t at = buffer ? address - buffer->base : 0;
          return buffer && at < buffer->size ? buffer->data + at : nullptr;
        }
      }
    };
    bool isCutOff = false;
    b.printed += formatPrintf(program.formats[size_t(site.extra)], site.argTypes, bits, byteAt, isCutOff);
    if (isCutOff)
      fault(FindingKind::OutOfBounds, b, w, pc, 1u << l,
            "printf reads a string that has no end in the memory it points into");
  }
}

namespace {

// The text of %s at an address, up to its end or its precision.
std::string textAt(uint64_t address, const std::string& flags, const ByteAt& byteAt, bool& isCutOff) {
  if (!address) return "(null)";
  const size_t point = flags.find('.');
  const size_t most = point == std::string::npos
                          ? std::string::npos
                          : size_t(std::strtoul(flags.c_str() + point + 1, nullptr, 10));
  std::string out;
  while (out.size() < most) {
    const uint8_t* c = byteAt(address + out.size());
    isCutOff |= !c;
    if (!c || !*c) break;
    out += char(*c);
  }
  return out;
}

// A text as %5s and %-5s have it; the precision is seen to.
std::string inWidth(const std::string& text, const std::string& flags) {
  const size_t digits = flags.find_first_of("123456789.");
  const size_t width =
      digits == std::string::npos ? 0 : size_t(std::strtoul(flags.c_str() + digits, nullptr, 10));
  if (text.size() >= width) return text;
  const std::string blanks(width - text.size(), ' ');
  return flags.find('-') == std::string::npos ? blanks + text : text + blanks;
}

}  // namespace

std::string formatPrintf(const std::string& format, const std::vector<Scalar>& types,
                         const std::vector<uint64_t>& bits, const ByteAt& byteAt, bool& isCutOff) {
  std::string out;
  size_t next = 0;
  const auto asDouble = [&](size_t k) {
    if (types[k] == Scalar::F64) return std::bit_cast<double>(bits[k]);
    if (isFloating(types[k])) return double(std::bit_cast<float>(uint32_t(bits[k])));
    return double(int64_t(bits[k]));
  };
  const auto asInteger = [&](size_t k) -> long long {
    if (isWide(types[k]) || types[k] == Scalar::U32) return (long long)bits[k];
    return (long long)int32_t(uint32_t(bits[k]));
  };
  for (size_t at = 0; at < format.size();) {
    if (format[at] != '%') {
      out += format[at++];
      continue;
    }
    size_t end = at + 1;
    if (end < format.size() && format[end] == '%') {
      out += '%';
      at = end + 1;
      continue;
    }
    while (end < format.size() && std::strchr("-+ #0123456789.*", format[end])) ++end;
    std::string flags = format.substr(at, end - at);
    unsigned lanes = 1;
    if (end < format.size() && format[end] == 'v') {  // OpenCL vectors
      lanes = unsigned(std::strtoul(format.c_str() + end + 1, nullptr, 10));
      ++end;
      while (end < format.size() && format[end] >= '0' && format[end] <= '9') ++end;
    }
    size_t lengthEnd = end;
    while (lengthEnd < format.size() && std::strchr("hlLzjt", format[lengthEnd])) ++lengthEnd;
    const char kind = lengthEnd < format.size() ? format[lengthEnd] : 0;
    const std::string length = format.substr(end, lengthEnd - end);
    for (size_t star; (star = flags.find('*')) != std::string::npos;) {
      const long long width = next < bits.size() ? asInteger(next++) : 0;
      // A precision below zero counts as none, a width below zero as one with a '-' before it.
      const bool isNone = width < 0 && star > 0 && flags[star - 1] == '.';
      flags.replace(isNone ? star - 1 : star, isNone ? 2 : 1, isNone ? "" : std::to_string(width));
    }
    for (unsigned v = 0; v < std::max(1u, lanes); ++v) {
      if (v) out += ',';
      if (next >= bits.size()) {
        out += format.substr(at, lengthEnd + 1 - at);
        break;
      }
      char text[512];
      if (kind && std::strchr("diouxXc", kind)) {
        long long n = asInteger(next);
        const bool isUnsigned = std::strchr("ouxX", kind) != nullptr;
        if (length.find('l') == std::string::npos && length.find('z') == std::string::npos &&
            length.find('j') == std::string::npos && kind != 'c')
          n = isUnsigned ? (long long)uint32_t(n) : (long long)int32_t(n);
        if (length == "hh") n = isUnsigned ? (long long)uint8_t(n) : (long long)int8_t(n);
        if (length == "h") n = isUnsigned ? (long long)uint16_t(n) : (long long)int16_t(n);
        if (kind == 'c')
          std::snprintf(text, sizeof text, (flags + "c").c_str(), int(n));
        else
          std::snprintf(text, sizeof text, (flags + "ll" + kind).c_str(), n);
        out += text;
      } else if (kind && std::strchr("fFeEgGaA", kind)) {
        std::snprintf(text, sizeof text, (flags + kind).c_str(), asDouble(next));
        out += text;
      } else if (kind == 'p') {
        out += fmt::format("{:#x}", bits[next]);
      } else if (kind == 's') {
        out += inWidth(textAt(bits[next], flags, byteAt, isCutOff), flags);
      }
      ++next;
    }
    at = kind ? lengthEnd + 1 : format.size();
  }
  return out;
}

}  // namespace hone::sim
